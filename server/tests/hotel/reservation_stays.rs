//! Guests come, stay, pay and leave, or change their mind.

use serde_json::{Value, json};

use crate::test_hotel::{TestHotel, text};

const DAY: i64 = 24 * 3_600;

fn subjects(news: &[Value]) -> Vec<String> {
    let all = news.iter().filter(|one| one["eventType"].is_string()).map(|one| text(&one["eventType"]));
    all.filter_map(|subject| subject.strip_prefix("melmastoon.reservation.").map(|rest| rest.replace(".v1", "")))
        .collect()
}

#[tokio::test]
async fn a_guest_who_checks_out_at_the_desk_leaves_a_dirty_room_on_the_housekeeping_board() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(1).await;
    let booked = hotel.confirmed_stay(hotel.booking(&double, "2026-04-22", "2026-04-23")).await;
    hotel.stay(&booked, "check-in/complete", json!({})).await.done();
    let cash = json!({ "method": "cash_on_arrival", "amountMicro": "100000000", "currency": "AFN" });
    hotel.stay(&booked, "payments", cash).await.done();
    hotel.clock.advance_seconds(DAY);
    let left = hotel.stay(&booked, "check-out/complete", json!({})).await.done();
    assert_eq!((&left["status"], &left["balanceMicro"]), (&json!("checked_out"), &json!("0")));
    hotel.drain().await;
    let path = format!("/housekeeping/v1/rooms/{}", doors[0].id);
    assert_eq!(hotel.get(&hotel.supervisor(), &path).await.done()["status"], "dirty");
    assert_eq!(hotel.open_tasks(&doors[0]).await[0]["kind"], "turnover");
    let known = hotel.get(&hotel.desk(), &format!("/reservation/v1/rooms?propertyId={}", hotel.property)).await.done();
    assert_eq!(known["items"][0]["housekeepingStatus"], "dirty", "and the desk hears of it");
    let next = hotel.confirmed_stay(hotel.booking(&double, "2026-04-23", "2026-04-24")).await;
    let warned = hotel.stay(&next, "check-in/complete", json!({})).await.done();
    assert_eq!(warned["warnings"], json!(["room_not_ready"]));
    let told = subjects(&hotel.news().await);
    let whole = ["held", "confirmed", "check_in_started", "checked_in", "modified", "checkout_started", "checked_out"];
    assert_eq!(told[..7], whole);
}

#[tokio::test]
async fn an_open_bill_keeps_the_guest_at_the_desk_until_a_manager_says_otherwise() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    let booked = hotel.confirmed_stay(hotel.booking(&double, "2026-04-22", "2026-04-23")).await;
    hotel.stay(&booked, "check-in/complete", json!({})).await.done();
    hotel.clock.advance_seconds(DAY);
    let refused = hotel.stay(&booked, "check-out/complete", json!({})).await;
    refused.refused(409, "MELMASTOON.RESERVATION.FOLIO_UNSETTLED");
    assert_eq!(refused.body["balanceMicro"], "100000000");
    let open = json!({ "allowUnsettled": true });
    hotel.stay(&booked, "check-out/complete", open.clone()).await.refused(403, "MELMASTOON.RESERVATION.NOT_ALLOWED");
    let path = format!("/reservation/v1/reservations/{}/check-out/complete", text(&booked["reservationId"]));
    hotel.post(&hotel.manager(), &path, open).await.done();
}

#[tokio::test]
async fn who_leaves_early_gives_nights_back_and_pays_what_the_policy_keeps() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    let held = hotel.book(hotel.booking(&double, "2026-04-22", "2026-04-26")).await.done();
    hotel.deliver(&hotel.captured(&held, "pyi_1", "400000000")).await;
    hotel.stay(&held, "check-in/complete", json!({})).await.done();
    hotel.clock.advance_seconds(DAY);
    let left = hotel.stay(&held, "check-out/complete", json!({})).await.done();
    // One night slept in, three given back for the price of one: two go back to the guest.
    assert_eq!(left["payment"]["refundRequestedMicro"], "200000000");
    assert_eq!((&left["balanceMicro"], &left["totals"]["grandTotalMicro"]), (&json!("0"), &json!("100000000")));
    assert_eq!(hotel.available(&double, "2026-04-22", "2026-04-26").await[1..], [1, 1, 1]);
    let told = subjects(&hotel.news().await);
    assert_eq!(told[4..], ["early_checkout", "checkout_started", "modified", "checked_out"]);
}

