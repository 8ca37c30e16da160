//! The clock: people come, rest and go; shifts begin and end by it; what was punched without a connection comes later.

use contracts::housekeeping::TaskKind;
use contracts::ids::{PropertyId, StaffId};
use platform::auth::{Claims, Role};
use serde_json::{Value, json};

use crate::test_hotel::{TestHotel, text};

/// Somebody with a place on a shift from 07:00 to 15:00; it is eleven o'clock.
async fn on_shift(hotel: &TestHotel) -> (String, String) {
    let (gulalai, shift) = (hotel.employ("Gulalai").await, hotel.shift("07:00", "15:00").await);
    hotel.place(&shift, &gulalai).await.done();
    hotel.told_by_staff().await;
    (gulalai, shift)
}

#[tokio::test]
async fn somebody_who_clocks_in_can_be_given_a_room_a_moment_later() {
    let hotel = TestHotel::open().await;
    let (gulalai, _) = on_shift(&hotel).await;
    let staff = StaffId::parse(&gulalai).unwrap();
    let room = hotel.ready_room("101").await;
    let task = hotel.task_for(&room, TaskKind::Turnover).await;
    let assign = json!({ "staffId": gulalai });
    hotel
        .command(&hotel.supervisor(), &task, "assign", assign)
        .await
        .refused(409, "MELMASTOON.HOUSEKEEPING.STAFF_NOT_ON_SHIFT");
    hotel.punch_clock(&gulalai, "in").await.done();
    hotel.drain().await;
    hotel.assign(&task, &staff).await;
    hotel.start(&task, &staff).await;
    assert_eq!(hotel.board().await.people(), [gulalai.as_str()]);
    assert_eq!(hotel.board().await.0["staff"][0]["languages"], json!(["ps-AF"]));
    hotel.clock.advance_seconds(600);
    hotel.punch_clock(&gulalai, "out").await.done();
    hotel.drain().await;
    assert!(hotel.board().await.people().is_empty());
    assert!(hotel.dead_letters().await.is_empty());
}

#[tokio::test]
async fn the_first_who_comes_begins_the_shift_and_the_last_who_goes_ends_it() {
    let hotel = TestHotel::open().await;
    let (gulalai, shift) = on_shift(&hotel).await;
    let came = hotel.punch_clock(&gulalai, "in").await;
    assert_eq!((came.status, &came.body["shiftId"], &came.body["clockState"]), (201, &json!(shift), &json!("in")));
    hotel.clock.advance_seconds(60 * 60);
    hotel.punch_clock(&gulalai, "break_started").await.done();
    hotel.clock.advance_seconds(30 * 60 + 59);
    // Whoever goes home from a break has ended it; lunch does not end a shift.
    assert_eq!(hotel.punch_clock(&gulalai, "out").await.done()["clockState"], "out");
    assert_eq!(hotel.shift_now(&shift).await["status"], "started");
    hotel.clock.advance_seconds(10 * 60);
    hotel.punch_clock(&gulalai, "in").await.done();
    hotel.clock.advance_seconds(120 * 60);
    hotel.punch_clock(&gulalai, "out").await.done();
    let told = hotel.told_by_staff().await;
    let subjects: Vec<_> = told.iter().map(|(subject, _)| subject.as_str()).collect();
    let expected = [
        "clock.in",
        "shift.started",
        "clock.break_started",
        "clock.break_ended",
        "clock.out",
        "clock.in",
        "clock.out",
        "shift.ended",
    ];
    assert_eq!(subjects, expected);
    assert_eq!((&told[1].1["firstClockInBy"], &told[1].1["primaryClockedInCount"]), (&json!(gulalai), &json!(1)));
    let ended = &told[7].1;
    assert_eq!((&ended["totalActualMinutes"], &ended["totalBreakMinutes"]), (&json!(210), &json!(30)), "{ended}");
    assert_eq!(ended["endedReason"], "all_primary_clocked_out");
    let now = hotel.shift_now(&shift).await;
    assert_eq!((&now["status"], &now["totalActualMinutes"]), (&json!("ended"), &json!(210)));
}

