//! A person's punches with what lies behind and after them: what is forgotten, put right, and belongs nowhere.

use contracts::ids::PropertyId;
use platform::auth::Role;
use platform::ticks::Ran;
use serde_json::{Value, json};

use crate::staff_time::{send, spans};
use crate::test_hotel::{Answer, TestHotel, text};

const OVERRIDE: &str = "/staff/v1/clock/override";
const SEQUENCE: &str = "MELMASTOON.STAFF.CLOCK_SEQUENCE";
const HOUR: i64 = 60 * 60;
const DAY: i64 = 24 * HOUR;

async fn look_after_clocks(hotel: &TestHotel) {
    let tick = hotel.app.ticker.find("staff.auto-close-shifts").unwrap();
    assert!(matches!(hotel.app.ticker.run_now(tick).await.unwrap(), Ran::Done(_)));
}

async fn add(hotel: &TestHotel, staff: &str, kind: &str, at: &str) -> Answer {
    let body = json!({ "staffId": staff, "kind": kind, "at": at, "reason": "forgot to punch" });
    hotel.post(&hotel.supervisor(), OVERRIDE, body).await
}

/// What somebody should look at.
async fn to_review(hotel: &TestHotel, staff: &str) -> Vec<(String, Value)> {
    let path = format!("/staff/v1/clock/entries?needsReview=true&staffId={staff}");
    let found = hotel.get(&hotel.supervisor(), &path).await.done();
    let one = |one: &Value| (text(&one["kind"]), one["needsReview"].clone());
    found["items"].as_array().unwrap().iter().map(one).collect()
}

fn minutes(spans: &[[Value; 4]]) -> Vec<i64> {
    spans.iter().map(|span| span[2].as_i64().unwrap()).collect()
}

#[tokio::test]
async fn a_punch_leaves_those_of_eight_days_ago_as_they_are() {
    let hotel = TestHotel::open().await;
    let (zarmina, shift) = (hotel.employ("Zarmina").await, hotel.shift("07:00", "15:00").await);
    hotel.place(&shift, &zarmina).await.done();
    hotel.punch_clock(&zarmina, "in").await.done();
    hotel.clock.advance_seconds(HOUR);
    hotel.punch_clock(&zarmina, "break_started").await.done();
    hotel.clock.advance_seconds(HOUR);
    hotel.punch_clock(&zarmina, "break_ended").await.done();
    hotel.clock.advance_seconds(2 * HOUR);
    hotel.punch_clock(&zarmina, "out").await.done();
    let before = hotel.shift_now(&shift).await;
    assert_eq!(before["totalActualMinutes"], 240);
    hotel.told_by_staff().await;
    // Eight days later to the minute between the break and its end: what came before it is out of sight.
    hotel.clock.advance_seconds(8 * DAY - 5 * HOUR / 2);
    hotel.punch_clock(&zarmina, "in").await.done();
    assert_eq!(hotel.subjects_told_by_staff().await, ["clock.in"], "nothing of the other day is told again");
    assert_eq!(to_review(&hotel, &zarmina).await, [("in".to_owned(), json!(["unscheduled"]))]);
    let now = hotel.shift_now(&shift).await;
    for field in ["totalActualMinutes", "totalBreakMinutes", "version", "status"] {
        assert_eq!(now[field], before[field], "{field}");
    }
}

