//! Around every request: its id, trace and span, how long it took, and a readable body for everything that failed.

use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tracing::field::Empty;
use tracing::{Instrument, Span};

use super::Problem;
use super::edge::guard;
use crate::telemetry;
use crate::{Clock, Ids};

/// What is known of a request before anything else is.
#[derive(Clone, Debug)]
pub struct RequestInfo {
    pub request_id: String,
    pub traceparent: String,
    pub path: String,
}

impl RequestInfo {
    pub fn trace_id(&self) -> &str {
        self.traceparent.split('-').nth(1).unwrap_or_default()
    }
}

/// The outermost layer. Every 4xx and 5xx leaves as problem+json, whoever made it.
pub(super) async fn observe(State((clock, ids)): State<(Clock, Ids)>, mut request: Request, next: Next) -> Response {
    let started = Instant::now();
    let method = known_method(request.method());
    let route = request.extensions().get::<MatchedPath>().map_or("unmatched", MatchedPath::as_str).to_owned();
    let span = span_of(method, &route);
    let info = info_of(&request, &span, &clock, &ids);
    span.record("request", &info.request_id).record("trace", info.trace_id());
    request.extensions_mut().insert(info.clone());

    let mut response = next.run(request).instrument(span.clone()).await;
    if response.status().is_client_error() || response.status().is_server_error() {
        response = as_problem(response, &info);
    }
    if let Ok(value) = HeaderValue::from_str(&info.request_id) {
        response.headers_mut().insert("x-request-id", value);
    }
    guard(response.headers_mut());
    let status = response.status();
    span.record("http.response.status_code", status.as_u16());
    if status.is_server_error() {
        span.record("otel.status_code", "ERROR");
        span.in_scope(|| tracing::error!(%status, "request failed"));
    } else {
        span.in_scope(|| tracing::debug!(%status, "request"));
    }
    let labels = [("method", method.to_owned()), ("route", route), ("status", status.as_u16().to_string())];
    metrics::histogram!("melmastoon_http_seconds", &labels).record(started.elapsed().as_secs_f64());
    response
}

/// A method as metrics and spans know it. Anybody may make up another: each would be a series of its own, for ever.
fn known_method(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "POST" => "POST",
        "PUT" => "PUT",
        "PATCH" => "PATCH",
        "DELETE" => "DELETE",
        "HEAD" => "HEAD",
        "OPTIONS" => "OPTIONS",
        _ => "other",
    }
}

/// The route and never the path: paths have ids of people and rooms in them.
fn span_of(method: &'static str, route: &str) -> Span {
    tracing::info_span!(
        "request",
        otel.name = format!("{method} {route}"),
        otel.kind = "server",
        otel.status_code = Empty,
        http.request.method = method,
        http.route = route,
        http.response.status_code = Empty,
        request = Empty,
        trace = Empty,
    )
}

fn info_of(request: &Request, span: &Span, clock: &Clock, ids: &Ids) -> RequestInfo {
    let header = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
    let request_id = header("x-request-id")
        .filter(|id| (1..=128).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_graphic()))
        .map_or_else(|| format!("req_{}", ids.ulid(clock.now())), str::to_owned);
    let brought = header("traceparent").filter(|text| telemetry::valid_traceparent(text));
    let traceparent = telemetry::continue_trace(span, brought, ids);
    RequestInfo { request_id, traceparent, path: request.uri().path().to_owned() }
}

fn as_problem(mut response: Response, info: &RequestInfo) -> Response {
    let problem_json = HeaderValue::from_static("application/problem+json");
    if response.headers().get(header::CONTENT_TYPE) == Some(&problem_json) {
        return response;
    }
    let problem =
        response.extensions_mut().remove::<Problem>().unwrap_or_else(|| Problem::of_status(response.status()));
    let mut headers = std::mem::take(response.headers_mut());
    headers.remove(header::CONTENT_LENGTH);
    headers.insert(header::CONTENT_TYPE, problem_json);
    if problem.status == StatusCode::UNAUTHORIZED {
        headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    if let Some(seconds) = problem.retry_after {
        headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    let body = problem.render(&info.path, info.trace_id());
    let mut rendered = (problem.status, body).into_response();
    headers.extend(
        std::mem::take(rendered.headers_mut())
            .into_iter()
            .filter(|(name, _)| name.as_ref().is_some_and(|name| *name != header::CONTENT_TYPE)),
    );
    *rendered.headers_mut() = headers;
    rendered
}
