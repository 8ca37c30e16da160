//! Something is broken: reported, repaired, and the room is cleaned after the repair.

use contracts::Payload;
use contracts::housekeeping::{
    RoomMaintenanceRequiredV1, RoomStatusChangedV1, TaskCreatedV1, TaskKind, TaskPausedV1, TaskRequiresMaintenanceV1,
};
use contracts::ids::StaffId;
use serde_json::{Value, json};

use crate::test_hotel::{Door, Happening, TestHotel, text};

fn broken(severity: &str, outcome: &str) -> Value {
    let issue = json!({ "category": "plumbing", "severity": severity, "description": "the tap leaks", "photoMediaIds": ["med_1"] });
    json!({ "issue": issue, "outcome": outcome })
}

/// A room whose turnover somebody has begun.
async fn at_work(hotel: &TestHotel) -> (Door, String, StaffId) {
    let (room, gulalai) = (hotel.ready_room("101").await, hotel.person_on_shift().await);
    hotel.deliver(&hotel.checked_out(&room)).await;
    let task = hotel.open_task(&room).await;
    hotel.begin(&task, &gulalai).await;
    hotel.published().await;
    (room, task, gulalai)
}

#[tokio::test]
async fn a_room_that_cannot_be_used_is_out_of_order_until_the_repair_and_cleaned_after_it() {
    let hotel = TestHotel::open().await;
    let (room, task, gulalai) = at_work(&hotel).await;
    let body = broken("blocking", "convert_terminal");
    let done = hotel.command(&hotel.housekeeper(&gulalai), &task, "maintenance-required", body).await.done();
    assert_eq!(done["status"], "requires_maintenance");
    let news = hotel.news().await;
    let told: Vec<_> = news.iter().map(|envelope| text(&envelope["subject"])).collect();
    let subjects =
        [TaskRequiresMaintenanceV1::SUBJECT, RoomMaintenanceRequiredV1::SUBJECT, RoomStatusChangedV1::SUBJECT];
    assert_eq!(told, subjects);
    let report = &news[1]["payload"];
    assert_eq!(report["reportedBy"], json!({ "type": "user", "staffId": gulalai }));
    assert_eq!((&report["outcome"], &report["taskId"]), (&json!("convert_terminal"), &json!(task)));
    assert_eq!(report["issue"], broken("blocking", "x")["issue"]);
    assert_eq!(hotel.board().await.room("101").status, "out_of_order");
    let blocks = hotel.blocks(&room).await;
    assert_eq!((&blocks[0]["reason"], &blocks[0]["owner"]), (&json!("maintenance"), &json!("housekeeping")));

    hotel.deliver(&hotel.work_order_opened("wo-1", &room, Some("blocking"))).await;
    assert_eq!(hotel.blocks(&room).await.len(), 2);
    assert!(hotel.published().await.is_empty(), "it is out of order already");
    hotel.deliver(&hotel.work_order_completed("wo-1", &room)).await;
    assert!(hotel.blocks(&room).await.is_empty());
    assert_eq!(hotel.board().await.room("101").status, "dirty");
    assert_eq!(hotel.published().await, [TaskCreatedV1::SUBJECT, RoomStatusChangedV1::SUBJECT]);
    let open = hotel.open_tasks(&room).await;
    assert_eq!(open.len(), 1);
    assert_eq!((&open[0]["kind"], &open[0]["status"]), (&json!("post_maintenance"), &json!("pending")));
    hotel.clean(&text(&open[0]["id"]), TaskKind::PostMaintenance, &gulalai).await;
    assert_eq!(hotel.board().await.room("101").status, "cleaned");
}

#[tokio::test]
async fn a_small_thing_leaves_the_room_in_use_and_unfinished_work_leaves_it_dirty() {
    let hotel = TestHotel::open().await;
    let (room, task, gulalai) = at_work(&hotel).await;
    let hers = hotel.housekeeper(&gulalai);
    hotel.command(&hers, &task, "maintenance-required", broken("minor", "convert_terminal")).await.done();
    assert_eq!(hotel.board().await.room("101").status, "dirty");
    assert!(hotel.blocks(&room).await.is_empty());
    let again = hotel.command(&hers, &task, "maintenance-required", broken("minor", "convert_terminal")).await;
    again.refused(409, "MELMASTOON.HOUSEKEEPING.TASK_ILLEGAL_TRANSITION").naming("requires_maintenance");
}

