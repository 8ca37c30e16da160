//! Rooms and room types: described by the desk's programs, by the property service, by an import.

use contracts::external::{RoomArchivedV1, RoomCreatedV1};
use contracts::ids::{PropertyId, RoomId, RoomTypeId};
use jiff::civil::Date;
use platform::auth::Caller;
use platform::http::IfMatch;
use platform::{Refusal, UnitOfWork};

use crate::ReservationError;
use crate::domain::money::Money;
use crate::domain::rooms::{Room, RoomType, RoomWords, TypeWords};
use crate::infrastructure::rooms;

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
    if let Some(room_type) = &words.room_type_id {
        let found = rooms::lock_types(uow, std::slice::from_ref(room_type)).await?;
        if !found.iter().any(|found| found.property_id == *property) {
            return Err(ReservationError::RoomTypeUnknown(room_type.clone()));
        }
    }
    let known = rooms::lock(uow, id).await?;
    let is_new = known.is_none();
    let decided = match known {
        None => Room::open(id.clone(), property.clone(), words),
        Some(room) => {
            stays_in(&room.property_id, property)?;
            IfMatch::check(if_match, room.version)?;
            room.describe(words)
        }
    };
    Ok(Described { thing: uow.save(decided), is_new })
}

fn stays_in(property: &PropertyId, asked: &PropertyId) -> Result<(), Refusal> {
    if property == asked { Ok(()) } else { Err(Refusal::invalid("propertyId", "a house does not move: it is in another one")) }
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
    caller: &Caller,
    id: &RoomTypeId,
    (from, to): (Date, Date),
    rate: Money,
) -> Result<(), ReservationError> {
    let room_type = own_type(uow, caller, id).await?;
    uow.save(room_type.set_rates(from, to, rate));
    Ok(())
}

pub async fn set_sell_limits(
    uow: &mut UnitOfWork,
    caller: &Caller,
    id: &RoomTypeId,
    (from, to): (Date, Date),
    overbooking: i32,
) -> Result<(), ReservationError> {
    let room_type = own_type(uow, caller, id).await?;
    uow.save(room_type.set_sell_limits(from, to, overbooking));
    Ok(())
}

/// The property service tells of a room. The first room of a type makes it.
pub async fn meet(uow: &mut UnitOfWork, told: RoomCreatedV1) -> Result<(), ReservationError> {
    if let Some(room_type) = &told.room_type_id
        && rooms::lock_types(uow, std::slice::from_ref(room_type)).await?.is_empty()
    {
        uow.save(RoomType::open(room_type.clone(), told.property_id.clone(), TypeWords::default()));
    }
    let words =
        RoomWords { room_type_id: told.room_type_id, number: told.number, floor: told.floor, archived: None };
    let decided = match rooms::lock(uow, &told.room_id).await? {
        None => Room::open(told.room_id, told.property_id, words),
        Some(room) => room.describe(words),
    };
    uow.save(decided);
    Ok(())
}

/// The property service tells that a room is no more.
pub async fn archive(uow: &mut UnitOfWork, told: RoomArchivedV1) -> Result<(), ReservationError> {
    let gone = RoomWords { archived: Some(true), ..RoomWords::default() };
    match rooms::lock(uow, &told.room_id).await? {
        Some(room) if !room.archived => {
            uow.save(room.describe(gone));
        }
        _ => {}
    }
    Ok(())
}
