//! A price is asked for, rooms are set aside, a reservation begins.

use std::collections::BTreeMap;

use contracts::actor::Actor;
use contracts::ids::{GuestId, PropertyId, QuoteId, ReservationId, RoomId, RoomTypeId};
use contracts::reservation::{Channel, ContactHash, FxSnapshot, Occupants};
use contracts::time::Timestamp;
use contracts::values::Currency;
use platform::{Ids, Refusal, UnitOfWork};

use crate::ReservationError;
use crate::domain::money::Money;
use crate::domain::placing::{Block, NoPlace, Taken};
use crate::domain::policy::Policy;
use crate::domain::quote::Quote;
use crate::domain::reservation::{Guest, Hold, Item, Place, Reservation, ReservationStatus, exchanged};
use crate::domain::rooms::RoomType;
use crate::domain::settings::Settings;
use crate::domain::stay::{DAYS_AHEAD, HouseTime, Stay, days_between};
use crate::infrastructure::guests::{self, KnownGuest};
use crate::infrastructure::inventory::{self, Allotted, Shelf};
use crate::infrastructure::timers::{self, TimerKind};
use crate::infrastructure::{policies, quotes, reservations, rooms, settings};

/// The letters of a code: no look-alikes, no vowels.
const LETTERS: &[u8; 24] = b"346789BCDFGHJKMNPQRTVWXY";

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

/// Who comes, as far as was said.
#[derive(Clone, Debug, Default)]
pub struct GuestWords {
    pub id: Option<GuestId>,
    pub name: Option<String>,
    pub email: Option<String>,
    pub phone: Option<String>,
    pub locale: Option<String>,
}

/// All else that a reservation is made of.
#[derive(Clone, Debug)]
pub struct BookingWords {
    pub channel: Channel,
    pub partner_id: Option<String>,
    pub external_reference: Option<String>,
    pub group_code: Option<String>,
    pub guest: GuestWords,
    pub hold_ttl_seconds: Option<u32>,
    pub payment_intent: Option<String>,
    pub expected_arrival_at: Option<Timestamp>,
    pub by: Actor,
}

/// What the house brings to a booking.
#[derive(Debug)]
pub struct House {
    pub settings: Settings,
    pub time: HouseTime,
    pub policy: Policy,
}

impl House {
    pub async fn of(uow: &mut UnitOfWork, property: &PropertyId) -> Result<Self, ReservationError> {
        let (settings, _) = settings::load(uow, Some(property)).await?;
        let version = settings.cancellation_policy_version.clone();
        let policy = policies::find(uow, &version).await?.ok_or(ReservationError::PolicyUnknown(version))?;
        Ok(Self { time: HouseTime::of(&settings), settings, policy })
    }
}

/// Whether a stay may be sold now.
fn may_be_sold(stay: Stay, house: &House, now: Timestamp) -> Result<(), ReservationError> {
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
async fn types_of(uow: &mut UnitOfWork, wish: &Wish, locked: bool) -> Result<Vec<RoomType>, ReservationError> {
    let mut ids: Vec<RoomTypeId> = wish.items.iter().map(|item| item.room_type.clone()).collect();
    ids.sort();
    ids.dedup();
    let found = if locked { rooms::lock_types(uow, &ids).await? } else { rooms::find_types(uow, &ids).await? };
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
    Ok(found)
}

/// The currency of a booking: the house's, or another one with a rate of exchange between the two.
fn currency_of(wish: &Wish, house: Currency) -> Result<Currency, ReservationError> {
    let currency = wish.currency.unwrap_or(house);
    let one = Money::of(1_000_000)?;
    if currency != house && wish.fx.as_ref().and_then(|fx| exchanged(one, house, currency, fx)).is_none() {
        return Err(ReservationError::FxRateMissing);
    }
    Ok(currency)
}

fn priced(
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
            match &wish.fx {
                Some(fx) if currency != house => exchanged(rate, house, currency, fx).ok_or_else(missing),
                _ => Ok(rate),
            }
        };
        items.push(Item {
            id: next_id(),
            room_type_id: wanted.room_type.clone(),
            occupants: wanted.occupants.clone(),
            nightly_rates: wish.stay.dates().map(rate_of).collect::<Result<_, _>>()?,
            active: true,
            place: None,
        });
    }
    Ok(items)
}

