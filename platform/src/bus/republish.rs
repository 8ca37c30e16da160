//! Publishing again what was published before: after a broker lost something, or for whoever must hear it once more.
//!
//! It comes from the log, which reaches back ninety days. Consumers that have seen an event drop it.

use std::time::Duration;

use contracts::time::Timestamp;

use super::relay::{LOCK, outgoing};
use super::{Broker, BrokerError, Outgoing};
use crate::Db;
use crate::database::Fault;

const BATCH: i64 = 1_000;
/// While a relay is at it.
const A_MOMENT: Duration = Duration::from_millis(5);

/// What is to go out again.
#[derive(Clone, Debug)]
pub struct Again {
    pub since: Timestamp,
    pub subject: Option<String>,
    pub tenant: Option<String>,
}

/// Publishes the log's events again, oldest first, a batch at a time between the relay's own. Tells after each batch how many went out,
/// and how far through the log it is, in thousandths. Err: what was told of is out.
pub async fn republish(
    db: &Db,
    broker: Option<&dyn Broker>,
    again: &Again,
    mut told: impl FnMut(u64, u64),
) -> Result<u64, Fault> {
    let fault = |error: tokio_postgres::Error| Fault::from_postgres("republish", &error);
    let run = db.ids().ulid(db.clock().now());
    let mut connection = db.worker().await?;
    let span =
        "SELECT coalesce(min(log_offset), 0), coalesce(max(log_offset), 0) FROM bus.event_log WHERE published_at >= $1";
    let since = again.since.jiff();
    let span = connection.query_one(span, &[&since]).await.map_err(fault)?;
    let (first, last): (i64, i64) = (span.get(0), span.get(1));
    let (mut after, mut total, mut far) = (first - 1, 0, 1_000);
    loop {
        let transaction = connection.transaction().await.map_err(fault)?;
        // Between two batches of the relays, so that nobody's order is broken into.
        transaction.batch_execute("SET LOCAL synchronous_commit = on").await.map_err(fault)?;
        let mine = transaction.query_one("SELECT pg_try_advisory_xact_lock($1)", &[&LOCK]).await.map_err(fault)?;
        if !mine.get::<_, bool>(0) {
            transaction.rollback().await.map_err(fault)?;
            tokio::time::sleep(A_MOMENT).await;
            continue;
        }
        let rows = transaction
            .query(include_str!("sql/since.sql"), &[&since, &after, &last, &again.subject, &again.tenant, &BATCH])
            .await
            .map_err(fault)?;
        let Some(newest) = rows.last() else { break };
        after = newest.get("log_offset");
        if let Some(broker) = broker {
            let events: Vec<_> =
                rows.iter().map(|row| Outgoing { again: Some(run.to_string()), ..outgoing(row) }).collect();
            send(broker, &events).await?;
        } else {
            let offsets: Vec<i64> = rows.iter().map(|row| row.get("log_offset")).collect();
            let now = db.clock().now().jiff();
            transaction.execute(include_str!("sql/deliver_again.sql"), &[&offsets, &now]).await.map_err(fault)?;
        }
        transaction.commit().await.map_err(fault)?;
        total += u64::try_from(rows.len()).unwrap_or(0);
        let (done, all) = ((after - first + 1).max(0), (last - first + 1).max(1));
        far = u64::try_from(done.saturating_mul(1_000) / all).unwrap_or(1_000);
        told(total, far);
    }
    // Nothing of what was asked for lies behind the last one.
    if far < 1_000 {
        told(total, 1_000);
    }
    Ok(total)
}

/// One that is refused was refused before, and is listed: the others go on.
async fn send(broker: &dyn Broker, mut events: &[Outgoing]) -> Result<(), Fault> {
    while !events.is_empty() {
        match broker.publish(events).await {
            Ok(()) => break,
            Err(BrokerError::Refused { event_id, reason }) => {
                tracing::warn!(event_id, reason, "an event was refused and left out");
                let at = events.iter().position(|event| event.event_id == event_id).map_or(events.len(), |at| at + 1);
                events = &events[at..];
            }
            Err(away) => return Err(Fault::Elsewhere { who: broker.name(), why: away.to_string() }),
        }
    }
    Ok(())
}
