//! What is around every route, from the outside in: observed, shared with web pages that may, packed, caught, timed.

use std::any::Any;
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{Extensions, HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Version, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{Predicate, SizeAbove};
use tower_http::cors::{AllowOrigin, CorsLayer};

use super::Problem;
use super::observe::observe;
use crate::{Clock, Ids, parts};

/// A smaller answer fits one packet anyway.
const WORTH_PACKING: u64 = 1_024;

/// How the edge is set up.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The longest a request may take, its body included; a stream is answered at once and then goes on.
    pub request_limit: Duration,
    /// Origins whose pages may call us; none, and no header says anything of it.
    pub cors_origins: Vec<HeaderValue>,
}

impl Default for Edge {
    fn default() -> Self {
        Self { request_limit: Duration::from_secs(30), cors_origins: Vec::new() }
    }
}

/// Puts everything around the routes that belongs around all of them.
pub fn around(router: Router, edge: Edge, clock: Clock, ids: Ids) -> Router {
    let packed = CompressionLayer::new().compress_when(SizeAbove::new(WORTH_PACKING).and(is_json));
    // Without an origin there is no layer: OPTIONS then is a method like any other.
    let shared = (!edge.cors_origins.is_empty()).then(|| shared_with(edge.cors_origins));
    // One layer of them all: each that a router is given by itself is a box more to be copied for every request.
    router.layer(
        ServiceBuilder::new()
            .layer(middleware::from_fn_with_state((clock, ids), observe))
            .option_layer(shared)
            .layer(packed)
            .layer(CatchPanicLayer::custom(caught))
            .layer(middleware::from_fn_with_state(edge.request_limit, time_limit)),
    )
}

/// No request holds its resources for ever.
async fn time_limit(State(limit): State<Duration>, request: Request, next: Next) -> Response {
    match tokio::time::timeout(limit, next.run(request)).await {
        Ok(response) => response,
        Err(_) => Problem::of_status(StatusCode::REQUEST_TIMEOUT).into_response(),
    }
}

/// A handler's panic is its caller's 500; what it said is for the log alone.
#[expect(clippy::needless_pass_by_value, reason = "the layer hands it over like this")]
fn caught(panic: Box<dyn Any + Send>) -> Response {
    tracing::error!(panic = parts::words(panic.as_ref()), "a handler panicked");
    panics().increment(1);
    Problem::of_status(StatusCode::INTERNAL_SERVER_ERROR).into_response()
}

/// Handlers that panicked.
pub(super) fn panics() -> metrics::Counter {
    metrics::counter!("melmastoon_panics_total")
}

/// JSON in all its names; never a stream, whose events must not wait in a compressor for company.
fn is_json(_: StatusCode, _: Version, headers: &HeaderMap, _: &Extensions) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    kind == "application/json" || (kind.starts_with("application/") && kind.ends_with("+json"))
}

/// Pages of exactly these origins may call. Tokens are sent by the page itself, so there are no credentials to allow.
fn shared_with(origins: Vec<HeaderValue>) -> CorsLayer {
    let names = |names: &[&'static str]| names.iter().map(|name| HeaderName::from_static(name)).collect::<Vec<_>>();
    CorsLayer::new()
        .allow_origin(AllowOrigin::list(origins))
        .allow_methods([Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE])
        .allow_headers(names(&[
            "authorization",
            "content-type",
            "idempotency-key",
            "if-match",
            "if-none-match",
            "last-event-id",
            "traceparent",
            "x-request-id",
        ]))
        .expose_headers(names(&[
            "etag",
            "idempotency-replayed",
            "location",
            "ratelimit-limit",
            "ratelimit-remaining",
            "ratelimit-reset",
            "retry-after",
            "x-request-id",
        ]))
        .max_age(Duration::from_mins(10))
}

/// What every answer says to browsers, whatever route made it. A page of ours may say something else about itself.
pub(super) fn guard(headers: &mut HeaderMap) {
    const ALWAYS: [(HeaderName, HeaderValue); 4] = [
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
        (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    for (name, value) in ALWAYS {
        headers.entry(name).or_insert(value);
    }
}

#[cfg(test)]
#[path = "edge_tests.rs"]
mod tests;
