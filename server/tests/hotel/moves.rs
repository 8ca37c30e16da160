//! A guest goes to another room, and the messages of it come in any order.

use contracts::housekeeping::TaskKind;
use contracts::ids::ReservationId;
use serde_json::json;

use crate::test_hotel::{Door, TestHotel, text};

async fn three_rooms(hotel: &TestHotel) -> (Door, Door, Door) {
    (hotel.ready_room("101").await, hotel.ready_room("102").await, hotel.ready_room("103").await)
}

async fn occupancy(hotel: &TestHotel) -> Vec<(String, String)> {
    let board = hotel.board().await;
    board.0["rooms"].as_array().unwrap().iter().map(|room| (text(&room["status"]), text(&room["occupancy"]))).collect()
}

fn rooms(list: &[(&str, &str)]) -> Vec<(String, String)> {
    list.iter().map(|(status, occupancy)| ((*status).to_owned(), (*occupancy).to_owned())).collect()
}

#[tokio::test]
async fn a_guest_who_moves_leaves_a_dirty_room_with_a_turnover_in_either_order() {
    for move_first in [false, true] {
        let hotel = TestHotel::open().await;
        let (a, b, _) = three_rooms(&hotel).await;
        let stay: ReservationId = hotel.next();
        let arrival = hotel.checked_in(&stay, &[&a]);
        hotel.clock.advance_seconds(3_600);
        let moved = hotel.room_changed(&stay, Some(&a), &b);
        for event in if move_first { [&moved, &arrival, &moved] } else { [&arrival, &moved, &moved] } {
            hotel.deliver(event).await;
        }
        let seen = rooms(&[("dirty", "vacant"), ("ready", "occupied"), ("ready", "vacant")]);
        assert_eq!(occupancy(&hotel).await, seen, "move first: {move_first}");
        let tasks = hotel.tasks(&a).await;
        assert_eq!(tasks.len(), 1);
        assert_eq!((&tasks[0]["kind"], &tasks[0]["status"]), (&json!("turnover"), &json!("pending")));
        assert_eq!(hotel.steps(&a).await[0].2, "room_moved");
        assert!(hotel.tasks(&b).await.is_empty());
        // They go home from where they are, once.
        hotel.deliver(&hotel.checked_out_of(&stay, &[&b])).await;
        assert_eq!(hotel.open_tasks(&b).await.len(), 1);
        hotel.behind.execute("DELETE FROM housekeeping.inbox", &[]).await.unwrap();
        hotel.deliver(&moved).await;
        hotel.deliver(&arrival).await;
        assert_eq!((hotel.tasks(&a).await.len(), hotel.tasks(&b).await.len()), (1, 1));
        assert_eq!(occupancy(&hotel).await[1].1, "vacant");
        assert!(hotel.dead_letters().await.is_empty());
    }
}

#[tokio::test]
async fn a_guest_who_moves_twice_is_where_they_moved_last_in_any_order() {
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let hotel = TestHotel::open().await;
        let (a, b, c) = three_rooms(&hotel).await;
        let stay: ReservationId = hotel.next();
        let arrival = hotel.checked_in(&stay, &[&a]);
        hotel.clock.advance_seconds(3_600);
        let first = hotel.room_changed(&stay, Some(&a), &b);
        hotel.clock.advance_seconds(3_600);
        let second = hotel.room_changed(&stay, Some(&b), &c);
        let told = [arrival, first, second];
        for at in order {
            hotel.deliver(&told[at]).await;
        }
        let seen = rooms(&[("dirty", "vacant"), ("dirty", "vacant"), ("ready", "occupied")]);
        assert_eq!(occupancy(&hotel).await, seen, "{order:?}");
        assert_eq!((hotel.tasks(&a).await.len(), hotel.tasks(&b).await.len()), (1, 1), "{order:?}");
    }
}

#[tokio::test]
async fn a_guest_who_moves_back_is_in_the_first_room_and_leaves_a_turnover_there_again() {
    let hotel = TestHotel::open().await;
    let (a, b, _) = three_rooms(&hotel).await;
    let (stay, gulalai): (ReservationId, _) = (hotel.next(), hotel.person_on_shift().await);
    hotel.deliver(&hotel.checked_in(&stay, &[&a])).await;
    hotel.clock.advance_seconds(60);
    hotel.deliver(&hotel.room_changed(&stay, Some(&a), &b)).await;
    hotel.clean(&hotel.open_task(&a).await, TaskKind::Turnover, &gulalai).await;
    hotel.clock.advance_seconds(60);
    hotel.deliver(&hotel.room_changed(&stay, Some(&b), &a)).await;
    assert_eq!(hotel.board().await.room("101").occupancy, "occupied");
    assert_eq!(hotel.board().await.room("102").occupancy, "vacant");
    hotel.clock.advance_seconds(60);
    hotel.deliver(&hotel.checked_out_of(&stay, &[&a])).await;
    assert_eq!(hotel.open_tasks(&a).await.len(), 1);
    assert_eq!(hotel.board().await.room("101").occupancy, "vacant");
}

