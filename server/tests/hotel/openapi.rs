//! The REST interface is described as it is served, and what it promised it keeps.
//!
//! `UPDATE_GOLDEN=1 cargo test -p melmastoon --test hotel openapi` writes examples and document anew; run it twice, since the document
//! holds the examples of the build before.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use axum::http::Method;
use contracts::housekeeping::TaskKind;
use contracts::history;
use serde_json::{Value, json};

use crate::golden::{compare_at, is_updating};
use crate::test_hotel::{Ask, TestHotel, text, whole_report};

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi").join(name)
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap() + "\n"
}

#[tokio::test]
async fn the_document_is_served_as_it_stands_in_the_repository() {
    let hotel = TestHotel::open().await;
    let served = hotel.ask(Ask::get("/openapi.json")).await;
    assert_eq!(served.header("content-type"), Some("application/json"));
    compare_at(&file("openapi.json"), &pretty(&served.done()));
}

#[tokio::test]
async fn every_route_says_what_it_takes_and_answers() {
    let hotel = TestHotel::open().await;
    let document = &hotel.app.openapi;
    let mut names = BTreeMap::new();
    for route in &hotel.app.routes {
        let operation = &document["paths"][&route.path][route.method.as_str().to_lowercase()];
        let place = format!("{} {}", route.method, route.path);
        assert!(operation["summary"].as_str().is_some_and(|summary| summary.len() > 5), "{place} has no summary");
        let answers = operation["responses"].as_object().unwrap();
        assert!(answers.keys().any(|status| status.starts_with('2')), "{place} never succeeds");
        let described: Vec<String> = operation["parameters"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|one| one["in"] == "path")
            .map(|one| format!("{{{}}}", text(&one["name"])))
            .collect();
        let named: Vec<String> = route.path.split('/').filter(|part| part.starts_with('{')).map(str::to_owned).collect();
        assert_eq!(described, named, "{place}: the path's names and what the handler takes differ");
        let id = text(&operation["operationId"]);
        assert_eq!(names.insert(id.clone(), place.clone()), None, "{place}: {id} is the name of another");
    }
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        assert!(!name.ends_with(|last: char| last.is_ascii_digit()), "two types are called {name}: rename one of them");
        assert!(schema.is_object(), "{name} says nothing");
    }
}

/// A day of a hotel through every route. The first success of each is its example.
async fn day() -> TestHotel {
    let hotel = TestHotel::open().await;
    hotel.keep_examples();
    let (supervisor, manager, service) = (hotel.supervisor(), hotel.manager(), hotel.service());
    let property = hotel.property.clone();
    let (one, two) = (hotel.ready_room("101").await, hotel.ready_room("102").await);
    let gulalai = hotel.person_on_shift().await;
    for door in [&one, &two] {
        hotel.deliver(&hotel.checked_out(door)).await;
    }
    hotel.get(&supervisor, &format!("/housekeeping/v1/board?propertyId={property}")).await.done();
    let work = hotel.open_task(&one).await;
    let plan = hotel.suggest().await.done();
    let what_if = json!({ "propertyId": property, "taskId": work, "staffId": gulalai });
    hotel.post(&supervisor, "/housekeeping/v1/routing/what-if", what_if).await.done();
    hotel.get(&supervisor, &format!("/housekeeping/v1/routing/suggestions?propertyId={property}")).await.done();
    hotel.get(&supervisor, &format!("/housekeeping/v1/routing/suggestions/{}", text(&plan["id"]))).await.done();
    hotel.decide(&plan, "approve", json!({ "rows": [work] })).await.done();
    hotel.decide(&plan, "reject", json!({})).await.done();
    let other = hotel.open_task(&two).await;
    hotel.assign(&other, &gulalai).await;
    hotel.patch(&supervisor, &format!("/housekeeping/v1/tasks/{other}/priority"), json!({ "priority": "high" })).await.done();
    hotel.start(&work, &gulalai).await;
    let hers = hotel.housekeeper(&gulalai);
    hotel.command(&hers, &work, "pause", json!({ "reason": "awaiting_linen", "note": "two sheets" })).await.done();
    hotel.clock.advance_seconds(300);
    hotel.command(&hers, &work, "resume", json!({})).await.done();
    hotel.clock.advance_seconds(1_800);
    hotel.command(&hers, &work, "complete", whole_report(TaskKind::Turnover)).await.done();
    hotel.command(&supervisor, &work, "inspections", json!({ "outcome": "pass" })).await.done();
    hotel.command(&hers, &other, "fail", json!({ "reason": "room_not_vacated" })).await.done();
    let by_hand = hotel.task_for(&one, TaskKind::DeepClean).await;
    hotel.command(&supervisor, &by_hand, "cancel", json!({ "reason": "the guest stays in" })).await.done();
    for path in [format!("tasks?roomId={}", one.id), format!("tasks/{work}"), format!("tasks/{work}/history")] {
        hotel.get(&supervisor, &format!("/housekeeping/v1/{path}")).await.done();
    }
    for path in [format!("rooms?propertyId={property}"), format!("rooms/{}", one.id), format!("rooms/{}/history", one.id)] {
        hotel.get(&supervisor, &format!("/housekeeping/v1/{path}")).await.done();
    }
    let broken = json!({ "status": "out_of_service", "note": "painted until Thursday" });
    hotel.post(&supervisor, &format!("/housekeeping/v1/rooms/{}/status", two.id), broken).await.done();
    hotel.get(&supervisor, "/housekeeping/v1/checklists?kind=inspection").await.done();
    let settings = hotel.get(&manager, "/housekeeping/v1/settings").await.done();
    hotel.put(&manager, "/housekeeping/v1/settings", settings).await.done();
    hotel.drain().await;
    hotel.get(&service, "/events/v1/feed?limit=2").await.done();
    hotel
}

/// Its answer has no end.
const ENDLESS: &[&str] = &["GET /housekeeping/v1/board/stream"];

#[tokio::test]
async fn every_route_has_an_example_that_really_happened() {
    let hotel = day().await;
    let examples = hotel.examples();
    for route in &hotel.app.routes {
        let name = format!("{} {}", route.method, route.path);
        assert!(examples.contains_key(&name) || ENDLESS.contains(&name.as_str()), "{name} has no part in the day");
    }
    compare_at(&file("examples.json"), &pretty(&json!(examples)));
}

#[tokio::test]
async fn nothing_that_was_promised_is_taken_back() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let Some(base) = history::base(&repository) else {
        println!("NOT CHECKED: there is no git history to compare the REST interface with");
        return;
    };
    let Some(then) = history::file_at(&repository, &base, "server/openapi/openapi.json") else {
        println!("NOT CHECKED: {base} has no OpenAPI document");
        return;
    };
    let hotel = TestHotel::open().await;
    let found = platform::http::breaks(&serde_json::from_str(&then).unwrap(), &hotel.app.openapi);
    assert!(found.is_empty() || is_updating(), "since {base}:\n{}", found.join("\n"));
}

#[tokio::test]
async fn the_documentation_needs_nothing_from_elsewhere() {
    let hotel = TestHotel::open().await;
    let page = hotel.ask(Ask::new(Method::GET, "/docs")).await;
    assert_eq!(page.status, 200);
    assert!(page.header("content-type").unwrap().starts_with("text/html"));
    for elsewhere in ["http://", "https://", "src=\"//", "@import"] {
        assert!(!page.text.contains(elsewhere), "{elsewhere}");
    }
}
