//! Rooms and room types: described by the desk's programs, by the property service, by an import.

use contracts::external::{PropertyDeactivatedV1, RoomArchivedV1, RoomCreatedV1, RoomTakenOutOfOrderV1};
use contracts::housekeeping::{RoomStatus, RoomStatusChangedV1};
use contracts::ids::{PropertyId, RoomId, RoomTypeId};
use contracts::reservation::AlertKind;
use contracts::time::Timestamp;
use jiff::civil::Date;
use platform::auth::Caller;
use platform::http::IfMatch;
use platform::{Refusal, UnitOfWork};

use super::booking::House;
use super::{alerts, freed, out_of_order, settings};
use crate::ReservationError;
use crate::domain::alerts::Matter;
use crate::domain::money::Money;
use crate::domain::rooms::{Room, RoomType, RoomWords, TypeWords};
use crate::infrastructure::inventory::{self, ToldBlock};
use crate::infrastructure::{houses, rooms};

/// A thing as it is now, and whether it is new.
#[derive(Debug)]
pub struct Described<T> {
    pub thing: T,
    pub is_new: bool,
}

/// A room type comes into being, or is described anew.
pub async fn describe_type(
    uow: &mut UnitOfWork,
    caller: &Caller,
    if_match: Option<&IfMatch>,
    (id, property): (&RoomTypeId, &PropertyId),
    words: TypeWords,
) -> Result<Described<RoomType>, ReservationError> {
    caller.within(property)?;
    let known = rooms::lock_types(uow, std::slice::from_ref(id)).await?.into_iter().next();
    let is_new = known.is_none();
    let decided = match known {
        None => RoomType::open(id.clone(), property.clone(), words),
        Some(room_type) => {
            stays_in(&room_type.property_id, property)?;
            IfMatch::check(if_match, room_type.version)?;
            room_type.describe(words)
        }
    };
    Ok(Described { thing: uow.save(decided), is_new })
}

/// A room comes into being, or is described anew. Its type has to be there.
pub async fn describe_room(
    uow: &mut UnitOfWork,
    caller: &Caller,
    if_match: Option<&IfMatch>,
    (id, property): (&RoomId, &PropertyId),
    words: RoomWords,
) -> Result<Described<Room>, ReservationError> {
    caller.within(property)?;
    if words.archived == Some(true) {
        clear_for_good(uow, id, words.room_type_id.as_ref()).await?;
    }
    let types = lock_types(uow, id, words.room_type_id.as_ref()).await?;
    if let Some(room_type) = &words.room_type_id
        && !types.iter().any(|found| found.id == *room_type && found.property_id == *property)
    {
        return Err(ReservationError::RoomTypeUnknown(room_type.clone()));
    }
    let known = rooms::lock(uow, id).await?;
    let (is_new, was) = (known.is_none(), known.clone());
    let decided = match known {
        None => Room::open(id.clone(), property.clone(), words),
        Some(room) => {
            stays_in(&room.property_id, property)?;
            IfMatch::check(if_match, room.version)?;
            room.describe(words)
        }
    };
    let room = uow.save(decided);
    freed::seat_in_new(uow, &room, was.as_ref()).await?;
    let thing = if is_new { rooms::with_what_was_heard(uow, room).await? } else { room };
    Ok(Described { thing, is_new })
}

/// Whether there is such a room.
pub async fn is_known(uow: &mut UnitOfWork, id: &RoomId) -> Result<bool, ReservationError> {
    Ok(!rooms::find(uow, std::slice::from_ref(id)).await?.is_empty())
}

/// The kinds that other houses of the tenant have: their ids are not this one's to use.
pub async fn kinds_elsewhere(uow: &mut UnitOfWork, property: &PropertyId) -> Result<Vec<RoomTypeId>, ReservationError> {
    let mut kinds = Vec::new();
    for house in rooms::houses(uow).await?.into_iter().filter(|house| house != property) {
        kinds.extend(rooms::list_types(uow, &house).await?.into_iter().map(|kind| kind.id));
    }
    Ok(kinds)
}

