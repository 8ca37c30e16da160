//! What a monitor and an integrator ask of the process: is it alive, is it ready, what does it count, what happened.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use metrics_exporter_prometheus::PrometheusHandle;
use serde::Deserialize;
use serde_json::json;

use super::{Gate, Page, Problem, Query, RouteSpec, Routes, Who};
use crate::Db;
use crate::auth::Role;
use crate::bus::{Feed, FeedPage};

/// What `/readyz` looks at.
#[derive(Clone, Debug)]
pub struct Readiness {
    pub db: Db,
    /// Set once the process is draining: load balancers look elsewhere.
    pub draining: Arc<std::sync::atomic::AtomicBool>,
    pub metrics: PrometheusHandle,
}

/// `/healthz`, `/readyz`, `/metrics`: open, and silent about tenants.
pub fn service_routes(readiness: Readiness) -> Router {
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
    let subjects: Option<Vec<String>> = query
        .subjects
        .map(|list| list.split(',').map(|one| one.trim().to_owned()).filter(|one| !one.is_empty()).collect());
    Ok(Json(feed.after(&caller.tenant, after, subjects.as_deref(), None, limit).await?))
}
