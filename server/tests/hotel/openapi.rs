//! The REST interface is described as it is served, and what it promised it keeps.
//!
//! `UPDATE_GOLDEN=1 cargo test -p melmastoon --test hotel openapi` writes examples and document anew; run it twice, since the document
//! holds the examples of the build before.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use axum::http::Method;
use contracts::history;
use serde_json::{Value, json};

use crate::days;
use crate::golden::{compare_at, is_updating};
use crate::test_hotel::{Ask, TestHotel, text};

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
        let in_the_path: Vec<String> =
            route.path.split('/').filter(|part| part.starts_with('{')).map(str::to_owned).collect();
        assert_eq!(described, in_the_path, "{place}: the path's names and what the handler takes differ");
        let id = text(&operation["operationId"]);
        assert_eq!(names.insert(id.clone(), place.clone()), None, "{place}: {id} is the name of another");
    }
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        assert!(!name.ends_with(|last: char| last.is_ascii_digit()), "two types are called {name}: rename one of them");
        assert!(schema.is_object(), "{name} says nothing");
    }
}

/// Its answer has no end.
const ENDLESS: &[&str] = &["GET /housekeeping/v1/board/stream"];

#[tokio::test]
async fn every_route_has_an_example_that_really_happened() {
    let hotel = days::tell().await;
    let examples = hotel.examples();
    for route in &hotel.app.routes {
        let name = format!("{} {}", route.method, route.path);
        assert!(examples.contains_key(&name) || ENDLESS.contains(&name.as_str()), "{name} has no part in the day");
    }
    compare_at(&file("examples.json"), &pretty(&json!(examples)));
}

/// What was decided all the same. An alert of a kind that is new is about linen, and has no room; the kinds that were there have theirs.
/// A walk-in with a quote need not say again what the quote says: what had to be there may be left out, and is taken as before.
const DECIDED: &[&str] = &[
    "GET /housekeeping/v1/board 200.alerts[]: `roomId` ",
    "POST /reservation/v1/walk-ins body: `propertyId` ",
    "POST /reservation/v1/walk-ins body: `stayWindow` ",
    "POST /reservation/v1/walk-ins body: `items` ",
    "POST /reservation/v1/walk-ins body.stayWindow: ",
    // What is not named stays as it is, and null names nothing: more is taken than before.
    "PUT /housekeeping/v1/settings body: ",
];

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
    let mut found = platform::http::breaks(&serde_json::from_str(&then).unwrap(), &hotel.app.openapi);
    found.retain(|broken| !DECIDED.iter().any(|decided| broken.starts_with(decided)));
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