#[tokio::test]
async fn a_manager_adds_both_halves_of_a_forgotten_day_though_the_person_has_punched_since() {
    let hotel = TestHotel::open().await;
    for order in [["out", "in"], ["in", "out"]] {
        let zarmina = hotel.employ("Zarmina").await;
        let tuesday = [(1, "in", "2026-04-21T03:00:00Z".to_owned()), (2, "out", "2026-04-21T11:00:00Z".to_owned())];
        send(&hotel, &zarmina, &format!("T{}", order[0]), &tuesday).await;
        for kind in order {
            let at = if kind == "in" { "2026-04-20T03:30:00Z" } else { "2026-04-20T12:00:00Z" };
            let answer = add(&hotel, &zarmina, kind, at).await;
            // Where the clock was believed to have stopped, the real end stands in its place.
            let in_its_place = order == ["in", "out"] && kind == "out";
            assert_eq!(answer.status, if in_its_place { 200 } else { 201 }, "{order:?} {}", answer.text);
            assert_eq!(answer.body["managerOverride"], true);
        }
        assert_eq!(minutes(&spans(&hotel, &zarmina).await), [510, 480], "{order:?}");
        let open: Vec<_> = to_review(&hotel, &zarmina).await;
        assert!(open.iter().all(|(_, why)| *why == json!(["unscheduled"])), "{order:?} {open:?}");
    }
}

#[tokio::test]
async fn half_a_day_that_a_manager_adds_is_refused_where_its_other_half_can_come_first() {
    let hotel = TestHotel::open().await;
    let zarmina = hotel.employ("Zarmina").await;
    add(&hotel, &zarmina, "out", "2026-04-21T11:00:00Z").await.refused(409, SEQUENCE);
    send(&hotel, &zarmina, "A", &[(1, "in", "2026-04-22T03:00:00Z".to_owned())]).await;
    // Only what fits nowhere itself: this one would leave the other `in` without a beginning.
    add(&hotel, &zarmina, "in", "2026-04-22T02:00:00Z").await.refused(409, SEQUENCE);
    assert_eq!(hotel.count("staff.clock_entries").await, 1);
}

#[tokio::test]
async fn an_out_of_the_next_day_is_not_the_end_of_a_day_that_was_forgotten() {
    let hotel = TestHotel::open().await;
    let zarmina = hotel.employ("Zarmina").await;
    hotel.punch_clock(&zarmina, "in").await.done();
    hotel.clock.advance_seconds(17 * HOUR);
    look_after_clocks(&hotel).await;
    hotel.clock.advance_seconds(15 * HOUR);
    hotel.punch_clock(&zarmina, "out").await.refused(409, SEQUENCE);
    let at = hotel.now().plus_seconds(-600).to_string();
    let sent = send(&hotel, &zarmina, "A", &[(1, "out", at)]).await;
    assert_eq!(sent["results"][0]["needsReview"], json!(["orphan"]), "{sent}");
    assert_eq!(minutes(&spans(&hotel, &zarmina).await), [480], "a standard day, as was believed");
    let why: Vec<_> = to_review(&hotel, &zarmina).await.into_iter().map(|(_, why)| why).collect();
    assert_eq!(why, [json!(["unscheduled"]), json!(["missed_out"]), json!(["orphan"])]);
}

#[tokio::test]
async fn what_a_device_kept_says_the_same_whether_the_clock_had_been_stopped_before_or_not() {
    let hotel = TestHotel::open().await;
    let day = [
        (1, "in", "2026-04-19T03:00:00Z".to_owned()),
        (2, "in", "2026-04-19T18:00:00Z".to_owned()),
        (3, "out", "2026-04-19T20:00:00Z".to_owned()),
        (4, "out", "2026-04-20T11:00:00Z".to_owned()),
        (5, "in", "2026-04-20T13:00:00Z".to_owned()),
    ];
    let mut seen = Vec::new();
    for (number, order) in [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [0, 4, 3, 1, 2], [2, 1, 0, 4, 3]].iter().enumerate() {
        let staff = hotel.employ("Zarmina").await;
        for at in order {
            send(&hotel, &staff, &format!("D{number}"), std::slice::from_ref(&day[*at])).await;
        }
        seen.push(spans(&hotel, &staff).await);
    }
    assert_eq!(minutes(&seen[0])[..2], [480, 120], "believed, and seen: {:?}", seen[0]);
    assert!(seen.iter().all(|one| *one == seen[0]), "{seen:?}");
}

