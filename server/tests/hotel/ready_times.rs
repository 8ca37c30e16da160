//! When rooms will be ready: everybody does what is theirs in the order that was planned, when its time has come and its room can be used.

use contracts::housekeeping::TaskKind;
use contracts::ids::StaffId;
use serde_json::{Value, json};

use crate::routing::{row_of, turnovers};
use crate::test_hotel::{Door, TestHotel, text};

/// When a room will be ready, by the board.
async fn ready(hotel: &TestHotel, number: &str) -> Value {
    let board = hotel.board().await.0;
    let rooms = board["rooms"].as_array().unwrap();
    rooms.iter().find(|room| room["number"] == number).unwrap()["readyEtaAt"].clone()
}

/// Fifty minutes for a turnover and eight for the inspection, so many turnovers and minutes from now on.
fn after(hotel: &TestHotel, turnovers: i64, minutes: i64) -> Value {
    json!(hotel.now().plus_seconds((turnovers * 50 + 8 + minutes) * 60))
}

async fn given(hotel: &TestHotel, door: &Door, staff: &StaffId, more: &Value) -> String {
    let mut body = json!({ "propertyId": hotel.property, "roomId": door.id, "kind": "turnover" });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let task = text(&hotel.post(&hotel.supervisor(), "/housekeeping/v1/tasks", body).await.done()["id"]);
    hotel.assign(&task, staff).await;
    task
}

#[tokio::test]
async fn rooms_become_ready_in_the_order_of_the_plan_that_was_approved() {
    let hotel = TestHotel::open().await;
    hotel.person_on_shift().await;
    // The farthest first: whoever walks goes the other way round than the tasks came.
    let work = turnovers(&hotel, &["109", "105", "101"]).await;
    let plan = hotel.suggest().await.done();
    let turn = |task: &str| row_of(&plan, task)["sequence"].as_i64().unwrap();
    assert_eq!(work.iter().map(|(_, task)| turn(task)).collect::<Vec<_>>(), [3, 2, 1], "{plan}");
    let mut by_id: Vec<&str> = work.iter().map(|(_, task)| task.as_str()).collect();
    by_id.sort_unstable();
    assert!(
        by_id.iter().map(|task| turn(task)).ne([1, 2, 3]),
        "the plan is not the order in which the tasks were made"
    );
    assert_eq!(ready(&hotel, "101").await, after(&hotel, 1, 0), "as it would be");
    hotel.decide(&plan, "approve", json!({})).await.done();
    for (door, task) in &work {
        assert_eq!(ready(&hotel, &door.number).await, after(&hotel, turn(task), 0), "room {}", door.number);
    }
    // What is begun comes first, whatever was planned.
    let staff = StaffId::parse(&text(&row_of(&plan, &work[0].1)["staffId"])).unwrap();
    hotel.start(&work[0].1, &staff).await;
    assert_eq!(ready(&hotel, "109").await, after(&hotel, 1, 0));
    assert_eq!(ready(&hotel, "101").await, after(&hotel, 2, 0));
}

#[tokio::test]
async fn without_a_plan_what_presses_most_is_ready_first() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.person_on_shift().await;
    let (a, b) = (hotel.room("101", "dirty").await, hotel.room("102", "dirty").await);
    given(&hotel, &a, &gulalai, &json!({})).await;
    given(&hotel, &b, &gulalai, &json!({ "priority": "high" })).await;
    assert_eq!(ready(&hotel, "102").await, after(&hotel, 1, 0));
    assert_eq!(ready(&hotel, "101").await, after(&hotel, 2, 0));
}

#[tokio::test]
async fn nothing_is_begun_before_its_time_and_nobody_stands_idle_until_then() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.person_on_shift().await;
    let mut rooms = Vec::new();
    for number in ["101", "102", "103", "104"] {
        rooms.push(hotel.room(number, "dirty").await);
    }
    let at = |minutes: i64| json!({ "scheduledFor": hotel.now().plus_seconds(minutes * 60), "priority": "high" });
    given(&hotel, &rooms[0], &gulalai, &at(24 * 60)).await;
    given(&hotel, &rooms[1], &gulalai, &at(40)).await;
    given(&hotel, &rooms[2], &gulalai, &json!({})).await;
    given(&hotel, &rooms[3], &gulalai, &json!({ "priority": "low" })).await;
    assert_eq!(ready(&hotel, "103").await, after(&hotel, 1, 0), "there is time for it meanwhile");
    assert_eq!(ready(&hotel, "102").await, after(&hotel, 2, 0), "its time has come by then");
    assert_eq!(ready(&hotel, "104").await, after(&hotel, 3, 0));
    assert_eq!(ready(&hotel, "101").await, after(&hotel, 1, 24 * 60));
    let hotel = TestHotel::open().await;
    hotel.person_on_shift().await;
    let room = hotel.room("101", "dirty").await;
    let later = hotel.now().plus_seconds(3_600);
    let body = json!({ "propertyId": hotel.property, "roomId": room.id, "kind": "turnover", "scheduledFor": later });
    hotel.post(&hotel.supervisor(), "/housekeeping/v1/tasks", body).await.done();
    assert_eq!(ready(&hotel, "101").await, after(&hotel, 1, 60), "nobody has it yet");
}

