//! What is told of a room comes late and out of order: of two words the later counts, whenever it is heard.

use contracts::ids::RoomTypeId;
use contracts::time::Timestamp;
use serde_json::{Value, json};

use crate::test_hotel::{Door, Happening, TestHotel};

/// It cannot be used from the first of May on.
fn broken(hotel: &TestHotel, door: &Door, until: &str) -> Happening {
    let payload = json!({
        "tenantId": hotel.tenant, "propertyId": hotel.property, "roomId": door.id, "from": "2026-05-01T06:00:00Z", "until": until,
    });
    hotel.happening("property.room.taken_out_of_order.v1", &payload)
}

fn flipped(hotel: &TestHotel, door: &Door, from: &str, to: &str) -> Happening {
    let payload = json!({
        "tenantId": hotel.tenant, "propertyId": hotel.property, "roomId": door.id, "previousStatus": from, "status": to,
        "cause": "room_unblocked", "flippedAt": hotel.now(), "actor": { "type": "system", "id": "sys_hk" },
    });
    hotel.happening("housekeeping.room.status_changed.v1", &payload)
}

/// So many rooms are to sell on the first three nights of May.
async fn to_sell(hotel: &TestHotel, of: &RoomTypeId) -> Vec<i64> {
    hotel.available(of, "2026-05-01", "2026-05-04").await
}

#[tokio::test]
async fn of_two_who_tell_that_a_room_is_broken_the_later_counts_whoever_is_heard_first() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(1).await;
    let long = broken(&hotel, &doors[0], "2026-05-04T06:00:00Z");
    hotel.clock.advance_seconds(60);
    let short = broken(&hotel, &doors[0], "2026-05-02T06:00:00Z");
    hotel.deliver(&short).await;
    hotel.deliver(&long).await;
    assert_eq!(to_sell(&hotel, &double).await, [0, 1, 1], "only the first night is lost");
}

#[tokio::test]
async fn a_room_that_broke_again_is_not_opened_by_an_older_word() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(1).await;
    hotel.deliver(&broken(&hotel, &doors[0], "2026-05-03T06:00:00Z")).await;
    hotel.clock.advance_seconds(60);
    let in_order = flipped(&hotel, &doors[0], "out_of_order", "dirty");
    hotel.clock.advance_seconds(60);
    hotel.deliver(&broken(&hotel, &doors[0], "2026-05-04T06:00:00Z")).await;
    hotel.deliver(&in_order).await;
    assert_eq!(to_sell(&hotel, &double).await, [0, 0, 0]);
    hotel.clock.advance_seconds(60);
    hotel.deliver(&flipped(&hotel, &doors[0], "out_of_order", "dirty")).await;
    assert_eq!(to_sell(&hotel, &double).await, [1, 1, 1]);
}

#[tokio::test]
async fn a_room_that_housekeeping_closed_again_is_not_opened_by_an_older_word() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(1).await;
    hotel.deliver(&broken(&hotel, &doors[0], "2026-05-04T06:00:00Z")).await;
    hotel.clock.advance_seconds(60);
    let in_order = flipped(&hotel, &doors[0], "out_of_order", "dirty");
    hotel.clock.advance_seconds(60);
    hotel.deliver(&flipped(&hotel, &doors[0], "dirty", "out_of_order")).await;
    hotel.deliver(&in_order).await;
    assert_eq!(to_sell(&hotel, &double).await, [0, 0, 0]);
    hotel.clock.advance_seconds(60);
    hotel.deliver(&flipped(&hotel, &doors[0], "out_of_order", "dirty")).await;
    assert_eq!(to_sell(&hotel, &double).await, [1, 1, 1]);
}

