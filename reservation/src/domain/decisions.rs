//! What may be done to a reservation, and what follows from it. Everything that is not here is refused.

use contracts::actor::{Actor, ActorKind};
use contracts::reservation::{
    CancelReason, ModificationType, MoneyDirection, MoneyRequest, PaymentMethod, PolicyApplied, RefundRequest,
};
use contracts::time::Timestamp;
use jiff::civil::Date;
use platform::Decided;
use serde_json::{Map, Value, json};

use super::money::{Money, TooMuch};
use super::reservation::ReservationStatus::{
    self, CheckInStarted, CheckedIn, CheckedOut, CheckoutStarted, Confirmed, Expired, Held, NoShow,
};
use super::reservation::{Cancellation, Cancelled, Folio, FolioLine, Item, Modified, Reservation, ReservationEvent};
use super::stay::{HouseTime, days_between};

/// Why a reservation does not do what is asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StayError {
    #[error("a reservation that is {from} cannot {action}")]
    Illegal { from: ReservationStatus, action: &'static str },
    #[error("{required} micros have to be paid first")]
    DepositRequired { required: Money },
    #[error("it is too early: the stay begins on {begins}")]
    TooEarly { begins: Date },
    #[error("the stay was over on {ended}")]
    StayOver { ended: Date },
    #[error("the stay ends today or has ended: this is no early departure")]
    NotEarly,
    #[error("there is no active item {0}")]
    ItemUnknown(String),
    #[error("item {0} has no room; name one")]
    NoRoom(String),
    #[error("the bill is not settled: {balance} micros are open")]
    FolioUnsettled { balance: Money },
    #[error(transparent)]
    TooMuch(#[from] TooMuch),
}

/// Who does it, when, and by which clock on the wall.
#[derive(Clone, Debug)]
pub struct Moment<'a> {
    pub now: Timestamp,
    pub by: &'a Actor,
    pub house: &'a HouseTime,
}

/// Why somebody cancels, and what of it.
#[derive(Clone, Debug)]
pub struct Cancel<'a> {
    pub reason_code: CancelReason,
    pub reason: String,
    /// `None`: all of it.
    pub items: Option<&'a [String]>,
    pub waive_penalty: bool,
    pub cause: Option<String>,
    /// The id of the change, where rooms are left.
    pub modification: String,
}

/// What a cancellation would cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Consequence {
    pub policy_applied: PolicyApplied,
    pub refunds: Vec<RefundRequest>,
}

type Decision = Result<Decided<Reservation>, StayError>;

impl Reservation {
    fn illegal(&self, action: &'static str) -> StayError {
        StayError::Illegal { from: self.status, action }
    }

    pub(super) fn touched(mut self, now: Timestamp) -> Self {
        self.updated_at = now;
        self
    }

    /// Rooms are set aside. Everything about it is known.
    pub fn hold(self) -> Decided<Self> {
        Decided::opened(self, ReservationEvent::Held)
    }

    /// The time of the hold is over. What was paid goes back.
    pub fn expire(mut self, moment: &Moment<'_>) -> Decision {
        if self.status != Held {
            return Err(self.illegal("expire"));
        }
        self.status = Expired;
        let paid = self.paid()?.is_due();
        let expired = Decided::changed(self.touched(moment.now), ReservationEvent::HoldExpired { at: moment.now });
        if !paid {
            return Ok(expired);
        }
        expired.then(|reservation| reservation.give_back_late(moment, None))
    }

    /// The payment that will come.
    pub fn intend_payment(mut self, intent: String, now: Timestamp) -> Decision {
        if self.status != Held {
            return Err(self.illegal("take another payment intent"));
        }
        self.payment_intent = Some(intent.clone());
        Ok(Decided::changed(self.touched(now), ReservationEvent::PaymentIntended { intent }))
    }

    /// The guest will come: enough was paid, or cash comes with the guest.
    pub fn confirm(
        mut self,
        method: Option<PaymentMethod>,
        waived: bool,
        now: Timestamp,
        cause: Option<String>,
    ) -> Decision {
        if self.status != Held {
            return Err(self.illegal("be confirmed"));
        }
        let (paid, required) = (self.paid()?, self.required()?);
        let enough = paid.is_due() && paid >= required;
        let cash = method == Some(PaymentMethod::CashOnArrival) || waived;
        if !enough && required.is_due() && !waived {
            return Err(StayError::DepositRequired { required });
        }
        if !enough && !cash {
            return Err(StayError::DepositRequired { required: required.max(Money::of(1)?) });
        }
        self.pending_cash = !enough;
        self.method = Some(method.filter(|_| !enough).unwrap_or_else(|| self.facts.method()));
        self.status = Confirmed;
        Ok(Decided::changed(self.touched(now), ReservationEvent::Confirmed { at: now, cause }))
    }

