//! Shifts are planned and filled, people change places, and nobody is in two places at once.

use axum::http::Method;
use serde_json::json;

use crate::test_hotel::{Ask, TestHotel, text};

#[tokio::test]
async fn a_shift_is_planned_on_the_clock_of_the_house_and_told_in_both_times() {
    let hotel = TestHotel::open().await;
    let (gulalai, night) = (hotel.employ("Gulalai").await, hotel.shift("22:00", "06:00").await);
    hotel.told_by_staff().await;
    let given = hotel.place(&night, &gulalai).await.done();
    assert_eq!((&given["role"], &given["source"], &given["version"]), (&json!("primary"), &json!("manual"), &json!(1)));
    let shift = hotel.shift_now(&night).await;
    assert_eq!(
        shift["windowUtc"],
        json!({ "startUtc": "2026-04-22T17:30:00.000Z", "endUtc": "2026-04-23T01:30:00.000Z" })
    );
    assert_eq!((&shift["version"], &shift["missingPrimary"]), (&json!(2), &json!(0)));
    let told = hotel.told_by_staff().await;
    assert_eq!(told.len(), 1);
    assert_eq!((told[0].0.as_str(), &told[0].1["version"]), ("shift.assigned", &json!(1)));
    let patch = Ask::new(Method::PATCH, format!("/staff/v1/shifts/{night}")).by(&hotel.supervisor());
    hotel.ask(patch.json(&json!({ "primaryHeadcount": 3, "note": "wedding" }))).await.done();
    let told = hotel.told_by_staff().await;
    assert_eq!((told[0].0.as_str(), &told[0].1["version"]), ("shift.scheduled", &json!(3)));
    let short = hotel.plan("06:00", "06:10").await;
    hotel
        .post(&hotel.supervisor(), "/staff/v1/shifts", short)
        .await
        .refused(400, "MELMASTOON.STAFF.INVALID_VALUE")
        .naming("localWindow");
}

#[tokio::test]
async fn a_place_is_taken_away_by_its_own_version_or_by_that_of_its_shift() {
    let hotel = TestHotel::open().await;
    let shift = hotel.shift("16:00", "22:00").await;
    let path = format!("/staff/v1/shifts/{shift}");
    let remove = async |place: &str, tag: &str| {
        let ask = Ask::new(Method::DELETE, format!("{path}/assignments/{place}")).by(&hotel.supervisor());
        hotel.ask(ask.header("if-match", tag)).await
    };
    for name in ["Gulalai", "Nasrin"] {
        let given = hotel.place(&shift, &hotel.employ(name).await).await;
        let place = text(&given.body["assignmentId"]);
        remove(&place, "\"77\"").await.refused(412, "MELMASTOON.STAFF.STALE_VERSION");
        let own = given.header("etag").unwrap().to_owned();
        let shifts = hotel.get(&hotel.supervisor(), &path).await.header("etag").unwrap().to_owned();
        assert_ne!(own, shifts);
        let tag = if name == "Gulalai" { own } else { shifts };
        assert_eq!(remove(&place, &tag).await.status, 204, "{tag}");
        remove(&place, "*").await.refused(409, "MELMASTOON.STAFF.ASSIGNMENT_ENDED");
    }
}

#[tokio::test]
async fn a_place_is_refused_for_the_first_reason_that_holds() {
    let hotel = TestHotel::open().await;
    let (gulalai, nasrin) = (hotel.employ("Gulalai").await, hotel.employ("Nasrin").await);
    let (early, late) = (hotel.shift("06:00", "14:00").await, hotel.shift("14:00", "22:00").await);
    let between = hotel.shift("12:00", "20:00").await;
    hotel.place(&early, "stf_NOBODY").await.refused(422, "MELMASTOON.STAFF.REFERENCE_UNKNOWN").naming("staffId");
    hotel.place(&early, &gulalai).await.done();
    hotel.place(&early, &gulalai).await.refused(409, "MELMASTOON.STAFF.ALREADY_ASSIGNED");
    hotel.place(&early, &nasrin).await.refused(409, "MELMASTOON.STAFF.HEADCOUNT_FULL");
    let refused = hotel.place(&between, &gulalai).await;
    refused.refused(409, "MELMASTOON.STAFF.ASSIGNMENT_OVERLAP");
    assert_eq!(refused.body["conflictingShiftId"], json!(early));
    let touching = hotel.place(&late, &gulalai).await.done();
    let codes: Vec<_> = touching["warnings"].as_array().unwrap().iter().map(|one| text(&one["code"])).collect();
    assert_eq!(codes, ["REST_SHORT", "SHORT_NOTICE"], "touching is no overlap, and no rest either");
    let one_more = json!({ "staffId": nasrin, "force": true });
    let path = format!("/staff/v1/shifts/{early}/assignments");
    hotel.post(&hotel.supervisor(), &path, one_more).await.done();
    hotel
        .patch(&hotel.manager(), &format!("/staff/v1/staff/{nasrin}"), json!({ "employmentStatus": "suspended" }))
        .await
        .done();
    hotel.place(&late, &nasrin).await.refused(409, "MELMASTOON.STAFF.STAFF_NOT_ACTIVE");
    hotel.post(&hotel.supervisor(), &format!("/staff/v1/shifts/{late}/cancel"), json!({})).await.done();
    hotel.place(&late, &nasrin).await.refused(409, "MELMASTOON.STAFF.SHIFT_ILLEGAL_TRANSITION");
}

