//! Nights that become free: whoever has no room gets them first.

use contracts::ids::{PropertyId, ReservationId};
use platform::UnitOfWork;

use crate::ReservationError;
use crate::domain::rooms::RoomType;
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
