//! Rooms are set aside, a reservation begins.

mod code;
pub(super) mod guest;
mod house;
mod importing;
mod quoting;
mod rehearsing;
pub(super) mod wishes;

use std::collections::BTreeMap;

pub use code::code_of;
pub use guest::{GuestWords, contact_forms};
pub use house::House;
pub use importing::{Fate, PARTNER, ToImport, bring_in};
pub use quoting::{quote, spend};
pub use rehearsing::{Rehearsal, Takes, ToMake};
pub use wishes::{Wanted, Wish};

use contracts::actor::Actor;
use contracts::ids::{ReservationId, RoomId, RoomTypeId};
use contracts::reservation::Channel;
use contracts::time::Timestamp;
use platform::auth::Properties;
use platform::{Ids, UnitOfWork};

use crate::ReservationError;
use crate::domain::money::Money;
use crate::domain::placing::{Block, LOOKED_AT, Taken};
use crate::domain::reservation::{Asked, Hold, Item, Reservation, ReservationStatus};
use crate::domain::rooms::{Room, RoomType};
use crate::domain::stay::Stay;
use crate::infrastructure::inventory::{self, Allotted, Near, Shelf};
use crate::infrastructure::timers::{self, TimerKind};
use crate::infrastructure::{houses, reservations, rooms};

/// All else that a reservation is made of.
#[derive(Clone, Debug)]
pub struct BookingWords {
    pub channel: Channel,
    pub partner_id: Option<String>,
    pub external_reference: Option<String>,
    pub group_code: Option<String>,
    pub guest: GuestWords,
    /// Whose guests may be named by their id.
    pub guests_of: Properties,
    pub hold_ttl_seconds: Option<u32>,
    pub payment_intent: Option<String>,
    pub expected_arrival_at: Option<Timestamp>,
    pub by: Actor,
}

/// How a booking comes about.
#[derive(Clone, Debug)]
pub enum When {
    /// The guest stands at the desk: a room that somebody is still in is of no use. At the prices of a quote, if there is one.
    Now(Option<Agreed>),
    /// At the prices of the day.
    Ahead,
    /// At the prices of a quote.
    Quoted(Agreed),
}

/// What a quote promised: its prices, and its tax, whatever the house asks since.
#[derive(Clone, Debug)]
pub struct Agreed {
    pub items: Vec<Item>,
    pub tax_ppm: u32,
}

impl When {
    fn agreed_tax(&self) -> Option<u32> {
        match self {
            Self::Now(Some(agreed)) | Self::Quoted(agreed) => Some(agreed.tax_ppm),
            Self::Now(None) | Self::Ahead => None,
        }
    }
}

/// A reservation before it is one.
#[derive(Debug)]
pub struct Prepared {
    pub reservation: Reservation,
    pub moved: Vec<(String, RoomId)>,
    pub house: House,
}

/// A reservation with its rooms, ready to be held; nothing is saved but the guest.
pub async fn prepare(
    uow: &mut UnitOfWork,
    ids: &Ids,
    wish: &Wish,
    when: When,
    words: BookingWords,
) -> Result<Prepared, ReservationError> {
    if let Some(reference) = &words.external_reference
        && let Some(known) = reservations::by_reference(uow, words.partner_id.as_deref(), reference).await?
    {
        return Err(ReservationError::DuplicateReference(known));
    }
    let (house, first, near) = look_first(uow, wish).await?;
    house.is_open()?;
    wishes::may_be_sold(wish.stay, &house, uow.now())?;
    let id: ReservationId = uow.next_id();
    let tax_ppm = when.agreed_tax();
    let (items, moved) = set_aside(uow, (&house, near), wish, when, &id).await?;
    let mut reservation = draft(uow, ids, &house, wish, (id, items, first), words).await?;
    reservation.tax_ppm = tax_ppm.unwrap_or(reservation.tax_ppm);
    Ok(Prepared { reservation, moved, house })
}

/// What was looked up for a new booking together with the house; what is not there is looked up when it is wanted.
#[derive(Default)]
struct First {
    salt: Option<String>,
    /// That nobody has.
    code: Option<String>,
}

/// The types that are wanted, locked, and what there is of them near the nights.
type Offered = (Vec<RoomType>, BTreeMap<RoomTypeId, Shelf>);

async fn look_first(uow: &mut UnitOfWork, wish: &Wish) -> Result<(House, First, Offered), ReservationError> {
    let code = code::draw(uow, code::SHORTEST);
    let wanted = wishes::type_ids(wish);
    let near = Near::new(&wish.property, &wanted, wish.stay, LOOKED_AT);
    let asked = houses::ask_and_lock(uow, &code, &near).await?;
    let first = First { salt: asked.salt, code: (!asked.code_taken).then_some(code) };
    Ok((House::known(uow, asked.house)?, first, (asked.types, asked.shelves)))
}

