//! The months ahead and the rows whose time is over.

use contracts::catalogue::Context;
use contracts::time::Timestamp;
use platform::Db;
use platform::database::{DbRole, Fault};
use platform::retention::{self, KeptForATime};

use super::SCHEMA;

const MAKE_PARTITIONS: &str = "SELECT housekeeping.make_task_partitions($1::DATE, $2)";

/// Last month, this month and three ahead.
const MONTHS: i32 = 5;

/// Makes the partitions around a moment. Says how many were missing.
pub async fn prepare(owner: &tokio_postgres::Client, now: Timestamp) -> Result<Option<String>, Fault> {
    let day = now.plus_seconds(-31 * 24 * 60 * 60).jiff().to_zoned(jiff::tz::TimeZone::UTC).date();
    let row = owner.query_one(MAKE_PARTITIONS, &[&day, &MONTHS]).await.map_err(|error| unexpected(&error))?;
    let made: i32 = row.get(0);
    Ok((made > 0).then(|| format!("{made} monthly partitions made")))
}

/// Removes what has been kept long enough.
pub async fn purge(db: &Db) -> Result<u64, Fault> {
    let dead_letter_days = Context::Housekeeping.delivery().dead_letter_days;
    let also = &[
        "routing_suggestions",
        "arrivals",
        "room_blocks",
        "maintenance_blocks",
        "expected_stays",
        "alert_debounce",
        "loose_punches",
        "lost_and_found",
        "board_snapshot_mat",
    ];
    let removed = retention::purge(db, KeptForATime { schema: SCHEMA.name, dead_letter_days, also }).await?;
    // Movements leave their sum behind, which a plain removal cannot.
    let operator = db.connect_as(DbRole::Operator).await?;
    let forget = "SELECT housekeeping.forget_linen_movements($1)";
    let row = operator.query_one(forget, &[&db.clock().now()]).await.map_err(|error| unexpected(&error))?;
    Ok(removed + u64::try_from(row.get::<_, i64>(0)).unwrap_or(0))
}

fn unexpected(error: &tokio_postgres::Error) -> Fault {
    let detail = error.as_db_error().map_or_else(|| error.to_string(), |answer| answer.message().to_owned());
    Fault::Unexpected { place: "maintenance".to_owned(), detail }
}
