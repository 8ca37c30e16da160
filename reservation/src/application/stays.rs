//! From the confirmation to the last morning: what the desk does with one reservation.

use std::sync::OnceLock;

use contracts::actor::Actor;
use contracts::ids::ReservationId;
use contracts::reservation::{CancelReason, PaymentMethod};
use platform::auth::{Caller, Role};
use platform::http::IfMatch;
use platform::{Decided, Refusal, UnitOfWork};

use super::arriving::count_keys;
use super::booking::House;
use super::{alarms, freed, overbooked};
use crate::ReservationError;
use crate::domain::advance::advance;
use crate::domain::decisions::{Cancel, Consequence, Moment, StayError};
use crate::domain::facts::Fact;
use crate::domain::money::Money;
use crate::domain::reservation::ReservationStatus::{
    Cancelled, CheckInStarted, CheckedIn, CheckedOut, Confirmed, Expired, Held, NoShow,
};
use crate::domain::reservation::{Folio, Item, Reservation};
use crate::infrastructure::guests::KnownGuest;
use crate::infrastructure::reservations::AtHand;
use crate::infrastructure::{inventory, reservations};

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
        inventory::release(uow, id, lost.clone(), now, house.time.hotel_date(now));
    }
    let arrives = before.status != after.status && matches!(after.status, CheckInStarted | CheckedIn);
    if arrives {
        inventory::pin(uow, id, after.status == CheckedIn);
    }
    alarms::set(uow, before, &after, house);
    let mut saved = uow.save(decided);
    for place in saved.items.iter_mut().filter(|_| arrives).filter_map(|item| item.place.as_mut()) {
        place.pinned = true;
    }
    // Who has left is still known by the rooms; what else is given back is shown without one, as whoever asks next finds it.
    let has_left = saved.status == CheckedOut;
    for item in saved.items.iter_mut().filter(|item| !has_left && lost.contains(&item.id)) {
        item.place = None;
    }
    (saved, gone)
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
pub(super) fn hear_of_payments(
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
    let moment = moment(uow, on.by, &house);
    let decided = reservation.clone().pay_at_desk(amount, &method, &fresh_id(uow), &moment)?;
    let decided = count_money(decided, &moment)?;
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
    let moment = moment(uow, on.by, &house);
    let decided = count_keys(reservation.clone().cancel(&words.told(fresh_id(uow)), &moment)?, &moment)?;
    let decided = count_money(decided, &moment)?;
    conclude(uow, &reservation, decided, &house).await
}

/// A hold that is left with fewer rooms, or is paid for at the desk as well, may have enough by what was captured before: nobody would tell
/// of that money again.
fn count_money(decided: Decided<Reservation>, moment: &Moment<'_>) -> Result<Decided<Reservation>, StayError> {
    if decided.state().status != Held {
        return Ok(decided);
    }
    match advance(decided.state().clone(), moment, "", "")? {
        Some(paid) if paid.state().status == Confirmed => decided.then(|_| Ok(paid)),
        _ => Ok(decided),
    }
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

pub async fn start_checkout(uow: &mut UnitOfWork, on: OnReservation<'_>) -> Result<Reservation, ReservationError> {
    let (reservation, house) = on.load(uow).await?;
    let decided = reservation.clone().start_checkout(&moment(uow, on.by, &house))?;
    conclude(uow, &reservation, decided, &house).await
}

pub async fn leave_early(
    uow: &mut UnitOfWork,
    on: OnReservation<'_>,
    because: Option<String>,
) -> Result<Reservation, ReservationError> {
    let (reservation, house) = on.load(uow).await?;
    let decided = reservation.clone().leave_early(because, &moment(uow, on.by, &house))?;
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
