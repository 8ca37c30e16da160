//! Checklists have versions: a new one is in force at once, and what was published never changes.

use axum::http::Method;
use contracts::housekeeping::TaskKind;
use futures_util::future::join_all;
use platform::auth::Role;
use serde_json::{Value, json};

use crate::test_hotel::{Ask, TestHotel, text};

const UPDATED: &str = "melmastoon.housekeeping.checklist.template_updated.v1";

fn item(key: &str, label: &str, required: bool) -> Value {
    json!({ "key": key, "labelI18n": { "en": label, "ps-AF": "پاک" }, "required": required })
}

async fn publish(hotel: &TestHotel, items: Value) -> Value {
    let body = json!({ "kind": "mid_stay_clean", "items": items });
    hotel.post(&hotel.manager(), "/housekeeping/v1/checklists", body).await.done()
}

#[tokio::test]
async fn a_new_version_is_in_force_at_once_and_open_work_keeps_the_one_it_began_with() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.person_on_shift().await;
    let (one, two) = (hotel.room("101", "clean").await, hotel.room("102", "clean").await);
    let old = hotel.task_for(&one, TaskKind::MidStayClean).await;
    let before = hotel.get(&hotel.supervisor(), "/housekeeping/v1/checklists?kind=mid_stay_clean").await.done();
    hotel.published().await;

    let made = publish(&hotel, json!([item("bed", "Make the bed", true), item("towels", "Fresh towels", true)])).await;
    assert_eq!((&made["version"], &made["kind"]), (&json!(2), &json!("mid_stay_clean")));
    let news = hotel.news().await;
    assert_eq!(news[0]["subject"], UPDATED);
    let payload = &news[0]["payload"];
    assert_eq!((&payload["version"], &payload["previousVersion"]), (&json!(2), &json!(1)));
    let diff = json!({ "added": ["bed"], "removed": ["make_bed", "bathroom", "trash"], "modified": ["towels"] });
    assert_eq!((&payload["diff"], &payload["publishedBy"]["id"]), (&diff, &json!("stf_MANAGER")));

    let now = hotel.get(&hotel.supervisor(), "/housekeeping/v1/checklists?kind=mid_stay_clean").await.done();
    assert_eq!((&now["items"][0]["version"], &now["items"][0]["id"]), (&json!(2), &made["id"]));
    let new = hotel.task_for(&two, TaskKind::MidStayClean).await;
    assert_eq!(hotel.task(&new).await["checklistVersion"], 2);
    assert_eq!(hotel.task(&old).await["checklistVersion"], 1);
    hotel.clean(&old, TaskKind::MidStayClean, &gulalai).await;
    hotel.begin(&new, &gulalai).await;
    let missing = hotel.command(&hotel.housekeeper(&gulalai), &new, "complete", json!({})).await;
    missing.refused(422, "MELMASTOON.HOUSEKEEPING.CHECKLIST_INCOMPLETE");
    assert_eq!(missing.body["missingItemKeys"], json!(["bed", "towels"]));

    let path = format!("/housekeeping/v1/checklists/{}", text(&before["items"][0]["id"]));
    let shown = hotel.get(&hotel.housekeeper(&gulalai), &path).await;
    assert_eq!((shown.header("etag"), &shown.body), (Some("\"1\""), &before["items"][0]), "the first one is as it was");
    for method in [Method::PUT, Method::PATCH, Method::DELETE] {
        let refused = hotel.ask(Ask::new(method, path.as_str()).by(&hotel.manager()).json(&json!({}))).await;
        refused.refused(405, "MELMASTOON.PLATFORM.METHOD_NOT_ALLOWED");
    }
}

#[tokio::test]
async fn of_several_who_publish_at_once_each_has_a_version_of_their_own() {
    let hotel = TestHotel::open().await;
    let made = join_all((0..8).map(|n| {
        let hotel = &hotel;
        async move { publish(hotel, json!([item(&format!("k{n}"), "x", true)])).await }
    }))
    .await;
    let mut versions: Vec<i64> = made.iter().map(|list| list["version"].as_i64().unwrap()).collect();
    versions.sort_unstable();
    assert_eq!(versions, (2..=9).collect::<Vec<_>>(), "a tenant never seen has a first version too");
    let told = hotel.published().await;
    assert_eq!(told.iter().filter(|subject| *subject == UPDATED).count(), 8);
}

#[tokio::test]
async fn whoever_has_seen_an_older_version_is_told_to_look_again() {
    let hotel = TestHotel::open().await;
    publish(&hotel, json!([item("bed", "Make the bed", true)])).await;
    let body = json!({ "kind": "mid_stay_clean", "items": [item("floor", "Sweep", true)] });
    let ask =
        |tag: &str| Ask::post("/housekeeping/v1/checklists").by(&hotel.manager()).header("if-match", tag).json(&body);
    hotel.ask(ask("\"1\"")).await.refused(412, "MELMASTOON.HOUSEKEEPING.STALE_VERSION");
    assert_eq!(hotel.ask(ask("\"2\"")).await.done()["version"], 3);
    let other = hotel.token_of_tenant(Role::PropertyManager, &hotel.next());
    let theirs = hotel.post(&other, "/housekeeping/v1/checklists", body.clone()).await.done();
    assert_eq!(theirs["version"], 2, "every tenant counts its own");
}

#[tokio::test]
async fn a_key_in_any_letters_that_may_be_published_may_be_reported() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.person_on_shift().await;
    let key = "پاکول".repeat(20);
    assert!(key.len() > 100, "more bytes than characters");
    publish(&hotel, json!([item(&key, "The bathroom", true)])).await;
    let room = hotel.room("101", "clean").await;
    let task = hotel.task_for(&room, TaskKind::MidStayClean).await;
    hotel.begin(&task, &gulalai).await;
    let report = |key: &str| json!({ "checklistResults": [{ "itemKey": key, "checked": true }] });
    let longer = hotel.command(&hotel.housekeeper(&gulalai), &task, "complete", report(&format!("{key}ن"))).await;
    longer.refused(400, "MELMASTOON.HOUSEKEEPING.INVALID_VALUE").naming("checklistResults");
    hotel.command(&hotel.housekeeper(&gulalai), &task, "complete", report(&key)).await.done();
}
