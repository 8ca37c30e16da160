//! Leave is asked for, decided on once, and shifts on those days look for somebody else.

use axum::http::Method;
use platform::auth::{Claims, Role};
use serde_json::json;

use crate::test_hotel::{Ask, TestHotel, text};

#[tokio::test]
async fn approved_leave_frees_the_shifts_of_its_days_and_a_night_belongs_to_its_first() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.employ("Gulalai").await;
    // The night of the 23rd ends on the 24th; the one of the 25th begins on the last day.
    let before = hotel.shift_on("2026-04-23", "22:00", "06:00").await;
    let (first, last) =
        (hotel.shift_on("2026-04-24", "08:00", "16:00").await, hotel.shift_on("2026-04-25", "22:00", "06:00").await);
    let after = hotel.shift_on("2026-04-26", "08:00", "16:00").await;
    let mut places = Vec::new();
    for shift in [&before, &first, &last, &after] {
        places.push(text(&hotel.place(shift, &gulalai).await.done()["assignmentId"]));
    }
    let asked = hotel.ask_for_leave(&gulalai, "2026-04-24", "2026-04-25").await.done();
    assert_eq!((&asked["status"], &asked["version"]), (&json!("requested"), &json!(1)));
    let id = text(&asked["leaveRequestId"]);
    let shown = hotel.get(&hotel.supervisor(), &format!("/staff/v1/leave/{id}")).await.done();
    assert_eq!(shown["conflictingAssignmentIds"], json!([places[1], places[2]]));
    hotel.told_by_staff().await;
    let granted = hotel.decide_leave(&id, "approve").await.done();
    assert_eq!((&granted["status"], &granted["decidedBy"]), (&json!("approved"), &json!("usr_supervisor")));
    let told = hotel.told_by_staff().await;
    let subjects: Vec<_> = told.iter().map(|(subject, _)| subject.as_str()).collect();
    assert_eq!(subjects, ["shift.unassigned", "shift.unassigned", "leave.approved"], "in this order");
    assert_eq!((&told[0].1["reason"], &told[0].1["version"]), (&json!("leave_approved"), &json!(2)));
    assert_eq!(told[2].1["forceUnassignedAssignmentIds"], json!([places[1], places[2]]));
    hotel.place(&first, &gulalai).await.refused(409, "MELMASTOON.STAFF.STAFF_ON_LEAVE");
    assert_eq!(hotel.shift_now(&before).await["missingPrimary"], 0, "a night belongs to its first day");
    let path = format!("/staff/v1/leave/{id}/cancel");
    hotel.post(&hotel.own(&gulalai), &path, json!({})).await.done();
    assert_eq!(hotel.shift_now(&first).await["missingPrimary"], 1, "giving leave back restores nothing");
    hotel.place(&first, &gulalai).await.done();
}

