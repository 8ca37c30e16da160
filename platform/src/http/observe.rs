//! Around every request: its id and trace, how long it took, and a readable body for everything that failed.

use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::Problem;
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
pub async fn observe(State((clock, ids)): State<(Clock, Ids)>, mut request: Request, next: Next) -> Response {
    let started = Instant::now();
    let info = info_of(&request, &clock, &ids);
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().map_or("unmatched", MatchedPath::as_str).to_owned();
    request.extensions_mut().insert(info.clone());

    let mut response = next.run(request).await;
    if response.status().is_client_error() || response.status().is_server_error() {
        response = as_problem(response, &info);
    }
    if let Ok(value) = HeaderValue::from_str(&info.request_id) {
        response.headers_mut().insert("x-request-id", value);
    }
    let status = response.status();
    let labels = [("method", method.to_string()), ("route", route), ("status", status.as_u16().to_string())];
    metrics::histogram!("melmastoon_http_seconds", &labels).record(started.elapsed().as_secs_f64());
    if status.is_server_error() {
        tracing::error!(%method, path = info.path, %status, request = info.request_id, "request failed");
    } else {
        tracing::debug!(%method, path = info.path, %status, request = info.request_id, "request");
    }
    response
}

fn info_of(request: &Request, clock: &Clock, ids: &Ids) -> RequestInfo {
    let header = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
    let request_id = header("x-request-id")
        .filter(|id| (1..=128).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_graphic()))
        .map_or_else(|| format!("req_{}", ids.ulid(clock.now())), str::to_owned);
    let traceparent = header("traceparent")
        .filter(|text| telemetry::valid_traceparent(text))
        .map_or_else(|| telemetry::new_traceparent(ids), str::to_owned);
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

/// No request holds its resources for ever.
pub async fn time_limit(State(limit): State<Duration>, request: Request, next: Next) -> Response {
    match tokio::time::timeout(limit, next.run(request)).await {
        Ok(response) => response,
        Err(_) => Problem::of_status(StatusCode::REQUEST_TIMEOUT).into_response(),
    }
}
