//! How the rooms of a house stood when a day began, and every step they took in it.

use contracts::housekeeping::RoomStatus;
use contracts::ids::{PropertyId, RoomId};
use contracts::time::Timestamp;
use platform::database::Row;
use platform::database::{Columns, Read};
use platform::{UnitOfWork, columns, statements};

use crate::HousekeepingError;

statements! {
    START = "sql/readiness_start.sql" (text, timestamptz) -> columns![room_id: text, status: text];
    FLIPS = "sql/readiness_flips.sql" (text, timestamptz, timestamptz)
        -> columns![room_id: text, status: text, flipped_at: timestamptz];
}

/// A day of a house's rooms.
#[derive(Debug)]
pub struct DayOfRooms {
    pub at_start: Vec<(RoomId, RoomStatus)>,
    /// In their order.
    pub steps: Vec<(Timestamp, RoomId, RoomStatus)>,
}

pub async fn day(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    from: Timestamp,
    to: Timestamp,
) -> Result<DayOfRooms, HousekeepingError> {
    let [start, flips] = uow
        .read_together([
            Read { sql: &START, params: &[property, &from] },
            Read { sql: &FLIPS, params: &[property, &from, &to] },
        ])
        .await?;
    let room = |row: &Row| Ok((row.read("room_id")?, row.read("status")?));
    let step = |row: &Row| Ok((row.read("flipped_at")?, row.read("room_id")?, row.read("status")?));
    Ok(DayOfRooms {
        at_start: start.iter().map(room).collect::<Result<_, HousekeepingError>>()?,
        steps: flips.iter().map(step).collect::<Result<_, HousekeepingError>>()?,
    })
}
