//! A request that changes something: its caller, its body, its idempotency key, and the one way to finish it.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{FromRequest, MatchedPath, Request};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::IntoResponse;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use super::describe::{Describe, Operation};
use super::{Answer, Gate, Problem, Reply, RequestInfo, fingerprint};
use crate::auth::{Caller, Secrets, TokenError};
use crate::database::{Claim, Fault, Interruption, Schema, StoredResponse, UnitOfWork};
use crate::{ContextError, Db, Refusal, RequestContext};

/// The limit of a REST body. Events have their own, at the push endpoint.
pub(super) const BODY_LIMIT: usize = 256 * 1024;

/// A body that is not looked at.
#[derive(Clone, Copy, Debug)]
pub struct NoBody;

impl JsonSchema for NoBody {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "NoBody".into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "object" })
    }
}

impl<'de> serde::Deserialize<'de> for NoBody {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        serde::de::IgnoredAny::deserialize(from).map(|_| Self)
    }
}

/// The version that the caller has seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IfMatch {
    Any,
    Version(i32),
}

impl IfMatch {
    /// Whether the caller's view is still the present one.
    pub fn fits(&self, version: i32) -> bool {
        matches!(self, Self::Any) || *self == Self::Version(version)
    }

    /// Refused where the caller decided on another version than the present one; who names none is taken as they come.
    pub fn check(seen: Option<&Self>, version: i32) -> Result<(), Refusal> {
        match seen {
            Some(seen) if !seen.fits(version) => Err(Refusal::StaleVersion { current: version }),
            _ => Ok(()),
        }
    }
}

/// A request to change something, read and not yet begun: who asks, what exactly, under which key, on which version.
#[derive(Debug)]
pub struct Command<T> {
    pub caller: Arc<Caller>,
    pub body: T,
    pub if_match: Option<IfMatch>,
    pub context: RequestContext,
    info: RequestInfo,
    claim: Option<Claim>,
}

