//! From the confirmation to the last morning: what the desk does with one reservation.

use std::sync::OnceLock;

use contracts::actor::Actor;
use contracts::ids::{ReservationId, RoomId, RoomTypeId};
use contracts::reservation::{CancelReason, PaymentMethod};
use platform::auth::{Caller, Role};
use platform::http::IfMatch;
use platform::{Decided, Fault, Ids, Refusal, UnitOfWork};

use super::booking::{BookingWords, House, Prepared, When, Wish, keep_rooms, prepare};
use super::floor::Floor;
use super::{alarms, freed, overbooked};
use crate::ReservationError;
use crate::domain::advance::advance;
use crate::domain::decisions::{Cancel, Consequence, Moment, StayError, is_alone};
use crate::domain::facts::Fact;
use crate::domain::money::Money;
use crate::domain::reservation::ReservationStatus::{
    Cancelled, CheckInStarted, CheckedIn, CheckedOut, CheckoutStarted, Confirmed, Expired, Held, NoShow,
};
use crate::domain::reservation::{Folio, Item, Place, Reservation};
use crate::domain::settings::RoomReadiness;
use crate::domain::stay::Stay;
use crate::infrastructure::guests::KnownGuest;
use crate::infrastructure::inventory::Allotted;
use crate::infrastructure::reservations::AtHand;
use crate::infrastructure::{inventory, reservations, rooms};

/// A command on one reservation: who asks, in whose name, and which version they have seen.
#[derive(Clone, Copy, Debug)]
pub struct OnReservation<'a> {
    pub id: &'a ReservationId,
    pub caller: &'a Caller,
    pub by: &'a Actor,
    pub if_match: Option<&'a IfMatch>,
    /// Where the guest is kept who was found beside the reservation, for whoever shows it afterwards.
    pub guest: &'a OnceLock<Option<KnownGuest>>,
}

/// A reservation that the caller may look at.
pub async fn look_up(
    uow: &mut UnitOfWork,
    caller: &Caller,
    id: &ReservationId,
) -> Result<Reservation, ReservationError> {
    let found = reservations::find(uow, id).await?.filter(|one| caller.properties.include(&one.property_id));
    Ok(found.ok_or(Refusal::NotFound("reservation"))?)
}

impl OnReservation<'_> {
    pub(super) async fn load(&self, uow: &mut UnitOfWork) -> Result<(Reservation, House), ReservationError> {
        let found = reservations::lock_at_hand(uow, self.id).await?;
        let found = found.filter(|one| self.caller.properties.include(&one.reservation.property_id));
        let AtHand { reservation, house, guest } = found.ok_or(Refusal::NotFound("reservation"))?;
        IfMatch::check(self.if_match, reservation.version)?;
        let _ = self.guest.set(guest);
        Ok((reservation, House::known(uow, house)?))
    }

    /// Only a manager, or an admin, may wave something through.
    pub fn needs_manager(&self, asked: bool, what: &'static str) -> Result<(), ReservationError> {
        if asked && !self.caller.roles.any_of(&[Role::PropertyManager, Role::Admin]) {
            return Err(ReservationError::NotAllowed(what));
        }
        Ok(())
    }
}

pub(super) fn moment<'a>(uow: &UnitOfWork, by: &'a Actor, house: &'a House) -> Moment<'a> {
    Moment { now: uow.now(), by, house: &house.time }
}

/// Saves a decision with everything that follows from it for rooms and timers. What it gives back goes first to those in the house
/// who have no room.
pub(super) async fn conclude(
    uow: &mut UnitOfWork,
    before: &Reservation,
    decided: Decided<Reservation>,
    house: &House,
) -> Result<Reservation, ReservationError> {
    if given_back(before, decided.state()).is_empty() {
        let (after, _) = settle(uow, before, decided, house);
        overbooked::notice(uow, Some(before), &after).await?;
        return Ok(after);
    }
    let waiting = freed::lock(uow, &before.property_id, std::slice::from_ref(&before.id)).await?;
    let (after, gone) = settle(uow, before, decided, house);
    freed::seat_waiting(uow, &before.property_id, &waiting, &gone).await?;
    overbooked::notice(uow, Some(before), &after).await?;
    Ok(after)
}

/// The items whose nights are given back.
fn given_back(before: &Reservation, after: &Reservation) -> Vec<String> {
    let ended = matches!(after.status, CheckedOut | Cancelled | NoShow | Expired) && before.status != after.status;
    let is_lost = |id: &String| ended || after.items.iter().any(|one| one.id == *id && !one.active);
    before.items.iter().filter(|item| item.place.is_some()).map(|item| item.id.clone()).filter(is_lost).collect()
}

