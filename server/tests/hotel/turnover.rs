//! A guest leaves, a housekeeper cleans, a supervisor looks the room over, and the room is ready.

use std::collections::HashSet;

use contracts::Payload;
use contracts::housekeeping::{
    InspectionFailedV1, InspectionPassedV1, InspectionWaivedV1, RoomStatusChangedV1, TaskAssignedV1, TaskCancelledV1,
    TaskCompletedV1, TaskCreatedV1, TaskFailedV1, TaskKind, TaskPausedV1, TaskReassignedV1, TaskResumedV1,
    TaskStartedV1,
};
use contracts::ids::StaffId;
use platform::auth::Role;
use serde_json::json;

use crate::test_hotel::{TestHotel, text, whole_report};

fn steps(list: &[(&str, &str, &str)]) -> Vec<(String, String, String)> {
    list.iter().map(|(from, to, cause)| ((*from).to_owned(), (*to).to_owned(), (*cause).to_owned())).collect()
}

#[tokio::test]
async fn a_guest_leaves_and_the_room_becomes_ready_again() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let gulalai = hotel.person_on_shift().await;

    hotel.deliver(&hotel.checked_out(&room)).await;
    assert_eq!(hotel.board().await.room("101").status, "dirty");
    let task = hotel.open_task(&room).await;
    assert_eq!(hotel.published().await, [TaskCreatedV1::SUBJECT, RoomStatusChangedV1::SUBJECT]);

    hotel.assign(&task, &gulalai).await;
    assert_eq!(hotel.published().await, [TaskAssignedV1::SUBJECT]);

    hotel.start(&task, &gulalai).await;
    assert_eq!(hotel.board().await.room("101").status, "cleaning");
    assert_eq!(hotel.published().await, [TaskStartedV1::SUBJECT, RoomStatusChangedV1::SUBJECT]);

    hotel.clock.advance_seconds(20 * 60);
    hotel.command(&hotel.housekeeper(&gulalai), &task, "pause", json!({ "reason": "break" })).await.done();
    hotel.clock.advance_seconds(10 * 60);
    hotel.command(&hotel.housekeeper(&gulalai), &task, "resume", json!({})).await.done();
    assert_eq!(hotel.published().await, [TaskPausedV1::SUBJECT, TaskResumedV1::SUBJECT]);

    hotel.clock.advance_seconds(15 * 60);
    hotel.complete(&task, TaskKind::Turnover, &gulalai).await;
    assert_eq!(hotel.board().await.room("101").status, "cleaned");
    assert_eq!(hotel.task(&task).await["durationMinutes"], 35, "breaks are not work");
    assert_eq!(hotel.published().await, [TaskCompletedV1::SUBJECT, RoomStatusChangedV1::SUBJECT]);

    let held = hotel.command(&hotel.supervisor(), &task, "inspections", json!({ "outcome": "pass" })).await;
    assert_eq!((held.status, text(&held.body["outcome"])), (201, "pass".to_owned()));
    assert!(held.header("location").is_some_and(|place| place.contains(&task)));
    let ready = hotel.board().await.room("101");
    assert_eq!((ready.status.as_str(), ready.open_task), ("ready", None));
    let subjects = [InspectionPassedV1::SUBJECT, RoomStatusChangedV1::SUBJECT, RoomStatusChangedV1::SUBJECT];
    assert_eq!(hotel.published().await, subjects);

    let path = [
        ("ready", "dirty", "reservation_checked_out"),
        ("dirty", "cleaning", "task_started"),
        ("cleaning", "cleaned", "task_completed"),
        ("cleaned", "inspected", "inspection_passed"),
        ("inspected", "ready", "inspection_passed"),
    ];
    assert_eq!(hotel.steps(&room).await, steps(&path));
}

#[tokio::test]
async fn every_event_has_one_id_and_tells_what_caused_it() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let departure = hotel.checked_out(&room);
    hotel.deliver(&departure).await;

    let news = hotel.news().await;
    assert_eq!(news.len(), 2);
    let ids: HashSet<_> = news.iter().map(|event| text(&event["id"])).collect();
    assert_eq!(ids.len(), 2);
    for event in &news {
        assert_eq!(event["causationId"], departure.id().as_str());
        assert_eq!(event["tenantId"], hotel.tenant.as_str());
        assert_eq!(event["payload"]["tenantId"], hotel.tenant.as_str());
        assert_eq!(event["actor"]["id"], "sys_test");
        assert!(event["traceparent"].is_string() && event["correlationId"].is_string(), "{event}");
    }
    // The audit knows the same events by the same ids.
    let audited = hotel.behind.query("SELECT event_id FROM housekeeping.audit_events", &[]).await.unwrap();
    assert_eq!(audited.iter().map(|row| row.get(0)).collect::<HashSet<String>>(), ids);
    let path = format!("/housekeeping/v1/tasks/{}/history", hotel.open_task(&room).await);
    let history = hotel.get(&hotel.supervisor(), &path).await.done();
    assert_eq!(history["items"][0]["subject"], TaskCreatedV1::SUBJECT);
}

