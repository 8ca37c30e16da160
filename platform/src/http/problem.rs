//! Errors for people: RFC 9457 `application/problem+json` with a stable code and a sentence that helps.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};

use crate::auth::TokenError;
use crate::bus::NoSeat;
use crate::database::{Fault, Interruption};

/// A kind of problem: its status, the last word of its code, its title. Routes name the kinds they answer with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProblemKind {
    pub status: u16,
    pub name: &'static str,
    pub title: &'static str,
}

impl ProblemKind {
    pub const fn new(status: u16, name: &'static str, title: &'static str) -> Self {
        Self { status, name, title }
    }

    /// `MELMASTOON.<CONTEXT>.<NAME>`
    pub fn code(&self, context: &str) -> String {
        format!("MELMASTOON.{context}.{}", self.name)
    }

    /// One such problem.
    pub fn problem(self, context: &str, detail: impl Into<String>) -> Problem {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        Problem::new(status, self.code(context), self.title, detail)
    }
}

/// What went wrong, for the caller. Never SQL, source or a panic's text.
#[derive(Clone, Debug)]
pub struct Problem {
    pub status: StatusCode,
    /// `MELMASTOON.<CONTEXT>.<NAME>`
    pub code: String,
    pub title: &'static str,
    pub detail: String,
    /// Seconds after which the same request may succeed.
    pub retry_after: Option<u32>,
    /// Further members, such as the keys of an incomplete checklist.
    pub more: Map<String, Value>,
}

impl Problem {
    pub fn new(status: StatusCode, code: impl Into<String>, title: &'static str, detail: impl Into<String>) -> Self {
        Self { status, code: code.into(), title, detail: detail.into(), retry_after: None, more: Map::new() }
    }

    fn platform(status: StatusCode, name: &str, title: &'static str, detail: impl Into<String>) -> Self {
        Self::new(status, format!("MELMASTOON.PLATFORM.{name}"), title, detail)
    }

    #[must_use]
    pub fn retry_after(mut self, seconds: u32) -> Self {
        self.retry_after = Some(seconds);
        self
    }

    #[must_use]
    pub fn with(mut self, member: &str, value: impl Into<Value>) -> Self {
        self.more.insert(member.to_owned(), value.into());
        self
    }

    pub fn malformed(detail: impl Into<String>) -> Self {
        Self::platform(StatusCode::BAD_REQUEST, "MALFORMED_REQUEST", "The request cannot be read", detail)
    }

    /// A value that can be read and is not allowed: names the field and the rule.
    pub fn invalid(field: &str, rule: impl std::fmt::Display) -> Self {
        Self::platform(StatusCode::BAD_REQUEST, "INVALID_VALUE", "A value is not valid", format!("{field}: {rule}"))
            .with("field", field)
    }

    /// A value that was refused before the context was asked is refused in the context's name.
    pub(super) fn belongs_to(&mut self, context: &str) {
        if self.code == format!("MELMASTOON.PLATFORM.{}", crate::refusal::INVALID_VALUE.name) {
            self.code = crate::refusal::INVALID_VALUE.code(&context.to_uppercase());
        }
    }

    pub fn forbidden(detail: impl Into<String>) -> Self {
        Self::platform(StatusCode::FORBIDDEN, "FORBIDDEN", "Not allowed", detail)
    }

    /// The same answer as a context's own refusal, for extractors that find it first.
    pub(super) fn another_property(context: &str) -> Self {
        crate::refusal::PROPERTY_FORBIDDEN.problem(context, crate::Refusal::ForeignProperty.to_string())
    }

    pub fn not_found(detail: impl Into<String>) -> Self {
        Self::platform(StatusCode::NOT_FOUND, "NOT_FOUND", "Not found", detail)
    }

    pub fn too_large(limit: usize) -> Self {
        let detail = format!("the body is over the limit of {limit} bytes");
        Self::platform(StatusCode::PAYLOAD_TOO_LARGE, "BODY_TOO_LARGE", "The body is too large", detail)
    }

    pub(super) fn uri_too_long() -> Self {
        let detail = "the path and the query are longer than a request may have";
        Self::platform(StatusCode::URI_TOO_LONG, "URI_TOO_LONG", "The address is too long", detail)
    }

    pub(super) fn headers_too_large() -> Self {
        let detail = "the headers are more, or longer, than a request may have";
        let status = StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE;
        Self::platform(status, "HEADERS_TOO_LARGE", "The headers are too large", detail)
    }

    pub fn unsupported_media(detail: impl Into<String>) -> Self {
        Self::platform(StatusCode::UNSUPPORTED_MEDIA_TYPE, "UNSUPPORTED_MEDIA_TYPE", "Unsupported media type", detail)
    }

    pub fn too_many() -> Self {
        let detail = "too many requests in a short time; slow down and try again";
        Self::platform(StatusCode::TOO_MANY_REQUESTS, "RATE_LIMITED", "Too many requests", detail).retry_after(1)
    }

    /// Every open stream holds a place for as long as it lasts; all of them are taken.
    pub fn too_many_streams() -> Self {
        let detail = "too many live boards are open; try again in a moment";
        Self::platform(StatusCode::SERVICE_UNAVAILABLE, "TOO_MANY_STREAMS", "Too many streams", detail).retry_after(10)
    }

    pub fn key_required() -> Self {
        let detail = "a service must send an Idempotency-Key header (1 to 255 visible characters) with every change";
        Self::platform(StatusCode::BAD_REQUEST, "IDEMPOTENCY_KEY_REQUIRED", "An idempotency key is required", detail)
    }

