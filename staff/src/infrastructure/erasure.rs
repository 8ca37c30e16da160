//! What is taken away besides a person's own row, and what is handed out to them.

use contracts::ids::{ClockEntryId, StaffId};
use contracts::time::Timestamp;
use platform::database::{Columns, Json, RowChange};
use platform::personal::ONE_MORE;
use platform::{UnitOfWork, columns, params, statements};
use serde_json::Value;

use crate::StaffError;

statements! {
    PUNCHES = "sql/erase_punches.sql" (text) -> &[];
    REVISIONS = "sql/erase_revisions.sql" (text) -> &[];
    LEAVE = "sql/erase_leave.sql" (text) -> &[];
    CERTIFICATIONS = "sql/erase_certifications.sql" (text) -> &[];
    HANDOFFS = "sql/erase_handoffs.sql" (text) -> &[];
    SWAPS = "sql/erase_swaps.sql" (text) -> &[];
    SUGGESTIONS = "sql/erase_suggestions.sql" (text) -> &[];
    AUDIT = "sql/erase_audit.sql" (text) -> &[];
    REVISED = "sql/export_revisions.sql" (text) -> columns![
        entry_id: text, version: int4, occurred_at: timestamptz, reason: text, revised_by: jsonb, revised_at: timestamptz
    ];
    HISTORY = "sql/export_history.sql" (text, int8)
        -> columns![subject: text, payload: jsonb, occurred_at: timestamptz, actor: jsonb];
    RECORDS = "sql/export_records.sql" (text, int8) -> columns![what: text, kept: jsonb];
    SOURCES = "sql/export_sources.sql" (text) -> columns![source: text, taken_at: timestamptz];
}

/// The most that is handed out of a person's history.
const MOST: i64 = 10_000;

/// The rows that take away what somebody wrote, and what others wrote about them.
pub(super) fn of(staff: &StaffId) -> Vec<RowChange> {
    let planning = [&LEAVE, &CERTIFICATIONS, &HANDOFFS, &SWAPS, &SUGGESTIONS];
    let all = [&PUNCHES, &REVISIONS].into_iter().chain(planning).chain([&AUDIT]);
    all.map(|sql| RowChange::new(sql, params![staff.clone()])).collect()
}

/// What a punch was before it was corrected.
#[derive(Clone, Debug)]
pub struct Revised {
    pub entry: ClockEntryId,
    pub version: i32,
    pub at: Timestamp,
    pub reason: String,
    pub by: Value,
    pub revised_at: Timestamp,
}

/// Something that happened to a person, as the audit has it.
#[derive(Clone, Debug)]
pub struct Happened {
    pub subject: String,
    pub payload: Value,
    pub at: Timestamp,
    pub actor: Value,
}

pub async fn revisions(uow: &mut UnitOfWork, staff: &StaffId) -> Result<Vec<Revised>, StaffError> {
    let rows = uow.read(&REVISED, &[staff]).await?;
    let revised = rows.iter().map(|row| {
        let Json(by) = row.read("revised_by")?;
        Ok(Revised {
            entry: row.read("entry_id")?,
            version: row.read("version")?,
            at: row.read("occurred_at")?,
            reason: row.read("reason")?,
            by,
            revised_at: row.read("revised_at")?,
        })
    });
    revised.collect()
}

pub async fn history(uow: &mut UnitOfWork, staff: &StaffId) -> Result<Vec<Happened>, StaffError> {
    let rows = uow.read(&HISTORY, &[staff, &MOST]).await?;
    let happened = rows.iter().map(|row| {
        let (Json(payload), Json(actor)) = (row.read("payload")?, row.read("actor")?);
        Ok(Happened { subject: row.read("subject")?, payload, at: row.read("occurred_at")?, actor })
    });
    happened.collect()
}

/// Where a person is in what is not their own.
pub async fn records(uow: &mut UnitOfWork, staff: &StaffId) -> Result<Vec<(String, Value)>, StaffError> {
    let rows = uow.read(&RECORDS, &[staff, &ONE_MORE]).await?;
    let kept = rows.iter().map(|row| {
        let Json(kept) = row.read("kept")?;
        Ok((row.read("what")?, kept))
    });
    kept.collect()
}

/// Where the person's PIN was taken, and when last.
pub async fn sources(uow: &mut UnitOfWork, staff: &StaffId) -> Result<Vec<(String, Timestamp)>, StaffError> {
    let rows = uow.read(&SOURCES, &[staff]).await?;
    rows.iter().map(|row| Ok((row.read("source")?, row.read("taken_at")?))).collect()
}