#[tokio::test]
async fn the_same_punch_within_a_minute_is_one_and_what_does_not_fit_is_refused() {
    let hotel = TestHotel::open().await;
    let (gulalai, _) = on_shift(&hotel).await;
    let refused = hotel.punch_clock(&gulalai, "out").await;
    refused.refused(409, "MELMASTOON.STAFF.CLOCK_SEQUENCE");
    assert_eq!(refused.body["clockState"], "out");
    let first = hotel.punch_clock(&gulalai, "in").await;
    hotel.clock.advance_seconds(59);
    let again = hotel.punch_clock(&gulalai, "in").await;
    assert_eq!((again.status, &again.body["duplicate"]), (200, &json!(true)));
    assert_eq!(first.body["clockEntryId"], again.body["clockEntryId"]);
    hotel.clock.advance_seconds(120);
    hotel.punch_clock(&gulalai, "in").await.refused(409, "MELMASTOON.STAFF.CLOCK_SEQUENCE");
    let old = json!({ "kind": "out", "at": "2026-04-22T06:00:00Z" });
    hotel
        .post(&hotel.own(&gulalai), "/staff/v1/clock/punches", old)
        .await
        .refused(422, "MELMASTOON.STAFF.PUNCH_TIME_OUT_OF_RANGE");
    let others = json!({ "kind": "out", "staffId": gulalai });
    hotel
        .post(&hotel.own("stf_SOMEBODY"), "/staff/v1/clock/punches", others)
        .await
        .refused(403, "MELMASTOON.STAFF.NOT_SELF");
    assert_eq!(hotel.count("staff.clock_entries").await, 1);
}

#[tokio::test]
async fn many_punches_at_once_are_one_and_a_shift_begins_once() {
    let hotel = TestHotel::open().await;
    let (gulalai, nasrin) = (hotel.employ("Gulalai").await, hotel.employ("Nasrin").await);
    let mut plan = hotel.plan("07:00", "15:00").await;
    plan["primaryHeadcount"] = json!(2);
    let shift = text(&hotel.post(&hotel.supervisor(), "/staff/v1/shifts", plan).await.done()["shiftId"]);
    for staff in [&gulalai, &nasrin] {
        hotel.place(&shift, staff).await.done();
    }
    let presses = (0..10).flat_map(|_| [&gulalai, &nasrin]).map(|staff| hotel.punch_clock(staff, "in"));
    let answers = futures_util::future::join_all(presses).await;
    assert!(answers.iter().all(|answer| matches!(answer.status, 200 | 201)));
    let told = hotel.subjects_told_by_staff().await;
    let count = |word: &str| told.iter().filter(|subject| *subject == word).count();
    assert_eq!((count("clock.in"), count("shift.started")), (2, 1), "{told:?}");
    assert_eq!(hotel.shift_now(&shift).await["primaryClockedInCount"], 2);
}

async fn replay(hotel: &TestHotel, staff: &str, punches: Value) -> Vec<String> {
    let body = json!({ "deviceId": "dev_TABLET", "sentAt": hotel.now(), "punches": punches });
    let answer = hotel.post(&hotel.own(staff), "/staff/v1/clock/offline-replay", body).await.done();
    answer["results"].as_array().unwrap().iter().map(|one| text(&one["outcome"])).collect()
}

