//! Nights in which the clock of a house in Berlin is changed: minutes are real minutes, days and hours on paper are the house's.

use contracts::time::Timestamp;
use serde_json::{Value, json};

use crate::test_hotel::{TestHotel, text};

async fn in_berlin(when: &str) -> TestHotel {
    let hotel = TestHotel::open().await;
    move_to(&hotel, when);
    hotel.put(&hotel.manager(), "/staff/v1/settings", json!({ "timezone": "Europe/Berlin" })).await.done();
    hotel
}

fn move_to(hotel: &TestHotel, when: &str) {
    let when = Timestamp::parse(when).unwrap();
    hotel.clock.advance_seconds((when.as_millis() - hotel.now().as_millis()) / 1_000);
}

async fn timesheet(hotel: &TestHotel, staff: &str, day: &str) -> Vec<Value> {
    let path = format!("/staff/v1/me/timesheet?from={day}&to={day}");
    hotel.get(&hotel.own(staff), &path).await.done()["items"].as_array().unwrap().clone()
}

#[tokio::test]
async fn a_night_of_nine_hours_is_paid_as_nine_and_stands_on_paper_as_the_clock_showed_it() {
    // At 03:00 of 25 October the clock goes back to 02:00.
    let hotel = in_berlin("2026-10-24T18:00:00Z").await;
    let (gulalai, nasrin) = (hotel.employ("Gulalai").await, hotel.employ("Nasrin").await);
    let night = hotel.shift_on("2026-10-24", "22:00", "06:00").await;
    let morning = hotel.shift_on("2026-10-25", "06:00", "14:00").await;
    for (shift, staff) in [(&night, &gulalai), (&morning, &nasrin)] {
        hotel.place(shift, staff).await.done();
    }
    let seen = hotel.shift_now(&night).await;
    let window = &seen["windowUtc"];
    let utc = (text(&window["startUtc"]), text(&window["endUtc"]));
    assert_eq!(utc, ("2026-10-24T20:00:00.000Z".to_owned(), "2026-10-25T05:00:00.000Z".to_owned()), "{seen}");
    // What touches, touches in UTC: one person may have both.
    let path = format!("/staff/v1/shifts/{morning}/assignments");
    let both = json!({ "staffId": gulalai, "force": true });
    hotel.post(&hotel.supervisor(), &path, both).await.done();
    for (when, kind) in [
        ("2026-10-24T20:00:00Z", "in"),
        // 02:30 in summer to 02:30 in winter: an hour's rest.
        ("2026-10-25T00:30:00Z", "break_started"),
        ("2026-10-25T01:30:00Z", "break_ended"),
        ("2026-10-25T05:00:00Z", "out"),
    ] {
        move_to(&hotel, when);
        hotel.punch_clock(&gulalai, kind).await.done();
    }
    let rows = timesheet(&hotel, &gulalai, "2026-10-24").await;
    assert_eq!(rows.len(), 1, "the night belongs to its first day");
    let minutes = ["actualMinutes", "breakMinutes", "workedMinutes"].map(|field| rows[0][field].clone());
    assert_eq!(minutes, [json!(540), json!(60), json!(480)]);
    assert_eq!(
        (&rows[0]["in"], &rows[0]["out"]),
        (&json!("2026-10-24T22:00:00+02:00"), &json!("2026-10-25T06:00:00+01:00"))
    );
    let ended = hotel.shift_now(&night).await;
    assert_eq!(
        (&ended["status"], &ended["totalActualMinutes"], &ended["totalBreakMinutes"]),
        (&json!("ended"), &json!(540), &json!(60))
    );
}

