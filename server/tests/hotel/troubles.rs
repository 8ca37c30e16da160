//! What does not go as planned: a task is brought before somebody, a guest lets nobody in.

use contracts::Payload;
use contracts::housekeeping::{TaskEscalatedV1, TaskKind, TaskPausedV1};
use contracts::ids::StaffId;
use serde_json::{Value, json};

use crate::test_hotel::{Door, TestHotel};

async fn assigned(hotel: &TestHotel) -> (Door, String, StaffId) {
    let (room, gulalai) = (hotel.ready_room("101").await, hotel.person_on_shift().await);
    let task = hotel.task_for(&room, TaskKind::MidStayClean).await;
    hotel.assign(&task, &gulalai).await;
    hotel.published().await;
    (room, task, gulalai)
}

#[tokio::test]
async fn an_escalated_task_is_on_the_board_until_somebody_takes_it_in_hand() {
    let hotel = TestHotel::open().await;
    let (_, task, gulalai) = assigned(&hotel).await;
    let body = json!({ "to": { "role": "supervisor" }, "reason": "nobody opens" });
    let done = hotel.command(&hotel.housekeeper(&gulalai), &task, "escalate", body).await.done();
    assert_eq!((&done["status"], &done["escalationReason"]), (&json!("assigned"), &json!("nobody opens")));
    let news = hotel.news().await;
    assert_eq!((news.len(), &news[0]["subject"]), (1, &json!(TaskEscalatedV1::SUBJECT)));
    let payload = &news[0]["payload"];
    assert_eq!((&payload["to"], &payload["escalatedBy"]["id"]), (&json!({ "role": "supervisor" }), &json!(gulalai)));
    let alerts = hotel.board().await.0["alerts"].clone();
    assert_eq!(
        (&alerts[0]["code"], &alerts[0]["taskId"], &alerts[0]["reason"]),
        (&json!("escalated"), &json!(task), &json!("nobody opens"))
    );
    let nasrin = hotel.person_on_shift().await;
    hotel.assign(&task, &nasrin).await;
    assert!(hotel.alerts().await.is_empty());
    let again = json!({ "to": { "staffId": "stf_MANAGER" }, "reason": "still" });
    hotel.command(&hotel.manager(), &task, "escalate", again).await.done();
    hotel.start(&task, &nasrin).await;
    assert!(hotel.alerts().await.is_empty());
    hotel.complete(&task, TaskKind::MidStayClean, &nasrin).await;
    let over = json!({ "to": { "role": "property_manager" }, "reason": "late" });
    let over = hotel.command(&hotel.supervisor(), &task, "escalate", over).await;
    over.refused(409, "MELMASTOON.HOUSEKEEPING.TASK_ILLEGAL_TRANSITION").naming("completed");
}

#[tokio::test]
async fn a_housekeeper_escalates_the_own_task_alone() {
    let hotel = TestHotel::open().await;
    let (_, task, _) = assigned(&hotel).await;
    let nasrin = hotel.person_on_shift().await;
    let body = json!({ "to": { "role": "supervisor" }, "reason": "late" });
    let refused = hotel.command(&hotel.housekeeper(&nasrin), &task, "escalate", body).await;
    refused.refused(403, "MELMASTOON.HOUSEKEEPING.NOT_THE_ASSIGNEE");
}

#[tokio::test]
async fn a_guest_who_lets_nobody_in_is_asked_again_later_and_after_three_times_the_desk_knows() {
    let hotel = TestHotel::open().await;
    let (_, task, gulalai) = assigned(&hotel).await;
    let hers = hotel.housekeeper(&gulalai);
    let body = json!({ "reason": "do_not_disturb", "comeBackAt": "2026-04-22T09:00:00Z" });
    let put_off = hotel.command(&hers, &task, "attempt", body).await.done();
    assert_eq!((&put_off["status"], &put_off["attempts"]), (&json!("assigned"), &json!(1)));
    assert_eq!(put_off["scheduledFor"], "2026-04-22T09:00:00.000Z");
    assert!(hotel.published().await.is_empty());
    hotel.command(&hers, &task, "attempt", json!({ "reason": "declined" })).await.done();
    assert!(hotel.alerts().await.is_empty());
    hotel.start(&task, &gulalai).await;
    hotel.published().await;
    let third = hotel.command(&hers, &task, "attempt", json!({ "reason": "guest_present" })).await.done();
    assert_eq!((&third["status"], &third["pauseReason"]), (&json!("paused"), &json!("guest_present")));
    assert_eq!(third["scheduledFor"], "2026-04-22T07:30:00.000Z", "an hour from now where nothing is said");
    assert_eq!(hotel.published().await, [TaskPausedV1::SUBJECT]);
    assert_eq!(hotel.alerts().await, ["guest_not_reached"]);
    let history = hotel.get(&hers, &format!("/housekeeping/v1/tasks/{task}/history")).await.done();
    let items = history["items"].as_array().unwrap();
    let reasons: Vec<_> = items
        .iter()
        .filter(|item| item["subject"] == "housekeeping.task.attempted")
        .map(|item| item["payload"]["reason"].as_str().unwrap())
        .collect();
    assert_eq!(reasons, ["do_not_disturb", "declined", "guest_present"]);
    hotel.command(&hers, &task, "resume", json!({})).await.done();
    assert!(hotel.alerts().await.is_empty(), "she was let in: there is nobody to be asked");
    hotel.complete(&task, TaskKind::MidStayClean, &gulalai).await;
    assert!(hotel.alerts().await.is_empty());
}

