//! The desk closes a room: whoever has it goes elsewhere, as far as may be. And opens it again.

use contracts::ids::{BlockId, RoomId};
use contracts::time::Timestamp;
use platform::auth::Caller;
use platform::http::IfMatch;
use platform::{Refusal, UnitOfWork};

use super::booking::House;
use super::out_of_order::{self, Vacated};
use crate::ReservationError;
use crate::domain::blocks::RoomBlock;
use crate::infrastructure::{blocks, inventory, rooms};

/// A room that was closed, and what became of those who had it.
#[derive(Debug)]
pub struct Closed {
    pub block: RoomBlock,
    pub vacated: Vacated,
}

pub async fn close(
    uow: &mut UnitOfWork,
    caller: &Caller,
    room: &RoomId,
    (from, until): (Option<Timestamp>, Option<Timestamp>),
    reason: Option<String>,
) -> Result<Closed, ReservationError> {
    let known = rooms::find(uow, std::slice::from_ref(room)).await?.into_iter().next();
    let known = known.filter(|one| caller.properties.include(&one.property_id)).ok_or(Refusal::NotFound("room"))?;
    let house = House::of(uow, &known.property_id).await?;
    let nights = house.time.blocked_nights(from.unwrap_or_else(|| uow.now()), until);
    if nights.1.is_some_and(|to| to <= nights.0) {
        return Err(Refusal::invalid("until", "after `from`, by a night at least").into());
    }
    let affected = out_of_order::lock(uow, room, nights, None).await?.ok_or(Refusal::NotFound("room"))?;
    let block = RoomBlock {
        id: uow.next_id(),
        room_id: room.clone(),
        property_id: known.property_id,
        room_type_id: known.room_type_id,
        from: nights.0,
        to: nights.1,
        reason,
        version: 0,
    };
    let vacated = out_of_order::vacate(uow, &affected, nights, &house).await?;
    Ok(Closed { block: uow.save(block.close()), vacated })
}

/// A room that is closed, for whoever may look at it.
pub async fn look_up(
    uow: &mut UnitOfWork,
    caller: &Caller,
    room: &RoomId,
    id: &BlockId,
) -> Result<RoomBlock, ReservationError> {
    let found = blocks::find(uow, room, id).await?.filter(|one| caller.properties.include(&one.property_id));
    Ok(found.ok_or(Refusal::NotFound("block"))?)
}

/// The room is in order again: whoever has none of its type gets one.
pub async fn open(
    uow: &mut UnitOfWork,
    caller: &Caller,
    if_match: Option<&IfMatch>,
    room: &RoomId,
    id: &BlockId,
) -> Result<(), ReservationError> {
    let block = look_up(uow, caller, room, id).await?;
    IfMatch::check(if_match, block.version)?;
    if let Some(room_type) = &block.room_type_id {
        let types = rooms::lock_types(uow, std::slice::from_ref(room_type)).await?;
        for shelf in inventory::whole_shelves(uow, &block.property_id, &types).await?.values_mut() {
            let stock = &mut shelf.stock;
            let is_it =
                |one: &crate::domain::placing::Block| (&one.room, one.from, one.to) == (room, block.from, block.to);
            if let Some(at) = stock.blocks.iter().position(is_it) {
                stock.blocks.remove(at);
            }
            let before = stock.taken.clone();
            stock.seat_waiting();
            inventory::move_all(uow, stock.moves(&before));
        }
    }
    uow.save(block.open());
    Ok(())
}