#[tokio::test]
async fn a_long_shift_ends_when_its_people_go_however_long_it_was() {
    let hotel = TestHotel::open().await;
    let (zarmina, shift) = (hotel.employ("Zarmina").await, hotel.shift("11:00", "10:00").await);
    hotel.place(&shift, &zarmina).await.done();
    hotel.punch_clock(&zarmina, "in").await.done();
    hotel.clock.advance_seconds(23 * HOUR);
    let went = hotel.punch_clock(&zarmina, "out").await.done();
    assert_eq!((&went["shiftId"], &went["needsReview"]), (&json!(shift), &json!([])));
    assert_eq!(hotel.shift_now(&shift).await["totalActualMinutes"], 23 * 60);
}

#[tokio::test]
async fn a_punch_of_another_house_is_not_there_for_whoever_corrects() {
    let hotel = TestHotel::open().await;
    let zarmina = hotel.employ("Zarmina").await;
    let annex: PropertyId = hotel.next();
    let both = json!({ "propertyAccess": [hotel.property, annex] });
    hotel.patch(&hotel.manager(), &format!("/staff/v1/staff/{zarmina}"), both).await.done();
    let entry = text(&hotel.punch_clock(&zarmina, "in").await.done()["clockEntryId"]);
    let correct = json!({ "clockEntryId": entry, "at": hotel.now().plus_seconds(-600), "reason": "late" });
    let of_annex = hotel.token_for_property(Role::Supervisor, &annex);
    hotel.post(&of_annex, OVERRIDE, correct.clone()).await.refused(422, "MELMASTOON.STAFF.REFERENCE_UNKNOWN");
    let here = hotel.token_for_property(Role::Supervisor, &hotel.property);
    hotel.post(&here, OVERRIDE, correct).await.done();
}

#[tokio::test]
async fn a_day_is_locked_by_the_house_of_the_punch_and_for_all_that_began_on_it() {
    let hotel = TestHotel::open().await;
    let zarmina = hotel.employ("Zarmina").await;
    let annex: PropertyId = hotel.next();
    let both = json!({ "propertyAccess": [hotel.property, annex] });
    hotel.patch(&hotel.manager(), &format!("/staff/v1/staff/{zarmina}"), both).await.done();
    let send_one = async |number: &str, kind: &str, at: &str, house: Option<&PropertyId>| {
        let punch = json!({ "clientPunchId": number, "kind": kind, "at": at, "propertyId": house });
        let body = json!({ "deviceId": "dev_A", "sentAt": hotel.now(), "punches": [punch] });
        let sent = hotel.post(&hotel.own(&zarmina), "/staff/v1/clock/offline-replay", body).await.done();
        (text(&sent["results"][0]["outcome"]), sent["results"][0]["code"].clone())
    };
    let locked = ("refused".to_owned(), json!("MELMASTOON.STAFF.PERIOD_LOCKED"));
    let recorded = ("recorded".to_owned(), json!(null));
    // 19:30 in Kabul; the night goes on into the next day.
    assert_eq!(send_one("1", "in", "2026-04-20T15:00:00Z", Some(&annex)).await, recorded);
    let of_annex = format!("/staff/v1/settings?propertyId={annex}");
    hotel.put(&hotel.manager(), &of_annex, json!({ "lockedThrough": "2026-04-20" })).await.done();
    assert_eq!(send_one("2", "out", "2026-04-20T22:00:00Z", None).await, locked, "it began on a locked day");
    assert_eq!(send_one("3", "in", "2026-04-20T03:00:00Z", Some(&annex)).await, locked);
    assert_eq!(send_one("4", "in", "2026-04-20T03:00:00Z", Some(&hotel.property)).await, recorded, "another house");
    hotel.put(&hotel.manager(), &of_annex, json!({ "lockedThrough": null })).await.done();
    hotel.put(&hotel.manager(), "/staff/v1/settings", json!({ "lockedThrough": "2026-04-20" })).await.done();
    hotel.put(&hotel.manager(), &of_annex, json!({ "lockedThrough": "2026-04-19" })).await.done();
    assert_eq!(send_one("5", "out", "2026-04-20T22:00:00Z", None).await, recorded, "the annex has its own");
}

