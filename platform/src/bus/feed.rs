//! The tenant's published events by offset, for integrators and for the live board.

use contracts::ids::{PropertyId, TenantId};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::database::{Fault, Read, Schema};
use crate::{Db, columns, statements};

statements! {
    FEED = "sql/feed.sql" (int8, _text, text, int8) -> columns![log_offset: int8, envelope: text];
    NEWEST = "sql/newest.sql" () -> columns![newest: int8];
}

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

    /// Events after an offset, oldest first. `subjects` and `property` narrow it.
    pub async fn after(
        &self,
        tenant: &TenantId,
        after: i64,
        subjects: Option<&[String]>,
        property: Option<&PropertyId>,
        limit: i64,
    ) -> Result<FeedPage, Fault> {
        let mut uow = self.db.begin_for(self.schema, tenant).await?;
        let property = property.map(PropertyId::as_str);
        let [rows] = uow.read_together([Read { sql: &FEED, params: &[&after, &subjects, &property, &limit] }]).await?;
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

    /// The offset of the tenant's newest event, or 0.
    pub async fn newest(&self, tenant: &TenantId) -> Result<i64, Fault> {
        let mut uow = self.db.begin_for(self.schema, tenant).await?;
        let row = uow.read_one(&NEWEST, &[]).await?;
        uow.rollback().await?;
        Ok(row.map_or(0, |row| row.get("newest")))
    }
}
