//! From the outbox into the log: our relay in batches, against a relay as it is first written down everywhere.

use std::time::{Duration, Instant};

use platform::Clock;
use platform::database::DbRole;
use server::app::App;

use crate::Outcome;
use crate::hotel::Hotel;

/// Keeps events that were really written, as the rows to relay.
pub(crate) async fn take_sample(hotel: &Hotel, rows: i64) -> Outcome<()> {
    let sql = format!(
        "DROP TABLE IF EXISTS bench.sample;
         CREATE TABLE bench.sample AS SELECT * FROM housekeeping.outbox ORDER BY id DESC LIMIT {rows}"
    );
    hotel.superuser.batch_execute(&sql).await?;
    let found: i64 = hotel.superuser.query_one("SELECT count(*) FROM bench.sample", &[]).await?.get(0);
    // Measured alone, nobody has written anything yet: then they are events like those of the catalogue.
    let subject = "melmastoon.housekeeping.task.started.v1";
    let payload = contracts::catalogue::find(subject).ok_or("a subject")?.example();
    let (tenant, property) = (hotel.tenant(0), hotel.property(0));
    let more = "INSERT INTO bench.sample (id, event_id, tenant_id, subject, payload, envelope_meta, created_at, ordering_key, property_id)
                SELECT n, 'evt_SAMPLE_' || n, $1::TEXT, $2::TEXT, $3::JSONB, jsonb_build_object('id', 'evt_SAMPLE_' || n, 'subject', $2, 'tenantId', $1,
                       'occurredAt', now(), 'producer', 'housekeeping-service', 'specVersion', '1.0'), now(), $1 || ':' || n % 5000, $4::TEXT
                FROM generate_series($5::BIGINT + 1, $6::BIGINT) n";
    hotel.superuser.execute(more, &[&tenant, &subject, &payload, &property, &found, &rows]).await?;
    Ok(())
}

/// The outbox holds the sample and nothing else; the log is empty.
pub(crate) async fn fill(hotel: &Hotel) -> Outcome<()> {
    hotel
        .superuser
        .batch_execute(
            "TRUNCATE housekeeping.outbox, bus.event_log, bus.deliveries, bus.webhook_deliveries;
             INSERT INTO housekeeping.outbox (event_id, tenant_id, subject, payload, envelope_meta, created_at, ordering_key, property_id)
             SELECT event_id, tenant_id, subject, payload, envelope_meta, created_at, ordering_key, property_id
             FROM bench.sample ORDER BY id;
             ANALYZE housekeeping.outbox;
             CHECKPOINT",
        )
        .await?;
    Ok(())
}

/// Rows a second of the product's relay.
pub(crate) async fn ours(hotel: &Hotel, app: &App) -> Outcome<f64> {
    fill(hotel).await?;
    let begun = Instant::now();
    let rows = app.relay.drain().await?;
    Ok(f64::from(u32::try_from(rows)?) / begun.elapsed().as_secs_f64())
}

/// Rows a second of the literal one: SELECT a hundred; publish each and wait until it is safe; mark each.
pub(crate) async fn one_by_one(hotel: &Hotel, app: &App, time: Duration) -> Outcome<f64> {
    fill(hotel).await?;
    let client = app.db.connect_as(DbRole::Relay).await?;
    let select = client
        .prepare(
            "SELECT id, event_id, tenant_id, property_id, subject, ordering_key,
                    (envelope_meta || jsonb_build_object('payload', payload))::TEXT AS envelope
             FROM housekeeping.outbox WHERE published_at IS NULL ORDER BY id LIMIT 100",
        )
        .await?;
    let publish = client
        .prepare(
            "INSERT INTO bus.event_log (event_id, tenant_id, property_id, subject, ordering_key, envelope, published_at)
             VALUES ($1, $2, $3, $4, $5, $6::TEXT::JSONB, $7)",
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
            let now = Clock::system().now().jiff();
            let text = |column: &str| row.get::<_, Option<String>>(column);
            let (event, tenant, property) = (text("event_id"), text("tenant_id"), text("property_id"));
            let (subject, key, envelope) = (text("subject"), text("ordering_key"), text("envelope"));
            client.execute(&publish, &[&event, &tenant, &property, &subject, &key, &envelope, &now]).await?;
            client.execute(&mark, &[&row.get::<_, i64>("id"), &now]).await?;
            rows += 1;
            if begun.elapsed() > time {
                break 'looking;
            }
        }
    }
    Ok(f64::from(rows) / begun.elapsed().as_secs_f64())
}
