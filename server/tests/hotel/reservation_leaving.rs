//! Who was about to leave and is still there the next morning: the bill is of what really happened.

use serde_json::{Value, json};

use crate::reservation_modifications::paid_stay;
use crate::test_hotel::{TestHotel, text};

const HOUR: i64 = 3_600;
const DAY: i64 = 24 * HOUR;

fn told(news: &[Value]) -> Vec<(String, Value)> {
    let all = news.iter().filter_map(|one| {
        let subject = one["eventType"].as_str()?.strip_prefix("melmastoon.reservation.")?;
        Some((subject.replace(".v1", ""), one["payload"].clone()))
    });
    all.collect()
}

fn verbs(told: &[(String, Value)]) -> Vec<&str> {
    told.iter().map(|(verb, _)| verb.as_str()).collect()
}

/// In the house from 22 to 26 April, all of it paid, and about to leave on the 23rd.
async fn about_to_leave(hotel: &TestHotel) -> Value {
    let (double, _) = hotel.sold_rooms(1).await;
    let stay = paid_stay(hotel, &double, "2026-04-22", "2026-04-26", "400000000").await;
    hotel.stay(&stay, "check-in/complete", json!({})).await.done();
    hotel.clock.advance_seconds(DAY);
    let leaving = hotel.stay(&stay, "early-checkout", json!({ "reason": "a wedding" })).await.done();
    assert_eq!(leaving["balanceMicro"], "-200000000", "one night slept in, one kept: two go back");
    hotel.news().await;
    stay
}

#[tokio::test]
async fn who_was_to_leave_early_and_left_a_day_later_pays_for_that_night_and_the_penalty_of_the_rest() {
    let hotel = TestHotel::open().await;
    let stay = about_to_leave(&hotel).await;
    hotel.clock.advance_seconds(DAY);
    let left = hotel.stay(&stay, "check-out/complete", json!({})).await.done();
    // Two nights slept in, and of the two that are given back one is kept.
    assert_eq!(left["totals"]["grandTotalMicro"], "200000000");
    assert_eq!(left["payment"]["refundRequestedMicro"], "100000000");
    assert_eq!(left["balanceMicro"], "0");
    let told = told(&hotel.news().await);
    assert_eq!(verbs(&told), ["modified", "early_checkout", "modified", "checked_out"]);
    assert_eq!((&told[0].1["type"], &told[0].1["priceDeltaMicro"]), (&json!("rate_change"), &json!("300000000")));
    assert_eq!(told[0].1["before"]["balanceMicro"], "-200000000");
    assert_eq!(told[0].1["after"]["balanceMicro"], "0", "all nights are owed again, and no penalty");
    assert_eq!((&told[1].1["penaltyMicro"], &told[1].1["reason"]), (&json!("100000000"), &json!("a wedding")));
    assert_eq!(told[3].1["earlyCheckout"], true);
}

#[tokio::test]
async fn who_was_to_leave_early_and_stayed_to_the_last_night_has_not_left_early() {
    let hotel = TestHotel::open().await;
    let stay = about_to_leave(&hotel).await;
    hotel.clock.advance_seconds(3 * DAY);
    let left = hotel.stay(&stay, "check-out/complete", json!({})).await.done();
    assert_eq!((&left["totals"]["grandTotalMicro"], &left["balanceMicro"]), (&json!("400000000"), &json!("0")));
    assert_eq!(left["payment"]["refundRequestedMicro"], "0");
    let told = told(&hotel.news().await);
    assert_eq!(verbs(&told), ["modified", "checked_out"]);
    assert_eq!(told[1].1["earlyCheckout"], false);
    let path = format!("/reservation/v1/reservations/{}/folio", text(&stay["reservationId"]));
    let bill = hotel.get(&hotel.desk(), &path).await.done();
    let kinds: Vec<_> = bill["lines"].as_array().unwrap().iter().map(|line| text(&line["kind"])).collect();
    assert_eq!(kinds, ["nights", "captured"]);
}

#[tokio::test]
async fn who_was_to_leave_at_once_and_stayed_too_long_owes_all_nights_and_those_beyond_them() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    let stay = paid_stay(&hotel, &double, "2026-04-22", "2026-04-23", "100000000").await;
    hotel.stay(&stay, "check-in/complete", json!({})).await.done();
    hotel.stay(&stay, "early-checkout", json!({})).await.done();
    hotel.news().await;
    // 15:00 on the 23rd: check-out at noon, and three hours.
    hotel.clock.advance_seconds(DAY + 4 * HOUR);
    hotel.run_tick("reservation.overstay").await;
    let noticed = told(&hotel.news().await);
    assert_eq!(noticed[0].1["penaltyMicro"], "100000000", "the last night has a price, though it was given back");
    hotel.clock.advance_seconds(16 * HOUR);
    let open = hotel.stay(&stay, "check-out/complete", json!({})).await;
    open.refused(409, "MELMASTOON.RESERVATION.FOLIO_UNSETTLED");
    assert_eq!(open.body["balanceMicro"], "100000000", "the night is paid, the one beyond it is not");
    let cash = json!({ "method": "cash_on_arrival", "amountMicro": "100000000", "currency": "AFN" });
    hotel.stay(&stay, "payments", cash).await.done();
    let left = hotel.stay(&stay, "check-out/complete", json!({})).await.done();
    assert_eq!((&left["balanceMicro"], &left["overstayedNights"]), (&json!("0"), &json!(1)));
    assert_eq!(left["totals"]["grandTotalMicro"], "100000000");
}

#[tokio::test]
async fn a_check_out_that_was_started_early_and_finished_later_gives_back_only_what_was_not_slept_in() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    let stay = paid_stay(&hotel, &double, "2026-04-22", "2026-04-26", "400000000").await;
    hotel.stay(&stay, "check-in/complete", json!({})).await.done();
    hotel.clock.advance_seconds(DAY);
    hotel.stay(&stay, "check-out/start", json!({})).await.done();
    hotel.clock.advance_seconds(DAY);
    let left = hotel.stay(&stay, "check-out/complete", json!({})).await.done();
    assert_eq!(left["totals"]["grandTotalMicro"], "200000000");
    assert_eq!((&left["balanceMicro"], &left["payment"]["refundRequestedMicro"]), (&json!("0"), &json!("100000000")));
}

#[tokio::test]
async fn a_night_counts_for_the_day_as_long_as_the_guest_is_there() {
    let hotel = TestHotel::open().await;
    about_to_leave(&hotel).await;
    hotel.clock.advance_seconds(DAY);
    let close = json!({ "propertyId": hotel.property, "date": "2026-04-23" });
    let closed = hotel.post(&hotel.desk(), "/reservation/v1/day-close", close).await.done();
    assert_eq!((&closed["inHouse"], &closed["roomNights"]), (&json!(1), &json!(1)));
    assert_eq!(closed["roomRevenueMicro"], "100000000", "somebody slept there, for the price of the night");
}