#[tokio::test]
async fn leave_is_asked_for_within_its_bounds_and_never_twice_for_one_day() {
    let hotel = TestHotel::open().await;
    let (gulalai, nasrin) = (hotel.employ("Gulalai").await, hotel.employ("Nasrin").await);
    for (from, to) in [("2026-05-02", "2026-05-01"), ("2026-03-22", "2026-05-01"), ("2026-05-01", "2027-05-03")] {
        let refused = hotel.ask_for_leave(&gulalai, from, to).await;
        refused.refused(400, "MELMASTOON.STAFF.INVALID_VALUE").naming("windowLocal");
    }
    hotel.ask_for_leave(&gulalai, "2026-03-23", "2026-03-23").await.done();
    let first = hotel.ask_for_leave(&gulalai, "2026-05-01", "2026-05-03").await.done();
    let twice = hotel.ask_for_leave(&gulalai, "2026-05-03", "2026-05-04").await;
    twice.refused(409, "MELMASTOON.STAFF.LEAVE_OVERLAP");
    assert_eq!(twice.body["conflictingLeaveRequestId"], first["leaveRequestId"]);
    hotel.ask_for_leave(&nasrin, "2026-05-03", "2026-05-04").await.done();
    let body =
        json!({ "staffId": nasrin, "type": "sick", "windowLocal": { "from": "2026-05-01", "to": "2026-05-01" } });
    hotel.post(&hotel.own(&gulalai), "/staff/v1/leave", body.clone()).await.refused(403, "MELMASTOON.STAFF.NOT_SELF");
    hotel.post(&hotel.supervisor(), "/staff/v1/leave", body).await.done();
    for (body, field) in [
        (json!({ "type": "siesta", "windowLocal": { "from": "2026-05-01", "to": "2026-05-01" } }), "type"),
        (json!({ "type": "sick", "windowLocal": { "from": "soon", "to": "2026-05-01" } }), "from"),
        (json!({ "type": "sick" }), "windowLocal"),
    ] {
        let answer = hotel.post(&hotel.own(&gulalai), "/staff/v1/leave", body).await;
        assert!((400..500).contains(&answer.status) && answer.text.contains(field), "{}", answer.text);
    }
    hotel.decide_leave(&text(&first["leaveRequestId"]), "reject").await.done();
    hotel.ask_for_leave(&gulalai, "2026-05-03", "2026-05-04").await.done();
    let sql = "INSERT INTO staff.leave_requests (tenant_id, id, staff_id, person_no, type, first_day, last_day, status, requested_at, version)
               SELECT tenant_id, 'lvr_TWICE', id, person_no, 'sick', '2026-05-04', '2026-05-04', 'requested', now(), 1
               FROM staff.people WHERE id = $1";
    let refused = hotel.behind.execute(sql, &[&gulalai]).await.unwrap_err();
    assert_eq!(
        refused.code(),
        Some(&tokio_postgres::error::SqlState::EXCLUSION_VIOLATION),
        "the database keeps it too"
    );
}

#[tokio::test]
async fn nobody_decides_on_their_own_leave_and_nobody_decides_twice() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.employ("Gulalai").await;
    let id = text(&hotel.ask_for_leave(&gulalai, "2026-05-01", "2026-05-03").await.done()["leaveRequestId"]);
    let path = format!("/staff/v1/leave/{id}/decide");
    let decide = json!({ "decision": "approve" });
    hotel.post(&hotel.own(&gulalai), &path, decide.clone()).await.refused(403, "MELMASTOON.PLATFORM.FORBIDDEN");
    let person = contracts::ids::StaffId::parse(&gulalai).unwrap();
    let herself = hotel.token(Role::Supervisor, Some(&person));
    hotel.post(&herself, &path, decide.clone()).await.refused(403, "MELMASTOON.STAFF.SELF_DECISION");
    // By her login alone she is still herself.
    let login = json!({ "userId": "usr_GULALAI" });
    hotel.patch(&hotel.manager(), &format!("/staff/v1/staff/{gulalai}"), login).await.done();
    let claims = Claims { sub: "usr_GULALAI".to_owned(), ..hotel.claims(Role::Supervisor, None) };
    let by_login = hotel.key.mint(&claims);
    hotel.post(&by_login, &path, decide.clone()).await.refused(403, "MELMASTOON.STAFF.SELF_DECISION");
    let stale = Ask::new(Method::POST, path.clone()).by(&hotel.supervisor()).header("if-match", "\"7\"");
    hotel.ask(stale.json(&decide)).await.refused(412, "MELMASTOON.STAFF.STALE_VERSION");
    hotel.told_by_staff().await;
    hotel.decide_leave(&id, "reject").await.done();
    for decision in ["approve", "reject"] {
        hotel.decide_leave(&id, decision).await.refused(409, "MELMASTOON.STAFF.LEAVE_ILLEGAL_TRANSITION");
    }
    let told = hotel.told_by_staff().await;
    assert_eq!((told.len(), told[0].0.as_str()), (1, "leave.rejected"));
    assert_eq!((&told[0].1["decidedBy"], &told[0].1["decisionNote"]), (&json!("usr_supervisor"), &json!("as agreed")));
    hotel
        .post(&hotel.own(&gulalai), &format!("/staff/v1/leave/{id}/cancel"), json!({}))
        .await
        .refused(409, "MELMASTOON.STAFF.LEAVE_ILLEGAL_TRANSITION");
}

