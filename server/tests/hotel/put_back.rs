//! A person puts a reservation back where it was: housekeeping takes back what the last step did, whatever is told first.

use contracts::housekeeping::TaskKind;
use contracts::ids::ReservationId;
use serde_json::{Value, json};

use crate::test_hotel::{Door, Happening, TestHotel, text};

const STAYS: (&str, &str) = ("checked_out", "checked_in");
const NOT_IN: (&str, &str) = ("checked_in", "confirmed");

async fn seen(hotel: &TestHotel, door: &Door) -> (String, String) {
    let room = hotel.board().await.room(&door.number);
    (room.status, room.occupancy)
}

fn room(status: &str, occupancy: &str) -> (String, String) {
    (status.to_owned(), occupancy.to_owned())
}

/// Says it once more, as if it had never been heard.
async fn deliver_again(hotel: &TestHotel, told: &Happening) {
    hotel.behind.execute("DELETE FROM housekeeping.inbox", &[]).await.unwrap();
    hotel.deliver(told).await;
}

async fn statuses(hotel: &TestHotel, door: &Door) -> Vec<String> {
    let mut found: Vec<String> = hotel.tasks(door).await.iter().map(|task| text(&task["status"])).collect();
    found.sort();
    found
}

#[tokio::test]
async fn who_stays_after_all_is_in_a_room_that_is_as_it_was_and_nobody_is_sent_into_it() {
    for (early, left_from) in [(false, "checked_out"), (true, "checkout_started")] {
        let hotel = TestHotel::open().await;
        let (door, stay): (_, ReservationId) = (hotel.ready_room("101").await, hotel.next());
        hotel.deliver(&hotel.checked_in(&stay, &[&door])).await;
        hotel.clock.advance_seconds(60);
        hotel.deliver(&hotel.clean_requested(&stay)).await;
        hotel.clock.advance_seconds(60);
        let left = if early { hotel.left_early(&stay) } else { hotel.checked_out_of(&stay, &[&door]) };
        hotel.deliver(&left).await;
        assert_eq!(seen(&hotel, &door).await, room("dirty", "vacant"));
        hotel.clock.advance_seconds(60);
        let back = hotel.put_back(&stay, (left_from, "checked_in"), &[&door]);
        hotel.deliver(&back).await;
        for _ in 0..2 {
            assert_eq!(seen(&hotel, &door).await, room("ready", "occupied"), "early: {early}");
            assert_eq!(statuses(&hotel, &door).await, ["cancelled", "cancelled", "pending"]);
            assert_eq!(
                hotel.open_tasks(&door).await[0]["kind"],
                "mid_stay_clean",
                "what they asked for is theirs again"
            );
            deliver_again(&hotel, &back).await;
            deliver_again(&hotel, &left).await;
        }
        assert_eq!(hotel.steps(&door).await.last().unwrap().2, "manual_override");
        // They leave for good: this departure has a turnover of its own, and one.
        hotel.clock.advance_seconds(60);
        hotel.deliver(&hotel.left_early(&stay)).await;
        hotel.clock.advance_seconds(60);
        hotel.deliver(&hotel.checked_out_of(&stay, &[&door])).await;
        assert_eq!(seen(&hotel, &door).await, room("dirty", "vacant"));
        let open = hotel.open_tasks(&door).await;
        assert_eq!((open.len(), &open[0]["kind"]), (1, &json!("turnover")));
        deliver_again(&hotel, &back).await;
        assert_eq!(seen(&hotel, &door).await, room("dirty", "vacant"), "an older word");
        assert!(hotel.dead_letters().await.is_empty());
    }
}

#[tokio::test]
async fn a_turnover_that_found_the_guest_still_there_is_off_when_they_stay_and_the_room_is_as_it_was() {
    let hotel = TestHotel::open().await;
    let (door, stay, gulalai): (_, ReservationId, _) =
        (hotel.ready_room("101").await, hotel.next(), hotel.person_on_shift().await);
    hotel.deliver(&hotel.checked_in(&stay, &[&door])).await;
    hotel.clock.advance_seconds(60);
    hotel.deliver(&hotel.clean_requested(&stay)).await;
    hotel.clock.advance_seconds(60);
    hotel.deliver(&hotel.checked_out_of(&stay, &[&door])).await;
    let task = hotel.open_task(&door).await;
    hotel.assign(&task, &gulalai).await;
    hotel.clock.advance_seconds(60);
    let found = json!({ "reason": "room_not_vacated" });
    hotel.command(&hotel.housekeeper(&gulalai), &task, "fail", found).await.done();
    hotel.clock.advance_seconds(60);
    hotel.deliver(&hotel.put_back(&stay, STAYS, &[&door])).await;
    assert_eq!(seen(&hotel, &door).await, room("ready", "occupied"));
    assert_eq!(statuses(&hotel, &door).await, ["cancelled", "cancelled", "failed", "pending"]);
    assert_eq!(hotel.open_tasks(&door).await[0]["kind"], "mid_stay_clean", "what they asked for is theirs again");
}

