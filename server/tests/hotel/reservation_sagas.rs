//! Money, rooms and keys as others tell them: in any order, and more than once.

use serde_json::json;

use crate::test_hotel::{TestHotel, text};

#[tokio::test]
async fn the_money_that_comes_confirms_and_a_second_telling_changes_nothing() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    hotel.put(&hotel.manager(), "/reservation/v1/settings", json!({ "depositPpm": 500_000 })).await.done();
    let held = hotel.book(hotel.booking(&double, "2026-05-01", "2026-05-03")).await.done();
    assert_eq!(held["payment"]["requiredMicro"], "100000000");
    let cash = json!({ "payment": { "method": "cash_on_arrival" } });
    hotel.stay(&held, "confirm", cash).await.refused(409, "MELMASTOON.RESERVATION.DEPOSIT_REQUIRED");
    let (little, enough) = (hotel.captured(&held, "pyi_1", "40000000"), hotel.captured(&held, "pyi_1", "60000000"));
    for told in [&little, &little, &enough, &enough, &little] {
        hotel.deliver(told).await;
    }
    let confirmed = hotel.reservation(&held).await;
    assert_eq!((&confirmed["status"], &confirmed["version"]), (&json!("confirmed"), &json!(2)));
    assert_eq!(confirmed["payment"]["capturedMicro"], "100000000");
    assert_eq!(confirmed["balanceMicro"], "100000000");
    let news = hotel.news().await;
    let told = news.iter().find(|one| one["eventType"] == "melmastoon.reservation.confirmed.v1").unwrap();
    assert_eq!(told["payload"]["causationEventId"], enough.id());
    assert_eq!(told["payload"]["payment"]["status"], "captured");
    assert!(text(&told["payload"]["propertyId"]).starts_with("ppt_"));
}

#[tokio::test]
async fn what_was_captured_before_is_enough_as_soon_as_less_has_to_be_paid_or_the_desk_took_the_rest() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(3).await;
    hotel.put(&hotel.manager(), "/reservation/v1/settings", json!({ "depositPpm": 1_000_000 })).await.done();
    let mut wish = hotel.booking(&double, "2026-05-01", "2026-05-02");
    let one = wish["items"][0].clone();
    wish["items"] = json!([one, one]);
    let two_rooms = hotel.book(wish).await.done();
    let one_room = hotel.book(hotel.booking(&double, "2026-05-01", "2026-05-02")).await.done();
    let (first, second) =
        (hotel.captured(&two_rooms, "pyi_1", "100000000"), hotel.captured(&one_room, "pyi_2", "60000000"));
    for told in [&first, &second] {
        hotel.deliver(told).await;
    }
    assert_eq!(hotel.reservation(&two_rooms).await["status"], "held");
    hotel.news().await;
    let items = json!([two_rooms["items"][1]["itemId"]]);
    let less = json!({ "reasonCode": "guest_cancelled", "reason": "one is enough", "items": items });
    let left = hotel.stay(&two_rooms, "cancel", less).await.done();
    assert_eq!(
        (&left["status"], &left["balanceMicro"], &left["version"]),
        (&json!("confirmed"), &json!("0"), &json!(4))
    );
    let cash = json!({ "method": "cash_on_arrival", "amountMicro": "40000000", "currency": "AFN" });
    let paid = hotel.stay(&one_room, "payments", cash).await.done();
    assert_eq!((&paid["status"], &paid["balanceMicro"]), (&json!("confirmed"), &json!("0")));
    let news = hotel.news().await;
    let told: Vec<String> =
        news.iter().map(|one| text(&one["eventType"]).replace("melmastoon.reservation.", "")).collect();
    assert_eq!(told, ["cancelled.v1", "modified.v1", "confirmed.v1", "modified.v1", "confirmed.v1"]);
    let by = |at: usize| news[at]["payload"]["causationEventId"].clone();
    assert_eq!((by(2), by(4)), (json!(first.id()), json!(second.id())), "the event that brought the money");
    hotel.clock.advance_seconds(600);
    hotel.run_tick("reservation.hold-expiry").await;
    assert_eq!(hotel.reservation(&two_rooms).await["status"], "confirmed");
}

