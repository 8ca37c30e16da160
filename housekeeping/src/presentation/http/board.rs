//! The board, once and live.

use std::convert::Infallible;
use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use contracts::ids::{PropertyId, TenantId};
use futures_util::stream::{self, Stream, StreamExt};
use platform::bus::FeedItem;
use platform::http::{Describe, OneProperty, Operation, Problem, Who};
use tokio::sync::watch;

use crate::SCHEMA;
use crate::application::board::{self, Board};
use crate::presentation::Housekeeping;

/// How soon a change that another process published is seen.
const LOOK_EVERY: Duration = Duration::from_secs(1);
const BATCH: i64 = 200;

/// The board, or that it is as it was.
pub(super) struct BoardAnswer(Response);

impl IntoResponse for BoardAnswer {
    fn into_response(self) -> Response {
        self.0
    }
}

impl Describe for BoardAnswer {
    fn describe(operation: &mut Operation<'_>) {
        operation.header("If-None-Match", "The `ETag` of the board that the caller has.");
        operation.answers::<Board>(200, "The board, now.");
        operation.answer_header(200, "ETag", "What the board says, for `If-None-Match`.");
        operation.answers_nothing(304, "The board is as the caller has it.");
    }
}

async fn load(state: &Housekeeping, tenant: &TenantId, property: &PropertyId) -> Result<Board, Problem> {
    Ok(state.db.read(&SCHEMA, tenant, async |uow| board::show(uow, property).await).await?)
}

pub(super) async fn show(
    State(state): State<Housekeeping>,
    Who(caller): Who,
    OneProperty(property): OneProperty,
    headers: HeaderMap,
) -> Result<BoardAnswer, Problem> {
    let board = load(&state, &caller.tenant, &property).await?;
    let etag = HeaderValue::from_str(&board.etag).ok();
    let unchanged = etag.is_some() && headers.get(header::IF_NONE_MATCH) == etag.as_ref();
    let mut response =
        if unchanged { StatusCode::NOT_MODIFIED.into_response() } else { axum::Json(board).into_response() };
    if let Some(etag) = etag {
        response.headers_mut().insert(header::ETAG, etag);
    }
    Ok(BoardAnswer(response))
}

/// First the whole board, then every change of the property as it is published. A client that comes back with
/// `Last-Event-ID` gets what it missed instead of the board.
pub(super) async fn stream(
    State(state): State<Housekeeping>,
    Who(caller): Who,
    OneProperty(property): OneProperty,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Problem> {
    let last = headers.get("last-event-id").map(|value| {
        let offset = value.to_str().ok().and_then(|text| text.parse::<i64>().ok()).filter(|offset| *offset >= 0);
        offset.ok_or_else(|| Problem::invalid("Last-Event-ID", "the id of the last event that was received"))
    });
    let (first, after) = if let Some(offset) = last.transpose()? {
        (None, offset)
    } else {
        // The offset first: what is published in between is sent once more rather than missed.
        let offset = state.feed.newest(&caller.tenant).await?;
        let board = load(&state, &caller.tenant, &property).await?;
        let text = serde_json::to_string(&board).unwrap_or_default();
        (Some(Event::default().event("board").id(offset.to_string()).data(text)), offset)
    };
    let live = Live { news: state.news.clone(), state, tenant: caller.tenant.clone(), property, after };
    let changes = stream::unfold(live, Live::next).flat_map(stream::iter);
    let events = stream::iter(first).chain(changes).map(Ok);
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(15))))
}

/// One open stream.
struct Live {
    state: Housekeeping,
    news: watch::Receiver<i64>,
    tenant: TenantId,
    property: PropertyId,
    after: i64,
}

impl Live {
    /// Waits until there is something new, and gives it.
    async fn next(mut self) -> Option<(Vec<Event>, Self)> {
        loop {
            if *self.state.closing.borrow() {
                return None;
            }
            self.news.mark_unchanged();
            let page = self.state.feed.after(&self.tenant, self.after, None, Some(&self.property), BATCH).await;
            match page {
                Ok(page) if !page.items.is_empty() => {
                    self.after = page.next_after;
                    return Some((page.items.iter().map(change).collect(), self));
                }
                Ok(_) => {}
                // The database is away for a moment: the stream stays, and goes on where it was.
                Err(fault) => tracing::debug!(%fault, "a live board waits"),
            }
            tokio::select! {
                changed = self.news.changed() => if changed.is_err() { return None },
                _ = self.state.closing.changed() => {}
                () = tokio::time::sleep(LOOK_EVERY) => {}
            }
        }
    }
}

fn change(item: &FeedItem) -> Event {
    Event::default().event("change").id(item.offset.to_string()).data(item.envelope.get())
}