#[tokio::test]
async fn what_was_punched_without_a_connection_counts_once_in_any_order() {
    let hotel = TestHotel::open().await;
    let (gulalai, shift) = on_shift(&hotel).await;
    hotel.clock.advance_seconds(8 * 60 * 60);
    let punch = |id: &str, kind: &str, at: &str| json!({ "clientPunchId": id, "kind": kind, "at": format!("2026-04-22T{at}:00Z") });
    let (came, rests) = (punch("1", "in", "02:30"), punch("2", "break_started", "06:00"));
    let (back, went) = (punch("3", "break_ended", "06:30"), punch("4", "out", "10:25"));
    // The end first: it has no beginning yet, and is kept.
    assert_eq!(replay(&hotel, &gulalai, json!([went])).await, ["recorded"]);
    assert_eq!(
        hotel.get(&hotel.supervisor(), "/staff/v1/clock/entries?needsReview=true").await.done()["items"][0]["needsReview"],
        json!(["orphan"])
    );
    assert_eq!(
        replay(&hotel, &gulalai, json!([went, back, rests, came])).await,
        ["duplicate", "recorded", "recorded", "recorded"]
    );
    assert_eq!(replay(&hotel, &gulalai, json!([came, back, rests, went])).await, ["duplicate"; 4]);
    let now = hotel.shift_now(&shift).await;
    assert_eq!((&now["totalActualMinutes"], &now["totalBreakMinutes"]), (&json!(475), &json!(30)), "{now}");
    assert_eq!(
        hotel.count("staff.clock_entries WHERE needs_review <> '{}'").await,
        0,
        "the orphan has found its shift"
    );
    assert_eq!(replay(&hotel, &gulalai, json!([punch("1", "out", "02:30")])).await, ["refused"]);
    assert_eq!(
        replay(&hotel, &gulalai, json!([{ "clientPunchId": "9", "kind": "in", "at": "2026-04-01T02:30:00Z" }])).await,
        ["refused"]
    );
    let told = hotel.told_by_staff().await;
    let outs: Vec<_> = told.iter().filter(|(subject, _)| subject == "clock.out").map(|(_, payload)| payload).collect();
    assert_eq!(outs.len(), 2, "told again once its shift was known");
    assert_eq!((&outs[1]["aggregateVersion"], &outs[1]["shiftId"]), (&json!(2), &json!(shift)));
    assert_eq!(outs[1]["fromOfflineReplay"], true);
}

#[tokio::test]
async fn a_correction_keeps_what_it_was_and_may_not_break_the_sequence() {
    let hotel = TestHotel::open().await;
    let (gulalai, _) = on_shift(&hotel).await;
    let came = text(&hotel.punch_clock(&gulalai, "in").await.done()["clockEntryId"]);
    hotel.clock.advance_seconds(3_600);
    hotel.punch_clock(&gulalai, "out").await.done();
    let supervisor = hotel.supervisor();
    let correct = |at: &str| json!({ "clockEntryId": came, "at": at, "reason": "forgot to punch" });
    let put_right = hotel.post(&supervisor, "/staff/v1/clock/override", correct("2026-04-22T03:00:00Z")).await.done();
    assert_eq!((&put_right["version"], &put_right["clockEntryId"]), (&json!(2), &json!(came)));
    hotel
        .post(&supervisor, "/staff/v1/clock/override", correct("2026-04-22T07:31:00Z"))
        .await
        .refused(409, "MELMASTOON.STAFF.CLOCK_SEQUENCE");
    let was: String = hotel
        .behind
        .query_one("SELECT occurred_at::TEXT || ' ' || reason FROM staff.clock_entry_revisions", &[])
        .await
        .unwrap()
        .get(0);
    assert!(was.starts_with("2026-04-22 06:30:00") && was.ends_with("forgot to punch"), "{was}");
    let own = hotel.token(platform::auth::Role::Supervisor, StaffId::parse(&gulalai).ok().as_ref());
    let add = json!({ "staffId": gulalai, "kind": "in", "at": "2026-04-22T07:31:00Z", "reason": "me" });
    hotel.post(&own, "/staff/v1/clock/override", add.clone()).await.refused(403, "MELMASTOON.STAFF.NOT_SELF");
    hotel.put(&hotel.manager(), "/staff/v1/settings", json!({ "lockedThrough": "2026-04-22" })).await.done();
    hotel.post(&supervisor, "/staff/v1/clock/override", add).await.refused(409, "MELMASTOON.STAFF.PERIOD_LOCKED");
}