    /// Our own fault; what it was is in the log.
    pub fn internal() -> Self {
        Self::of_status(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// For answers that the framework made: everything that fails speaks problem+json.
    pub fn of_status(status: StatusCode) -> Self {
        match status {
            StatusCode::NOT_FOUND => Self::platform(status, "NO_SUCH_ROUTE", "Not found", "there is no such route"),
            StatusCode::METHOD_NOT_ALLOWED => Self::platform(
                status,
                "METHOD_NOT_ALLOWED",
                "Method not allowed",
                "this route exists, but not for this method; see the Allow header",
            ),
            StatusCode::PAYLOAD_TOO_LARGE => {
                Self::platform(status, "BODY_TOO_LARGE", "The body is too large", "the body is over the limit")
            }
            StatusCode::REQUEST_TIMEOUT | StatusCode::GATEWAY_TIMEOUT => {
                Self::platform(StatusCode::SERVICE_UNAVAILABLE, "TIMEOUT", "It took too long", "try again in a moment")
                    .retry_after(5)
            }
            status if status.is_client_error() => {
                Self::platform(status, "BAD_REQUEST", "The request was refused", "the request was refused")
            }
            status => Self::platform(status, "INTERNAL", "Something went wrong", "an unexpected error; it was logged"),
        }
    }

    /// Whether this answer belongs to the request itself, so that the same key must get it again.
    pub(crate) fn is_settled(&self) -> bool {
        matches!(self.status, StatusCode::CONFLICT | StatusCode::PRECONDITION_FAILED | StatusCode::UNPROCESSABLE_ENTITY)
            && self.retry_after.is_none()
    }

    pub fn render(&self, instance: &str, trace: &str) -> String {
        let kind = self.code.to_lowercase().replace('.', ":").replace('_', "-");
        let mut body = json!({
            "type": format!("urn:{kind}"),
            "title": self.title,
            "status": self.status.as_u16(),
            "code": self.code,
            "detail": self.detail,
            "instance": instance,
            "traceId": trace,
        });
        if let Value::Object(members) = &mut body {
            members.extend(self.more.clone());
        }
        body.to_string()
    }
}

impl IntoResponse for Problem {
    /// The body is rendered by [`super::observe`], which knows the request.
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response.extensions_mut().insert(self);
        response
    }
}

/// Times that the database refused or was away.
pub(super) fn refused_by_the_database() -> metrics::Counter {
    metrics::counter!("melmastoon_repo_errors_total")
}

impl From<Fault> for Problem {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Unavailable(detail) => {
                tracing::error!(detail, "the database is not available");
                refused_by_the_database().increment(1);
                let detail = "the database is not available right now; try again in a few seconds";
                Self::platform(StatusCode::SERVICE_UNAVAILABLE, "UNAVAILABLE", "Not available", detail).retry_after(5)
            }
            Fault::Elsewhere { who, why } => {
                tracing::error!(who, why, "what this needs is not available");
                let detail = "something that this needs is not available right now; try again in a few seconds";
                Self::platform(StatusCode::SERVICE_UNAVAILABLE, "UNAVAILABLE", "Not available", detail).retry_after(5)
            }
            Fault::Exhausted => {
                let detail = "too much is going on at once; try again in a few seconds";
                Self::platform(StatusCode::SERVICE_UNAVAILABLE, "BUSY", "Busy", detail).retry_after(5)
            }
            Fault::Conflict => {
                let detail = "another change came in between; nothing was changed; try again";
                Self::platform(StatusCode::CONFLICT, "CONFLICT", "Conflict", detail).retry_after(1)
            }
            Fault::Duplicate { constraint } if constraint.starts_with("idempotency_keys") => {
                Fault::Interrupted(Interruption::InFlight).into()
            }
            Fault::Duplicate { constraint } => {
                tracing::warn!(constraint, "a duplicate was refused");
                Self::platform(StatusCode::CONFLICT, "DUPLICATE", "There is one already", "there is one already")
            }
            Fault::EventTooLarge { size, limit } => {
                let detail = format!("what this change would tell others is {size} bytes; the limit is {limit}");
                Self::platform(StatusCode::PAYLOAD_TOO_LARGE, "EVENT_TOO_LARGE", "Too large", detail)
            }
            Fault::Unexpected { place, detail } | Fault::Unstorable { place, detail, .. } => {
                tracing::error!(place, detail, "an unexpected database answer");
                refused_by_the_database().increment(1);
                Self::of_status(StatusCode::INTERNAL_SERVER_ERROR)
            }
            Fault::Interrupted(Interruption::KeyReused) => Self::platform(
                StatusCode::UNPROCESSABLE_ENTITY,
                "IDEMPOTENCY_KEY_REUSED",
                "The idempotency key was used for another request",
                "this Idempotency-Key was used with another request; use a new key for a new request",
            ),
            Fault::Interrupted(Interruption::InFlight | Interruption::Replay(_) | Interruption::AlreadyProcessed) => {
                let detail = "the first request with this Idempotency-Key is still running; try again in a moment";
                Self::platform(StatusCode::CONFLICT, "IDEMPOTENCY_KEY_IN_FLIGHT", "Still running", detail)
                    .retry_after(1)
            }
        }
    }
}

impl From<NoSeat> for Problem {
    fn from(reason: NoSeat) -> Self {
        match reason {
            NoSeat::Full => Self::too_many_streams(),
            NoSeat::Fault(fault) => fault.into(),
        }
    }
}

impl From<TokenError> for Problem {
    fn from(error: TokenError) -> Self {
        if error == TokenError::KeysUnavailable {
            return Self::platform(
                StatusCode::SERVICE_UNAVAILABLE,
                "KEYS_UNAVAILABLE",
                "Not available",
                error.to_string(),
            )
            .retry_after(5);
        }
        Self::platform(StatusCode::UNAUTHORIZED, "UNAUTHENTICATED", "Not signed in", error.to_string())
    }
}