#[tokio::test]
async fn a_cancellation_costs_what_the_policy_at_the_hold_says_and_gives_the_rest_back() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(3).await;
    let mut wish = hotel.booking(&double, "2026-04-22", "2026-04-24");
    let second = wish["items"][0].clone();
    wish["items"].as_array_mut().unwrap().push(second);
    let held = hotel.book(wish).await.done();
    hotel.deliver(&hotel.captured(&held, "pyi_1", "400000000")).await;
    let path = format!("/reservation/v1/reservations/{}/cancellation-preview", text(&held["reservationId"]));
    let preview = hotel.get(&hotel.desk(), &path).await.done();
    assert_eq!(preview["policyApplied"]["penaltyMicro"], "200000000", "a night for each of two rooms");
    let item = text(&held["items"][1]["itemId"]);
    let some = json!({ "reasonCode": "guest_cancelled", "reason": "call me at zar@example.com or 0700123456", "items": [item] });
    let partly = hotel.stay(&held, "cancel", some).await.done();
    assert_eq!((&partly["status"], &partly["items"][1]["status"]), (&json!("confirmed"), &json!("cancelled")));
    assert_eq!(
        (&partly["balanceMicro"], &partly["payment"]["refundRequestedMicro"]),
        (&json!("0"), &json!("100000000"))
    );
    assert_eq!(hotel.available(&double, "2026-04-22", "2026-04-24").await, [2, 2]);
    let waived = json!({ "reasonCode": "overbooked", "reason": "ours" });
    let all = hotel.stay(&held, "cancel", waived).await.done();
    assert_eq!((&all["status"], &all["payment"]["refundRequestedMicro"]), (&json!("cancelled"), &json!("300000000")));
    let again = hotel.stay(&held, "cancel", json!({ "reasonCode": "guest_cancelled", "reason": "once more" })).await;
    again.refused(409, "MELMASTOON.RESERVATION.ILLEGAL_TRANSITION");
    assert_eq!(again.body["currentStatus"], "cancelled");
    let news = hotel.news().await;
    assert_eq!(subjects(&news)[2..], ["cancelled", "modified", "cancelled"]);
    let reason = text(
        &news.iter().find(|one| one["eventType"] == "melmastoon.reservation.cancelled.v1").unwrap()["payload"]["reason"],
    );
    assert_eq!(reason, "call me at [removed] or [removed]");
}

#[tokio::test]
async fn a_guest_who_never_comes_is_a_no_show_by_the_clock_and_the_room_is_free() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    let booked = hotel.confirmed_stay(hotel.booking(&double, "2026-04-22", "2026-04-24")).await;
    hotel.stay(&booked, "no-show", json!({})).await.refused(409, "MELMASTOON.RESERVATION.TOO_EARLY");
    // Check-in is at 14:00, three hours ahead; twelve hours of grace follow.
    hotel.clock.advance_seconds(15 * 3_600 - 1);
    hotel.run_tick("reservation.no-show").await;
    assert_eq!(hotel.reservation(&booked).await["status"], "confirmed");
    hotel.clock.advance_seconds(1);
    hotel.run_tick("reservation.no-show").await;
    let gone = hotel.reservation(&booked).await;
    assert_eq!((&gone["status"], &gone["balanceMicro"]), (&json!("no_show"), &json!("100000000")), "a night is owed");
    assert_eq!(subjects(&hotel.news().await), ["held", "confirmed", "no_show", "cancelled"]);
    assert_eq!(hotel.available(&double, "2026-04-22", "2026-04-24").await, [1, 1]);
}

#[tokio::test]
async fn nobody_is_given_a_room_with_somebody_in_it_nor_too_early_nor_too_late() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(2).await;
    let first = hotel.confirmed_stay(hotel.booking(&double, "2026-04-22", "2026-04-23")).await;
    let there = hotel.stay(&first, "check-in/complete", json!({})).await.done();
    let later = hotel.confirmed_stay(hotel.booking(&double, "2026-04-23", "2026-04-24")).await;
    hotel.stay(&later, "check-in/complete", json!({})).await.refused(409, "MELMASTOON.RESERVATION.TOO_EARLY");
    hotel.clock.advance_seconds(DAY);
    let taken =
        json!({ "assignedRooms": [{ "itemId": later["items"][0]["itemId"], "roomId": there["items"][0]["roomId"] }] });
    hotel.stay(&later, "check-in/complete", taken).await.refused(409, "MELMASTOON.RESERVATION.ROOM_OCCUPIED");
    let free = doors.iter().find(|door| json!(door.id) != there["items"][0]["roomId"]).unwrap();
    let named = json!({ "assignedRooms": [{ "itemId": later["items"][0]["itemId"], "roomId": free.id }] });
    let given = hotel.stay(&later, "check-in/start", named).await.done();
    assert_eq!((&given["items"][0]["roomId"], &given["items"][0]["roomPinned"]), (&json!(free.id), &json!(true)));
    let over = hotel.confirmed_stay(hotel.booking(&double, "2026-04-24", "2026-04-25")).await;
    hotel.clock.advance_seconds(2 * DAY);
    hotel.stay(&over, "check-in/complete", json!({})).await.refused(409, "MELMASTOON.RESERVATION.STAY_OVER");
}

