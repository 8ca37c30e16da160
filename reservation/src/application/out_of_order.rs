//! A room cannot be used: whoever was not told it goes elsewhere silently, whoever was is told the other one, and whoever is in it
//! stays, with somebody to look after them.

use contracts::ids::{AlertId, ReservationId, RoomId, RoomTypeId};
use contracts::reservation::AlertKind;
use jiff::civil::Date;
use platform::{Fault, Refusal, UnitOfWork};

use super::booking::House;
use super::sagas::ourselves;
use super::{alarms, alerts};
use crate::ReservationError;
use crate::domain::alerts::Matter;
use crate::domain::decisions::{Moment, RoomMove};
use crate::domain::placing::{Block, Taken};
use crate::domain::reservation::Reservation;
use crate::domain::reservation::ReservationStatus::{Confirmed, Held};
use crate::domain::rooms::Room;
use crate::domain::stay::Stay;
use crate::infrastructure::{inventory, reservations, rooms};

/// What became of those who have the room.
#[derive(Debug, Default)]
pub struct Vacated {
    /// They have another room now, or none.
    pub moved: Vec<ReservationId>,
    pub alerts: Vec<AlertId>,
}

/// Those who have the room on these nights, and the room itself, locked in the order in which everybody locks: reservations, the type,
/// the room. What is found out before the locks is read again under them.
#[derive(Debug)]
pub struct Affected {
    pub room: Room,
    holders: Vec<Reservation>,
    /// Came to have it while the locks were taken, and are not locked themselves.
    newcomers: Vec<Reservation>,
}

/// `also`: a type that whoever calls needs besides, locked with the room's own in the order of their ids.
pub async fn lock(
    uow: &mut UnitOfWork,
    room: &RoomId,
    (from, to): (Date, Option<Date>),
    also: Option<&RoomTypeId>,
) -> Result<Option<Affected>, ReservationError> {
    let mut holders = Vec::new();
    for id in inventory::holders(uow, room, from, to).await? {
        holders.extend(reservations::lock(uow, &id).await?);
    }
    let Some(known) = rooms::find(uow, std::slice::from_ref(room)).await?.into_iter().next() else { return Ok(None) };
    let types: Vec<RoomTypeId> = known.room_type_id.iter().chain(also).cloned().collect();
    rooms::lock_types(uow, &types).await?;
    // From here on nobody else comes to have it.
    let mut since = inventory::holders(uow, room, from, to).await?;
    since.retain(|id| holders.iter().all(|holder| holder.id != *id));
    let newcomers = if since.is_empty() { Vec::new() } else { reservations::find_all(uow, &since).await? };
    let room = rooms::lock(uow, room).await?.ok_or(Refusal::NotFound("room"))?;
    Ok(Some(Affected { room, holders, newcomers }))
}

