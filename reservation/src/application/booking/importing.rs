//! Bookings that another book has: many at a time, each once, however often the book is read.

use std::collections::{BTreeMap, HashSet};

use contracts::actor::Actor;
use contracts::ids::{PropertyId, ReservationId, RoomTypeId};
use contracts::reservation::{Channel, PaymentMethod};
use platform::{Ids, UnitOfWork};

use super::wishes::{place_all, priced, take_the_guests};
use super::{BookingWords, First, GuestWords, House, Wish, bare_id, draft, keep_rooms};
use crate::ReservationError;
use crate::application::{alarms, overbooked};
use crate::domain::placing::LOOKED_AT;
use crate::domain::rooms::RoomType;
use crate::infrastructure::inventory::{self, Shelf};
use crate::infrastructure::{reservations, rooms};

/// Whom they come from: with their reference they are known again.
pub const PARTNER: &str = "import";

/// A booking as the other book has it.
#[derive(Clone, Debug)]
pub struct ToImport {
    pub reference: String,
    pub wish: Wish,
    pub guest: GuestWords,
    pub channel: Channel,
    pub group_code: Option<String>,
}

/// What became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    New(ReservationId),
    /// It came in before.
    Known,
    /// The guest has left by now.
    Over,
    /// There is no room for all of its nights.
    Full,
    /// There is one by the count, where others are moved aside: it has to be brought in by itself.
    ByItself,
    /// There is no such room type.
    NoSuchType(String),
    Refused(String),
}

/// Brings in bookings of one house, in one unit of work, each confirmed and to be paid at the desk. With `alone` others are moved aside
/// for it.
pub async fn bring_in(
    uow: &mut UnitOfWork,
    ids: &Ids,
    property: &PropertyId,
    bookings: &[ToImport],
    alone: bool,
) -> Result<Vec<Fate>, ReservationError> {
    let house = House::of(uow, property).await?;
    house.is_open()?;
    if house.is_external() {
        // Whoever keeps the count sets rooms aside one booking at a time, and says so.
        let refused = Fate::Refused(ReservationError::ExternalInventory.to_string());
        return Ok(vec![refused; bookings.len()]);
    }
    let today = house.time.hotel_date(uow.now());
    let references: Vec<&str> = bookings.iter().map(|one| one.reference.as_str()).collect();
    let known = reservations::known_references(uow, PARTNER, &references, property).await?;
    let known: HashSet<String> = known.into_iter().collect();
    let is_due = |one: &&ToImport| one.wish.stay.end() > today && !known.contains(&one.reference);
    let due: Vec<&ToImport> = bookings.iter().filter(is_due).collect();
    let (types, mut shelves) = stock_for(uow, property, &due, alone).await?;
    let mut fates = Vec::with_capacity(bookings.len());
    for booking in bookings {
        fates.push(if known.contains(&booking.reference) {
            Fate::Known
        } else if booking.wish.stay.end() <= today {
            Fate::Over
        } else {
            match one(uow, ids, &house, booking, (&types, &mut shelves)).await {
                Ok(id) => Fate::New(id),
                Err(ReservationError::NoAvailability { fragmented: true, .. }) if !alone => Fate::ByItself,
                Err(ReservationError::NoAvailability { .. }) => Fate::Full,
                Err(refusal @ ReservationError::RoomTypeUnknown(_)) => Fate::NoSuchType(refusal.to_string()),
                Err(ReservationError::General(refusal @ platform::Refusal::Fault(_))) => {
                    return Err(ReservationError::General(refusal));
                }
                Err(refusal) => Fate::Refused(refusal.to_string()),
            }
        });
    }
    Ok(fates)
}

/// The types that are wanted, locked, and what there is of them around the nights in question.
async fn stock_for(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    due: &[&ToImport],
    alone: bool,
) -> Result<(Vec<RoomType>, BTreeMap<RoomTypeId, Shelf>), ReservationError> {
    let mut wanted: Vec<RoomTypeId> =
        due.iter().flat_map(|one| one.wish.items.iter().map(|item| item.room_type.clone())).collect();
    wanted.sort();
    wanted.dedup();
    let first = due.iter().map(|one| one.wish.stay.start()).min();
    let last = due.iter().map(|one| one.wish.stay.end()).max();
    let (Some(first), Some(last)) = (first, last) else { return Ok((Vec::new(), BTreeMap::new())) };
    let types = rooms::lock_types(uow, &wanted).await?;
    let shelves = if alone {
        inventory::shelves(uow, property, &types, (first, last)).await?
    } else {
        inventory::shelves_near(uow, property, &types, (first, last), LOOKED_AT).await?
    };
    Ok((types, shelves))
}

async fn one(
    uow: &mut UnitOfWork,
    ids: &Ids,
    house: &House,
    booking: &ToImport,
    (types, shelves): (&[RoomType], &mut BTreeMap<RoomTypeId, Shelf>),
) -> Result<ReservationId, ReservationError> {
    let ToImport { reference, wish, guest, channel, group_code } = booking;
    take_the_guests(wish, types)?;
    let mut items = priced(wish, shelves, house.settings.currency, || bare_id(uow))?;
    let moved = place_all(wish, &mut items, shelves, || bare_id(uow))?;
    let words = BookingWords {
        channel: channel.clone(),
        partner_id: Some(PARTNER.to_owned()),
        external_reference: Some(reference.clone()),
        group_code: group_code.clone(),
        guest: guest.clone(),
        hold_ttl_seconds: None,
        payment_intent: None,
        expected_arrival_at: None,
        by: Actor::system("sys_import"),
    };
    let id: ReservationId = uow.next_id();
    let held = draft(uow, ids, house, wish, (id, items, First::default()), words).await?;
    let now = uow.now();
    // What was agreed elsewhere was agreed: no deposit is asked for.
    let decided = held.clone().hold().then(|held| held.confirm(Some(PaymentMethod::CashOnArrival), true, now, None))?;
    keep_rooms(uow, &held, moved);
    alarms::set(uow, &held, decided.state(), house);
    let confirmed = uow.save(decided);
    overbooked::notice(uow, None, &confirmed).await?;
    Ok(confirmed.id)
}