/// Queues a decision and what it means for rooms and timers; says which allocations it gives back. The types of what it gives back
/// are locked.
pub(super) fn settle(
    uow: &mut UnitOfWork,
    before: &Reservation,
    decided: Decided<Reservation>,
    house: &House,
) -> (Reservation, Vec<String>) {
    let after = decided.state().clone();
    let (id, now) = (&after.id, uow.now());
    let lost = given_back(before, &after);
    let of_lost = |item: &&Item| lost.contains(&item.id);
    let gone = before.items.iter().filter(of_lost).filter_map(|item| Some(item.place.as_ref()?.allocation.clone()));
    let gone: Vec<String> = gone.collect();
    if !lost.is_empty() {
        inventory::release(uow, id, lost, now, house.time.hotel_date(now));
    }
    if before.status != after.status {
        match after.status {
            CheckInStarted => inventory::pin(uow, id, false),
            CheckedIn => inventory::pin(uow, id, true),
            Held | Confirmed | CheckoutStarted | CheckedOut | Cancelled | NoShow | Expired => {}
        }
    }
    alarms::set(uow, before, &after, house);
    (uow.save(decided), gone)
}

pub(super) fn fresh_id(uow: &UnitOfWork) -> String {
    uow.next_id::<ReservationId>().as_str()[4..].to_owned()
}

pub async fn intend_payment(
    uow: &mut UnitOfWork,
    on: OnReservation<'_>,
    intent: String,
) -> Result<Reservation, ReservationError> {
    let (reservation, house) = on.load(uow).await?;
    let decided = reservation.clone().intend_payment(intent, uow.now())?;
    conclude(uow, &reservation, decided, &house).await
}

/// How a booking is paid, as it was said.
#[derive(Clone, Debug)]
pub struct PaymentWords {
    pub method: PaymentMethod,
    pub intents: Vec<String>,
    /// What is there already, by the word of whoever says so.
    pub captured: Option<Money>,
    pub deposit_waived: bool,
}

impl PaymentWords {
    /// The money comes with the guest.
    pub fn in_cash() -> Self {
        Self { method: PaymentMethod::CashOnArrival, intents: Vec::new(), captured: None, deposit_waived: false }
    }
}

/// The guest will come: paid, or with cash.
pub async fn confirm(
    uow: &mut UnitOfWork,
    on: OnReservation<'_>,
    words: PaymentWords,
) -> Result<Reservation, ReservationError> {
    on.needs_manager(words.deposit_waived, "only a manager waives a deposit")?;
    let (before, house) = on.load(uow).await?;
    let mut reservation = before.clone();
    if reservation.status == Held {
        hear_of_payments(uow, &mut reservation, &words)?;
    }
    let decided = reservation.confirm(Some(words.method), words.deposit_waived, uow.now(), None)?;
    conclude(uow, &before, decided, &house).await
}

/// What somebody says was captured counts until the payment service tells of the same payment itself.
fn hear_of_payments(
    uow: &mut UnitOfWork,
    reservation: &mut Reservation,
    words: &PaymentWords,
) -> Result<(), ReservationError> {
    let mut left = words.captured.unwrap_or_default();
    let mut intents = words.intents.clone();
    if intents.is_empty() {
        intents.extend(reservation.payment_intent.clone());
    }
    if intents.is_empty() && left.is_due() {
        return Err(Refusal::invalid("payment.paymentIntentIds", "which payment was captured").into());
    }
    for intent in intents {
        let (key, method) = (format!("said {intent}"), Some(words.method.clone()));
        // One sum for all of them stands with the first.
        let fact = Fact::Captured { intent, amount: std::mem::take(&mut left), method, event: String::new() };
        if reservation.facts.note(&key, fact.clone()) {
            let now = uow.now();
            reservations::note(uow, &reservation.id, &key, &fact, now);
        }
    }
    Ok(())
}

/// Money at the desk.
pub async fn pay(
    uow: &mut UnitOfWork,
    on: OnReservation<'_>,
    amount: Money,
    method: PaymentMethod,
    currency: contracts::values::Currency,
) -> Result<Reservation, ReservationError> {
    let (reservation, house) = on.load(uow).await?;
    if currency != reservation.currency {
        return Err(ReservationError::CurrencyMismatch);
    }
    let decided = reservation.clone().pay_at_desk(amount, &method, &fresh_id(uow), &moment(uow, on.by, &house))?;
    conclude(uow, &reservation, decided, &house).await
}

