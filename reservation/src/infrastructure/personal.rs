//! Where members of the staff are named.

use contracts::ids::{PropertyId, StaffId};
use platform::database::{Columns, Json, Row};
use platform::personal::ONE_MORE;
use platform::{UnitOfWork, columns, statements};
use serde_json::Value;

use crate::ReservationError;

statements! {
    OF_STAFF = "sql/personal_of_staff.sql" (text, _text, int8) -> columns![what: text, kept: jsonb];
}

pub async fn of_staff(
    uow: &mut UnitOfWork,
    staff: &StaffId,
    houses: Option<&[PropertyId]>,
) -> Result<Vec<(String, Value)>, ReservationError> {
    let rows = uow.read(&OF_STAFF, &[staff, &houses, &ONE_MORE]).await?;
    let kept = |row: &Row| {
        let Json(kept) = row.read("kept")?;
        Ok((row.read("what")?, kept))
    };
    rows.iter().map(kept).collect()
}