#[tokio::test]
async fn whoever_forgot_to_go_is_clocked_out_when_they_come_again() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.employ("Gulalai").await;
    let first = hotel.punch_clock(&gulalai, "in").await.done();
    assert_eq!((&first["needsReview"], &first["matchedScheduledShift"]), (&json!(["unscheduled"]), &json!(false)));
    hotel.clock.advance_seconds(20 * 60 * 60);
    hotel.punch_clock(&gulalai, "in").await.done();
    let own = hotel.own(&gulalai);
    let entries = hotel.get(&own, "/staff/v1/clock/entries?from=2026-04-22&to=2026-04-23").await.done();
    let items = entries["items"].as_array().unwrap();
    let kinds: Vec<_> = items.iter().map(|one| (text(&one["kind"]), text(&one["source"]))).collect();
    assert_eq!(
        kinds,
        [("in", "web"), ("out", "auto_close"), ("in", "web")]
            .map(|(kind, source)| (kind.to_owned(), source.to_owned()))
    );
    assert_eq!(items[1]["occurredAtUtc"], "2026-04-22T14:30:00.000Z", "eight hours after they came");
    hotel
        .get(&hotel.own("stf_OTHER"), &format!("/staff/v1/clock/entries?staffId={gulalai}"))
        .await
        .refused(403, "MELMASTOON.STAFF.NOT_SELF");
}

#[tokio::test]
async fn a_shift_that_runs_is_called_off_only_with_force_and_everybody_goes_home() {
    let hotel = TestHotel::open().await;
    let (gulalai, shift) = on_shift(&hotel).await;
    hotel.punch_clock(&gulalai, "in").await.done();
    hotel.clock.advance_seconds(600);
    let path = format!("/staff/v1/shifts/{shift}/cancel");
    hotel.post(&hotel.supervisor(), &path, json!({})).await.refused(409, "MELMASTOON.STAFF.SHIFT_ILLEGAL_TRANSITION");
    let place = text(&hotel.shift_now(&shift).await["assignments"][0]["assignmentId"]);
    let remove = crate::test_hotel::Ask::new(
        axum::http::Method::DELETE,
        format!("/staff/v1/shifts/{shift}/assignments/{place}"),
    );
    hotel.ask(remove.by(&hotel.supervisor())).await.refused(409, "MELMASTOON.STAFF.STAFF_CLOCKED_IN");
    let off = hotel.post(&hotel.supervisor(), &path, json!({ "force": true, "note": "no water" })).await.done();
    assert_eq!(
        (&off["status"], &off["endedReason"]),
        (&json!("cancelled"), &json!("cancelled_in_progress_force_close"))
    );
    let told = hotel.told_by_staff().await;
    let subjects: Vec<_> = told.iter().map(|(subject, _)| subject.as_str()).collect();
    assert_eq!(subjects, ["clock.in", "shift.started", "clock.out", "shift.ended", "shift.cancelled"]);
    assert_eq!(told[3].1["lastClockOutBy"], json!(gulalai));
}

#[tokio::test]
async fn whoever_came_may_rest_and_go_though_the_house_is_not_theirs_any_more() {
    let hotel = TestHotel::open().await;
    let zarmina = hotel.employ("Zarmina").await;
    let (annex, path): (PropertyId, _) = (hotel.next(), format!("/staff/v1/staff/{zarmina}"));
    hotel.patch(&hotel.manager(), &path, json!({ "propertyAccess": [hotel.property, annex] })).await.done();
    let came = json!({ "kind": "in", "propertyId": annex });
    hotel.post(&hotel.own(&zarmina), "/staff/v1/clock/punches", came.clone()).await.done();
    hotel.patch(&hotel.manager(), &path, json!({ "propertyAccess": [hotel.property] })).await.done();
    // A token that was given since speaks for the house that is left.
    let claims = Claims {
        properties: vec![hotel.property.to_string()],
        ..hotel.claims(Role::Staff, StaffId::parse(&zarmina).ok().as_ref())
    };
    let own = hotel.key.mint(&claims);
    for kind in ["break_started", "break_ended", "out"] {
        hotel.clock.advance_seconds(600);
        let answer = hotel.post(&own, "/staff/v1/clock/punches", json!({ "kind": kind })).await.done();
        assert_eq!(answer["propertyId"], json!(annex));
    }
    let again = hotel.post(&hotel.own(&zarmina), "/staff/v1/clock/punches", came).await;
    again.refused(409, "MELMASTOON.STAFF.NO_PROPERTY_ACCESS");
}

