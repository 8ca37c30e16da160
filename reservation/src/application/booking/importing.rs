//! Bookings that another book has: many at a time, each once, however often the book is read.

use std::collections::{BTreeMap, HashMap};

use contracts::actor::Actor;
use contracts::ids::{PropertyId, ReservationId, RoomTypeId};
use contracts::reservation::{Channel, PaymentMethod};
use platform::auth::Properties;
use platform::{Ids, UnitOfWork};

use super::wishes::{place_all, priced, take_the_guests};
use super::{BookingWords, First, GuestWords, House, Wish, bare_id, draft, keep_rooms};
use crate::ReservationError;
use crate::application::{alarms, overbooked};
use crate::domain::placing::LOOKED_AT;
use crate::domain::reservation::Reservation;
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
    let sifted = sift(uow, &house, bookings).await?;
    let due: Vec<&ToImport> =
        bookings.iter().zip(&sifted).filter(|(_, fate)| fate.is_none()).map(|(one, _)| one).collect();
    let (types, mut shelves) = stock_for(uow, property, &due, alone).await?;
    let mut fates = Vec::with_capacity(bookings.len());
    for (booking, known) in bookings.iter().zip(sifted) {
        fates.push(match known {
            Some(fate) => fate,
            None => match one(uow, ids, &house, booking, (&types, &mut shelves)).await {
                Ok(id) => Fate::New(id),
                Err(why) => fate_of(why, alone)?,
            },
        });
    }
    Ok(fates)
}

/// What became of those that need no room: they are known, over, or none of ours to bring in.
pub(super) async fn sift(
    uow: &mut UnitOfWork,
    house: &House,
    bookings: &[ToImport],
) -> Result<Vec<Option<Fate>>, ReservationError> {
    house.is_open()?;
    if house.is_external() {
        // Whoever keeps the count sets rooms aside one booking at a time, and says so.
        let refused = Fate::Refused(ReservationError::ExternalInventory.to_string());
        return Ok(vec![Some(refused); bookings.len()]);
    }
    let today = house.time.hotel_date(uow.now());
    let references: Vec<&str> = bookings.iter().map(|one| one.reference.as_str()).collect();
    let Some(property) = bookings.first().map(|one| &one.wish.property) else { return Ok(Vec::new()) };
    let known = reservations::known_references(uow, PARTNER, &references, property).await?;
    let mut houses: HashMap<String, Vec<PropertyId>> = HashMap::new();
    for (reference, house) in known {
        houses.entry(reference).or_default().push(house);
    }
    let fate = |one: &ToImport| match houses.get(&one.reference).map(Vec::as_slice).unwrap_or_default() {
        here if here.contains(property) => Some(Fate::Known),
        _ if one.wish.stay.end() <= today => Some(Fate::Over),
        // Another booking, of another house: taken for this one it would be lost without a word.
        [elsewhere, ..] => Some(Fate::Refused(format!("{elsewhere} has a booking of this reference"))),
        [] => None,
    };
    Ok(bookings.iter().map(fate).collect())
}

/// What a refusal means for a booking; what went wrong with the book itself goes on as an error.
pub(super) fn fate_of(why: ReservationError, alone: bool) -> Result<Fate, ReservationError> {
    match why {
        ReservationError::NoAvailability { fragmented: true, .. } if !alone => Ok(Fate::ByItself),
        ReservationError::NoAvailability { .. } => Ok(Fate::Full),
        fault @ ReservationError::General(platform::Refusal::Fault(_)) => Err(fault),
        refusal => Ok(Fate::Refused(refusal.to_string())),
    }
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
        guests_of: Properties::All,
        hold_ttl_seconds: None,
        payment_intent: None,
        expected_arrival_at: None,
        by: Actor::system("sys_import"),
    };
    let id: ReservationId = uow.next_id();
    let now = uow.now();
    let draft = draft(uow, ids, house, wish, (id, items, First::default()), words).await?;
    // Whose stay has begun may be in the house already: the desk has the whole grace to say so before they count as not come.
    let brought_back_at = (house.time.check_in_at(wish.stay.start()) <= now).then_some(now);
    let held = Reservation { brought_back_at, ..draft };
    // What was agreed elsewhere was agreed: no deposit is asked for.
    let decided = held.clone().hold().then(|held| held.confirm(Some(PaymentMethod::CashOnArrival), true, now, None))?;
    keep_rooms(uow, &held, moved);
    alarms::set(uow, &held, decided.state(), house);
    let confirmed = uow.save(decided);
    overbooked::notice(uow, None, &confirmed).await?;
    Ok(confirmed.id)
}