/// Why somebody cancels, as it was said.
#[derive(Clone, Debug)]
pub struct CancelWords {
    pub reason_code: CancelReason,
    pub reason: String,
    pub items: Option<Vec<String>>,
    pub waive_penalty: bool,
}

impl CancelWords {
    pub(super) fn told(&self, modification: String) -> Cancel<'_> {
        Cancel {
            reason_code: self.reason_code.clone(),
            reason: self.reason.clone(),
            items: self.items.as_deref(),
            waive_penalty: self.waive_penalty,
            cause: None,
            modification,
        }
    }
}

pub async fn cancel(
    uow: &mut UnitOfWork,
    on: OnReservation<'_>,
    words: &CancelWords,
) -> Result<Reservation, ReservationError> {
    on.needs_manager(words.waive_penalty, "only a manager waives a penalty")?;
    let (reservation, house) = on.load(uow).await?;
    let decided = reservation.clone().cancel(&words.told(fresh_id(uow)), &moment(uow, on.by, &house))?;
    conclude(uow, &reservation, decided, &house).await
}

/// What a cancellation would cost now.
pub async fn preview(
    uow: &mut UnitOfWork,
    caller: &Caller,
    id: &ReservationId,
    items: Option<Vec<String>>,
) -> Result<Consequence, ReservationError> {
    let reservation = look_up(uow, caller, id).await?;
    let house = House::of(uow, &reservation.property_id).await?;
    let reason_code = CancelReason::GuestCancelled;
    let words = CancelWords { reason_code, reason: String::new(), items, waive_penalty: false };
    let by = caller.actor();
    Ok(reservation.preview(&words.told(String::new()), &moment(uow, &by, &house))?)
}

pub async fn call_no_show(
    uow: &mut UnitOfWork,
    on: OnReservation<'_>,
    reason: Option<String>,
) -> Result<Reservation, ReservationError> {
    let (reservation, house) = on.load(uow).await?;
    let decided = no_show(reservation.clone(), reason, &moment(uow, on.by, &house))?;
    conclude(uow, &reservation, decided, &house).await
}

pub(super) fn no_show(
    reservation: Reservation,
    reason: Option<String>,
    moment: &Moment<'_>,
) -> Result<Decided<Reservation>, ReservationError> {
    let reason = reason.unwrap_or_else(|| "the guest did not come".to_owned());
    let words = CancelWords { reason_code: CancelReason::NoShow, reason, items: None, waive_penalty: false };
    Ok(reservation.call_no_show(&words.told(String::new()), moment)?)
}

/// Which room an item is to get.
#[derive(Clone, Debug)]
pub struct Assigned {
    pub item: String,
    pub room: RoomId,
}

/// A reservation after a step at the desk, with what the desk should know.
#[derive(Debug)]
pub struct AtDesk {
    pub reservation: Reservation,
    pub warnings: Vec<String>,
}

impl From<Reservation> for AtDesk {
    fn from(reservation: Reservation) -> Self {
        Self { reservation, warnings: Vec::new() }
    }
}

/// The guest stands at the desk, or goes up to the room at once.
pub async fn check_in(
    uow: &mut UnitOfWork,
    on: OnReservation<'_>,
    assigned: &[Assigned],
    (complete, force): (bool, bool),
) -> Result<AtDesk, ReservationError> {
    let (reservation, house) = on.load(uow).await?;
    reservation.may_check_in(&moment(uow, on.by, &house))?;
    let before = reservation.clone();
    let reservation = assign(uow, reservation, assigned, &house).await?;
    let warnings = look_over_rooms(uow, &reservation, on.by, force, &house).await?;
    let moment = moment(uow, on.by, &house);
    let decided =
        if complete { reservation.complete_check_in(&moment)? } else { reservation.start_check_in(&moment)? };
    // Keys that came before the guest count now.
    let decided = if decided.state().status == CheckInStarted && !decided.state().lacks_a_key() {
        decided.then(|started| match advance(started.clone(), &moment, "", "") {
            Ok(Some(next)) => Ok(next),
            Ok(None) => started.complete_check_in(&moment),
            Err(error) => Err(error),
        })?
    } else {
        decided
    };
    Ok(AtDesk { reservation: conclude(uow, &before, decided, &house).await?, warnings })
}