#[tokio::test]
async fn a_room_that_is_changed_before_the_guest_comes_dirties_nothing() {
    let hotel = TestHotel::open().await;
    let (a, b, _) = three_rooms(&hotel).await;
    let stay: ReservationId = hotel.next();
    hotel.deliver(&hotel.room_changed(&stay, None, &a)).await;
    hotel.clock.advance_seconds(60);
    hotel.deliver(&hotel.room_changed(&stay, Some(&a), &b)).await;
    hotel.clock.advance_seconds(60);
    hotel.deliver(&hotel.room_changed(&stay, Some(&b), &a)).await;
    hotel.clock.advance_seconds(60);
    assert_eq!(occupancy(&hotel).await, rooms(&[("ready", "vacant"); 3]));
    hotel.deliver(&hotel.checked_in(&stay, &[&a])).await;
    assert_eq!(occupancy(&hotel).await, rooms(&[("ready", "occupied"), ("ready", "vacant"), ("ready", "vacant")]));
    assert_eq!(hotel.count("housekeeping.housekeeping_tasks").await, 0);
}

#[tokio::test]
async fn an_early_departure_after_a_move_is_from_the_room_they_moved_to() {
    let hotel = TestHotel::open().await;
    let (a, b, _) = three_rooms(&hotel).await;
    let stay: ReservationId = hotel.next();
    hotel.deliver(&hotel.checked_in(&stay, &[&a])).await;
    hotel.clock.advance_seconds(60);
    hotel.deliver(&hotel.room_changed(&stay, Some(&a), &b)).await;
    hotel.deliver(&hotel.left_early(&stay)).await;
    assert_eq!((hotel.tasks(&a).await.len(), hotel.tasks(&b).await.len()), (1, 1));
}

#[tokio::test]
async fn other_changes_of_a_booking_change_no_room() {
    let hotel = TestHotel::open().await;
    let (a, b, _) = three_rooms(&hotel).await;
    let stay: ReservationId = hotel.next();
    hotel.deliver(&hotel.checked_in(&stay, &[&a])).await;
    hotel.deliver(&hotel.room_changed(&stay, Some(&a), &b).with("/payload/type", json!("rate_change"))).await;
    assert_eq!(hotel.board().await.room("101").occupancy, "occupied");
    assert!(hotel.dead_letters().await.is_empty());
}

#[tokio::test]
async fn a_check_out_that_overtakes_the_way_back_is_final_all_the_same() {
    for overtakes in [false, true] {
        let hotel = TestHotel::open().await;
        let (a, b, _) = three_rooms(&hotel).await;
        let stay: ReservationId = hotel.next();
        hotel.deliver(&hotel.checked_in(&stay, &[&a])).await;
        hotel.clock.advance_seconds(60);
        hotel.deliver(&hotel.room_changed(&stay, Some(&a), &b)).await;
        hotel.clock.advance_seconds(60);
        let back = hotel.room_changed(&stay, Some(&b), &a);
        hotel.clock.advance_seconds(60);
        let left = hotel.checked_out_of(&stay, &[&a]);
        for event in if overtakes { [&left, &back] } else { [&back, &left] } {
            hotel.deliver(event).await;
        }
        let seen = rooms(&[("dirty", "vacant"), ("dirty", "vacant"), ("ready", "vacant")]);
        assert_eq!(occupancy(&hotel).await, seen, "overtakes: {overtakes}");
    }
}

fn listed(doors: [(&Door, &str); 2]) -> serde_json::Value {
    json!({ "rooms": doors.map(|(door, item)| json!({ "itemId": item, "roomId": door.id })) })
}