#[tokio::test]
async fn a_room_that_was_cleaned_before_the_guest_came_back_is_turned_over_when_they_leave_again() {
    let hotel = TestHotel::open().await;
    let (door, stay, gulalai): (_, ReservationId, _) =
        (hotel.ready_room("101").await, hotel.next(), hotel.person_on_shift().await);
    hotel.deliver(&hotel.checked_in(&stay, &[&door])).await;
    hotel.clock.advance_seconds(60);
    hotel.deliver(&hotel.checked_out_of(&stay, &[&door])).await;
    let task = hotel.open_task(&door).await;
    hotel.clean(&task, TaskKind::Turnover, &gulalai).await;
    hotel.command(&hotel.supervisor(), &task, "inspections", json!({ "outcome": "pass" })).await.done();
    hotel.clock.advance_seconds(60);
    hotel.deliver(&hotel.put_back(&stay, STAYS, &[&door])).await;
    assert_eq!(seen(&hotel, &door).await, room("ready", "occupied"));
    hotel.clock.advance_seconds(3_600);
    hotel.deliver(&hotel.checked_out_of(&stay, &[&door])).await;
    assert_eq!(seen(&hotel, &door).await, room("dirty", "vacant"));
    assert_eq!(statuses(&hotel, &door).await, ["completed", "pending"]);
}

#[tokio::test]
async fn a_turnover_that_somebody_has_begun_goes_on_and_the_room_with_it() {
    let hotel = TestHotel::open().await;
    let (door, stay, gulalai): (_, ReservationId, _) =
        (hotel.ready_room("101").await, hotel.next(), hotel.person_on_shift().await);
    hotel.deliver(&hotel.checked_in(&stay, &[&door])).await;
    hotel.clock.advance_seconds(60);
    hotel.deliver(&hotel.checked_out_of(&stay, &[&door])).await;
    hotel.begin(&hotel.open_task(&door).await, &gulalai).await;
    hotel.clock.advance_seconds(60);
    hotel.deliver(&hotel.put_back(&stay, STAYS, &[&door])).await;
    assert_eq!(seen(&hotel, &door).await, room("cleaning", "occupied"));
    assert_eq!(statuses(&hotel, &door).await, ["in_progress"]);
}

#[tokio::test]
async fn in_whatever_order_it_is_told_they_are_where_the_last_word_has_them() {
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let hotel = TestHotel::open().await;
        let (door, stay): (_, ReservationId) = (hotel.ready_room("101").await, hotel.next());
        let came = hotel.checked_in(&stay, &[&door]);
        hotel.clock.advance_seconds(60);
        let left = hotel.checked_out_of(&stay, &[&door]);
        hotel.clock.advance_seconds(60);
        let back = hotel.put_back(&stay, STAYS, &[&door]);
        hotel.clock.advance_seconds(60);
        let told = [came, left, back];
        for at in order {
            hotel.deliver(&told[at]).await;
        }
        assert_eq!(seen(&hotel, &door).await, room("ready", "occupied"), "{order:?}");
        assert!(hotel.open_tasks(&door).await.is_empty(), "{order:?}");
    }
}

#[tokio::test]
async fn who_left_again_before_it_was_heard_that_they_had_come_back_leaves_a_room_that_is_turned_over() {
    let hotel = TestHotel::open().await;
    let (door, stay, gulalai): (_, ReservationId, _) =
        (hotel.ready_room("101").await, hotel.next(), hotel.person_on_shift().await);
    hotel.deliver(&hotel.checked_in(&stay, &[&door])).await;
    hotel.clock.advance_seconds(60);
    hotel.deliver(&hotel.checked_out_of(&stay, &[&door])).await;
    let task = hotel.open_task(&door).await;
    hotel.clean(&task, TaskKind::Turnover, &gulalai).await;
    hotel.command(&hotel.supervisor(), &task, "inspections", json!({ "outcome": "pass" })).await.done();
    hotel.clock.advance_seconds(60);
    let back = hotel.put_back(&stay, STAYS, &[&door]);
    hotel.clock.advance_seconds(3_600);
    hotel.deliver(&hotel.checked_out_of(&stay, &[&door])).await;
    hotel.deliver(&back).await;
    deliver_again(&hotel, &back).await;
    assert_eq!(seen(&hotel, &door).await, room("dirty", "vacant"));
    assert_eq!(statuses(&hotel, &door).await, ["completed", "pending"]);
}

