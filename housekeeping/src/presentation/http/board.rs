//! The board, once and live.

use std::convert::Infallible;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use contracts::ids::{PropertyId, StaffId, TenantId};
use futures_util::stream;
use platform::auth::{Caller, TokenError};
use platform::bus::{Listener, sse_message};
use platform::http::{Describe, EventStream, Gate, OneProperty, Operation, Problem, Query, Who};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::sync::watch;
use tokio::time::Instant;

use crate::SCHEMA;
use crate::application::board::{self, Board};
use crate::application::snapshots::{self, Shown, Source};
use crate::presentation::Housekeeping;

/// However long a token is good for, a stream begins anew once a day.
const LONGEST_STREAM_SECONDS: i64 = 24 * 60 * 60;
/// So often an open stream asks whether its token was made void. The answer is believed for 5 seconds: within 10 it is over.
const LOOK_AT_TOKEN: Duration = Duration::from_secs(4);

/// The board, or that it is as it was.
pub(super) struct BoardAnswer(Response);

impl IntoResponse for BoardAnswer {
    fn into_response(self) -> Response {
        self.0
    }
}

impl Describe for BoardAnswer {
    fn describe(operation: &mut Operation<'_>) {
        operation.header("If-None-Match", "^\"[0-9a-f]{32}\"$", "The `ETag` of the board that the caller has.");
        operation.answers::<Board>(200, "The board, now.");
        operation.answer_header(200, "ETag", "What the board says, for `If-None-Match`.");
        operation.answer_header(200, "Age", "How many seconds ago it was composed; nothing has changed since.");
        operation.answers_nothing(304, "The board is as the caller has it.");
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct BoardQuery {
    /// One person's share: their tasks, also those finished today, and the rooms of these.
    staff_id: Option<StaffId>,
}

/// The board from its snapshot, or composed and kept as one.
async fn load(
    state: &Housekeeping,
    tenant: &TenantId,
    property: &PropertyId,
    known_etag: Option<&str>,
) -> Result<Shown, Problem> {
    // Whoever brings a tag has the board, mostly: the database says so without a document.
    let shared = match known_etag {
        None => state.boards.find(tenant, property).await,
        Some(_) => None,
    };
    // No connection is held while the cache is asked.
    let mut uow = state.db.begin_for(&SCHEMA, tenant).await?;
    let shown = snapshots::show(&mut uow, property, known_etag, shared).await?;
    if let Err(fault) = uow.commit().await {
        // The board is right all the same; the next who looks composes it once more.
        tracing::warn!(%fault, "a board was not kept");
    }
    if let Some(document) = shown.news() {
        state.boards.share(tenant, property, &shown.etag, shown.generated_at, document);
    }
    Ok(shown)
}

/// The boards that the caller has, by `If-None-Match`: one tag, a list of them, or `*` for any. What a proxy has weakened (`W/`) is the same
/// board: it was packed on the way.
struct Known<'h>(Vec<&'h str>);

impl<'h> Known<'h> {
    fn of(headers: &'h HeaderMap) -> Self {
        let lines = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|line| line.to_str().ok());
        let tags = lines.flat_map(|line| line.split(',')).map(str::trim).filter(|tag| !tag.is_empty());
        Self(tags.map(|tag| tag.strip_prefix("W/").unwrap_or(tag)).collect())
    }

    fn has(&self, etag: &str) -> bool {
        self.0.iter().any(|tag| *tag == "*" || *tag == etag)
    }

    /// The tag, where it is one: then the database is asked for no document.
    fn one(&self) -> Option<&'h str> {
        match self.0.as_slice() {
            [tag] if *tag != "*" => Some(tag),
            _ => None,
        }
    }
}

pub(super) async fn show(
    State(state): State<Housekeeping>,
    Who(caller): Who,
    OneProperty(property): OneProperty,
    Query(query): Query<BoardQuery>,
    headers: HeaderMap,
) -> Result<BoardAnswer, Problem> {
    let known = Known::of(&headers);
    let Shown { etag, generated_at, document, .. } = match &query.staff_id {
        None => load(&state, &caller.tenant, &property, known.one()).await?,
        Some(staff) => {
            let look = async |uow: &mut _| board::show_for(uow, &property, staff).await;
            let board = state.db.read(&SCHEMA, &caller.tenant, look).await?;
            let document = serde_json::to_string(&board).unwrap_or_default();
            let (etag, generated_at) = (board.etag, board.generated_at);
            Shown { etag, generated_at, document: Some(document), source: Source::Tables }
        }
    };
    let document = document.filter(|_| !known.has(&etag));
    let mut response = match document {
        Some(document) => ([(header::CONTENT_TYPE, "application/json")], document).into_response(),
        None => StatusCode::NOT_MODIFIED.into_response(),
    };
    if let Ok(etag) = HeaderValue::from_str(&etag) {
        response.headers_mut().insert(header::ETAG, etag);
    }
    let age = (state.db.clock().now().as_millis() - generated_at.as_millis()).max(0) / 1_000;
    response.headers_mut().insert(header::AGE, HeaderValue::from(age));
    // A browser may keep it, and asks each time whether it still holds.
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    Ok(BoardAnswer(response))
}

