//! Days on which the clock of a house in Berlin is changed, and the ends of months and years: hours are real hours, days are the house's.

use contracts::time::Timestamp;
use serde_json::{Value, json};

use crate::reservation_modifications::paid_stay;
use crate::test_hotel::{TestHotel, text};

/// 24 October 2026 is the last day of summer time: at 03:00 of the 25th the clock goes back to 02:00.
const AUTUMN: &str = "2026-10-24T12:00:00Z";
/// 27 March 2027 is the last day of winter time: from 02:00 of the 28th the clock goes to 03:00.
const SPRING: &str = "2027-03-27T13:00:00Z";

async fn in_berlin(when: &str) -> TestHotel {
    let hotel = TestHotel::open().await;
    move_to(&hotel, when);
    hotel.put(&hotel.manager(), "/reservation/v1/settings", json!({ "timezone": "Europe/Berlin" })).await.done();
    hotel
}

fn move_to(hotel: &TestHotel, when: &str) {
    let when = Timestamp::parse(when).unwrap();
    hotel.clock.advance_seconds((when.as_millis() - hotel.now().as_millis()) / 1_000);
}

async fn told(hotel: &TestHotel, verb: &str) -> Vec<Value> {
    let subject = format!("melmastoon.reservation.{verb}.v1");
    let news = hotel.news().await.into_iter().filter(|one| one["eventType"] == json!(subject));
    news.map(|one| one["payload"].clone()).collect()
}

#[tokio::test]
async fn who_does_not_come_is_awaited_for_twelve_real_hours_whatever_the_clock_shows() {
    for (now, start, end, before, then) in [
        (AUTUMN, "2026-10-24", "2026-10-26", "2026-10-24T23:59:59Z", "2026-10-25T00:00:00Z"),
        (SPRING, "2027-03-27", "2027-03-29", "2027-03-28T00:59:59Z", "2027-03-28T01:00:00Z"),
    ] {
        let hotel = in_berlin(now).await;
        let (double, _) = hotel.sold_rooms(1).await;
        let stay = hotel.confirmed_stay(hotel.booking(&double, start, end)).await;
        for (when, status) in [(before, "confirmed"), (then, "no_show")] {
            move_to(&hotel, when);
            hotel.run_tick("reservation.no-show").await;
            assert_eq!(hotel.reservation(&stay).await["status"], status, "{when}");
        }
    }
}

#[tokio::test]
async fn who_does_not_leave_is_told_of_at_the_houses_check_out_time_and_then_every_24_hours() {
    // Noon and three hours: 15:00 in winter is 14:00 UTC, in summer 13:00.
    let autumn = ["2026-10-25T14:00:00Z", "2026-10-26T14:00:00Z", "2026-10-27T14:00:00Z"];
    let before = ["2026-10-24T13:00:00Z", "2026-10-25T13:00:00Z", "2026-10-26T13:00:00Z"];
    let spring = ["2027-03-28T13:00:00Z", "2027-03-29T13:00:00Z", "2027-03-30T13:00:00Z"];
    for (now, start, end, moments) in [
        (AUTUMN, "2026-10-24", "2026-10-25", autumn),
        ("2026-10-23T12:00:00Z", "2026-10-23", "2026-10-24", before),
        (SPRING, "2027-03-27", "2027-03-28", spring),
    ] {
        let hotel = in_berlin(now).await;
        let (double, _) = hotel.sold_rooms(1).await;
        let stay = hotel.confirmed_stay(hotel.booking(&double, start, end)).await;
        hotel.stay(&stay, "check-in/complete", json!({})).await.done();
        hotel.news().await;
        for (late, when) in moments.into_iter().enumerate() {
            move_to(&hotel, when);
            hotel.clock.advance_seconds(-1);
            hotel.run_tick("reservation.overstay").await;
            assert!(told(&hotel, "overstayed").await.is_empty(), "a second before {when}");
            hotel.clock.advance_seconds(1);
            hotel.run_tick("reservation.overstay").await;
            assert_eq!(told(&hotel, "overstayed").await.len(), 1, "{when}");
            let now = hotel.reservation(&stay).await;
            assert_eq!(now["overstayedNights"], json!(late), "{when}");
        }
    }
}

#[tokio::test]
async fn a_cancellation_is_free_until_24_real_hours_before_and_a_check_in_is_early_by_the_houses_clock() {
    let hotel = in_berlin(AUTUMN).await;
    let (double, _) = hotel.sold_rooms(2).await;
    let stay = paid_stay(&hotel, &double, "2026-10-25", "2026-10-27", "200000000").await;
    let path = format!("/reservation/v1/reservations/{}/cancellation-preview", text(&stay["reservationId"]));
    // 14:00 in winter is 13:00 UTC; 24 hours before that it is 15:00 in summer.
    for (when, penalty) in [("2026-10-24T13:00:00Z", "0"), ("2026-10-24T13:00:01Z", "100000000")] {
        move_to(&hotel, when);
        let preview = hotel.get(&hotel.desk(), &path).await.done();
        assert_eq!(preview["policyApplied"]["penaltyMicro"], penalty, "{when}");
    }
    // The day rolls at 05:00 of winter.
    move_to(&hotel, "2026-10-25T03:59:59Z");
    hotel.stay(&stay, "check-in/complete", json!({})).await.refused(409, "MELMASTOON.RESERVATION.TOO_EARLY");
    move_to(&hotel, "2026-10-25T12:59:59Z");
    let there = hotel.stay(&stay, "check-in/complete", json!({})).await.done();
    assert_eq!(there["earlyCheckIn"], true);
}