#[tokio::test]
async fn who_is_not_in_after_all_leaves_a_clean_room_and_is_expected_again_in_either_order() {
    for late in [false, true] {
        let hotel = TestHotel::open().await;
        let (door, stay): (_, ReservationId) = (hotel.ready_room("101").await, hotel.next());
        hotel.deliver(&hotel.confirmed(&stay, "2026-04-22")).await;
        let (desk, came) = (hotel.check_in_started(&stay, &[&door]), hotel.checked_in(&stay, &[&door]));
        hotel.clock.advance_seconds(60);
        let undone = hotel.put_back(&stay, NOT_IN, &[&door]);
        let told = if late { [&undone, &desk, &came] } else { [&desk, &came, &undone] };
        for event in told {
            hotel.deliver(event).await;
        }
        let expected = json!("2026-04-22T09:30:00.000Z");
        assert_eq!(seen(&hotel, &door).await, room("ready", "vacant"), "nobody slept there, late: {late}");
        assert_eq!(hotel.board().await.0["rooms"][0]["nextArrivalAt"], expected, "late: {late}");
        assert!(hotel.tasks(&door).await.is_empty());
        deliver_again(&hotel, &undone).await;
        // They come for good, and leave once.
        hotel.clock.advance_seconds(60);
        let again = hotel.check_in_started(&stay, &[&door]);
        hotel.deliver(&again).await;
        let now = json!(hotel.now());
        assert_eq!(hotel.board().await.0["rooms"][0]["nextArrivalAt"], now, "at the desk, late: {late}");
        hotel.clock.advance_seconds(60);
        hotel.deliver(&hotel.checked_in(&stay, &[&door])).await;
        deliver_again(&hotel, &undone).await;
        assert_eq!(seen(&hotel, &door).await, room("ready", "occupied"), "late: {late}");
        hotel.clock.advance_seconds(60);
        hotel.deliver(&hotel.checked_out_of(&stay, &[&door])).await;
        assert_eq!(seen(&hotel, &door).await, room("dirty", "vacant"));
        assert_eq!(hotel.open_tasks(&door).await.len(), 1);
    }
}

#[tokio::test]
async fn who_was_checked_in_elsewhere_afterwards_is_no_ghost_in_the_first_room() {
    let hotel = TestHotel::open().await;
    let (a, b, stay): (_, _, ReservationId) =
        (hotel.ready_room("101").await, hotel.ready_room("102").await, hotel.next());
    hotel.deliver(&hotel.checked_in(&stay, &[&a])).await;
    hotel.deliver(&hotel.clean_requested(&stay)).await;
    hotel.clock.advance_seconds(60);
    let undone = hotel.put_back(&stay, NOT_IN, &[&a]);
    hotel.clock.advance_seconds(60);
    hotel.deliver(&hotel.checked_in(&stay, &[&b])).await;
    hotel.deliver(&undone).await;
    assert_eq!(seen(&hotel, &a).await, room("ready", "vacant"));
    assert_eq!(seen(&hotel, &b).await, room("ready", "occupied"));
    assert_eq!(statuses(&hotel, &a).await, ["cancelled"], "nobody is there to clean for");
}

#[tokio::test]
async fn the_room_of_a_wrong_button_is_none_of_those_that_an_early_departure_is_from() {
    let hotel = TestHotel::open().await;
    let (a, b, stay): (_, _, ReservationId) =
        (hotel.ready_room("101").await, hotel.ready_room("102").await, hotel.next());
    hotel.deliver(&hotel.checked_in(&stay, &[&a])).await;
    hotel.clock.advance_seconds(60);
    hotel.deliver(&hotel.put_back(&stay, NOT_IN, &[&a])).await;
    hotel.clock.advance_seconds(60);
    hotel.deliver(&hotel.checked_in(&stay, &[&b])).await;
    // Other guests come into the first room, and wish for a clean.
    let others: ReservationId = hotel.next();
    hotel.deliver(&hotel.checked_in(&others, &[&a])).await;
    hotel.deliver(&hotel.clean_requested(&others)).await;
    hotel.clock.advance_seconds(60);
    hotel.deliver(&hotel.left_early(&stay)).await;
    assert_eq!(seen(&hotel, &a).await, room("ready", "occupied"), "they were never in it");
    assert_eq!(statuses(&hotel, &a).await, ["pending"], "the clean of those who are");
    assert_eq!(seen(&hotel, &b).await, room("dirty", "vacant"));
    // And they stay after all, where they were.
    hotel.clock.advance_seconds(60);
    hotel.deliver(&hotel.put_back(&stay, ("checkout_started", "checked_in"), &[])).await;
    assert_eq!(seen(&hotel, &b).await, room("ready", "occupied"));
    hotel.clock.advance_seconds(60);
    hotel.deliver(&hotel.checked_out_of(&others, &[&a])).await;
    assert_eq!(seen(&hotel, &a).await, room("dirty", "vacant"), "nobody else is in it");
}