#[tokio::test]
async fn money_that_comes_when_the_hold_is_over_goes_back() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    let held = hotel.book(hotel.booking(&double, "2026-05-01", "2026-05-03")).await.done();
    hotel.clock.advance_seconds(600);
    hotel.run_tick("reservation.hold-expiry").await;
    hotel.deliver(&hotel.captured(&held, "pyi_1", "200000000")).await;
    hotel.deliver(&hotel.captured(&held, "pyi_1", "200000000")).await;
    let over = hotel.reservation(&held).await;
    assert_eq!((&over["status"], &over["cancellation"]["reasonCode"]), (&json!("cancelled"), &json!("payment_failed")));
    assert_eq!(over["payment"]["refundRequestedMicro"], "400000000");
    assert_eq!(over["balanceMicro"], "0");
    let news = hotel.news().await;
    let asked: Vec<_> = news
        .iter()
        .filter(|one| one["eventType"] == "melmastoon.reservation.cancelled.v1")
        .map(|one| one["payload"]["paymentRefundsRequested"].clone())
        .collect();
    assert_eq!(asked, vec![json!([{ "paymentIntentId": "pyi_1", "amountMicro": "200000000" }]); 2]);
    assert_eq!(hotel.available(&double, "2026-05-01", "2026-05-03").await, [1, 1]);
}

#[tokio::test]
async fn a_payment_or_a_room_that_fails_ends_a_hold() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(2).await;
    let wish = hotel.booking(&double, "2026-05-01", "2026-05-03");
    let (one, two) = (hotel.book(wish.clone()).await.done(), hotel.book(wish).await.done());
    hotel.deliver(&hotel.told("payment.transaction.failed.v1", &one, &json!({ "paymentIntentId": "pyi_1" }))).await;
    hotel.deliver(&hotel.told("inventory.allocation.failed.v1", &two, &json!({ "reason": "sold elsewhere" }))).await;
    for (reservation, reason) in [(&one, "payment_failed"), (&two, "inventory_failed")] {
        let over = hotel.reservation(reservation).await;
        assert_eq!((&over["status"], &over["cancellation"]["reasonCode"]), (&json!("cancelled"), &json!(reason)));
    }
    assert_eq!(hotel.available(&double, "2026-05-01", "2026-05-03").await, [2, 2]);
}

#[tokio::test]
async fn what_is_told_of_a_reservation_that_nobody_knows_is_filed_at_once() {
    let hotel = TestHotel::open().await;
    let stranger = json!({ "reservationId": "rsv_01H3Z4WK7TS5K8B5RBQ8H6JQK7" });
    hotel.deliver(&hotel.captured(&stranger, "pyi_1", "1000000")).await;
    let filed = hotel.count("reservation.dead_letters WHERE code = 'MELMASTOON.RESERVATION.RESERVATION_UNKNOWN'").await;
    assert_eq!(filed, 1);
}

#[tokio::test]
async fn keys_that_are_made_complete_a_check_in_that_has_begun() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(1).await;
    let booked = hotel.confirmed_stay(hotel.booking(&double, "2026-04-22", "2026-04-24")).await;
    let started = hotel.stay(&booked, "check-in/start", json!({})).await.done();
    assert_eq!(started["pendingSagaStep"], "await_keys");
    let key = json!({ "keyCredentialId": "key_1", "roomId": doors[0].id });
    hotel.deliver(&hotel.told("lock_integration.key_credential.issued.v1", &booked, &key)).await;
    let there = hotel.reservation(&booked).await;
    assert_eq!((&there["status"], &there["requiresManualKey"]), (&json!("checked_in"), &json!(false)));
    let news = hotel.news().await;
    let told = news.iter().find(|one| one["eventType"] == "melmastoon.reservation.checked_in.v1").unwrap();
    assert_eq!(told["payload"]["actor"], json!({ "type": "staff", "id": "stf_DESK" }), "who started it");
    assert_eq!(told["payload"]["keyCredentialIds"], json!(["key_1"]));
}

