//! A reservation changes: other days, another room, one more or one less, other guests, another price.

use contracts::actor::{Actor, ActorKind};
use contracts::ids::RoomId;
use contracts::reservation::{CancelReason, Channel, Occupants};
use contracts::time::Timestamp;
use jiff::civil::Date;
use platform::{Ids, UnitOfWork};

use super::arriving::count_keys;
use super::booking::guest::remember;
use super::booking::wishes::{can_be_exchanged, place_all, priced, types_of};
use super::booking::{GuestWords, Wanted, Wish, as_they_are_now};
use super::floor::{Floor, sold_room};
use super::stays::{CancelWords, OnReservation, conclude, fresh_id, moment};
use crate::ReservationError;
use crate::domain::decisions::{NewProfile, RoomMove, StayError};
use crate::domain::money::Money;
use crate::domain::placing::Taken;
use crate::domain::reservation::ReservationStatus::{CheckInStarted, CheckedIn};
use crate::domain::reservation::{Item, Place, Reservation, exchanged};
use crate::domain::stay::{Stay, days_between};
use crate::infrastructure::inventory::{self, Allotted};
use crate::infrastructure::laying::{self, Laid};
use crate::infrastructure::{reservations, rooms};

/// Other days. The rooms that guests were told are kept, or it is refused.
pub async fn change_dates(
    uow: &mut UnitOfWork,
    on: OnReservation<'_>,
    to: Stay,
) -> Result<Reservation, ReservationError> {
    let (reservation, house) = on.load(uow).await?;
    reservation.may_move_to(to, &moment(uow, on.by, &house))?;
    let today = house.time.hotel_date(uow.now());
    let nights = (today.min(to.start()), to.end().max(reservation.stay.end()));
    let mut floor = Floor::of(uow, &reservation, &[], nights).await?;
    let mut laid = stretch(&mut floor, &reservation, to, today)?;
    floor.seat_waiting();
    for one in &mut laid {
        one.room = floor.room_of(&one.allocation);
    }
    // The house may count in another currency than it did when the rooms were held, and asks its prices in that one.
    let (asked_in, told_in) = (house.settings.currency, reservation.currency);
    let has_new_nights = to.start() < reservation.stay.start() || to.end() > reservation.stay.end();
    if has_new_nights {
        can_be_exchanged(asked_in, told_in, reservation.fx.as_ref())?;
    }
    let price = |item: &Item, night: Date| {
        let rate = floor.shelves.get(&item.room_type_id)?.rate(night)?;
        match &reservation.fx {
            _ if asked_in == told_in => Some(rate),
            Some(fx) => exchanged(rate, asked_in, told_in, fx)?.as_said().ok(),
            None => None,
        }
    };
    let id = fresh_id(uow);
    let mut next = reservation.clone();
    show_places(&mut next, &laid);
    let decided = next.change_dates(to, &price, &id, &moment(uow, on.by, &house))?;
    let own: Vec<&str> = laid.iter().map(|one| one.allocation.as_str()).collect();
    let moved = floor.moved(&own);
    laying::lay(uow, laid.into_iter().chain(moved).collect());
    conclude(uow, &reservation, decided, &house).await
}

/// Every item with its new nights: in its room where somebody was told it, else where there is a place.
fn stretch(floor: &mut Floor, reservation: &Reservation, to: Stay, today: Date) -> Result<Vec<Laid>, ReservationError> {
    let over = || StayError::StayOver { ended: reservation.stay.end() };
    let mut plans = Vec::new();
    for item in reservation.active_items() {
        let Some(place) = &item.place else { continue };
        let had = floor.nights_of(item).ok_or_else(over)?;
        let begins = if had.start() > reservation.stay.start() { had.start().max(to.start()) } else { to.start() };
        let whole = Stay::new(begins, to.end()).ok_or_else(over)?;
        // Nights that are over are nobody's any more.
        let ahead = Stay::new(begins.max(today), to.end()).ok_or_else(over)?;
        floor.lift(&place.allocation);
        plans.push((item, place, had, whole, ahead));
    }
    // Who keeps nights only, then who was told a room, then the others around them.
    let is_shorter = |had: Stay, ahead: Stay| had.start() <= ahead.start() && ahead.end() <= had.end();
    plans.sort_by_key(|(_, place, had, _, ahead)| (!is_shorter(*had, *ahead), !place.pinned));
    for (item, place, had, _, ahead) in &plans {
        if is_shorter(*had, *ahead) {
            let movable = !place.pinned;
            let (allocation, room) = (place.allocation.clone(), floor.lies_in(place));
            floor.put_back(Taken { allocation, room, stay: *ahead, movable }, &item.room_type_id);
            continue;
        }
        let wish = place.room.as_ref().filter(|_| place.pinned);
        let of = wish.and_then(|room| floor.type_of(room)).unwrap_or(&item.room_type_id).clone();
        floor.stretch((&place.allocation, *had), *ahead, &of, wish)?;
    }
    let laid = |(_, place, _, whole, _): &(&Item, &Place, Stay, Stay, Stay)| Laid {
        allocation: place.allocation.clone(),
        room: floor.room_of(&place.allocation),
        stay: *whole,
        pinned: place.pinned,
    };
    Ok(plans.iter().map(laid).collect())
}