    /// Money at the desk; below zero it is paid back.
    pub fn pay_at_desk(mut self, amount: Money, method: &PaymentMethod, id: String, moment: &Moment<'_>) -> Decision {
        if matches!(self.status, Held) {
            return Err(self.illegal("take money at the desk before it is confirmed"));
        }
        let before = self.balance()?;
        self.desk_payments.push(FolioLine { kind: format!("payment_{method}"), amount, at: moment.now });
        let after = self.balance()?;
        let told = changed_number("balanceMicro", before, after);
        Ok(self.modified(ModificationType::RateChange, id, told, None, moment))
    }

    fn modified(
        mut self,
        kind: ModificationType,
        id: String,
        (before, after): (Map<String, Value>, Map<String, Value>),
        money: Option<MoneyRequest>,
        moment: &Moment<'_>,
    ) -> Decided<Self> {
        self.last_modification_id = Some(id.clone());
        let event = Modified {
            id,
            kind,
            at: moment.now,
            by: moment.by.clone(),
            before,
            after,
            price_delta: Money::ZERO,
            policy_ref: None,
            money,
        };
        Decided::changed(self.touched(moment.now), ReservationEvent::Modified(Box::new(event)))
    }

    /// What was refunded in the middle of a stay is told once.
    pub(super) fn tell_refunds(mut self, id: String, moment: &Moment<'_>) -> Decision {
        let sum = self.facts.refunded_sum()?;
        let told = changed_number("totalRefundedMicro", self.refunded_told, sum);
        self.refunded_told = sum;
        Ok(self.modified(ModificationType::RateChange, id, told, None, moment))
    }

    /// What would follow from a cancellation.
    pub fn preview(&self, cancel: &Cancel<'_>, moment: &Moment<'_>) -> Result<Consequence, StayError> {
        let mut imagined = self.clone();
        let (consequence, _) = imagined.lose_items(cancel, moment)?;
        Ok(consequence)
    }

    /// The guest will not come, or not for all the rooms.
    pub fn cancel(mut self, cancel: &Cancel<'_>, moment: &Moment<'_>) -> Decision {
        if !matches!(self.status, Held | Confirmed | CheckInStarted) {
            return Err(self.illegal("be cancelled"));
        }
        let (consequence, lost) = self.lose_items(cancel, moment)?;
        let event = Self::cancelled_event(cancel, moment, &consequence, &lost);
        if self.active_items().next().is_some() {
            self.last_modification_id = Some(cancel.modification.clone());
            let removed: Vec<_> = lost.iter().map(|id| self.removed_event(id, cancel, moment)).collect();
            let decided = Decided::changed(self.touched(moment.now), event);
            return Ok(removed.into_iter().fold(decided, Decided::and));
        }
        self.end(ReservationStatus::Cancelled, cancel, moment, &consequence);
        Ok(Decided::changed(self.touched(moment.now), event))
    }

    fn removed_event(&self, id: &str, cancel: &Cancel<'_>, moment: &Moment<'_>) -> ReservationEvent {
        let before = self.items.iter().find(|item| item.id == id).map_or(Map::new(), |item| {
            let rate = item.price().unwrap_or_default().mean_of(item.nightly_rates.len());
            Map::from_iter([
                ("itemId".to_owned(), json!(item.id)),
                ("roomTypeId".to_owned(), json!(item.room_type_id)),
                ("occupants".to_owned(), json!(item.occupants)),
                ("nightlyRateMicro".to_owned(), json!(rate)),
                ("currency".to_owned(), json!(self.currency)),
            ])
        });
        let price = self.items.iter().find(|item| item.id == id).and_then(|item| item.price().ok()).unwrap_or_default();
        ReservationEvent::Modified(Box::new(Modified {
            id: cancel.modification.clone(),
            kind: ModificationType::RoomRemoved,
            at: moment.now,
            by: moment.by.clone(),
            before,
            after: Map::new(),
            price_delta: Money::ZERO.minus(price).unwrap_or_default(),
            policy_ref: Some(self.policy.reference()),
            money: None,
        }))
    }

