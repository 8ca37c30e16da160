//! What became of time that was forgotten, sent late or put right.

use contracts::ids::PropertyId;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use crate::test_hotel::{TestHotel, text};

const REPLAY: &str = "/staff/v1/clock/offline-replay";

/// Sends punches as a device that was without a connection; the number of a punch is its place in the whole story.
pub(crate) async fn send(hotel: &TestHotel, staff: &str, device: &str, punches: &[(usize, &str, String)]) -> Value {
    let each: Vec<_> = punches
        .iter()
        .map(|(number, kind, at)| json!({ "clientPunchId": number.to_string(), "kind": kind, "at": at }))
        .collect();
    let body = json!({ "deviceId": format!("dev_{device}"), "sentAt": hotel.now(), "punches": each });
    hotel.post(&hotel.own(staff), REPLAY, body).await.done()
}

/// Somebody's spans: when they came and went, and the minutes.
pub(crate) async fn spans(hotel: &TestHotel, staff: &str) -> Vec<[Value; 4]> {
    let path = "/staff/v1/me/timesheet?from=2026-04-10&to=2026-04-30";
    let sheet = hotel.get(&hotel.own(staff), path).await.done();
    let row = |row: &Value| ["in", "out", "actualMinutes", "breakMinutes"].map(|name| row[name].clone());
    sheet["items"].as_array().unwrap().iter().map(row).collect()
}

#[tokio::test]
async fn a_real_out_that_comes_later_is_the_same_entry_with_what_was_believed_kept_beside_it() {
    let hotel = TestHotel::open().await;
    let zarmina = hotel.employ("Zarmina").await;
    send(&hotel, &zarmina, "A", &[(1, "in", "2026-04-20T03:00:00Z".to_owned())]).await;
    hotel.told_by_staff().await;
    hotel.punch_clock(&zarmina, "in").await.done();
    let told = hotel.told_by_staff().await;
    let (subject, believed) = &told[0];
    assert_eq!((subject.as_str(), &believed["source"]), ("clock.out", &json!("auto_close")), "{told:?}");
    assert_eq!(believed["occurredAtUtc"], "2026-04-20T11:00:00.000Z", "a standard day");
    assert_eq!(spans(&hotel, &zarmina).await[0][2], 480);
    let answer = send(&hotel, &zarmina, "A", &[(2, "out", "2026-04-20T09:30:00Z".to_owned())]).await;
    assert_eq!(answer["results"][0]["clockEntryId"], believed["clockEntryId"]);
    let (subject, real) = hotel.told_by_staff().await.remove(0);
    assert_eq!((subject.as_str(), &real["aggregateVersion"]), ("clock.out", &json!(2)));
    assert_eq!((&real["clockEntryId"], &real["source"]), (&believed["clockEntryId"], &json!("mobile")));
    assert_eq!(spans(&hotel, &zarmina).await[0][2], 390);
    let kept = "staff.clock_entry_revisions WHERE occurred_at = '2026-04-20T11:00:00Z'";
    assert_eq!(hotel.count(kept).await, 1);
    let again = send(&hotel, &zarmina, "A", &[(2, "out", "2026-04-20T09:30:00Z".to_owned())]).await;
    assert_eq!(again["results"][0]["outcome"], "duplicate");
}

#[tokio::test]
async fn a_day_that_a_device_sends_whole_is_told_as_it_was_though_the_person_has_punched_since() {
    let hotel = TestHotel::open().await;
    let zarmina = hotel.employ("Zarmina").await;
    hotel.punch_clock(&zarmina, "in").await.done();
    hotel.told_by_staff().await;
    let at = |time: &str| format!("2026-04-20T{time}:00Z");
    let day = [(1, "in", at("03:00")), (2, "out", at("05:00")), (3, "in", at("05:30")), (4, "out", at("09:30"))];
    send(&hotel, &zarmina, "A", &day).await;
    let told = hotel.subjects_told_by_staff().await;
    assert_eq!(told, ["clock.in", "clock.out", "clock.in", "clock.out"], "nothing that only seemed so for a moment");
    assert_eq!(hotel.count("staff.clock_entry_revisions").await, 0);
    // What has no end by the end of the message has the one that is believed.
    send(&hotel, &zarmina, "A", &[(5, "in", "2026-04-21T03:00:00Z".to_owned())]).await;
    let told = hotel.told_by_staff().await;
    assert_eq!(told.iter().map(|(subject, _)| subject.as_str()).collect::<Vec<_>>(), ["clock.in", "clock.out"]);
    let believed = (&told[1].1["source"], &told[1].1["occurredAtUtc"]);
    assert_eq!(believed, (&json!("auto_close"), &json!("2026-04-21T11:00:00.000Z")));
    let minutes: Vec<_> = spans(&hotel, &zarmina).await.into_iter().map(|span| span[2].clone()).collect();
    assert_eq!(minutes[..3], [json!(120), json!(240), json!(480)]);
}

