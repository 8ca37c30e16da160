//! The chart of a house: whoever has a room, or had it, and nobody else in it; whoever has none beside it.

use serde_json::{Value, json};

use crate::test_hotel::{TestHotel, text};

const HOUR: i64 = 3_600;
const DAY: i64 = 24 * HOUR;

async fn chart(hotel: &TestHotel) -> Value {
    let path = format!("/reservation/v1/timeline?propertyId={}&from=2026-04-20&to=2026-05-20", hotel.property);
    hotel.get(&hotel.desk(), &path).await.done()
}

/// `101: 2026-04-22/2026-04-24 checked_in`, and `-:` for whoever has no room.
async fn lines(hotel: &TestHotel) -> Vec<String> {
    let chart = chart(hotel).await;
    let line = |number: &str, span: &Value| {
        format!("{number}: {}/{} {}", text(&span["start"]), text(&span["end"]), text(&span["status"]))
    };
    let mut lines = Vec::new();
    for room in chart["rooms"].as_array().unwrap() {
        lines.extend(room["spans"].as_array().unwrap().iter().map(|span| line(&text(&room["number"]), span)));
    }
    lines.extend(chart["unplaced"].as_array().unwrap().iter().map(|span| line("-", span)));
    lines
}

async fn in_room(hotel: &TestHotel, mut body: Value, room: &Value) -> Value {
    body["items"][0]["roomId"] = room.clone();
    hotel.confirmed_stay(body).await
}

async fn move_in(hotel: &TestHotel, stay: &Value) -> Value {
    hotel.stay(stay, "check-in/complete", json!({})).await.done()
}

#[tokio::test]
async fn a_room_that_was_given_up_before_the_guest_came_is_not_theirs_on_the_chart() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(2).await;
    let mut wish = hotel.booking(&double, "2026-04-22", "2026-04-25");
    let one = wish["items"][0].clone();
    wish["items"] = json!([one, one]);
    let two_rooms = hotel.confirmed_stay(wish).await;
    let given_up = json!({ "type": "room_removed", "itemId": two_rooms["items"][1]["itemId"] });
    hotel.stay(&two_rooms, "modifications", given_up).await.done();
    let there = move_in(&hotel, &two_rooms).await;
    assert_eq!(lines(&hotel).await, ["101: 2026-04-22/2026-04-25 checked_in"], "{there}");
    // Also the morning after, when its first night is over.
    hotel.clock.advance_seconds(DAY);
    assert_eq!(lines(&hotel).await, ["101: 2026-04-22/2026-04-25 checked_in"]);
}

#[tokio::test]
async fn who_left_on_the_day_of_arrival_has_no_night_on_the_chart_and_the_next_guest_has_them() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(1).await;
    let room = json!(doors[0].id);
    let gone = in_room(&hotel, hotel.booking(&double, "2026-04-22", "2026-04-25"), &room).await;
    move_in(&hotel, &gone).await;
    let free = json!({ "folio": { "folioId": "fol_1", "finalBalanceMicro": "0", "currency": "AFN", "settled": true } });
    hotel.stay(&gone, "check-out/complete", free).await.done();
    in_room(&hotel, hotel.booking(&double, "2026-04-22", "2026-04-24"), &room).await;
    assert_eq!(lines(&hotel).await, ["101: 2026-04-22/2026-04-24 confirmed"]);
}

#[tokio::test]
async fn nights_that_were_slept_in_stay_on_the_chart_when_the_guest_has_moved_and_when_they_have_left() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(2).await;
    let stay = in_room(&hotel, hotel.booking(&double, "2026-04-22", "2026-04-26"), &json!(doors[0].id)).await;
    move_in(&hotel, &stay).await;
    hotel.clock.advance_seconds(DAY);
    let moves = json!({ "type": "room_change", "itemId": stay["items"][0]["itemId"], "roomId": doors[1].id });
    hotel.stay(&stay, "modifications", moves).await.done();
    let after = ["101: 2026-04-22/2026-04-23 checked_in", "102: 2026-04-23/2026-04-26 checked_in"];
    assert_eq!(lines(&hotel).await, after);
    hotel.clock.advance_seconds(DAY);
    let free = json!({ "folio": { "folioId": "fol_1", "finalBalanceMicro": "0", "currency": "AFN", "settled": true } });
    hotel.stay(&stay, "check-out/complete", free).await.done();
    let left = ["101: 2026-04-22/2026-04-23 checked_out", "102: 2026-04-23/2026-04-24 checked_out"];
    assert_eq!(lines(&hotel).await, left);
}

