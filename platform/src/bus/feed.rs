//! The tenant's published events by offset, for integrators; and what a live board missed.

use contracts::ids::{PropertyId, TenantId};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::value::RawValue;

use super::mailbox::sse_message;
use super::tail::{BOARD_TOUCHED, touch_of};
use crate::database::{Fault, Read, Schema};
use crate::http::PAGE_BYTES;
use crate::{Db, columns, statements};

statements! {
    FEED = "sql/feed.sql" (int8, _text, int8, int8) -> columns![log_offset: int8, envelope: text];
    BEHIND = "sql/behind.sql" (int8, int8) -> columns![newest: int8, known: bool, since: int8];
    MISSED = "sql/missed.sql" (int8, text, int8, int8) -> columns![log_offset: int8, subject: text, envelope: text];
    NEWEST = "sql/newest.sql" () -> columns![newest: int8];
}

/// Whoever missed more of the tenant's events than this, or more bytes of the board's, is better served with the whole board.
const MOST_MISSED: i64 = 5_000;
const MOST_MISSED_BYTES: i64 = 1024 * 1024;

/// One event at its place in the log.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FeedItem {
    pub offset: i64,
    /// The envelope, or a `CloudEvents` event where `Accept` asks for it.
    #[schemars(with = "serde_json::Map<String, serde_json::Value>")]
    pub envelope: Box<RawValue>,
}

/// A page of the feed; `next_after` is where the next one begins.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FeedPage {
    pub items: Vec<FeedItem>,
    pub next_after: i64,
}

/// What a live board missed, ready to be sent, and up to where that is everything.
#[derive(Debug)]
pub struct Missed {
    pub messages: String,
    pub up_to: i64,
}

/// Reads the log as one tenant.
#[derive(Clone, Debug)]
pub struct Feed {
    db: Db,
    schema: &'static Schema,
}

impl Feed {
    pub fn new(db: Db, schema: &'static Schema) -> Self {
        Self { db, schema }
    }

    /// Events after an offset, oldest first, up to a number and up to as many bytes as a page may have. `subjects` narrows it.
    pub async fn after(
        &self,
        tenant: &TenantId,
        after: i64,
        subjects: Option<&[String]>,
        limit: i64,
    ) -> Result<FeedPage, Fault> {
        let mut uow = self.db.begin_for(self.schema, tenant).await?;
        let bytes = i64::try_from(PAGE_BYTES).unwrap_or(i64::MAX);
        let rows = uow.read(&FEED, &[&after, &subjects, &limit, &bytes]).await?;
        uow.rollback().await?;
        let mut items = Vec::with_capacity(rows.len());
        for row in &rows {
            let envelope = RawValue::from_string(row.get("envelope"))
                .map_err(|error| Fault::Unexpected { place: "feed".to_owned(), detail: error.to_string() })?;
            items.push(FeedItem { offset: row.get("log_offset"), envelope });
        }
        let next_after = items.last().map_or(after, |item| item.offset);
        Ok(FeedPage { items, next_after })
    }

    /// What changed on a board since an offset that the tenant was given. `None`: too much, or the log does not reach back so
    /// far; then the whole board tells it better.
    pub async fn missed(&self, tenant: &TenantId, property: &PropertyId, after: i64) -> Result<Option<Missed>, Fault> {
        let mut uow = self.db.begin_for(self.schema, tenant).await?;
        // How far first: what is published between the two reads is in the second.
        let [behind, rows] = uow
            .read_together([
                Read { sql: &BEHIND, params: &[&after, &MOST_MISSED] },
                Read { sql: &MISSED, params: &[&after, property, &MOST_MISSED, &MOST_MISSED_BYTES] },
            ])
            .await?;
        uow.rollback().await?;
        let Some(behind) = behind.first() else { return Ok(None) };
        if !behind.get::<_, bool>("known") || behind.get::<_, i64>("since") > MOST_MISSED {
            return Ok(None);
        }
        let (mut messages, mut up_to) = (String::new(), behind.get::<_, i64>("newest"));
        for row in &rows {
            let offset: i64 = row.get("log_offset");
            let touched = row.get::<_, &str>("subject") == BOARD_TOUCHED;
            let data =
                if touched { touch_of(property).into() } else { std::borrow::Cow::Borrowed(row.get("envelope")) };
            sse_message(&mut messages, "change", offset, &data);
            up_to = up_to.max(offset);
        }
        let most = usize::try_from(MOST_MISSED_BYTES).unwrap_or(usize::MAX);
        Ok((messages.len() <= most).then_some(Missed { messages, up_to }))
    }

    /// The offset of the tenant's newest event, or 0.
    pub async fn newest(&self, tenant: &TenantId) -> Result<i64, Fault> {
        let mut uow = self.db.begin_for(self.schema, tenant).await?;
        let row = uow.read_one(&NEWEST, &[]).await?;
        uow.rollback().await?;
        Ok(row.map_or(0, |row| row.get("newest")))
    }
}