#[tokio::test]
async fn whoever_came_before_they_were_given_the_shift_belongs_to_it_and_begins_it() {
    let hotel = TestHotel::open().await;
    let (gulalai, shift) = (hotel.employ("Gulalai").await, hotel.shift("11:30", "19:00").await);
    let came = hotel.punch_clock(&gulalai, "in").await.done();
    assert_eq!((&came["shiftId"], &came["needsReview"]), (&json!(null), &json!(["unscheduled"])));
    hotel.clock.advance_seconds(60);
    hotel.punch_clock(&gulalai, "break_started").await.done();
    hotel.told_by_staff().await;
    hotel.clock.advance_seconds(60);
    hotel.place(&shift, &gulalai).await.done();
    let told = hotel.told_by_staff().await;
    let subjects: Vec<_> = told.iter().map(|(subject, _)| subject.as_str()).collect();
    assert_eq!(subjects, ["shift.assigned", "clock.in", "shift.started", "clock.break_started"]);
    let again = &told[1].1;
    assert_eq!((&again["clockEntryId"], &again["aggregateVersion"]), (&came["clockEntryId"], &json!(2)));
    assert_eq!((&again["shiftId"], &again["matchedScheduledShift"]), (&json!(shift), &json!(true)));
    let now = hotel.shift_now(&shift).await;
    assert_eq!((&now["status"], &now["primaryClockedInCount"]), (&json!("started"), &json!(1)));
    assert_eq!(now["firstClockInAt"], came["occurredAtUtc"]);
    let open = hotel.get(&hotel.own(&gulalai), "/staff/v1/clock/entries?needsReview=true").await.done();
    assert_eq!(open["items"], json!([]));
    // Somebody who came for something else is left where they are.
    let (nasrin, night) = (hotel.employ("Nasrin").await, hotel.shift("22:00", "06:00").await);
    hotel.punch_clock(&nasrin, "in").await.done();
    hotel.told_by_staff().await;
    hotel.place(&night, &nasrin).await.done();
    assert_eq!(hotel.subjects_told_by_staff().await, ["shift.assigned"]);
}

#[tokio::test]
async fn a_correction_of_the_first_who_came_is_when_the_shift_began() {
    let hotel = TestHotel::open().await;
    let (gulalai, shift) = on_shift(&hotel).await;
    let entry = text(&hotel.punch_clock(&gulalai, "in").await.done()["clockEntryId"]);
    let right = hotel.now().plus_seconds(-3_600);
    let body = json!({ "clockEntryId": entry, "at": right, "reason": "the terminal was broken" });
    hotel.post(&hotel.supervisor(), "/staff/v1/clock/override", body).await.done();
    assert_eq!(hotel.shift_now(&shift).await["firstClockInAt"], json!(right));
}