#[tokio::test]
async fn who_is_not_in_after_all_and_is_given_another_room_is_expected_there() {
    let hotel = TestHotel::open().await;
    let (a, b, stay): (_, _, ReservationId) =
        (hotel.ready_room("101").await, hotel.ready_room("102").await, hotel.next());
    hotel.deliver(&hotel.confirmed(&stay, "2026-04-22")).await;
    hotel.deliver(&hotel.checked_in(&stay, &[&a])).await;
    hotel.clock.advance_seconds(60);
    hotel.deliver(&hotel.put_back(&stay, NOT_IN, &[&a])).await;
    let next = async |door: &Door| {
        let board = hotel.board().await.0;
        let rooms = board["rooms"].as_array().unwrap();
        rooms.iter().find(|one| one["roomId"] == json!(door.id)).unwrap()["nextArrivalAt"].clone()
    };
    let expected = json!("2026-04-22T09:30:00.000Z");
    assert_eq!((next(&a).await, next(&b).await), (expected.clone(), Value::Null));
    hotel.clock.advance_seconds(60);
    let changed = hotel.room_changed(&stay, Some(&a), &b);
    hotel.deliver(&changed).await;
    for _ in 0..2 {
        assert_eq!((next(&a).await, next(&b).await), (Value::Null, expected.clone()));
        assert_eq!(
            (seen(&hotel, &a).await, seen(&hotel, &b).await),
            (room("ready", "vacant"), room("ready", "vacant"))
        );
        deliver_again(&hotel, &changed).await;
    }
    assert!(hotel.tasks(&a).await.is_empty(), "nobody slept there");
    hotel.clock.advance_seconds(60);
    hotel.deliver(&hotel.checked_in(&stay, &[&b])).await;
    assert_eq!((seen(&hotel, &a).await, seen(&hotel, &b).await), (room("ready", "vacant"), room("ready", "occupied")));
    hotel.clock.advance_seconds(60);
    hotel.deliver(&hotel.checked_out_of(&stay, &[&b])).await;
    assert_eq!((hotel.tasks(&a).await.len(), hotel.open_tasks(&b).await.len()), (0, 1));
}

#[tokio::test]
async fn who_comes_after_all_is_expected_again_also_where_the_end_is_told_late() {
    for from in ["cancelled", "no_show"] {
        for late in [false, true] {
            let hotel = TestHotel::open().await;
            let (door, stay): (_, ReservationId) = (hotel.ready_room("101").await, hotel.next());
            hotel.deliver(&hotel.confirmed(&stay, "2026-04-22")).await;
            hotel.deliver(&hotel.room_changed(&stay, None, &door)).await;
            hotel.clock.advance_seconds(60);
            let off = if from == "no_show" { hotel.no_show(&stay) } else { hotel.cancelled(&stay, &["itm_101"]) };
            hotel.clock.advance_seconds(60);
            let back = hotel.put_back(&stay, (from, "confirmed"), &[&door]);
            for event in if late { [&back, &off] } else { [&off, &back] } {
                hotel.deliver(event).await;
            }
            let next = |board: &Value| board["rooms"][0]["nextArrivalAt"].clone();
            let expected = json!("2026-04-22T09:30:00.000Z");
            assert_eq!(next(&hotel.board().await.0), expected, "{from}, late: {late}");
            hotel.deliver(&hotel.checked_out(&door)).await;
            assert_eq!(hotel.open_tasks(&door).await[0]["priority"], "high", "{from}, late: {late}");
            deliver_again(&hotel, &off).await;
            assert_eq!(next(&hotel.board().await.0), expected);
            hotel.clock.advance_seconds(60);
            hotel.deliver(&hotel.cancelled(&stay, &[])).await;
            assert_eq!(next(&hotel.board().await.0), Value::Null, "off for good");
        }
    }
}