/// The type that a room is of and the one that it is to be of, locked in the order of their ids: who waits for either lies in it.
async fn lock_types(
    uow: &mut UnitOfWork,
    room: &RoomId,
    to: Option<&RoomTypeId>,
) -> Result<Vec<RoomType>, ReservationError> {
    let known = rooms::find(uow, std::slice::from_ref(room)).await?.into_iter().next();
    let types: Vec<RoomTypeId> = known.and_then(|room| room.room_type_id).into_iter().chain(to.cloned()).collect();
    rooms::lock_types(uow, &types).await
}

fn stays_in(property: &PropertyId, asked: &PropertyId) -> Result<(), Refusal> {
    if property == asked {
        Ok(())
    } else {
        Err(Refusal::invalid("propertyId", "a house does not move: it is in another one"))
    }
}

/// The type that prices or sell limits are set for.
async fn own_type(uow: &mut UnitOfWork, caller: &Caller, id: &RoomTypeId) -> Result<RoomType, ReservationError> {
    let found = rooms::lock_types(uow, std::slice::from_ref(id)).await?.into_iter().next();
    let found = found.filter(|room_type| caller.properties.include(&room_type.property_id));
    Ok(found.ok_or(Refusal::NotFound("room type"))?)
}

/// The price of the nights in `[from, to)`.
pub async fn set_rates(
    uow: &mut UnitOfWork,
    (caller, if_match): (&Caller, Option<&IfMatch>),
    id: &RoomTypeId,
    (from, to): (Date, Date),
    rate: Money,
) -> Result<(), ReservationError> {
    let room_type = own_type(uow, caller, id).await?;
    IfMatch::check(if_match, room_type.version)?;
    uow.save(room_type.set_rates(from, to, rate));
    Ok(())
}

pub async fn set_sell_limits(
    uow: &mut UnitOfWork,
    (caller, if_match): (&Caller, Option<&IfMatch>),
    id: &RoomTypeId,
    (from, to): (Date, Date),
    overbooking: i32,
) -> Result<(), ReservationError> {
    let room_type = own_type(uow, caller, id).await?;
    IfMatch::check(if_match, room_type.version)?;
    uow.save(room_type.set_sell_limits(from, to, overbooking));
    Ok(())
}

/// The property service tells of a room. The first room of a type makes it.
pub async fn meet(uow: &mut UnitOfWork, told: RoomCreatedV1) -> Result<(), ReservationError> {
    let types = lock_types(uow, &told.room_id, told.room_type_id.as_ref()).await?;
    if let Some(room_type) = &told.room_type_id
        && !types.iter().any(|found| found.id == *room_type)
    {
        uow.save(RoomType::open(room_type.clone(), told.property_id.clone(), TypeWords::default()));
    }
    let words = RoomWords { room_type_id: told.room_type_id, number: told.number, floor: told.floor, archived: None };
    let was = rooms::lock(uow, &told.room_id).await?;
    let decided = match was.clone() {
        None => Room::open(told.room_id, told.property_id, words),
        Some(room) => room.describe(words),
    };
    let room = uow.save(decided);
    freed::seat_in_new(uow, &room, was.as_ref()).await
}

/// The property service tells that a room is no more: out of order for good, also where it is told before the room itself.
pub async fn archive(uow: &mut UnitOfWork, told: RoomArchivedV1) -> Result<(), ReservationError> {
    let words = RoomWords { archived: Some(true), ..RoomWords::default() };
    match (clear_for_good(uow, &told.room_id, None).await?, told.property_id) {
        (Some(room), _) if room.archived => {}
        (Some(room), _) => {
            uow.save(room.describe(words));
        }
        (None, Some(property)) => {
            uow.save(Room::open(told.room_id, property, words));
        }
        // Nobody knows where it was.
        (None, None) => {}
    }
    Ok(())
}

/// Whoever has a room that is to be no more goes elsewhere, as far as may be. `None`: nobody knows such a room. `also`: a type that is
/// needed besides.
async fn clear_for_good(
    uow: &mut UnitOfWork,
    id: &RoomId,
    also: Option<&RoomTypeId>,
) -> Result<Option<Room>, ReservationError> {
    let known = rooms::find(uow, std::slice::from_ref(id)).await?.into_iter().next();
    let Some(known) = known else { return Ok(None) };
    let house = House::of(uow, &known.property_id).await?;
    let nights = (house.time.hotel_date(uow.now()), None);
    let Some(affected) = out_of_order::lock(uow, id, nights, also).await? else { return Ok(None) };
    if !affected.room.archived {
        out_of_order::vacate(uow, &affected, nights, &house).await?;
    }
    Ok(Some(affected.room))
}

