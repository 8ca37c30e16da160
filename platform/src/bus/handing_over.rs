//! What waits goes to a broker in parts: while it has one, the part before is written down and the part behind is read, so that neither the broker
//! nor the database waits for the other.
//!
//! All parts of a batch are one transaction under the relays' lock. A part is written down when the broker has taken all of it, and the next is given
//! only then: a crash leaves what was out to be published again, under the same ids and in the same order.

use std::time::Duration;

use deadpool_postgres::Transaction;
use futures_util::future::join3;
use tokio::time::Instant;
use tokio_postgres::types::ToSql;

use super::ahead::log_ahead;
use super::relay::{Published, outgoing, refusals, write_down};
use super::tail::INTERNAL;
use super::{Broker, BrokerError, Outgoing};
use crate::database::{Fault, Schema};

/// The broker has so many at a time. Fewer than that are one part, and cost what they cost without parts.
const PART: i64 = 500;
/// A transaction ends after so many parts …
const PARTS: usize = 8;
/// … or when it has taken so long: a broker may be slow.
const LONG_ENOUGH: Duration = Duration::from_millis(500);

/// What became of a batch.
pub(super) struct Handed {
    pub(super) published: Published,
    /// Why the rest of it did not go out.
    pub(super) trouble: Option<BrokerError>,
}

#[derive(Clone, Copy)]
pub(super) struct HandOver<'a> {
    pub(super) transaction: &'a Transaction<'a>,
    pub(super) schema: &'a Schema,
    pub(super) broker: &'a dyn Broker,
    pub(super) now: jiff::Timestamp,
}

/// Rows of the outbox, in their order.
#[derive(Default)]
struct Part {
    ids: Vec<i64>,
    /// Those that go to the broker, and their rows.
    events: Vec<Outgoing>,
    rows: Vec<i64>,
}

impl Part {
    /// There may be more behind it.
    fn is_full(&self) -> bool {
        self.ids.len() >= usize::try_from(PART).unwrap_or(usize::MAX)
    }
}

/// What became of a part.
struct Outcome {
    taken: Vec<i64>,
    refused: usize,
    trouble: Option<BrokerError>,
}

/// These numbers as PostgreSQL's ranges, in which it finds one of hundreds at once. Mostly they are one behind the other.
pub(super) fn ranges(ids: &[i64]) -> String {
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    let runs = ids.chunk_by(|one, next| one.checked_add(1) == Some(*next));
    let runs: Vec<_> = runs.filter_map(|run| Some(format!("[{},{}]", run.first()?, run.last()?))).collect();
    format!("{{{}}}", runs.join(","))
}

#[expect(clippy::needless_pass_by_value, reason = "as `map_err` hands it over")]
fn fault(error: tokio_postgres::Error) -> Fault {
    Fault::from_postgres("relay", &error)
}

