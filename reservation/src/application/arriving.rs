//! The guest stands at the desk: with a booking, or without one.

use contracts::actor::Actor;
use contracts::ids::{RoomId, RoomTypeId};
use platform::{Decided, Fault, Ids, Refusal, UnitOfWork};

use super::booking::{Agreed, BookingWords, House, Prepared, When, Wish, as_they_are_now, keep_rooms, prepare};
use super::floor::Floor;
use super::stays::{AtDesk, OnReservation, PaymentWords, conclude, fresh_id, hear_of_payments, moment};
use crate::ReservationError;
use crate::domain::advance::advance;
use crate::domain::decisions::{Moment, RoomMove, StayError, is_alone};
use crate::domain::money::Money;
use crate::domain::reservation::ReservationStatus::{CheckInStarted, Confirmed};
use crate::domain::reservation::{Item, Place, Reservation};
use crate::domain::rooms::Room;
use crate::domain::settings::RoomReadiness;
use crate::domain::stay::Stay;
use crate::infrastructure::inventory::{self, Allotted};
use crate::infrastructure::{reservations, rooms};

/// Which room an item is to get.
#[derive(Clone, Debug)]
pub struct Assigned {
    pub item: String,
    pub room: RoomId,
}

/// The guest stands at the desk, or goes up to the room at once. Who was told another room than they get is told so first.
pub async fn check_in(
    uow: &mut UnitOfWork,
    on: OnReservation<'_>,
    assigned: &[Assigned],
    (complete, force): (bool, bool),
) -> Result<AtDesk, ReservationError> {
    let (before, house) = on.load(uow).await?;
    before.may_check_in(&moment(uow, on.by, &house))?;
    let Roomed { reservation, moves } = assign(uow, before.clone(), assigned, &house).await?;
    let rooms = rooms_to_be(&reservation, &moves);
    let warnings = look_over_rooms(uow, (&reservation, &rooms), on.by, force, &house).await?;
    let ids: Vec<String> = moves.iter().map(|_| fresh_id(uow)).collect();
    let moment = moment(uow, on.by, &house);
    let step = |one: Reservation| if complete { one.complete_check_in(&moment) } else { one.start_check_in(&moment) };
    let mut changed: Option<Decided<Reservation>> = None;
    for (to, id) in moves.into_iter().zip(&ids) {
        changed = Some(match changed {
            None => reservation.clone().change_room(to, id, &moment)?,
            Some(first) => first.then(|one| one.change_room(to, id, &moment))?,
        });
    }
    let decided = match changed {
        None => step(reservation)?,
        Some(changed) => changed.then(step)?,
    };
    let decided = count_keys(decided, &moment)?;
    Ok(AtDesk { reservation: conclude(uow, &before, decided, &house).await?, warnings })
}

/// Whoever stands at the desk and has a key for every room is in the house: keys that came before the guest count now, and so does a room
/// without key that is given up.
pub(super) fn count_keys(
    decided: Decided<Reservation>,
    moment: &Moment<'_>,
) -> Result<Decided<Reservation>, StayError> {
    let state = decided.state();
    if state.status != CheckInStarted || state.lacks_a_key() || state.is_past(moment) {
        return Ok(decided);
    }
    decided.then(|started| match advance(started.clone(), moment, "", "")? {
        Some(next) => Ok(next),
        None => started.complete_check_in(moment),
    })
}

/// A reservation that has a room for every item, but for the rooms that somebody was told and that become other ones.
struct Roomed {
    reservation: Reservation,
    moves: Vec<RoomMove>,
}

impl Roomed {
    fn as_it_was(reservation: Reservation) -> Self {
        Self { reservation, moves: Vec::new() }
    }
}

/// The rooms as they are to be.
fn rooms_to_be(reservation: &Reservation, moves: &[RoomMove]) -> Vec<RoomId> {
    let room_of = |item: &Item| match moves.iter().find(|to| to.item == item.id) {
        Some(to) => to.to.clone(),
        None => item.room().cloned(),
    };
    reservation.active_items().filter_map(room_of).collect()
}

/// What an item is to get: a room that is named, or the best of a type.
struct Change {
    at: usize,
    of: RoomTypeId,
    wish: Option<RoomId>,
}

