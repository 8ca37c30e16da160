//! What somebody wants: whether there is such a thing, what it costs, where it goes.

use std::collections::BTreeMap;

use contracts::ids::{PropertyId, RoomId, RoomTypeId};
use contracts::reservation::{FxSnapshot, Occupants};
use contracts::time::Timestamp;
use contracts::values::Currency;
use platform::{Refusal, UnitOfWork};

use super::House;
use crate::ReservationError;
use crate::domain::money::{Money, Rate};
use crate::domain::placing::{NoPlace, Taken};
use crate::domain::reservation::{Item, Place, exchanged};
use crate::domain::rooms::RoomType;
use crate::domain::stay::{DAYS_AHEAD, Stay, days_between};
use crate::infrastructure::inventory::Shelf;
use crate::infrastructure::rooms;

/// A room that somebody wants.
#[derive(Clone, Debug)]
pub struct Wanted {
    pub room_type: RoomTypeId,
    pub occupants: Occupants,
    /// What was agreed; without it the house's price.
    pub rate: Option<Money>,
    pub room: Option<RoomId>,
}

/// What somebody wants, for which nights, in which currency.
#[derive(Clone, Debug)]
pub struct Wish {
    pub property: PropertyId,
    pub stay: Stay,
    pub items: Vec<Wanted>,
    pub currency: Option<Currency>,
    pub fx: Option<FxSnapshot>,
}

/// Whether a stay may be sold now.
pub(in crate::application) fn may_be_sold(stay: Stay, house: &House, now: Timestamp) -> Result<(), ReservationError> {
    let ahead = days_between(house.time.hotel_date(now), stay.start());
    if ahead < 0 {
        return Err(ReservationError::StayInvalid("the stay begins in the past"));
    }
    if ahead > DAYS_AHEAD {
        return Err(ReservationError::StayInvalid("the stay begins more than 730 days ahead"));
    }
    Ok(())
}

/// The types of a wish, in the order of their ids; each has to be of this house and to take the guests.
pub(in crate::application) async fn types_of(
    uow: &mut UnitOfWork,
    wish: &Wish,
    locked: bool,
) -> Result<Vec<RoomType>, ReservationError> {
    let ids = type_ids(wish);
    let found = if locked { rooms::lock_types(uow, &ids).await? } else { rooms::find_types(uow, &ids).await? };
    take_the_guests(wish, &found)?;
    Ok(found)
}

/// The types that are wanted, each once, in the order of their ids.
pub(super) fn type_ids(wish: &Wish) -> Vec<RoomTypeId> {
    let mut ids: Vec<RoomTypeId> = wish.items.iter().map(|item| item.room_type.clone()).collect();
    ids.sort();
    ids.dedup();
    ids
}

/// Whether each type is one of this house, and has place for the guests.
pub(super) fn take_the_guests(wish: &Wish, found: &[RoomType]) -> Result<(), ReservationError> {
    for item in &wish.items {
        let of_this_house = |one: &&RoomType| one.id == item.room_type && one.property_id == wish.property;
        let room_type = found
            .iter()
            .find(of_this_house)
            .ok_or_else(|| ReservationError::RoomTypeUnknown(item.room_type.clone()))?;
        let guests = item.occupants.adults.saturating_add(item.occupants.children);
        if i32::try_from(guests).unwrap_or(i32::MAX) > room_type.max_occupancy {
            let (room_type, most) = (room_type.id.clone(), room_type.max_occupancy);
            return Err(ReservationError::OccupancyExceeded { room_type, most });
        }
    }
    Ok(())
}

/// The currency of a booking: the house's, or another one with a rate of exchange between the two.
pub(super) fn currency_of(wish: &Wish, house: Currency) -> Result<Currency, ReservationError> {
    let currency = wish.currency.unwrap_or(house);
    if currency != house && wish.fx.as_ref().is_some_and(|fx| Rate::read(&fx.rate).is_none()) {
        return Err(Refusal::invalid("fxSnapshot.rate", "above zero, at most 12 digits and 18 behind the point").into());
    }
    can_be_exchanged(house, currency, wish.fx.as_ref())?;
    Ok(currency)
}