#[tokio::test]
async fn a_guest_who_stays_gets_a_clean_room_without_an_inspection() {
    let hotel = TestHotel::open().await;
    let room = hotel.room("101", "clean").await;
    let gulalai = hotel.person_on_shift().await;
    let task = hotel.task_for(&room, TaskKind::MidStayClean).await;
    hotel.clean(&task, TaskKind::MidStayClean, &gulalai).await;

    assert_eq!(hotel.board().await.room("101").status, "clean");
    let path = [("clean", "cleaning", "task_started"), ("cleaning", "clean", "task_completed")];
    assert_eq!(hotel.steps(&room).await, steps(&path));
    let refused = hotel.command(&hotel.supervisor(), &task, "inspections", json!({ "outcome": "pass" })).await;
    refused.refused(409, "MELMASTOON.HOUSEKEEPING.NOTHING_TO_INSPECT");
}

#[tokio::test]
async fn where_nobody_inspects_a_cleaned_room_is_ready() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.person_on_shift().await;
    hotel.put(&hotel.manager(), "/housekeeping/v1/settings", json!({ "inspectionRequired": false })).await.done();
    let (room, task) = hotel.cleaned_room("101", &gulalai).await;

    assert_eq!(hotel.board().await.room("101").status, "ready");
    let path = [
        ("ready", "dirty", "reservation_checked_out"),
        ("dirty", "cleaning", "task_started"),
        ("cleaning", "cleaned", "task_completed"),
        ("cleaned", "ready", "task_completed"),
    ];
    assert_eq!(hotel.steps(&room).await, steps(&path));
    let refused = hotel.command(&hotel.supervisor(), &task, "inspections", json!({ "outcome": "pass" })).await;
    refused.refused(409, "MELMASTOON.HOUSEKEEPING.NOTHING_TO_INSPECT");
}

#[tokio::test]
async fn a_failed_inspection_opens_the_same_work_again_with_high_priority() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.person_on_shift().await;
    let (room, task) = hotel.cleaned_room("101", &gulalai).await;
    hotel.published().await;

    let verdict = json!({ "outcome": "fail", "reason": "hair in the bath", "failedItemKeys": ["bathroom"] });
    hotel.command(&hotel.supervisor(), &task, "inspections", verdict).await.done();

    assert_eq!(hotel.board().await.room("101").status, "dirty");
    let again = &hotel.open_tasks(&room).await[0];
    assert_eq!(again["retryOf"], task.as_str());
    assert_eq!(
        (&again["kind"], &again["priority"], &again["status"]),
        (&json!("turnover"), &json!("high"), &json!("pending"))
    );
    let subjects = [InspectionFailedV1::SUBJECT, RoomStatusChangedV1::SUBJECT, TaskCreatedV1::SUBJECT];
    assert_eq!(hotel.published().await, subjects);
    assert_eq!(hotel.count("housekeeping.inspections WHERE outcome = 'fail' AND reason = 'hair in the bath'").await, 1);
}

#[tokio::test]
async fn a_failed_inspection_is_as_urgent_as_the_guest_who_waits_for_the_room() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.person_on_shift().await;
    let room = hotel.ready_room("101").await;
    hotel.deliver(&hotel.checked_out(&room)).await;
    hotel.deliver(&hotel.check_in_started(&hotel.next(), &[&room])).await;
    let task = hotel.open_task(&room).await;
    hotel.clean(&task, TaskKind::Turnover, &gulalai).await;
    let verdict = json!({ "outcome": "fail", "reason": "hair in the bath", "failedItemKeys": ["bathroom"] });
    hotel.command(&hotel.supervisor(), &task, "inspections", verdict).await.done();
    assert_eq!(hotel.open_tasks(&room).await[0]["priority"], "urgent");
}

