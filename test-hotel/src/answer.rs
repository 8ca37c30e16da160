//! What the application answered.

use axum::http::HeaderMap;
use axum::response::Response;
use http_body_util::BodyExt;
use serde_json::Value;

#[derive(Clone, Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub text: String,
    /// Null where the body is none or no JSON.
    pub body: Value,
}

impl Answer {
    pub async fn read(response: Response) -> Self {
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.expect("a body").to_bytes();
        // A picture is no text, and is not read as one.
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let body = serde_json::from_str(&text).unwrap_or(Value::Null);
        Self { status: parts.status.as_u16(), headers: parts.headers, text, body }
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    pub fn code(&self) -> &str {
        self.body["code"].as_str().unwrap_or_default()
    }

    pub fn detail(&self) -> &str {
        self.body["detail"].as_str().unwrap_or_default()
    }

    /// The body of a success.
    pub fn done(self) -> Value {
        assert!((200..300).contains(&self.status), "{}: {}", self.status, self.text);
        self.body
    }

    /// A refusal: problem+json that is complete, with this status and this code, and nothing that only we should see.
    pub fn refused(&self, status: u16, code: &str) -> &Self {
        assert_eq!(self.status, status, "{}", self.text);
        assert_eq!(self.header("content-type"), Some("application/problem+json"), "{}", self.text);
        assert_eq!(self.code(), code, "{}", self.text);
        assert_eq!(self.body["status"], status, "{}", self.text);
        for member in ["type", "title", "detail", "instance", "traceId"] {
            assert!(self.body[member].as_str().is_some_and(|text| !text.is_empty()), "no {member}: {}", self.text);
        }
        for inside in ["SELECT", "panicked", "housekeeping.rs", "src/", "violates", "42501"] {
            assert!(!self.text.contains(inside), "{inside} is nobody's business: {}", self.text);
        }
        self
    }

    /// The detail of a refusal names the field.
    pub fn naming(&self, field: &str) -> &Self {
        assert!(self.detail().contains(field), "`{field}` is not named: {}", self.text);
        self
    }
}