#[tokio::test]
async fn of_many_who_give_one_person_overlapping_places_at_once_one_succeeds() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.employ("Gulalai").await;
    let mut shifts = Vec::new();
    for hour in 6..14 {
        shifts.push(hotel.shift(&format!("{hour:02}:00"), "22:00").await);
    }
    let answers = futures_util::future::join_all(shifts.iter().map(|shift| hotel.place(shift, &gulalai))).await;
    let given = answers.iter().filter(|answer| answer.status == 201).count();
    assert_eq!(given, 1);
    for answer in answers.iter().filter(|answer| answer.status != 201) {
        answer.refused(409, "MELMASTOON.STAFF.ASSIGNMENT_OVERLAP");
    }
}

#[tokio::test]
async fn the_database_itself_keeps_a_person_from_being_in_two_places() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.employ("Gulalai").await;
    let (one, other) = (hotel.shift("06:00", "14:00").await, hotel.shift("08:00", "16:00").await);
    hotel.place(&one, &gulalai).await.done();
    let sql = "INSERT INTO staff.shift_assignments
                 (tenant_id, id, shift_id, staff_id, person_no, starts_at, ends_at, role, source, status, assigned_at, version)
               SELECT p.tenant_id, 'sha_TWICE', s.id, p.id, p.person_no, s.starts_at, s.ends_at, 'primary', 'manual', 'active', now(), 1
               FROM staff.people p, staff.shifts s WHERE p.id = $1 AND s.id = $2";
    let refused = hotel.behind.execute(sql, &[&gulalai, &other]).await.unwrap_err();
    assert_eq!(refused.code(), Some(&tokio_postgres::error::SqlState::EXCLUSION_VIOLATION));
}

#[tokio::test]
async fn two_who_change_places_take_each_others_roles_and_it_is_told_once() {
    let hotel = TestHotel::open().await;
    let (gulalai, nasrin) = (hotel.employ("Gulalai").await, hotel.employ("Nasrin").await);
    let (early, late) = (hotel.shift("06:00", "14:00").await, hotel.shift("14:00", "22:00").await);
    let hers = hotel.place(&early, &gulalai).await.done();
    let others = hotel.place(&late, &nasrin).await.done();
    hotel.told_by_staff().await;
    let swap = json!({ "leftAssignmentId": hers["assignmentId"], "rightAssignmentId": others["assignmentId"] });
    let swapped = hotel.post(&hotel.supervisor(), "/staff/v1/shifts/swap", swap.clone()).await.done();
    assert_eq!((&swapped["left"]["staffId"], &swapped["left"]["shiftId"]), (&json!(nasrin), &json!(early)));
    assert_eq!(swapped["left"]["swappedFromAssignmentId"], others["assignmentId"]);
    let told = hotel.told_by_staff().await;
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(
        (told[0].0.as_str(), &told[0].1["leftAssignment"]["previousId"]),
        ("shift.swapped", &hers["assignmentId"])
    );
    hotel
        .post(&hotel.supervisor(), "/staff/v1/shifts/swap", swap)
        .await
        .refused(409, "MELMASTOON.STAFF.SWAP_IMPOSSIBLE");
    let between = hotel.shift("12:00", "20:00").await;
    hotel.place(&between, &gulalai).await.refused(409, "MELMASTOON.STAFF.ASSIGNMENT_OVERLAP");
    assert_eq!(hotel.count("staff.shift_assignments WHERE status = 'active'").await, 2);
}