impl<T> Command<T> {
    /// The frame of every command: begin under its key, tell the story, commit with the answer; or roll back and say why. A
    /// refusal that belongs to the request itself is kept under its key as well. Nothing is half done, whatever happens.
    pub async fn run<R, E, F>(&self, db: &Db, schema: &'static Schema, story: F) -> Answer<R>
    where
        R: Reply,
        E: ContextError,
        F: AsyncFnOnce(&mut UnitOfWork) -> Result<R, E>,
    {
        let mut uow = match self.begin(db, schema).await {
            Ok(uow) => uow,
            Err(fault) => return Answer::of(Problem::from(fault)),
        };
        let outcome = story(&mut uow).await;
        self.finish(db, schema, uow, outcome).await
    }

    /// A look before the work, outside its transaction: `Err` where the key has its answer already, or the look was refused.
    /// For work that must not hold a connection while something else is waited for.
    pub async fn look<L, R, E, F>(&self, db: &Db, schema: &'static Schema, look: F) -> Result<L, Answer<R>>
    where
        R: Reply,
        E: ContextError,
        F: AsyncFnOnce(&mut UnitOfWork) -> Result<L, E>,
    {
        let mut uow = self.begin(db, schema).await.map_err(|fault| Answer::of(Problem::from(fault)))?;
        match look(&mut uow).await {
            Ok(seen) => uow.rollback().await.map(|()| seen).map_err(|fault| Answer::of(Problem::from(fault))),
            Err(error) => Err(self.finish(db, schema, uow, Err::<R, E>(error)).await),
        }
    }

    /// What its key was answered with already, or why it cannot be asked; `None` where there is no key or no answer yet. For what must not be
    /// done for a repetition, such as judging a PIN that the first time has changed.
    pub async fn answered<R: Reply>(&self, db: &Db, schema: &'static Schema) -> Option<Answer<R>> {
        self.claim.as_ref()?;
        let looked = async { self.begin(db, schema).await?.commit().await };
        match looked.await {
            Ok(()) => None,
            Err(Fault::Interrupted(Interruption::Replay(stored))) => Some(Answer::of(replayed(stored))),
            Err(fault) => Some(Answer::of(Problem::from(fault))),
        }
    }

    async fn begin(&self, db: &Db, schema: &'static Schema) -> Result<UnitOfWork, Fault> {
        let mut uow = db.begin(schema, self.context.clone()).await?;
        if let Some(claim) = &self.claim {
            uow.once_per_key(claim.clone());
        }
        Ok(uow)
    }

    async fn finish<R: Reply, E: ContextError>(
        &self,
        db: &Db,
        schema: &'static Schema,
        mut uow: UnitOfWork,
        outcome: Result<R, E>,
    ) -> Answer<R> {
        let outcome = match outcome {
            Ok(reply) => {
                let stored = reply.into_stored();
                uow.keep_reply(&stored);
                match uow.commit().await {
                    Ok(()) => return Answer::of(stored),
                    Err(fault) => Outcome::Fault(fault),
                }
            }
            Err(error) => {
                if let Err(fault) = uow.rollback().await {
                    return Answer::of(Problem::from(fault));
                }
                error.into()
            }
        };
        match outcome {
            Outcome::Fault(Fault::Interrupted(Interruption::Replay(stored))) => Answer::of(replayed(stored)),
            // What is there already may have been made by another copy of this request.
            Outcome::Fault(fault @ Fault::Duplicate { .. }) => match self.answered(db, schema).await {
                Some(answer) => answer,
                None => Answer::of(Problem::from(fault)),
            },
            Outcome::Fault(fault) => Answer::of(Problem::from(fault)),
            Outcome::Problem(problem) if self.claim.is_some() && problem.is_settled() => {
                self.keep_refusal(db, schema, problem).await
            }
            Outcome::Problem(problem) => Answer::of(problem),
        }
    }

    /// The refusal, kept; or what another copy of the request was answered while this one was told: one key has one answer.
    async fn keep_refusal<R: Reply>(&self, db: &Db, schema: &'static Schema, problem: Problem) -> Answer<R> {
        let stored = StoredResponse {
            status: problem.status.as_u16(),
            body: problem.render(&self.info.path, self.info.trace_id()),
            content_type: "application/problem+json".to_owned(),
            location: None,
            etag: None,
        };
        let kept = async {
            let mut uow = self.begin(db, schema).await?;
            uow.keep_reply(&stored);
            uow.commit().await
        };
        match kept.await {
            Ok(()) => Answer::of(stored),
            Err(Fault::Interrupted(Interruption::Replay(first))) => Answer::of(replayed(first)),
            Err(fault @ Fault::Interrupted(Interruption::InFlight)) => Answer::of(Problem::from(fault)),
            Err(fault @ Fault::Duplicate { .. }) => match self.answered(db, schema).await {
                Some(answer) => answer,
                None => Answer::of(Problem::from(fault)),
            },
            Err(fault) => {
                // Nothing was changed, so the same request decides the same way again.
                tracing::debug!(%fault, "a refusal was not kept");
                Answer::of(stored)
            }
        }
    }
}

fn replayed(stored: StoredResponse) -> axum::response::Response {
    let mut response = stored.into_response();
    response.headers_mut().insert("idempotency-replayed", HeaderValue::from_static("true"));
    response
}

/// How a command can end without success: the context's own refusal, or the platform's fault.
#[derive(Debug)]
pub enum Outcome {
    Problem(Problem),
    Fault(Fault),
}

impl<T: JsonSchema> Describe for Command<T> {
    fn describe(operation: &mut Operation<'_>) {
        operation.takes_body::<T>();
        operation.header(
            "Idempotency-Key",
            "^[!-~]{1,255}$",
            "A UUID as a rule. The same key and request get the same answer for 24 hours; the role `service` must send one.",
        );
        operation.header(
            "If-Match",
            "^(\\*|(W/)?\"[0-9]{1,9}\")$",
            "The `ETag` that the decision was taken on, or `*`. Stale: 412.",
        );
        operation.header("Accept-Language", "^[A-Za-z0-9-]{1,35}$", "Kept as a hint on what is created.");
    }
}

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Command<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        Self::read(request, BODY_LIMIT, read_json).await
    }
}