#[tokio::test]
async fn a_supervisor_sees_rooms_and_no_guests_and_no_money() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    hotel.confirmed_stay(hotel.booking(&double, "2026-04-22", "2026-04-23")).await;
    let path = format!("/reservation/v1/arrivals?propertyId={}", hotel.property);
    let desk = hotel.get(&hotel.desk(), &path).await.done();
    assert_eq!(desk["items"][0]["primaryGuest"]["name"], "Zarmina Noori");
    assert_eq!(desk["items"][0]["balanceMicro"], "100000000");
    let supervisor = hotel.get(&hotel.supervisor(), &path).await;
    for secret in ["Zarmina", "balanceMicro", "primaryGuest"] {
        assert!(!supervisor.text.contains(secret), "{}", supervisor.text);
    }
    assert_eq!(supervisor.done()["items"][0]["items"][0]["number"], "101");
}

#[tokio::test]
async fn a_walk_in_is_not_sent_to_a_room_whose_guest_has_not_left_yet() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(2).await;
    let mut first = hotel.booking(&double, "2026-04-22", "2026-04-23");
    first["items"][0]["roomId"] = json!(doors[0].id);
    let first = hotel.confirmed_stay(first).await;
    hotel.stay(&first, "check-in/complete", json!({})).await.done();
    hotel.clock.advance_seconds(DAY);
    let mut body = hotel.booking(&double, "2026-04-23", "2026-04-24");
    body["payment"] = json!({ "method": "cash_on_arrival" });
    let there = hotel.post(&hotel.desk(), "/reservation/v1/walk-ins", body.clone()).await.done();
    assert_eq!(there["items"][0]["roomId"], json!(doors[1].id));
    let full = hotel.post(&hotel.desk(), "/reservation/v1/walk-ins", body).await;
    full.refused(409, "MELMASTOON.RESERVATION.NO_AVAILABILITY");
}

#[tokio::test]
async fn a_walk_in_is_held_confirmed_and_checked_in_at_once() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    let mut body = hotel.booking(&double, "2026-04-22", "2026-04-23");
    body["payment"] = json!({ "method": "cash_on_arrival", "amountMicro": "100000000" });
    let there = hotel.post(&hotel.desk(), "/reservation/v1/walk-ins", body.clone()).await.done();
    assert_eq!((&there["status"], &there["version"]), (&json!("checked_in"), &json!(5)));
    assert_eq!((&there["channel"], &there["balanceMicro"]), (&json!("walk_in"), &json!("0")));
    let told = subjects(&hotel.news().await);
    assert_eq!(told, ["held", "confirmed", "modified", "check_in_started", "checked_in"]);
    let full = hotel.post(&hotel.desk(), "/reservation/v1/walk-ins", body).await;
    full.refused(409, "MELMASTOON.RESERVATION.NO_AVAILABILITY");
    assert_eq!(hotel.count("reservation.room_allocations WHERE occupied AND pinned").await, 1);
}

#[tokio::test]
async fn a_guest_who_was_moved_up_is_checked_into_the_room_that_is_named_and_told_so() {
    let hotel = TestHotel::open().await;
    let ((standard, singles), (_, suites)) = (hotel.sold_rooms(1).await, hotel.sold_rooms(1).await);
    let stay = hotel.confirmed_stay(hotel.booking(&standard, "2026-04-22", "2026-04-24")).await;
    let item = stay["items"][0]["itemId"].clone();
    let up = json!({ "type": "room_change", "itemId": item, "roomId": suites[0].id });
    assert_eq!(hotel.stay(&stay, "modifications", up).await.done()["items"][0]["roomId"], json!(suites[0].id));
    let named = json!({ "assignedRooms": [{ "itemId": item, "roomId": singles[0].id }] });
    let there = hotel.stay(&stay, "check-in/complete", named).await.done();
    assert_eq!(there["items"][0]["roomId"], json!(singles[0].id));
    assert_eq!(hotel.reservation(&stay).await["items"][0]["roomId"], json!(singles[0].id), "as it was told");
    let here = format!("reservation.room_allocations WHERE occupied AND pinned AND room_id = '{}'", singles[0].id);
    assert_eq!(hotel.count(&here).await, 1);
}