/// Every item gets the room that is named, the one it has, or the best there is.
async fn assign(
    uow: &mut UnitOfWork,
    reservation: Reservation,
    assigned: &[Assigned],
    house: &House,
) -> Result<Roomed, ReservationError> {
    let doors = named_doors(uow, &reservation, assigned).await?;
    let type_of = |room: &RoomId| doors.iter().find(|door| door.id == *room).and_then(|door| door.room_type_id.clone());
    let wish_of = |item: &Item| assigned.iter().find(|one| one.item == item.id).map(|one| one.room.clone());
    let keeps = |item: &Item| {
        item.place.as_ref().is_some_and(|place| place.pinned && place.room.is_some())
            && wish_of(item).is_none_or(|wish| Some(&wish) == item.room())
    };
    if reservation.active_items().all(keeps) {
        return Ok(Roomed::as_it_was(reservation));
    }
    let today = house.time.hotel_date(uow.now());
    let more: Vec<RoomTypeId> = assigned.iter().filter_map(|one| type_of(&one.room)).collect();
    let types = Floor::lock(uow, &reservation, &more).await?;
    // Whoever was not told a room could be moved until the types were locked: what is told now is what is written.
    let again = reservations::find(uow, &reservation.id).await?;
    let reservation = Reservation { items: again.ok_or(Refusal::NotFound("reservation"))?.items, ..reservation };
    // Somebody is still in a room that this guest was not told: another one is as good.
    let untold = |item: &&Item| item.place.as_ref().is_some_and(|place| !place.pinned);
    let untold = reservation.active_items().filter(untold).filter_map(|item| item.room().cloned());
    let looked_at: Vec<RoomId> = untold.chain(assigned.iter().map(|one| one.room.clone())).collect();
    let lived_in = inventory::occupied(uow, &looked_at, &reservation.id).await?;
    if let Some(named) = assigned.iter().find(|one| lived_in.contains(&one.room)) {
        return Err(ReservationError::RoomOccupied(named.room.clone()));
    }
    let mut changes = Vec::new();
    for (at, item) in reservation.items.iter().enumerate().filter(|(_, item)| item.active) {
        let wish = wish_of(item);
        let of = wish.as_ref().and_then(&type_of).unwrap_or_else(|| item.room_type_id.clone());
        let is_lost = item.room().is_none_or(|room| lived_in.contains(room));
        if wish.as_ref().map_or(is_lost, |wish| Some(wish) != item.room()) {
            changes.push(Change { at, of, wish });
        }
    }
    if changes.is_empty() {
        return Ok(Roomed::as_it_was(reservation));
    }
    let mut floor = Floor::over(uow, &reservation, &types, (today, reservation.stay.end())).await?;
    // Where another service keeps the count, a room becomes ours when the guest stands at the desk.
    let here = Stay::new(reservation.stay.start().max(today), reservation.stay.end()).unwrap_or(reservation.stay);
    let mut nights = Vec::with_capacity(changes.len());
    for change in &changes {
        let item = &reservation.items[change.at];
        // A room that came to be of another type meanwhile: whoever tries again finds it there.
        nights.push(match &item.place {
            None => here,
            Some(_) => floor.nights_of(item).ok_or(Fault::Conflict)?,
        });
    }
    for place in changes.iter().filter_map(|change| reservation.items[change.at].place.as_ref()) {
        floor.lift(&place.allocation);
    }
    as_they_are_now(uow, &mut floor.shelves, &reservation.id, here).await?;
    seat(uow, reservation, (&changes, nights), floor, here)
}

/// The rooms that are named; each item is named once, and each room is one of this house that is sold.
async fn named_doors(
    uow: &mut UnitOfWork,
    reservation: &Reservation,
    assigned: &[Assigned],
) -> Result<Vec<Room>, ReservationError> {
    for (at, one) in assigned.iter().enumerate() {
        reservation.item(&one.item)?;
        if assigned[..at].iter().any(|other| other.item == one.item) {
            return Err(Refusal::invalid("assignedRooms", "one room for each item").into());
        }
    }
    let named: Vec<RoomId> = assigned.iter().map(|one| one.room.clone()).collect();
    let doors = rooms::find(uow, &named).await?;
    let is_sold =
        |door: &Room| door.property_id == reservation.property_id && !door.archived && door.room_type_id.is_some();
    match named.into_iter().find(|room| !doors.iter().any(|door| door.id == *room && is_sold(door))) {
        Some(unknown) => Err(ReservationError::RoomUnknown(unknown)),
        None => Ok(doors),
    }
}

