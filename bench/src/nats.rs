//! From the outbox to a NATS server with its answers: our relay, against a relay as it is first written down everywhere.

use std::sync::Arc;
use std::time::{Duration, Instant};

use platform::Clock;
use platform::bus::{Broker, Nats, NatsOptions, Outgoing};
use platform::database::DbRole;
use server::app::App;
use test_hotel::NatsServer;

use crate::Outcome;
use crate::hotel::Hotel;
use crate::relay::fill;

/// A server of its own, and the way to it.
pub(crate) struct AtNats {
    pub(crate) broker: Arc<Nats>,
    _server: NatsServer,
}

impl AtNats {
    /// `None` where the machine has no NATS server, which is said.
    pub(crate) async fn open() -> Outcome<Option<Self>> {
        let Some(server) = NatsServer::start() else { return Ok(None) };
        let options = NatsOptions { servers: server.url(), ..NatsOptions::default() };
        Ok(Some(Self { broker: Arc::new(Nats::connect(&options).await?), _server: server }))
    }
}

/// Every event has a new id: within two minutes the server would drop a repetition, and measure nothing.
async fn renumber(hotel: &Hotel, round: usize) -> Outcome<()> {
    let sql = format!(
        "UPDATE housekeeping.outbox SET event_id = event_id || '_{round}'; VACUUM ANALYZE housekeeping.outbox; CHECKPOINT"
    );
    for statement in sql.split(';') {
        hotel.superuser.batch_execute(statement).await?;
    }
    Ok(())
}

/// Rows a second of the product's relay, all of them acknowledged.
pub(crate) async fn ours(hotel: &Hotel, app: &App, round: usize) -> Outcome<f64> {
    fill(hotel).await?;
    renumber(hotel, round).await?;
    let begun = Instant::now();
    let rows = app.relay.drain().await?;
    Ok(f64::from(u32::try_from(rows)?) / begun.elapsed().as_secs_f64())
}

/// Rows a second of the literal one: SELECT a hundred; publish each and wait for its answer; mark each.
pub(crate) async fn one_by_one(hotel: &Hotel, app: &App, broker: &Nats, round: usize, time: Duration) -> Outcome<f64> {
    fill(hotel).await?;
    renumber(hotel, round).await?;
    let client = app.db.connect_as(DbRole::Relay).await?;
    let select = client
        .prepare(
            "SELECT id, event_id, subject, ordering_key, (envelope_meta || jsonb_build_object('payload', payload))::TEXT AS envelope
             FROM housekeeping.outbox WHERE published_at IS NULL ORDER BY id LIMIT 100",
        )
        .await?;
    let mark = client
        .prepare("UPDATE housekeeping.outbox SET published_at = $2, attempts = attempts + 1 WHERE id = $1")
        .await?;
    let begun = Instant::now();
    let mut rows = 0_u32;
    'looking: loop {
        let batch = client.query(&select, &[]).await?;
        if batch.is_empty() {
            break;
        }
        for row in batch {
            let event = Outgoing {
                event_id: row.get("event_id"),
                subject: row.get("subject"),
                ordering_key: row.get("ordering_key"),
                listeners: Vec::new(),
                again: None,
                envelope: row.get("envelope"),
            };
            broker.publish(std::slice::from_ref(&event)).await?;
            let now = Clock::system().now().jiff();
            client.execute(&mark, &[&row.get::<_, i64>("id"), &now]).await?;
            rows += 1;
            if begun.elapsed() > time {
                break 'looking;
            }
        }
    }
    Ok(f64::from(rows) / begun.elapsed().as_secs_f64())
}
