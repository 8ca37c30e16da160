//! Desk and housekeeping in one process: what one does, the other hears over the bus.

use contracts::housekeeping::TaskKind;
use serde_json::{Value, json};

use crate::test_hotel::TestHotel;

async fn arrivals(hotel: &TestHotel) -> Value {
    let path = format!("/reservation/v1/arrivals?propertyId={}", hotel.property);
    hotel.get(&hotel.desk(), &path).await.done()["items"].clone()
}

#[tokio::test]
async fn a_check_out_makes_the_room_dirty_on_the_board_and_a_room_that_is_ready_shows_in_the_arrivals() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(1).await;
    let gulalai = hotel.person_on_shift().await;
    let first = hotel.confirmed_stay(hotel.booking(&double, "2026-04-22", "2026-04-23")).await;
    let next = hotel.confirmed_stay(hotel.booking(&double, "2026-04-23", "2026-04-25")).await;
    hotel.stay(&first, "check-in/complete", json!({})).await.done();
    let cash = json!({ "method": "cash_on_arrival", "amountMicro": "100000000", "currency": "AFN" });
    hotel.stay(&first, "payments", cash).await.done();
    hotel.drain().await;
    // 07:00 in Kabul, the next morning.
    hotel.clock.advance_seconds(20 * 3_600);
    hotel.stay(&first, "check-out/complete", json!({})).await.done();
    hotel.drain().await;
    let board = hotel.board().await.0;
    let on_board = |board: &Value| {
        board["rooms"].as_array().unwrap().iter().find(|room| room["roomId"] == json!(doors[0].id)).unwrap().clone()
    };
    assert_eq!(on_board(&board)["status"], "dirty");
    let waiting = arrivals(&hotel).await;
    assert_eq!(waiting[0]["reservationId"], next["reservationId"]);
    assert_eq!(waiting[0]["items"][0]["roomReady"], false, "{waiting}");
    let task = hotel.open_task(&doors[0]).await;
    hotel.command(&hotel.supervisor(), &task, "assign", json!({ "staffId": gulalai, "force": true })).await.done();
    hotel.start(&task, &gulalai).await;
    hotel.complete(&task, TaskKind::Turnover, &gulalai).await;
    hotel.command(&hotel.supervisor(), &task, "inspections", json!({ "outcome": "pass" })).await.done();
    hotel.drain().await;
    let board = hotel.board().await.0;
    assert_eq!(on_board(&board)["status"], "ready");
    assert_eq!(arrivals(&hotel).await[0]["items"][0]["roomReady"], true);
}

#[tokio::test]
async fn a_room_that_a_family_takes_besides_is_occupied_on_the_board_and_dirty_when_they_leave_early() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(3).await;
    let family = hotel.confirmed_stay(hotel.booking(&double, "2026-04-22", "2026-04-25")).await;
    hotel.stay(&family, "check-in/complete", json!({})).await.done();
    let item = json!({ "roomTypeId": double, "occupants": { "adults": 1 }, "roomId": doors[2].id });
    hotel.stay(&family, "modifications", json!({ "type": "room_added", "item": item })).await.done();
    hotel.drain().await;
    let board = hotel.board().await;
    assert_eq!(board.room(doors[0].id.as_str()).occupancy, "occupied");
    assert_eq!(board.room(doors[2].id.as_str()).occupancy, "occupied", "they are in it as well");
    hotel.clock.advance_seconds(24 * 3_600);
    hotel.stay(&family, "early-checkout", json!({})).await.done();
    hotel.drain().await;
    let board = hotel.board().await;
    for door in [&doors[0], &doors[2]] {
        assert_eq!(board.room(door.id.as_str()).status, "dirty", "{}", door.number);
    }
}