#[tokio::test]
async fn a_place_is_taken_away_once_and_a_standby_is_called() {
    let hotel = TestHotel::open().await;
    let (gulalai, nasrin) = (hotel.employ("Gulalai").await, hotel.employ("Nasrin").await);
    let mut plan = hotel.plan("06:00", "14:00").await;
    plan["standbyHeadcount"] = json!(1);
    let shift = text(&hotel.post(&hotel.supervisor(), "/staff/v1/shifts", plan).await.done()["shiftId"]);
    let place = text(&hotel.place(&shift, &gulalai).await.done()["assignmentId"]);
    let path = format!("/staff/v1/shifts/{shift}");
    let standby = json!({ "staffId": nasrin, "role": "standby" });
    hotel.post(&hotel.supervisor(), &format!("{path}/assignments"), standby).await.done();
    let promote = async || hotel.post(&hotel.supervisor(), &format!("{path}/promote-standby"), json!({})).await;
    promote().await.refused(409, "MELMASTOON.STAFF.HEADCOUNT_FULL");
    let remove = async || {
        hotel.ask(Ask::new(Method::DELETE, format!("{path}/assignments/{place}")).by(&hotel.supervisor())).await
    };
    assert_eq!(remove().await.status, 204);
    remove().await.refused(409, "MELMASTOON.STAFF.ASSIGNMENT_ENDED");
    hotel.told_by_staff().await;
    assert_eq!(promote().await.done()["role"], "primary");
    promote().await.refused(409, "MELMASTOON.STAFF.NO_STANDBY");
    let told = hotel.told_by_staff().await;
    assert_eq!((told.len(), &told[0].1["source"]), (1, &json!("standby_promotion")));
}

#[tokio::test]
async fn whoever_leaves_for_good_leaves_their_shifts_and_the_summary_counts_what_was_told() {
    let hotel = TestHotel::open().await;
    let (gulalai, nasrin) = (hotel.employ("Gulalai").await, hotel.employ("Nasrin").await);
    let now = hotel.shift("07:00", "15:00").await;
    let alone = hotel.shift("16:00", "18:00").await;
    let mut both = hotel.plan("19:00", "22:00").await;
    both["primaryHeadcount"] = json!(2);
    let both = text(&hotel.post(&hotel.supervisor(), "/staff/v1/shifts", both).await.done()["shiftId"]);
    for shift in [&now, &alone, &both] {
        hotel.place(shift, &gulalai).await.done();
    }
    hotel.place(&both, &nasrin).await.done();
    hotel.punch_clock(&gulalai, "in").await.done();
    hotel.told_by_staff().await;
    let path = format!("/staff/v1/staff/{gulalai}/terminate");
    let gone = hotel.post(&hotel.manager(), &path, json!({ "reason": "voluntary_resignation" })).await.done();
    let summary = json!({
        "openClockClosed": true, "futureAssignmentsUnassigned": 1, "futureShiftsCancelled": 1, "iamSessionRevocationRequested": false,
    });
    assert_eq!(gone["cascadeSummary"], summary);
    let told = hotel.subjects_told_by_staff().await;
    let count = |word: &str| told.iter().filter(|subject| *subject == word).count();
    assert_eq!((count("clock.out"), count("shift.unassigned"), count("shift.cancelled")), (1, 1, 1), "{told:?}");
    assert_eq!(told.last().map(String::as_str), Some("terminated"));
    assert_eq!(hotel.shift_now(&alone).await["status"], "cancelled");
    assert_eq!(hotel.shift_now(&both).await["missingPrimary"], 1);
}

#[tokio::test]
async fn a_shift_keeps_the_zone_it_was_planned_in() {
    let hotel = TestHotel::open().await;
    let shift = hotel.shift("14:00", "22:00").await;
    let of_house = format!("/staff/v1/settings?propertyId={}", hotel.property);
    hotel.put(&hotel.manager(), &of_house, json!({ "timezone": "Europe/Berlin" })).await.done();
    let window = json!({ "date": "2026-04-22", "startLocal": "15:00", "endLocal": "22:00" });
    let body = json!({ "localWindow": window });
    let moved = hotel.patch(&hotel.supervisor(), &format!("/staff/v1/shifts/{shift}"), body).await.done();
    assert_eq!(moved["windowUtc"]["startUtc"], "2026-04-22T10:30:00.000Z", "{moved}");
}