#[tokio::test]
async fn an_in_that_fits_nowhere_begins_no_shift_until_it_does() {
    let hotel = TestHotel::open().await;
    let (zarmina, shift) = (hotel.employ("Zarmina").await, hotel.shift("07:00", "15:00").await);
    hotel.place(&shift, &zarmina).await.done();
    let punch = |number: usize, kind: &'static str, at: &str| [(number, kind, format!("2026-04-22T{at}:00Z"))];
    send(&hotel, &zarmina, "A", &punch(1, "in", "00:30")).await;
    let second = send(&hotel, &zarmina, "A", &punch(2, "in", "02:30")).await;
    assert_eq!(second["results"][0]["needsReview"], json!(["orphan"]), "{second}");
    let now = hotel.shift_now(&shift).await;
    let seen = |now: &Value| ["status", "primaryClockedInCount", "totalActualMinutes"].map(|field| now[field].clone());
    assert_eq!(seen(&now), [json!("scheduled"), json!(0), json!(0)]);
    hotel.told_by_staff().await;
    send(&hotel, &zarmina, "A", &punch(3, "out", "00:50")).await;
    assert_eq!(hotel.subjects_told_by_staff().await, ["clock.out", "clock.in", "shift.started"]);
    assert_eq!(seen(&hotel.shift_now(&shift).await), [json!("started"), json!(1), json!(240)]);
}

#[tokio::test]
async fn nobody_is_clocked_out_of_a_shift_by_an_in_that_fits_nowhere() {
    let hotel = TestHotel::open().await;
    let (zarmina, shift) = (hotel.employ("Zarmina").await, hotel.shift("07:00", "10:00").await);
    hotel.place(&shift, &zarmina).await.done();
    let came = [(1, "in", "2026-04-22T00:30:00Z".to_owned()), (2, "in", "2026-04-22T02:30:00Z".to_owned())];
    send(&hotel, &zarmina, "A", &came).await;
    hotel.clock.advance_seconds(2 * HOUR);
    hotel.told_by_staff().await;
    look_after_clocks(&hotel).await;
    let told = hotel.told_by_staff().await;
    let subjects: Vec<_> = told.iter().map(|(subject, _)| subject.as_str()).collect();
    assert_eq!(subjects, ["shift.ended"], "{told:?}");
    assert_eq!(told[0].1["totalActualMinutes"], 0);
}

#[tokio::test]
async fn what_somebody_looked_at_and_left_where_it_fits_nowhere_is_not_asked_about_again() {
    let hotel = TestHotel::open().await;
    let zarmina = hotel.employ("Zarmina").await;
    let day = [(1, "in", "2026-04-20T03:00:00Z".to_owned()), (2, "in", "2026-04-20T04:00:00Z".to_owned())];
    let sent = send(&hotel, &zarmina, "A", &day).await;
    let entry = text(&sent["results"][1]["clockEntryId"]);
    hotel.post(&hotel.supervisor(), &format!("/staff/v1/clock/entries/{entry}/review"), json!({})).await.done();
    hotel.told_by_staff().await;
    send(&hotel, &zarmina, "A", &[(3, "out", "2026-04-20T11:00:00Z".to_owned())]).await;
    assert_eq!(hotel.subjects_told_by_staff().await, ["clock.out"]);
    assert_eq!(to_review(&hotel, &zarmina).await, [("in".to_owned(), json!(["unscheduled"]))]);
    let entries = hotel.get(&hotel.own(&zarmina), "/staff/v1/clock/entries").await.done();
    assert!(entries["items"].as_array().unwrap().iter().all(|one| one["reviewedNote"] == json!(null)), "{entries}");
}

