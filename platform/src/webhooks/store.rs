//! Endpoints and their delivery log as the tenant sees them, and as they are kept.

use contracts::actor::Actor;
use contracts::ids::{EventId, TenantId, WebhookId};
use contracts::time::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::database::{Columns, DbRole, Deed, Fault, ImpossibleRow, Schema};
use crate::{Db, columns, statements};

statements! {
    ADD = "sql/add.sql" (text, text, text, _text, text, timestamptz) -> columns![];
    LOCK = "sql/lock.sql" (text) -> columns![id: text, url: text, subjects: _text, state: text, key_now: text, version: int4];
    FIND = "sql/find.sql" (text) -> columns![id: text, url: text, subjects: _text, state: text, key_now: text, version: int4];
    LIST = "sql/list.sql" () -> columns![id: text, url: text, subjects: _text, state: text, key_now: text, version: int4];
    CHANGE = "sql/change.sql" (text, text, text, _text, text, text, text, text, timestamptz, _text, timestamptz, timestamptz) -> columns![];
    RESUME = "sql/resume.sql" (text, timestamptz) -> columns![];
    REMOVE = "sql/remove.sql" (text) -> columns![];
    DELIVERIES = "sql/deliveries.sql" (text, int8, text, int8) -> columns![log_offset: int8, event_id: text, subject: text, state: text, attempts: int4];
    REPLAY = "sql/replay.sql" (text, text, timestamptz, timestamptz) -> columns![];
    TO_REPLAY = "sql/to_replay.sql" (text, text, timestamptz) -> columns![count: int8];
}

contracts::closed_words!(
    /// Whether an endpoint is told.
    WebhookState { Active = "active", Paused = "paused" }
);

contracts::closed_words!(
    /// What became of a delivery.
    DeliveryState { Waiting = "waiting", Delivered = "delivered", GivenUp = "given_up" }
);

/// Where an integrator wants to be told.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookEndpoint {
    pub id: WebhookId,
    pub url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Empty: every subject.
    pub subjects: Vec<String>,
    pub state: WebhookState,
    /// Why it is paused, where the software did it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paused_because: Option<String>,
    /// Since when every call has failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failing_since: Option<Timestamp>,
    pub version: i32,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// What signs, shown when it is made and never again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
    #[serde(skip)]
    pub(super) keys: Keys,
}

/// What signs now, and what signed before and still does for a while.
#[derive(Clone)]
pub(super) struct Keys {
    pub(super) now: String,
    pub(super) before: Option<String>,
    pub(super) before_until: Option<Timestamp>,
    /// Those before it, the newest first: they sign as long as it does.
    pub(super) older: Vec<String>,
}

/// Keys besides the present one and the one before it: a header has an end.
const MOST_OLDER: usize = 3;

impl Keys {
    /// A new one signs; every one that signed until now goes on doing so until then. Whoever changes keys twice in a day may be told by any of them.
    pub(super) fn change(&mut self, new: String, now: Timestamp, until: Timestamp) {
        let before = std::mem::replace(&mut self.now, new);
        if self.before_until.is_some_and(|until| until > now) {
            self.older.splice(0..0, self.before.take());
            self.older.truncate(MOST_OLDER);
        } else {
            self.older.clear();
        }
        self.before = Some(before);
        self.before_until = Some(until);
    }
}

impl std::fmt::Debug for Keys {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Keys(***)")
    }
}

impl WebhookEndpoint {
    pub(super) fn of(row: &impl Columns) -> Result<Self, ImpossibleRow> {
        Ok(Self {
            id: row.read("id")?,
            url: row.read("url")?,
            description: row.read("description")?,
            subjects: row.read("subjects")?,
            state: row.read("state")?,
            paused_because: row.read("paused_because")?,
            failing_since: row.read("failing_since")?,
            version: row.read("version")?,
            created_at: row.read("created_at")?,
            updated_at: row.read("updated_at")?,
            secret: None,
            keys: Keys {
                now: row.read("key_now")?,
                before: row.read("key_before")?,
                before_until: row.read("key_before_until")?,
                older: row.read("keys_older")?,
            },
        })
    }
}

/// One event for one endpoint.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "WebhookDelivery")]
pub struct Delivery {
    pub offset: i64,
    pub event_id: EventId,
    pub subject: String,
    pub state: DeliveryState,
    pub attempts: i32,
    /// When it is tried again, while it waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_attempt_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_attempt_at: Option<Timestamp>,
    /// The status of the last answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_status: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_error: Option<String>,
}

