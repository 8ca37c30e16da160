//! Nights that become free: whoever has no room gets them first.

use contracts::ids::{PropertyId, ReservationId};
use contracts::time::Timestamp;
use platform::UnitOfWork;

use crate::ReservationError;
use crate::domain::placing::Door;
use crate::domain::rooms::{Room, RoomType};
use crate::infrastructure::{inventory, rooms};

/// The types that these reservations have rooms of, locked; with whether anybody in the house waits for a room of them.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    types: Vec<RoomType>,
}

/// Before anything of these reservations is given back. Locked all at once and by id: whoever books holds the same locks.
pub(super) async fn lock(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    of: &[ReservationId],
) -> Result<Waiting, ReservationError> {
    Ok(Waiting { types: rooms::lock_types_of(uow, property, of).await? })
}

/// Gives the nights of allocations that are gone to those who have no room.
pub(super) async fn seat_waiting(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    waiting: &Waiting,
    gone: &[String],
) -> Result<(), ReservationError> {
    if waiting.types.is_empty() || gone.is_empty() {
        return Ok(());
    }
    let mut shelves = inventory::whole_shelves(uow, property, &waiting.types).await?;
    let mut moved = Vec::new();
    for shelf in shelves.values_mut() {
        // What is given back is not written yet.
        shelf.stock.taken.retain(|taken| !gone.contains(&taken.allocation));
        let before = shelf.stock.taken.clone();
        shelf.stock.seat_waiting();
        moved.extend(shelf.stock.moves(&before));
    }
    inventory::move_all(uow, moved);
    Ok(())
}

/// A room is there to be slept in that was not: whoever waits for one of its type gets it at once. `was` is the room as it is still
/// written; that it is new, of another type or no longer archived is queued. The type is locked.
pub(super) async fn seat_in_new(uow: &mut UnitOfWork, room: &Room, was: Option<&Room>) -> Result<(), ReservationError> {
    let Some(room_type) = room.room_type_id.as_ref().filter(|_| !room.archived) else { return Ok(()) };
    let of_the_type = was.filter(|was| was.room_type_id.as_ref() == Some(room_type));
    let is_sold_already = of_the_type.is_some_and(|was| !was.archived);
    if is_sold_already || !rooms::is_waited_for(uow, &room.property_id, room_type).await? {
        return Ok(());
    }
    let types = rooms::lock_types(uow, std::slice::from_ref(room_type)).await?;
    let mut shelves = inventory::whole_shelves(uow, &room.property_id, &types).await?;
    let Some(shelf) = shelves.get_mut(room_type) else { return Ok(()) };
    let number = room.number.clone().unwrap_or_else(|| room.id.as_str().to_owned());
    shelf.stock.doors.push(Door { number, id: room.id.clone() });
    if of_the_type.is_none() {
        // They were not found with the type.
        let (blocks, lying) = inventory::of_room(uow, &room.id).await?;
        shelf.stock.blocks.extend(blocks);
        shelf.stock.taken.extend(lying);
    }
    let before = shelf.stock.taken.clone();
    shelf.stock.seat_waiting();
    inventory::move_all(uow, shelf.stock.moves(&before));
    Ok(())
}

/// A room that events had blocked until a moment is in order again: whoever has none of its type gets one, and what is told later
/// stays. The room is locked by whoever calls, and its type before it.
pub(super) async fn seat_in(uow: &mut UnitOfWork, room: &Room, told_until: Timestamp) -> Result<(), ReservationError> {
    let Some(room_type) = &room.room_type_id else { return Ok(()) };
    let types = rooms::lock_types(uow, std::slice::from_ref(room_type)).await?;
    let mut shelves = inventory::whole_shelves(uow, &room.property_id, &types).await?;
    let left = inventory::blocks_left(uow, &room.id, told_until).await?;
    for shelf in shelves.values_mut() {
        shelf.stock.blocks.retain(|block| block.room != room.id);
        shelf.stock.blocks.extend(left.clone());
        let before = shelf.stock.taken.clone();
        shelf.stock.seat_waiting();
        inventory::move_all(uow, shelf.stock.moves(&before));
    }
    Ok(())
}