/// Every item gets the room that is named, the one it has, or the best there is.
async fn assign(
    uow: &mut UnitOfWork,
    reservation: Reservation,
    assigned: &[Assigned],
    house: &House,
) -> Result<Reservation, ReservationError> {
    for one in assigned {
        reservation.item(&one.item)?;
    }
    let named: Vec<RoomId> = assigned.iter().map(|one| one.room.clone()).collect();
    let doors = rooms::find(uow, &named).await?;
    for room in &named {
        let sold =
            doors.iter().find(|door| door.id == *room && door.property_id == reservation.property_id && !door.archived);
        if sold.is_none_or(|door| door.room_type_id.is_none()) {
            return Err(ReservationError::RoomUnknown(room.clone()));
        }
    }
    let type_of = |room: &RoomId| doors.iter().find(|door| door.id == *room).and_then(|door| door.room_type_id.clone());
    let wish_of = |item: &Item| assigned.iter().find(|one| one.item == item.id).map(|one| one.room.clone());
    let keeps = |item: &Item| {
        item.place.as_ref().is_some_and(|place| place.pinned && place.room.is_some())
            && wish_of(item).is_none_or(|wish| Some(&wish) == item.room())
    };
    if reservation.active_items().all(keeps) {
        return Ok(reservation);
    }
    let today = house.time.hotel_date(uow.now());
    let more: Vec<RoomTypeId> = named.iter().filter_map(&type_of).collect();
    let types = Floor::lock(uow, &reservation, &more).await?;
    // Whoever was not told a room could be moved until the types were locked: what is told now is what is written.
    let again = reservations::find(uow, &reservation.id).await?;
    let mut reservation = Reservation { items: again.ok_or(Refusal::NotFound("reservation"))?.items, ..reservation };
    // What has to change: an item with another room named, or with none.
    let mut changes: Vec<(usize, RoomTypeId, Option<RoomId>)> = Vec::new();
    for (at, item) in reservation.items.iter().enumerate().filter(|(_, item)| item.active) {
        let wish = wish_of(item);
        if wish.is_some() && wish.as_ref() != item.room() || wish.is_none() && item.room().is_none() {
            let room_type = wish.as_ref().and_then(&type_of).unwrap_or_else(|| item.room_type_id.clone());
            changes.push((at, room_type, wish));
        }
    }
    if changes.is_empty() {
        return Ok(reservation);
    }
    let mut floor = Floor::over(uow, &reservation, &types, (today, reservation.stay.end())).await?;
    // Where another service keeps the count, a room becomes ours when the guest stands at the desk.
    let here = Stay::new(reservation.stay.start().max(today), reservation.stay.end()).unwrap_or(reservation.stay);
    let mut nights = Vec::with_capacity(changes.len());
    for (at, ..) in &changes {
        let item = &reservation.items[*at];
        // A room that came to be of another type meanwhile: whoever tries again finds it there.
        nights.push(match &item.place {
            None => here,
            Some(_) => floor.nights_of(item).ok_or(Fault::Conflict)?,
        });
    }
    for place in changes.iter().filter_map(|(at, ..)| reservation.items[*at].place.as_ref()) {
        floor.lift(&place.allocation);
    }
    let mut given = Vec::new();
    for ((at, room_type, wish), nights) in changes.iter().zip(nights) {
        let item = &mut reservation.items[*at];
        let unavailable = || match wish {
            Some(room) => ReservationError::RoomUnavailable(room.clone()),
            None => StayError::NoRoom(item.id.clone()).into(),
        };
        let is_new = item.place.is_none();
        let allocation = match &item.place {
            Some(place) => place.allocation.clone(),
            None => format!("alc_{}", fresh_id(uow)),
        };
        let placed = floor.place(&allocation, nights, room_type, wish.as_ref());
        let room = placed.map_err(|_| unavailable())?.ok_or_else(unavailable)?;
        if is_new {
            given.push((allocation.clone(), item.id.clone(), item.room_type_id.clone()));
        }
        item.place = Some(Place { allocation, room: Some(room), pinned: true });
    }
    floor.seat_waiting();
    // One item can have moved another aside.
    for place in reservation.items.iter_mut().filter(|item| item.active).filter_map(|item| item.place.as_mut()) {
        place.room = floor.room_of(&place.allocation);
    }
    let allotted = |(allocation, item, room_type): (String, String, RoomTypeId)| {
        let room = floor.room_of(&allocation);
        Allotted { allocation, item, room_type, room, pinned: true }
    };
    let given: Vec<Allotted> = given.into_iter().map(allotted).collect();
    inventory::keep(uow, floor.moves(), &given, (&reservation.property_id, &reservation.id, here));
    Ok(reservation)
}