#[tokio::test]
async fn of_two_rooms_of_a_party_the_one_that_is_named_moves_the_other_and_both_are_told() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(2).await;
    let mut wish = hotel.booking(&double, "2026-04-22", "2026-04-24");
    let second = wish["items"][0].clone();
    wish["items"].as_array_mut().unwrap().push(second);
    let stay = hotel.confirmed_stay(wish).await;
    let rooms = |stay: &Value| [0, 1].map(|at: usize| stay["items"][at]["roomId"].clone());
    assert_eq!(rooms(&stay), [json!(doors[0].id), json!(doors[1].id)]);
    let named = json!({ "assignedRooms": [{ "itemId": stay["items"][1]["itemId"], "roomId": doors[0].id }] });
    let there = hotel.stay(&stay, "check-in/start", named).await.done();
    assert_eq!(rooms(&there), [json!(doors[1].id), json!(doors[0].id)]);
    assert_eq!(rooms(&hotel.reservation(&stay).await), rooms(&there));
}

#[tokio::test]
async fn a_cancellation_of_rooms_names_them_each_once() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    let stay = hotel.confirmed_stay(hotel.booking(&double, "2026-05-01", "2026-05-03")).await;
    let item = stay["items"][0]["itemId"].clone();
    for items in [json!([]), json!([item, item]), json!(vec!["x"; 51])] {
        let words = json!({ "reasonCode": "guest_cancelled", "reason": "ill", "items": items });
        let refused = hotel.stay(&stay, "cancel", words).await;
        refused.refused(400, "MELMASTOON.RESERVATION.INVALID_VALUE").naming("items");
    }
    assert_eq!(hotel.reservation(&stay).await["version"], stay["version"]);
    assert!(!subjects(&hotel.news().await).contains(&"cancelled".to_owned()), "nobody was told otherwise");
}

#[tokio::test]
async fn what_a_step_answers_is_what_whoever_asks_next_finds() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(3).await;
    let mut wish = hotel.booking(&double, "2026-04-22", "2026-04-24");
    let one = wish["items"][0].clone();
    wish["items"] = json!([one, one]);
    let stay = hotel.confirmed_stay(wish).await;
    let given_up = json!({ "type": "room_removed", "itemId": stay["items"][1]["itemId"] });
    let free = json!({ "folio": { "folioId": "fol_1", "finalBalanceMicro": "0", "currency": "AFN", "settled": true } });
    for (step, body) in [("modifications", given_up), ("check-in/complete", json!({})), ("check-out/complete", free)] {
        let answer = hotel.stay(&stay, step, body).await.done();
        assert_eq!(answer, hotel.reservation(&stay).await, "{step}");
        assert_eq!(answer["items"][1].get("roomId"), None, "{step}: it was given up before anybody came");
        assert_eq!(answer["inventoryAllocationIds"].as_array().unwrap().len(), 1, "{step}");
        assert!(answer["items"][0]["roomId"].is_string(), "{step}: who has left is known by the room");
    }
    let other = hotel.book(hotel.booking(&double, "2026-05-01", "2026-05-02")).await.done();
    let gone = json!({ "reasonCode": "guest_cancelled", "reason": "ill" });
    let cancelled = hotel.stay(&other, "cancel", gone).await.done();
    assert_eq!(cancelled, hotel.reservation(&other).await);
    assert_eq!(cancelled["inventoryAllocationIds"], json!([]));
}

#[tokio::test]
async fn nobody_is_promised_money_for_a_cancellation_that_is_refused() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(2).await;
    let illegal = "MELMASTOON.RESERVATION.ILLEGAL_TRANSITION";
    let preview = async |stay: &serde_json::Value| {
        let path = format!("/reservation/v1/reservations/{}/cancellation-preview", text(&stay["reservationId"]));
        hotel.get(&hotel.desk(), &path).await
    };
    let held = hotel.book(hotel.booking(&double, "2026-04-22", "2026-04-24")).await.done();
    hotel.deliver(&hotel.captured(&held, "pyi_1", "200000000")).await;
    preview(&held).await.done();
    hotel.stay(&held, "check-in/complete", json!({})).await.done();
    preview(&held).await.refused(409, illegal);
    let gone = hotel.confirmed_stay(hotel.booking(&double, "2026-05-01", "2026-05-02")).await;
    let words = json!({ "reasonCode": "guest_cancelled", "reason": "ill" });
    hotel.stay(&gone, "cancel", words).await.done();
    preview(&gone).await.refused(409, illegal);
}
