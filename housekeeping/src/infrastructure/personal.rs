//! What is kept of guests and of the staff, and that it is forgotten.

use contracts::ids::{PropertyId, ReservationId, StaffId};
use platform::database::Row;
use platform::database::{Columns, Json};
use platform::personal::ONE_MORE;
use platform::{UnitOfWork, columns, params, statements};
use serde_json::Value;

use crate::HousekeepingError;

const KEPT: &[(&str, &str)] = columns![what: text, kept: jsonb];

statements! {
    OF_GUEST = "sql/personal_of_guest.sql" (_text, _text, int8) -> KEPT;
    OF_STAFF = "sql/personal_of_staff.sql" (text, _text, int8) -> KEPT;
    CLAIMANT = "sql/forget_claimant.sql" (_text) -> &[];
    CLAIMANT_AUDIT = "sql/forget_claimant_audit.sql" (_text) -> &[];
}

/// The most that is handed out of a guest at once.
const MOST: i64 = 20_000;

pub async fn of_guest(
    uow: &mut UnitOfWork,
    reservations: &[ReservationId],
    houses: Option<&[PropertyId]>,
) -> Result<Vec<(String, Value)>, HousekeepingError> {
    uow.read(&OF_GUEST, &[&reservations, &houses, &MOST]).await?.iter().map(kept_of).collect()
}

pub async fn of_staff(
    uow: &mut UnitOfWork,
    staff: &StaffId,
    houses: Option<&[PropertyId]>,
) -> Result<Vec<(String, Value)>, HousekeepingError> {
    uow.read(&OF_STAFF, &[staff, &houses, &ONE_MORE]).await?.iter().map(kept_of).collect()
}

fn kept_of(row: &Row) -> Result<(String, Value), HousekeepingError> {
    let Json(kept) = row.read("kept")?;
    Ok((row.read("what")?, kept))
}

/// Who claimed things that were left behind by these is forgotten, in the audit as well.
pub fn forget_claimants(uow: &mut UnitOfWork, reservations: &[ReservationId]) {
    uow.project(&CLAIMANT_AUDIT, params![reservations.to_vec()]);
    uow.project(&CLAIMANT, params![reservations.to_vec()]);
}