#[tokio::test]
async fn half_a_punch_waits_without_minutes_and_is_told_again_when_its_other_half_comes() {
    let hotel = TestHotel::open().await;
    let (zarmina, shift) = (hotel.employ("Zarmina").await, hotel.shift("07:00", "10:00").await);
    hotel.place(&shift, &zarmina).await.done();
    let alone = send(&hotel, &zarmina, "A", &[(2, "out", "2026-04-22T05:30:00Z".to_owned())]).await;
    assert_eq!(alone["results"][0]["needsReview"], json!(["orphan"]));
    assert!(spans(&hotel, &zarmina).await.is_empty());
    hotel.told_by_staff().await;
    send(&hotel, &zarmina, "A", &[(1, "in", "2026-04-22T02:30:00Z".to_owned())]).await;
    let told = hotel.told_by_staff().await;
    let again = told.iter().find(|(subject, _)| subject == "clock.out").expect("told again");
    assert_eq!((&again.1["shiftId"], &again.1["aggregateVersion"]), (&json!(shift), &json!(2)), "{told:?}");
    assert_eq!(spans(&hotel, &zarmina).await[0][2], 180);
    let open = hotel.get(&hotel.own(&zarmina), "/staff/v1/clock/entries?needsReview=true").await.done();
    assert_eq!(open["items"], json!([]));
}

#[tokio::test]
async fn the_same_kind_of_punch_within_a_minute_is_the_same_punch_when_a_device_sends_it_later_too() {
    let hotel = TestHotel::open().await;
    let zarmina = hotel.employ("Zarmina").await;
    let came = [(1, "in", "2026-04-20T03:00:00Z".to_owned()), (2, "in", "2026-04-20T03:00:59Z".to_owned())];
    let sent = send(&hotel, &zarmina, "A", &came).await;
    let outcome = |at: usize| text(&sent["results"][at]["outcome"]);
    assert_eq!((outcome(0), outcome(1)), ("recorded".to_owned(), "duplicate".to_owned()), "{sent}");
    assert_eq!(sent["results"][0]["clockEntryId"], sent["results"][1]["clockEntryId"], "the first entry");
    // On another device, a moment before the one that is known.
    let other = send(&hotel, &zarmina, "B", &[(1, "in", "2026-04-20T02:59:10Z".to_owned())]).await;
    assert_eq!(other["results"][0]["outcome"], "duplicate");
    let told = hotel.told_by_staff().await;
    assert_eq!(told.iter().filter(|(subject, _)| subject == "clock.in").count(), 1, "{told:?}");
    // Later than that it is another punch, which fits nowhere yet.
    let late = send(&hotel, &zarmina, "A", &[(3, "in", "2026-04-20T03:01:01Z".to_owned())]).await;
    assert_eq!(
        (&late["results"][0]["outcome"], &late["results"][0]["needsReview"]),
        (&json!("recorded"), &json!(["unscheduled", "orphan"]))
    );
    assert_eq!(hotel.count("staff.clock_entries").await, 2);
}

#[tokio::test]
async fn an_in_belongs_to_the_shift_of_the_house_that_is_named() {
    let hotel = TestHotel::open().await;
    let (zarmina, shift) = (hotel.employ("Zarmina").await, hotel.shift("07:00", "15:00").await);
    let annex: PropertyId = hotel.next();
    let path = format!("/staff/v1/staff/{zarmina}");
    hotel.patch(&hotel.manager(), &path, json!({ "propertyAccess": [annex] })).await.done();
    hotel.place(&shift, &zarmina).await.done();
    let body = json!({ "kind": "in", "propertyId": annex });
    let came = hotel.post(&hotel.own(&zarmina), "/staff/v1/clock/punches", body).await.done();
    assert_eq!((&came["shiftId"], &came["needsReview"]), (&json!(null), &json!(["unscheduled"])));
    assert_eq!(came["propertyId"], json!(annex));
}