#[tokio::test]
async fn a_waived_inspection_makes_the_room_ready_and_is_never_stored_as_passed() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.person_on_shift().await;
    let (room, task) = hotel.cleaned_room("101", &gulalai).await;
    hotel.published().await;

    let unexplained = hotel.command(&hotel.supervisor(), &task, "inspections", json!({ "outcome": "waived" })).await;
    unexplained.refused(400, "MELMASTOON.HOUSEKEEPING.INVALID_VALUE").naming("reason");
    let verdict = json!({ "outcome": "waived", "reason": "the guest is at the door" });
    hotel.command(&hotel.supervisor(), &task, "inspections", verdict).await.done();

    assert_eq!(hotel.board().await.room("101").status, "ready");
    assert_eq!(hotel.steps(&room).await.last().unwrap().2, "inspection_waived");
    let news = hotel.news().await;
    assert_eq!(news[0]["subject"], InspectionWaivedV1::SUBJECT);
    assert_eq!(news[0]["payload"]["waivedBy"]["id"], "stf_SUPERVISOR");
    assert_eq!(news[0]["payload"]["reason"], "the guest is at the door");
    assert_eq!(hotel.count("housekeeping.inspections").await, 0, "it was not held");
}

#[tokio::test]
async fn work_that_fails_is_opened_anew_and_the_room_is_dirty_again() {
    let hotel = TestHotel::open().await;
    let (room, gulalai) = (hotel.ready_room("101").await, hotel.person_on_shift().await);
    hotel.deliver(&hotel.checked_out(&room)).await;
    let task = hotel.open_task(&room).await;
    hotel.begin(&task, &gulalai).await;
    hotel.published().await;

    let body = json!({ "reason": "room_not_vacated", "note": "asleep" });
    let failed = hotel.command(&hotel.housekeeper(&gulalai), &task, "fail", body).await.done();

    assert_eq!((&failed["status"], &failed["failureReason"]), (&json!("failed"), &json!("room_not_vacated")));
    let again = &hotel.open_tasks(&room).await[0];
    assert_eq!((&again["retryOf"], &again["status"]), (&json!(task), &json!("pending")));
    assert_eq!(hotel.steps(&room).await.last().unwrap(), &steps(&[("cleaning", "dirty", "task_failed")])[0]);
    let subjects = [TaskFailedV1::SUBJECT, RoomStatusChangedV1::SUBJECT, TaskCreatedV1::SUBJECT];
    assert_eq!(hotel.published().await, subjects);
}

#[tokio::test]
async fn a_paused_task_that_is_called_off_leaves_a_dirty_room() {
    let hotel = TestHotel::open().await;
    let (room, gulalai) = (hotel.ready_room("101").await, hotel.person_on_shift().await);
    hotel.deliver(&hotel.checked_out(&room)).await;
    let task = hotel.open_task(&room).await;
    hotel.begin(&task, &gulalai).await;

    let running = hotel.command(&hotel.supervisor(), &task, "cancel", json!({ "reason": "flood" })).await;
    running.refused(409, "MELMASTOON.HOUSEKEEPING.TASK_ILLEGAL_TRANSITION").naming("in_progress");
    hotel.command(&hotel.housekeeper(&gulalai), &task, "pause", json!({ "reason": "break" })).await.done();
    hotel.published().await;
    hotel.command(&hotel.supervisor(), &task, "cancel", json!({ "reason": "flood" })).await.done();

    assert_eq!(hotel.board().await.room("101").status, "dirty");
    assert_eq!(hotel.open_tasks(&room).await.len(), 0);
    assert_eq!(hotel.published().await, [TaskCancelledV1::SUBJECT, RoomStatusChangedV1::SUBJECT]);
}

#[tokio::test]
async fn an_incomplete_checklist_names_the_items_and_changes_nothing() {
    let hotel = TestHotel::open().await;
    let (room, gulalai) = (hotel.ready_room("101").await, hotel.person_on_shift().await);
    hotel.deliver(&hotel.checked_out(&room)).await;
    let task = hotel.open_task(&room).await;
    hotel.begin(&task, &gulalai).await;

    let mut report = whole_report(TaskKind::Turnover);
    report["checklistResults"][2]["checked"] = json!(false);
    let refused = hotel.command(&hotel.housekeeper(&gulalai), &task, "complete", report).await;
    refused.refused(422, "MELMASTOON.HOUSEKEEPING.CHECKLIST_INCOMPLETE").naming("bathroom");
    assert_eq!(refused.body["missingItemKeys"], json!(["bathroom"]));
    assert_eq!(hotel.task(&task).await["status"], "in_progress");
    assert_eq!(hotel.board().await.room("101").status, "cleaning");
}