/// A room cannot be used, as somebody told at a moment. What events said of it before is over; whoever has it goes elsewhere, as far
/// as may be. What is older than the last word about the room says nothing.
pub async fn take_out_of_order(
    uow: &mut UnitOfWork,
    told: RoomTakenOutOfOrderV1,
    told_at: Timestamp,
) -> Result<(), ReservationError> {
    let house = House::of(uow, &told.property_id).await?;
    let now = uow.now();
    let (from, to) = house.time.blocked_nights(told.from.unwrap_or(now), told.until);
    let affected = out_of_order::lock(uow, &told.room_id, (from, to), None).await?;
    if affected.is_none() {
        uow.save(Room::open(told.room_id.clone(), told.property_id.clone(), RoomWords::default()));
    }
    let words = inventory::words_of(uow, &told.room_id).await?;
    if words.closed_at.max(words.opened_at).is_some_and(|last| last > told_at) {
        return Ok(());
    }
    inventory::keep_words(uow, &told.room_id, inventory::RoomWords { closed_at: Some(told_at), opened_at: None });
    if to.is_some_and(|to| to <= from) {
        // Not a night of it is lost: what was told before is over all the same.
        if let Some(affected) = &affected {
            freed::seat_in(uow, &affected.room, told_at).await?;
        }
        inventory::lift_told_blocks(uow, &told.room_id, told_at);
        return Ok(());
    }
    inventory::lift_told_blocks(uow, &told.room_id, told_at);
    let id = format!("blk_{}", &uow.next_id::<RoomId>().as_str()[4..]);
    inventory::block(uow, ToldBlock { id, room: told.room_id, from, to, reason: told.reason, told_at }, now);
    if let Some(affected) = affected {
        out_of_order::vacate(uow, &affected, (from, to), &house).await?;
    }
    Ok(())
}

/// The property service tells that a house is closed: nobody books it any more, and somebody has to look after those who did.
pub async fn close(uow: &mut UnitOfWork, told: PropertyDeactivatedV1) -> Result<(), ReservationError> {
    let at = told.deactivated_at.unwrap_or_else(|| uow.now());
    let property_id = told.property_id;
    settings::reside(uow, Some(&property_id)).await?;
    houses::close(uow, &property_id, at);
    let kind = AlertKind::PropertyClosed;
    let matter = Matter { property_id, kind, reservation_id: None, room_id: None, suggested_room_id: None };
    alerts::raise(uow, matter).await?;
    Ok(())
}

/// Housekeeping tells how clean a room is; a room that is in order again is sold again.
pub async fn flip(uow: &mut UnitOfWork, told: &RoomStatusChangedV1) -> Result<(), ReservationError> {
    if told.previous_status == RoomStatus::OutOfOrder && told.status != RoomStatus::OutOfOrder {
        open_again(uow, told).await?;
    }
    rooms::flip(uow, &told.room_id, told.status.as_str(), told.flipped_at);
    Ok(())
}

/// What was told until then is over, also where the room was cleaned since. Where housekeeping has told since that it is out of order
/// again, that is for the next time it is in order.
async fn open_again(uow: &mut UnitOfWork, told: &RoomStatusChangedV1) -> Result<(), ReservationError> {
    let opened = inventory::RoomWords { closed_at: None, opened_at: Some(told.flipped_at) };
    lock_types(uow, &told.room_id, None).await?;
    let room = rooms::lock(uow, &told.room_id).await?;
    inventory::keep_words(uow, &told.room_id, opened);
    let Some(room) = room else { return Ok(()) };
    let is_out_again = room.housekeeping_status.as_deref() == Some(RoomStatus::OutOfOrder.as_str())
        && room.flipped_at.is_some_and(|last| last > told.flipped_at);
    if is_out_again {
        return Ok(());
    }
    freed::seat_in(uow, &room, told.flipped_at).await?;
    inventory::lift_told_blocks(uow, &room.id, told.flipped_at);
    Ok(())
}
