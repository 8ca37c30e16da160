//! How far publication is behind: in the metrics, in the log where it is too far, and for `melmastoon bus status`.

use std::time::Duration;

use contracts::time::Timestamp;
use serde::Serialize;
use tokio::sync::watch;

use super::broker::Lag;
use crate::Db;
use crate::database::{Fault, Schema};

/// How often it is looked at.
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// Publication takes milliseconds: whoever waits longer than this waits for something that is broken.
pub const ALARM_SECONDS: i64 = 30;
/// More are not counted: counting would cost more than the number says.
const COUNTED: i64 = 100_000;

/// What waits in one outbox.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Backlog {
    pub outbox: String,
    /// Counted up to 100,000.
    pub waiting: i64,
    /// The age of the oldest that waits, in seconds; what was set aside does not count.
    pub oldest_seconds: i64,
}

/// An event that the broker refused for good.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetAside {
    pub event_id: String,
    pub outbox: String,
    pub subject: String,
    pub reason: String,
    pub set_aside_at: Timestamp,
}

#[expect(clippy::needless_pass_by_value, reason = "as `map_err` hands it over")]
fn fault(error: tokio_postgres::Error) -> Fault {
    Fault::from_postgres("backlog", &error)
}

/// What waits in each outbox now.
pub async fn backlog(db: &Db, schemas: &[&'static Schema]) -> Result<Vec<Backlog>, Fault> {
    let connection = db.worker().await?;
    let mut all = Vec::with_capacity(schemas.len());
    for schema in schemas {
        let sql = include_str!("sql/backlog.sql").replace("{schema}", schema.name);
        let statement = connection.prepare_cached(&sql).await.map_err(fault)?;
        let row = connection.query_one(&statement, &[&COUNTED]).await.map_err(fault)?;
        let since: Option<jiff::Timestamp> = row.get("since");
        let now = db.clock().now().as_millis();
        let oldest = since.map_or(0, |since| (now - since.as_millisecond()).max(0) / 1_000);
        all.push(Backlog { outbox: schema.name.to_owned(), waiting: row.get("waiting"), oldest_seconds: oldest });
    }
    Ok(all)
}

/// What the broker refused for good, oldest first.
pub async fn set_aside(db: &Db) -> Result<Vec<SetAside>, Fault> {
    let connection = db.worker().await?;
    let rows = connection.query(include_str!("sql/set_aside_list.sql"), &[]).await.map_err(fault)?;
    Ok(rows
        .iter()
        .map(|row| SetAside {
            event_id: row.get("event_id"),
            outbox: row.get("outbox"),
            subject: row.get("subject"),
            reason: row.get("reason"),
            set_aside_at: Timestamp::from_jiff(row.get("set_aside_at")),
        })
        .collect())
}

/// Has the relay give to the broker once more what it refused: one event, or all of them. Returns how many. What is refused again is set aside again,
/// with the new reason.
pub async fn retry_set_aside(db: &Db, event: Option<&str>) -> Result<u64, Fault> {
    let connection = db.worker().await?;
    connection.execute(include_str!("sql/set_aside_again.sql"), &[&event]).await.map_err(fault)
}

/// What waits for the subscriptions of the embedded bus.
pub async fn embedded_lag(db: &Db) -> Result<Vec<Lag>, Fault> {
    let connection = db.worker().await?;
    let now = db.clock().now().jiff();
    let rows = connection.query(include_str!("sql/embedded_lag.sql"), &[&now]).await.map_err(fault)?;
    let count = |row: &tokio_postgres::Row, name: &str| u64::try_from(row.get::<_, i64>(name)).unwrap_or(0);
    Ok(rows
        .iter()
        .map(|row| Lag {
            subscription: row.get("subscription"),
            stream: "embedded".to_owned(),
            waiting: count(row, "waiting"),
            at_work: count(row, "at_work"),
            tried_again: count(row, "tried_again"),
        })
        .collect())
}

/// A subscription of the embedded bus that nobody works at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unheard {
    pub subscription: String,
    /// For how long the oldest has waited that somebody could take.
    pub oldest_seconds: i64,
}

/// Who has taken nothing of what waits for them for longer than [`ALARM_SECONDS`]. A worker takes it within milliseconds.
pub async fn unheard(db: &Db) -> Result<Vec<Unheard>, Fault> {
    let connection = db.worker().await?;
    let now = db.clock().now();
    let before = now.plus_seconds(-ALARM_SECONDS).jiff();
    let rows = connection.query(include_str!("sql/unheard.sql"), &[&before]).await.map_err(fault)?;
    let seconds_since = |since: jiff::Timestamp| (now.as_millis() - since.as_millisecond()) / 1_000;
    Ok(rows
        .iter()
        .map(|row| Unheard { subscription: row.get("subscription"), oldest_seconds: seconds_since(row.get("since")) })
        .collect())
}

/// Says again and again how much waits and for how long; above the alarm it says so in the log, once until it is over.
pub(super) async fn watch_backlog(db: &Db, schemas: &[&'static Schema], mut stop: watch::Receiver<bool>) {
    let mut alarmed = false;
    while !*stop.borrow() {
        match backlog(db, schemas).await {
            Ok(all) => {
                let late: Vec<_> = all.iter().filter(|one| one.oldest_seconds > ALARM_SECONDS).collect();
                if !late.is_empty() && !alarmed {
                    tracing::error!(?late, "publication is behind by more than {ALARM_SECONDS} seconds");
                } else if late.is_empty() && alarmed {
                    tracing::info!("publication has caught up");
                }
                alarmed = !late.is_empty();
                show(&all, alarmed);
            }
            Err(fault) => tracing::debug!(%fault, "the backlog was not looked at"),
        }
        if tokio::time::timeout(LOOK_EVERY, stop.wait_for(|stop| *stop)).await.is_ok() {
            return;
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "numbers for people")]
fn show(all: &[Backlog], alarmed: bool) {
    for one in all {
        let outbox = one.outbox.clone();
        metrics::gauge!("melmastoon_outbox_waiting", "outbox" => outbox.clone()).set(one.waiting as f64);
        metrics::gauge!("melmastoon_outbox_oldest_seconds", "outbox" => outbox).set(one.oldest_seconds as f64);
    }
    metrics::gauge!("melmastoon_outbox_alarm").set(f64::from(u8::from(alarmed)));
}
