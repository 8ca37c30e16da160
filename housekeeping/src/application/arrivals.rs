//! Guests are expected: the room that is meant for them is due.

use contracts::reservation::{CheckInStartedV1, NoShowV1};
use platform::UnitOfWork;

use crate::infrastructure::arrivals;

/// A guest stands at the desk, and a room is meant for them.
pub fn expect_guests(uow: &mut UnitOfWork, arrival: &CheckInStartedV1) {
    if !arrival.assigned_rooms.is_empty() {
        let at = arrival.started_at;
        uow.touch_board(&arrival.property_id);
        arrivals::expect(uow, &arrival.property_id, &arrival.reservation_id, &arrival.assigned_rooms, at);
    }
}

/// They will not come.
pub fn call_off(uow: &mut UnitOfWork, absence: &NoShowV1) {
    uow.touch_board(&absence.property_id);
    arrivals::call_off(uow, &absence.reservation_id, absence.occurred_at);
}
