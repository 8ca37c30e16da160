//! The embedded bus hands published events to the subscriptions of this process.
//!
//! For each ordering key one event at a time, oldest first; different keys side by side. A handler that fails is tried
//! again with growing pauses, and after the last attempt its event is in the dead letters and the key goes on.

use std::sync::Arc;
use std::time::Duration;

use contracts::catalogue::Delivery;
use futures_util::future::join_all;
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

/// So many stories of a context at once. None of them waits for the disk: a few keep up with whatever can be asked, and leave the processors to
/// those who ask.
pub(crate) const AT_ONCE: usize = 4;
const CLAIM: i64 = 64;
/// A worker that does not come back within this time has lost its claim: as long as a hotel may take to be back after a
/// crash. A handler that is slower is run twice at once, and the inbox lets one of them through.
const LEASE_SECONDS: i64 = 15;
/// After this time what only a newer release has a story for holds its key up no longer: that release was taken back.
const LEFT_ALONE_SECONDS: i64 = 15 * 60;

/// Between two tries of what may go well in a moment.
const IN_A_MOMENT_SECONDS: i64 = 1;

/// What became of a delivery: `Err` where it is to be tried again.
pub(super) struct Ended {
    pub(super) offset: i64,
    pub(super) attempts: i32,
    pub(super) outcome: Result<Handled, Fault>,
}

/// Hands published events to this process's subscriptions: each event once (the inbox sees to it), oldest of its key first. A claim that
/// is not answered for runs out, and the event is handed out again.
#[derive(Debug)]
pub struct Worker {
    db: Db,
    /// The same database, as the stories reach it.
    pub(super) stories: Db,
    subscriptions: Vec<Subscription>,
    published: Arc<Notify>,
}

impl Worker {
    pub fn new(db: Db, subscriptions: Vec<Subscription>, published: Arc<Notify>) -> Self {
        let stories = db.for_the_bus();
        Self { db, stories, subscriptions, published }
    }

    /// The same worker on the same database at another time: see [`Db::at`].
    #[must_use]
    pub fn on(&self, db: Db) -> Self {
        Self::new(db, self.subscriptions.clone(), Arc::clone(&self.published))
    }

    /// Works until told to stop: woken by the relay of this process, looking by itself for what others published. Each
    /// subscription goes at its own pace.
    pub async fn run(&self, stop: watch::Receiver<bool>, look_every: Duration) {
        join_all(self.subscriptions.iter().map(|one| self.serve(one, stop.clone(), look_every))).await;
    }

    async fn serve(&self, subscription: &Subscription, mut stop: watch::Receiver<bool>, look_every: Duration) {
        loop {
            // Asked for before looking, so that what is published meanwhile is not slept through.
            let woken = self.published.notified();
            // However much waits: what is not begun is for whoever comes next.
            if let Err(fault) = self.drain_one(subscription, || *stop.borrow()).await {
                tracing::warn!(%fault, context = subscription.name, "the worker will try again");
            }
            tokio::select! {
                () = woken => {}
                () = tokio::time::sleep(look_every) => {}
                _ = stop.changed() => return,
            }
        }
    }

    /// Handles everything that is due, all subscriptions side by side. Returns how many deliveries ended. Err: one of them
    /// could not go on; the others did.
    pub async fn drain(&self) -> Result<u64, Fault> {
        let ended = join_all(self.subscriptions.iter().map(|one| self.drain_one(one, || false))).await;
        ended.into_iter().sum()
    }

    async fn drain_one(&self, subscription: &Subscription, stops: impl Fn() -> bool) -> Result<u64, Fault> {
        let mut total = 0;
        while !stops() {
            let (claimed, ended) = self.round(subscription).await?;
            total += ended;
            if claimed == 0 {
                break;
            }
        }
        Ok(total)
    }

    async fn round(&self, subscription: &Subscription) -> Result<(usize, u64), Fault> {
        let fault = |error: tokio_postgres::Error| Fault::from_postgres("worker", &error);
        let claimed = {
            let connection = self.db.worker().await?;
            let now = self.db.clock().now();
            let statement = connection.prepare_cached(include_str!("sql/claim.sql")).await.map_err(fault)?;
            let (until, left_alone) = (now.plus_seconds(LEASE_SECONDS), now.plus_seconds(-LEFT_ALONE_SECONDS));
            let told = [now.jiff(), until.jiff(), left_alone.jiff()];
            connection
                .query(&statement, &[&subscription.name, &told[0], &told[1], &CLAIM, &subscription.subjects, &told[2]])
                .await
                .map_err(fault)?
        };
        let claims = claimed.len();
        if claims == 0 {
            return Ok((0, 0));
        }
        let (mut outcomes, others) = self.note_down(subscription, claimed).await;
        let deliveries = others.into_iter().map(|row| self.deliver(subscription, row));
        outcomes.extend(stream::iter(deliveries).buffer_unordered(AT_ONCE).collect::<Vec<_>>().await);
        let connection = self.db.worker().await?;
        let ended: Vec<i64> = outcomes.iter().filter(|one| one.outcome.is_ok()).map(|one| one.offset).collect();
        let done = "DELETE FROM bus.deliveries WHERE subscription = $1 AND log_offset = ANY ($2)";
        let done = connection.prepare_cached(done).await.map_err(fault)?;
        connection.execute(&done, &[&subscription.name, &ended]).await.map_err(fault)?;
        for Ended { offset, attempts, outcome } in &outcomes {
            let Err(failure) = outcome else { continue };
            // What may go well in a moment is no attempt: the database was away, or somebody else was there first. (One it stays: the first waits for nothing.)
            let (counted, pause) = if failure.is_transient() {
                ((attempts - 1).max(1), IN_A_MOMENT_SECONDS)
            } else {
                (*attempts, i64::try_from(subscription.backoff.pause(*attempts).as_secs()).unwrap_or(i64::MAX))
            };
            let next = self.db.clock().now().plus_seconds(pause).jiff();
            connection
                .execute(
                    "UPDATE bus.deliveries SET next_attempt_at = $3, claimed_until = NULL, last_error = $4, attempts = $5
                     WHERE subscription = $1 AND log_offset = $2",
                    &[&subscription.name, offset, &next, &failure.to_string(), &counted],
                )
                .await
                .map_err(fault)?;
        }
        Ok((claims, u64::try_from(ended.len()).unwrap_or(0)))
    }

    async fn deliver(&self, subscription: &Subscription, row: Row) -> Ended {
        let (offset, attempts): (i64, i32) = (row.get("log_offset"), row.get("attempts"));
        let (subject, envelope): (String, String) = (row.get("subject"), row.get("envelope"));
        let message = Inbound {
            bytes: envelope.as_bytes(),
            subject: &subject,
            sender: None,
            attempt: attempts,
            last_attempt: attempts >= subscription.backoff.attempts,
        };
        Ended { offset, attempts, outcome: receive(&self.stories, subscription, message).await }
    }
}
