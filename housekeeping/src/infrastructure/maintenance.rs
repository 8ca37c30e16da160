//! The months ahead and the rows whose time is over.

use contracts::catalogue::Context;
use contracts::time::Timestamp;
use platform::database::Fault;
use platform::retention::{self, KeptForATime};
use platform::{Db, columns, statements};

use super::SCHEMA;

statements! {
    MAKE_PARTITIONS = "sql/make_partitions.sql" (date, int4) -> columns![made: int4];
}

/// Last month, this month and three ahead.
const MONTHS: i32 = 5;

/// Makes the partitions around a moment. Returns how many were missing.
pub async fn make_partitions(owner: &tokio_postgres::Client, now: Timestamp) -> Result<i32, Fault> {
    let day = now.plus_seconds(-31 * 24 * 60 * 60).jiff().to_zoned(jiff::tz::TimeZone::UTC).date();
    let row = owner.query_one(MAKE_PARTITIONS.text, &[&day, &MONTHS]).await.map_err(|error| unexpected(&error))?;
    Ok(row.get("made"))
}

/// Removes what has been kept long enough.
pub async fn purge(db: &Db) -> Result<u64, Fault> {
    let dead_letter_days = Context::Housekeeping.delivery().dead_letter_days;
    let also = &["routing_suggestions", "arrivals"];
    retention::purge(db, KeptForATime { schema: SCHEMA.name, dead_letter_days, also }).await
}

fn unexpected(error: &tokio_postgres::Error) -> Fault {
    let detail = error.as_db_error().map_or_else(|| error.to_string(), |answer| answer.message().to_owned());
    Fault::Unexpected { place: "maintenance".to_owned(), detail }
}