#[tokio::test]
async fn a_locked_day_stays_as_it_is() {
    let hotel = TestHotel::open().await;
    let zarmina = hotel.employ("Zarmina").await;
    let day = [(1, "in", "2026-04-20T03:00:00Z".to_owned()), (2, "out", "2026-04-20T11:00:00Z".to_owned())];
    let entry = text(&send(&hotel, &zarmina, "A", &day).await["results"][1]["clockEntryId"]);
    hotel.put(&hotel.manager(), "/staff/v1/settings", json!({ "lockedThrough": "2026-04-20" })).await.done();
    let correct = json!({ "clockEntryId": entry, "at": "2026-04-20T12:00:00Z", "reason": "late" });
    let answer = hotel.post(&hotel.supervisor(), "/staff/v1/clock/override", correct).await;
    answer.refused(409, "MELMASTOON.STAFF.PERIOD_LOCKED");
    let late = send(&hotel, &zarmina, "A", &[(3, "in", "2026-04-20T13:00:00Z".to_owned())]).await;
    assert_eq!(late["results"][0]["code"], "MELMASTOON.STAFF.PERIOD_LOCKED");
    let open = send(&hotel, &zarmina, "A", &[(4, "in", "2026-04-21T03:00:00Z".to_owned())]).await;
    assert_eq!(open["results"][0]["outcome"], "recorded");
}

/// A day's punches that a person makes who forgets nothing, and one who forgets some.
fn stories() -> impl Strategy<Value = Vec<(i64, usize)>> {
    prop::collection::vec((0_i64..2_000, 0_usize..4), 1..14)
}

#[tokio::test]
async fn punches_in_any_order_and_number_give_the_same_spans_totals_and_one_beginning() {
    let hotel = TestHotel::open().await;
    let mut runner = TestRunner::deterministic();
    for round in 0..6 {
        let story = stories().new_tree(&mut runner).unwrap().current();
        let kinds = ["in", "out", "break_started", "break_ended"];
        let at = |minute: i64| hotel.now().plus_seconds(-60 * 2_200 + 60 * minute).to_string();
        let punches: Vec<_> =
            story.iter().enumerate().map(|(number, (minute, kind))| (number, kinds[*kind], at(*minute))).collect();
        let (first, second) = (hotel.employ("Zarmina").await, hotel.employ("Laila").await);
        let mut sorted = punches.clone();
        sorted.sort_by(|a, b| a.2.cmp(&b.2));
        send(&hotel, &first, &format!("A{round}"), &sorted).await;
        let mixed = Just(punches).prop_shuffle().new_tree(&mut runner).unwrap().current();
        for one in mixed.iter().chain(&mixed) {
            send(&hotel, &second, &format!("B{round}"), std::slice::from_ref(one)).await;
        }
        let (one, other) = (spans(&hotel, &first).await, spans(&hotel, &second).await);
        // Where the clock was stopped for somebody who forgot, that is a belief; what was punched is the same.
        assert_eq!(one, other, "round {round}: {sorted:?} and {mixed:?}");
    }
}

