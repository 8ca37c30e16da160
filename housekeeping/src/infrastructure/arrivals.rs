//! Guests who are expected, and in which room.

use std::collections::HashMap;

use contracts::ids::{PropertyId, ReservationId, RoomId};
use contracts::reservation::StayRoom;
use contracts::time::Timestamp;
use platform::database::Columns;
use platform::{UnitOfWork, columns, params, statements};
use tokio_postgres::Row;

use super::occupancy;
use crate::HousekeepingError;

statements! {
    EXPECT = "sql/arrival_expect.sql" (text, text, timestamptz, _text, _text) -> &[];
    COME = "sql/arrival_come.sql" (text, text, timestamptz, _text, _text) -> &[];
    CALL_OFF = "sql/arrival_call_off.sql" (text, timestamptz) -> &[];
    NEXT = "sql/arrival_next.sql" (text, timestamptz) -> columns![room_id: text, expected_at: timestamptz];
}

pub fn expect(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    reservation: &ReservationId,
    rooms: &[StayRoom],
    at: Timestamp,
) {
    occupancy::write(uow, &EXPECT, property, reservation, rooms, at);
}

/// They are in: nobody of this reservation is expected any more.
pub fn come(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    reservation: &ReservationId,
    rooms: &[StayRoom],
    at: Timestamp,
) {
    occupancy::write(uow, &COME, property, reservation, rooms, at);
}

pub fn call_off(uow: &mut UnitOfWork, reservation: &ReservationId, at: Timestamp) {
    uow.project(&CALL_OFF, params![reservation.clone(), at]);
}

/// When the next guest is expected, by room.
pub(super) fn expected_of(rows: &[Row]) -> Result<HashMap<RoomId, Timestamp>, HousekeepingError> {
    rows.iter().map(|row| Ok((row.read("room_id")?, row.read("expected_at")?))).collect()
}
