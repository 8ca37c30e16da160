//! The months ahead and the rows whose time is over.

use contracts::time::Timestamp;
use platform::Db;
use platform::database::{DbRole, Fault};

const MAKE_PARTITIONS: &str = "SELECT housekeeping.make_task_partitions($1::DATE, $2)";

/// Last month, this month and three ahead.
const MONTHS: i32 = 5;

const KEPT_FOR_A_TIME: [&str; 6] = [
    "housekeeping.outbox",
    "housekeeping.inbox",
    "housekeeping.idempotency_keys",
    "housekeeping.routing_suggestions",
    "housekeeping.arrivals",
    "bus.event_log",
];

/// Makes the partitions around a moment. Says how many were missing.
pub async fn prepare(owner: &tokio_postgres::Client, now: Timestamp) -> Result<Option<String>, Fault> {
    let day = now.plus_seconds(-31 * 24 * 60 * 60).jiff().to_zoned(jiff::tz::TimeZone::UTC).date();
    let row = owner.query_one(MAKE_PARTITIONS, &[&day, &MONTHS]).await.map_err(|error| unexpected(&error))?;
    let made: i32 = row.get(0);
    Ok((made > 0).then(|| format!("{made} monthly partitions made")))
}

/// Removes what has been kept long enough. The operator's policies show it nothing else.
pub async fn purge(db: &Db) -> Result<u64, Fault> {
    let operator = db.connect_as(DbRole::Operator).await?;
    let mut removed = 0;
    for table in KEPT_FOR_A_TIME {
        removed += operator.execute(&format!("DELETE FROM {table}"), &[]).await.map_err(|error| unexpected(&error))?;
    }
    Ok(removed)
}

fn unexpected(error: &tokio_postgres::Error) -> Fault {
    let detail = error.as_db_error().map_or_else(|| error.to_string(), |answer| answer.message().to_owned());
    Fault::Unexpected { place: "maintenance".to_owned(), detail }
}