#[tokio::test]
async fn why_somebody_is_away_is_for_them_and_for_those_who_lead_them() {
    let hotel = TestHotel::open().await;
    let (gulalai, nasrin) = (hotel.employ("Gulalai").await, hotel.employ("Nasrin").await);
    let id = hotel.leave(&gulalai, "2026-04-22", "2026-04-24").await;
    let path = format!("/staff/v1/leave/{id}");
    for token in [hotel.own(&gulalai), hotel.supervisor()] {
        let shown = hotel.get(&token, &path).await.done();
        assert_eq!((&shown["reason"], &shown["decisionNote"]), (&json!("a wedding"), &json!("as agreed")));
    }
    hotel.get(&hotel.own(&nasrin), &path).await.refused(404, "MELMASTOON.STAFF.NOT_FOUND");
    let hers = format!("/staff/v1/leave?staffId={gulalai}");
    hotel.get(&hotel.own(&nasrin), &hers).await.refused(403, "MELMASTOON.STAFF.NOT_SELF");
    assert_eq!(hotel.get(&hotel.own(&nasrin), "/staff/v1/leave").await.done()["items"], json!([]));
    let list = |query: &str| format!("/staff/v1/leave?propertyId={}&{query}", hotel.property);
    let count = async |query: &str| {
        hotel.get(&hotel.supervisor(), &list(query)).await.done()["items"].as_array().unwrap().len()
    };
    assert_eq!((count("status=approved").await, count("status=requested,rejected").await), (1, 0));
    assert_eq!(
        (count("from=2026-04-24").await, count("from=2026-04-25").await, count("to=2026-04-21").await),
        (1, 0, 0)
    );
    let roster = format!("/staff/v1/roster?propertyId={}", hotel.property);
    let roster = hotel.get(&hotel.own(&nasrin), &roster).await.done();
    let away = &roster["people"][0];
    assert_eq!((&away["staffId"], &away["leave"][0]["status"]), (&json!(gulalai), &json!("approved")));
    assert!(!roster.to_string().contains("wedding") && !roster.to_string().contains("annual"));
}

#[tokio::test]
async fn who_is_on_leave_today_is_shown_so_by_the_clock_of_the_house_and_when_they_leave_for_good() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.employ("Gulalai").await;
    hotel.leave(&gulalai, "2026-04-22", "2026-04-22").await;
    let status = async || {
        text(&hotel.get(&hotel.manager(), &format!("/staff/v1/staff/{gulalai}")).await.done()["employmentStatus"])
    };
    let found = async |status: &str| {
        let path = format!("/staff/v1/staff?status={status}");
        hotel.get(&hotel.manager(), &path).await.done()["items"].as_array().unwrap().len()
    };
    assert_eq!(status().await, "on_leave");
    assert_eq!((found("on_leave").await, found("pending_invite,active").await), (1, 0));
    let me = hotel.get(&hotel.own(&gulalai), "/staff/v1/me").await.done();
    assert_eq!(me["employmentStatus"], "on_leave");
    // It is 11:00 in Kabul; the day ends there at 19:30 UTC.
    hotel.clock.advance_seconds(13 * 60 * 60);
    assert_eq!((status().await.as_str(), found("on_leave").await), ("pending_invite", 0));
    hotel.leave(&gulalai, "2026-04-23", "2026-04-30").await;
    let open = hotel.ask_for_leave(&gulalai, "2026-05-10", "2026-05-11").await.done();
    hotel.told_by_staff().await;
    let path = format!("/staff/v1/staff/{gulalai}/terminate");
    hotel.post(&hotel.manager(), &path, json!({ "reason": "retired" })).await.done();
    let told = hotel.told_by_staff().await;
    let subjects: Vec<_> = told.iter().map(|(subject, _)| subject.as_str()).collect();
    assert_eq!(subjects, ["leave.cancelled", "terminated"]);
    assert_eq!(told[0].1["leaveRequestId"], open["leaveRequestId"]);
    assert_eq!(told[1].1["previousStatus"], "on_leave");
    assert_eq!(status().await, "terminated");
}

