//! What a room has been through: page by page, at a moment, and by whose hands.

use contracts::housekeeping::TaskKind;
use serde_json::{Value, json};

use crate::test_hotel::TestHotel;

#[tokio::test]
async fn pages_of_a_history_follow_each_other_without_a_gap_or_a_repetition() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let path = format!("/housekeeping/v1/rooms/{}/history", room.id);
    for status in ["dirty", "clean", "dirty", "ready", "dirty"] {
        let body = json!({ "status": status });
        hotel.post(&hotel.supervisor(), &format!("/housekeeping/v1/rooms/{}/status", room.id), body).await.done();
    }
    let whole = hotel.get(&hotel.supervisor(), &path).await.done();
    assert_eq!(whole.get("nextCursor"), Some(&serde_json::Value::Null), "the last page says that it is the last");
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = hotel.get(&hotel.supervisor(), &format!("{path}?limit=2{cursor}")).await.done();
        seen.extend(page["items"].as_array().unwrap().clone());
        match page["nextCursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    assert_eq!(Value::from(seen), whole["items"]);
    assert_eq!(whole["items"].as_array().unwrap().len(), 5);
    for cursor in ["x", "MTpyb21fMQ"] {
        let answer = hotel.get(&hotel.supervisor(), &format!("{path}?cursor={cursor}")).await;
        answer.refused(400, "MELMASTOON.HOUSEKEEPING.INVALID_VALUE").naming("cursor");
    }
}

#[tokio::test]
async fn a_room_is_shown_as_it_was_at_a_moment() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    for status in ["dirty", "out_of_order"] {
        hotel.clock.advance_seconds(3_600);
        let body = json!({ "status": status });
        hotel.post(&hotel.supervisor(), &format!("/housekeeping/v1/rooms/{}/status", room.id), body).await.done();
    }
    let moments = [
        ("2026-04-22T06:00:00Z", "ready", 0),
        ("2026-04-22T07:30:00Z", "dirty", 1),
        ("2026-04-22T08:29:59Z", "dirty", 1),
        ("2026-04-22T09:00:00Z", "out_of_order", 2),
    ];
    for (at, status, steps) in moments {
        let path = format!("/housekeeping/v1/rooms/{}/history?at={at}", room.id);
        let then = hotel.get(&hotel.supervisor(), &path).await.done();
        assert_eq!((&then["statusAt"], then["items"].as_array().unwrap().len()), (&json!(status), steps), "{at}");
    }
    let untouched = hotel.room("102", "clean").await;
    let path = format!("/housekeeping/v1/rooms/{}/history?at=2026-04-22T09:00:00Z", untouched.id);
    assert_eq!(hotel.get(&hotel.supervisor(), &path).await.done()["statusAt"], "clean");
}

#[tokio::test]
async fn whoever_cleans_sees_who_cleaned_before_and_what_the_last_inspection_said() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.person_on_shift().await;
    let (room, task) = hotel.cleaned_room("101", &gulalai).await;
    let path = format!("/housekeeping/v1/rooms/{}", room.id);
    let hers = hotel.housekeeper(&gulalai);
    let shown = hotel.get(&hers, &path).await.done();
    assert_eq!(
        (&shown["lastCleaning"]["staffId"], &shown["lastCleaning"]["kind"]),
        (&json!(gulalai), &json!("turnover"))
    );
    assert!(shown.get("lastInspection").is_none());
    let verdict = json!({ "outcome": "fail", "reason": "dust", "failedItemKeys": ["floor"] });
    hotel.command(&hotel.supervisor(), &task, "inspections", verdict).await.done();
    let last = hotel.get(&hers, &path).await.done()["lastInspection"].clone();
    assert_eq!(
        (&last["outcome"], &last["reason"], &last["failedItemKeys"]),
        (&json!("fail"), &json!("dust"), &json!(["floor"]))
    );
    let again = hotel.open_task(&room).await;
    hotel.clean(&again, TaskKind::Turnover, &gulalai).await;
    hotel.command(&hotel.supervisor(), &again, "inspections", json!({ "outcome": "pass" })).await.done();
    let shown = hotel.get(&hers, &path).await.done();
    assert_eq!(
        (&shown["lastInspection"]["outcome"], &shown["lastCleaning"]["taskId"]),
        (&json!("pass"), &json!(again))
    );
}
