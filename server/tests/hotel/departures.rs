//! Departures and arrivals in every order in which they can be told.

use contracts::Payload;
use contracts::housekeeping::{RoomStatusChangedV1, TaskCreatedV1, TaskKind};
use contracts::ids::ReservationId;
use futures_util::future::join_all;
use serde_json::json;

use crate::shifts::orders;
use crate::test_hotel::{Door, TestHotel, text};

#[tokio::test]
async fn a_redelivered_checkout_changes_nothing() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let departure = hotel.checked_out(&room);

    hotel.deliver(&departure).await;
    hotel.deliver(&departure).await;

    assert_eq!(hotel.board().await.room("101").status, "dirty");
    assert_eq!(hotel.open_tasks(&room).await.len(), 1);
    assert_eq!(hotel.published().await, [TaskCreatedV1::SUBJECT, RoomStatusChangedV1::SUBJECT]);
    assert!(hotel.dead_letters().await.is_empty());
}

#[tokio::test]
async fn a_copy_that_comes_after_the_inbox_was_emptied_opens_no_second_turnover() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let departure = hotel.checked_out(&room);
    hotel.deliver(&departure).await;
    hotel.published().await;

    hotel.behind.execute("DELETE FROM housekeeping.inbox", &[]).await.unwrap();
    hotel.deliver(&departure).await;

    assert_eq!(hotel.tasks(&room).await.len(), 1);
    assert!(hotel.published().await.is_empty());
}

#[tokio::test]
async fn concurrent_copies_are_all_acknowledged_and_take_effect_once() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let departure = hotel.checked_out(&room);

    let answers = join_all((0..12).map(|_| hotel.push(&departure))).await;

    assert!(answers.iter().all(|answer| answer.status == 204), "{answers:?}");
    assert_eq!(hotel.tasks(&room).await.len(), 1);
    assert_eq!(hotel.published().await, [TaskCreatedV1::SUBJECT, RoomStatusChangedV1::SUBJECT]);
}

#[tokio::test]
async fn the_first_departures_of_a_new_tenant_may_come_all_at_once() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.person_on_shift().await;
    let mut rooms = Vec::new();
    for number in ["101", "102", "103", "104", "105", "106"] {
        rooms.push(hotel.ready_room(number).await);
    }
    let departures: Vec<_> = rooms.iter().map(|room| hotel.checked_out(room)).collect();
    let answers = join_all(departures.iter().map(|departure| hotel.push(departure))).await;
    assert!(answers.iter().all(|answer| answer.status == 204), "{answers:?}");

    let lost = "housekeeping.housekeeping_tasks t WHERE NOT EXISTS (SELECT FROM housekeeping.cleaning_checklists c WHERE c.id = t.checklist_id)";
    assert_eq!(hotel.count(lost).await, 0, "every task has the checklist that it names");
    for room in &rooms {
        let task = hotel.open_task(room).await;
        hotel.clean(&task, TaskKind::Turnover, &gulalai).await;
    }
}

#[tokio::test]
async fn departures_that_share_rooms_in_any_order_do_not_wait_for_each_other_for_ever() {
    let hotel = TestHotel::open().await;
    let (a, b, c) = (hotel.ready_room("101").await, hotel.ready_room("102").await, hotel.ready_room("103").await);
    let orders = [[&a, &b, &c], [&c, &b, &a], [&b, &c, &a], [&c, &a, &b]];
    let departures: Vec<_> = orders.iter().map(|doors| hotel.checked_out_of(&hotel.next(), doors)).collect();

    let answers = join_all(departures.iter().map(|departure| hotel.push(departure))).await;

    assert!(answers.iter().all(|answer| answer.status == 204), "{answers:?}");
    for door in [&a, &b, &c] {
        assert_eq!(hotel.open_tasks(door).await.len(), 1, "the last departure's");
        assert_eq!(hotel.tasks(door).await.len(), 4);
    }
}