#[tokio::test]
async fn work_that_waits_for_the_repair_goes_on_after_it() {
    let hotel = TestHotel::open().await;
    let (room, task, gulalai) = at_work(&hotel).await;
    let hers = hotel.housekeeper(&gulalai);
    let waits = hotel.command(&hers, &task, "maintenance-required", broken("blocking", "pause")).await.done();
    assert_eq!((&waits["status"], &waits["pauseReason"]), (&json!("paused"), &json!("awaiting_maintenance")));
    let subjects = [TaskPausedV1::SUBJECT, RoomMaintenanceRequiredV1::SUBJECT, RoomStatusChangedV1::SUBJECT];
    assert_eq!(hotel.published().await, subjects);
    let early = hotel.command(&hers, &task, "resume", json!({})).await;
    early.refused(409, "MELMASTOON.HOUSEKEEPING.ROOM_ILLEGAL_TRANSITION").naming("out_of_order");
    hotel.deliver(&hotel.work_order_completed("wo-1", &room)).await;
    hotel.command(&hers, &task, "resume", json!({})).await.done();
    assert_eq!(hotel.board().await.room("101").status, "cleaning");
    hotel.complete(&task, TaskKind::Turnover, &gulalai).await;
    assert_eq!(hotel.board().await.room("101").status, "cleaned");
}

#[tokio::test]
async fn only_whoever_has_the_task_reports_from_it() {
    let hotel = TestHotel::open().await;
    let (_, task, _) = at_work(&hotel).await;
    let nasrin = hotel.person_on_shift().await;
    let hers = hotel.housekeeper(&nasrin);
    let refused = hotel.command(&hers, &task, "maintenance-required", broken("minor", "convert_terminal")).await;
    refused.refused(403, "MELMASTOON.HOUSEKEEPING.NOT_THE_ASSIGNEE");
    let boss = hotel.supervisor();
    hotel.command(&boss, &task, "maintenance-required", broken("minor", "convert_terminal")).await.done();
    assert_eq!(hotel.news().await[1]["payload"]["reportedBy"]["staffId"], "stf_SUPERVISOR");
}

#[tokio::test]
async fn a_finished_repair_that_is_told_twice_or_late_opens_one_clean() {
    let hotel = TestHotel::open().await;
    let (room, gulalai) = (hotel.ready_room("101").await, hotel.person_on_shift().await);
    hotel.deliver(&hotel.work_order_opened("wo-1", &room, None)).await;
    assert_eq!(hotel.board().await.room("101").status, "out_of_order", "when nothing is said it blocks");
    let done = hotel.work_order_completed("wo-1", &room);
    hotel.deliver(&done).await;
    hotel.deliver(&done).await;
    hotel.clean(&hotel.open_task(&room).await, TaskKind::PostMaintenance, &gulalai).await;
    hotel.published().await;
    // The inbox forgets after ninety days; a replay under another id is the same job still.
    hotel.behind.execute("DELETE FROM housekeeping.inbox", &[]).await.unwrap();
    hotel.deliver(&done).await;
    hotel.deliver(&hotel.work_order_completed("wo-1", &room)).await;
    assert_eq!(hotel.tasks(&room).await.len(), 1);
    assert_eq!(hotel.board().await.room("101").status, "cleaned");
    assert!(hotel.published().await.is_empty());
}

#[tokio::test]
async fn a_job_that_is_done_before_it_is_told_to_be_opened_blocks_nothing() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let (opened, done) =
        (hotel.work_order_opened("wo-1", &room, Some("blocking")), hotel.work_order_completed("wo-1", &room));
    hotel.deliver(&done).await;
    assert_eq!(hotel.board().await.room("101").status, "dirty", "dust is dust");
    hotel.deliver(&opened).await;
    assert!(hotel.blocks(&room).await.is_empty());
    assert_eq!(hotel.board().await.room("101").status, "dirty");
    assert_eq!(hotel.open_tasks(&room).await.len(), 1);
}