#[tokio::test]
async fn a_hold_lasts_its_seconds_and_a_day_of_25_hours_is_one_day() {
    let hotel = in_berlin(AUTUMN).await;
    let (double, _) = hotel.sold_rooms(2).await;
    let stay = hotel.confirmed_stay(hotel.booking(&double, "2026-10-24", "2026-10-26")).await;
    hotel.stay(&stay, "check-in/complete", json!({})).await.done();
    move_to(&hotel, "2026-10-25T00:50:00Z");
    let mut wish = hotel.booking(&double, "2026-10-25", "2026-10-26");
    wish["holdTtlSeconds"] = json!(1_800);
    let held = hotel.book(wish).await.done();
    assert_eq!(held["hold"]["expiresAt"], "2026-10-25T01:20:00.000Z");
    hotel.clock.advance_seconds(1_799);
    hotel.run_tick("reservation.hold-expiry").await;
    assert_eq!(hotel.reservation(&held).await["status"], "held");
    hotel.clock.advance_seconds(1);
    hotel.run_tick("reservation.hold-expiry").await;
    assert_eq!(hotel.reservation(&held).await["status"], "expired");
    // Somebody comes at 02:40 for the second time: last evening's guest.
    move_to(&hotel, "2026-10-25T01:40:00Z");
    let mut body = hotel.booking(&double, "2026-10-24", "2026-10-25");
    body["payment"] = json!({ "method": "cash_on_arrival" });
    hotel.post(&hotel.desk(), "/reservation/v1/walk-ins", body).await.done();
    move_to(&hotel, "2026-10-26T03:59:59Z");
    for (day, (arrivals, nights)) in [("2026-10-24", (2, 2)), ("2026-10-25", (0, 2))] {
        let close = json!({ "propertyId": hotel.property, "date": day });
        let closed = hotel.post(&hotel.desk(), "/reservation/v1/day-close", close.clone()).await.done();
        assert_eq!((&closed["arrivals"], &closed["roomNights"]), (&json!(arrivals), &json!(nights)), "{day}");
        let again = hotel.post(&hotel.desk(), "/reservation/v1/day-close", close).await;
        again.refused(409, "MELMASTOON.RESERVATION.DAY_CLOSED");
    }
}

#[tokio::test]
async fn nights_are_counted_over_the_ends_of_months_and_years() {
    let hotel = in_berlin("2026-12-30T12:00:00Z").await;
    let (double, _) = hotel.sold_rooms(1).await;
    for (start, end, nights) in [
        ("2026-12-30", "2027-01-02", 3),
        ("2027-02-27", "2027-03-01", 2),
        ("2028-02-27", "2028-03-01", 3),
        ("2027-03-27", "2027-03-29", 2),
        ("2027-10-30", "2027-11-01", 2),
    ] {
        let rates = json!({ "from": start, "to": end, "rateMicro": "200000000" });
        hotel.put(&hotel.manager(), &format!("/reservation/v1/room-types/{double}/rates"), rates).await;
        let stay = hotel.confirmed_stay(hotel.booking(&double, start, end)).await;
        assert_eq!(stay["stayWindow"]["nights"], nights, "{start}");
        assert_eq!(stay["totals"]["grandTotalMicro"], (i64::from(nights) * 200_000_000).to_string(), "{start}");
        assert_eq!(hotel.available(&double, start, end).await, vec![0; usize::try_from(nights).unwrap()], "{start}");
    }
    let closed = |day: &str| json!({ "propertyId": hotel.property, "date": day });
    hotel.clock.advance_seconds(3 * 3_600);
    let path = format!("/reservation/v1/arrivals?propertyId={}", hotel.property);
    assert_eq!(hotel.get(&hotel.desk(), &path).await.done()["items"].as_array().unwrap().len(), 1);
    let id = hotel.get(&hotel.desk(), &path).await.done()["items"][0].clone();
    hotel.stay(&id, "check-in/complete", json!({})).await.done();
    move_to(&hotel, "2027-01-01T10:00:00Z");
    let close = hotel.post(&hotel.desk(), "/reservation/v1/day-close", closed("2026-12-31")).await.done();
    assert_eq!((&close["inHouse"], &close["roomRevenueMicro"]), (&json!(1), &json!("200000000")));
    hotel
        .post(&hotel.desk(), "/reservation/v1/day-close", closed("2027-01-02"))
        .await
        .refused(409, "MELMASTOON.RESERVATION.TOO_EARLY");
}