#[tokio::test]
async fn a_room_that_is_out_of_order_is_not_sold_and_whoever_was_not_told_moves() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(2).await;
    let held = hotel.book(hotel.booking(&double, "2026-05-01", "2026-05-03")).await.done();
    let room = text(&held["items"][0]["roomId"]);
    let broken = |until: &str| {
        let payload = json!({ "tenantId": hotel.tenant, "propertyId": hotel.property, "roomId": room, "from": "2026-04-30T06:00:00Z", "until": until });
        hotel.happening("property.room.taken_out_of_order.v1", &payload)
    };
    // Back at noon in Kabul: the night before is the last that is lost.
    hotel.deliver(&broken("2026-05-03T07:30:00Z")).await;
    assert_eq!(hotel.available(&double, "2026-04-29", "2026-05-04").await, [2, 1, 0, 0, 2]);
    let other = doors.iter().find(|door| door.id.as_str() != room).unwrap();
    assert_eq!(hotel.reservation(&held).await["items"][0]["roomId"], json!(other.id));
    hotel.deliver(&broken("2026-05-01T06:30:00Z")).await;
    assert_eq!(hotel.available(&double, "2026-04-29", "2026-05-04").await, [2, 1, 1, 1, 2], "the newest word counts");
}

/// Money came, and nobody says how much.
fn paid_somehow(hotel: &TestHotel, reservation: &serde_json::Value, intent: &str) -> crate::test_hotel::Happening {
    hotel.told("payment.transaction.captured.v1", reservation, &json!({ "paymentIntentId": intent, "method": "card" }))
}

async fn alerts_about_money(hotel: &TestHotel) -> i64 {
    hotel.count("reservation.alerts WHERE kind = 'payment_mismatch' AND resolved_at IS NULL").await
}

#[tokio::test]
async fn money_of_no_amount_that_comes_too_late_is_what_the_booking_cost_and_goes_back() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(2).await;
    hotel.put(&hotel.manager(), "/reservation/v1/settings", json!({ "taxPpm": 100_000 })).await.done();
    let wish = hotel.booking(&double, "2026-05-01", "2026-05-03");
    let (late, gone) = (hotel.book(wish.clone()).await.done(), hotel.book(wish).await.done());
    hotel.stay(&gone, "cancel", json!({ "reasonCode": "guest_cancelled", "reason": "ill" })).await.done();
    hotel.clock.advance_seconds(600);
    hotel.run_tick("reservation.hold-expiry").await;
    for held in [&late, &gone] {
        hotel.deliver(&paid_somehow(&hotel, held, "pyi_1")).await;
        let over = hotel.reservation(held).await;
        assert_eq!(over["payment"]["refundRequestedMicro"], "220000000", "two nights and their tax: {over}");
        assert_eq!((&over["status"], &over["balanceMicro"]), (&json!("cancelled"), &json!("0")));
    }
    assert_eq!(alerts_about_money(&hotel).await, 0);
    // Once more, and nobody knows what for.
    hotel.deliver(&paid_somehow(&hotel, &late, "pyi_2")).await;
    assert_eq!(hotel.reservation(&late).await["payment"]["capturedMicro"], "220000000");
    assert_eq!(alerts_about_money(&hotel).await, 1);
}

#[tokio::test]
async fn what_was_said_to_be_captured_is_not_lost_when_the_payment_service_tells_of_no_amount() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    let held = hotel.book(hotel.booking(&double, "2026-05-01", "2026-05-03")).await.done();
    let said = json!({ "payment": { "method": "card", "paymentIntentIds": ["pyi_1"], "capturedMicro": "200000000" } });
    hotel.stay(&held, "confirm", said).await.done();
    hotel.deliver(&paid_somehow(&hotel, &held, "pyi_1")).await;
    let now = hotel.reservation(&held).await;
    assert_eq!((&now["payment"]["capturedMicro"], &now["balanceMicro"]), (&json!("200000000"), &json!("0")));
    assert_eq!(alerts_about_money(&hotel).await, 0);
}