fn no_place(wanted: &Wanted, why: NoPlace) -> ReservationError {
    match (why, &wanted.room) {
        (NoPlace::RoomTaken, Some(room)) => ReservationError::RoomUnavailable(room.clone()),
        (NoPlace::RoomUnknown, Some(room)) => ReservationError::RoomUnknown(room.clone()),
        (NoPlace::Full { nights, fragmented }, _) => {
            ReservationError::NoAvailability { room_type: wanted.room_type.clone(), nights, fragmented }
        }
        (NoPlace::RoomTaken | NoPlace::RoomUnknown, None) => ReservationError::NoAvailability {
            room_type: wanted.room_type.clone(),
            nights: Vec::new(),
            fragmented: true,
        },
    }
}

/// Rooms for all of the wish, or for none. Says which allocations of others were moved.
fn place_all(
    wish: &Wish,
    items: &mut [Item],
    shelves: &mut BTreeMap<RoomTypeId, Shelf>,
    next_id: impl Fn() -> String,
) -> Result<Vec<(String, RoomId)>, ReservationError> {
    let before: BTreeMap<RoomTypeId, Vec<Taken>> =
        shelves.iter().map(|(id, shelf)| (id.clone(), shelf.stock.taken.clone())).collect();
    // Named rooms first: the others find their place around them.
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by_key(|at| wish.items[*at].room.is_none());
    for at in order {
        let wanted = &wish.items[at];
        let unknown = || ReservationError::RoomTypeUnknown(wanted.room_type.clone());
        let shelf = shelves.get_mut(&wanted.room_type).ok_or_else(unknown)?;
        let allocation = format!("alc_{}", next_id());
        let room =
            shelf.stock.place(&allocation, wish.stay, wanted.room.as_ref()).map_err(|why| no_place(wanted, why))?;
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

/// A price is given. No room is set aside.
pub async fn quote(
    uow: &mut UnitOfWork,
    wish: Wish,
    (channel, partner_id): (Channel, Option<String>),
    (guest_id, device_id): (Option<GuestId>, Option<contracts::ids::DeviceId>),
) -> Result<Quote, ReservationError> {
    let now = uow.now();
    let house = House::of(uow, &wish.property).await?;
    may_be_sold(wish.stay, &house, now)?;
    let types = types_of(uow, &wish, false).await?;
    let mut shelves = inventory::shelves(uow, &wish.property, &types, (wish.stay.start(), wish.stay.end())).await?;
    let device_id = device_id.or_else(|| guest_id.is_none().then(|| uow.next_id()));
    let next_id = || uow.next_id::<ReservationId>().as_str()[4..].to_owned();
    let mut items = priced(&wish, &shelves, house.settings.currency, next_id)?;
    let available = match place_all(&wish, &mut items, &mut shelves, next_id) {
        Ok(_) => true,
        Err(ReservationError::NoAvailability { .. } | ReservationError::RoomUnavailable(_)) => false,
        Err(other) => return Err(other),
    };
    for item in &mut items {
        item.place = None;
    }
    crate::domain::reservation::totals(items.iter(), house.settings.tax_ppm, house.settings.currency)?;
    let quote = Quote {
        id: uow.next_id(),
        property_id: wish.property.clone(),
        available,
        used: false,
        guest_id,
        device_id,
        channel,
        partner_id,
        stay: wish.stay,
        items,
        currency: wish.currency.unwrap_or(house.settings.currency),
        fx: wish.fx.clone(),
        tax_ppm: house.settings.tax_ppm,
        policy_ref: house.policy.reference(),
        created_at: now,
        expires_at: now.plus_seconds(i64::from(house.settings.quote_ttl_seconds)),
        version: 0,
    };
    Ok(uow.save(quote.give()))
}

/// The wish that a quote was given for, at its prices; the quote is spent.
pub async fn spend(uow: &mut UnitOfWork, id: &QuoteId) -> Result<(Wish, Vec<Item>, Quote), ReservationError> {
    let quote = quotes::lock(uow, id).await?.ok_or(Refusal::NotFound("quote"))?;
    let now = uow.now();
    let spent = uow.save(quote.spend(now).map_err(ReservationError::Quote)?);
    let wanted = |item: &Item| Wanted {
        room_type: item.room_type_id.clone(),
        occupants: item.occupants.clone(),
        rate: None,
        room: None,
    };
    let wish = Wish {
        property: spent.property_id.clone(),
        stay: spent.stay,
        items: spent.items.iter().map(wanted).collect(),
        currency: Some(spent.currency),
        fx: spent.fx.clone(),
    };
    Ok((wish, spent.items.clone(), spent))
}

/// How a booking comes about.
#[derive(Clone, Debug)]
pub enum When {
    /// The guest stands at the desk: a room that somebody is still in is of no use.
    Now,
    /// At the prices of the day.
    Ahead,
    /// At the prices of a quote.
    Quoted(Vec<Item>),
}

/// A reservation with its rooms, ready to be held; nothing is saved but the guest.
pub async fn prepare(
    uow: &mut UnitOfWork,
    ids: &Ids,
    wish: &Wish,
    when: When,
    words: BookingWords,
) -> Result<Prepared, ReservationError> {
    let now = uow.now();
    let house = House::of(uow, &wish.property).await?;
    may_be_sold(wish.stay, &house, now)?;
    if let Some(reference) = &words.external_reference
        && let Some(known) = reservations::by_reference(uow, words.partner_id.as_deref(), reference).await?
    {
        return Err(ReservationError::DuplicateReference(known));
    }
    let types = types_of(uow, wish, true).await?;
    let mut shelves = inventory::shelves(uow, &wish.property, &types, (wish.stay.start(), wish.stay.end())).await?;
    let id: ReservationId = uow.next_id();
    if matches!(when, When::Now) {
        leave_out_who_is_in(uow, &mut shelves, &id, wish.stay).await?;
    }
    let mut items = {
        let next_id = || uow.next_id::<ReservationId>().as_str()[4..].to_owned();
        match when {
            When::Quoted(items) => items,
            When::Now | When::Ahead => priced(wish, &shelves, house.settings.currency, next_id)?,
        }
    };
    let moved = {
        let next_id = || uow.next_id::<ReservationId>().as_str()[4..].to_owned();
        place_all(wish, &mut items, &mut shelves, next_id)?
    };
    let guest = remember(uow, ids, words.guest, &house.settings.locale).await?;
    let ttl_seconds = words.hold_ttl_seconds.unwrap_or(house.settings.hold_ttl_seconds);
    let hold = Hold {
        hold_id: format!("hld_{}", &uow.next_id::<ReservationId>().as_str()[4..]),
        placed_at: now,
        expires_at: now.plus_seconds(i64::from(ttl_seconds)),
        ttl_seconds,
    };
    let reservation = Reservation {
        code: new_code(uow).await?,
        property_id: wish.property.clone(),
        status: ReservationStatus::Held,
        channel: words.channel,
        partner_id: words.partner_id,
        external_reference: words.external_reference,
        group_code: words.group_code,
        guest,
        stay: wish.stay,
        items,
        currency: wish.currency.unwrap_or(house.settings.currency),
        house_currency: house.settings.currency,
        fx: wish.fx.clone(),
        tax_ppm: house.settings.tax_ppm,
        deposit_ppm: house.settings.deposit_ppm,
        policy: house.policy.clone(),
        hold,
        payment_intent: words.payment_intent,
        method: None,
        pending_cash: false,
        folio_id: format!("fol_{}", &id.as_str()[4..]),
        charges: Vec::new(),
        desk_payments: Vec::new(),
        refunds_requested: BTreeMap::new(),
        check_in_by: None,
        checked_in_at: None,
        checked_out_at: None,
        early_check_in: false,
        left_early: false,
        overstayed_nights: 0,
        overstay_told: None,
        cancellation: None,
        expected_arrival_at: words.expected_arrival_at,
        last_modification_id: None,
        refunded_told: Money::ZERO,
        created_by: words.by,
        created_at: now,
        updated_at: now,
        facts: crate::domain::facts::Facts::default(),
        version: 0,
        id,
    };
    reservation.totals()?;
    Ok(Prepared { reservation, moved, house })
}

/// Rooms that somebody is in are as good as blocked for tonight.
async fn leave_out_who_is_in(
    uow: &mut UnitOfWork,
    shelves: &mut BTreeMap<RoomTypeId, Shelf>,
    but: &ReservationId,
    stay: Stay,
) -> Result<(), ReservationError> {
    let doors: Vec<RoomId> =
        shelves.values().flat_map(|shelf| shelf.stock.doors.iter().map(|door| door.id.clone())).collect();
    for room in inventory::occupied(uow, &doors, but).await? {
        for shelf in shelves.values_mut() {
            let has = |taken: &Taken| {
                taken.room.as_ref() == Some(&room) && taken.stay.overlaps(stay.start(), Some(stay.end()))
            };
            // Who stays tonight is counted already.
            if shelf.stock.doors.iter().any(|door| door.id == room) && !shelf.stock.taken.iter().any(has) {
                let to = stay.start().tomorrow().ok();
                shelf.stock.blocks.push(Block { room: room.clone(), from: stay.start(), to });
            }
        }
    }
    Ok(())
}

/// A reservation before it is one.
#[derive(Debug)]
pub struct Prepared {
    pub reservation: Reservation,
    pub moved: Vec<(String, RoomId)>,
    pub house: House,
}

/// The rooms are the reservation's from here on.
pub fn keep_rooms(uow: &mut UnitOfWork, reservation: &Reservation, moved: Vec<(String, RoomId)>) {
    let allotted: Vec<Allotted> = reservation
        .items
        .iter()
        .filter_map(|item| {
            let place = item.place.as_ref()?;
            Some(Allotted {
                allocation: place.allocation.clone(),
                item: item.id.clone(),
                room_type: item.room_type_id.clone(),
                room: place.room.clone(),
                pinned: place.pinned,
            })
        })
        .collect();
    inventory::keep(uow, moved, &allotted, (&reservation.property_id, &reservation.id, reservation.stay));
}

/// Rooms are set aside until the guest has paid.
pub async fn hold(
    uow: &mut UnitOfWork,
    ids: &Ids,
    wish: &Wish,
    when: When,
    words: BookingWords,
) -> Result<Reservation, ReservationError> {
    let Prepared { reservation, moved, .. } = prepare(uow, ids, wish, when, words).await?;
    keep_rooms(uow, &reservation, moved);
    timers::set(uow, &reservation.id, TimerKind::HoldExpiry, reservation.hold.expires_at, None);
    Ok(uow.save(reservation.hold()))
}

/// The guest as a reservation knows one; name and contacts go where they are kept.
async fn remember(
    uow: &mut UnitOfWork,
    ids: &Ids,
    words: GuestWords,
    house_locale: &str,
) -> Result<Guest, ReservationError> {
    let known = match &words.id {
        Some(id) => guests::find(uow, std::slice::from_ref(id)).await?.into_iter().next(),
        None => None,
    };
    let salt = guests::salt(uow, ids).await?;
    let said = ContactHash {
        email: words.email.as_deref().map(|email| guests::hash(&salt, &plain_email(email))),
        phone: words.phone.as_deref().map(|phone| guests::hash(&salt, &plain_phone(phone))),
    };
    let contact_hash = match &known {
        None => said,
        Some(known) => ContactHash {
            email: said.email.or_else(|| known.contact_hash.email.clone()),
            phone: said.phone.or_else(|| known.contact_hash.phone.clone()),
        },
    };
    let locale = words.locale.or_else(|| known.map(|known| known.locale)).unwrap_or_else(|| house_locale.to_owned());
    let guest_id = words.id.unwrap_or_else(|| uow.next_id());
    let guest = Guest { guest_id, locale, contact_hash };
    let kept = KnownGuest {
        id: guest.guest_id.clone(),
        name: words.name,
        email: words.email,
        phone: words.phone,
        locale: guest.locale.clone(),
        contact_hash: guest.contact_hash.clone(),
    };
    let now = uow.now();
    guests::keep(uow, kept, now);
    Ok(guest)
}

pub fn plain_email(email: &str) -> String {
    email.trim().to_lowercase()
}

/// `+` and digits.
pub fn plain_phone(phone: &str) -> String {
    let digits: String = phone.chars().filter(char::is_ascii_digit).collect();
    format!("+{digits}")
}

/// A code that nobody in the house has: six letters, more after three that were taken.
async fn new_code(uow: &mut UnitOfWork) -> Result<String, ReservationError> {
    let mut code = String::new();
    for letters in [6, 6, 6, 7, 8] {
        let random = uow.next_id::<ReservationId>().ulid().map_or(0, |ulid| ulid.random());
        code = code_of(random, letters);
        if !reservations::has_code(uow, &code).await? {
            break;
        }
    }
    Ok(code)
}

/// Letters of a random number.
pub fn code_of(mut random: u128, letters: usize) -> String {
    let mut code = String::from("GM-");
    for _ in 0..letters {
        let at = usize::try_from(random % LETTERS.len() as u128).unwrap_or(0);
        code.push(char::from(LETTERS[at]));
        random /= LETTERS.len() as u128;
    }
    code
}
