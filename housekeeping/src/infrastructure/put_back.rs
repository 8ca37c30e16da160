//! When a person put a reservation back where it was, and what a departure had done that was none.

use contracts::housekeeping::RoomStatus;
use contracts::ids::{PropertyId, ReservationId, RoomId, TaskId};
use contracts::time::Timestamp;
use platform::database::{Columns, Row};
use platform::{UnitOfWork, columns, params, statements};

use crate::HousekeepingError;
use crate::domain::room::Room;

statements! {
    PUT_BACK = "sql/stay_put_back.sql" (text, text, timestamptz, timestamptz, timestamptz, timestamptz) -> &[];
    CALLED_OFF_WITH = "sql/task_called_off_with.sql" (text, _text) -> columns![room_id: text];
    BEFORE_TASK = "sql/room_before_task.sql" (text, text, text) -> columns![previous_status: text];
}

/// When a person last put a reservation back where it was. What was told of it before is over with.
#[derive(Clone, Copy, Debug, Default)]
pub struct PutBack {
    /// They had left, and stay after all.
    pub came_back_at: Option<Timestamp>,
    /// They had come, and are not in after all.
    pub undone_at: Option<Timestamp>,
    /// They were not to come, and come after all.
    pub brought_back_at: Option<Timestamp>,
}

impl PutBack {
    pub(super) fn of(row: &Row) -> Result<Self, HousekeepingError> {
        Ok(Self {
            came_back_at: row.read("came_back_at")?,
            undone_at: row.read("undone_at")?,
            brought_back_at: row.read("brought_back_at")?,
        })
    }

    /// Whether a departure was taken back since.
    pub fn undoes_departure(&self, at: Timestamp) -> bool {
        self.came_back_at.max(self.undone_at).is_some_and(|back| at < back)
    }

    /// Whether what is remembered of a departure still counts.
    pub fn leaves_standing(&self, at: Timestamp) -> bool {
        self.came_back_at.max(self.undone_at).is_none_or(|back| at > back)
    }

    /// Whether an arrival was taken back since.
    pub fn undoes_arrival(&self, at: Timestamp) -> bool {
        self.undone_at.max(self.brought_back_at).is_some_and(|back| at < back)
    }

    /// Whether it was said since that they come after all.
    pub fn undoes_end(&self, at: Timestamp) -> bool {
        self.brought_back_at.is_some_and(|back| at < back)
    }

    /// Whether they are expected again since they came, or were not to come.
    pub fn expects_again(&self, over_at: Timestamp) -> bool {
        self.undone_at.max(self.brought_back_at).is_some_and(|back| over_at <= back)
    }
}

/// Remembers that it was put back; `since`: turnovers from before are of another departure.
pub fn remember(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    reservation: &ReservationId,
    put: PutBack,
    since: Option<Timestamp>,
) {
    let PutBack { came_back_at, undone_at, brought_back_at } = put;
    let (reservation, property) = (reservation.clone(), property.clone());
    uow.project(&PUT_BACK, params![reservation, property, came_back_at, undone_at, brought_back_at, since]);
}

/// Rooms in which a clean for the guest was called off when these turnovers were opened.
pub async fn called_off_with(
    uow: &mut UnitOfWork,
    reservation: &ReservationId,
    turnovers: &[TaskId],
) -> Result<Vec<RoomId>, HousekeepingError> {
    let rows = uow.read(&CALLED_OFF_WITH, &[reservation, &turnovers]).await?;
    rows.iter().map(|row| Ok(row.read("room_id")?)).collect()
}

/// What a room was before the departure of a turnover made it dirty; `None` where it did not.
pub async fn before_departure(
    uow: &mut UnitOfWork,
    room: &Room,
    turnover: &TaskId,
) -> Result<Option<RoomStatus>, HousekeepingError> {
    let row = uow.read_one(&BEFORE_TASK, &[&room.property_id, &room.room_id, turnover]).await?;
    Ok(row.map(|row| row.read("previous_status")).transpose()?)
}