#[tokio::test]
async fn a_room_with_two_jobs_waits_for_the_second() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    for job in ["wo-1", "wo-2"] {
        hotel.deliver(&hotel.work_order_opened(job, &room, Some("blocking"))).await;
    }
    hotel.deliver(&hotel.work_order_opened("wo-3", &room, Some("minor"))).await;
    hotel.deliver(&hotel.work_order_completed("wo-1", &room)).await;
    assert_eq!(hotel.board().await.room("101").status, "out_of_order");
    assert!(hotel.open_tasks(&room).await.is_empty());
    hotel.deliver(&hotel.work_order_completed("wo-2", &room)).await;
    assert_eq!(hotel.board().await.room("101").status, "dirty");
    hotel.deliver(&hotel.work_order_completed("wo-3", &room)).await;
    assert_eq!(hotel.open_tasks(&room).await.len(), 1, "one clean after all of it");
}

#[tokio::test]
async fn repairs_of_a_room_never_seen_bring_it_into_being() {
    let hotel = TestHotel::open().await;
    let room = Door { id: hotel.next(), number: String::new() };
    hotel.deliver(&hotel.work_order_completed("wo-1", &room)).await;
    assert_eq!(hotel.board().await.room(room.id.as_str()).status, "dirty");
    assert_eq!(hotel.open_tasks(&room).await.len(), 1);
}

#[tokio::test]
async fn a_room_is_introduced_and_archived_in_any_order() {
    let told: [fn(&TestHotel, &Door) -> Happening; 2] = [TestHotel::room_created, TestHotel::room_archived];
    for archived_first in [false, true] {
        let hotel = TestHotel::open().await;
        let room = Door { id: hotel.next(), number: "301".to_owned() };
        let events = told.map(|tell| {
            hotel.clock.advance_seconds(60);
            tell(&hotel, &room)
        });
        if archived_first {
            hotel.deliver(&events[1]).await;
            hotel.deliver(&events[0]).await;
        } else {
            hotel.deliver(&events[0]).await;
            let board = hotel.board().await;
            let shown = &board.0["rooms"][0];
            assert_eq!(
                (&shown["number"], &shown["floor"], &shown["section"]),
                (&json!("301"), &json!(3), &json!("west"))
            );
            hotel.task_for(&room, TaskKind::DeepClean).await;
            hotel.block(&room, json!({ "reason": "oos" })).await.done();
            hotel.deliver(&events[1]).await;
            assert!(hotel.open_tasks(&room).await.is_empty());
        }
        hotel.deliver(&events[1]).await;
        assert_eq!(hotel.board().await.0["rooms"], json!([]), "archived first: {archived_first}");
        let path = format!("/housekeeping/v1/rooms/{}", room.id);
        let shown = hotel.get(&hotel.supervisor(), &path).await.done();
        assert_eq!((&shown["status"], &shown["blocks"]), (&json!("out_of_service"), &json!([])));
        assert!(hotel.dead_letters().await.is_empty());
    }
}

#[tokio::test]
async fn a_report_that_makes_no_sense_is_refused_and_the_field_is_named() {
    let hotel = TestHotel::open().await;
    let (_, task, _) = at_work(&hotel).await;
    let invalid = "MELMASTOON.HOUSEKEEPING.INVALID_VALUE";
    let with = |field: &str, value: Value| {
        let mut body = broken("minor", "pause");
        body["issue"][field] = value;
        body
    };
    let nonsense: Vec<(Value, &str, &str)> = vec![
        (json!({}), invalid, "issue"),
        (json!({ "issue": {}, "outcome": "pause" }), invalid, "category"),
        (json!({ "issue": "tap", "outcome": "pause" }), invalid, "issue"),
        (broken("terrible", "pause"), invalid, "severity"),
        (broken("minor", "shrug"), invalid, "outcome"),
        (with("category", json!("")), invalid, "issue.category"),
        (with("category", json!("x".repeat(101))), invalid, "issue.category"),
        (with("description", json!(" ")), invalid, "issue.description"),
        (with("description", json!("x".repeat(2_001))), invalid, "issue.description"),
        (with("photoMediaIds", json!(vec!["med_1"; 21])), invalid, "issue.photoMediaIds"),
        (with("photoMediaIds", json!("med_1")), invalid, "photoMediaIds"),
        (with("photoMediaIds", json!([""])), invalid, "issue.photoMediaIds"),
    ];
    for (body, code, names) in nonsense {
        let answer = hotel.command(&hotel.supervisor(), &task, "maintenance-required", body.clone()).await;
        assert_eq!(answer.status, 400, "{body}: {}", answer.text);
        answer.refused(400, code).naming(names);
    }
    assert!(hotel.published().await.is_empty());
}