#[tokio::test]
async fn work_for_another_day_that_its_person_gives_back_is_for_that_day_and_what_is_due_is_due() {
    let hotel = TestHotel::open().await;
    let (monday, today) = (hotel.ready_room("101").await, hotel.ready_room("102").await);
    let gulalai = hotel.person_on_shift().await;
    for (door, hours) in [(&monday, 5 * 24), (&today, 1)] {
        let at = hotel.now().plus_seconds(hours * 3_600);
        let body = json!({ "propertyId": hotel.property, "roomId": door.id, "kind": "deep_clean", "scheduledFor": at });
        let task = hotel.post(&hotel.supervisor(), "/housekeeping/v1/tasks", body).await.done();
        hotel.assign(task["id"].as_str().unwrap(), &gulalai).await;
    }
    hotel.clock.advance_seconds(2 * 3_600);
    for door in [&monday, &today] {
        let task = hotel.open_task(door).await;
        let planned = hotel.task(&task).await["scheduledFor"].clone();
        hotel.command(&hotel.housekeeper(&gulalai), &task, "fail", json!({ "reason": "sickness" })).await.done();
        let again = &hotel.open_tasks(door).await[0];
        assert_eq!((&again["retryOf"], &again["status"]), (&json!(task), &json!("pending")));
        let due = if door.number == "101" { planned } else { Value::Null };
        assert_eq!(again["scheduledFor"], due, "{}", door.number);
    }
}

#[tokio::test]
async fn troubles_that_make_no_sense_are_refused_and_the_field_is_named() {
    let hotel = TestHotel::open().await;
    let (_, task, gulalai) = assigned(&hotel).await;
    let invalid = "MELMASTOON.HOUSEKEEPING.INVALID_VALUE";
    let nonsense: Vec<(&str, Value, &str, &str)> = vec![
        ("escalate", json!({}), invalid, "to"),
        ("escalate", json!({ "to": {}, "reason": "late" }), invalid, "to"),
        ("escalate", json!({ "to": { "role": "king" }, "reason": "late" }), invalid, "role"),
        ("escalate", json!({ "to": { "staffId": "me" }, "reason": "late" }), invalid, "staffId"),
        ("escalate", json!({ "to": { "role": "supervisor" }, "reason": " " }), invalid, "reason"),
        ("escalate", json!({ "to": { "role": "supervisor" } }), invalid, "reason"),
        ("escalate", json!({ "to": "supervisor", "reason": "late" }), invalid, "to"),
        ("attempt", json!({}), invalid, "reason"),
        ("attempt", json!({ "reason": "asleep" }), invalid, "reason"),
        ("attempt", json!({ "reason": "declined", "comeBackAt": "soon" }), invalid, "comeBackAt"),
        ("attempt", json!({ "reason": "declined", "comeBackAt": "2026-04-22T06:30:00Z" }), invalid, "comeBackAt"),
        ("attempt", json!({ "reason": "declined", "comeBackAt": "2027-04-22T06:30:00Z" }), invalid, "comeBackAt"),
    ];
    for (verb, body, code, names) in nonsense {
        let answer = hotel.command(&hotel.housekeeper(&gulalai), &task, verb, body.clone()).await;
        assert_eq!(answer.status, 400, "{verb} {body}: {}", answer.text);
        answer.refused(400, code).naming(names);
    }
    assert_eq!(hotel.task(&task).await["version"], 2);
    let nasrin = hotel.person_on_shift().await;
    let not_hers = hotel.command(&hotel.housekeeper(&nasrin), &task, "attempt", json!({ "reason": "declined" })).await;
    not_hers.refused(403, "MELMASTOON.HOUSEKEEPING.NOT_THE_ASSIGNEE");
}