    /// The guest did not come. One penalty, told twice: as what it is, and for those who release rooms.
    pub fn call_no_show(mut self, cancel: &Cancel<'_>, moment: &Moment<'_>) -> Decision {
        if self.status != Confirmed {
            return Err(self.illegal("be a no-show"));
        }
        let begins = moment.house.check_in_at(self.stay.start());
        if moment.now < begins {
            return Err(StayError::TooEarly { begins: self.stay.start() });
        }
        let (consequence, lost) = self.lose_items(cancel, moment)?;
        let penalty = consequence.policy_applied.penalty_micro.map_or(Ok(Money::ZERO), Money::try_from)?;
        let event = Self::cancelled_event(cancel, moment, &consequence, &lost);
        self.end(NoShow, cancel, moment, &consequence);
        let no_show = ReservationEvent::NoShow { at: moment.now, by: moment.by.clone(), penalty };
        Ok(Decided::changed(self.touched(moment.now), no_show).and(event))
    }

    fn end(&mut self, status: ReservationStatus, cancel: &Cancel<'_>, moment: &Moment<'_>, consequence: &Consequence) {
        self.status = status;
        self.cancellation = Some(Cancellation {
            reason_code: cancel.reason_code.clone(),
            reason: cancel.reason.clone(),
            at: moment.now,
            policy_applied: consequence.policy_applied.clone(),
        });
    }

    fn cancelled_event(
        cancel: &Cancel<'_>,
        moment: &Moment<'_>,
        consequence: &Consequence,
        lost: &[String],
    ) -> ReservationEvent {
        ReservationEvent::Cancelled(Box::new(Cancelled {
            at: moment.now,
            by: moment.by.clone(),
            reason_code: cancel.reason_code.clone(),
            reason: cancel.reason.clone(),
            policy_applied: consequence.policy_applied.clone(),
            refunds: consequence.refunds.clone(),
            items: lost.to_vec(),
            cause: cancel.cause.clone(),
        }))
    }

    /// Takes items out, charges the penalty, and asks back what was paid beyond it.
    fn lose_items(
        &mut self,
        cancel: &Cancel<'_>,
        moment: &Moment<'_>,
    ) -> Result<(Consequence, Vec<String>), StayError> {
        let wanted: Vec<String> = match cancel.items {
            None => self.active_items().map(|item| item.id.clone()).collect(),
            Some(ids) => ids.to_vec(),
        };
        let unknown = wanted.iter().find(|id| !self.active_items().any(|item| item.id == **id));
        if let Some(unknown) = unknown {
            return Err(StayError::ItemUnknown(unknown.clone()));
        }
        let left = moment.house.check_in_at(self.stay.start()).as_millis() - moment.now.as_millis();
        let rule = match cancel.reason_code {
            CancelReason::NoShow => self.policy.no_show,
            _ => self.policy.for_hours_left(left.div_euclid(3_600_000)),
        };
        let free = self.status == Held
            || cancel.waive_penalty
            || matches!(
                cancel.reason_code,
                CancelReason::Overbooked | CancelReason::PaymentFailed | CancelReason::InventoryFailed
            );
        let mut penalty = Money::ZERO;
        for item in self.items.iter_mut().filter(|item| wanted.contains(&item.id)) {
            if !free {
                penalty = penalty.plus(rule.of(&item.nightly_rates, self.currency)?)?;
            }
            item.active = false;
        }
        self.charge("penalty", penalty, moment.now);
        let (over, refunds) = self.ask_back_what_is_over()?;
        Ok((Consequence { policy_applied: self.policy_applied(over, penalty), refunds }, wanted))
    }

    fn charge(&mut self, kind: &str, amount: Money, at: Timestamp) {
        if amount.is_due() {
            self.charges.push(FolioLine { kind: kind.to_owned(), amount, at });
        }
    }

    fn policy_applied(&self, eligible: Money, penalty: Money) -> PolicyApplied {
        PolicyApplied {
            reference: self.policy.reference(),
            refund_eligibility_micro: Some(eligible.micros()),
            penalty_micro: Some(penalty.micros()),
            currency: Some(self.currency),
        }
    }

