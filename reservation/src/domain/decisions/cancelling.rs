//! The guest will not come, or did not come: what it costs, and what goes back.

use std::collections::BTreeSet;

use contracts::reservation::{CancelReason, ModificationType, PolicyApplied, RefundRequest};
use platform::Decided;
use serde_json::Map;

use super::{Decision, Difference, MOST_ITEMS, Moment, StayError};
use crate::domain::money::Money;
use crate::domain::reservation::ReservationStatus::{self, CheckInStarted, Confirmed, Held, NoShow};
use crate::domain::reservation::{Cancellation, Cancelled, Reservation, ReservationEvent};

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

impl Reservation {
    /// What would follow from a cancellation.
    pub fn preview(&self, cancel: &Cancel<'_>, moment: &Moment<'_>) -> Result<Consequence, StayError> {
        self.may_be_cancelled()?;
        let mut imagined = self.clone();
        let (consequence, _) = imagined.lose_items(cancel, moment)?;
        Ok(consequence)
    }

    fn may_be_cancelled(&self) -> Result<(), StayError> {
        match self.status {
            Held | Confirmed | CheckInStarted => Ok(()),
            _ => Err(self.illegal("be cancelled")),
        }
    }

    /// The guest will not come, or not for all the rooms.
    pub fn cancel(mut self, cancel: &Cancel<'_>, moment: &Moment<'_>) -> Decision {
        self.may_be_cancelled()?;
        let (consequence, lost) = self.lose_items(cancel, moment)?;
        let event = Self::cancelled_event(cancel, moment, &consequence, &lost);
        if self.active_items().next().is_some() {
            self.last_modification_id = Some(cancel.modification.clone());
            let removed: Vec<_> = lost.iter().map(|id| self.removed_event(id, &consequence, cancel, moment)).collect();
            let decided = Decided::changed(self.touched(moment.now), event);
            return Ok(removed.into_iter().fold(decided, Decided::and));
        }
        self.end(ReservationStatus::Cancelled, cancel, moment, &consequence, lost);
        Ok(Decided::changed(self.touched(moment.now), event))
    }

    fn removed_event(
        &self,
        id: &str,
        consequence: &Consequence,
        cancel: &Cancel<'_>,
        moment: &Moment<'_>,
    ) -> ReservationEvent {
        let item = self.items.iter().find(|item| item.id == id);
        let before = item.map_or(Map::new(), |item| self.shown(item));
        let price = item.and_then(|item| self.taxed(item).ok()).unwrap_or_default();
        let difference = Difference {
            price_delta: Money::ZERO.minus(price).unwrap_or_default(),
            policy: Some(consequence.policy_applied.clone()),
            ..Difference::new(ModificationType::RoomRemoved, (before, Map::new()))
        };
        difference.told(&cancel.modification, moment)
    }

    /// Rooms were set aside when it was over: whoever did so is told again, with what is to be given back.
    pub(in crate::domain) fn give_back_rooms(mut self, moment: &Moment<'_>, cause: Option<String>) -> Decided<Self> {
        let late = self.late_allocations();
        self.give_allocations_back();
        let event = match &self.cancellation {
            None => ReservationEvent::HoldExpired { at: moment.now },
            Some(before) => ReservationEvent::Cancelled(Box::new(Cancelled {
                at: moment.now,
                by: moment.by.clone(),
                reason_code: before.reason_code.clone(),
                reason: before.reason.clone(),
                policy_applied: self.policy_applied(Money::ZERO, Money::ZERO),
                refunds: Vec::new(),
                items: self.items.iter().map(|item| item.id.clone()).collect(),
                cause,
                late_allocations: late,
            })),
        };
        Decided::changed(self.touched(moment.now), event)
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
        let event = Self::cancelled_event(cancel, moment, &consequence, &lost);
        self.end(NoShow, cancel, moment, &consequence, lost);
        let applied = consequence.policy_applied;
        let no_show = ReservationEvent::NoShow { at: moment.now, by: moment.by.clone(), applied };
        Ok(Decided::changed(self.touched(moment.now), no_show).and(event))
    }

    fn end(
        &mut self,
        status: ReservationStatus,
        cancel: &Cancel<'_>,
        moment: &Moment<'_>,
        consequence: &Consequence,
        items: Vec<String>,
    ) {
        self.status = status;
        self.give_allocations_back();
        self.cancellation = Some(Cancellation {
            reason_code: cancel.reason_code.clone(),
            reason: cancel.reason.clone(),
            at: moment.now,
            policy_applied: consequence.policy_applied.clone(),
            items,
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
            late_allocations: Vec::new(),
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
            Some(ids) => {
                let different: BTreeSet<&String> = ids.iter().collect();
                if !(1..=MOST_ITEMS).contains(&ids.len()) || different.len() != ids.len() {
                    return Err(StayError::Invalid { field: "items", rule: "1 to 50 items, each once" });
                }
                ids.to_vec()
            }
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

    /// Money came after the end: what exceeds the penalty is asked back. After expiry it was the payment that failed; otherwise the
    /// reservation keeps its own reason.
    pub(in crate::domain) fn give_back_late(mut self, moment: &Moment<'_>, cause: Option<String>) -> Decision {
        let lost: Vec<String> = self.active_items().map(|item| item.id.clone()).collect();
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
            self.end(status, &cancel, moment, &consequence, lost);
        }
        self.status = status;
        Ok(Decided::changed(self.touched(moment.now), event))
    }
}
