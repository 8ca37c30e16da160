//! Rows whose time is over.

use contracts::catalogue::Context;
use platform::Db;
use platform::database::Fault;
use platform::retention::{self, ArchivedTable, Kept, KeptForATime};

use super::{MIGRATIONS, SCHEMA};

/// What leaves for the archive, and when. The migration `archive` has the same term. What people wrote, and what others wrote about
/// them, stays behind.
pub const ARCHIVED: &[ArchivedTable] = &[ArchivedTable {
    without: &[("payload", "(payload - ARRAY['freeText', 'note', 'reason']) #- '{after,reason}'")],
    ..ArchivedTable::of(MIGRATIONS.schema, "audit_events", "occurred_at", Kept::Months(24))
}];

/// Removes what has been kept long enough.
pub async fn purge(db: &Db) -> Result<u64, Fault> {
    let dead_letter_days = Context::Reservation.delivery().dead_letter_days;
    retention::purge(db, KeptForATime { schema: SCHEMA.name, dead_letter_days, also: &["quotes"] }).await
}
