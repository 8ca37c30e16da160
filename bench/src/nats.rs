//! From the outbox to a NATS server with its answers: our relay, against a relay as it is first written down everywhere.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::jetstream::{self, message::PublishMessage, stream};
use platform::Clock;
use platform::bus::{Broker, Nats, NatsOptions, Outgoing};
use platform::database::DbRole;
use server::app::App;
use test_hotel::NatsServer;

use crate::Outcome;
use crate::hotel::Hotel;
use crate::processor::{used_by, used_by_database};
use crate::relay::fill;
use crate::stage::Stage;

/// A server of its own, and the way to it.
pub(crate) struct AtNats {
    pub(crate) broker: Arc<Nats>,
    server: NatsServer,
}

/// Messages that wait for their answers at the server's own limit.
const IN_FLIGHT: usize = 4_000;

/// Processor microseconds that a row has cost everybody.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shares {
    pub(crate) us: f64,
    pub(crate) database: f64,
    pub(crate) nats: f64,
}

impl AtNats {
    /// `None` where the machine has no NATS server, which is said.
    pub(crate) async fn open() -> Outcome<Option<Self>> {
        let Some(server) = NatsServer::start() else { return Ok(None) };
        let options = NatsOptions { servers: server.url(), ..NatsOptions::default() };
        Ok(Some(Self { broker: Arc::new(Nats::connect(&options).await?), server }))
    }

    /// Processor seconds used so far by this process, PostgreSQL and the server.
    fn used(&self, stage: &Stage) -> Outcome<[f64; 3]> {
        let server = u32::try_from(self.server.pid().ok_or("the server has ended")?)?;
        Ok([used_by(std::process::id())?, used_by_database(stage)?, used_by(server)?])
    }

    /// Rows a second of the server by itself: the sample's envelopes from memory into a stream that nobody hears, with an id and an answer each,
    /// thousands in flight. Nothing is read, nothing marked, nothing kept in order.
    pub(crate) async fn by_itself(&self, hotel: &Hotel, round: usize) -> Outcome<f64> {
        let sql = "SELECT event_id || '_alone_' || $1::TEXT,
                          (envelope_meta || jsonb_build_object('payload', payload))::TEXT FROM bench.sample ORDER BY id";
        let rows = hotel.superuser.query(sql, &[&round.to_string()]).await?;
        let events: Vec<(String, String)> = rows.iter().map(|row| (row.get(0), row.get(1))).collect();
        drop(rows);
        let jetstream = jetstream::new(async_nats::connect(self.server.url()).await?);
        let stream = stream::Config {
            name: format!("ALONE_{round}"),
            subjects: vec![format!("alone.{round}")],
            storage: stream::StorageType::File,
            ..stream::Config::default()
        };
        jetstream.create_stream(&stream).await?;
        let (subject, count) = (format!("alone.{round}"), events.len());
        let begun = Instant::now();
        let mut sent = VecDeque::with_capacity(IN_FLIGHT);
        for (id, envelope) in events {
            if sent.len() == IN_FLIGHT
                && let Some(answer) = sent.pop_front()
            {
                IntoFuture::into_future(answer).await?;
            }
            let message = PublishMessage::build().payload(envelope.into()).message_id(id);
            sent.push_back(jetstream.send_publish(subject.clone(), message).await?);
        }
        for answer in sent {
            answer.await?;
        }
        let taken = begun.elapsed();
        jetstream.delete_stream(&stream.name).await?;
        Ok(f64::from(u32::try_from(count)?) / taken.as_secs_f64())
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

/// Rows a second of the product's relay, all of them acknowledged, and who paid for them.
pub(crate) async fn ours(
    stage: &Stage,
    hotel: &Hotel,
    app: &App,
    at_nats: &AtNats,
    round: usize,
) -> Outcome<(f64, Shares)> {
    fill(hotel).await?;
    renumber(hotel, round).await?;
    let before = at_nats.used(stage)?;
    let begun = Instant::now();
    let rows = f64::from(u32::try_from(app.relay.drain().await?)?);
    let taken = begun.elapsed();
    let after = at_nats.used(stage)?;
    let [us, database, nats] = std::array::from_fn(|at| (after[at] - before[at]) * 1e6 / rows.max(1.0));
    Ok((rows / taken.as_secs_f64(), Shares { us, database, nats }))
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