#[tokio::test]
async fn who_comes_back_from_lunch_is_not_late_again() {
    let hotel = TestHotel::open().await;
    let (gulalai, _) = on_shift(&hotel).await;
    for (kind, wait) in [("in", 1_800), ("out", 1_800), ("in", 60)] {
        hotel.punch_clock(&gulalai, kind).await.done();
        hotel.clock.advance_seconds(wait);
    }
    let sheet = hotel.get(&hotel.own(&gulalai), "/staff/v1/me/timesheet?from=2026-04-22&to=2026-04-22").await.done();
    assert_eq!((&sheet["items"][0]["lateMinutes"], &sheet["items"][1]["lateMinutes"]), (&json!(240), &json!(null)));
    let path = format!("/staff/v1/on-now?propertyId={}", hotel.property);
    let there = hotel.get(&hotel.supervisor(), &path).await.done();
    assert_eq!(there["items"][0]["lateMinutes"], json!(null), "{there}");
}

#[tokio::test]
async fn a_day_of_the_list_is_one_of_the_house_of_the_punch() {
    let hotel = TestHotel::open().await;
    let of_house = format!("/staff/v1/settings?propertyId={}", hotel.property);
    hotel.put(&hotel.manager(), &of_house, json!({ "timezone": "America/New_York" })).await.done();
    let zarmina = hotel.employ("Zarmina").await;
    // Half past two in the morning there, and eleven o'clock on the clock of the tenant.
    hotel.punch_clock(&zarmina, "in").await.done();
    hotel.clock.advance_seconds(20 * 60 * 60);
    // Half past ten in the evening there, and the day after at home.
    hotel.punch_clock(&zarmina, "in").await.done();
    for scope in [format!("propertyId={}&", hotel.property), String::new()] {
        let path = format!("/staff/v1/clock/entries?{scope}from=2026-04-22&to=2026-04-22");
        let found = hotel.get(&hotel.supervisor(), &path).await.done();
        assert_eq!(found["items"].as_array().unwrap().len(), 3, "both, and where the clock was stopped: {found}");
        let path = format!("/staff/v1/clock/entries?{scope}from=2026-04-23");
        assert_eq!(hotel.get(&hotel.supervisor(), &path).await.done()["items"], json!([]));
    }
}

#[tokio::test]
async fn an_id_in_the_body_that_names_nothing_is_a_reference_that_is_unknown() {
    let hotel = TestHotel::open().await;
    let (path, unknown) = ("/staff/v1/clock/override", "MELMASTOON.STAFF.REFERENCE_UNKNOWN");
    let body = json!({ "staffId": "stf_NOBODY", "kind": "in", "at": hotel.now(), "reason": "forgot" });
    hotel.post(&hotel.supervisor(), path, body).await.refused(422, unknown).naming("staffId");
    let body = json!({ "clockEntryId": "clk_NOTHING", "at": hotel.now(), "reason": "forgot" });
    hotel.post(&hotel.supervisor(), path, body).await.refused(422, unknown).naming("clockEntryId");
    let path = format!("/staff/v1/shifts/{}/promote-standby", hotel.shift("07:00", "15:00").await);
    let body = json!({ "assignmentId": "sha_NOTHING" });
    hotel.post(&hotel.supervisor(), &path, body).await.refused(422, unknown).naming("assignmentId");
}

#[tokio::test]
async fn a_token_that_names_nobody_of_the_staff_has_nothing_of_its_own() {
    let hotel = TestHotel::open().await;
    let token = hotel.token(Role::Housekeeper, None);
    let (days, refused) = ("from=2026-04-22&to=2026-04-23", "MELMASTOON.STAFF.NOT_STAFF");
    for path in [
        "me".to_owned(),
        format!("me/shifts?{days}"),
        format!("me/timesheet?{days}"),
        "clock/entries".to_owned(),
        "leave".to_owned(),
        "certifications".to_owned(),
        format!("timesheets?{days}"),
        "shifts/swap-requests".to_owned(),
    ] {
        hotel.get(&token, &format!("/staff/v1/{path}")).await.refused(403, refused);
    }
    let leave = json!({ "type": "annual", "windowLocal": { "from": "2026-05-01", "to": "2026-05-02" } });
    hotel.post(&token, "/staff/v1/leave", leave).await.refused(403, refused);
}