impl<T> Command<T> {
    /// Reads a command whose body is of this many bytes at most, and is something else than JSON where `body_of` says so.
    pub async fn read(
        request: Request,
        limit: usize,
        body_of: impl FnOnce(&HeaderMap, &Bytes) -> Result<T, Problem>,
    ) -> Result<Self, Problem> {
        let (parts, body) = request.into_parts();
        let missing = || Problem::from(TokenError::Missing);
        let caller = parts.extensions.get::<Arc<Caller>>().cloned().ok_or_else(missing)?;
        let info = parts.extensions.get::<RequestInfo>().cloned().ok_or_else(missing)?;
        let bytes = whole_body(body, limit).await?;
        let route = parts.extensions.get::<MatchedPath>().map_or(info.path.as_str(), MatchedPath::as_str);
        let route = format!("{} {route}", parts.method);
        let secrets = parts.extensions.get::<Gate>().map(|gate| &gate.secrets);
        let asked = Asked { path: &info.path, query: parts.uri.query(), body: &bytes };
        let claim = claim_of(&parts.headers, route, &asked, secrets)?;
        let value = body_of(&parts.headers, &bytes)?;
        let context = RequestContext {
            tenant: caller.tenant.clone(),
            actor: caller.actor(),
            correlation_id: info.request_id.clone(),
            causation_id: None,
            traceparent: info.traceparent.clone(),
            locale: language(&parts.headers),
        };
        Ok(Self { if_match: if_match(&parts.headers)?, caller, body: value, context, info, claim })
    }
}

/// Whether a PIN may be in the body: what is kept of it must then not be found out by trying them all.
fn may_hold_a_pin(body: &[u8]) -> bool {
    // A name may be spelt with escapes.
    body.windows(4).any(|four| four[..3].eq_ignore_ascii_case(b"pin") && four[3] == b'"')
        || body.windows(2).any(|two| two == br"\u")
}

fn claim_of(
    headers: &HeaderMap,
    route: String,
    asked: &Asked<'_>,
    secrets: Option<&Secrets>,
) -> Result<Option<Claim>, Problem> {
    let Some(value) = headers.get("idempotency-key") else { return Ok(None) };
    let key =
        value.to_str().ok().filter(|key| (1..=255).contains(&key.len()) && key.bytes().all(|b| b.is_ascii_graphic()));
    let key = key.ok_or_else(|| Problem::invalid("Idempotency-Key", "1 to 255 visible characters"))?;
    Ok(Some(Claim { route, key: key.to_owned(), request_hash: asked.hash(secrets) }))
}

/// What makes two requests the same one.
struct Asked<'a> {
    path: &'a str,
    query: Option<&'a str>,
    body: &'a Bytes,
}

impl Asked<'_> {
    fn hash(&self, secrets: Option<&Secrets>) -> String {
        let mut request = self.path.as_bytes().to_vec();
        if let Some(query) = self.query {
            request.push(b'?');
            request.extend_from_slice(query.as_bytes());
        }
        request.push(0);
        request.extend_from_slice(self.body);
        match secrets {
            Some(secrets) if may_hold_a_pin(self.body) => secrets.fingerprint(&request),
            _ => fingerprint(&request),
        }
    }
}

fn if_match(headers: &HeaderMap) -> Result<Option<IfMatch>, Problem> {
    let Some(value) = headers.get(header::IF_MATCH) else { return Ok(None) };
    let text = value.to_str().unwrap_or_default().trim();
    if text == "*" {
        return Ok(Some(IfMatch::Any));
    }
    let tag = text.strip_prefix("W/").unwrap_or(text);
    let number = tag.strip_prefix('"').and_then(|t| t.strip_suffix('"')).unwrap_or(tag).parse();
    number
        .map(|version| Some(IfMatch::Version(version)))
        .map_err(|_| Problem::invalid("If-Match", "the ETag of the resource, such as \"3\", or *"))
}

/// The first language that the caller asks for.
fn language(headers: &HeaderMap) -> Option<String> {
    let text = headers.get(header::ACCEPT_LANGUAGE)?.to_str().ok()?;
    let first = text.split([',', ';']).next()?.trim();
    let plain = first.len() <= 35 && first.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    (plain && !first.is_empty()).then(|| first.to_owned())
}

/// All of a body. One that is too long is told so; one that broke off, or was badly cut into chunks, is another mistake.
pub(super) async fn whole_body(body: axum::body::Body, limit: usize) -> Result<Bytes, Problem> {
    use std::error::Error as _;
    axum::body::to_bytes(body, limit).await.map_err(|error| {
        if matches!(error.source(), Some(source) if source.is::<http_body_util::LengthLimitError>()) {
            Problem::too_large(limit)
        } else {
            Problem::malformed("the body could not be read to its end")
        }
    })
}