#[tokio::test]
async fn approved_leave_of_ones_own_is_given_back_before_it_begins_and_later_by_those_who_lead() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.employ("Gulalai").await;
    let id = hotel.leave(&gulalai, "2026-04-22", "2026-04-24").await;
    let path = format!("/staff/v1/leave/{id}/cancel");
    hotel.post(&hotel.own(&gulalai), &path, json!({})).await.refused(409, "MELMASTOON.STAFF.LEAVE_ILLEGAL_TRANSITION");
    hotel.told_by_staff().await;
    let back = hotel.post(&hotel.supervisor(), &path, json!({})).await.done();
    assert_eq!((&back["status"], &back["cancelledBy"]), (&json!("cancelled"), &json!("usr_supervisor")));
    assert_eq!(hotel.subjects_told_by_staff().await, ["leave.cancelled"]);
}

#[tokio::test]
async fn whoever_leaves_has_their_wish_answered_before_in_the_name_of_whoever_lets_them_go() {
    let hotel = TestHotel::open().await;
    let [gulalai, nasrin, boss] =
        [hotel.employ("Gulalai").await, hotel.employ("Nasrin").await, hotel.employ("Boss").await];
    let mut pattern = hotel.pattern("06:00", "14:00").await;
    pattern["primaryHeadcount"] = json!(1);
    pattern["assignees"] = json!([{ "staffId": gulalai, "role": "primary" }]);
    hotel.add_pattern(pattern).await;
    let made = hotel.generate("2026-04-23", "2026-04-24").await.done()["created"].clone();
    let alone = hotel.shift_on("2026-04-25", "08:00", "16:00").await;
    hotel.place(&alone, &gulalai).await.done();
    hotel.leave(&gulalai, "2026-04-22", "2026-04-22").await;
    for person in [&gulalai, &nasrin] {
        hotel.ask_for_leave(person, "2026-05-10", "2026-05-11").await.done();
    }
    let path = format!("/staff/v1/staff/{nasrin}");
    hotel.patch(&hotel.manager(), &path, json!({ "employmentEndsAt": "2026-04-22" })).await.done();
    hotel.told_by_staff().await;
    // Somebody who is on record as staff too: events name the login, not the person.
    let boss = contracts::ids::StaffId::parse(&boss).unwrap();
    let claims = Claims { sub: "usr_BOSS".to_owned(), ..hotel.claims(Role::PropertyManager, Some(&boss)) };
    let path = format!("/staff/v1/staff/{gulalai}");
    let why = json!({ "reason": "retired" });
    let gone = hotel.post(&hotel.key.mint(&claims), &format!("{path}/terminate"), why).await.done();
    let told = hotel.told_by_staff().await;
    let mut subjects: Vec<_> = told.iter().map(|(subject, _)| subject.as_str()).collect();
    // Shifts in the order of their ids, before the rest.
    subjects[..3].sort_unstable();
    let in_order = ["shift.cancelled", "shift.unassigned", "shift.unassigned", "leave.cancelled", "terminated"];
    assert_eq!(subjects, in_order);
    assert_eq!(told[3].1["cancelledBy"], "usr_BOSS");
    assert_eq!(told[4].1["cascadeSummary"], gone["cascadeSummary"]);
    let counts =
        ["futureAssignmentsUnassigned", "futureShiftsCancelled"].map(|name| gone["cascadeSummary"][name].clone());
    assert_eq!(counts, [json!(2), json!(1)]);
    for shift in made.as_array().unwrap() {
        let shift = hotel.shift_now(&text(shift)).await;
        assert_eq!((&shift["status"], &shift["missingPrimary"]), (&json!("scheduled"), &json!(1)), "it shows the hole");
    }
    let back = hotel.post(&hotel.manager(), &format!("{path}/reactivate"), json!({})).await.done();
    assert_eq!(back["employmentStatus"], "on_leave", "approved leave outlives it");
    hotel.told_by_staff().await;
    hotel.clock.advance_seconds(13 * 60 * 60);
    let tick = hotel.app.ticker.find("staff.employment-end").unwrap();
    hotel.app.ticker.run_now(tick).await.unwrap();
    let told = hotel.told_by_staff().await;
    assert_eq!((told.len(), told[0].0.as_str(), told[1].0.as_str()), (2, "leave.cancelled", "terminated"));
    assert_eq!(told[0].1["cancelledBy"], "usr_system");
}
