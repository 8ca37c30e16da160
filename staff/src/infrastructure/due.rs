//! Which tenants have something due, and what; and what was told lately.
//!
//! The first question goes over all tenants and is answered with their ids alone, by functions that only the operator's role may
//! ask. Everything after it is asked as one tenant.

use contracts::ids::{ClockEntryId, PropertyId, ShiftId, StaffId, TenantId};
use contracts::staff::{GapSuggestion, StaffingGapDetectedV1};
use contracts::time::Timestamp;
use contracts::values::LocalDate;
use platform::database::{Change, Columns, DbRole, Fault, RowChange, Scribe, Stored, Told};
use platform::{Db, UnitOfWork, columns, params, statements};

use crate::StaffError;
use crate::domain::gap::{Gap, Noticed};

statements! {
    SHIFTS = "sql/due_shifts.sql" (timestamptz, timestamptz, text, int8) -> columns![id: text, ends_at: timestamptz];
    PEOPLE = "sql/due_people.sql" (timestamptz) -> columns![staff_id: text];
    GAPS = "sql/due_gaps.sql" (timestamptz, timestamptz) -> columns![id: text];
    CLOSED = "sql/due_closed.sql" (int8) -> columns![id: text];
    HOUSE = "sql/due_house.sql" (text, timestamptz, int8) -> columns![id: text];
    ENDING = "sql/due_ending.sql" (date) -> columns![id: text];
    OLD_RECORDS = "sql/due_old_records.sql" (timestamptz, int4, int8) -> columns![id: text];
    TOLD = "sql/alert_told.sql" (text, text, int4, timestamptz) -> &[];
    LAST = "sql/alert_last.sql" (text, _text) -> columns![about: text, missing: int4, told_at: timestamptz];
    CLOSE = "sql/property_close.sql" (text, timestamptz) -> &[];
    IS_CLOSED = "sql/property_closed.sql" (text) -> columns![deactivated_at: timestamptz];
}

/// So many are worked on at once.
pub const BATCH: i64 = 200;
const GAP: &str = "staffing_gap";

/// What a tick asks for.
#[derive(Clone, Copy, Debug)]
pub enum Due {
    TimeToWatch,
    ClosedHouses,
    EndedEmployments,
    OldTimeRecords { usual_days: u32 },
    CertificatesRunOut,
    Patterns,
}

/// The tenants that have something of this due now: one question, however many tenants there are.
pub async fn tenants(db: &Db, due: Due) -> Result<Vec<TenantId>, Fault> {
    let fault = |error: tokio_postgres::Error| Fault::from_postgres("due", &error);
    let operator = db.connect_as(DbRole::Operator).await?;
    let now = db.clock().now();
    let rows = match due {
        Due::TimeToWatch => operator.query("SELECT staff.tenants_with_time_to_watch($1)", &[&now]).await,
        Due::ClosedHouses => operator.query("SELECT staff.tenants_with_closed_houses()", &[]).await,
        Due::EndedEmployments => operator.query("SELECT staff.tenants_with_ended_employments($1)", &[&now]).await,
        Due::CertificatesRunOut => operator.query("SELECT staff.tenants_with_certificates_run_out($1)", &[&now]).await,
        Due::Patterns => operator.query("SELECT staff.tenants_with_patterns()", &[]).await,
        Due::OldTimeRecords { usual_days } => {
            let days = i32::try_from(usual_days).unwrap_or(i32::MAX);
            operator.query("SELECT staff.tenants_with_old_time_records($1, $2)", &[&now, &days]).await
        }
    };
    let tenant = |row: &tokio_postgres::Row| row.try_get(0).map_err(fault);
    rows.map_err(fault)?.iter().map(tenant).collect()
}

/// Shifts whose time is over and that have not ended: so many, after one of them.
pub async fn shifts_past_their_end(
    uow: &mut UnitOfWork,
    after: Option<&(Timestamp, ShiftId)>,
) -> Result<Vec<(Timestamp, ShiftId)>, StaffError> {
    let (now, at, id) = (uow.now(), after.map(|(at, _)| *at), after.map(|(_, id)| id.clone()));
    let rows = uow.read(&SHIFTS, &[&now, &at, &id, &BATCH]).await?;
    rows.iter().map(|row| Ok((row.read("ends_at")?, row.read("id")?))).collect()
}

/// People who came and were not seen to go, however long ago.
pub async fn people_still_in(uow: &mut UnitOfWork) -> Result<Vec<StaffId>, StaffError> {
    let rows = uow.read(&PEOPLE, &[&uow.now()]).await?;
    rows.iter().map(|row| Ok(row.read("staff_id")?)).collect()
}

