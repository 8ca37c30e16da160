//! The log goes on while a broker is away: feed, live boards and webhooks need none.
//!
//! Normally a batch is logged when the broker has taken it, in one statement. While it takes nothing, what waits is logged by itself, in its
//! order, under the relays' lock, and stays in the outbox for the broker; `bus.logged_ahead` knows which. The price is one more statement a look
//! during an outage, and none otherwise.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::Relay;
use super::relay::{BATCH, LOCK};
use crate::Clock;
use crate::database::{Fault, Schema};

#[expect(clippy::needless_pass_by_value, reason = "as `map_err` hands it over")]
fn fault(error: tokio_postgres::Error) -> Fault {
    Fault::from_postgres("log_ahead", &error)
}

/// Logs the oldest that wait and are not in the log yet. Returns how many. The caller holds the relays' lock.
pub(super) async fn log_ahead(
    transaction: &deadpool_postgres::Transaction<'_>,
    schema: &Schema,
    now: jiff::Timestamp,
) -> Result<i64, Fault> {
    let sql = include_str!("sql/log_ahead.sql").replace("{schema}", schema.name);
    let statement = transaction.prepare_cached(&sql).await.map_err(fault)?;
    Ok(transaction.query_one(&statement, &[&BATCH, &now]).await.map_err(fault)?.get(0))
}

impl Relay {
    /// Logs what waits again and again, for as long as nobody has looked for the broker yet. Never ends by itself.
    pub(super) async fn log_on(&self, look_every: Duration) {
        if self.broker.is_none() {
            return std::future::pending().await;
        }
        self.in_trouble.store(true, Ordering::Relaxed);
        let committed = self.db.committed();
        loop {
            let woken = committed.notified();
            self.log_what_waits().await;
            let _ = tokio::time::timeout(look_every, woken).await;
        }
    }

    /// While the broker takes nothing: everything that waits for it is in the log afterwards. Otherwise nothing is done.
    pub(super) async fn log_what_waits(&self) {
        if !self.in_trouble.load(Ordering::Relaxed) {
            return;
        }
        for schema in &self.schemas {
            loop {
                match self.log_one_batch(schema).await {
                    Ok(count) if count > 0 => {
                        self.tell_the_news();
                        if count < BATCH {
                            break;
                        }
                    }
                    Ok(_) => break,
                    Err(fault) => {
                        tracing::debug!(%fault, outbox = schema.name, "what waits is logged at the next look");
                        break;
                    }
                }
            }
        }
    }

    async fn log_one_batch(&self, schema: &Schema) -> Result<i64, Fault> {
        let mut connection = self.db.relay().await?;
        let transaction = connection.transaction().await.map_err(fault)?;
        let mine = transaction.query_one("SELECT pg_try_advisory_xact_lock($1)", &[&LOCK]).await.map_err(fault)?;
        if !mine.get::<_, bool>(0) {
            return Ok(0); // another relay is at it
        }
        let count = log_ahead(&transaction, schema, Clock::now(self.db.clock()).jiff()).await?;
        transaction.commit().await.map_err(fault)?;
        Ok(count)
    }
}
