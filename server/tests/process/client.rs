//! A caller: plain HTTP, JSON in and out, and no patience without end.

use std::time::Duration;

use serde_json::Value;
use ureq::Agent;
use ureq::http::Response;
use ureq::{Body, RequestBuilder};

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) kind: String,
    pub(crate) retry_after: Option<u32>,
    pub(crate) replayed: bool,
    pub(crate) text: String,
}

impl Answer {
    /// Says that it is not possible now, for programs and for people, and when to come again.
    pub(crate) fn assert_come_again(&self) {
        assert_eq!((self.status, self.kind.as_str()), (503, "application/problem+json"), "{self:?}");
        assert!(self.retry_after.is_some_and(|seconds| (1..=60).contains(&seconds)), "{self:?}");
        assert!(self.json()["code"].as_str().is_some_and(|code| code.starts_with("MELMASTOON.")), "{self:?}");
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("not JSON ({error}): {self:?}"))
    }

    /// The body of a success.
    pub(crate) fn good(self) -> Value {
        assert!((200..300).contains(&self.status), "{self:?}");
        if self.text.is_empty() { Value::Null } else { self.json() }
    }
}

/// Talks to one address.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    agent: Agent,
    port: u16,
}

impl Client {
    pub(crate) fn of(port: u16) -> Self {
        // A connection for each request: none outlives the server it led to.
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_idle_connections(0)
            .timeout_global(Some(Duration::from_secs(20)))
            .build();
        Self { agent: config.into(), port }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// An answer, or none when the server is not there or goes away in between.
    pub(crate) fn try_get(&self, path: &str, token: Option<&str>) -> Option<Answer> {
        let request = with_token(self.agent.get(self.url(path)), token);
        request.call().ok().and_then(read)
    }

    pub(crate) fn get(&self, path: &str, token: &str) -> Answer {
        self.try_get(path, Some(token)).unwrap_or_else(|| panic!("no answer to GET {path}"))
    }

    pub(crate) fn try_post(&self, path: &str, token: &str, body: &Value) -> Option<Answer> {
        let request = with_token(self.agent.post(self.url(path)), Some(token));
        request.header("content-type", "application/json").send(body.to_string()).ok().and_then(read)
    }

    pub(crate) fn post(&self, path: &str, token: &str, body: &Value) -> Answer {
        self.try_post(path, token, body).unwrap_or_else(|| panic!("no answer to POST {path}"))
    }

    /// Under an idempotency key.
    pub(crate) fn try_post_once(&self, path: &str, token: &str, key: &str, body: &Value) -> Option<Answer> {
        let request = with_token(self.agent.post(self.url(path)), Some(token)).header("idempotency-key", key);
        request.header("content-type", "application/json").send(body.to_string()).ok().and_then(read)
    }

    /// Whatever bytes somebody sends as JSON.
    pub(crate) fn post_bytes(&self, path: &str, token: &str, body: &[u8]) -> Answer {
        let request = with_token(self.agent.post(self.url(path)), Some(token));
        let answer = request.header("content-type", "application/json").send(body).ok().and_then(read);
        answer.unwrap_or_else(|| panic!("no answer to {} bytes for {path}", body.len()))
    }

    pub(crate) fn put(&self, path: &str, token: &str, body: &Value) -> Answer {
        let request = with_token(self.agent.put(self.url(path)), Some(token));
        let answer = request.header("content-type", "application/json").send(body.to_string()).ok().and_then(read);
        answer.unwrap_or_else(|| panic!("no answer to PUT {path}"))
    }

    pub(crate) fn is_ready(&self) -> bool {
        self.try_get("/readyz", None).is_some_and(|answer| answer.status == 200)
    }
}

fn with_token<B>(request: RequestBuilder<B>, token: Option<&str>) -> RequestBuilder<B> {
    match token {
        Some(token) => request.header("authorization", format!("Bearer {token}")),
        None => request,
    }
}

fn read(mut response: Response<Body>) -> Option<Answer> {
    let header = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let (kind, retry_after) = (header("content-type").unwrap_or_default(), header("retry-after"));
    let status = response.status().as_u16();
    let replayed = header("idempotency-replayed").is_some_and(|value| value == "true");
    let text = response.body_mut().read_to_string().ok()?;
    Some(Answer { status, kind, retry_after: retry_after.and_then(|seconds| seconds.parse().ok()), replayed, text })
}
