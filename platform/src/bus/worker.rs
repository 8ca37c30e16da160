//! The embedded bus hands published events to the subscriptions of this process.
//!
//! For each ordering key one event at a time, oldest first; different keys side by side. A handler that fails is tried
//! again with growing pauses, and after the last attempt its event is in the dead letters and the key goes on.

use std::sync::Arc;
use std::time::Duration;

use contracts::catalogue::Delivery;
use futures_util::stream::{self, StreamExt};
use tokio::sync::{Notify, watch};
use tokio_postgres::Row;

use super::{Handled, Inbound, Subscription, receive};
use crate::Db;
use crate::database::Fault;

/// How often, and how long in between.
#[derive(Clone, Copy, Debug)]
pub struct Backoff {
    pub attempts: i32,
    pub first: Duration,
    pub longest: Duration,
}

impl Backoff {
    /// As the catalogue says for a context.
    pub fn of(delivery: Delivery) -> Self {
        Self {
            attempts: i32::try_from(delivery.attempts).unwrap_or(i32::MAX),
            first: Duration::from_secs(u64::from(delivery.first_backoff_seconds)),
            longest: Duration::from_secs(u64::from(delivery.max_backoff_seconds)),
        }
    }

    /// The pause after this many attempts: doubling, never above the longest.
    pub fn pause(&self, attempts: i32) -> Duration {
        let doublings = u32::try_from(attempts.saturating_sub(1)).unwrap_or(0).min(16);
        self.first.saturating_mul(1 << doublings).min(self.longest)
    }
}

const AT_ONCE: usize = 8;
const CLAIM: i64 = 64;
/// A worker that does not come back within this time has lost its claim: as long as a hotel may take to be back after a
/// crash. A handler that is slower is run twice at once, and the inbox lets one of them through.
const LEASE_SECONDS: i64 = 15;

/// See the module.
#[derive(Debug)]
pub struct Worker {
    db: Db,
    subscriptions: Vec<Subscription>,
    published: Arc<Notify>,
    backoff: Backoff,
}

impl Worker {
    pub fn new(db: Db, subscriptions: Vec<Subscription>, published: Arc<Notify>, backoff: Backoff) -> Self {
        Self { db, subscriptions, published, backoff }
    }

    /// Works until told to stop: woken by the relay of this process, looking by itself for what others published.
    pub async fn run(&self, mut stop: watch::Receiver<bool>, look_every: Duration) {
        loop {
            let woken = self.published.notified();
            match self.drain().await {
                Ok(_) => {}
                Err(fault) => tracing::warn!(%fault, "the worker will try again"),
            }
            tokio::select! {
                () = woken => {}
                () = tokio::time::sleep(look_every) => {}
                _ = stop.changed() => return,
            }
        }
    }

    /// Handles everything that is due. Returns how many deliveries ended.
    pub async fn drain(&self) -> Result<u64, Fault> {
        let mut total = 0;
        for subscription in &self.subscriptions {
            loop {
                let (claimed, ended) = self.round(subscription).await?;
                total += ended;
                if claimed == 0 {
                    break;
                }
            }
        }
        Ok(total)
    }

    async fn round(&self, subscription: &Subscription) -> Result<(usize, u64), Fault> {
        let fault = |error: tokio_postgres::Error| Fault::from_postgres("worker", &error);
        let claimed = {
            let connection = self.db.relay().await?;
            let now = self.db.clock().now();
            let statement = connection.prepare_cached(include_str!("sql/claim.sql")).await.map_err(fault)?;
            let until = now.plus_seconds(LEASE_SECONDS);
            connection
                .query(&statement, &[&subscription.name, &now.jiff(), &until.jiff(), &CLAIM])
                .await
                .map_err(fault)?
        };
        let claims = claimed.len();
        let deliveries = claimed.into_iter().map(|row| self.deliver(subscription, row));
        let outcomes: Vec<_> = stream::iter(deliveries).buffer_unordered(AT_ONCE).collect().await;
        if outcomes.is_empty() {
            return Ok((0, 0));
        }
        let connection = self.db.relay().await?;
        let ended: Vec<i64> =
            outcomes.iter().filter(|(.., outcome)| outcome.is_ok()).map(|(offset, ..)| *offset).collect();
        connection
            .execute(
                "DELETE FROM bus.deliveries WHERE subscription = $1 AND log_offset = ANY ($2)",
                &[&subscription.name, &ended],
            )
            .await
            .map_err(fault)?;
        for (offset, attempts, outcome) in &outcomes {
            let Err(failure) = outcome else { continue };
            let pause = i64::try_from(self.backoff.pause(*attempts).as_secs()).unwrap_or(i64::MAX);
            let next = self.db.clock().now().plus_seconds(pause).jiff();
            connection
                .execute(
                    "UPDATE bus.deliveries SET next_attempt_at = $3, claimed_until = NULL, last_error = $4
                     WHERE subscription = $1 AND log_offset = $2",
                    &[&subscription.name, offset, &next, &failure.to_string()],
                )
                .await
                .map_err(fault)?;
        }
        Ok((claims, u64::try_from(ended.len()).unwrap_or(0)))
    }

    async fn deliver(&self, subscription: &Subscription, row: Row) -> (i64, i32, Result<Handled, Fault>) {
        let (offset, attempts): (i64, i32) = (row.get("log_offset"), row.get("attempts"));
        let (subject, envelope): (String, String) = (row.get("subject"), row.get("envelope"));
        let message = Inbound {
            bytes: envelope.as_bytes(),
            subject: &subject,
            sender: None,
            attempt: attempts,
            last_attempt: attempts >= self.backoff.attempts,
        };
        (offset, attempts, receive(&self.db, subscription, message).await)
    }
}