/// The places as they are from here on: what is queued cannot be read yet.
fn show_places(reservation: &mut Reservation, laid: &[Laid]) {
    for place in reservation.items.iter_mut().filter_map(|item| item.place.as_mut()) {
        if let Some(laid) = laid.iter().find(|laid| laid.allocation == place.allocation) {
            place.room.clone_from(&laid.room);
        }
    }
}

/// Another room: the one that is named, or the best there is. Who is in the house moves from today on.
pub async fn change_room(
    uow: &mut UnitOfWork,
    on: OnReservation<'_>,
    item: &str,
    to: Option<RoomId>,
) -> Result<Reservation, ReservationError> {
    let (reservation, house) = on.load(uow).await?;
    reservation.may_be_modified()?;
    let moving = reservation.item(item)?.clone();
    if reservation.external_inventory && moving.place.is_none() {
        return Err(ReservationError::ExternalInventory);
    }
    let place = moving.place.clone().ok_or_else(|| StayError::NoRoom(item.to_owned()))?;
    let told = place.room.as_ref().filter(|_| place.pinned);
    if to.is_some() && told == to.as_ref() {
        return Err(StayError::Invalid { field: "roomId", rule: "the guest has this room" }.into());
    }
    let of = match &to {
        Some(room) => sold_room(uow, &reservation, room).await?.1,
        None => moving.room_type_id.clone(),
    };
    let today = house.time.hotel_date(uow.now());
    let nights = (today.min(reservation.stay.start()), reservation.stay.end());
    let mut floor = Floor::of(uow, &reservation, std::slice::from_ref(&of), nights).await?;
    let over = || StayError::StayOver { ended: reservation.stay.end() };
    let had = floor.nights_of(&moving).ok_or_else(over)?;
    let rest = Stay::new(had.start().max(today), had.end()).ok_or_else(over)?;
    floor.lift(&place.allocation);
    if let (None, Some(left)) = (&to, told) {
        floor.close(left, rest.start());
    }
    if matches!(reservation.status, CheckInStarted | CheckedIn) {
        if let Some(room) = &to
            && !inventory::occupied(uow, std::slice::from_ref(room), &reservation.id).await?.is_empty()
        {
            return Err(ReservationError::RoomOccupied(room.clone()));
        }
        as_they_are_now(uow, &mut floor.shelves, &reservation.id, rest).await?;
    }
    let (whole, fresh) = (rest == had, format!("alc_{}", fresh_id(uow)));
    let allocation = if whole { place.allocation.clone() } else { fresh };
    let room = floor.seat(&allocation, rest, &of, to.as_ref())?;
    if let (None, Some(left)) = (&to, told) {
        floor.reopen(left);
    }
    floor.seat_waiting();
    let mut laid = floor.moved(&[&allocation]);
    if whole {
        let (allocation, room) = (allocation.clone(), Some(room.clone()));
        laid.push(Laid { allocation, room, stay: rest, pinned: true });
        laying::lay(uow, laid);
    } else {
        let now = uow.now();
        inventory::release(uow, &reservation.id, vec![moving.id.clone()], now, rest.start());
        laying::lay(uow, laid);
        let allotted = Allotted {
            allocation: allocation.clone(),
            item: moving.id.clone(),
            room_type: moving.room_type_id.clone(),
            room: Some(room.clone()),
            pinned: true,
        };
        let of = (&reservation.property_id, &reservation.id, rest);
        inventory::keep(uow, Vec::new(), std::slice::from_ref(&allotted), of);
        if reservation.status == CheckedIn {
            inventory::pin(uow, &reservation.id, true);
        }
    }
    let to = RoomMove { item: moving.id, to: Some(room), allocation };
    let id = fresh_id(uow);
    let moment = moment(uow, on.by, &house);
    let decided = count_keys(reservation.clone().change_room(to, &id, &moment)?, &moment)?;
    conclude(uow, &reservation, decided, &house).await
}

