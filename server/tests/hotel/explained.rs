//! What is changed explains itself: every event has a version of its own, every change an author.

use contracts::housekeeping::TaskKind;
use serde_json::{Value, json};

use crate::test_hotel::TestHotel;

#[tokio::test]
async fn each_event_of_a_decision_has_a_version_of_its_own() {
    let hotel = TestHotel::open().await;
    let staff = hotel.person_on_shift().await;
    let (door, task) = hotel.cleaned_room("101", &staff).await;
    hotel.news().await;
    hotel.command(&hotel.supervisor(), &task, "inspections", json!({ "outcome": "pass" })).await.done();
    let steps: Vec<(String, i64)> = hotel
        .news()
        .await
        .iter()
        .filter(|event| event["subject"] == "melmastoon.housekeeping.room.status_changed.v1")
        .map(|event| (event["payload"]["status"].to_string(), event["payload"]["aggregateVersion"].as_i64().unwrap()))
        .collect();
    let [(inspected, first), (ready, second)] = &steps[..] else { panic!("two steps: {steps:?}") };
    assert_eq!((inspected.as_str(), ready.as_str()), ("\"inspected\"", "\"ready\""));
    assert_eq!(*second, first + 1, "whoever drops what is stale must not lose `ready`");
    let room = hotel.get(&hotel.supervisor(), &format!("/housekeeping/v1/rooms/{}", door.id)).await.done();
    assert_eq!(room["version"], *second, "the last event is the room as it is");
}

#[tokio::test]
async fn whoever_takes_over_begins_without_the_others_breaks() {
    let hotel = TestHotel::open().await;
    let (first, second) = (hotel.person_on_shift().await, hotel.person_on_shift().await);
    let door = hotel.room("101", "dirty").await;
    let task = hotel.task_for(&door, TaskKind::Turnover).await;
    hotel.begin(&task, &first).await;
    hotel.command(&hotel.housekeeper(&first), &task, "pause", json!({ "reason": "break" })).await.done();
    hotel.clock.advance_seconds(3_600);
    hotel.command(&hotel.housekeeper(&first), &task, "resume", json!({})).await.done();
    hotel.begin(&task, &second).await;
    hotel.clock.advance_seconds(40 * 60);
    hotel.complete(&task, TaskKind::Turnover, &second).await;
    assert_eq!(hotel.task(&task).await["durationMinutes"], 40);
}

#[tokio::test]
async fn a_change_of_settings_leaves_its_author_and_what_was_before() {
    let hotel = TestHotel::open().await;
    let path = "/housekeeping/v1/settings";
    let mut settings = hotel.get(&hotel.manager(), path).await.done();
    settings["lostFoundRetentionDays"] = json!(30);
    hotel.put(&hotel.manager(), path, settings).await.done();
    let sql = "SELECT actor, payload, subject FROM housekeeping.audit_events WHERE aggregate_kind = 'settings'";
    let rows = hotel.behind.query(sql, &[]).await.unwrap();
    let [row] = &rows[..] else { panic!("one row: {}", rows.len()) };
    let (actor, payload): (Value, Value) = (row.get(0), row.get(1));
    assert_eq!(actor["id"], "stf_MANAGER");
    assert_eq!(
        (&payload["before"]["lostFoundRetentionDays"], &payload["after"]["lostFoundRetentionDays"]),
        (&json!(90), &json!(30))
    );
    assert_eq!(row.get::<_, &str>(2), "housekeeping.settings.changed");
    hotel.drain().await;
    assert_eq!(hotel.count("bus.event_log WHERE subject LIKE '%settings%'").await, 0, "nobody else is told");
}

#[tokio::test]
async fn a_decision_on_a_plan_leaves_its_author() {
    let hotel = TestHotel::open().await;
    hotel.person_on_shift().await;
    hotel.deliver(&hotel.checked_out(&hotel.ready_room("101").await)).await;
    let plan = hotel.suggest().await.done();
    hotel.decide(&plan, "approve", json!({})).await.done();
    let sql =
        "SELECT subject, actor ->> 'id' FROM housekeeping.audit_events WHERE aggregate_kind = 'suggestion' ORDER BY id";
    let rows = hotel.behind.query(sql, &[]).await.unwrap();
    let told: Vec<(String, String)> = rows.iter().map(|row| (row.get(0), row.get(1))).collect();
    let by = |what: &str| (format!("housekeeping.suggestion.{what}"), "stf_SUPERVISOR".to_owned());
    assert_eq!(told, [by("made"), by("decided")]);
}
