//! Who is in which room, as the reservation context tells.

use contracts::ids::{PropertyId, ReservationId, RoomId};
use contracts::reservation::StayRoom;
use contracts::time::Timestamp;
use platform::{UnitOfWork, columns, params, statements};

statements! {
    PRESENT = "sql/occupancy_present.sql" (text, text) -> columns![occupied: bool];
    DEPART = "sql/occupancy_depart.sql" (text, text, timestamptz, _text, _text) -> &[];
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