#[tokio::test]
async fn two_who_exchange_their_rooms_are_both_in_in_either_order() {
    for exchange_first in [false, true] {
        let hotel = TestHotel::open().await;
        let (a, b, _) = three_rooms(&hotel).await;
        let stay: ReservationId = hotel.next();
        let arrival = hotel.checked_in(&stay, &[&a, &b]);
        hotel.clock.advance_seconds(3_600);
        let exchanged = hotel
            .room_changed(&stay, Some(&a), &b)
            .with("/payload/before", listed([(&a, "itm_101"), (&b, "itm_102")]))
            .with("/payload/after", listed([(&b, "itm_101"), (&a, "itm_102")]));
        for event in if exchange_first { [&exchanged, &arrival] } else { [&arrival, &exchanged] } {
            hotel.deliver(event).await;
        }
        for _ in 0..2 {
            let seen = rooms(&[("dirty", "occupied"), ("dirty", "occupied"), ("ready", "vacant")]);
            assert_eq!(occupancy(&hotel).await, seen, "exchange first: {exchange_first}");
            assert_eq!((hotel.tasks(&a).await.len(), hotel.tasks(&b).await.len()), (1, 1));
            hotel.behind.execute("DELETE FROM housekeeping.inbox", &[]).await.unwrap();
            hotel.deliver(&exchanged).await;
            hotel.deliver(&arrival).await;
        }
        hotel.clock.advance_seconds(60);
        hotel.deliver(&hotel.checked_out_of(&stay, &[&a, &b])).await;
        assert_eq!(occupancy(&hotel).await, rooms(&[("dirty", "vacant"), ("dirty", "vacant"), ("ready", "vacant")]));
        assert!(hotel.dead_letters().await.is_empty());
    }
}

#[tokio::test]
async fn one_who_moves_into_the_room_that_another_leaves_is_in_it() {
    let hotel = TestHotel::open().await;
    let (a, b, c) = three_rooms(&hotel).await;
    let stay: ReservationId = hotel.next();
    hotel.deliver(&hotel.checked_in(&stay, &[&a, &b])).await;
    hotel.clock.advance_seconds(60);
    let moved = hotel
        .room_changed(&stay, Some(&a), &b)
        .with("/payload/before", listed([(&a, "itm_101"), (&b, "itm_102")]))
        .with("/payload/after", listed([(&b, "itm_101"), (&c, "itm_102")]));
    hotel.deliver(&moved).await;
    assert_eq!(occupancy(&hotel).await, rooms(&[("dirty", "vacant"), ("dirty", "occupied"), ("ready", "occupied")]));
}

/// The doors behind which somebody is expected.
async fn expected(hotel: &TestHotel) -> Vec<String> {
    let sql =
        "SELECT r.number FROM housekeeping.arrivals a JOIN housekeeping.rooms r USING (tenant_id, property_id, room_id)
               WHERE a.over_at IS NULL ORDER BY 1";
    hotel.behind.query(sql, &[]).await.unwrap().iter().map(|row| row.get(0)).collect()
}

#[tokio::test]
async fn nobody_is_expected_in_a_room_that_the_booking_has_lost() {
    for loss_is_told in [true, false] {
        let hotel = TestHotel::open().await;
        let (a, b, _) = three_rooms(&hotel).await;
        let stay: ReservationId = hotel.next();
        hotel.deliver(&hotel.room_changed(&stay, None, &a)).await;
        assert_eq!(expected(&hotel).await, ["101"]);
        hotel.clock.advance_seconds(60);
        if loss_is_told {
            let lost = hotel.room_changed(&stay, Some(&a), &a).with("/payload/after", json!({ "itemId": "itm_1" }));
            hotel.deliver(&lost).await;
            assert!(expected(&hotel).await.is_empty());
        }
        hotel.clock.advance_seconds(60);
        hotel.deliver(&hotel.room_changed(&stay, None, &b)).await;
        assert_eq!(expected(&hotel).await, ["102"], "loss is told: {loss_is_told}");
        // And in the one that they had, where it is given to them again.
        hotel.clock.advance_seconds(60);
        hotel.deliver(&hotel.room_changed(&stay, None, &a)).await;
        assert_eq!(expected(&hotel).await, ["101"]);
        assert!(hotel.dead_letters().await.is_empty());
    }
}

#[tokio::test]
async fn two_who_are_to_exchange_their_rooms_before_they_come_are_both_expected() {
    let hotel = TestHotel::open().await;
    let (a, b, _) = three_rooms(&hotel).await;
    let stay: ReservationId = hotel.next();
    for (door, item) in [(&a, "itm_101"), (&b, "itm_102")] {
        let given = hotel.room_changed(&stay, None, door).with("/payload/before", json!({}));
        hotel.deliver(&given.with("/payload/after", json!({ "itemId": item, "roomId": door.id }))).await;
    }
    hotel.clock.advance_seconds(60);
    let exchanged = hotel
        .room_changed(&stay, Some(&a), &b)
        .with("/payload/before", listed([(&a, "itm_101"), (&b, "itm_102")]))
        .with("/payload/after", listed([(&b, "itm_101"), (&a, "itm_102")]));
    hotel.deliver(&exchanged).await;
    assert_eq!(expected(&hotel).await, ["101", "102"]);
}