#[tokio::test]
async fn an_early_departure_and_its_checkout_make_one_turnover_in_either_order() {
    for early_first in [true, false] {
        let hotel = TestHotel::open().await;
        let room = hotel.ready_room("101").await;
        let stay: ReservationId = hotel.next();
        hotel.deliver(&hotel.checked_in(&stay, &[&room])).await;
        let (early, checkout) = (hotel.left_early(&stay), hotel.checked_out_of(&stay, &[&room]));
        let told = if early_first { [&early, &checkout] } else { [&checkout, &early] };
        for event in told {
            hotel.deliver(event).await;
        }

        let tasks = hotel.tasks(&room).await;
        assert_eq!(tasks.len(), 1, "early first: {early_first}");
        assert_eq!(tasks[0]["priority"], "high", "an early departure is hastened, early first: {early_first}");
        let shown = hotel.board().await.room("101");
        assert_eq!((shown.status.as_str(), shown.occupancy.as_str()), ("dirty", "vacant"));
        assert_eq!(hotel.steps(&room).await.len(), 1);
    }
}

#[tokio::test]
async fn a_turnover_that_was_done_before_the_second_message_is_not_opened_again() {
    let hotel = TestHotel::open().await;
    let (room, gulalai) = (hotel.ready_room("101").await, hotel.person_on_shift().await);
    let stay: ReservationId = hotel.next();
    hotel.deliver(&hotel.checked_in(&stay, &[&room])).await;
    hotel.deliver(&hotel.left_early(&stay)).await;
    let task = hotel.open_task(&room).await;
    hotel.clean(&task, TaskKind::Turnover, &gulalai).await;

    hotel.deliver(&hotel.checked_out_of(&stay, &[&room])).await;

    assert_eq!(hotel.tasks(&room).await.len(), 1);
    assert_eq!(hotel.board().await.room("101").status, "cleaned", "the work is done; nobody has slept here since");
}

#[tokio::test]
async fn a_departure_voids_older_work_but_not_what_somebody_is_in_the_middle_of() {
    let hotel = TestHotel::open().await;
    let (room, gulalai) = (hotel.ready_room("101").await, hotel.person_on_shift().await);
    let waiting = hotel.task_for(&room, TaskKind::DeepClean).await;
    let running = hotel.task_for(&room, TaskKind::MidStayClean).await;
    hotel.begin(&running, &gulalai).await;
    // Lists go by the time in the id.
    hotel.clock.advance_seconds(60);

    hotel.deliver(&hotel.checked_out(&room)).await;

    assert_eq!(hotel.task(&waiting).await["status"], "cancelled");
    let kept = hotel.task(&running).await;
    assert_eq!((&kept["status"], &kept["priority"]), (&json!("in_progress"), &json!("high")), "kept and bumped");
    let open = hotel.open_tasks(&room).await;
    assert_eq!(open.len(), 2);
    assert_eq!((&open[1]["kind"], &open[1]["status"]), (&json!("turnover"), &json!("pending")));
    assert_eq!(hotel.board().await.room("101").status, "dirty");

    // What was going on ends without calling the room clean: the turnover is still due.
    hotel.complete(&running, TaskKind::MidStayClean, &gulalai).await;
    assert_eq!(hotel.board().await.room("101").status, "dirty");
}

