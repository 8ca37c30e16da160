//! The relay: committed outbox rows become published events, in order, exactly once in the log.
//!
//! One relay works at a time; the lock lives in its transaction, so a relay that hangs or dies loses it with its
//! connection and cannot come back to write behind its successor. Reading, logging and marking are one transaction:
//! a crash anywhere leaves all or nothing of a batch. Outboxes take turns, and one that cannot be published waits by itself. A
//! broker is given a batch in parts: see [`super::handing_over`]. What it has not taken is in the log all the same: see [`super::ahead`].

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use tokio::sync::{Notify, watch};
use tokio::time::Instant;
use tokio_postgres::types::ToSql;

use super::handing_over::{HandOver, Handed, ranges};
use super::{Broker, Outgoing, Subscription};
use crate::database::{Fault, Schema};
use crate::{Clock, Db};

pub(super) const BATCH: i64 = 1_000;
/// A round with fewer events than this is followed by the next at the first word of a commit. After more, commits come faster than
/// rounds, and a short rest lets the next one take several at the price of one.
const BUSY: u64 = 8;
const REST: Duration = Duration::from_millis(10);
/// From here on a round, with all who are woken by it, costs so much more than an event of it that a longer rest pays.
const VERY_BUSY: u64 = 24;
const LONG_REST: Duration = Duration::from_millis(20);
/// Thousands of events a second: nobody sees a twentieth of a second, and the rounds would take a tenth of the machine.
const FLOODED: u64 = 64;
const LONGEST_REST: Duration = Duration::from_millis(50);
/// Between two looks at an outbox that cannot be published; a fifth of it where it may be possible again in a moment.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);
/// All relays of one database meet at this lock, and whoever registers a subscription.
pub(super) const LOCK: i64 = 7_310_579_002;

/// A place where a test lets the process die, to show that nothing is lost there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultPoint {
    BeforePublish,
    AfterPublish,
}

/// Takes committed outbox rows into the log, in order, each once. Of several at work on one database one publishes at a time; one that dies
/// or hangs leaves all of a batch or nothing, and the next one goes on.
pub struct Relay {
    pub(super) db: Db,
    pub(super) schemas: Vec<&'static Schema>,
    pub(super) broker: Option<Arc<dyn Broker>>,
    /// Whose lag is told.
    pub(super) subscriptions: Vec<Subscription>,
    published: Arc<Notify>,
    news: watch::Sender<i64>,
    dies: Option<FaultPoint>,
    /// The broker did not take the last batch.
    pub(super) in_trouble: Arc<AtomicBool>,
    /// The encounter with the broker whose stores were looked at: see [`super::stores`].
    pub(super) looked_at: Arc<AtomicU64>,
}

impl std::fmt::Debug for Relay {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Relay").field("schemas", &self.schemas.len()).finish_non_exhaustive()
    }
}

/// When an outbox is looked at again: after a failure not at once, and later each time.
#[derive(Debug)]
struct Turn {
    schema: &'static Schema,
    pause: Duration,
    not_before: Option<Instant>,
    /// What went wrong the last time.
    said: Option<String>,
}

impl Relay {
    /// Publishes the outboxes of these schemas. Who hears of it is what the database says: see [`super::register`].
    pub fn new(db: Db, schemas: Vec<&'static Schema>) -> Self {
        let (news, _) = watch::channel(0);
        Self {
            db,
            schemas,
            broker: None,
            subscriptions: Vec::new(),
            published: Arc::new(Notify::new()),
            news,
            dies: None,
            in_trouble: Arc::new(AtomicBool::new(false)),
            looked_at: Arc::new(AtomicU64::new(u64::MAX)),
        }
    }

    /// Publishes to a broker instead of the embedded deliveries.
    #[must_use]
    pub fn through(mut self, broker: Arc<dyn Broker>) -> Self {
        self.broker = Some(broker);
        self
    }

    /// Says in the metrics what waits for these.
    #[must_use]
    pub fn watching(mut self, subscriptions: Vec<Subscription>) -> Self {
        self.subscriptions = subscriptions;
        self
    }

    /// Tells of what it published here as well.
    #[must_use]
    pub fn telling(mut self, news: watch::Sender<i64>) -> Self {
        self.news = news;
        self
    }

    #[must_use]
    pub fn dying_at(mut self, point: Option<FaultPoint>) -> Self {
        self.dies = point;
        self
    }

    /// The same relay on the same database at another time: see [`Db::at`].
    #[must_use]
    pub fn on(&self, db: Db) -> Self {
        let Self { schemas, broker, subscriptions, published, news, dies, in_trouble, looked_at, .. } = self;
        let (schemas, broker, published) = (schemas.clone(), broker.clone(), Arc::clone(published));
        let (in_trouble, looked_at) = (Arc::clone(in_trouble), Arc::clone(looked_at));
        let subscriptions = subscriptions.clone();
        Self { db, schemas, broker, subscriptions, published, news: news.clone(), dies: *dies, in_trouble, looked_at }
    }

    /// Rung when something new waits for the worker.
    pub fn published(&self) -> Arc<Notify> {
        Arc::clone(&self.published)
    }

