//! Work for two: both are on it, each for half of the time, and either may say how it goes.

use contracts::housekeeping::TaskKind;
use contracts::ids::StaffId;
use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::test_hotel::{Answer, Door, TestHotel, text, whole_report};

async fn help(hotel: &TestHotel, task: &str, staff: &StaffId) -> Answer {
    hotel.command(&hotel.supervisor(), task, "helpers", json!({ "staffId": staff })).await
}

async fn deep_clean(hotel: &TestHotel) -> (Door, String, StaffId, StaffId) {
    let (gulalai, nasrin) = (hotel.person_on_shift().await, hotel.person_on_shift().await);
    let room = hotel.room("101", "dirty").await;
    let task = hotel.task_for(&room, TaskKind::DeepClean).await;
    hotel.assign(&task, &gulalai).await;
    (room, task, gulalai, nasrin)
}

fn person<'b>(board: &'b Value, staff: &StaffId) -> &'b Value {
    let people = board["staff"].as_array().unwrap();
    people.iter().find(|one| one["staffId"] == staff.as_str()).expect("on the board")
}

#[tokio::test]
async fn two_people_share_the_minutes_stand_on_the_board_and_either_does_the_work() {
    let hotel = TestHotel::open().await;
    let (room, task, gulalai, nasrin) = deep_clean(&hotel).await;
    let alone = hotel.board().await.0;
    assert_eq!(person(&alone, &gulalai)["loadMinutes"], 90);
    let ready = |board: &Value| text(&board["rooms"][0]["readyEtaAt"]);
    let joined = help(&hotel, &task, &nasrin).await.done();
    assert_eq!((&joined["helperStaffIds"], &joined["assigneeStaffId"]), (&json!([nasrin]), &json!(gulalai)));
    let board = hotel.board().await.0;
    for staff in [&gulalai, &nasrin] {
        assert_eq!(person(&board, staff)["loadMinutes"], 45, "half of ninety each");
    }
    assert_eq!(board["rooms"][0]["openTask"]["helperStaffIds"], json!([nasrin]));
    assert!(ready(&board) < ready(&alone), "two are faster: {} and {}", ready(&board), ready(&alone));
    let listed =
        hotel.get(&hotel.housekeeper(&nasrin), &format!("/housekeeping/v1/tasks?assigneeStaffId={nasrin}")).await;
    assert_eq!(listed.done()["items"][0]["id"], json!(task), "it is her task, too");

    hotel.start(&task, &nasrin).await;
    let board = hotel.board().await.0;
    for staff in [&gulalai, &nasrin] {
        assert_eq!(person(&board, staff)["activeTaskId"], json!(task));
    }
    hotel.command(&hotel.housekeeper(&gulalai), &task, "pause", json!({ "reason": "break" })).await.done();
    hotel.command(&hotel.housekeeper(&nasrin), &task, "resume", json!({})).await.done();
    hotel.clock.advance_seconds(40 * 60);
    let done = hotel.command(&hotel.housekeeper(&nasrin), &task, "complete", whole_report(TaskKind::DeepClean)).await;
    let done = done.done();
    assert_eq!((&done["durationMinutes"], &done["assigneeStaffId"]), (&json!(40), &json!(gulalai)));
    assert_eq!(hotel.board().await.room("101").status, "cleaned");
    let learned =
        hotel.behind.query_one("SELECT latest FROM housekeeping.learned_minutes WHERE kind = 'deep_clean'", &[]);
    assert_eq!(learned.await.unwrap().get::<_, Vec<i32>>(0), [80], "the work of one is what two did in half of it");
    hotel.clock.advance_seconds(60);
    let stats = format!("/housekeeping/v1/stats/turnover?propertyId={}", hotel.property);
    let stats = hotel.get(&hotel.supervisor(), &stats).await.done();
    assert_eq!(stats["byPerson"].as_array().unwrap().len(), 2, "both did it: {}", stats["byPerson"]);
    let history = hotel.get(&hotel.supervisor(), &format!("/housekeeping/v1/tasks/{task}/history")).await.done();
    let subjects: Vec<_> = history["items"].as_array().unwrap().iter().map(|step| text(&step["subject"])).collect();
    assert!(subjects.contains(&"housekeeping.task.helper_joined".to_owned()), "{subjects:?}");
    drop(room);
}

#[tokio::test]
async fn whoever_does_not_help_any_more_or_never_did_leaves_the_work_alone() {
    let hotel = TestHotel::open().await;
    let (_, task, gulalai, nasrin) = deep_clean(&hotel).await;
    let start = async |who: &StaffId| hotel.command(&hotel.housekeeper(who), &task, "start", json!({})).await;
    start(&nasrin).await.refused(403, "MELMASTOON.HOUSEKEEPING.NOT_THE_ASSIGNEE");
    help(&hotel, &task, &nasrin).await.done();
    let again = help(&hotel, &task, &nasrin).await.done();
    assert_eq!(again["helperStaffIds"], json!([nasrin]), "she is on it already");
    assert_eq!(help(&hotel, &task, &gulalai).await.done()["version"], again["version"], "it is hers already");
    let path = format!("/housekeeping/v1/tasks/{task}/helpers/{nasrin}");
    for _ in 0..2 {
        assert_eq!(hotel.delete(&hotel.supervisor(), &path).await.done()["helperStaffIds"], json!([]));
    }
    start(&nasrin).await.refused(403, "MELMASTOON.HOUSEKEEPING.NOT_THE_ASSIGNEE");
    help(&hotel, &task, &nasrin).await.done();
    hotel.assign(&task, &nasrin).await;
    assert_eq!(hotel.task(&task).await["helperStaffIds"], json!([]), "nobody helps herself");
    assert_eq!(person(&hotel.board().await.0, &gulalai)["loadMinutes"], 0);
}

#[tokio::test]
async fn help_that_makes_no_sense_is_refused() {
    let hotel = TestHotel::open().await;
    let (room, task, _, nasrin) = deep_clean(&hotel).await;
    let absent: StaffId = hotel.next();
    help(&hotel, &task, &absent).await.refused(409, "MELMASTOON.HOUSEKEEPING.STAFF_NOT_ON_SHIFT");
    let forced =
        hotel.command(&hotel.supervisor(), &task, "helpers", json!({ "staffId": absent, "force": true })).await;
    let version = forced.done()["version"].clone();
    assert_eq!(help(&hotel, &task, &absent).await.done()["version"], version, "whoever is on it stays on it");
    let pending = hotel.task_for(&room, TaskKind::Turnover).await;
    help(&hotel, &pending, &nasrin).await.refused(409, "MELMASTOON.HOUSEKEEPING.TASK_ILLEGAL_TRANSITION");
    hotel
        .command(&hotel.housekeeper(&nasrin), &task, "helpers", json!({ "staffId": nasrin }))
        .await
        .refused(403, "MELMASTOON.PLATFORM.FORBIDDEN");
    let people = join_all((0..6).map(|_| hotel.person_on_shift())).await;
    let answers = join_all(people.iter().map(|staff| help(&hotel, &task, staff))).await;
    let joined = answers.iter().filter(|answer| answer.status == 200).count();
    assert_eq!(joined, 2, "four people on one task are enough");
    let refused = answers.iter().filter(|answer| answer.status == 409);
    refused.for_each(|answer| {
        answer.refused(409, "MELMASTOON.HOUSEKEEPING.TOO_MANY_PEOPLE");
    });
    assert_eq!(hotel.task(&task).await["helperStaffIds"].as_array().unwrap().len(), 3);
}