#[tokio::test]
async fn what_was_going_on_when_the_guest_left_calls_the_room_clean_neither_after_a_break_nor_by_another_hand() {
    for given_on in [false, true] {
        let hotel = TestHotel::open().await;
        let (room, gulalai) = (hotel.ready_room("101").await, hotel.person_on_shift().await);
        let running = hotel.task_for(&room, TaskKind::MidStayClean).await;
        hotel.begin(&running, &gulalai).await;
        hotel.clock.advance_seconds(60);
        hotel.deliver(&hotel.checked_out(&room)).await;
        assert_eq!(hotel.board().await.room("101").status, "dirty");
        hotel.clock.advance_seconds(60);
        let hers = hotel.housekeeper(&gulalai);
        let whose = if given_on {
            let nasrin = hotel.person_on_shift().await;
            hotel.begin(&running, &nasrin).await;
            nasrin
        } else {
            hotel.command(&hers, &running, "pause", json!({ "reason": "break" })).await.done();
            hotel.command(&hers, &running, "resume", json!({})).await.done();
            gulalai
        };
        assert_eq!(hotel.board().await.room("101").status, "dirty", "given on: {given_on}");
        hotel.complete(&running, TaskKind::MidStayClean, &whose).await;
        assert_eq!(hotel.board().await.room("101").status, "dirty", "given on: {given_on}");
        // The turnover is what makes it fit for the next guest.
        hotel.clean(&hotel.open_task(&room).await, TaskKind::Turnover, &whose).await;
        assert_eq!(hotel.board().await.room("101").status, "cleaned");
    }
}

#[tokio::test]
async fn the_second_message_of_a_departure_leaves_work_alone_that_came_after_the_first() {
    let hotel = TestHotel::open().await;
    let (room, gulalai) = (hotel.ready_room("101").await, hotel.person_on_shift().await);
    let stay: ReservationId = hotel.next();
    hotel.deliver(&hotel.checked_in(&stay, &[&room])).await;
    hotel.deliver(&hotel.left_early(&stay)).await;
    let newer = hotel.task_for(&room, TaskKind::DeepClean).await;
    hotel.begin(&newer, &gulalai).await;
    hotel.command(&hotel.housekeeper(&gulalai), &newer, "pause", json!({ "reason": "break" })).await.done();

    hotel.deliver(&hotel.checked_out_of(&stay, &[&room])).await;

    assert_eq!(hotel.task(&newer).await["status"], "paused");
    assert_eq!(hotel.board().await.room("101").status, "cleaning");
}

#[tokio::test]
async fn a_guest_who_arrives_occupies_the_room_until_the_departure() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let stay: ReservationId = hotel.next();
    hotel.deliver(&hotel.checked_in(&stay, &[&room])).await;
    let shown = hotel.board().await.room("101");
    assert_eq!((shown.status.as_str(), shown.occupancy.as_str()), ("ready", "occupied"));

    hotel.deliver(&hotel.checked_out_of(&stay, &[&room])).await;
    assert_eq!(hotel.board().await.room("101").occupancy, "vacant");
}

#[tokio::test]
async fn a_check_in_that_comes_after_its_checkout_occupies_nothing() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let stay: ReservationId = hotel.next();
    let arrival = hotel.checked_in(&stay, &[&room]);
    hotel.deliver(&hotel.checked_out_of(&stay, &[&room])).await;
    hotel.deliver(&arrival).await;

    let shown = hotel.board().await.room("101");
    assert_eq!((shown.status.as_str(), shown.occupancy.as_str()), ("dirty", "vacant"));
    assert_eq!(hotel.tasks(&room).await.len(), 1);
}

#[tokio::test]
async fn a_room_never_seen_comes_into_being_by_its_departure() {
    let hotel = TestHotel::open().await;
    let room = Door { id: hotel.next(), number: "unknown".to_owned() };
    hotel.deliver(&hotel.checked_out(&room)).await;

    let shown = hotel.board().await.room(room.id.as_str());
    assert_eq!(shown.status, "dirty");
    assert_eq!(hotel.open_tasks(&room).await.len(), 1);
    assert_eq!(hotel.steps(&room).await[0].0, "clean", "a room never seen starts as clean");
}