/// Shifts that begin before one moment and end after another.
pub async fn shifts_around(
    uow: &mut UnitOfWork,
    begins_before: Timestamp,
    ends_after: Timestamp,
) -> Result<Vec<ShiftId>, StaffError> {
    uow.read(&GAPS, &[&begins_before, &ends_after]).await?.iter().map(|row| Ok(row.read("id")?)).collect()
}

/// Shifts that are planned in closed houses.
pub async fn shifts_of_closed_houses(uow: &mut UnitOfWork) -> Result<Vec<ShiftId>, StaffError> {
    uow.read(&CLOSED, &[&BATCH]).await?.iter().map(|row| Ok(row.read("id")?)).collect()
}

/// The first shifts that are planned in a house from a moment on.
pub async fn shifts_to_call_off(
    uow: &mut UnitOfWork,
    house: &PropertyId,
    since: Timestamp,
) -> Result<Vec<ShiftId>, StaffError> {
    uow.read(&HOUSE, &[house, &since, &BATCH]).await?.iter().map(|row| Ok(row.read("id")?)).collect()
}

/// People whose last day was before this one.
pub async fn employments_ended(uow: &mut UnitOfWork, before: LocalDate) -> Result<Vec<StaffId>, StaffError> {
    uow.read(&ENDING, &[&before.0]).await?.iter().map(|row| Ok(row.read("id")?)).collect()
}

/// Removes punches that have been kept for as many days as their house says, else the tenant, else for the usual ones: so many of them;
/// how many they were.
pub async fn remove_records(uow: &mut UnitOfWork, usual_days: u32) -> Result<usize, StaffError> {
    let (now, days) = (uow.now(), i32::try_from(usual_days).unwrap_or(i32::MAX));
    let gone: Result<Vec<ClockEntryId>, _> =
        uow.read(&OLD_RECORDS, &[&now, &days, &BATCH]).await?.iter().map(|row| row.read("id")).collect();
    Ok(gone?.len())
}

/// When gaps of these shifts were told last, and how many were missing then.
pub async fn gaps_told(uow: &mut UnitOfWork, shifts: &[ShiftId]) -> Result<Vec<(String, i32, Timestamp)>, StaffError> {
    let about: Vec<String> = shifts.iter().map(ToString::to_string).collect();
    let rows = uow.read(&LAST, &[&GAP, &about]).await?;
    rows.iter().map(|row| Ok((row.read("about")?, row.read("missing")?, row.read("told_at")?))).collect()
}

/// The house is closed from a moment on; the earliest that was told holds.
pub fn close_house(uow: &mut UnitOfWork, house: &PropertyId, at: Timestamp) {
    uow.project(&CLOSE, params![house.clone(), at]);
}

/// Since when a house is closed, if it is.
pub async fn closed_since(uow: &mut UnitOfWork, house: &PropertyId) -> Result<Option<Timestamp>, StaffError> {
    let row = uow.read_one(&IS_CLOSED, &[house]).await?;
    Ok(row.map(|row| row.read("deactivated_at")).transpose()?)
}

impl Stored for Gap {
    const KIND: &'static str = "shift";

    fn aggregate_id(&self) -> String {
        self.shift_id.to_string()
    }

    fn property_id(&self) -> Option<&PropertyId> {
        Some(&self.property_id)
    }

    fn rows(&self, _: &Change<'_, Noticed>, scribe: &Scribe<'_>) -> Vec<RowChange> {
        let missing = i32::try_from(self.missing).unwrap_or(i32::MAX);
        vec![RowChange::new(&TOLD, params![GAP.to_owned(), self.shift_id.to_string(), missing, scribe.now])]
    }

    fn tell(&self, _: &Noticed, _: i32, scribe: &Scribe<'_>) -> Told {
        let suggestion = if self.standbys > 0 { GapSuggestion::PromoteStandby } else { GapSuggestion::CallRelief };
        Told::everybody(&StaffingGapDetectedV1 {
            shift_id: self.shift_id.clone(),
            tenant_id: scribe.tenant.clone(),
            property_id: self.property_id.clone(),
            position_id: self.position_id.clone(),
            window_starts_in_seconds: self.starts_in_seconds,
            headcount_required: self.required,
            headcount_clocked_in: self.clocked_in,
            headcount_standby_available: self.standbys,
            suggestion,
            detected_at: scribe.now,
        })
    }
}
