//! Everything a departure has to look at, locked and read in one round trip.

use std::collections::HashMap;

use contracts::ids::{PropertyId, ReservationId, RoomId};
use contracts::time::Timestamp;
use platform::UnitOfWork;
use platform::database::{Columns, Read};

use super::discrepancies::{self, OpenInRoom};
use super::put_back::PutBack;
use super::{arrivals, rooms, stays, tasks};
use crate::HousekeepingError;
use crate::domain::room::Room;
use crate::domain::task::Task;

/// The rooms of a departure, with the open work in them.
#[derive(Debug)]
pub struct Departure {
    pub rooms: Vec<Room>,
    pub open_tasks: Vec<Task>,
    pub put_back: PutBack,
    /// Rooms whose turnover for this departure was opened before.
    pub turned_over: Vec<RoomId>,
    /// Rooms that exist no more: nobody would see a task in them on a board, and nobody has to clean them.
    pub gone: Vec<RoomId>,
    /// Differences in the rooms that wait for an answer.
    pub differences: Vec<OpenInRoom>,
    /// When the next guest of each room is expected.
    pub expected: HashMap<RoomId, Timestamp>,
}

/// Waits for the reservation's turn, locks the rooms in the order of their ids, then reads what is open in them. Rooms never seen before come into being.
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
    let (now, but) = (uow.now(), Some(reservation));
    let [_, stay, locked, gone, open, turned_over, expected, differences] = uow
        .read_together([
            Read { sql: &stays::TURN, params: &[reservation] },
            Read { sql: &stays::FIND, params: &[reservation] },
            Read { sql: &rooms::LOCK, params: &[property, &room_ids] },
            Read { sql: &rooms::GONE, params: &[property, &room_ids] },
            Read { sql: &tasks::OPEN_IN_ROOMS, params: &[property, &room_ids] },
            Read { sql: &tasks::TURNOVERS_OF, params: &[reservation] },
            Read { sql: &arrivals::NEXT_IN, params: &[property, &now, &room_ids, &but] },
            Read { sql: &discrepancies::OPEN_IN, params: &[property, &room_ids, reservation] },
        ])
        .await?;
    Ok(Departure {
        put_back: stay.first().map(PutBack::of).transpose()?.unwrap_or_default(),
        rooms: locked.iter().map(rooms::room_of).collect::<Result<_, _>>()?,
        open_tasks: open.iter().map(tasks::task_of).collect::<Result<_, _>>()?,
        turned_over: turned_over.iter().map(|row| row.read("room_id")).collect::<Result<_, _>>()?,
        gone: gone.iter().map(|row| row.read("room_id")).collect::<Result<_, _>>()?,
        differences: differences.iter().map(discrepancies::open_in_room_of).collect::<Result<_, _>>()?,
        expected: arrivals::expected_of(&expected)?,
    })
}