/// Lays what has to change; others who were told no room may move aside.
fn seat(
    uow: &mut UnitOfWork,
    mut reservation: Reservation,
    (changes, nights): (&[Change], Vec<Stay>),
    mut floor: Floor,
    here: Stay,
) -> Result<Roomed, ReservationError> {
    let (mut given, mut moves) = (Vec::new(), Vec::new());
    for (change, nights) in changes.iter().zip(nights) {
        let item = &mut reservation.items[change.at];
        let unavailable = |_| match (&change.wish, item.room()) {
            (Some(room), _) => ReservationError::RoomUnavailable(room.clone()),
            (None, Some(lived_in)) => ReservationError::RoomOccupied(lived_in.clone()),
            (None, None) => StayError::NoRoom(item.id.clone()).into(),
        };
        let had = item.place.clone();
        let allocation =
            had.as_ref().map_or_else(|| format!("alc_{}", fresh_id(uow)), |place| place.allocation.clone());
        let room = floor.seat(&allocation, nights, &change.of, change.wish.as_ref()).map_err(unavailable)?;
        if had.is_none() {
            given.push((allocation.clone(), item.id.clone(), item.room_type_id.clone()));
        }
        if had.is_some_and(|place| place.pinned && place.room.is_some()) {
            moves.push(RoomMove { item: item.id.clone(), to: Some(room), allocation });
        } else {
            item.place = Some(Place { allocation, room: Some(room), pinned: true });
        }
    }
    floor.seat_waiting();
    // One item can have moved another aside.
    let is_told = |item: &Item| moves.iter().any(|to| to.item == item.id);
    for item in reservation.items.iter_mut().filter(|item| item.active && !is_told(item)) {
        if let Some(place) = &mut item.place {
            place.room = floor.room_of(&place.allocation);
        }
    }
    let allotted = |(allocation, item, room_type): (String, String, RoomTypeId)| {
        let room = floor.room_of(&allocation);
        Allotted { allocation, item, room_type, room, pinned: true }
    };
    let given: Vec<Allotted> = given.into_iter().map(allotted).collect();
    inventory::keep(uow, floor.moves(), &given, (&reservation.property_id, &reservation.id, here));
    Ok(Roomed { reservation, moves })
}

/// Whether the rooms are empty and ready; what is only to be known comes back as warnings.
async fn look_over_rooms(
    uow: &mut UnitOfWork,
    (reservation, rooms): (&Reservation, &[RoomId]),
    by: &Actor,
    force: bool,
    house: &House,
) -> Result<Vec<String>, ReservationError> {
    if let Some(room) = inventory::occupied(uow, rooms, &reservation.id).await?.into_iter().next() {
        return Err(ReservationError::RoomOccupied(room));
    }
    if is_alone(by) && reservation.balance()?.is_due() {
        return Err(ReservationError::PaymentDue { balance: reservation.balance()? });
    }
    let doors = rooms::find(uow, rooms).await?;
    let Some(unready) = doors.iter().find(|door| door.is_unready()) else { return Ok(Vec::new()) };
    let required = is_alone(by) || house.settings.room_readiness == RoomReadiness::Require && !force;
    if required {
        return Err(ReservationError::RoomNotReady(unready.id.clone()));
    }
    let warns = house.settings.room_readiness == RoomReadiness::Warn;
    Ok(warns.then(|| "room_not_ready".to_owned()).into_iter().collect())
}

/// How a guest without a booking pays and moves in.
#[derive(Clone, Debug)]
pub struct WalkInWords {
    pub payment: PaymentWords,
    /// Money that was taken at the desk.
    pub at_desk: Option<Money>,
    /// Into a room that is not ready.
    pub force: bool,
}

/// Somebody stands at the desk without a booking: held, confirmed and checked in at once, with all events on the way. No deposit is
/// asked of whoever is here.
pub async fn walk_in(
    uow: &mut UnitOfWork,
    ids: &Ids,
    (wish, quoted): (&Wish, Option<Agreed>),
    words: BookingWords,
    arrival: WalkInWords,
) -> Result<AtDesk, ReservationError> {
    let (by, WalkInWords { payment, at_desk, force }) = (words.by.clone(), arrival);
    let Prepared { mut reservation, moved, house } = prepare(uow, ids, wish, When::Now(quoted), words).await?;
    if reservation.stay.start() != house.time.hotel_date(uow.now()) {
        return Err(ReservationError::StayInvalid("a walk-in begins today"));
    }
    let rooms = rooms_to_be(&reservation, &[]);
    let warnings = look_over_rooms(uow, (&reservation, &rooms), &by, force, &house).await?;
    hear_of_payments(uow, &mut reservation, &payment)?;
    let paying = fresh_id(uow);
    let moment = moment(uow, &by, &house);
    keep_rooms(uow, &reservation, moved);
    let method = payment.method;
    let decided = reservation.hold().then(|held| held.confirm(Some(method.clone()), true, moment.now, None))?;
    let decided = match at_desk {
        Some(amount) => decided.then(|confirmed| confirmed.pay_at_desk(amount, &method, &paying, &moment))?,
        None => decided,
    };
    let decided = decided.then(|confirmed| confirmed.complete_check_in(&moment))?;
    let before = Reservation { status: Confirmed, ..decided.state().clone() };
    Ok(AtDesk { reservation: conclude(uow, &before, decided, &house).await?, warnings })
}