/// First the whole board, then every change of the property as it is published. A client that comes back with
/// `Last-Event-ID` gets what it missed instead of the board, unless that is too much. It ends with the token, and when that is made void.
pub(super) async fn stream(
    State(state): State<Housekeeping>,
    Who(caller): Who,
    OneProperty(property): OneProperty,
    headers: HeaderMap,
) -> Result<EventStream, Problem> {
    // Whoever has seen nothing yet leaves it out, or sends it empty.
    let last = headers.get("last-event-id").filter(|value| !value.is_empty()).map(|value| {
        let offset = value.to_str().ok().and_then(|text| text.parse::<i64>().ok()).filter(|offset| *offset >= 0);
        offset.ok_or_else(|| Problem::invalid("Last-Event-ID", "the id of the last event that was received"))
    });
    let last = last.transpose()?;
    let ends = end_of(&caller, &state)?;
    // The seat first: what is published while the board is read is sent once more rather than missed.
    let listener = state.tail.listen(&caller.tenant, &property).await?;
    let (first, after) = beginning(&state, &caller.tenant, &property, last).await?;
    let keep_alive = state.tail.options().keep_alive;
    // Only a token that was given for a PIN can be made void.
    let look_at = if caller.pin_generation.is_some() { Instant::now() + LOOK_AT_TOKEN } else { ends };
    let token = Token { caller, gate: state.gate, ends, look_at };
    let live = Live { listener, closing: state.closing, first: Some(first), after, token, keep_alive };
    Ok(EventStream(Body::from_stream(stream::unfold(live, Live::next))))
}

/// When the caller's token is over. One whose time has come already opens nothing that lasts.
fn end_of(caller: &Caller, state: &Housekeeping) -> Result<Instant, Problem> {
    let left = caller.expires_at.saturating_sub(state.db.clock().now().as_millis() / 1_000).min(LONGEST_STREAM_SECONDS);
    match u64::try_from(left) {
        Ok(seconds) if seconds > 0 => Ok(Instant::now() + Duration::from_secs(seconds)),
        _ => Err(TokenError::OutOfTime.into()),
    }
}

/// What a stream begins with, and up to where that tells everything.
async fn beginning(
    state: &Housekeeping,
    tenant: &TenantId,
    property: &PropertyId,
    last: Option<i64>,
) -> Result<(String, i64), Problem> {
    let missed = match last {
        Some(offset) => state.feed.missed(tenant, property, offset).await?,
        None => None,
    };
    if let Some(missed) = missed {
        let mut text = missed.messages;
        push_mark(&mut text, missed.up_to);
        return Ok((text, missed.up_to));
    }
    let offset = state.feed.newest(tenant).await?;
    let board = load(state, tenant, property, None).await?;
    let mut text = String::new();
    sse_message(&mut text, "board", offset, &board.document.unwrap_or_default());
    Ok((text, offset))
}

/// The stream is still there, and whoever comes back has seen everything up to here, whatever happened in other houses.
fn push_mark(out: &mut String, offset: i64) {
    let _ = write!(out, ":\nid: {offset}\n\n");
}

/// The token that a stream was opened with.
struct Token {
    caller: Arc<Caller>,
    gate: Gate,
    ends: Instant,
    /// When it is to be looked at again.
    look_at: Instant,
}

impl Token {
    /// Whether its time is over, or it was made void before: another PIN, somebody who does not work here any more. Asked for now and
    /// then, not for every message.
    async fn is_over(&mut self) -> bool {
        let now = Instant::now();
        if now >= self.ends {
            return true;
        }
        if now < self.look_at {
            return false;
        }
        self.look_at = now + LOOK_AT_TOKEN;
        // A database that does not answer now is asked again.
        self.gate.is_void(&self.caller).await.unwrap_or(false)
    }

    /// When it is to be asked about next.
    fn next_look(&self) -> Instant {
        self.look_at.min(self.ends)
    }
}

/// One open stream.
struct Live {
    listener: Listener,
    closing: watch::Receiver<bool>,
    first: Option<String>,
    /// Up to where it has told everything.
    after: i64,
    token: Token,
    keep_alive: Duration,
}

impl Live {
    async fn next(mut self) -> Option<(Result<Bytes, Infallible>, Self)> {
        let bytes = self.bytes().await?;
        Some((Ok(bytes), self))
    }

    /// Waits until there is something to send, and gives it. The stream ends when the house drains, when the token is over, and
    /// when whoever listens is too slow.
    async fn bytes(&mut self) -> Option<Bytes> {
        if let Some(first) = self.first.take() {
            return Some(first.into());
        }
        let silent_until = Instant::now() + self.keep_alive;
        loop {
            if self.token.is_over().await {
                return None;
            }
            tokio::select! {
                biased;
                // Nobody left who could say so is the end as well.
                _ = self.closing.wait_for(|closing| *closing) => return None,
                () = tokio::time::sleep_until(self.token.next_look()) => {}
                batch = self.listener.next() => {
                    let batch = batch?;
                    let news = batch.after(self.after);
                    self.after = self.after.max(batch.last());
                    if !news.is_empty() {
                        return Some(news);
                    }
                }
                () = tokio::time::sleep_until(silent_until) => {
                    self.after = self.after.max(self.listener.seen_up_to().unwrap_or(0));
                    let mut text = String::new();
                    push_mark(&mut text, self.after);
                    return Some(text.into());
                }
            }
        }
    }
}