    /// Changes whenever this process published something: what a live board waits for.
    pub fn news(&self) -> watch::Receiver<i64> {
        self.news.subscribe()
    }

    /// Works until told to stop: woken at every commit in this process, looking by itself for those of others.
    pub async fn run(&self, stop: watch::Receiver<bool>, look_every: Duration) {
        self.run_after(async {}, stop, look_every).await;
    }

    /// The same once something else is ready. How much waits is watched from the beginning: nothing waits longer than while the
    /// broker is not there at all.
    pub async fn run_after(&self, ready: impl Future<Output = ()>, stop: watch::Receiver<bool>, look_every: Duration) {
        let watching = super::relay_lag::watch_backlog(&self.db, &self.schemas, stop.clone());
        let standing = self.watch_what_stands(stop.clone());
        let publishing = async {
            // Who waits for the broker itself need not keep those waiting who do not.
            tokio::select! {
                () = ready => {}
                () = self.log_on(look_every) => {}
            }
            self.publish_on(stop, look_every).await;
        };
        futures_util::future::join3(publishing, watching, standing).await;
    }

    async fn publish_on(&self, mut stop: watch::Receiver<bool>, look_every: Duration) {
        let committed = self.db.committed();
        let turn = |schema| Turn { schema, pause: look_every, not_before: None, said: None };
        let mut turns: Vec<Turn> = self.schemas.iter().copied().map(turn).collect();
        loop {
            self.log_what_waits().await;
            let due: Vec<_> = turns.iter().map(|turn| turn.not_before.is_none_or(|at| at <= Instant::now())).collect();
            let schemas = turns.iter().zip(&due).filter(|(_, due)| **due).map(|(turn, _)| turn.schema).collect();
            let (published, faults) = self.publish_in_turn(schemas).await;
            for turn in turns.iter_mut().zip(due).filter_map(|(turn, due)| due.then_some(turn)) {
                match faults.iter().find(|(schema, _)| schema.name == turn.schema.name) {
                    None => (turn.pause, turn.not_before, turn.said) = (look_every, None, None),
                    Some((schema, fault)) => {
                        let words = fault.to_string();
                        // Once, and again when it is something else: an outage is long, and the backlog is watched besides.
                        if turn.said.as_deref() != Some(&words) {
                            tracing::warn!(%fault, outbox = schema.name, "not published; the relay tries again and again");
                        }
                        turn.said = Some(words);
                        let longest = if fault.is_transient() { LONGEST_PAUSE / 5 } else { LONGEST_PAUSE };
                        turn.pause = (turn.pause * 2).min(longest);
                        turn.not_before = Some(Instant::now() + turn.pause);
                    }
                }
            }
            if let Some(rest) = rest_after(published).filter(|_| !*stop.borrow()) {
                tokio::time::sleep(rest).await;
            }
            let next = turns.iter().filter_map(|turn| turn.not_before).min();
            let pause = next.map_or(look_every, |at| at.saturating_duration_since(Instant::now()).min(look_every));
            tokio::select! {
                () = committed.notified() => {}
                () = tokio::time::sleep(pause) => {}
                _ = stop.changed() => break,
            }
        }
        // What was committed while stopping still goes out.
        if let Err(fault) = self.drain().await {
            tracing::info!(%fault, "what is left in the outbox goes out at the next start");
        }
    }

    /// Publishes everything that waits. Returns how many events went out. Err: one outbox could not be published; the
    /// others were.
    pub async fn drain(&self) -> Result<u64, Fault> {
        let (total, mut faults) = self.publish_in_turn(self.schemas.clone()).await;
        if faults.is_empty() { Ok(total) } else { Err(faults.swap_remove(0).1) }
    }

