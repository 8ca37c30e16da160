//! What a monitor and an integrator ask of the process: is it alive, is it ready, what does it count, what happened.

use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use contracts::{Envelope, cloudevents};
use metrics_exporter_prometheus::PrometheusHandle;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};

use super::{Gate, Page, Problem, Query, Routes, Served, Who, within_bytes};
use crate::Db;
use crate::auth::Role;
use crate::bus::{Broker, Feed, FeedPage};
use crate::database::Fault;
use crate::parts::Roster;

/// How long an answer of the database is believed: everybody may ask, and no crowd of them may ask the database.
const PING_BELIEVED: Duration = Duration::from_millis(250);

/// What `/readyz` looks at.
#[derive(Clone)]
pub struct Readiness {
    pub db: Db,
    /// The parts that this process should run.
    pub parts: Roster,
    /// Set once the process is draining: load balancers look elsewhere.
    pub draining: Arc<std::sync::atomic::AtomicBool>,
    pub metrics: PrometheusHandle,
    pub pinged: Pinged,
    /// `None`: the bus is in the database.
    pub broker: Option<Arc<dyn Broker>>,
}

impl std::fmt::Debug for Readiness {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Readiness").field("parts", &self.parts).finish_non_exhaustive()
    }
}

/// When the database was last asked, and whether it answered. Whoever asks meanwhile waits for that answer.
#[derive(Clone, Debug, Default)]
pub struct Pinged(Arc<tokio::sync::Mutex<Option<(Instant, bool)>>>);

impl Pinged {
    async fn answers(&self, db: &Db) -> bool {
        let mut last = self.0.lock().await;
        match *last {
            Some((at, answered)) if at.elapsed() < PING_BELIEVED => answered,
            _ => {
                let answered = db.ping().await.is_ok();
                *last = Some((Instant::now(), answered));
                answered
            }
        }
    }
}

/// `/healthz`, `/readyz`, `/metrics`, `/openapi.json`, `/asyncapi.json`, `/docs`: open, and silent about tenants.
pub fn service_routes(readiness: Readiness, openapi: &Value) -> Router {
    let openapi: Arc<str> = openapi.to_string().into();
    let openapi = move || async move { ([(header::CONTENT_TYPE, "application/json")], openapi.to_string()) };
    Router::new()
        .route("/openapi.json", get(openapi))
        .route("/docs", get(|| async { Html(include_str!("docs.html")) }))
        .route("/asyncapi.json", get(asyncapi))
        .merge(monitor_routes(readiness))
}

/// `/healthz`, `/readyz`, `/metrics`: all that a process has to say that serves nothing else.
pub fn monitor_routes(readiness: Readiness) -> Router {
    Router::new()
        .route("/healthz", get(|| async { Json(json!({ "status": "alive" })) }))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
        .with_state(readiness)
}

async fn ready(State(readiness): State<Readiness>) -> Response {
    if readiness.draining.load(std::sync::atomic::Ordering::Relaxed) {
        return not_ready("the process is draining");
    }
    if let Some(part) = readiness.parts.failed() {
        return not_ready(&format!("the part `{part}` of this process has failed and is not running"));
    }
    if !readiness.pinged.answers(&readiness.db).await {
        return not_ready("the database does not answer");
    }
    Json(json!({ "status": "ready", "database": "ok", "bus": bus(&readiness) })).into_response()
}

/// A process that neither publishes nor delivers leaves that to another, and does not know how it fares there. A broker that is
/// away makes nobody unready: what is committed waits for it in the outbox.
fn bus(readiness: &Readiness) -> &'static str {
    let parts = &readiness.parts;
    match &readiness.broker {
        _ if !parts.has("relay") && !parts.has("worker") => "elsewhere",
        Some(broker) if !broker.answers() => "away",
        _ => "ok",
    }
}

fn not_ready(detail: &str) -> Response {
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, "MELMASTOON.PLATFORM.NOT_READY", "Not ready", detail)
        .retry_after(5)
        .into_response()
}

/// Every channel and operation of the three services, made once.
async fn asyncapi() -> Response {
    static DOCUMENT: LazyLock<String> = LazyLock::new(|| contracts::asyncapi::document().to_string());
    ([(header::CONTENT_TYPE, "application/json")], DOCUMENT.as_str()).into_response()
}

async fn metrics(State(readiness): State<Readiness>) -> Response {
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], readiness.metrics.render()).into_response()
}

#[derive(Deserialize, JsonSchema)]
struct FeedQuery {
    /// `nextAfter` of the page before; the page begins behind it. 0 or nothing: from the beginning.
    #[schemars(regex(pattern = "^[0-9]{0,18}$"))]
    after: Option<String>,
    /// Only these subjects, with commas between them.
    subjects: Option<String>,
    /// The longest page; more than 1000 is 1000.
    #[schemars(regex(pattern = "^[1-9][0-9]{0,8}$"))]
    limit: Option<String>,
}

/// `GET /events/v1/feed`
pub fn event_routes(gate: Gate, feed: Feed) -> Served {
    Routes::new("events", "/events/v1", gate)
        .get("/feed", &[Role::Service, Role::Admin], read_feed, "The tenant's published events, by offset")
        .finish(feed)
}

async fn read_feed(
    State(feed): State<Feed>,
    Who(caller): Who,
    Query(query): Query<FeedQuery>,
    headers: HeaderMap,
) -> Result<Json<FeedPage>, Problem> {
    let after = match query.after.as_deref() {
        None | Some("") => 0,
        Some(text) => text
            .parse::<i64>()
            .ok()
            .filter(|offset| *offset >= 0)
            .ok_or_else(|| Problem::invalid("after", "an offset from `nextAfter`, or 0"))?,
    };
    let limit = Page::<()>::limit(query.limit.as_deref())?;
    let named = query.subjects.unwrap_or_default();
    let subjects: Vec<String> =
        named.split(',').map(|one| one.trim().to_owned()).filter(|one| !one.is_empty()).collect();
    // Documents write `task.*` for short. Read as a name it would find nothing, for ever, and look like the end of the feed.
    let plain = |one: &String| one.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
    if !subjects.iter().all(plain) {
        return Err(Problem::invalid(
            "subjects",
            "whole names with commas between them; patterns such as `task.*` are not read",
        ));
    }
    // None named: all of them.
    let subjects = (!subjects.is_empty()).then_some(subjects);
    let mut page = feed.after(&caller.tenant, after, subjects.as_deref(), limit).await?;
    let accept = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if accept.contains("application/cloudevents+json") {
        for item in &mut page.items {
            item.envelope = as_cloud_event(&item.envelope)?;
        }
    }
    // The read was bounded already; this is to the byte, with what stands around the events.
    within_bytes(&mut page.items, |item| item.envelope.get().len() + 48);
    page.next_after = page.items.last().map_or(after, |item| item.offset);
    Ok(Json(page))
}

/// The same event as the CNCF's standard writes it.
fn as_cloud_event(envelope: &RawValue) -> Result<Box<RawValue>, Problem> {
    let unreadable = |detail: String| Fault::Unexpected { place: "feed".to_owned(), detail };
    let event = Envelope::read(envelope.get().as_bytes()).map_err(|error| unreadable(error.to_string()))?;
    let value = cloudevents::to_value(&event);
    to_raw_value(&value).map_err(|error| unreadable(error.to_string()).into())
}