/// A reservation as it is before anything has happened to it; the guest is remembered.
async fn draft(
    uow: &mut UnitOfWork,
    ids: &Ids,
    house: &House,
    wish: &Wish,
    (id, items, first): (ReservationId, Vec<Item>, First),
    words: BookingWords,
) -> Result<Reservation, ReservationError> {
    let now = uow.now();
    let guest = guest::remember(uow, ids, first.salt, (words.guest, &words.guests_of), &house.settings.locale).await?;
    let code = match first.code {
        Some(code) => code,
        None => code::new_code(uow).await?,
    };
    let ttl_seconds = words.hold_ttl_seconds.unwrap_or(house.settings.hold_ttl_seconds);
    let hold = Hold {
        hold_id: format!("hld_{}", &uow.next_id::<ReservationId>().as_str()[4..]),
        placed_at: now,
        expires_at: now.plus_seconds(i64::from(ttl_seconds)),
        ttl_seconds,
    };
    let reservation = Reservation {
        code,
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
        charge_asked: Asked::default(),
        check_in_by: None,
        checked_in_at: None,
        checked_out_at: None,
        early_check_in: false,
        left_early: false,
        left_early_because: None,
        overstayed_nights: 0,
        overstay_told: None,
        cancellation: None,
        expected_arrival_at: words.expected_arrival_at,
        brought_back_at: None,
        external_inventory: house.is_external(),
        allocations_given_back: Vec::new(),
        keys_left_behind: 0,
        last_modification_id: None,
        special_requests: Vec::new(),
        refunded_told: Money::ZERO,
        created_by: words.by,
        created_at: now,
        updated_at: now,
        facts: crate::domain::facts::Facts::default(),
        version: 0,
        id,
    };
    reservation.totals()?;
    Ok(reservation)
}

/// The items of a wish with their prices and rooms, and who was moved aside for them. First only those near its nights are looked at,
/// which is enough wherever a room is free and nobody waits for one; else everybody who may have to move.
async fn set_aside(
    uow: &mut UnitOfWork,
    (house, (types, mut shelves)): (&House, Offered),
    wish: &Wish,
    when: When,
    id: &ReservationId,
) -> Result<(Vec<Item>, Vec<(String, RoomId)>), ReservationError> {
    wishes::take_the_guests(wish, &types)?;
    let now = matches!(when, When::Now(_));
    let mut items = match when {
        When::Quoted(agreed) | When::Now(Some(agreed)) => {
            // The house may count in another currency by now.
            wishes::currency_of(wish, house.settings.currency)?;
            agreed.items
        }
        When::Now(None) | When::Ahead => wishes::priced(wish, &shelves, house.settings.currency, || bare_id(uow))?,
    };
    // A guest at the desk has a room at once, whoever keeps the count.
    if house.is_external() && !now {
        return Ok((items, Vec::new()));
    }
    if now {
        as_they_are_now(uow, &mut shelves, id, wish.stay).await?;
    }
    if let Some(placed) = lay_near(uow, wish, &mut items, &mut shelves) {
        return placed.map(|moved| (items, moved));
    }
    let nights = (wish.stay.start(), wish.stay.end());
    let mut shelves = inventory::shelves(uow, &wish.property, &types, nights).await?;
    if now {
        as_they_are_now(uow, &mut shelves, id, wish.stay).await?;
    }
    let moved = wishes::place_all(wish, &mut items, &mut shelves, || bare_id(uow))?;
    Ok((items, moved))
}

/// Rooms among those near the nights. `None`: somebody waits for a room, or there is one only if others move, and everybody has to be
/// looked at.
fn lay_near(
    uow: &UnitOfWork,
    wish: &Wish,
    items: &mut [Item],
    shelves: &mut BTreeMap<RoomTypeId, Shelf>,
) -> Option<Result<Vec<(String, RoomId)>, ReservationError>> {
    let waits = |shelf: &Shelf| shelf.stock.taken.iter().any(|taken| taken.room.is_none());
    if shelves.values().any(waits) {
        return None;
    }
    match wishes::place_all(wish, items, shelves, || bare_id(uow)) {
        Err(ReservationError::NoAvailability { fragmented: true, .. } | ReservationError::RoomUnavailable(_)) => None,
        placed => Some(placed),
    }
}

/// Rooms for a wish, of which only those near its nights have been looked at so far.
async fn lay_all(
    uow: &mut UnitOfWork,
    wish: &Wish,
    items: &mut [Item],
    (types, near): (&[RoomType], &mut BTreeMap<RoomTypeId, Shelf>),
) -> Result<Vec<(String, RoomId)>, ReservationError> {
    if let Some(placed) = lay_near(uow, wish, items, near) {
        return placed;
    }
    let nights = (wish.stay.start(), wish.stay.end());
    let mut shelves = inventory::shelves(uow, &wish.property, types, nights).await?;
    wishes::place_all(wish, items, &mut shelves, || bare_id(uow))
}

fn bare_id(uow: &UnitOfWork) -> String {
    uow.next_id::<ReservationId>().as_str()[4..].to_owned()
}

/// For whoever is at the desk: rooms that somebody is in are as good as blocked for tonight, those that are not ready come last.
pub(super) async fn as_they_are_now(
    uow: &mut UnitOfWork,
    shelves: &mut BTreeMap<RoomTypeId, Shelf>,
    but: &ReservationId,
    stay: Stay,
) -> Result<(), ReservationError> {
    let doors: Vec<RoomId> =
        shelves.values().flat_map(|shelf| shelf.stock.doors.iter().map(|door| door.id.clone())).collect();
    let unready = rooms::find(uow, &doors).await?.into_iter().filter(Room::is_unready);
    for room in unready.map(|door| door.id) {
        for shelf in shelves.values_mut().filter(|shelf| shelf.stock.doors.iter().any(|door| door.id == room)) {
            shelf.stock.unready.insert(room.clone());
        }
    }
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
    timers::begin(uow, &reservation.id, TimerKind::HoldExpiry, reservation.hold.expires_at);
    Ok(uow.save(reservation.hold()))
}