/// Whether the rooms are empty and ready; what is only to be known comes back as warnings.
async fn look_over_rooms(
    uow: &mut UnitOfWork,
    reservation: &Reservation,
    by: &Actor,
    force: bool,
    house: &House,
) -> Result<Vec<String>, ReservationError> {
    let own: Vec<RoomId> = reservation.active_items().filter_map(|item| item.room().cloned()).collect();
    if let Some(room) = inventory::occupied(uow, &own, &reservation.id).await?.into_iter().next() {
        return Err(ReservationError::RoomOccupied(room));
    }
    if is_alone(by) && reservation.balance()?.is_due() {
        return Err(ReservationError::PaymentDue { balance: reservation.balance()? });
    }
    let doors = rooms::find(uow, &own).await?;
    let is_unready =
        |status: &str| matches!(status, "dirty" | "cleaning" | "cleaned" | "out_of_order" | "out_of_service");
    let unready = doors.iter().find(|door| door.housekeeping_status.as_deref().is_some_and(is_unready));
    let Some(unready) = unready else { return Ok(Vec::new()) };
    let required = is_alone(by) || house.settings.room_readiness == RoomReadiness::Require && !force;
    if required {
        return Err(ReservationError::RoomNotReady(unready.id.clone()));
    }
    let warns = house.settings.room_readiness == RoomReadiness::Warn;
    Ok(warns.then(|| "room_not_ready".to_owned()).into_iter().collect())
}

pub async fn start_checkout(uow: &mut UnitOfWork, on: OnReservation<'_>) -> Result<Reservation, ReservationError> {
    let (reservation, house) = on.load(uow).await?;
    let decided = reservation.clone().start_checkout(&moment(uow, on.by, &house))?;
    conclude(uow, &reservation, decided, &house).await
}

pub async fn leave_early(uow: &mut UnitOfWork, on: OnReservation<'_>) -> Result<Reservation, ReservationError> {
    let (reservation, house) = on.load(uow).await?;
    let decided = reservation.clone().leave_early(&moment(uow, on.by, &house))?;
    conclude(uow, &reservation, decided, &house).await
}

pub async fn check_out(
    uow: &mut UnitOfWork,
    on: OnReservation<'_>,
    bill: Option<Folio>,
    allow_unsettled: bool,
) -> Result<Reservation, ReservationError> {
    on.needs_manager(allow_unsettled, "only a manager lets a bill stay open")?;
    let (reservation, house) = on.load(uow).await?;
    if bill.as_ref().is_some_and(|bill| bill.currency != reservation.currency) {
        return Err(ReservationError::CurrencyMismatch);
    }
    let allowed = allow_unsettled || house.settings.allow_unsettled_checkout;
    let decided = reservation.clone().check_out(bill, allowed, &fresh_id(uow), &moment(uow, on.by, &house))?;
    conclude(uow, &reservation, decided, &house).await
}

/// Somebody stands at the desk without a booking: held, confirmed and checked in at once, with all events on the way.
pub async fn walk_in(
    uow: &mut UnitOfWork,
    ids: &Ids,
    (wish, quoted): (&Wish, Option<Vec<Item>>),
    words: BookingWords,
    (method, amount): (PaymentMethod, Option<Money>),
) -> Result<AtDesk, ReservationError> {
    let by = words.by.clone();
    let Prepared { reservation, moved, house } = prepare(uow, ids, wish, When::Now(quoted), words).await?;
    if reservation.stay.start() != house.time.hotel_date(uow.now()) {
        return Err(ReservationError::StayInvalid("a walk-in begins today"));
    }
    let warnings = look_over_rooms(uow, &reservation, &by, true, &house).await?;
    let paying = fresh_id(uow);
    let moment = moment(uow, &by, &house);
    keep_rooms(uow, &reservation, moved);
    let decided =
        reservation.hold().then(|held| held.confirm(Some(PaymentMethod::CashOnArrival), true, moment.now, None))?;
    let decided = match amount {
        Some(amount) => decided.then(|confirmed| confirmed.pay_at_desk(amount, &method, &paying, &moment))?,
        None => decided,
    };
    let decided = decided.then(|confirmed| confirmed.complete_check_in(&moment))?;
    let before = Reservation { status: Confirmed, ..decided.state().clone() };
    Ok(AtDesk { reservation: conclude(uow, &before, decided, &house).await?, warnings })
}
