//! Guests come: who is in which room is an axis of its own beside how clean the room is.

use contracts::ids::RoomId;
use contracts::reservation::CheckedInV1;
use platform::UnitOfWork;

use crate::HousekeepingError;
use crate::infrastructure::{arrivals, occupancy, rooms};

/// A guest checked in. A check-in that arrives after its check-out changes nothing.
pub async fn welcome_guests(uow: &mut UnitOfWork, arrival: &CheckedInV1) -> Result<(), HousekeepingError> {
    let room_ids: Vec<RoomId> = arrival.assigned_rooms.iter().map(|room| room.room_id.clone()).collect();
    if room_ids.is_empty() {
        return Ok(());
    }
    rooms::open(uow, &arrival.property_id, &room_ids).await?;
    let at = arrival.checked_in_at;
    uow.touch_board(&arrival.property_id);
    occupancy::arrive(uow, &arrival.property_id, &arrival.reservation_id, &arrival.assigned_rooms, at);
    arrivals::come(uow, &arrival.property_id, &arrival.reservation_id, &arrival.assigned_rooms, at);
    Ok(())
}
