//! Who goes home leaves behind what they had begun: it is planned again behind the same gate, and no room waits for somebody who is gone.

use contracts::ids::{ShiftId, StaffId};
use serde_json::{Value, json};

use crate::routing::{row_of, turnovers};
use crate::test_hotel::{TestHotel, text};

async fn at_work(hotel: &TestHotel) -> (StaffId, ShiftId) {
    let (staff, shift): (StaffId, ShiftId) = (hotel.next(), hotel.next());
    hotel.deliver(&hotel.shift_scheduled(&shift)).await;
    hotel.deliver(&hotel.shift_assigned(&shift, &staff)).await;
    hotel.deliver(&hotel.clocked_in(Some(&shift), &staff)).await;
    (staff, shift)
}

fn alerts(board: &Value, code: &str) -> Vec<String> {
    let alerts = board["alerts"].as_array().unwrap().iter().filter(|alert| alert["code"] == code);
    alerts.map(|alert| text(&alert["taskId"])).collect()
}

fn ready(board: &Value, number: &str) -> Value {
    let rooms = board["rooms"].as_array().unwrap();
    rooms.iter().find(|room| room["number"] == number).unwrap()["readyEtaAt"].clone()
}

#[tokio::test]
async fn what_somebody_had_begun_who_goes_home_is_suggested_for_somebody_else_and_given_once_a_person_agrees() {
    let hotel = TestHotel::open().await;
    let ((leaving, shift), (staying, _)) = (at_work(&hotel).await, at_work(&hotel).await);
    let work = turnovers(&hotel, &["101", "102", "103"]).await;
    let (begun, paused, waiting) = (&work[0].1, &work[1].1, &work[2].1);
    hotel.begin(paused, &leaving).await;
    hotel.command(&hotel.housekeeper(&leaving), paused, "pause", json!({ "reason": "break" })).await.done();
    hotel.begin(begun, &leaving).await;
    hotel.assign(waiting, &leaving).await;
    hotel.clock.advance_seconds(20 * 60);
    hotel.deliver(&hotel.shift_ended(&shift, &leaving)).await;
    let board = hotel.board().await.0;
    let mut left = alerts(&board, "left_unfinished");
    left.sort();
    let mut expected = vec![begun.clone(), paused.clone()];
    expected.sort();
    assert_eq!(left, expected, "no plan holds them yet");
    hotel.clock.advance_seconds(3_600);
    hotel.tick("replanning").await.unwrap();
    let path = format!("/housekeeping/v1/routing/suggestions?propertyId={}&status=pending", hotel.property);
    let plan = hotel.get(&hotel.supervisor(), &path).await.done()["items"][0].clone();
    for task in [begun, paused, waiting] {
        let row = row_of(&plan, task);
        assert_eq!((text(&row["staffId"]), text(&row["previousStaffId"])), (staying.to_string(), leaving.to_string()));
    }
    let took = |task: &str| {
        let row = row_of(&plan, task);
        let at = |name: &str| contracts::Timestamp::parse(&text(&row[name])).unwrap();
        at("finishAt").minutes_since(at("startAt"))
    };
    assert_eq!((took(begun), took(paused), took(waiting)), (30, 50, 50), "what is left of it");
    let board = hotel.board().await.0;
    assert!(alerts(&board, "left_unfinished").is_empty(), "the plan holds them");
    for number in ["101", "102", "103"] {
        assert!(ready(&board, number).is_string(), "by whom the plan names, room {number}: {board}");
    }
    hotel.decide(&plan, "approve", json!({})).await.done();
    for task in [begun, paused, waiting] {
        let shown = hotel.task(task).await;
        assert_eq!((&shown["assigneeStaffId"], &shown["status"]), (&json!(staying), &json!("assigned")));
    }
    hotel.start(begun, &staying).await;
}

#[tokio::test]
async fn nobody_takes_over_what_somebody_is_at_who_never_came_by_the_clock_or_whom_somebody_helps() {
    let hotel = TestHotel::open().await;
    let ((leaving, shift), (staying, _)) = (at_work(&hotel).await, at_work(&hotel).await);
    let forced: StaffId = hotel.next();
    let work = turnovers(&hotel, &["101", "102"]).await;
    let give = json!({ "staffId": forced, "force": true });
    hotel.command(&hotel.supervisor(), &work[0].1, "assign", give).await.done();
    hotel.start(&work[0].1, &forced).await;
    hotel.begin(&work[1].1, &leaving).await;
    hotel.command(&hotel.supervisor(), &work[1].1, "helpers", json!({ "staffId": staying })).await.done();
    hotel.clock.advance_seconds(60);
    hotel.deliver(&hotel.shift_ended(&shift, &leaving)).await;
    let plan = hotel.suggest().await.done();
    assert_eq!(plan["rows"], json!([]), "{plan}");
    assert!(alerts(&hotel.board().await.0, "left_unfinished").is_empty());
}

#[tokio::test]
async fn a_room_that_nobody_finishes_is_ready_when_the_first_who_is_free_has_cleaned_it_or_at_no_time() {
    let hotel = TestHotel::open().await;
    let (leaving, shift) = at_work(&hotel).await;
    let work = turnovers(&hotel, &["101"]).await;
    hotel.begin(&work[0].1, &leaving).await;
    hotel.clock.advance_seconds(600);
    hotel.deliver(&hotel.shift_ended(&shift, &leaving)).await;
    assert_eq!(ready(&hotel.board().await.0, "101"), Value::Null, "nobody is there");
    hotel.person_on_shift().await;
    let board = hotel.board().await.0;
    assert_eq!(ready(&board, "101"), json!(hotel.now().plus_seconds(58 * 60)));
}
