//! Who is in which room, as the reservation context tells.

use contracts::ids::{PropertyId, ReservationId, RoomId};
use contracts::reservation::StayRoom;
use contracts::time::Timestamp;
use platform::database::Columns;
use platform::{UnitOfWork, columns, params, statements};

use crate::HousekeepingError;

statements! {
    PRESENT = "sql/occupancy_present.sql" (text, text) -> columns![occupied: bool];
    DEPART = "sql/occupancy_depart.sql" (text, text, timestamptz, _text, _text) -> &[];
    ROOMS_OF = "sql/occupancy_rooms_of.sql" (text, text) -> columns![room_id: text, item_id: text];
}

pub fn depart(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    reservation: &ReservationId,
    rooms: &[StayRoom],
    at: Timestamp,
) {
    write(uow, &DEPART, property, reservation, rooms, at);
}

/// The rooms that a reservation was seen in.
pub async fn rooms_of(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    reservation: &ReservationId,
) -> Result<Vec<StayRoom>, HousekeepingError> {
    let room_of = |row: &tokio_postgres::Row| {
        let item_id: Option<String> = row.read("item_id")?;
        Ok(StayRoom { item_id: item_id.unwrap_or_default(), room_id: row.read("room_id")? })
    };
    uow.read(&ROOMS_OF, &[reservation, property]).await?.iter().map(room_of).collect()
}

pub(super) fn write(
    uow: &mut UnitOfWork,
    sql: &'static platform::Sql,
    property: &PropertyId,
    reservation: &ReservationId,
    rooms: &[StayRoom],
    at: Timestamp,
) {
    // A room named twice in one message would be written twice by one statement, which PostgreSQL refuses.
    let mut once: Vec<&StayRoom> = rooms.iter().collect();
    once.sort_by(|a, b| a.room_id.cmp(&b.room_id));
    once.dedup_by(|a, b| a.room_id == b.room_id);
    let rooms: Vec<RoomId> = once.iter().map(|room| room.room_id.clone()).collect();
    let items: Vec<String> = once.iter().map(|room| room.item_id.clone()).collect();
    uow.project(sql, params![property.clone(), reservation.clone(), at, rooms, items]);
}
