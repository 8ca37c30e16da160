//! Guests who are expected, and in which room.

use std::collections::HashMap;

use contracts::ids::{PropertyId, ReservationId, RoomId};
use contracts::reservation::StayRoom;
use contracts::time::Timestamp;
use platform::database::Columns;
use platform::database::Row;
use platform::{UnitOfWork, columns, params, statements};

use super::occupancy;
use super::stays::ExpectedIn;
use crate::HousekeepingError;

statements! {
    EXPECT = "sql/arrival_expect.sql" (text, text, timestamptz, _text, _text) -> &[];
    COME = "sql/arrival_come.sql" (text, text, timestamptz, _text, _text) -> &[];
    CALL_OFF = "sql/arrival_call_off.sql" (text, timestamptz, _text) -> &[];
    PLAN = "sql/arrival_plan.sql" (text, text, text, text, timestamptz, bool) -> &[];
    LEAVE_OUT = "sql/arrival_leave_out.sql" (text, text, timestamptz) -> &[];
    RESCHEDULE = "sql/arrival_reschedule.sql" (text, timestamptz) -> &[];
    NEXT_IN = "sql/arrival_next_in.sql" (text, timestamptz, _text, text)
        -> columns![room_id: text, expected_at: timestamptz];
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

/// They will not come: none of them, or not for these items.
pub fn call_off(uow: &mut UnitOfWork, reservation: &ReservationId, at: Timestamp, items: Option<Vec<String>>) {
    uow.project(&CALL_OFF, params![reservation.clone(), at, items]);
}

/// A room is meant for guests who come.
pub fn plan(uow: &mut UnitOfWork, reservation: &ReservationId, room: &ExpectedIn) {
    let ExpectedIn { property_id, room_id, item_id, expected_at, at_desk, .. } = room.clone();
    uow.project(&PLAN, params![property_id, reservation.clone(), room_id, item_id, expected_at, at_desk]);
}

/// A room is no longer meant for them.
pub fn leave_out(uow: &mut UnitOfWork, reservation: &ReservationId, room: &RoomId, at: Timestamp) {
    uow.project(&LEAVE_OUT, params![reservation.clone(), room.clone(), at]);
}

/// They come at another time; who stands at the desk stands there.
pub fn reschedule(uow: &mut UnitOfWork, reservation: &ReservationId, at: Option<Timestamp>) {
    uow.project(&RESCHEDULE, params![reservation.clone(), at]);
}

/// When the next guest of each of these rooms is expected, other than those of one reservation.
pub async fn next_in(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    but: Option<&ReservationId>,
    rooms: &[RoomId],
) -> Result<HashMap<RoomId, Timestamp>, HousekeepingError> {
    let now = uow.now();
    expected_of(&uow.read(&NEXT_IN, &[property, &now, &rooms, &but]).await?)
}

/// When the next guest is expected, by room.
pub(super) fn expected_of(rows: &[Row]) -> Result<HashMap<RoomId, Timestamp>, HousekeepingError> {
    rows.iter().map(|row| Ok((row.read("room_id")?, row.read("expected_at")?))).collect()
}