#[tokio::test]
async fn what_the_desk_takes_back_over_its_own_door_is_taken_back_on_the_board() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(1).await;
    let stay = hotel.confirmed_stay(hotel.booking(&double, "2026-04-22", "2026-04-25")).await;
    let status = async || {
        hotel.drain().await;
        let board = hotel.board().await.0;
        let rooms = board["rooms"].as_array().unwrap();
        let found = rooms.iter().find(|room| room["roomId"] == json!(doors[0].id)).unwrap();
        (text(&found["status"]), text(&found["occupancy"]))
    };
    let put = |status: &str| json!({ "type": "manual_state_override", "status": status, "reason": "the wrong button" });
    hotel.stay(&stay, "check-in/complete", json!({})).await.done();
    let (clean, occupied) = status().await;
    assert_eq!(occupied, "occupied");
    hotel.clock.advance_seconds(60);
    crate::reservation_modifications::by_manager(&hotel, &stay, put("confirmed")).await.done();
    assert_eq!(status().await, (clean.clone(), "vacant".to_owned()));
    hotel.clock.advance_seconds(60);
    hotel.stay(&stay, "check-in/complete", json!({})).await.done();
    hotel.clock.advance_seconds(60);
    let path = crate::reservation_modifications::modifications(&stay).replace("modifications", "check-out/complete");
    hotel.post(&hotel.manager(), &path, json!({ "allowUnsettled": true })).await.done();
    assert_eq!(status().await, room("dirty", "vacant"));
    hotel.clock.advance_seconds(60);
    crate::reservation_modifications::by_manager(&hotel, &stay, put("checked_in")).await.done();
    assert_eq!(status().await, (clean, "occupied".to_owned()));
    assert!(hotel.open_tasks(&doors[0]).await.is_empty());
    assert!(hotel.dead_letters().await.is_empty());
}

#[tokio::test]
async fn a_turnover_that_was_begun_and_given_to_somebody_else_goes_on_as_well() {
    let hotel = TestHotel::open().await;
    let (door, stay): (_, ReservationId) = (hotel.ready_room("101").await, hotel.next());
    let (gulalai, zarmina) = (hotel.person_on_shift().await, hotel.person_on_shift().await);
    hotel.deliver(&hotel.checked_in(&stay, &[&door])).await;
    hotel.clock.advance_seconds(60);
    hotel.deliver(&hotel.checked_out_of(&stay, &[&door])).await;
    let task = hotel.open_task(&door).await;
    hotel.begin(&task, &gulalai).await;
    hotel.assign(&task, &zarmina).await;
    hotel.clock.advance_seconds(60);
    hotel.deliver(&hotel.put_back(&stay, STAYS, &[&door])).await;
    assert_eq!(seen(&hotel, &door).await, room("cleaning", "occupied"));
    assert_eq!(statuses(&hotel, &door).await, ["assigned"]);
    hotel.start(&task, &zarmina).await;
    hotel.complete(&task, TaskKind::Turnover, &zarmina).await;
    assert_eq!(seen(&hotel, &door).await, room("cleaned", "occupied"));
}

#[tokio::test]
async fn a_clean_that_was_begun_and_is_called_off_leaves_no_room_in_cleaning() {
    for cancelled in [false, true] {
        let hotel = TestHotel::open().await;
        let (door, stay): (_, ReservationId) = (hotel.ready_room("101").await, hotel.next());
        let (gulalai, zarmina) = (hotel.person_on_shift().await, hotel.person_on_shift().await);
        hotel.deliver(&hotel.checked_in(&stay, &[&door])).await;
        hotel.deliver(&hotel.clean_requested(&stay)).await;
        let task = hotel.open_task(&door).await;
        hotel.begin(&task, &gulalai).await;
        hotel.assign(&task, &zarmina).await;
        assert_eq!(hotel.board().await.room("101").status, "cleaning");
        hotel.clock.advance_seconds(60);
        let off = if cancelled { hotel.cancelled(&stay, &[]) } else { hotel.put_back(&stay, NOT_IN, &[&door]) };
        hotel.deliver(&off).await;
        assert_eq!(statuses(&hotel, &door).await, ["cancelled"], "cancelled: {cancelled}");
        assert_eq!(hotel.board().await.room("101").status, "dirty", "cancelled: {cancelled}");
        assert_eq!(hotel.steps(&door).await.last().unwrap().2, "task_cancelled");
        assert!(hotel.dead_letters().await.is_empty());
    }
}