/// One more room, for the nights that are left.
pub async fn add_room(
    uow: &mut UnitOfWork,
    on: OnReservation<'_>,
    wanted: Wanted,
) -> Result<Reservation, ReservationError> {
    let (reservation, house) = on.load(uow).await?;
    reservation.may_be_modified()?;
    let today = house.time.hotel_date(uow.now());
    let over = StayError::StayOver { ended: reservation.stay.end() };
    let rest = Stay::new(reservation.stay.start().max(today), reservation.stay.end()).ok_or(over)?;
    let wish = Wish {
        property: reservation.property_id.clone(),
        stay: rest,
        items: vec![wanted],
        currency: Some(reservation.currency),
        fx: reservation.fx.clone(),
    };
    let types = types_of(uow, &wish, true).await?;
    let mut shelves = inventory::shelves(uow, &wish.property, &types, (rest.start(), rest.end())).await?;
    let is_here = matches!(reservation.status, CheckInStarted | CheckedIn);
    if is_here {
        as_they_are_now(uow, &mut shelves, &reservation.id, rest).await?;
    }
    // A price that was agreed is told in the booking's currency; what the house asks, in the one that it counts in now.
    let is_agreed = wish.items.iter().all(|wanted| wanted.rate.is_some());
    let asked_in = if is_agreed { reservation.house_currency } else { house.settings.currency };
    let mut items = priced(&wish, &shelves, asked_in, || fresh_id(uow))?;
    // Where another service keeps the count, a room becomes ours when the guest is here.
    let moved = if reservation.external_inventory && !is_here {
        Vec::new()
    } else {
        place_all(&wish, &mut items, &mut shelves, || fresh_id(uow))?
    };
    let Some(mut item) = items.pop() else { return Ok(reservation) };
    item.late_nights = u32::try_from(days_between(reservation.stay.start(), rest.start())).unwrap_or(0);
    if let Some(place) = &mut item.place {
        place.pinned |= is_here;
        if is_here && place.room.is_none() {
            let (room_type, nights) = (item.room_type_id.clone(), rest.dates().collect());
            return Err(ReservationError::NoAvailability { room_type, nights, fragmented: true });
        }
        let allotted = Allotted {
            allocation: place.allocation.clone(),
            item: item.id.clone(),
            room_type: item.room_type_id.clone(),
            room: place.room.clone(),
            pinned: place.pinned,
        };
        let of = (&reservation.property_id, &reservation.id, rest);
        inventory::keep(uow, moved, std::slice::from_ref(&allotted), of);
    }
    if reservation.status == CheckedIn {
        inventory::pin(uow, &reservation.id, true);
    }
    let id = fresh_id(uow);
    let decided = reservation.clone().add_room(item, &id, &moment(uow, on.by, &house))?;
    conclude(uow, &reservation, decided, &house).await
}

/// One room less, which is a cancellation of that room.
pub async fn remove_room(
    uow: &mut UnitOfWork,
    on: OnReservation<'_>,
    item: String,
    reason: Option<String>,
) -> Result<Reservation, ReservationError> {
    let (reservation, house) = on.load(uow).await?;
    let words = CancelWords {
        reason_code: if is_guest(on.by) { CancelReason::GuestCancelled } else { CancelReason::StaffCancelled },
        reason: reason.unwrap_or_else(|| "one room less".to_owned()),
        items: Some(vec![item]),
        waive_penalty: false,
    };
    let moment = moment(uow, on.by, &house);
    let decided = count_keys(reservation.clone().remove_room(&words.told(fresh_id(uow)), &moment)?, &moment)?;
    conclude(uow, &reservation, decided, &house).await
}

