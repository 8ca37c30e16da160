//! Everything a departure has to look at, locked and read in one round trip.

use contracts::ids::{PropertyId, ReservationId, RoomId};
use platform::UnitOfWork;
use platform::database::{Columns, Read};

use super::{rooms, tasks};
use crate::HousekeepingError;
use crate::domain::room::Room;
use crate::domain::task::Task;

/// The rooms of a departure, with the open work in them.
#[derive(Debug)]
pub struct Departure {
    pub rooms: Vec<Room>,
    pub open_tasks: Vec<Task>,
    /// Rooms whose turnover for this reservation was opened before.
    pub turned_over: Vec<RoomId>,
}

/// Locks the rooms in the order of their ids, then reads what is open in them. Rooms never seen before come into being.
pub async fn lock(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    reservation: &ReservationId,
    room_ids: &[RoomId],
) -> Result<Departure, HousekeepingError> {
    let found = read(uow, property, reservation, room_ids).await?;
    if found.rooms.len() == room_ids.len() {
        return Ok(found);
    }
    rooms::open(uow, property, room_ids).await?;
    read(uow, property, reservation, room_ids).await
}

async fn read(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    reservation: &ReservationId,
    room_ids: &[RoomId],
) -> Result<Departure, HousekeepingError> {
    let [locked, open, turned_over] = uow
        .read_together([
            Read { sql: &rooms::LOCK, params: &[property, &room_ids] },
            Read { sql: &tasks::OPEN_IN_ROOMS, params: &[property, &room_ids] },
            Read { sql: &tasks::TURNOVERS_OF, params: &[reservation] },
        ])
        .await?;
    Ok(Departure {
        rooms: locked.iter().map(rooms::room_of).collect::<Result<_, _>>()?,
        open_tasks: open.iter().map(tasks::task_of).collect::<Result<_, _>>()?,
        turned_over: turned_over.iter().map(|row| row.read("room_id")).collect::<Result<_, _>>()?,
    })
}