#[tokio::test]
async fn what_a_manager_put_right_is_the_managers_word_and_stays() {
    let hotel = TestHotel::open().await;
    let zarmina = hotel.employ("Zarmina").await;
    hotel.punch_clock(&zarmina, "in").await.done();
    hotel.clock.advance_seconds(17 * HOUR);
    look_after_clocks(&hotel).await;
    let told = hotel.told_by_staff().await;
    let (_, believed) = told.iter().find(|(subject, _)| subject == "clock.out").unwrap();
    assert_eq!((&believed["source"], &believed["managerOverride"]), (&json!("auto_close"), &json!(false)));
    let right =
        json!({ "clockEntryId": believed["clockEntryId"], "at": "2026-04-22T12:30:00Z", "reason": "saw them go" });
    let shown = hotel.post(&hotel.supervisor(), OVERRIDE, right).await.done();
    assert_eq!((&shown["source"], &shown["managerOverride"]), (&json!("manager_override"), &json!(true)));
    assert_eq!(hotel.told_by_staff().await[0].1["managerOverride"], true);
    let late = send(&hotel, &zarmina, "A", &[(1, "out", "2026-04-22T14:00:00Z".to_owned())]).await;
    assert_eq!(late["results"][0]["needsReview"], json!(["orphan"]), "{late}");
    assert_eq!(minutes(&spans(&hotel, &zarmina).await), [360]);
    // A punch of their own that is put right says where it was punched, and that a manager said so.
    let own =
        text(&hotel.get(&hotel.own(&zarmina), "/staff/v1/clock/entries").await.done()["items"][0]["clockEntryId"]);
    let right = json!({ "clockEntryId": own, "at": "2026-04-22T06:00:00Z", "reason": "came earlier" });
    let shown = hotel.post(&hotel.supervisor(), OVERRIDE, right).await.done();
    assert_eq!((&shown["source"], &shown["managerOverride"]), (&json!("web"), &json!(true)));
}

#[tokio::test]
async fn a_clock_that_was_started_weeks_ago_is_stopped() {
    let hotel = TestHotel::open().await;
    let zarmina = hotel.employ("Zarmina").await;
    add(&hotel, &zarmina, "in", "2026-04-01T03:00:00Z").await.done();
    hotel.told_by_staff().await;
    look_after_clocks(&hotel).await;
    let told = hotel.told_by_staff().await;
    assert_eq!((told.len(), told[0].0.as_str()), (1, "clock.out"), "{told:?}");
    assert_eq!(told[0].1["occurredAtUtc"], "2026-04-01T11:00:00.000Z", "a standard day");
    // A house that was closed for the winter: nobody looked for longer than anything is looked back.
    hotel.punch_clock(&zarmina, "in").await.done();
    hotel.clock.advance_seconds(100 * DAY);
    look_after_clocks(&hotel).await;
    assert_eq!(hotel.subjects_told_by_staff().await, ["clock.in", "clock.out"]);
}

#[tokio::test]
async fn a_device_whose_clock_was_set_right_sends_the_same_punch_again() {
    let hotel = TestHotel::open().await;
    let zarmina = hotel.employ("Zarmina").await;
    let ahead = hotel.now().plus_seconds(2 * HOUR);
    let sent = async |at: String, sent_at: String| {
        let punch = json!({ "clientPunchId": "1", "kind": "in", "at": at });
        let body = json!({ "deviceId": "dev_A", "sentAt": sent_at, "punches": [punch] });
        let sent = hotel.post(&hotel.own(&zarmina), "/staff/v1/clock/offline-replay", body).await.done();
        text(&sent["results"][0]["outcome"])
    };
    let wrong = ahead.plus_seconds(-HOUR).to_string();
    assert_eq!(sent(wrong.clone(), ahead.to_string()).await, "recorded");
    assert_eq!(sent(wrong.clone(), hotel.now().to_string()).await, "duplicate", "as the device noted it");
    assert_eq!(sent(wrong, ahead.to_string()).await, "duplicate");
    let right = hotel.now().plus_seconds(-HOUR).to_string();
    assert_eq!(sent(right, hotel.now().to_string()).await, "duplicate", "and as it was");
    assert_eq!(hotel.count("staff.clock_entries").await, 1);
}