fn is_guest(by: &Actor) -> bool {
    matches!(by.kind, ActorKind::Guest | ActorKind::GuestSelfService)
}

/// More or fewer guests in a room, as many as the room that was sold, or the one they lie in, takes.
pub async fn change_guest_count(
    uow: &mut UnitOfWork,
    on: OnReservation<'_>,
    item: &str,
    occupants: Occupants,
) -> Result<Reservation, ReservationError> {
    let (reservation, house) = on.load(uow).await?;
    reservation.may_be_modified()?;
    let of = reservation.item(item)?;
    let mut types = vec![of.room_type_id.clone()];
    if let Some(room) = of.room() {
        types.extend(
            rooms::find(uow, std::slice::from_ref(room)).await?.into_iter().filter_map(|door| door.room_type_id),
        );
    }
    let most = rooms::find_types(uow, &types).await?.iter().map(|one| one.max_occupancy).max().unwrap_or(0);
    let guests = i32::try_from(occupants.adults.saturating_add(occupants.children)).unwrap_or(i32::MAX);
    if guests > most {
        return Err(ReservationError::OccupancyExceeded { room_type: of.room_type_id.clone(), most });
    }
    let id = fresh_id(uow);
    let decided = reservation.clone().change_guest_count(item, occupants, &id, &moment(uow, on.by, &house))?;
    conclude(uow, &reservation, decided, &house).await
}

/// Another price for every night of an item: a manager's to give.
pub async fn change_rate(
    uow: &mut UnitOfWork,
    on: OnReservation<'_>,
    item: &str,
    rate: Money,
) -> Result<Reservation, ReservationError> {
    on.needs_manager(true, "only a manager changes a price")?;
    let (reservation, house) = on.load(uow).await?;
    let id = fresh_id(uow);
    let decided = reservation.clone().change_rate(item, rate, &id, &moment(uow, on.by, &house))?;
    conclude(uow, &reservation, decided, &house).await
}

/// What is known of the guest, or who the guest is.
pub async fn update_profile(
    uow: &mut UnitOfWork,
    ids: &Ids,
    on: OnReservation<'_>,
    mut words: GuestWords,
    expected_arrival_at: Option<Timestamp>,
) -> Result<Reservation, ReservationError> {
    let (reservation, house) = on.load(uow).await?;
    let said = [
        ("guestId", words.id.is_some()),
        ("name", words.name.is_some()),
        ("email", words.email.is_some()),
        ("phone", words.phone.is_some()),
        ("locale", words.locale.is_some()),
        ("expectedArrivalAt", expected_arrival_at.is_some()),
    ];
    let fields: Vec<&'static str> = said.into_iter().filter_map(|(field, said)| said.then_some(field)).collect();
    if fields.is_empty() {
        return Err(StayError::Invalid { field: "primaryGuest", rule: "something to change" }.into());
    }
    words.id.get_or_insert_with(|| reservation.guest.guest_id.clone());
    let guest = remember(uow, ids, None, (words, &on.caller.properties), &house.settings.locale).await?;
    let id = fresh_id(uow);
    let new = NewProfile { guest, fields, expected_arrival_at };
    let decided = reservation.clone().update_profile(new, &id, &moment(uow, on.by, &house))?;
    conclude(uow, &reservation, decided, &house).await
}

/// It came through another door than was noted: a manager's to say.
pub async fn correct_channel(
    uow: &mut UnitOfWork,
    on: OnReservation<'_>,
    channel: Channel,
    partner: Option<String>,
) -> Result<Reservation, ReservationError> {
    on.needs_manager(true, "only a manager corrects where a booking came from")?;
    let (reservation, house) = on.load(uow).await?;
    if let Some(reference) = &reservation.external_reference
        && let Some(known) = reservations::by_reference(uow, partner.as_deref(), reference).await?
        && known != reservation.id
    {
        return Err(ReservationError::DuplicateReference(known));
    }
    let id = fresh_id(uow);
    let decided = reservation.clone().correct_channel((channel, partner), &id, &moment(uow, on.by, &house))?;
    conclude(uow, &reservation, decided, &house).await
}
