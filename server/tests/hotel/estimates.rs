//! How long work takes, as it was learned; and when rooms will be ready.

use contracts::housekeeping::TaskKind;
use contracts::ids::StaffId;
use serde_json::{Value, json};

use crate::test_hotel::{Door, TestHotel, text};

/// The work is done in so many minutes.
async fn takes(hotel: &TestHotel, door: &Door, kind: TaskKind, staff: &StaffId, minutes: i64) -> String {
    let task = hotel.task_for(door, kind).await;
    hotel.begin(&task, staff).await;
    hotel.clock.advance_seconds(minutes * 60);
    hotel.complete(&task, kind, staff).await;
    task
}

async fn estimate(hotel: &TestHotel, door: &Door, kind: TaskKind) -> Value {
    let task = hotel.task_for(door, kind).await;
    let shown = hotel.task(&task).await["estimatedMinutes"].clone();
    hotel.command(&hotel.supervisor(), &task, "cancel", json!({ "reason": "only asked" })).await.done();
    shown
}

async fn type_of(hotel: &TestHotel, door: &Door, kind: &str) {
    let sql = "UPDATE housekeeping.rooms SET room_type = $2 WHERE room_id = $1";
    hotel.behind.execute(sql, &[&door.id.as_str(), &kind]).await.unwrap();
}

#[tokio::test]
async fn minutes_are_learned_from_the_median_of_the_last_fifty_once_there_are_twenty() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.person_on_shift().await;
    let (double, suite) = (hotel.room("101", "clean").await, hotel.room("102", "clean").await);
    type_of(&hotel, &suite, "suite").await;
    let said = json!({ "estimatedMinutes": { "mid_stay_clean": 30, "mid_stay_clean:suite": 45 } });
    hotel.put(&hotel.manager(), "/housekeeping/v1/settings", said).await.done();
    let kind = TaskKind::MidStayClean;
    assert_eq!(estimate(&hotel, &double, kind).await, 30, "as the hotel said for the kind");
    assert_eq!(estimate(&hotel, &suite, kind).await, 45, "as it said for the kind in such a room");
    for minutes in 10..29 {
        takes(&hotel, &double, kind, &gulalai, minutes).await;
    }
    // Reported late, all at once: that teaches nothing.
    takes(&hotel, &double, kind, &gulalai, 0).await;
    assert_eq!(estimate(&hotel, &double, kind).await, 30, "nineteen are too few");
    takes(&hotel, &double, kind, &gulalai, 500).await;
    assert_eq!(estimate(&hotel, &double, kind).await, 20, "between the tenth and the eleventh of twenty");
    assert_eq!(estimate(&hotel, &suite, kind).await, 45, "other rooms are another matter");
    assert_eq!(estimate(&hotel, &double, TaskKind::DeepClean).await, 90, "and so is other work");
    let body = json!({ "propertyId": hotel.property, "roomId": double.id, "kind": kind });
    let opened = hotel.post(&hotel.supervisor(), "/housekeeping/v1/tasks", body).await.done();
    assert_eq!(opened["estimatedMinutes"], 20, "the answer says what is kept");
    let known = "housekeeping.learned_minutes WHERE kind = 'mid_stay_clean' AND room_type = 'double' AND cardinality(latest) = 20";
    assert_eq!(hotel.count(known).await, 1);
}

#[tokio::test]
async fn a_turnover_that_an_event_opens_is_estimated_by_what_was_learned() {
    let hotel = TestHotel::open().await;
    let learned = format!(
        "INSERT INTO housekeeping.learned_minutes VALUES ('{}', '{}', 'turnover', 'double', array_fill(33, ARRAY[50]), 33)",
        hotel.tenant, hotel.property
    );
    hotel.behind.batch_execute(&learned).await.unwrap();
    let room = hotel.ready_room("101").await;
    hotel.deliver(&hotel.checked_out(&room)).await;
    let task = hotel.open_task(&room).await;
    assert_eq!(hotel.task(&task).await["estimatedMinutes"], 33);
    let gulalai = hotel.person_on_shift().await;
    hotel.begin(&task, &gulalai).await;
    hotel.clock.advance_seconds(40 * 60);
    hotel.complete(&task, TaskKind::Turnover, &gulalai).await;
    let fifty = "housekeeping.learned_minutes WHERE cardinality(latest) = 50 AND latest[1] = 40 AND minutes = 33";
    assert_eq!(hotel.count(fifty).await, 1, "the newest takes the place of the oldest");
}

#[tokio::test]
async fn every_room_that_is_not_ready_has_a_time_by_the_queue_of_whoever_cleans_it() {
    let hotel = TestHotel::open().await;
    let rooms = [hotel.ready_room("101").await, hotel.ready_room("102").await, hotel.ready_room("103").await];
    let (spare, broken) = (hotel.ready_room("104").await, hotel.room("105", "out_of_order").await);
    for room in &rooms {
        hotel.clock.advance_seconds(100);
        hotel.deliver(&hotel.checked_out(room)).await;
    }
    let times = async || -> Vec<String> {
        let board = hotel.board().await.0;
        let rooms = board["rooms"].as_array().unwrap();
        rooms
            .iter()
            .map(|room| room["readyEtaAt"].as_str().map_or_else(String::new, |at| at[11..16].to_owned()))
            .collect()
    };
    assert_eq!(times().await, ["", "", "", "", ""], "nobody is at work");
    let gulalai = hotel.person_on_shift().await;
    // It is 06:35: fifty minutes each, one after the other, and eight for each inspection.
    assert_eq!(times().await, ["07:33", "08:23", "09:13", "", ""]);
    let third = hotel.open_task(&rooms[2]).await;
    hotel.begin(&third, &gulalai).await;
    assert_eq!(times().await, ["08:23", "09:13", "07:33", "", ""], "what is begun comes first");
    hotel.clock.advance_seconds(61 * 60);
    assert_eq!(times().await[2], "07:48", "late: soon, from the next full five minutes on");
    hotel.complete(&third, TaskKind::Turnover, &gulalai).await;
    assert_eq!(times().await[2], "07:44", "cleaned at 07:36, and waits for its inspection");
    let parwin = hotel.person_on_shift().await;
    assert_eq!(times().await[..2], ["08:38", "08:38"], "two people clean two rooms at once");
    let second = hotel.open_task(&rooms[1]).await;
    for task in [&second, &hotel.open_task(&rooms[0]).await] {
        hotel.assign(task, &parwin).await;
    }
    assert_eq!(times().await[..2], ["08:38", "09:28"], "in the order they were opened");
    hotel.put(&hotel.manager(), "/housekeeping/v1/settings", json!({ "inspectionRequired": false })).await.done();
    assert_eq!(times().await[..2], ["08:30", "09:20"], "where nobody inspects");
    drop((spare, broken));
}

#[tokio::test]
async fn how_long_a_room_waits_for_its_inspection_is_learned_too() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.person_on_shift().await;
    for number in 0..20 {
        let (_, task) = hotel.cleaned_room(&format!("2{number:02}"), &gulalai).await;
        hotel.clock.advance_seconds(22 * 60);
        hotel.command(&hotel.supervisor(), &task, "inspections", json!({ "outcome": "pass" })).await.done();
    }
    let (door, _) = hotel.cleaned_room("301", &gulalai).await;
    let board = hotel.board().await.0;
    let room = board["rooms"].as_array().unwrap().iter().find(|room| room["roomId"] == json!(door.id)).unwrap();
    let at = contracts::time::Timestamp::parse(&text(&room["readyEtaAt"])).unwrap();
    assert_eq!(at.minutes_since(hotel.now()), 22);
}