#[tokio::test]
async fn a_shifts_totals_are_its_timesheet_rows_and_it_begins_once_before_it_ends() {
    let hotel = TestHotel::open().await;
    let mut plan = hotel.plan("02:00", "10:00").await;
    plan["primaryHeadcount"] = json!(3);
    let shift = text(&hotel.post(&hotel.supervisor(), "/staff/v1/shifts", plan).await.done()["shiftId"]);
    let mut people = Vec::new();
    for name in ["Zarmina", "Laila", "Nasrin"] {
        let staff = hotel.employ(name).await;
        hotel.place(&shift, &staff).await.done();
        people.push(staff);
    }
    hotel.told_by_staff().await;
    let day = [
        (1, "in", "2026-04-21T21:31:00Z"),
        (2, "break_started", "2026-04-22T01:00:30Z"),
        (3, "break_ended", "2026-04-22T01:31:20Z"),
        (4, "out", "2026-04-22T05:29:59Z"),
    ];
    let day: Vec<_> = day.iter().map(|(number, kind, at)| (*number, *kind, (*at).to_owned())).collect();
    for (order, staff) in [[3, 1, 0, 2], [0, 1, 2, 3], [2, 0, 3, 1]].iter().zip(&people) {
        for at in order {
            send(&hotel, staff, staff, std::slice::from_ref(&day[*at])).await;
        }
    }
    let told = hotel.told_by_staff().await;
    let at = |word: &str| {
        told.iter().enumerate().filter(|(_, (subject, _))| subject == word).map(|(at, _)| at).collect::<Vec<_>>()
    };
    let (started, ended) = (at("shift.started"), at("shift.ended"));
    assert_eq!(started.len(), 1, "{told:?}");
    assert!(ended.len() <= 1 && ended.iter().all(|at| started[0] < *at), "{told:?}");
    let path = format!("/staff/v1/timesheets?propertyId={}&from=2026-04-20&to=2026-04-23", hotel.property);
    let sheet = hotel.get(&hotel.manager(), &path).await.done();
    let sum =
        |name: &str| sheet["items"].as_array().unwrap().iter().map(|row| row[name].as_i64().unwrap()).sum::<i64>();
    let now = hotel.shift_now(&shift).await;
    assert_eq!(now["totalBreakMinutes"], sum("breakMinutes"));
    assert_eq!(now["totalActualMinutes"], sum("actualMinutes"));
    assert_eq!((sum("actualMinutes"), sum("breakMinutes")), (3 * 478, 3 * 30));
}

#[tokio::test]
async fn an_out_that_ended_a_break_is_put_right_together_with_the_end_of_the_break() {
    let hotel = TestHotel::open().await;
    let (zarmina, laila) = (hotel.employ("Zarmina").await, hotel.employ("Laila").await);
    for person in [&zarmina, &laila] {
        hotel.punch_clock(person, "in").await.done();
    }
    hotel.clock.advance_seconds(5 * 60 * 60);
    for person in [&zarmina, &laila] {
        hotel.punch_clock(person, "break_started").await.done();
    }
    hotel.clock.advance_seconds(60 * 60);
    // One goes home from the break by herself, and for the other the clock is stopped.
    let own = text(&hotel.punch_clock(&laila, "out").await.done()["clockEntryId"]);
    hotel.told_by_staff().await;
    hotel.clock.advance_seconds(11 * 60 * 60);
    let tick = hotel.app.ticker.find("staff.auto-close-shifts").unwrap();
    hotel.app.ticker.run_now(tick).await.unwrap();
    let told = hotel.told_by_staff().await;
    assert_eq!((told[0].0.as_str(), told[1].0.as_str()), ("clock.break_ended", "clock.out"), "{told:?}");
    let stopped = text(&told[1].1["clockEntryId"]);
    for (person, entry) in [(&zarmina, stopped), (&laila, own)] {
        // They came at 06:30 and began their break at 11:30.
        for (at, minutes) in [("12:00", [330, 30]), ("15:30", [540, 240]), ("11:45", [315, 15])] {
            let right = json!({ "clockEntryId": entry, "at": format!("2026-04-22T{at}:00Z"), "reason": "seen" });
            let answer = hotel.post(&hotel.supervisor(), "/staff/v1/clock/override", right).await;
            assert_eq!(answer.status, 200, "{at}: {}", answer.text);
            let row = spans(&hotel, person).await.remove(0);
            assert_eq!([&row[2], &row[3]], [&json!(minutes[0]), &json!(minutes[1])], "{at}");
            assert_eq!(hotel.subjects_told_by_staff().await, ["clock.break_ended", "clock.out"]);
        }
        let before = json!({ "clockEntryId": entry, "at": "2026-04-22T11:15:00Z", "reason": "seen" });
        let refused = hotel.post(&hotel.supervisor(), "/staff/v1/clock/override", before).await;
        refused.refused(409, "MELMASTOON.STAFF.CLOCK_SEQUENCE");
    }
    assert_eq!(hotel.count("staff.clock_entries WHERE 'orphan' = ANY (needs_review)").await, 0);
}
