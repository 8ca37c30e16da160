//! The operator's view of what could not be applied: list, show, replay, discard, over all tenants.

use std::collections::BTreeMap;

use contracts::actor::Actor;
use contracts::ids::TenantId;
use contracts::time::Timestamp;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use super::inbound::read_any;
use super::{Handled, Inbound, Subscription, receive};
use crate::Db;
use crate::database::{DbRole, Deed, Fault};

/// A message on its way into the dead letters.
#[derive(Clone, Debug)]
pub struct DeadLetter {
    pub event_id: Option<String>,
    pub subject: String,
    pub message: String,
    pub code: String,
    pub error: String,
    pub pointer: Option<String>,
    pub attempts: i32,
}

/// A dead letter as an operator sees it.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DeadLetterRow {
    pub id: String,
    pub context: String,
    pub event_id: Option<String>,
    pub subject: String,
    pub tenant_id: String,
    pub attempts: i32,
    pub code: String,
    pub error: String,
    pub pointer: Option<String>,
    pub state: String,
    pub failed_at: Timestamp,
    /// When it was replayed or discarded, and by whom.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolved_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolved_by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// Which one, and whose: enough to have it delivered again.
#[derive(Clone, Debug)]
pub struct OpenLetter {
    pub id: String,
    pub context: String,
}

/// The operator's desk for what could not be applied, over all tenants. A replay that fails leaves the letter where it was, with the new reason.
#[derive(Debug)]
pub struct DeadLetters {
    db: Db,
    client: tokio_postgres::Client,
    subscriptions: Vec<Subscription>,
}

impl DeadLetters {
    /// Works as the operator's role: dead letters of all tenants, and nothing else of theirs.
    pub async fn open(db: Db, subscriptions: Vec<Subscription>) -> Result<Self, Fault> {
        let client = db.connect_as(DbRole::Operator).await?;
        Ok(Self { db, client, subscriptions })
    }

    /// The open ones, newest last; all of them with `all`. Of each context the oldest [`LISTED`].
    pub async fn list(&self, all: bool) -> Result<Vec<DeadLetterRow>, Fault> {
        let mut found = Vec::new();
        for subscription in &self.subscriptions {
            let rows = self.client.query(&listing(subscription.schema.name), &[&all]).await.map_err(fault)?;
            found.extend(rows.iter().map(|row| row_of(subscription.name, row)));
        }
        Ok(found)
    }

    /// How many are open.
    pub async fn count_open(&self) -> Result<i64, Fault> {
        let mut count = 0;
        for subscription in &self.subscriptions {
            count += open_in(&self.client, subscription).await?;
        }
        Ok(count)
    }

    /// Every open one, oldest first within a context, however many there are.
    pub async fn every_open(&self) -> Result<Vec<OpenLetter>, Fault> {
        let mut found = Vec::new();
        for subscription in &self.subscriptions {
            let sql = format!(
                "SELECT id FROM {}.dead_letters WHERE state = 'open' ORDER BY failed_at, id",
                subscription.schema.name
            );
            let rows = self.client.query(&sql, &[]).await.map_err(fault)?;
            found
                .extend(rows.iter().map(|row| OpenLetter { id: row.get("id"), context: subscription.name.to_owned() }));
        }
        Ok(found)
    }

    /// One, by its own id or by its event's, with the message: an open one, or else the one that was settled last.
    pub async fn show(&self, id: &str) -> Result<Option<DeadLetterRow>, Fault> {
        let mut found: Vec<_> = self.find_any(id, true).await?.into_iter().map(|(_, row)| row).collect();
        found.sort_by_key(|row| (row.state == "open", row.resolved_at));
        Ok(found.pop())
    }

    /// Delivers it again. Resolved if it is applied now; otherwise it stays, with the new reason.
    pub async fn replay(&self, id: &str, operator: &str) -> Result<Option<Handled>, Fault> {
        let Some((subscription, row)) = self.find(id).await? else { return Ok(None) };
        let message = row.message.clone().unwrap_or_default();
        let bytes = marked_as_replay(&message);
        let tenant = TenantId::parse(&row.tenant_id).ok();
        let inbound = Inbound {
            bytes: &bytes,
            subject: &row.subject,
            sender: tenant.as_ref(),
            attempt: row.attempts,
            last_attempt: false,
        };
        let handled = receive(&self.db, subscription, inbound).await?;
        let settled = match handled {
            Handled::Applied | Handled::AlreadyProcessed => true,
            // Without an event id it was filed as a new letter, which takes this one's place.
            Handled::Buried => row.event_id.is_none(),
            Handled::NotTheirs => false,
        };
        if settled {
            self.resolve(subscription, &row, "replayed", operator).await?;
        }
        Ok(Some(handled))
    }

    /// Gives every open one under this id up for good; they stay readable, with who did it and when.
    pub async fn discard(&self, id: &str, operator: &str) -> Result<Vec<DeadLetterRow>, Fault> {
        let found = self.find_all(id).await?;
        for (subscription, row) in &found {
            self.resolve(subscription, row, "discarded", operator).await?;
        }
        Ok(found.into_iter().map(|(_, row)| row).collect())
    }

    /// Every open one under this id, its own or its event's: an event can be in the dead letters of several contexts.
    pub async fn open_under(&self, id: &str) -> Result<Vec<OpenLetter>, Fault> {
        let found = self.find_all(id).await?;
        Ok(found.into_iter().map(|(_, DeadLetterRow { id, context, .. })| OpenLetter { id, context }).collect())
    }

