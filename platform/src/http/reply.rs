//! The answer of a command, known before it is committed so that it can be kept with the work.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::database::StoredResponse;

/// A resource after a command.
#[derive(Clone, Debug)]
pub struct Reply(StoredResponse);

impl Reply {
    pub fn ok(resource: &impl Serialize, version: i32) -> Self {
        Self::new(StatusCode::OK, resource, Some(version), None)
    }

    pub fn created(resource: &impl Serialize, version: Option<i32>, location: String) -> Self {
        Self::new(StatusCode::CREATED, resource, version, Some(location))
    }

    fn new(status: StatusCode, resource: &impl Serialize, version: Option<i32>, location: Option<String>) -> Self {
        Self(StoredResponse {
            status: status.as_u16(),
            body: serde_json::to_string(resource).unwrap_or_else(|_| "null".to_owned()),
            content_type: "application/json".to_owned(),
            location,
            etag: version.map(etag),
        })
    }

    pub(crate) fn stored(&self) -> &StoredResponse {
        &self.0
    }
}

/// The entity tag of a version.
pub(crate) fn etag(version: i32) -> String {
    format!("\"{version}\"")
}

impl From<StoredResponse> for Reply {
    fn from(stored: StoredResponse) -> Self {
        Self(stored)
    }
}

impl IntoResponse for Reply {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.0.status).unwrap_or(StatusCode::OK);
        let mut response = (status, self.0.body).into_response();
        let headers = response.headers_mut();
        let fields = [
            (header::CONTENT_TYPE, Some(self.0.content_type)),
            (header::LOCATION, self.0.location),
            (header::ETAG, self.0.etag),
        ];
        for (name, value) in fields {
            if let Some(value) = value.and_then(|text| HeaderValue::from_str(&text).ok()) {
                headers.insert(name, value);
            }
        }
        response
    }
}