/// Whether what a house asks can be told in another currency.
pub(in crate::application) fn can_be_exchanged(
    house: Currency,
    currency: Currency,
    fx: Option<&FxSnapshot>,
) -> Result<(), ReservationError> {
    let one = Money::of(1_000_000)?;
    if currency != house && fx.and_then(|fx| exchanged(one, house, currency, fx)).is_none() {
        return Err(ReservationError::FxRateMissing);
    }
    Ok(())
}

pub(in crate::application) fn priced(
    wish: &Wish,
    shelves: &BTreeMap<RoomTypeId, Shelf>,
    house: Currency,
    next_id: impl Fn() -> String,
) -> Result<Vec<Item>, ReservationError> {
    let currency = currency_of(wish, house)?;
    let mut items = Vec::with_capacity(wish.items.len());
    for wanted in &wish.items {
        let rate_of = |night| {
            let missing = || ReservationError::RateMissing { room_type: wanted.room_type.clone(), night };
            if let Some(agreed) = wanted.rate {
                return Ok(agreed);
            }
            let rate = shelves.get(&wanted.room_type).and_then(|shelf| shelf.rate(night)).ok_or_else(missing)?;
            let rate = match &wish.fx {
                Some(fx) if currency != house => exchanged(rate, house, currency, fx).ok_or_else(missing)?,
                _ => rate,
            };
            Ok::<_, ReservationError>(rate.as_said()?)
        };
        items.push(Item {
            id: next_id(),
            room_type_id: wanted.room_type.clone(),
            occupants: wanted.occupants.clone(),
            nightly_rates: wish.stay.dates().map(rate_of).collect::<Result<_, _>>()?,
            active: true,
            late_nights: 0,
            given_back: Vec::new(),
            place: None,
        });
    }
    Ok(items)
}

/// Why there is no place for it, as the desk is told.
pub(in crate::application) fn no_place(
    room_type: &RoomTypeId,
    wish: Option<&RoomId>,
    why: NoPlace,
) -> ReservationError {
    let (nights, fragmented) = match (why, wish) {
        (NoPlace::RoomTaken, Some(room)) => return ReservationError::RoomUnavailable(room.clone()),
        (NoPlace::RoomUnknown, Some(room)) => return ReservationError::RoomUnknown(room.clone()),
        (NoPlace::Full { nights, fragmented }, _) => (nights, fragmented),
        (NoPlace::RoomTaken | NoPlace::RoomUnknown, None) => (Vec::new(), true),
    };
    ReservationError::NoAvailability { room_type: room_type.clone(), nights, fragmented }
}

/// Rooms for all of the wish, or for none. Says which allocations of others were moved.
pub(in crate::application) fn place_all(
    wish: &Wish,
    items: &mut [Item],
    shelves: &mut BTreeMap<RoomTypeId, Shelf>,
    next_id: impl Fn() -> String,
) -> Result<Vec<(String, RoomId)>, ReservationError> {
    let before: BTreeMap<RoomTypeId, Vec<Taken>> =
        shelves.iter().map(|(id, shelf)| (id.clone(), shelf.stock.taken.clone())).collect();
    // Whoever was sold a room that was not there goes before whoever comes now.
    for shelf in shelves.values_mut().filter(|shelf| shelf.stock.whole) {
        shelf.stock.seat_waiting();
    }
    // Named rooms first: the others find their place around them.
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by_key(|at| wish.items[*at].room.is_none());
    for at in order {
        let wanted = &wish.items[at];
        let unknown = || ReservationError::RoomTypeUnknown(wanted.room_type.clone());
        let shelf = shelves.get_mut(&wanted.room_type).ok_or_else(unknown)?;
        let allocation = format!("alc_{}", next_id());
        let room = shelf
            .stock
            .place(&allocation, wish.stay, wanted.room.as_ref())
            .map_err(|why| no_place(&wanted.room_type, wanted.room.as_ref(), why))?;
        items[at].place = Some(Place { allocation, room, pinned: wanted.room.is_some() });
    }
    let mut moved = Vec::new();
    for (id, shelf) in shelves {
        moved.extend(shelf.stock.moves(&before[id]));
        for item in items.iter_mut() {
            // A new one may have been moved by the next.
            if let Some(place) = &mut item.place
                && let Some(taken) = shelf.stock.taken.iter().find(|taken| taken.allocation == place.allocation)
            {
                place.room.clone_from(&taken.room);
            }
        }
    }
    Ok(moved)
}