impl Delivery {
    pub(super) fn of(row: &impl Columns) -> Result<Self, ImpossibleRow> {
        let state: DeliveryState = row.read("state")?;
        let next: Timestamp = row.read("next_attempt_at")?;
        Ok(Self {
            offset: row.read("log_offset")?,
            event_id: row.read("event_id")?,
            subject: row.read("subject")?,
            state,
            attempts: row.read("attempts")?,
            next_attempt_at: (state == DeliveryState::Waiting).then_some(next),
            last_attempt_at: row.read("last_attempt_at")?,
            last_status: row.read("last_status")?,
            last_error: row.read("last_error")?,
        })
    }
}

/// An operator lets a paused endpoint go on: what waits for it is told now. Returns how many events wait.
pub async fn resume_by_operator(db: &Db, schema: &'static Schema, endpoint: &WebhookId) -> Result<i64, Fault> {
    let fault = |error: tokio_postgres::Error| Fault::from_postgres("webhooks", &error);
    let mut relay = db.connect_as(DbRole::Relay).await?;
    let now = db.clock().now().jiff();
    let work = relay.transaction().await.map_err(fault)?;
    let active = "UPDATE bus.webhook_endpoints
                  SET state = 'active', paused_because = NULL,
                      failing_since = CASE WHEN state = 'active' THEN failing_since END,
                      version = version + CASE WHEN state = 'active' THEN 0 ELSE 1 END, updated_at = $2
                  WHERE id = $1 RETURNING tenant_id";
    let tenant: String = work.query_one(active, &[&endpoint.as_str(), &now]).await.map_err(fault)?.get(0);
    work.execute(RESUME.text, &[&tenant, &endpoint.as_str(), &now]).await.map_err(fault)?;
    let waiting = "SELECT count(*) FROM bus.webhook_deliveries WHERE endpoint_id = $1 AND state = 'waiting'";
    let waiting = work.query_one(waiting, &[&endpoint.as_str()]).await.map_err(fault)?.get(0);
    work.commit().await.map_err(fault)?;
    on_record(
        db,
        schema,
        &tenant,
        Deed::new("internal.webhook.changed", "webhook_endpoint", endpoint.as_str(), &json!({ "state": "active" })),
    )
    .await?;
    Ok(waiting)
}

/// Who opened and turned the tap is in the audit, an operator too.
async fn on_record(db: &Db, schema: &'static Schema, tenant: &str, deed: Deed) -> Result<(), Fault> {
    let Ok(tenant) = TenantId::parse(tenant) else { return Ok(()) };
    db.keep_on_record(schema, &tenant, Actor::system("sys_operator"), vec![deed]).await
}

/// What an operator has told again.
#[derive(Clone, Debug)]
pub enum Again {
    /// What was given up.
    GivenUp,
    /// Whatever is on record as told or to be told.
    Recorded,
    /// One event of the log, told before or not.
    Event(String),
    /// Everything of the log that was published since, told before or not; the first ten thousand.
    Since(Timestamp),
}

/// Has an endpoint told again. Returns how many wait anew.
pub async fn replay_by_operator(
    db: &Db,
    schema: &'static Schema,
    endpoint: &WebhookId,
    again: &Again,
) -> Result<u64, Fault> {
    let fault = |error: tokio_postgres::Error| Fault::from_postgres("webhooks", &error);
    let relay = db.connect_as(DbRole::Relay).await?;
    let now = db.clock().now().jiff();
    let whose = "SELECT tenant_id FROM bus.webhook_endpoints WHERE id = $1";
    let Some(row) = relay.query_opt(whose, &[&endpoint.as_str()]).await.map_err(fault)? else { return Ok(0) };
    let tenant: String = row.get(0);
    let log = async |event: Option<&str>, since: Option<jiff::Timestamp>| {
        let params: [&(dyn tokio_postgres::types::ToSql + Sync); 5] =
            [&tenant, &endpoint.as_str(), &event, &since, &now];
        relay.execute(include_str!("sql/replay.sql"), &params).await.map_err(fault)
    };
    let count = match again {
        Again::GivenUp | Again::Recorded => {
            let sql =
                "UPDATE bus.webhook_deliveries SET state = 'waiting', attempts = 0, next_attempt_at = $2, claimed_until = NULL
                   WHERE endpoint_id = $1 AND ($3 OR state = 'given_up')";
            let all = matches!(again, Again::Recorded);
            relay.execute(sql, &[&endpoint.as_str(), &now, &all]).await.map_err(fault)?
        }
        Again::Event(event) => log(Some(event.as_str()), None).await?,
        Again::Since(since) => log(None, Some(since.jiff())).await?,
    };
    let what = match again {
        Again::GivenUp => json!({ "state": "given_up", "count": count }),
        Again::Recorded => json!({ "state": "all", "count": count }),
        Again::Event(event) => json!({ "eventId": event, "count": count }),
        Again::Since(since) => json!({ "since": since, "count": count }),
    };
    on_record(
        db,
        schema,
        &tenant,
        Deed::new("internal.webhook.replayed", "webhook_endpoint", endpoint.as_str(), &what),
    )
    .await?;
    Ok(count)
}