#[tokio::test]
async fn a_correction_that_makes_a_day_long_is_taken_as_it_is() {
    let hotel = TestHotel::open().await;
    let zarmina = hotel.employ("Zarmina").await;
    let day = [(1, "in", "2026-04-20T12:00:00Z".to_owned()), (2, "out", "2026-04-20T20:00:00Z".to_owned())];
    let entry = text(&send(&hotel, &zarmina, "A", &day).await["results"][0]["clockEntryId"]);
    let right = json!({ "clockEntryId": entry, "at": "2026-04-20T01:00:00Z", "reason": "was there all night" });
    hotel.post(&hotel.supervisor(), OVERRIDE, right).await.done();
    assert_eq!(minutes(&spans(&hotel, &zarmina).await), [19 * 60]);
}

#[tokio::test]
async fn a_break_that_was_begun_after_a_usual_day_ends_behind_it_whether_the_clock_had_been_stopped_or_not() {
    let hotel = TestHotel::open().await;
    for stopped in [true, false] {
        let zarmina = hotel.employ("Zarmina").await;
        hotel.punch_clock(&zarmina, "in").await.done();
        hotel.clock.advance_seconds(9 * HOUR);
        hotel.punch_clock(&zarmina, "break_started").await.done();
        hotel.clock.advance_seconds(8 * HOUR);
        if stopped {
            look_after_clocks(&hotel).await;
            hotel.told_by_staff().await;
        }
        hotel.clock.advance_seconds(8 * HOUR);
        assert_eq!(hotel.punch_clock(&zarmina, "in").await.status, 201);
        let told = hotel.subjects_told_by_staff().await;
        assert_eq!(told.last().map(String::as_str), Some("clock.in"));
        assert!(!stopped || told.len() == 1, "{told:?}");
        let why: Vec<_> = to_review(&hotel, &zarmina).await.into_iter().map(|(_, why)| why).collect();
        assert_eq!(why, [json!(["unscheduled"]), json!(["missed_out"]), json!(["unscheduled"])]);
        hotel.clock.advance_seconds(HOUR);
        hotel.punch_clock(&zarmina, "out").await.done();
    }
    // And where a device sends it later.
    let laila = hotel.employ("Laila").await;
    let at = |hours: i64| hotel.now().plus_seconds(-2 * DAY + hours * HOUR).to_string();
    let sent = send(&hotel, &laila, "A", &[(1, "in", at(6)), (2, "break_started", at(15)), (3, "in", at(30))]).await;
    for (place, why) in [(0, json!(["unscheduled"])), (1, json!([])), (2, json!(["unscheduled"]))] {
        assert_eq!(sent["results"][place]["needsReview"], why, "{sent}");
    }
    assert_eq!(minutes(&spans(&hotel, &laila).await)[0], 540);
}

#[tokio::test]
async fn a_break_that_was_begun_when_the_clock_was_to_be_stopped_already_ends_nowhere_before_it_began() {
    let hotel = TestHotel::open().await;
    for stopped in [true, false] {
        let zarmina = hotel.employ("Zarmina").await;
        hotel.punch_clock(&zarmina, "in").await.done();
        hotel.clock.advance_seconds(16 * HOUR + HOUR / 2);
        hotel.punch_clock(&zarmina, "break_started").await.done();
        hotel.told_by_staff().await;
        if stopped {
            look_after_clocks(&hotel).await;
            assert_eq!(hotel.subjects_told_by_staff().await, ["clock.out"]);
        }
        hotel.clock.advance_seconds(8 * HOUR);
        assert_eq!(hotel.punch_clock(&zarmina, "in").await.status, 201);
        assert_eq!(minutes(&spans(&hotel, &zarmina).await)[0], 480, "it keeps nobody longer");
        hotel.clock.advance_seconds(HOUR);
        hotel.punch_clock(&zarmina, "out").await.done();
    }
}