#[tokio::test]
async fn work_in_a_room_that_cannot_be_used_keeps_nobody_from_the_others() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.person_on_shift().await;
    let (broken, fine) = (hotel.room("101", "dirty").await, hotel.room("102", "dirty").await);
    given(&hotel, &broken, &gulalai, &json!({ "priority": "high" })).await;
    given(&hotel, &fine, &gulalai, &json!({})).await;
    assert_eq!(ready(&hotel, "102").await, after(&hotel, 2, 0));
    hotel.block(&broken, json!({ "reason": "maintenance" })).await.done();
    assert_eq!(ready(&hotel, "102").await, after(&hotel, 1, 0));
    assert_eq!(ready(&hotel, "101").await, Value::Null);
}

#[tokio::test]
async fn what_nobody_has_is_not_done_by_the_clerk_at_the_desk() {
    let hotel = TestHotel::open().await;
    hotel.on_shift_as("front_desk").await;
    let room = hotel.room("101", "dirty").await;
    hotel.task_for(&room, TaskKind::Turnover).await;
    assert_eq!(ready(&hotel, "101").await, Value::Null);
    hotel.on_shift_as("housekeeper").await;
    assert_eq!(ready(&hotel, "101").await, after(&hotel, 1, 0));
}

#[tokio::test]
async fn who_has_something_for_a_later_hour_does_what_nobody_has_until_then() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.person_on_shift().await;
    let mut doors = Vec::new();
    for number in ["101", "102", "103"] {
        doors.push(hotel.room(number, "dirty").await);
    }
    let at = |minutes: i64| json!({ "scheduledFor": hotel.now().plus_seconds(minutes * 60) });
    given(&hotel, &doors[0], &gulalai, &at(24 * 60)).await;
    hotel.task_for(&doors[1], TaskKind::Turnover).await;
    assert_eq!(ready(&hotel, "102").await, after(&hotel, 1, 0), "tomorrow's work keeps nobody from it");
    assert_eq!(ready(&hotel, "101").await, after(&hotel, 1, 24 * 60));
    given(&hotel, &doors[2], &gulalai, &at(30)).await;
    assert_eq!(ready(&hotel, "102").await, after(&hotel, 1, 0));
    assert_eq!(ready(&hotel, "103").await, after(&hotel, 2, 0), "its hour has come meanwhile");
}

#[tokio::test]
async fn what_is_meant_for_a_day_after_the_rest_is_done_does_not_keep_a_room_from_being_ready() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.person_on_shift().await;
    let (dirty, cleaned) = (hotel.room("101", "dirty").await, hotel.room("102", "cleaned").await);
    let monday = json!({ "kind": "deep_clean", "scheduledFor": hotel.now().plus_seconds(5 * 24 * 3_600) });
    for door in [&dirty, &cleaned] {
        given(&hotel, door, &gulalai, &monday).await;
    }
    assert_eq!(ready(&hotel, "102").await, after(&hotel, 0, 0), "as soon as it is inspected");
    assert_eq!(ready(&hotel, "101").await, after(&hotel, 0, 5 * 24 * 60 + 90), "there is nothing else to be done");
    given(&hotel, &dirty, &gulalai, &json!({})).await;
    assert_eq!(ready(&hotel, "101").await, after(&hotel, 1, 0));
    given(&hotel, &dirty, &gulalai, &json!({ "scheduledFor": hotel.now().plus_seconds(40 * 60) })).await;
    assert_eq!(ready(&hotel, "101").await, after(&hotel, 2, 0), "what is due before that does");
}

#[tokio::test]
async fn work_that_a_guest_interrupted_goes_on_when_they_said() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.person_on_shift().await;
    let (first, second) = (hotel.room("101", "dirty").await, hotel.room("102", "dirty").await);
    let task = given(&hotel, &first, &gulalai, &json!({})).await;
    given(&hotel, &second, &gulalai, &json!({})).await;
    hotel.start(&task, &gulalai).await;
    let body = json!({ "reason": "do_not_disturb", "comeBackAt": hotel.now().plus_seconds(120 * 60) });
    hotel.command(&hotel.housekeeper(&gulalai), &task, "attempt", body).await.done();
    assert_eq!(ready(&hotel, "101").await, after(&hotel, 1, 120));
    assert_eq!(ready(&hotel, "102").await, after(&hotel, 1, 0), "there is time for it meanwhile");
}