#[tokio::test]
async fn an_end_that_is_told_late_is_not_the_end_of_a_room_that_came_back_since() {
    let hotel = TestHotel::open().await;
    let room = Door { id: hotel.next(), number: "301".to_owned() };
    hotel.deliver(&hotel.room_created(&room)).await;
    hotel.clock.advance_seconds(60);
    let gone = hotel.room_archived(&room);
    hotel.clock.advance_seconds(60);
    hotel.deliver(&hotel.room_created(&room)).await;
    let task = hotel.task_for(&room, TaskKind::DeepClean).await;
    hotel.block(&room, json!({ "reason": "oos" })).await.done();
    hotel.published().await;
    hotel.deliver(&gone).await;
    assert_eq!(hotel.board().await.room("301").status, "out_of_order", "on the board, as it was");
    assert_eq!(hotel.task(&task).await["status"], "pending");
    assert_eq!(hotel.blocks(&room).await.len(), 1);
    assert!(hotel.published().await.is_empty());
}

#[tokio::test]
async fn a_room_that_exists_again_is_dirty_and_one_that_was_out_of_service_before_stays_so() {
    let hotel = TestHotel::open().await;
    let (room, closed) = (hotel.ready_room("301").await, hotel.room("302", "out_of_service").await);
    for door in [&room, &closed] {
        let early = hotel.room_created(door);
        hotel.clock.advance_seconds(60);
        hotel.deliver(&hotel.room_archived(door)).await;
        hotel.deliver(&early).await;
        assert_eq!(
            hotel.board().await.0["rooms"]
                .as_array()
                .unwrap()
                .iter()
                .filter(|one| one["number"] == door.number.as_str())
                .count(),
            0,
            "told late, it is gone all the same"
        );
        hotel.clock.advance_seconds(60);
        hotel.deliver(&hotel.room_created(door)).await;
    }
    assert_eq!(hotel.board().await.room("301").status, "dirty");
    assert_eq!(hotel.board().await.room("302").status, "out_of_service");
    let steps = hotel.steps(&room).await;
    let causes: Vec<_> = steps.iter().map(|(from, to, cause)| (from.as_str(), to.as_str(), cause.as_str())).collect();
    assert_eq!(causes, [("ready", "out_of_service", "room_archived"), ("out_of_service", "dirty", "room_unblocked")]);
    // The same once more says nothing new.
    hotel.published().await;
    hotel.clock.advance_seconds(60);
    hotel.deliver(&hotel.room_created(&room)).await;
    assert!(hotel.published().await.is_empty());
}

#[tokio::test]
async fn what_was_told_of_a_room_last_counts_and_a_floor_may_be_a_number() {
    let hotel = TestHotel::open().await;
    let room = Door { id: hotel.next(), number: "301".to_owned() };
    let old = hotel.room_created(&room).with("/payload/floor", json!(3));
    hotel.clock.advance_seconds(60);
    let new = hotel.room_created(&room).with("/payload/number", json!("401")).with("/payload/floor", json!("4"));
    hotel.deliver(&old).await;
    let shown = async || {
        let board = hotel.board().await.0;
        (text(&board["rooms"][0]["number"]), board["rooms"][0]["floor"].clone())
    };
    assert_eq!(shown().await, ("301".to_owned(), json!(3)));
    hotel.deliver(&new).await;
    // The inbox forgets; an old message under another id is an old message.
    let again: contracts::ids::EventId = hotel.next();
    hotel.deliver(&old.with("/id", json!(again))).await;
    assert_eq!(shown().await, ("401".to_owned(), json!(4)));
    assert!(hotel.dead_letters().await.is_empty());
}