    /// A batch of each outbox in turn, until all are empty: a flood in one delays the others by a batch at most, and one that
    /// fails drops out.
    async fn publish_in_turn(&self, schemas: Vec<&'static Schema>) -> (u64, Vec<(&'static Schema, Fault)>) {
        let (mut total, mut faults) = (0, Vec::new());
        // A broker that has lost what it held is given it again, whether anything new waits or not. Where that, or one look at all outboxes, cannot be
        // had, each of them says for itself what is wrong.
        let mut waiting = match self.look_at_stores().await {
            Ok(()) => self.those_with_something(&schemas).await.unwrap_or(schemas),
            Err(_) => schemas,
        };
        while !waiting.is_empty() {
            let mut more = Vec::new();
            let mut round = 0;
            for schema in waiting {
                self.log_what_waits().await;
                let outcome = match self.look_at_stores().await {
                    Ok(()) => self.publish_batch(schema).await,
                    Err(fault) => Err(fault),
                };
                match outcome {
                    Ok(published) => {
                        round += published.count;
                        if published.more {
                            more.push(schema);
                        }
                    }
                    Err(fault) => faults.push((schema, fault)),
                }
            }
            self.say_published(round);
            total += round;
            waiting = more;
        }
        (total, faults)
    }

    /// Something new is in the log.
    pub(super) fn tell_the_news(&self) {
        self.published.notify_waiters();
        self.news.send_modify(|count| *count += 1);
    }

    /// Those of these outboxes in which something waits, by one question.
    async fn those_with_something(&self, schemas: &[&'static Schema]) -> Result<Vec<&'static Schema>, Fault> {
        let fault = |error: tokio_postgres::Error| Fault::from_postgres("relay", &error);
        let looks: Vec<_> = schemas
            .iter()
            .map(|schema| format!("EXISTS (SELECT FROM {}.outbox WHERE published_at IS NULL)", schema.name))
            .collect();
        let connection = self.db.relay().await?;
        let look = format!("SELECT ARRAY[{}]::BOOLEAN[]", looks.join(", "));
        let look = connection.prepare_cached(&look).await.map_err(fault)?;
        let found: Vec<bool> = connection.query_one(&look, &[]).await.map_err(fault)?.get(0);
        Ok(schemas.iter().zip(found).filter_map(|(schema, found)| found.then_some(*schema)).collect())
    }

    async fn publish_batch(&self, schema: &Schema) -> Result<Published, Fault> {
        let fault = |error: tokio_postgres::Error| Fault::from_postgres("relay", &error);
        let mut connection = self.db.relay().await?;
        let lock = connection.prepare_cached("SELECT pg_try_advisory_xact_lock($1)").await.map_err(fault)?;
        let transaction = connection.transaction().await.map_err(fault)?;
        let mine = transaction.query_one(&lock, &[&LOCK]).await.map_err(fault)?;
        if !mine.get::<_, bool>(0) {
            return Ok(Published::default()); // another relay is at it
        }
        if self.dies == Some(FaultPoint::BeforePublish) {
            std::process::abort();
        }
        let now = Clock::now(self.db.clock()).jiff();
        let (published, trouble) = match &self.broker {
            None => {
                let count = write_down(&transaction, schema, now, None).await?;
                (Published { count, more: count >= BATCH.unsigned_abs(), ahead: false }, None)
            }
            Some(broker) => {
                let hand_over = HandOver { transaction: &transaction, schema, broker: broker.as_ref(), now };
                // Kept out of the future of whoever runs a relay.
                let Handed { published, trouble } = Box::pin(hand_over.run()).await?;
                self.in_trouble.store(trouble.is_some(), Ordering::Relaxed);
                let trouble = trouble.map(|why| Fault::Elsewhere { who: broker.name(), why: why.to_string() });
                (published, trouble)
            }
        };
        if self.dies == Some(FaultPoint::AfterPublish) {
            std::process::abort();
        }
        transaction.commit().await.map_err(fault)?;
        if published.ahead {
            self.tell_the_news();
        }
        match trouble {
            None => Ok(published),
            // What did not go out stays, with what the broker said, until a later look.
            Some(trouble) => {
                self.say_published(published.count);
                Err(trouble)
            }
        }
    }

    fn say_published(&self, count: u64) {
        if count > 0 {
            metrics::counter!("melmastoon_relay_published_total").increment(count);
            self.tell_the_news();
        }
    }
}

/// What a batch came to.
#[derive(Clone, Copy, Default)]
pub(super) struct Published {
    /// Events that are out and in the log.
    pub(super) count: u64,
    /// There may be more.
    pub(super) more: bool,
    /// Some are in the log that no broker has taken.
    pub(super) ahead: bool,
}

/// A batch into the log and out of the outbox: these rows, or the oldest. Returns how many.
pub(super) async fn write_down(
    transaction: &deadpool_postgres::Transaction<'_>,
    schema: &Schema,
    now: jiff::Timestamp,
    ids: Option<&[i64]>,
) -> Result<u64, Fault> {
    let fault = |error: tokio_postgres::Error| Fault::from_postgres("relay", &error);
    let sql = include_str!("sql/publish.sql").replace("{schema}", schema.name);
    let statement = transaction.prepare_cached(&sql).await.map_err(fault)?;
    let delivers = ids.is_none();
    let most = ids.map_or(BATCH, |ids| i64::try_from(ids.len()).unwrap_or(BATCH));
    let row = [&most as &(dyn ToSql + Sync), &now, &delivers, &ids.map(ranges)];
    let count = transaction.query_one(&statement, &row).await.map_err(fault)?;
    Ok(u64::try_from(count.get::<_, i64>(0)).unwrap_or(0))
}

/// How long the relay lets commits gather after a round that published so many.
fn rest_after(published: u64) -> Option<Duration> {
    match published {
        FLOODED.. => Some(LONGEST_REST),
        VERY_BUSY.. => Some(LONG_REST),
        BUSY.. => Some(REST),
        _ => None,
    }
}

/// Events of an outbox that a broker refused.
pub(super) fn refusals(schema: &Schema) -> metrics::Counter {
    metrics::counter!("melmastoon_relay_set_aside_total", "outbox" => schema.name)
}

/// An event as it goes out, from the outbox or from the log.
pub(super) fn outgoing(row: &tokio_postgres::Row) -> Outgoing {
    Outgoing {
        event_id: row.get("event_id"),
        subject: row.get("subject"),
        ordering_key: row.get("ordering_key"),
        listeners: row.get("listeners"),
        again: None,
        envelope: row.get("envelope"),
    }
}