    /// Money came after the end: what exceeds the penalty is asked back. After expiry it was the payment that failed; otherwise the
    /// reservation keeps its own reason.
    pub(super) fn give_back_late(mut self, moment: &Moment<'_>, cause: Option<String>) -> Decision {
        for item in &mut self.items {
            item.active = false;
        }
        let (over, refunds) = self.ask_back_what_is_over()?;
        let (reason_code, reason) = match (&self.cancellation, self.status) {
            (Some(before), _) => (before.reason_code.clone(), before.reason.clone()),
            (None, _) => (CancelReason::PaymentFailed, "the money came when the hold was over".to_owned()),
        };
        let cancel =
            Cancel { reason_code, reason, items: None, waive_penalty: true, cause, modification: String::new() };
        let consequence = Consequence { policy_applied: self.policy_applied(over, Money::ZERO), refunds };
        let items: Vec<String> = self.items.iter().map(|item| item.id.clone()).collect();
        let event = Self::cancelled_event(&cancel, moment, &consequence, &items);
        let status = if self.status == NoShow { NoShow } else { ReservationStatus::Cancelled };
        if self.cancellation.is_none() {
            self.end(status, &cancel, moment, &consequence);
        }
        self.status = status;
        Ok(Decided::changed(self.touched(moment.now), event))
    }

    /// The guest stands at the desk. Every active item has its room.
    pub fn start_check_in(mut self, moment: &Moment<'_>) -> Decision {
        if self.status != Confirmed {
            return Err(self.illegal("start its check-in"));
        }
        self.is_its_time(moment)?;
        let rooms = self.rooms().ok_or_else(|| self.without_room())?;
        self.status = CheckInStarted;
        self.check_in_by = Some(moment.by.clone());
        let event = ReservationEvent::CheckInStarted { at: moment.now, by: moment.by.clone(), rooms };
        Ok(Decided::changed(self.touched(moment.now), event))
    }

    /// Whether a guest may be checked in at all now, before anybody looks for a room.
    pub fn may_check_in(&self, moment: &Moment<'_>) -> Result<(), StayError> {
        match self.status {
            Confirmed => self.is_its_time(moment),
            CheckInStarted => Ok(()),
            _ => Err(self.illegal("be checked in")),
        }
    }

    fn is_its_time(&self, moment: &Moment<'_>) -> Result<(), StayError> {
        let today = moment.house.hotel_date(moment.now);
        if today < self.stay.start() {
            return Err(StayError::TooEarly { begins: self.stay.start() });
        }
        if today >= self.stay.end() {
            return Err(StayError::StayOver { ended: self.stay.end() });
        }
        Ok(())
    }

    fn without_room(&self) -> StayError {
        let item = self.active_items().find(|item| item.room().is_none());
        StayError::NoRoom(item.map_or(String::new(), |item| item.id.clone()))
    }

    /// The guest is in the house.
    pub fn complete_check_in(self, moment: &Moment<'_>) -> Decision {
        if self.status == Confirmed {
            return self.start_check_in(moment)?.then(|reservation| reservation.complete_check_in(moment));
        }
        let mut reservation = self;
        if reservation.status != CheckInStarted {
            return Err(reservation.illegal("complete its check-in"));
        }
        let rooms = reservation.rooms().ok_or_else(|| reservation.without_room())?;
        reservation.status = CheckedIn;
        reservation.checked_in_at = Some(moment.now);
        reservation.early_check_in = moment.now < moment.house.check_in_at(reservation.stay.start());
        let event = ReservationEvent::CheckedIn { at: moment.now, by: moment.by.clone(), rooms };
        Ok(Decided::changed(reservation.touched(moment.now), event))
    }

    /// The guest is about to leave.
    pub fn start_checkout(mut self, moment: &Moment<'_>) -> Decision {
        if self.status != CheckedIn {
            return Err(self.illegal("start its check-out"));
        }
        let rooms = self.rooms().ok_or_else(|| self.without_room())?;
        self.status = CheckoutStarted;
        let event = ReservationEvent::CheckoutStarted { at: moment.now, by: moment.by.clone(), rooms };
        Ok(Decided::changed(self.touched(moment.now), event))
    }

    /// The guest leaves before the last night: it is given back, for what the policy keeps of it.
    pub fn leave_early(self, moment: &Moment<'_>) -> Decision {
        if self.status != CheckedIn {
            return Err(self.illegal("leave early"));
        }
        if moment.house.hotel_date(moment.now) >= self.stay.end() {
            return Err(StayError::NotEarly);
        }
        self.give_nights_back(moment)?.then(|reservation| reservation.start_checkout(moment))
    }