    async fn find(&self, id: &str) -> Result<Option<(&Subscription, DeadLetterRow)>, Fault> {
        Ok(self.find_all(id).await?.into_iter().next())
    }

    /// Newest first within a context.
    async fn find_all(&self, id: &str) -> Result<Vec<(&Subscription, DeadLetterRow)>, Fault> {
        self.find_any(id, false).await
    }

    async fn find_any(&self, id: &str, settled: bool) -> Result<Vec<(&Subscription, DeadLetterRow)>, Fault> {
        let mut found = Vec::new();
        for subscription in &self.subscriptions {
            let sql = format!(
                "SELECT *, message AS text FROM {}.dead_letters WHERE (id = $1 OR event_id = $1) AND (state = 'open' OR $2)
                 ORDER BY failed_at DESC",
                subscription.schema.name
            );
            let rows = self.client.query(&sql, &[&id, &settled]).await.map_err(fault)?;
            found.extend(rows.iter().map(|row| (subscription, row_of(subscription.name, row))));
        }
        Ok(found)
    }

    /// It stays readable, and the tenant's audit has who did it.
    async fn resolve(
        &self,
        subscription: &Subscription,
        letter: &DeadLetterRow,
        state: &str,
        operator: &str,
    ) -> Result<(), Fault> {
        let sql = format!(
            "UPDATE {}.dead_letters SET state = $2, resolved_at = $3, resolved_by = $4 WHERE id = $1 AND state = 'open'",
            subscription.schema.name
        );
        let now = self.db.clock().now().jiff();
        let settled = self.client.execute(&sql, &[&letter.id, &state, &now, &operator]).await.map_err(fault)?;
        // A message that names no tenant of ours is nobody's record.
        let Some(tenant) = TenantId::parse(&letter.tenant_id).ok().filter(|_| settled > 0) else { return Ok(()) };
        let detail = serde_json::json!({ "state": state, "by": operator, "eventId": letter.event_id, "subject": letter.subject });
        let deed = Deed::new("internal.dead_letter.settled", "dead_letter", &letter.id, &detail);
        self.db.keep_on_record(subscription.schema, &tenant, Actor::system("sys_operator"), vec![deed]).await
    }
}

#[expect(clippy::needless_pass_by_value, reason = "as `map_err` hands it over")]
fn fault(error: tokio_postgres::Error) -> Fault {
    Fault::from_postgres("dead_letters", &error)
}

/// So many of a context are listed: nobody reads more, and a flood of them must not fill the memory.
pub const LISTED: usize = 10_000;

/// What a list shows: messages may have 256 KiB each, and whoever lists ten thousand wants none of them.
fn listing(schema: &str) -> String {
    format!(
        "SELECT id, event_id, subject, tenant_id, attempts, code, error, pointer, state, failed_at, resolved_at, resolved_by, NULL::TEXT AS text
         FROM {schema}.dead_letters WHERE state = 'open' OR $1 ORDER BY failed_at, id LIMIT {LISTED}"
    )
}

/// How many of a context's are open.
pub(super) async fn open_in(client: &tokio_postgres::Client, subscription: &Subscription) -> Result<i64, Fault> {
    let sql = format!("SELECT count(*) FROM {}.dead_letters WHERE state = 'open'", subscription.schema.name);
    Ok(client.query_one(&sql, &[]).await.map_err(fault)?.get(0))
}

/// The message with `metadata.fromDlqReplay`, where it can be read; otherwise as it was. What is in it stays as it was written: a name that is there
/// twice, for which it may have been refused, would otherwise be there once and pass.
fn marked_as_replay(message: &str) -> Vec<u8> {
    let marked = || {
        read_any(message.as_bytes()).ok()?;
        let mut envelope: BTreeMap<String, &RawValue> = serde_json::from_str(message).ok()?;
        let metadata = envelope.get("metadata").map(|metadata| metadata.get()).filter(|text| *text != "null");
        let mut metadata: BTreeMap<String, &RawValue> = serde_json::from_str(metadata.unwrap_or("{}")).ok()?;
        let yes = to_raw_value(&true).ok()?;
        metadata.insert("fromDlqReplay".to_owned(), &yes);
        let metadata = to_raw_value(&metadata).ok()?;
        envelope.insert("metadata".to_owned(), &metadata);
        serde_json::to_vec(&envelope).ok()
    };
    marked().unwrap_or_else(|| message.as_bytes().to_vec())
}

fn row_of(context: &str, row: &tokio_postgres::Row) -> DeadLetterRow {
    DeadLetterRow {
        id: row.get("id"),
        context: context.to_owned(),
        event_id: row.get("event_id"),
        subject: row.get("subject"),
        tenant_id: row.get("tenant_id"),
        attempts: row.get("attempts"),
        code: row.get("code"),
        error: row.get("error"),
        pointer: row.get("pointer"),
        state: row.get("state"),
        failed_at: Timestamp::from_jiff(row.get("failed_at")),
        resolved_at: row.get::<_, Option<jiff::Timestamp>>("resolved_at").map(Timestamp::from_jiff),
        resolved_by: row.get("resolved_by"),
        message: row.get("text"),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_list_reads_no_message() {
        let sql = super::listing("housekeeping");
        assert!(!sql.contains("message") && !sql.contains('*'), "{sql}");
    }
}
