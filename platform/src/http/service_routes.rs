//! What a monitor and an integrator ask of the process: is it alive, is it ready, what does it count, what happened.

use std::sync::{Arc, LazyLock};

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use contracts::{Envelope, cloudevents};
use metrics_exporter_prometheus::PrometheusHandle;
use serde::Deserialize;
use serde_json::json;
use serde_json::value::{RawValue, to_raw_value};

use super::{Gate, Page, Problem, Query, RouteSpec, Routes, Who, within_bytes};
use crate::Db;
use crate::auth::Role;
use crate::bus::{Feed, FeedPage};
use crate::database::Fault;

/// What `/readyz` looks at.
#[derive(Clone, Debug)]
pub struct Readiness {
    pub db: Db,
    /// Set once the process is draining: load balancers look elsewhere.
    pub draining: Arc<std::sync::atomic::AtomicBool>,
    pub metrics: PrometheusHandle,
}

/// `/healthz`, `/readyz`, `/metrics`, `/asyncapi.json`: open, and silent about tenants.
pub fn service_routes(readiness: Readiness) -> Router {
    Router::new()
        .route("/healthz", get(|| async { Json(json!({ "status": "alive" })) }))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
        .route("/asyncapi.json", get(asyncapi))
        .with_state(readiness)
}

async fn ready(State(readiness): State<Readiness>) -> Response {
    if readiness.draining.load(std::sync::atomic::Ordering::Relaxed) {
        return not_ready("the process is draining");
    }
    match readiness.db.ping().await {
        Ok(()) => Json(json!({ "status": "ready", "database": "ok", "bus": "ok" })).into_response(),
        Err(_) => not_ready("the database does not answer"),
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

#[derive(Deserialize)]
struct FeedQuery {
    after: Option<String>,
    subjects: Option<String>,
    limit: Option<String>,
}

/// `GET /events/v1/feed`
pub fn event_routes(gate: Gate, feed: Feed) -> (Router, Vec<RouteSpec>) {
    Routes::new("/events/v1", gate).get("/feed", &[Role::Service, Role::Admin], read_feed).finish(feed)
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
