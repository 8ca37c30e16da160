//! Days that were closed: rows and back.

use contracts::actor::Actor;
use contracts::ids::{PropertyId, ReservationId};
use contracts::time::Timestamp;
use jiff::civil::Date;
use platform::database::{Change, Columns, Json, RowChange, Scribe, Stored, Told};
use platform::{UnitOfWork, columns, params, statements};
use serde_json::json;

use super::reservations;
use crate::ReservationError;
use crate::domain::closing::{DayClose, DayClosed, Figures};
use crate::domain::reservation::Reservation;

statements! {
    FIND = "sql/day_find.sql" (text, date) -> columns![figures: jsonb, closed_at: timestamptz, closed_by: jsonb];
    LOCK = "sql/day_lock.sql" (text, text) -> &[];
    INSERT = "sql/day_insert.sql" (text, date, jsonb, timestamptz, jsonb) -> &[];
    STAYS = "sql/day_stays.sql" (text, timestamptz, timestamptz, date) -> columns![id: text];
}

pub async fn find(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    day: Date,
) -> Result<Option<DayClose>, ReservationError> {
    let Some(row) = uow.read_one(&FIND, &[property, &day]).await? else { return Ok(None) };
    let Json(figures): Json<Figures> = row.read("figures")?;
    let closed_by: Actor = row.read("closed_by")?;
    let closed_at: Timestamp = row.read("closed_at")?;
    Ok(Some(DayClose { property_id: property.clone(), day, figures, closed_at, closed_by, version: 1 }))
}

/// For whoever is about to close it: until this unit of work ends nobody else can.
pub async fn lock(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    day: Date,
) -> Result<Option<DayClose>, ReservationError> {
    uow.read(&LOCK, &[property, &day.to_string()]).await?;
    find(uow, property, day).await
}

/// Everybody who had to do with a day that begins and ends at these moments.
pub async fn stays(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    day: Date,
    (begins, ends): (Timestamp, Timestamp),
) -> Result<Vec<Reservation>, ReservationError> {
    let rows = uow.read(&STAYS, &[property, &begins, &ends, &day]).await?;
    let ids = rows.iter().map(|row| row.read("id")).collect::<Result<Vec<ReservationId>, _>>()?;
    reservations::find_all(uow, &ids).await
}

impl Stored for DayClose {
    const KIND: &'static str = "day_close";

    fn aggregate_id(&self) -> String {
        format!("{} {}", self.property_id, self.day)
    }

    fn property_id(&self) -> Option<&PropertyId> {
        Some(&self.property_id)
    }

    fn rows(&self, _: &Change<'_, DayClosed>, _: &Scribe<'_>) -> Vec<RowChange> {
        let params = params![
            self.property_id.clone(),
            self.day,
            Json(self.figures.clone()),
            self.closed_at,
            self.closed_by.clone(),
        ];
        vec![RowChange::new(&INSERT, params)]
    }

    fn tell(&self, _: &DayClosed, _: i32, _: &Scribe<'_>) -> Told {
        let detail = json!({ "propertyId": self.property_id, "date": self.day, "figures": self.figures });
        Told::nobody("reservation.day.closed", &detail)
    }
}