#[tokio::test]
async fn an_amount_below_nothing_is_filed_and_counts_for_nothing() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    let stay = hotel.confirmed_stay(hotel.booking(&double, "2026-05-01", "2026-05-03")).await;
    hotel.deliver(&hotel.captured(&stay, "pyi_1", "-100000000")).await;
    let back = json!({ "paymentIntentId": "pyi_1", "amountMicro": "-1000000", "currency": "AFN" });
    hotel.deliver(&hotel.told("payment.transaction.refunded.v1", &stay, &back)).await;
    let now = hotel.reservation(&stay).await;
    assert_eq!((&now["payment"]["capturedMicro"], &now["balanceMicro"]), (&json!("0"), &json!("200000000")));
    assert_eq!(hotel.count("reservation.dead_letters WHERE state = 'open'").await, 2);
}

#[tokio::test]
async fn a_key_that_fails_before_the_guest_comes_is_the_desks_to_look_at() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(1).await;
    let stay = hotel.confirmed_stay(hotel.booking(&double, "2026-04-22", "2026-04-24")).await;
    let failed = || hotel.told("lock_integration.key_credential.failed.v1", &stay, &json!({ "roomId": doors[0].id }));
    hotel.deliver(&failed()).await;
    assert_eq!(hotel.reservation(&stay).await["requiresManualKey"], true);
    let open = "reservation.alerts WHERE kind = 'key_failed' AND resolved_at IS NULL";
    assert_eq!(hotel.count(open).await, 1);
    hotel.clock.advance_seconds(1);
    let key = json!({ "keyCredentialId": "key_1", "roomId": doors[0].id });
    hotel.deliver(&hotel.told("lock_integration.key_credential.issued.v1", &stay, &key)).await;
    hotel.run_tick("reservation.alerts").await;
    assert_eq!((hotel.count(open).await, &hotel.reservation(&stay).await["requiresManualKey"]), (0, &json!(false)));
    // There is one: that another could not be made keeps nobody out.
    hotel.deliver(&failed()).await;
    assert_eq!(hotel.count(open).await, 0);
    hotel.stay(&stay, "cancel", json!({ "reasonCode": "guest_cancelled", "reason": "ill" })).await.done();
    let none = hotel.told("lock_integration.key_credential.failed.v1", &stay, &json!({}));
    hotel.deliver(&none).await;
    assert_eq!(hotel.count(open).await, 0, "nobody comes any more");
}

#[tokio::test]
async fn money_that_covers_what_was_to_come_in_cash_is_awaited_no_more() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    let booked = hotel.confirmed_stay(hotel.booking(&double, "2026-05-01", "2026-05-03")).await;
    let status = async || {
        let payment = hotel.reservation(&booked).await["payment"].clone();
        (payment["method"].clone(), payment["status"].clone())
    };
    let awaited = (json!("cash_on_arrival"), json!("pending_cash"));
    assert_eq!(status().await, awaited);
    hotel.deliver(&hotel.captured(&booked, "pyi_1", "150000000")).await;
    assert_eq!(status().await, awaited, "a part of it");
    hotel.deliver(&hotel.captured(&booked, "pyi_2", "50000000")).await;
    assert_eq!(status().await, (json!("card"), json!("captured")));
    let longer = json!({ "type": "date_change", "stayWindow": { "start": "2026-05-01", "end": "2026-05-04" } });
    hotel.stay(&booked, "modifications", longer).await.done();
    assert_eq!(status().await, awaited, "the new night is still to come in cash");
    let cash = json!({ "method": "cash_on_arrival", "amountMicro": "100000000", "currency": "AFN" });
    hotel.stay(&booked, "payments", cash).await.done();
    assert_eq!(status().await, (json!("mixed"), json!("captured")), "some of it by card, some at the desk");
}