#[tokio::test]
async fn a_night_of_seven_hours_is_closed_its_grace_after_it_ended_and_a_gap_is_told_by_the_real_time() {
    // From 02:00 of 28 March the clock goes to 03:00.
    let hotel = in_berlin("2027-03-27T20:00:00Z").await;
    let gulalai = hotel.employ("Gulalai").await;
    let night = hotel.shift_on("2027-03-27", "22:00", "06:00").await;
    let empty = hotel.shift_on("2027-03-28", "03:10", "06:00").await;
    hotel.place(&night, &gulalai).await.done();
    move_to(&hotel, "2027-03-27T21:00:00Z");
    hotel.punch_clock(&gulalai, "in").await.done();
    hotel.told_by_staff().await;
    // 03:10 in summer is 01:10 UTC; a gap is told ten minutes before, which is 02:00 by the old clock.
    for (when, told) in [("2027-03-28T00:59:59Z", 0), ("2027-03-28T01:00:00Z", 1)] {
        move_to(&hotel, when);
        hotel.run_tick("staff.auto-close-shifts").await;
        let news = hotel.told_by_staff().await;
        let gaps: Vec<_> = news.iter().filter(|(subject, _)| subject.contains("gap")).collect();
        assert_eq!(gaps.len(), told, "{when}: {news:?}");
        assert!(gaps.iter().all(|(_, payload)| payload["shiftId"] == json!(empty)));
    }
    // 06:00 in summer is 04:00 UTC, and two hours of grace follow.
    for (when, status) in [("2027-03-28T05:59:59Z", "started"), ("2027-03-28T06:00:00Z", "ended")] {
        move_to(&hotel, when);
        hotel.run_tick("staff.auto-close-shifts").await;
        assert_eq!(hotel.shift_now(&night).await["status"], status, "{when}");
    }
    let rows = timesheet(&hotel, &gulalai, "2027-03-27").await;
    assert_eq!((&rows[0]["actualMinutes"], &rows[0]["out"]), (&json!(420), &json!("2027-03-28T06:00:00+02:00")));
    assert_eq!(rows[0]["flags"], json!(["missed_out"]));
}

#[tokio::test]
async fn leave_and_papers_end_with_the_houses_days_over_a_change_of_the_clock_and_the_end_of_a_month() {
    let hotel = in_berlin("2026-10-24T12:00:00Z").await;
    let gulalai = hotel.employ("Gulalai").await;
    let (night, day) =
        (hotel.shift_on("2026-10-24", "22:00", "06:00").await, hotel.shift_on("2026-10-25", "14:00", "22:00").await);
    let last = hotel.shift_on("2026-11-01", "06:00", "14:00").await;
    for shift in [&night, &day, &last] {
        hotel.place(shift, &gulalai).await.done();
    }
    hotel.leave(&gulalai, "2026-10-25", "2026-10-31").await;
    let active = async |shift: &str| {
        let places = hotel.shift_now(shift).await["assignments"].clone();
        places.as_array().unwrap().iter().filter(|place| place["status"] == "active").count()
    };
    assert_eq!(
        [active(&night).await, active(&day).await, active(&last).await],
        [1, 0, 1],
        "a night belongs to its first day"
    );
    let path = format!("/staff/v1/staff/{gulalai}");
    let status = async || text(&hotel.get(&hotel.manager(), &path).await.done()["employmentStatus"]);
    hotel.certify(&gulalai, "food_handling", Some("2026-10-26")).await;
    hotel.told_by_staff().await;
    // Midnight is 22:00 UTC before the change and 23:00 after it.
    for (when, on_leave, expired) in [
        ("2026-10-24T21:59:59Z", false, 0),
        ("2026-10-24T22:00:00Z", true, 0),
        ("2026-10-25T22:30:00Z", true, 0),
        ("2026-10-25T23:00:00Z", true, 1),
        ("2026-10-31T22:59:59Z", true, 0),
        ("2026-10-31T23:00:00Z", false, 0),
    ] {
        move_to(&hotel, when);
        hotel.run_tick("staff.cert-expiry-scan").await;
        assert_eq!(status().await == "on_leave", on_leave, "{when}");
        let told = hotel.subjects_told_by_staff().await;
        assert_eq!(told.iter().filter(|subject| *subject == "certification.expired").count(), expired, "{when}");
    }
    // A year with its leap day is 366 days.
    move_to(&hotel, "2027-03-15T12:00:00Z");
    hotel.ask_for_leave(&gulalai, "2027-03-16", "2028-03-16").await.refused(400, "MELMASTOON.STAFF.INVALID_VALUE");
    hotel.ask_for_leave(&gulalai, "2027-03-16", "2028-03-15").await.done();
    hotel.ask_for_leave(&gulalai, "2027-02-12", "2027-03-01").await.refused(400, "MELMASTOON.STAFF.INVALID_VALUE");
    hotel.ask_for_leave(&gulalai, "2027-02-13", "2027-03-01").await.done();
}
