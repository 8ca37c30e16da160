//! From the commit that owes an event to the commit of the handler that heard it, relay and worker running.
//!
//! Both moments are the commit timestamps that PostgreSQL gives, so they are of one clock. Each is taken just before its
//! commit is flushed to disk: exactly one flush is counted, the first.

use std::sync::Arc;
use std::time::Duration;

use platform::Clock;
use platform::database::DbRole;
use serde_json::json;
use server::app::App;
use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval};
use tokio_postgres::Client;

use crate::Outcome;
use crate::hotel::{Hotel, TENANTS};

/// As `melmastoon up` looks.
const LOOK_EVERY: Duration = Duration::from_millis(500);
const SENDERS: usize = 4;

/// What was found, in milliseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Latency {
    pub(crate) p50: f64,
    pub(crate) p99: f64,
    pub(crate) worst: f64,
}

/// Sends guests' arrivals at a steady rate and waits until all are handled.
pub(crate) async fn ours(hotel: &Hotel, app: &Arc<App>, per_second: u32, time: Duration) -> Outcome<Latency> {
    hotel.superuser.batch_execute("TRUNCATE housekeeping.outbox, housekeeping.inbox, bench.sent, bus.event_log, bus.deliveries, bus.webhook_deliveries; CHECKPOINT").await?;
    let (stop, stopped) = watch::channel(false);
    let (relay, worker) = (Arc::clone(app), Arc::clone(app));
    let also_stopped = stopped.clone();
    let relay = tokio::spawn(async move { relay.relay.run(stopped, LOOK_EVERY).await });
    let worker = tokio::spawn(async move {
        match &worker.broker {
            Some(broker) => broker.deliver(&worker.db, &worker.subscriptions, also_stopped).await,
            None => worker.worker.run(also_stopped, LOOK_EVERY).await,
        }
    });
    let sent = send_all(hotel, app, per_second, time).await;
    let found = match sent {
        Ok(sent) => measured(hotel, sent).await,
        Err(error) => Err(error),
    };
    let _ = stop.send(true);
    relay.await?;
    worker.await?;
    found
}

async fn send_all(hotel: &Hotel, app: &Arc<App>, per_second: u32, time: Duration) -> Outcome<i64> {
    let mut senders = Vec::new();
    for _ in 0..SENDERS {
        senders.push(Arc::new(app.db.connect_as(DbRole::App).await?));
    }
    let total = u64::from(per_second) * time.as_secs();
    let mut tick = interval(Duration::from_secs(1) / per_second);
    tick.set_missed_tick_behavior(MissedTickBehavior::Burst);
    let mut sending = Vec::new();
    for number in 0..total {
        tick.tick().await;
        let (event, sql) = arrival(hotel, number)?;
        let (sender, app) = (Arc::clone(&senders[usize::try_from(number)? % SENDERS]), Arc::clone(app));
        sending.push(tokio::spawn(async move { send(&sender, &app, &event, &sql).await }));
    }
    for one in sending {
        one.await??;
    }
    Ok(i64::try_from(total)?)
}

/// Commits an outbox row and rings the relay, as a unit of work does.
async fn send(sender: &Client, app: &App, event: &str, sql: &str) -> Outcome<()> {
    // One message, one transaction: two sends that share a connection cannot mix.
    sender.batch_execute(sql).await.map_err(|error| format!("{event}: {error}"))?;
    app.db.committed().notify_one();
    Ok(())
}

/// A guest comes: the row that the reservation context would owe.
fn arrival(hotel: &Hotel, number: u64) -> Outcome<(String, String)> {
    let lane = usize::try_from(number)? % TENANTS;
    let (tenant, property) = (hotel.tenant(lane), hotel.property(lane));
    let number = 50_000_000 + number;
    let (event, stay) = (hotel.id("evt", lane, number), hotel.id("rsv", lane, number));
    let now = Clock::system().now();
    let subject = "melmastoon.reservation.checked_in.v1";
    let actor = json!({ "type": "system", "id": "sys_reservation" });
    let meta = json!({
        "specVersion": "1.0", "id": event, "subject": subject, "tenantId": tenant, "occurredAt": now,
        "producer": "reservation-service@1.0.0", "actor": actor,
    });
    let payload = json!({
        "reservationId": stay, "tenantId": tenant, "propertyId": property, "checkedInAt": now,
        "assignedRooms": [{ "itemId": "itm_BENCH", "roomId": hotel.id("rom", lane, number % 64) }],
        "keyCredentialIds": [], "requiresManualKey": true, "actor": actor, "earlyCheckIn": false,
    });
    // Our own ids and words: nothing in them needs a quote.
    let sql = format!(
        "BEGIN;
         SELECT set_config('app.tenant_id', '{tenant}', true);
         INSERT INTO housekeeping.outbox (event_id, tenant_id, subject, payload, envelope_meta, ordering_key, property_id)
         VALUES ('{event}', '{tenant}', '{subject}', '{payload}', '{meta}', '{tenant}:{stay}', '{property}');
         INSERT INTO bench.sent VALUES ('{event}');
         COMMIT"
    );
    Ok((event, sql))
}

async fn measured(hotel: &Hotel, sent: i64) -> Outcome<Latency> {
    let begun = std::time::Instant::now();
    loop {
        let row = hotel
            .superuser
            .query_one(
                "SELECT count(*) AS events,
                        percentile_cont(0.5) WITHIN GROUP (ORDER BY ms) AS p50,
                        percentile_cont(0.99) WITHIN GROUP (ORDER BY ms) AS p99, max(ms) AS worst
                 FROM (SELECT (extract(epoch FROM pg_xact_commit_timestamp(i.xmin) - pg_xact_commit_timestamp(s.xmin)) * 1000)::FLOAT8 AS ms
                       FROM bench.sent s JOIN housekeeping.inbox i ON split_part(i.message_id, '/', 2) = s.event_id) AS each",
                &[],
            )
            .await?;
        let events: i64 = row.get("events");
        if events == sent {
            return Ok(Latency { p50: row.get("p50"), p99: row.get("p99"), worst: row.get("worst") });
        }
        if begun.elapsed() > Duration::from_secs(20) {
            return Err(format!("{events} of {sent} events were handled").into());
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}