#[tokio::test]
async fn who_was_put_back_after_a_cancellation_is_on_the_chart_once() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(2).await;
    let stay = in_room(&hotel, hotel.booking(&double, "2026-04-22", "2026-04-24"), &json!(doors[1].id)).await;
    hotel.stay(&stay, "cancel", json!({ "reasonCode": "guest_cancelled", "reason": "ill" })).await.done();
    let back = json!({ "type": "manual_state_override", "status": "confirmed", "reason": "they come" });
    let path = format!("/reservation/v1/reservations/{}/modifications", text(&stay["reservationId"]));
    hotel.post(&hotel.manager(), &path, back).await.done();
    move_in(&hotel, &stay).await;
    assert_eq!(lines(&hotel).await, ["101: 2026-04-22/2026-04-24 checked_in"]);
}

#[tokio::test]
async fn where_another_service_keeps_the_count_who_is_to_come_stands_beside_the_chart_until_they_have_a_room() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(2).await;
    let here = hotel.confirmed_stay(hotel.booking(&double, "2026-04-22", "2026-04-23")).await;
    hotel.put(&hotel.manager(), "/reservation/v1/settings", json!({ "inventoryMode": "external" })).await.done();
    let mut wish = hotel.booking(&double, "2026-04-22", "2026-04-24");
    let one = wish["items"][0].clone();
    wish["items"] = json!([one, one]);
    let stay = hotel.book(wish).await.done();
    let held = "-: 2026-04-22/2026-04-24 held";
    let own = "101: 2026-04-22/2026-04-23 confirmed";
    assert_eq!(lines(&hotel).await, [own, held, held]);
    let ids = json!({ "allocationIds": ["alc_ELSEWHERE"] });
    hotel.deliver(&hotel.told("inventory.allocation.committed.v1", &stay, &ids)).await;
    hotel.stay(&stay, "confirm", json!({ "payment": { "method": "cash_on_arrival" } })).await.done();
    let cancelled =
        json!({ "reasonCode": "guest_cancelled", "reason": "one less", "items": [stay["items"][1]["itemId"]] });
    hotel.stay(&stay, "cancel", cancelled).await.done();
    let chart = chart(&hotel).await;
    let beside = &chart["unplaced"][0];
    assert_eq!(chart["unplaced"].as_array().unwrap().len(), 1, "{chart}");
    assert_eq!(
        (&beside["reservationId"], &beside["itemId"], &beside["roomTypeId"], &beside["guestName"]),
        (&stay["reservationId"], &stay["items"][0]["itemId"], &json!(double), &json!("Zarmina Noori"))
    );
    // Whoever counts by then: the service that was told of it.
    hotel.put(&hotel.manager(), "/reservation/v1/settings", json!({ "inventoryMode": "embedded" })).await.done();
    assert_eq!(lines(&hotel).await, [own, "-: 2026-04-22/2026-04-24 confirmed"]);
    move_in(&hotel, &stay).await;
    assert_eq!(lines(&hotel).await, [own, "102: 2026-04-22/2026-04-24 checked_in"]);
    let later = format!("/reservation/v1/timeline?propertyId={}&from=2026-05-20&to=2026-05-21", hotel.property);
    let later = hotel.get(&hotel.desk(), &later).await.done();
    assert_eq!(later["unplaced"], json!([]), "{here}");
}

#[tokio::test]
async fn who_is_in_a_room_that_is_no_more_is_not_lost_from_the_chart() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(2).await;
    let stay = in_room(&hotel, hotel.booking(&double, "2026-04-22", "2026-04-24"), &json!(doors[0].id)).await;
    move_in(&hotel, &stay).await;
    let gone = json!({ "propertyId": hotel.property, "archived": true });
    hotel.put(&hotel.manager(), &format!("/reservation/v1/rooms/{}", doors[0].id), gone).await.done();
    assert_eq!(lines(&hotel).await, ["-: 2026-04-22/2026-04-24 checked_in"]);
    let moves = json!({ "type": "room_change", "itemId": stay["items"][0]["itemId"] });
    hotel.stay(&stay, "modifications", moves).await.done();
    assert_eq!(lines(&hotel).await, ["102: 2026-04-22/2026-04-24 checked_in"]);
}
