//! A change of settings is known in every process at once, not when what they remember grows old.

use std::time::Duration;

use contracts::housekeeping::TaskKind;
use serde_json::{Value, json};
use server::app::App;

use crate::test_hotel::{Ask, TestHotel, ask_router};

const LISTS: &str = "/housekeeping/v1/checklists?kind=deep_clean";

/// The version of a checklist that a process takes for the one in force.
async fn version(hotel: &TestHotel, process: &App) -> Value {
    ask_router(process, Ask::get(LISTS).by(&hotel.supervisor())).await.done()["items"][0]["version"].clone()
}

/// Asks until it is so. The hotel's clock stands still, so that nothing grows old meanwhile.
async fn until(what: &str, so: impl AsyncFn() -> bool) {
    let waiting = async {
        while !so().await {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), waiting).await.unwrap_or_else(|_| panic!("never: {what}"));
}

#[tokio::test]
async fn another_process_knows_a_new_checklist_at_once() {
    let hotel = TestHotel::open().await;
    let others = [hotel.second_process(), hotel.second_process()];
    let lists = hotel.get(&hotel.supervisor(), LISTS).await.done();
    for round in 2..6 {
        for process in &others {
            // Until it is remembered there.
            version(&hotel, process).await;
        }
        let next = json!({ "kind": "deep_clean", "items": lists["items"][0]["items"] });
        hotel.post(&hotel.manager(), "/housekeeping/v1/checklists", next).await.done();
        for process in &others {
            until("the new checklist", async || version(&hotel, process).await == json!(round)).await;
        }
    }
}

#[tokio::test]
async fn settings_that_changed_elsewhere_hold_for_the_next_command() {
    let hotel = TestHotel::open().await;
    let other = hotel.second_process();
    version(&hotel, &other).await;
    let gulalai = hotel.person_on_shift().await;
    hotel.put(&hotel.manager(), "/housekeeping/v1/settings", json!({ "inspectionRequired": false })).await.done();
    // What is told last is heard last: once the checklist is there, the settings are.
    let lists = hotel.get(&hotel.supervisor(), LISTS).await.done();
    let next = json!({ "kind": "deep_clean", "items": lists["items"][0]["items"] });
    hotel.post(&hotel.manager(), "/housekeeping/v1/checklists", next).await.done();
    until("the settings", async || version(&hotel, &other).await == json!(2)).await;
    let room = hotel.room("101", "dirty").await;
    let task = hotel.task_for(&room, TaskKind::Turnover).await;
    hotel.begin(&task, &gulalai).await;
    let report = crate::test_hotel::whole_report(TaskKind::Turnover);
    let path = format!("/housekeeping/v1/tasks/{task}/complete");
    ask_router(&other, Ask::post(path).by(&hotel.housekeeper(&gulalai)).json(&report)).await.done();
    assert_eq!(hotel.board().await.room("101").status, "ready", "nobody inspects any more");
}

#[tokio::test]
async fn nothing_is_remembered_while_nobody_listens() {
    let hotel = TestHotel::open().await;
    let other = hotel.second_process();
    let listeners = "pg_stat_activity WHERE datname = current_database() AND query = 'LISTEN housekeeping_settings'";
    until("both listen", async || hotel.count(listeners).await == 2).await;
    version(&hotel, &other).await;
    // Their connections are cut, and a change goes unheard.
    let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
               WHERE datname = current_database() AND query = 'LISTEN housekeeping_settings'";
    hotel.behind.query(cut, &[]).await.unwrap();
    let lists = hotel.get(&hotel.supervisor(), LISTS).await.done();
    let next = json!({ "kind": "deep_clean", "items": lists["items"][0]["items"] });
    hotel.post(&hotel.manager(), "/housekeeping/v1/checklists", next).await.done();
    until("the checklist all the same", async || version(&hotel, &other).await == json!(2)).await;
}