impl HandOver<'_> {
    pub(super) async fn run(self) -> Result<Handed, Fault> {
        let (began, met) = (Instant::now(), self.broker.encounter());
        let (mut published, mut taken) = (Published::default(), Vec::new());
        let mut part = self.read(&[], &[]).await?;
        for parts in 1.. {
            let next = async {
                if part.is_full() && parts < PARTS { self.read(&taken, &part.ids).await } else { Ok(Part::default()) }
            };
            // The database is asked first: a part of hundreds is busy for a moment before it waits for anything.
            let (written, next, outcome) = join3(self.write_down(&taken), next, self.give(&part)).await;
            published.count += written?;
            let (next, outcome) = (next?, outcome?);
            // What the broker has not taken or never will is in the log before whatever comes behind it.
            if outcome.refused > 0 || outcome.trouble.is_some() {
                published.ahead |= log_ahead(self.transaction, self.schema, self.now).await? > 0;
            }
            taken = outcome.taken;
            if let Some(trouble) = outcome.trouble {
                return Ok(Handed { published, trouble: Some(trouble) });
            }
            // A broker that went and came back may have lost what it held, which goes out again before anything newer.
            if next.ids.is_empty() || began.elapsed() > LONG_ENOUGH || self.broker.encounter() != met {
                published.more = part.is_full();
                break;
            }
            part = next;
        }
        published.count += self.write_down(&taken).await?;
        Ok(Handed { published, trouble: None })
    }

    /// The oldest that wait, but for those that are under way. What commits late has a lower number than what was read before, and is next.
    async fn read(&self, taken: &[i64], given: &[i64]) -> Result<Part, Fault> {
        let sql = include_str!("sql/waiting.sql").replace("{schema}", self.schema.name);
        let statement = self.transaction.prepare_cached(&sql).await.map_err(fault)?;
        let under_way: Vec<i64> = taken.iter().chain(given).copied().collect();
        let rows = self.transaction.query(&statement, &[&PART, &ranges(&under_way)]).await.map_err(fault)?;
        let ids = rows.iter().map(|row| row.get("id")).collect();
        // Our own business goes into the log and to nobody else.
        let for_the_broker = rows.iter().filter(|row| !row.get::<_, &str>("subject").starts_with(INTERNAL));
        let (rows, events) = for_the_broker.map(|row| (row.get::<_, i64>("id"), outgoing(row))).unzip();
        Ok(Part { ids, events, rows })
    }

    /// Gives a part to the broker. An event that it is never going to take is set aside with the reason, and holds up no other.
    async fn give(&self, part: &Part) -> Result<Outcome, Fault> {
        let mut outcome = Outcome { taken: part.ids.clone(), refused: 0, trouble: None };
        let mut safe = 0;
        while safe < part.events.len() {
            let events = &part.events[safe..];
            let trouble = match self.broker.publish(events).await {
                Ok(()) => break,
                Err(trouble) => trouble,
            };
            let refused = match &trouble {
                BrokerError::Refused { event_id, reason } => {
                    events.iter().position(|event| event.event_id == *event_id).map(|at| (safe + at, reason))
                }
                BrokerError::Away(_) => None,
            };
            let Some((at, reason)) = refused else {
                self.remember(&outcome.taken, &trouble).await?;
                outcome.trouble = Some(trouble);
                break;
            };
            self.set_aside(&part.events[at], reason).await?;
            outcome.taken.retain(|id| *id != part.rows[at]);
            outcome.refused += 1;
            // Those before it are safe.
            safe = at + 1;
        }
        Ok(outcome)
    }

    async fn set_aside(&self, event: &Outgoing, reason: &str) -> Result<(), Fault> {
        let Outgoing { event_id, subject, ordering_key, .. } = event;
        tracing::error!(
            event_id,
            reason,
            outbox = self.schema.name,
            "an event is set aside; `melmastoon bus status` lists it, `melmastoon bus retry` tries it again"
        );
        refusals(self.schema).increment(1);
        let sql = include_str!("sql/set_aside.sql");
        let row: [&(dyn ToSql + Sync); 6] = [&self.schema.name, event_id, subject, ordering_key, &reason, &self.now];
        self.transaction.execute(sql, &row).await.map_err(fault)?;
        Ok(())
    }

    /// What the broker said, once for each reason: an outage is long, and hundreds of rows written again every other second are a load of their own.
    async fn remember(&self, ids: &[i64], trouble: &BrokerError) -> Result<(), Fault> {
        let sql = format!(
            "UPDATE {}.outbox SET attempts = attempts + 1, last_error = $2 WHERE id = ANY ($1) AND last_error IS DISTINCT FROM $2",
            self.schema.name
        );
        self.transaction.execute(&sql, &[&ids, &trouble.to_string()]).await.map_err(fault)?;
        Ok(())
    }

    async fn write_down(&self, taken: &[i64]) -> Result<u64, Fault> {
        if taken.is_empty() { Ok(0) } else { write_down(self.transaction, self.schema, self.now, Some(taken)).await }
    }
}

#[cfg(test)]
mod tests {
    use super::ranges;

    #[test]
    fn numbers_become_ranges_whatever_their_order_and_gaps() {
        assert_eq!(ranges(&[]), "{}");
        assert_eq!(ranges(&[7]), "{[7,7]}");
        assert_eq!(ranges(&[3, 4, 5, 9, 1]), "{[1,1],[3,5],[9,9]}");
    }
}