#[tokio::test]
async fn a_room_that_is_out_of_order_keeps_its_status_and_the_task_waits() {
    for status in ["out_of_order", "out_of_service"] {
        let hotel = TestHotel::open().await;
        let room = hotel.room("101", status).await;
        hotel.deliver(&hotel.checked_out(&room)).await;

        assert_eq!(hotel.board().await.room("101").status, status);
        assert_eq!(hotel.open_tasks(&room).await.len(), 1);
        assert_eq!(hotel.published().await, [TaskCreatedV1::SUBJECT]);

        let (task, gulalai) = (hotel.open_task(&room).await, hotel.person_on_shift().await);
        hotel.assign(&task, &gulalai).await;
        let refused = hotel.command(&hotel.housekeeper(&gulalai), &task, "start", json!({})).await;
        refused.refused(409, "MELMASTOON.HOUSEKEEPING.ROOM_ILLEGAL_TRANSITION");
        assert_eq!(hotel.task(&task).await["status"], "assigned", "nothing half done");
    }
}

#[tokio::test]
async fn a_dirty_room_stays_dirty_and_gets_its_turnover() {
    let hotel = TestHotel::open().await;
    let room = hotel.room("101", "dirty").await;
    hotel.deliver(&hotel.checked_out(&room)).await;
    assert_eq!(hotel.published().await, [TaskCreatedV1::SUBJECT], "already dirty: the task alone");
    assert!(hotel.steps(&room).await.is_empty());
}

#[tokio::test]
async fn a_room_named_twice_in_one_departure_is_turned_over_once() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let stay: ReservationId = hotel.next();
    hotel.deliver(&hotel.checked_in(&stay, &[&room, &room])).await;
    hotel.deliver(&hotel.checked_out_of(&stay, &[&room, &room])).await;
    assert_eq!(hotel.tasks(&room).await.len(), 1);
    assert!(hotel.dead_letters().await.is_empty());
}

#[tokio::test]
async fn the_tenants_other_spellings_are_the_same_tenant_and_property() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let other_prefix = |id: &str, prefix: &str| json!(format!("{prefix}_{}", &id[4..]));
    let departure = hotel
        .checked_out(&room)
        .with("/payload/tenantId", other_prefix(hotel.tenant.as_str(), "ten"))
        .with("/payload/propertyId", other_prefix(hotel.property.as_str(), "ppt"));
    hotel.deliver(&departure).await;
    assert_eq!(hotel.board().await.room("101").status, "dirty");
}

#[tokio::test]
async fn a_turnover_that_somebody_opened_by_hand_for_the_stay_does_not_stand_for_the_departure() {
    for began in [false, true] {
        let hotel = TestHotel::open().await;
        let (room, gulalai) = (hotel.ready_room("101").await, hotel.person_on_shift().await);
        let stay: ReservationId = hotel.next();
        hotel.deliver(&hotel.checked_in(&stay, &[&room])).await;
        let body =
            json!({ "propertyId": hotel.property, "roomId": room.id, "kind": "turnover", "reservationId": stay });
        let by_hand = text(&hotel.post(&hotel.supervisor(), "/housekeeping/v1/tasks", body).await.done()["id"]);
        if began {
            hotel.clean(&by_hand, TaskKind::Turnover, &gulalai).await;
        }
        hotel.clock.advance_seconds(60);
        hotel.deliver(&hotel.checked_out_of(&stay, &[&room])).await;
        hotel.deliver(&hotel.left_early(&stay)).await;

        assert_eq!(hotel.board().await.room("101").status, "dirty", "the guest slept here until now");
        let open = hotel.open_tasks(&room).await;
        assert_eq!(open.len(), 1, "one turnover in the end: {open:?}");
        assert_eq!((&open[0]["source"], &open[0]["priority"]), (&json!("event"), &json!("high")));
        let was = if began { "completed" } else { "cancelled" };
        assert_eq!(hotel.task(&by_hand).await["status"], was);
    }
}