#[tokio::test]
async fn work_that_could_not_be_done_in_a_room_that_exists_no_more_is_not_opened_again() {
    let hotel = TestHotel::open().await;
    let (room, task, _) = at_work(&hotel).await;
    hotel.clock.advance_seconds(60);
    hotel.deliver(&hotel.room_archived(&room)).await;
    hotel.command(&hotel.supervisor(), &task, "fail", json!({ "reason": "other" })).await.done();
    assert!(hotel.open_tasks(&room).await.is_empty());
    let path = format!("/housekeeping/v1/rooms/{}", room.id);
    assert_eq!(hotel.get(&hotel.supervisor(), &path).await.done()["status"], "out_of_service");
}

#[tokio::test]
async fn a_room_that_exists_no_more_is_not_turned_over() {
    let hotel = TestHotel::open().await;
    let (gone, here) = (hotel.ready_room("301").await, hotel.ready_room("302").await);
    let stay: contracts::ids::ReservationId = hotel.next();
    hotel.deliver(&hotel.checked_in(&stay, &[&gone, &here])).await;
    hotel.deliver(&hotel.work_order_opened("wo-1", &gone, None)).await;
    hotel.clock.advance_seconds(60);
    hotel.deliver(&hotel.room_archived(&gone)).await;
    hotel.deliver(&hotel.checked_out_of(&stay, &[&gone, &here])).await;
    hotel.deliver(&hotel.work_order_opened("wo-2", &gone, None)).await;
    hotel.deliver(&hotel.work_order_completed("wo-2", &gone)).await;
    assert!(hotel.tasks(&gone).await.is_empty(), "nobody would see it on a board");
    assert_eq!(hotel.open_tasks(&here).await.len(), 1, "the other room of the departure is");
    let path = format!("/housekeeping/v1/rooms/{}", gone.id);
    let shown = hotel.get(&hotel.supervisor(), &path).await.done();
    assert_eq!((&shown["status"], &shown["occupancy"]), (&json!("out_of_service"), &json!("vacant")), "{shown}");
    assert!(hotel.dead_letters().await.is_empty());
    let by_hand = json!({ "propertyId": hotel.property, "roomId": gone.id, "kind": "turnover" });
    let tasks = "/housekeeping/v1/tasks";
    let refused = hotel.post(&hotel.supervisor(), tasks, by_hand.clone()).await;
    refused.refused(400, "MELMASTOON.HOUSEKEEPING.INVALID_VALUE").naming("roomId");
    hotel.clock.advance_seconds(60);
    hotel.deliver(&hotel.room_created(&gone)).await;
    assert_eq!(hotel.board().await.room("301").status, "dirty", "and there again it is to be cleaned");
    hotel.post(&hotel.supervisor(), tasks, by_hand).await.done();
}

#[tokio::test]
async fn a_room_that_exists_no_more_is_neither_blocked_nor_cleaned_for_a_guest() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("301").await;
    let stay: contracts::ids::ReservationId = hotel.next();
    hotel.deliver(&hotel.checked_in(&stay, &[&room])).await;
    let late = hotel.taken_out_of_order(&room);
    hotel.clock.advance_seconds(60);
    hotel.deliver(&hotel.room_archived(&room)).await;
    hotel.published().await;
    hotel.deliver(&late).await;
    hotel.deliver(&hotel.clean_requested(&stay)).await;
    let refused = hotel.block(&room, json!({ "reason": "oos" })).await;
    refused.refused(400, "MELMASTOON.HOUSEKEEPING.INVALID_VALUE").naming("roomId");
    let path = format!("/housekeeping/v1/rooms/{}", room.id);
    assert_eq!(hotel.get(&hotel.supervisor(), &path).await.done()["status"], "out_of_service");
    assert_eq!((hotel.count("housekeeping.room_blocks").await, hotel.tasks(&room).await.len()), (0, 0));
    assert!(hotel.published().await.is_empty());
    assert!(hotel.dead_letters().await.is_empty());
    hotel.clock.advance_seconds(60);
    hotel.deliver(&hotel.room_created(&room)).await;
    assert_eq!(hotel.board().await.room("301").status, "dirty");
}