/// A body of JSON, or what is wrong with it.
pub fn read_json<T: DeserializeOwned>(headers: &HeaderMap, bytes: &Bytes) -> Result<T, Problem> {
    if bytes.is_empty() {
        // A command without a body is the same as one with an empty object: required fields name themselves.
        return parse(b"{}");
    }
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if essence != "application/json" && !(essence.starts_with("application/") && essence.ends_with("+json")) {
        return Err(Problem::unsupported_media("send the body as application/json"));
    }
    if has_nul(bytes) {
        return Err(Problem::malformed("the body has a NUL character in it"));
    }
    // A list would be read as an object's values in the order of our source.
    if bytes.iter().find(|byte| !byte.is_ascii_whitespace()) != Some(&b'{') {
        return Err(Problem::malformed("the body is not JSON, or not a JSON object"));
    }
    parse(bytes)
}

fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let field = error.path().to_string();
        let inner = error.inner();
        if inner.is_data() {
            let sentence = inner.to_string();
            let rule = sentence.split(" at line ").next().unwrap_or_default();
            match (missing(rule), field.as_str()) {
                (Some(name), ".") => Problem::invalid(name, "is required"),
                (Some(name), within) => Problem::invalid(&format!("{within}.{name}"), "is required"),
                (None, ".") => Problem::malformed(in_plain_words(rule)),
                (None, field) => Problem::invalid(field, in_plain_words(rule)),
            }
        } else {
            Problem::malformed(format!("the body is not JSON: {inner}"))
        }
    })?;
    reader.end().map_err(|error| Problem::malformed(format!("the body is not one JSON value: {error}")))?;
    Ok(value)
}

/// What the reader says of a wrong kind of value, without the names of our types: they are our source's, and say nothing to whoever calls.
fn in_plain_words(rule: &str) -> String {
    if rule.contains("any variant of untagged enum") {
        return "is in none of the forms that are read here".to_owned();
    }
    let Some((found, wanted)) = rule.rsplit_once(", expected ") else { return rule.to_owned() };
    let found = match found {
        "invalid type: map" => "invalid type: an object",
        "invalid type: sequence" => "invalid type: a list",
        other => other,
    };
    let is_out_of_range = found.starts_with("invalid value: integer");
    let wanted = match wanted {
        "u8" if is_out_of_range => "a whole number from 0 to 255",
        "u16" if is_out_of_range => "a whole number from 0 to 65535",
        "u32" if is_out_of_range => "a whole number from 0 to 4294967295",
        "i16" if is_out_of_range => "a whole number from -32768 to 32767",
        "i32" if is_out_of_range => "a whole number from -2147483648 to 2147483647",
        "i8" | "i16" | "i32" | "i64" | "isize" | "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number",
        "f32" | "f64" => "a number",
        "a sequence" => "a list",
        "a map" => "an object",
        other if other.starts_with("struct ") => "an object",
        other if other.starts_with("tuple struct ") || other.starts_with("a tuple of ") => "a list",
        other => other,
    };
    format!("{found}, expected {wanted}")
}

/// The name of a field that is not there, out of the reader's sentence about it.
fn missing(rule: &str) -> Option<&str> {
    rule.strip_prefix("missing field `")?.strip_suffix('`')
}

/// Whether the text has a NUL, raw or as `\u0000`. PostgreSQL stores none, and no hotel needs one.
pub(crate) fn has_nul(bytes: &[u8]) -> bool {
    let mut escaped = false;
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            0 => return true,
            b'\\' => escaped = !escaped,
            b'u' if escaped && bytes[at + 1..].starts_with(b"0000") => return true,
            _ => escaped = false,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_body_that_breaks_off_is_not_called_too_large() {
        let broken =
            futures_util::stream::iter([Ok(Bytes::from_static(b"{\"a\":")), Err(std::io::Error::other("gone"))]);
        let problem = whole_body(axum::body::Body::from_stream(broken), BODY_LIMIT).await.unwrap_err();
        assert_eq!(problem.status, 400, "{problem:?}");
        let long = axum::body::Body::from(vec![b' '; BODY_LIMIT + 1]);
        let problem = whole_body(long, BODY_LIMIT).await.unwrap_err();
        assert_eq!(problem.status, 413, "{problem:?}");
        assert_eq!(whole_body(axum::body::Body::from("{}"), BODY_LIMIT).await.unwrap(), "{}");
    }
}
