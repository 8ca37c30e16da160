//! Guests who are expected, and in which room.

use contracts::ids::{PropertyId, ReservationId};
use contracts::reservation::StayRoom;
use contracts::time::Timestamp;
use platform::{UnitOfWork, columns, params, statements};

use super::occupancy;

statements! {
    EXPECT = "sql/arrival_expect.sql" (text, text, text, timestamptz, _text, _text) -> &[];
    COME = "sql/arrival_come.sql" (text, text, text, timestamptz, _text, _text) -> &[];
    CALL_OFF = "sql/arrival_call_off.sql" (text, text, timestamptz) -> &[];
    NEXT = "sql/arrival_next.sql" (text, text, timestamptz) -> columns![room_id: text, expected_at: timestamptz];
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
    let params = params![uow.context().tenant.as_str().to_owned(), reservation.as_str().to_owned(), at.jiff()];
    uow.project(&CALL_OFF, params);
}