#[tokio::test]
async fn whoever_came_by_a_clock_that_is_ahead_is_clocked_out_with_their_shift_and_with_their_employment() {
    let hotel = TestHotel::open().await;
    let (gulalai, shift) = on_shift(&hotel).await;
    let zarmina = hotel.employ("Zarmina").await;
    let ahead = hotel.now().plus_seconds(110);
    for who in [&gulalai, &zarmina] {
        let body = json!({ "kind": "in", "at": ahead });
        hotel.post(&hotel.own(who), "/staff/v1/clock/punches", body).await.done();
    }
    hotel.post(&hotel.manager(), &format!("/staff/v1/shifts/{shift}/cancel"), json!({ "force": true })).await.done();
    let path = format!("/staff/v1/staff/{zarmina}/terminate");
    let gone = hotel.post(&hotel.manager(), &path, json!({ "reason": "gone" })).await.done();
    assert_eq!(gone["cascadeSummary"]["openClockClosed"], true);
    for who in [&gulalai, &zarmina] {
        let entries = hotel.get(&hotel.manager(), &format!("/staff/v1/clock/entries?staffId={who}")).await.done();
        let kinds: Vec<_> = entries["items"].as_array().unwrap().iter().map(|one| text(&one["kind"])).collect();
        assert_eq!(kinds, ["in", "out"], "nobody goes before they came");
    }
    let on_now = format!("/staff/v1/on-now?propertyId={}", hotel.property);
    assert_eq!(hotel.get(&hotel.manager(), &on_now).await.done()["items"], json!([]));
}

#[tokio::test]
async fn nobody_but_an_admin_puts_their_own_punches_right_whether_the_token_names_them_or_their_login() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.employ("Gulalai").await;
    let entry = hotel.punch_clock(&gulalai, "in").await.done()["clockEntryId"].clone();
    let login = json!({ "userId": "usr_GULALAI" });
    hotel.patch(&hotel.manager(), &format!("/staff/v1/staff/{gulalai}"), login).await.done();
    let (path, refused) = ("/staff/v1/clock/override", "MELMASTOON.STAFF.NOT_SELF");
    let correct = json!({ "clockEntryId": entry, "at": hotel.now().plus_seconds(-60), "reason": "forgot" });
    let add = json!({ "staffId": gulalai, "kind": "out", "at": hotel.now().plus_seconds(60), "reason": "forgot" });
    let named = StaffId::parse(&gulalai).unwrap();
    for (subject, staff) in [("usr_GULALAI", None), (gulalai.as_str(), None), ("usr_OTHER", Some(&named))] {
        let claims = Claims { sub: subject.to_owned(), ..hotel.claims(Role::Supervisor, staff) };
        let token = hotel.key.mint(&claims);
        for body in [&correct, &add] {
            hotel.post(&token, path, body.clone()).await.refused(403, refused);
        }
    }
    let admin = Claims { sub: "usr_GULALAI".to_owned(), ..hotel.claims(Role::Admin, None) };
    hotel.post(&hotel.key.mint(&admin), path, correct).await.done();
}

#[tokio::test]
async fn a_token_whose_subject_is_somebody_of_the_staff_has_what_is_theirs() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.employ("Gulalai").await;
    let claims = Claims { sub: gulalai.clone(), ..hotel.claims(Role::Staff, None) };
    let own = hotel.key.mint(&claims);
    let body =
        json!({ "type": "annual", "windowLocal": { "from": "2026-05-01", "to": "2026-05-02" }, "reason": "a wedding" });
    let leave = text(&hotel.post(&own, "/staff/v1/leave", body).await.done()["leaveRequestId"]);
    let shown = hotel.get(&own, &format!("/staff/v1/leave/{leave}")).await.done();
    assert_eq!(shown["reason"], "a wedding");
    let body = json!({ "staffId": gulalai, "kind": "in" });
    hotel.post(&own, "/staff/v1/clock/punches", body).await.done();
}
