//! The relay: committed outbox rows become published events, in order, exactly once in the log.
//!
//! One relay works at a time; the lock lives in its transaction, so a relay that hangs or dies loses it with its
//! connection and cannot come back to write behind its successor. Reading, logging and marking are one transaction:
//! a crash anywhere leaves all or nothing of a batch.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Notify, watch};

use super::{Broker, BrokerError, Outgoing, Subscription};
use crate::database::{Fault, Schema};
use crate::{Clock, Db};

const BATCH: i64 = 1_000;
/// All relays of one database meet at this lock.
const LOCK: i64 = 7_310_579_002;

/// A place where a test lets the process die, to show that nothing is lost there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultPoint {
    BeforePublish,
    AfterPublish,
}

/// See the module.
pub struct Relay {
    db: Db,
    schemas: Vec<&'static Schema>,
    /// Who in this deployment hears what through the embedded bus.
    names: Vec<String>,
    subjects: Vec<String>,
    broker: Option<Arc<dyn Broker>>,
    published: Arc<Notify>,
    news: watch::Sender<i64>,
    dies: Option<FaultPoint>,
}

impl std::fmt::Debug for Relay {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Relay").field("schemas", &self.schemas.len()).finish_non_exhaustive()
    }
}

impl Relay {
    pub fn new(db: Db, schemas: Vec<&'static Schema>, subscriptions: &[Subscription]) -> Self {
        let (mut names, mut subjects) = (Vec::new(), Vec::new());
        for subscription in subscriptions {
            for subject in &subscription.subjects {
                names.push(subscription.name.to_owned());
                subjects.push((*subject).to_owned());
            }
        }
        let (news, _) = watch::channel(0);
        Self { db, schemas, names, subjects, broker: None, published: Arc::new(Notify::new()), news, dies: None }
    }

    /// Publishes to a broker instead of the embedded deliveries.
    #[must_use]
    pub fn through(mut self, broker: Arc<dyn Broker>) -> Self {
        self.broker = Some(broker);
        self
    }

    #[must_use]
    pub fn dying_at(mut self, point: Option<FaultPoint>) -> Self {
        self.dies = point;
        self
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
    pub async fn run(&self, mut stop: watch::Receiver<bool>, look_every: Duration) {
        let committed = self.db.committed();
        let mut pause = look_every;
        loop {
            match self.drain().await {
                Ok(_) => pause = look_every,
                Err(fault) => {
                    tracing::warn!(%fault, "the relay will try again");
                    pause = (pause * 2).min(Duration::from_secs(10));
                }
            }
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

    /// Publishes everything that waits. Returns how many events went out.
    pub async fn drain(&self) -> Result<u64, Fault> {
        let mut total = 0;
        for schema in &self.schemas {
            loop {
                let count = self.publish_batch(schema).await?;
                total += count;
                if count < u64::try_from(BATCH).unwrap_or(u64::MAX) {
                    break;
                }
            }
        }
        if total > 0 {
            metrics::counter!("melmastoon_relay_published_total").increment(total);
            self.published.notify_one();
            self.news.send_modify(|count| *count += 1);
        }
        Ok(total)
    }

    async fn publish_batch(&self, schema: &Schema) -> Result<u64, Fault> {
        let fault = |error: tokio_postgres::Error| Fault::from_postgres("relay", &error);
        let mut connection = self.db.relay().await?;
        let waiting = connection
            .prepare_cached(&format!("SELECT EXISTS (SELECT FROM {}.outbox WHERE published_at IS NULL)", schema.name))
            .await
            .map_err(fault)?;
        if !connection.query_one(&waiting, &[]).await.map_err(fault)?.get::<_, bool>(0) {
            return Ok(0);
        }
        let transaction = connection.transaction().await.map_err(fault)?;
        let mine = transaction.query_one("SELECT pg_try_advisory_xact_lock($1)", &[&LOCK]).await.map_err(fault)?;
        if !mine.get::<_, bool>(0) {
            return Ok(0); // another relay is at it
        }
        if self.dies == Some(FaultPoint::BeforePublish) {
            std::process::abort();
        }
        let now = Clock::now(self.db.clock()).jiff();
        let ids = match &self.broker {
            Some(broker) => match hand_over(&transaction, schema, broker.as_ref()).await? {
                Ok(ids) => Some(ids),
                Err(refused) => {
                    // The rows stay, with what the broker said, and go out at a later look.
                    transaction.commit().await.map_err(fault)?;
                    return Err(Fault::Unavailable(refused.to_string()));
                }
            },
            None => None,
        };
        let (names, subjects) =
            if self.broker.is_some() { (&[][..], &[][..]) } else { (&self.names[..], &self.subjects[..]) };
        let sql = include_str!("sql/publish.sql").replace("{schema}", schema.name);
        let statement = transaction.prepare_cached(&sql).await.map_err(fault)?;
        let count = transaction.query_one(&statement, &[&BATCH, &now, &names, &subjects, &ids]).await.map_err(fault)?;
        if self.dies == Some(FaultPoint::AfterPublish) {
            std::process::abort();
        }
        transaction.commit().await.map_err(fault)?;
        Ok(u64::try_from(count.get::<_, i64>(0)).unwrap_or(0))
    }
}

/// Gives the batch to the broker; what it took is marked afterwards, so a crash in between publishes again.
async fn hand_over(
    transaction: &deadpool_postgres::Transaction<'_>,
    schema: &Schema,
    broker: &dyn Broker,
) -> Result<Result<Vec<i64>, BrokerError>, Fault> {
    let fault = |error: tokio_postgres::Error| Fault::from_postgres("relay", &error);
    let sql = include_str!("sql/waiting.sql").replace("{schema}", schema.name);
    let statement = transaction.prepare_cached(&sql).await.map_err(fault)?;
    let rows = transaction.query(&statement, &[&BATCH]).await.map_err(fault)?;
    let batch: Vec<_> = rows
        .iter()
        // Our own business goes into the log and to nobody else.
        .filter(|row| !row.get::<_, &str>("subject").starts_with(super::tail::INTERNAL))
        .map(|row| Outgoing {
            event_id: row.get("event_id"),
            subject: row.get("subject"),
            ordering_key: row.get("ordering_key"),
            envelope: row.get("envelope"),
        })
        .collect();
    let ids: Vec<i64> = rows.iter().map(|row| row.get("id")).collect();
    if batch.is_empty() {
        return Ok(Ok(ids));
    }
    if let Err(refused) = broker.publish(&batch).await {
        let sql =
            format!("UPDATE {}.outbox SET attempts = attempts + 1, last_error = $2 WHERE id = ANY ($1)", schema.name);
        transaction.execute(&sql, &[&ids, &refused.to_string()]).await.map_err(fault)?;
        return Ok(Err(refused));
    }
    Ok(Ok(ids))
}