#[tokio::test]
async fn that_a_room_is_in_order_is_believed_also_when_it_was_cleaned_since() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(1).await;
    hotel.deliver(&broken(&hotel, &doors[0], "2026-05-04T06:00:00Z")).await;
    hotel.clock.advance_seconds(60);
    let in_order = flipped(&hotel, &doors[0], "out_of_order", "dirty");
    hotel.clock.advance_seconds(60);
    hotel.deliver(&flipped(&hotel, &doors[0], "dirty", "cleaning")).await;
    hotel.deliver(&in_order).await;
    assert_eq!(to_sell(&hotel, &double).await, [1, 1, 1]);
    let rooms = hotel.get(&hotel.desk(), &format!("/reservation/v1/rooms?propertyId={}", hotel.property)).await.done();
    assert_eq!(rooms["items"][0]["housekeepingStatus"], "cleaning", "and it is still being cleaned");
}

#[tokio::test]
async fn that_a_room_broke_is_no_news_once_it_was_told_to_be_in_order() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(1).await;
    let late = broken(&hotel, &doors[0], "2026-05-04T06:00:00Z");
    hotel.clock.advance_seconds(60);
    hotel.deliver(&flipped(&hotel, &doors[0], "out_of_order", "dirty")).await;
    hotel.deliver(&late).await;
    assert_eq!(to_sell(&hotel, &double).await, [1, 1, 1]);
}

#[tokio::test]
async fn a_repair_that_takes_no_night_ends_what_was_told_before_and_whoever_waits_gets_the_room() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(1).await;
    let stay = hotel.confirmed_stay(hotel.booking(&double, "2026-05-01", "2026-05-03")).await;
    let room = async || hotel.reservation(&stay).await["items"][0].get("roomId").cloned();
    hotel.deliver(&broken(&hotel, &doors[0], "2026-05-04T06:00:00Z")).await;
    assert_eq!(room().await, None::<Value>);
    hotel.clock.advance_seconds(60);
    hotel.deliver(&broken(&hotel, &doors[0], "2026-05-01T07:00:00Z")).await;
    assert_eq!(room().await, Some(json!(doors[0].id)));
    assert_eq!(to_sell(&hotel, &double).await, [0, 0, 1], "sold, and not closed");
    let open = "reservation.room_blocks WHERE lifted_at IS NULL";
    assert_eq!(hotel.count(open).await, 0);
}

#[tokio::test]
async fn what_an_older_release_blocked_is_lifted_by_what_is_told_after_it() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(1).await;
    let now: Timestamp = hotel.now();
    let older = format!(
        "INSERT INTO reservation.room_blocks (tenant_id, id, room_id, starts, ends, by_event, created_at)
         VALUES ('{}', 'blk_OLDER', '{}', '2026-05-01', NULL, true, '{now}')",
        hotel.tenant, doors[0].id
    );
    hotel.behind.batch_execute(&older).await.unwrap();
    assert_eq!(to_sell(&hotel, &double).await, [0, 0, 0]);
    hotel.clock.advance_seconds(60);
    hotel.deliver(&flipped(&hotel, &doors[0], "out_of_order", "dirty")).await;
    assert_eq!(to_sell(&hotel, &double).await, [1, 1, 1]);
}

#[tokio::test]
async fn a_room_that_is_no_more_is_not_for_sale_though_that_is_heard_before_the_room_itself() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(1).await;
    let of = json!({ "tenantId": hotel.tenant, "propertyId": hotel.property, "roomId": "rom_LATE" });
    let mut made = of.clone();
    made["roomTypeId"] = json!(double);
    made["number"] = json!("102");
    hotel.deliver(&hotel.happening("property.room.archived.v1", &of)).await;
    hotel.deliver(&hotel.happening("property.room.created.v1", &made)).await;
    assert_eq!(to_sell(&hotel, &double).await, [1, 1, 1], "{} alone", doors[0].number);
    let path = format!("/reservation/v1/rooms?propertyId={}", hotel.property);
    let rooms = hotel.get(&hotel.desk(), &path).await.done();
    let late = rooms["items"].as_array().unwrap().iter().find(|room| room["roomId"] == "rom_LATE").unwrap();
    assert_eq!((&late["archived"], &late["number"]), (&json!(true), &json!("102")));
}