#[tokio::test]
async fn an_early_departure_that_overtakes_its_check_in_is_remembered() {
    for order in orders(3) {
        let hotel = TestHotel::open().await;
        let room = hotel.ready_room("101").await;
        let stay: ReservationId = hotel.next();
        let arrival = hotel.checked_in(&stay, &[&room]);
        hotel.clock.advance_seconds(3_600);
        let told = [arrival, hotel.left_early(&stay), hotel.checked_out_of(&stay, &[&room])];
        for at in &order {
            hotel.deliver(&told[*at]).await;
        }
        let shown = hotel.board().await.room("101");
        assert_eq!((shown.status.as_str(), shown.occupancy.as_str()), ("dirty", "vacant"), "{order:?}");
        let tasks = hotel.tasks(&room).await;
        assert_eq!(tasks.len(), 1, "{order:?}");
        assert_eq!(tasks[0]["priority"], "high", "{order:?}");
        assert!(hotel.dead_letters().await.is_empty());
    }
}

#[tokio::test]
async fn an_early_departure_alone_empties_the_room_that_the_late_check_in_names_and_nobody_cleans_for_a_guest_who_is_gone()
 {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let stay: ReservationId = hotel.next();
    let arrival = hotel.checked_in(&stay, &[&room]);
    hotel.clock.advance_seconds(60);
    hotel.deliver(&hotel.clean_requested(&stay)).await;
    hotel.deliver(&hotel.left_early(&stay)).await;
    hotel.deliver(&arrival).await;
    let shown = hotel.board().await.room("101");
    assert_eq!((shown.status.as_str(), shown.occupancy.as_str()), ("dirty", "vacant"));
    let tasks = hotel.tasks(&room).await;
    assert_eq!((tasks.len(), &tasks[0]["kind"]), (1, &json!("turnover")));
    // They come back for another night: that is a stay like any other.
    hotel.clock.advance_seconds(60);
    hotel.deliver(&hotel.checked_in(&stay, &[&hotel.ready_room("102").await])).await;
    assert_eq!(hotel.board().await.room("102").occupancy, "occupied");
    let again: contracts::ids::EventId = hotel.next();
    hotel.deliver(&arrival.with("/id", json!(again))).await;
    assert_eq!(hotel.board().await.room("102").occupancy, "occupied", "what is told once more of the first stay");
}

#[tokio::test]
async fn a_checkout_that_names_no_rooms_means_those_where_the_guest_was_seen() {
    let hotel = TestHotel::open().await;
    let (left, kept) = (hotel.ready_room("101").await, hotel.ready_room("102").await);
    let (guest, other): (ReservationId, ReservationId) = (hotel.next(), hotel.next());
    hotel.deliver(&hotel.checked_in(&guest, &[&left])).await;
    hotel.deliver(&hotel.checked_in(&other, &[&kept])).await;
    hotel.clock.advance_seconds(60);
    let departure = hotel.checked_out_of(&guest, &[]);
    hotel.deliver(&departure).await;
    hotel.deliver(&departure).await;
    let board = hotel.board().await;
    assert_eq!((board.room("101").status.as_str(), board.room("101").occupancy.as_str()), ("dirty", "vacant"));
    assert_eq!((board.room("102").status.as_str(), board.room("102").occupancy.as_str()), ("ready", "occupied"));
    // Told again with the rooms, it is the same departure.
    hotel.deliver(&hotel.checked_out_of(&guest, &[&left])).await;
    let tasks = hotel.tasks(&left).await;
    assert_eq!(tasks.len(), 1);
    assert_eq!(tasks[0]["priority"], "normal", "nobody left before the time");
    assert!(hotel.tasks(&kept).await.is_empty());

    // Heard before the check-in, it is not forgotten either.
    let late: ReservationId = hotel.next();
    let room = hotel.ready_room("103").await;
    let check_in = hotel.checked_in(&late, &[&room]);
    hotel.clock.advance_seconds(60);
    hotel.deliver(&hotel.checked_out_of(&late, &[])).await;
    hotel.deliver(&check_in).await;
    let board = hotel.board().await;
    assert_eq!((board.room("103").status.as_str(), board.room("103").occupancy.as_str()), ("dirty", "vacant"));
    assert_eq!(hotel.tasks(&room).await.len(), 1);
}
