//! Who is in which room, as the reservation context tells.

use contracts::ids::{PropertyId, ReservationId, RoomId};
use contracts::reservation::StayRoom;
use contracts::time::Timestamp;
use platform::{UnitOfWork, columns, params, statements};

use crate::HousekeepingError;

statements! {
    ARRIVE = "sql/occupancy_arrive.sql" (text, text, text, timestamptz, _text, _text) -> &[];
    DEPART = "sql/occupancy_depart.sql" (text, text, text, timestamptz, _text, _text) -> &[];
    ROOMS_OF = "sql/occupancy_rooms_of.sql" (text, text, text) -> columns![room_id: text, item_id: text];
}

pub fn arrive(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    reservation: &ReservationId,
    rooms: &[StayRoom],
    at: Timestamp,
) {
    write(uow, &ARRIVE, property, reservation, rooms, at);
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
    let tenant = uow.context().tenant.clone();
    let rows = uow.read(&ROOMS_OF, &[&tenant.as_str(), &reservation.as_str(), &property.as_str()]).await?;
    let room_of = |row: &tokio_postgres::Row| {
        let room_id = RoomId::parse(row.get("room_id")).ok()?;
        Some(StayRoom { item_id: row.get::<_, Option<String>>("item_id").unwrap_or_default(), room_id })
    };
    Ok(rows.iter().filter_map(room_of).collect())
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
    let params = params![
        uow.context().tenant.as_str().to_owned(),
        property.as_str().to_owned(),
        reservation.as_str().to_owned(),
        at.jiff(),
        once.iter().map(|room| room.room_id.as_str().to_owned()).collect::<Vec<_>>(),
        once.iter().map(|room| room.item_id.clone()).collect::<Vec<_>>(),
    ];
    uow.project(sql, params);
}
