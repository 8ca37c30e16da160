//! The answer of a command, known before it is committed so that it can be kept with the work.

use std::marker::PhantomData;

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::describe::{Describe, Operation};
use crate::database::StoredResponse;

/// What a story answers with: [`Changed`], [`Created`] or [`Done`].
pub trait Reply: Describe {
    fn into_stored(self) -> StoredResponse;
}

/// 200 with the resource as it is after the command, and its version as the `ETag`.
#[derive(Clone, Debug)]
pub struct Changed<T>(StoredResponse, PhantomData<fn() -> T>);

/// 201 with the new resource and where it is.
#[derive(Clone, Debug)]
pub struct Created<T>(StoredResponse, PhantomData<fn() -> T>);

/// 204: it is done, and there is nothing to show.
#[derive(Clone, Debug)]
pub struct Done(StoredResponse);

impl<T: Serialize> Changed<T> {
    pub fn new(resource: &T, version: i32) -> Self {
        Self(stored(StatusCode::OK, resource, Some(version), None), PhantomData)
    }

    /// A resource that has no version of its own.
    pub fn unversioned(resource: &T) -> Self {
        Self(stored(StatusCode::OK, resource, None, None), PhantomData)
    }
}

impl<T: Serialize> Created<T> {
    pub fn new(resource: &T, version: i32, location: String) -> Self {
        Self(stored(StatusCode::CREATED, resource, Some(version), Some(location)), PhantomData)
    }
}

impl Done {
    pub fn new() -> Self {
        let empty = StoredResponse {
            status: 204,
            body: String::new(),
            content_type: String::new(),
            location: None,
            etag: None,
        };
        Self(empty)
    }
}

impl Default for Done {
    fn default() -> Self {
        Self::new()
    }
}

fn stored(
    status: StatusCode,
    resource: &impl Serialize,
    version: Option<i32>,
    location: Option<String>,
) -> StoredResponse {
    StoredResponse {
        status: status.as_u16(),
        body: serde_json::to_string(resource).unwrap_or_else(|_| "null".to_owned()),
        content_type: "application/json".to_owned(),
        location,
        etag: version.map(etag),
    }
}

/// The entity tag of a version.
fn etag(version: i32) -> String {
    format!("\"{version}\"")
}

impl<T: schemars::JsonSchema> Reply for Changed<T> {
    fn into_stored(self) -> StoredResponse {
        self.0
    }
}

impl<T: schemars::JsonSchema> Reply for Created<T> {
    fn into_stored(self) -> StoredResponse {
        self.0
    }
}

impl Reply for Done {
    fn into_stored(self) -> StoredResponse {
        self.0
    }
}

impl<T: schemars::JsonSchema> Describe for Changed<T> {
    fn describe(operation: &mut Operation<'_>) {
        operation.answers::<T>(200, "The resource as it is now.");
        operation.answer_header(200, "ETag", "The version, for `If-Match`.");
    }
}

impl<T: schemars::JsonSchema> Describe for Created<T> {
    fn describe(operation: &mut Operation<'_>) {
        operation.answers::<T>(201, "The new resource.");
        operation.answer_header(201, "ETag", "The version, for `If-Match`.");
        operation.answer_header(201, "Location", "Where it is.");
    }
}

impl Describe for Done {
    fn describe(operation: &mut Operation<'_>) {
        operation.answers_nothing(204, "It is done.");
    }
}

/// What a command's handler returns: the reply, a problem, or the answer of an earlier request with the same key.
#[derive(Debug)]
pub struct Answer<R>(Response, PhantomData<fn() -> R>);

impl<R> Answer<R> {
    pub(super) fn of(response: impl IntoResponse) -> Self {
        Self(response.into_response(), PhantomData)
    }
}

impl<R> IntoResponse for Answer<R> {
    fn into_response(self) -> Response {
        self.0
    }
}

impl<R: Describe> Describe for Answer<R> {
    fn describe(operation: &mut Operation<'_>) {
        R::describe(operation);
    }
}

/// Settings, with the version that is also their `ETag`.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[schemars(rename = "Versioned{T}")]
pub struct Versioned<T> {
    #[serde(flatten)]
    of: T,
    version: i32,
}

impl<T> Versioned<T> {
    pub fn new(of: T, version: i32) -> Self {
        Self { of, version }
    }
}

/// 200 with a resource and its version as the `ETag`, for reads.
#[derive(Clone, Debug)]
pub struct Tagged<T>(StoredResponse, PhantomData<fn() -> T>);

impl<T: Serialize> Tagged<T> {
    pub fn new(resource: &T, version: i32) -> Self {
        Self(stored(StatusCode::OK, resource, Some(version), None), PhantomData)
    }
}

impl<T> IntoResponse for Tagged<T> {
    fn into_response(self) -> Response {
        self.0.into_response()
    }
}

impl<T: schemars::JsonSchema> Describe for Tagged<T> {
    fn describe(operation: &mut Operation<'_>) {
        Changed::<T>::describe(operation);
    }
}

impl IntoResponse for StoredResponse {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::OK);
        if status == StatusCode::NO_CONTENT {
            return status.into_response();
        }
        let mut response = (status, self.body).into_response();
        let headers = response.headers_mut();
        let fields = [
            (header::CONTENT_TYPE, Some(self.content_type)),
            (header::LOCATION, self.location),
            (header::ETAG, self.etag),
        ];
        for (name, value) in fields {
            if let Some(value) = value.and_then(|text| HeaderValue::from_str(&text).ok()) {
                headers.insert(name, value);
            }
        }
        response
    }
}

/// Server-sent events, until the token's end. The body is made by whoever tells them.
#[derive(Debug)]
pub struct EventStream(pub Body);

impl IntoResponse for EventStream {
    fn into_response(self) -> Response {
        let head = [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-cache")];
        (head, self.0).into_response()
    }
}

impl Describe for EventStream {
    fn describe(operation: &mut Operation<'_>) {
        operation.header(
            "Last-Event-ID",
            "^[0-9]{1,18}$",
            "The id of the last event that was received: what came since is sent first.",
        );
        operation.answers_as(200, "text/event-stream", "Events as they happen, until the token's end.");
    }
}
