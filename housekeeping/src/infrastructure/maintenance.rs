//! The months ahead and the rows whose time is over.

use contracts::catalogue::Context;
use contracts::time::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use platform::Db;
use platform::database::Fault;
use platform::retention::{self, ArchivedTable, Forgotten, Kept, KeptForATime, MonthlyPartitions};

use super::{MIGRATIONS, SCHEMA};

const MAKE_PARTITIONS: &str = "SELECT housekeeping.make_task_partitions($1::DATE, $2)";

/// What leaves for the archive, and when: the data model's section 6. The migrations `archive` and `found_things` have the same terms.
/// Who claimed a found thing stays behind.
pub const ARCHIVED: &[ArchivedTable] = &[
    ArchivedTable {
        open_while: Some("status IN ('pending', 'assigned', 'in_progress', 'paused')"),
        partitions: Some(MonthlyPartitions {
            drop: "housekeeping.drop_task_month",
            make: "housekeeping.make_task_month",
        }),
        ..of("housekeeping_tasks", "created_at", Kept::Months(18))
    },
    of("room_status_audit", "flipped_at", Kept::Months(24)),
    of("inspections", "performed_at", Kept::Months(24)),
    of("linen_movements", "occurred_at", Kept::Months(12)),
    ArchivedTable {
        without: &[("payload", "payload - ARRAY['claimantName', 'claimantPhone']")],
        ..of("audit_events", "occurred_at", Kept::Months(24))
    },
    of("room_blocks", "cleared_at", Kept::Days(90)),
    ArchivedTable {
        without: &[("claimant_name", "left(claimant_name, 0)"), ("claimant_phone", "NULL::TEXT")],
        ..of("lost_and_found", THING_OVER, Kept::AsTheTenantSays)
    },
];

/// Since when a found thing is nobody's business any more.
const THING_OVER: &str = "housekeeping.thing_over_since(status, disposed_at, matched_at)";

const fn of(table: &'static str, since: &'static str, kept: Kept) -> ArchivedTable {
    ArchivedTable::of(MIGRATIONS.schema, table, since, kept)
}

/// Last month, this month and three ahead.
const MONTHS: i32 = 5;

/// Makes the partitions around a moment. Says how many were missing.
pub async fn prepare(owner: &tokio_postgres::Client, now: Timestamp) -> Result<Option<String>, Fault> {
    let day = last_month(now);
    let row = owner.query_one(MAKE_PARTITIONS, &[&day, &MONTHS]).await.map_err(|error| unexpected(&error))?;
    let made: i32 = row.get(0);
    Ok((made > 0).then(|| format!("{made} monthly partitions made")))
}

/// A day of the month before the one that a moment is in. Months differ in length: so many days before the first of one may be two months before it.
fn last_month(now: Timestamp) -> Date {
    let this_month = now.jiff().to_zoned(TimeZone::UTC).date().first_of_month();
    this_month.yesterday().unwrap_or(this_month)
}

/// Removes what has been kept long enough.
pub async fn purge(db: &Db) -> Result<u64, Fault> {
    let dead_letter_days = Context::Housekeeping.delivery().dead_letter_days;
    let also = &[
        "routing_suggestions",
        "arrivals",
        "maintenance_blocks",
        "expected_stays",
        "alert_debounce",
        "loose_punches",
        "board_snapshot_mat",
    ];
    let removed = retention::purge(db, KeptForATime { schema: SCHEMA.name, dead_letter_days, also }).await?;
    retention::forget(db, CLAIMANTS).await?;
    Ok(removed)
}

/// Who claimed a thing is forgotten when its record is old, whether or not there is an archive for the rest.
const CLAIMANTS: Forgotten<'_> = Forgotten {
    what: "claimants in housekeeping.lost_and_found",
    table: "housekeeping.lost_and_found",
    emptied: "claimant_name = left(claimant_name, 0), claimant_phone = NULL",
    still_there: "claimant_name <> '' OR claimant_phone IS NOT NULL",
};

fn unexpected(error: &tokio_postgres::Error) -> Fault {
    let detail = error.as_db_error().map_or_else(|| error.to_string(), |answer| answer.message().to_owned());
    Fault::Unexpected { place: "maintenance".to_owned(), detail }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_months_are_made_ahead_on_every_day_of_every_month() {
        let mut day = Date::constant(2027, 1, 1);
        while day.year() < 2029 {
            let now = Timestamp::from_jiff(day.to_zoned(TimeZone::UTC).unwrap().timestamp());
            let first = last_month(now).first_of_month();
            assert_eq!(first.checked_add(jiff::Span::new().months(MONTHS - 4)).unwrap(), day.first_of_month(), "{day}");
            day = day.tomorrow().unwrap();
        }
    }
}