#[tokio::test]
async fn a_housekeeper_acts_on_own_tasks_only_and_a_supervisor_for_the_assignee() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let (gulalai, nasrin) = (hotel.person_on_shift().await, hotel.person_on_shift().await);
    hotel.deliver(&hotel.checked_out(&room)).await;
    let task = hotel.open_task(&room).await;
    hotel.assign(&task, &gulalai).await;

    let not_hers = hotel.command(&hotel.housekeeper(&nasrin), &task, "start", json!({})).await;
    not_hers.refused(403, "MELMASTOON.HOUSEKEEPING.NOT_THE_ASSIGNEE");
    let nobody = hotel.command(&hotel.token(Role::Housekeeper, None), &task, "start", json!({})).await;
    nobody.refused(403, "MELMASTOON.HOUSEKEEPING.NOT_STAFF");

    hotel.published().await;
    hotel.command(&hotel.supervisor(), &task, "start", json!({})).await.done();
    let started = &hotel.news().await[0];
    assert_eq!(started["payload"]["staffId"], gulalai.as_str(), "the work is the assignee's");
    assert_eq!(started["actor"]["id"], "stf_SUPERVISOR", "and the audit knows who said so");
}

#[tokio::test]
async fn work_in_progress_that_is_given_to_somebody_else_goes_on_in_the_same_room() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let (gulalai, nasrin) = (hotel.person_on_shift().await, hotel.person_on_shift().await);
    hotel.deliver(&hotel.checked_out(&room)).await;
    let task = hotel.open_task(&room).await;
    hotel.begin(&task, &gulalai).await;
    hotel.published().await;

    let body = json!({ "staffId": nasrin, "reason": "sickness" });
    hotel.command(&hotel.supervisor(), &task, "assign", body).await.done();
    assert_eq!(hotel.published().await, [TaskReassignedV1::SUBJECT]);
    hotel.start(&task, &nasrin).await;
    assert_eq!(hotel.published().await, [TaskStartedV1::SUBJECT], "the room is being cleaned already");
    hotel.complete(&task, TaskKind::Turnover, &nasrin).await;
    assert_eq!(hotel.board().await.room("101").status, "cleaned");
}

#[tokio::test]
async fn somebody_who_is_not_on_shift_gets_no_work_unless_the_supervisor_insists() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    hotel.deliver(&hotel.checked_out(&room)).await;
    let task = hotel.open_task(&room).await;
    let at_home: StaffId = hotel.next();

    let refused = hotel.command(&hotel.supervisor(), &task, "assign", json!({ "staffId": at_home })).await;
    refused.refused(409, "MELMASTOON.HOUSEKEEPING.STAFF_NOT_ON_SHIFT").naming(at_home.as_str());
    assert_eq!(hotel.task(&task).await["status"], "pending");

    let insists = json!({ "staffId": at_home, "force": true });
    hotel.command(&hotel.supervisor(), &task, "assign", insists).await.done();
    assert_eq!(hotel.task(&task).await["assigneeStaffId"], at_home.as_str());
}

#[tokio::test]
async fn a_supervisor_may_set_any_status_and_the_history_keeps_who_and_why() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let path = format!("/housekeeping/v1/rooms/{}/status", room.id);
    let body = json!({ "status": "out_of_order", "note": "burst pipe" });
    hotel.post(&hotel.supervisor(), &path, body).await.done();

    let history = hotel.get(&hotel.supervisor(), &format!("/housekeeping/v1/rooms/{}/history", room.id)).await.done();
    let item = &history["items"][0];
    assert_eq!((&item["previousStatus"], &item["status"]), (&json!("ready"), &json!("out_of_order")));
    assert_eq!((&item["cause"], &item["note"]), (&json!("manual_override"), &json!("burst pipe")));
    assert_eq!(item["actor"]["id"], "stf_SUPERVISOR");
    assert_eq!(hotel.published().await, [RoomStatusChangedV1::SUBJECT]);

    hotel.post(&hotel.supervisor(), &path, json!({ "status": "out_of_order" })).await.done();
    assert!(hotel.published().await.is_empty(), "the status it has already is no change");
}

#[tokio::test]
async fn giving_a_task_to_whoever_has_it_changes_nothing_and_tells_nobody() {
    let hotel = TestHotel::open().await;
    let (door, gulalai) = (hotel.ready_room("101").await, hotel.person_on_shift().await);
    hotel.deliver(&hotel.checked_out(&door)).await;
    let task = hotel.open_task(&door).await;
    hotel.begin(&task, &gulalai).await;
    let before = hotel.task(&task).await;
    hotel.published().await;
    hotel.clock.advance_seconds(60);
    let answer = hotel.command(&hotel.supervisor(), &task, "assign", json!({ "staffId": gulalai })).await;
    assert_eq!((answer.status, &answer.body), (200, &before));
    assert!(hotel.published().await.is_empty());
    hotel.complete(&task, TaskKind::Turnover, &gulalai).await;
    let over = hotel.command(&hotel.supervisor(), &task, "assign", json!({ "staffId": gulalai })).await;
    assert_eq!(over.status, 409, "what is over is over");
}