/// Whoever has the room on these nights goes elsewhere, as far as may be. The block itself is written by whoever calls.
pub async fn vacate(
    uow: &mut UnitOfWork,
    affected: &Affected,
    (from, to): (Date, Option<Date>),
    house: &House,
) -> Result<Vacated, ReservationError> {
    let Affected { room, holders, newcomers } = affected;
    let mut vacated = Vacated::default();
    let Some(room_type) = &room.room_type_id else { return Ok(vacated) };
    let types = rooms::lock_types(uow, std::slice::from_ref(room_type)).await?;
    let mut shelves = inventory::whole_shelves(uow, &room.property_id, &types).await?;
    let Some(shelf) = shelves.get_mut(room_type) else { return Ok(vacated) };
    let stock = &mut shelf.stock;
    let before = stock.taken.clone();
    // Neither the new block nor that the room is gone for good is written yet.
    stock.blocks.push(Block { room: room.id.clone(), from, to });
    let mut there: Vec<Taken> = before
        .iter()
        .filter(|one| one.room.as_ref() == Some(&room.id) && one.stay.overlaps(from, to))
        .cloned()
        .collect();
    there.sort_by(|one, other| (one.stay, &one.allocation).cmp(&(other.stay, &other.allocation)));
    let by = ourselves();
    let moment = Moment { now: uow.now(), by: &by, house: &house.time };
    let today = house.time.hotel_date(moment.now);
    let (mut homeless, mut told) = (Vec::new(), Vec::new());
    for taken in there {
        let lies_here = |one: &&Reservation| {
            let place = |item: &crate::domain::reservation::Item| {
                item.place.as_ref().is_some_and(|place| place.allocation == taken.allocation)
            };
            one.items.iter().any(place)
        };
        let locked = holders.iter().find(lies_here);
        // Who came to have it meanwhile and was told so has to be locked before they are told otherwise: whoever tries again finds
        // them. Who was not told moves without a word.
        let newcomer = newcomers.iter().find(lies_here).filter(|_| taken.movable);
        let holder = locked.or(newcomer).ok_or(Fault::Conflict)?;
        if !matches!(holder.status, Held | Confirmed) {
            let left = Stay::new(taken.stay.start().max(today), taken.stay.end()).unwrap_or(taken.stay);
            let suggested = stock.free_room(left);
            vacated.alerts.extend(alert(uow, room, holder, suggested).await?);
            continue;
        }
        stock.taken.retain(|one| one.allocation != taken.allocation);
        let without_room = Taken { room: None, movable: true, ..taken.clone() };
        if stock.settle(without_room.clone()).is_some() {
            // Whoever was told a room keeps the next one.
            for one in stock.taken.iter_mut().filter(|one| one.allocation == taken.allocation) {
                one.movable = taken.movable;
            }
        } else {
            stock.taken.push(without_room);
            homeless.push(taken.allocation.clone());
            vacated.alerts.extend(alert(uow, room, holder, None).await?);
        }
        vacated.moved.push(holder.id.clone());
        if !taken.movable {
            told.push((holder.id.clone(), taken.allocation.clone()));
        }
    }
    let moved = stock.moves(&before);
    let lies_in = |allocation: &str| {
        let lies = stock.taken.iter().find(|one| one.allocation == *allocation);
        lies.and_then(|one| one.room.clone())
    };
    tell(uow, holders, &told, &lies_in, (&moment, house))?;
    inventory::unplace(uow, homeless);
    inventory::move_all(uow, moved);
    vacated.moved.dedup();
    Ok(vacated)
}

/// Whoever was told the room is told the other one, all rooms of a reservation in one decision.
fn tell(
    uow: &mut UnitOfWork,
    holders: &[Reservation],
    told: &[(ReservationId, String)],
    lies_in: &dyn Fn(&str) -> Option<RoomId>,
    (moment, house): (&Moment<'_>, &House),
) -> Result<(), ReservationError> {
    for holder in holders {
        let mut decided = None;
        for item in holder.active_items() {
            let Some(place) = &item.place else { continue };
            if !told.iter().any(|(id, allocation)| *id == holder.id && *allocation == place.allocation) {
                continue;
            }
            let to = RoomMove {
                item: item.id.clone(),
                to: lies_in(&place.allocation),
                allocation: place.allocation.clone(),
            };
            let id = uow.next_id::<ReservationId>().as_str()[4..].to_owned();
            decided = Some(match decided.take() {
                None => holder.clone().change_room(to, &id, moment)?,
                Some(before) => platform::Decided::then(before, |one: Reservation| one.change_room(to, &id, moment))?,
            });
        }
        if let Some(decided) = decided {
            alarms::set(uow, holder, decided.state(), house);
            uow.save(decided);
        }
    }
    Ok(())
}

async fn alert(
    uow: &mut UnitOfWork,
    room: &Room,
    holder: &Reservation,
    suggested_room_id: Option<RoomId>,
) -> Result<Option<AlertId>, ReservationError> {
    let matter = Matter {
        property_id: room.property_id.clone(),
        kind: AlertKind::RoomOutOfOrder,
        reservation_id: Some(holder.id.clone()),
        room_id: Some(room.id.clone()),
        suggested_room_id,
    };
    Ok(alerts::raise(uow, matter).await?.map(|alert| alert.id))
}