    fn give_nights_back(mut self, moment: &Moment<'_>) -> Decision {
        let today = moment.house.hotel_date(moment.now);
        let used = usize::try_from(days_between(self.stay.start(), today)).unwrap_or(0);
        let mut penalty = Money::ZERO;
        let (rule, currency) = (self.policy.early_checkout, self.currency);
        for item in self.items.iter_mut().filter(|item| item.active) {
            let lost = item.nightly_rates.split_off(used.min(item.nightly_rates.len()));
            penalty = penalty.plus(rule.of(&lost, currency)?)?;
        }
        self.left_early = true;
        self.charge("early_checkout", penalty, moment.now);
        let event = ReservationEvent::EarlyCheckout { at: moment.now, by: moment.by.clone(), penalty };
        Ok(Decided::changed(self.touched(moment.now), event))
    }

    /// The guest has left. What was overpaid is asked back first; a bill that is open stays with the desk unless it may not.
    pub fn check_out(self, bill: Option<Folio>, allow_unsettled: bool, id: &str, moment: &Moment<'_>) -> Decision {
        if !self.status.is_in_house() {
            return Err(self.illegal("check out"));
        }
        let mut decided: Option<Decided<Self>> = None;
        let mut step = |reservation: Self, next: &dyn Fn(Self) -> Decision| -> Result<Self, StayError> {
            let following = match decided.take() {
                None => next(reservation)?,
                Some(before) => before.then(next)?,
            };
            let state = following.state().clone();
            decided = Some(following);
            Ok(state)
        };
        let mut reservation = self;
        let today = moment.house.hotel_date(moment.now);
        if today < reservation.stay.end() && !reservation.left_early {
            reservation = step(reservation, &|one| one.give_nights_back(moment))?;
        }
        if reservation.status == CheckedIn {
            reservation = step(reservation, &|one| one.start_checkout(moment))?;
        }
        let mut imagined = reservation.clone();
        if !imagined.ask_back_what_is_over()?.1.is_empty() {
            reservation = step(reservation, &|one| one.ask_overpaid_back(id.to_owned(), moment))?;
        }
        let folio = match bill {
            Some(folio) => folio,
            None => Folio {
                folio_id: reservation.folio_id.clone(),
                balance: reservation.balance()?,
                currency: reservation.currency,
                settled: reservation.balance()? == Money::ZERO,
            },
        };
        if !folio.settled && !allow_unsettled {
            return Err(StayError::FolioUnsettled { balance: folio.balance });
        }
        step(reservation, &|one| one.leave(folio.clone(), moment))?;
        decided.ok_or(StayError::NotEarly)
    }

    fn ask_overpaid_back(mut self, id: String, moment: &Moment<'_>) -> Decision {
        let before = self.balance()?;
        let (_, refunds) = self.ask_back_what_is_over()?;
        let told = changed_number("balanceMicro", before, self.balance()?);
        let sum =
            Money::sum(refunds.iter().map(|one| Money::try_from(one.amount_micro)).collect::<Result<Vec<_>, _>>()?)?;
        let money = MoneyRequest {
            payment_intent_id: refunds.first().map(|one| one.payment_intent_id.clone()),
            amount_micro: sum.micros(),
            direction: MoneyDirection::Refund,
        };
        Ok(self.modified(ModificationType::RateChange, id, told, Some(money), moment))
    }

    fn leave(mut self, folio: Folio, moment: &Moment<'_>) -> Decision {
        let rooms = self.rooms().ok_or_else(|| self.without_room())?;
        let today = moment.house.hotel_date(moment.now);
        self.status = CheckedOut;
        self.checked_out_at = Some(moment.now);
        self.overstayed_nights = u32::try_from(days_between(self.stay.end(), today)).unwrap_or(0);
        let event = ReservationEvent::CheckedOut { at: moment.now, by: moment.by.clone(), rooms, folio };
        Ok(Decided::changed(self.touched(moment.now), event))
    }

    pub fn item(&self, id: &str) -> Result<&Item, StayError> {
        self.active_items().find(|item| item.id == id).ok_or_else(|| StayError::ItemUnknown(id.to_owned()))
    }
}

/// Whether somebody at a kiosk does it, who has no desk to help.
pub fn is_alone(by: &Actor) -> bool {
    by.kind == ActorKind::GuestSelfService
}

fn changed_number(name: &str, before: Money, after: Money) -> (Map<String, Value>, Map<String, Value>) {
    let one = |amount: Money| Map::from_iter([(name.to_owned(), json!(amount))]);
    (one(before), one(after))
}
