//! The rows whose time is over.

use contracts::catalogue::Context;
use platform::Db;
use platform::database::Fault;
use platform::retention::{self, KeptForATime};

use super::SCHEMA;

/// Removes what has been kept long enough.
pub async fn purge(db: &Db) -> Result<u64, Fault> {
    let dead_letter_days = Context::Staff.delivery().dead_letter_days;
    retention::purge(db, KeptForATime { schema: SCHEMA.name, dead_letter_days, also: &["alert_debounce", "pin_attempts", "pin_sources"] }).await
}
