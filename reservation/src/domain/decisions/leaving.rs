//! The guest leaves: in time, early, or late.

use contracts::reservation::ModificationType;
use jiff::civil::Date;
use platform::Decided;

use super::{Decision, Difference, Moment, StayError, changed_number};
use crate::domain::money::Money;
use crate::domain::reservation::ReservationStatus::{CheckedIn, CheckedOut, CheckoutStarted};
use crate::domain::reservation::{Folio, Reservation, ReservationEvent};
use crate::domain::stay::days_between;

impl Reservation {
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
    pub fn leave_early(mut self, because: Option<String>, moment: &Moment<'_>) -> Decision {
        if self.status != CheckedIn {
            return Err(self.illegal("leave early"));
        }
        if moment.house.hotel_date(moment.now) >= self.stay.end() {
            return Err(StayError::NotEarly);
        }
        self.left_early_because = because;
        self.give_nights_back(moment)?.then(|reservation| reservation.start_checkout(moment))
    }

    fn give_nights_back(mut self, moment: &Moment<'_>) -> Decision {
        let today = moment.house.hotel_date(moment.now);
        let used = usize::try_from(days_between(self.stay.start(), today)).unwrap_or(0);
        let mut penalty = Money::ZERO;
        let (rule, currency) = (self.policy.early_checkout, self.currency);
        for item in self.items.iter_mut().filter(|item| item.active) {
            let lost = item.nightly_rates.split_off(item.slept(used).min(item.nightly_rates.len()));
            penalty = penalty.plus(rule.of(&lost, currency)?)?;
            // What was given back before lies behind it.
            item.given_back.splice(0..0, lost);
        }
        self.left_early = true;
        self.charge("early_checkout", penalty, moment.now);
        let over = Money::ZERO.minus(self.balance()?)?.or_nothing();
        let applied = self.policy_applied(over, penalty);
        let event = ReservationEvent::EarlyCheckout { at: moment.now, by: moment.by.clone(), applied };
        Ok(Decided::changed(self.touched(moment.now), event))
    }

    /// Whether nights that were given back early were slept in after all: the guest was about to leave, and has not until another day.
    fn has_slept_on(&self, today: Date) -> bool {
        let used = usize::try_from(days_between(self.stay.start(), today)).unwrap_or(0);
        self.left_early
            && self
                .active_items()
                .any(|item| !item.given_back.is_empty() && item.slept(used) > item.nightly_rates.len())
    }

    /// The guest did not leave on the day they meant to: all nights are theirs again, and what leaving then cost is not owed. What is still
    /// given back, and what that costs, is decided anew.
    fn take_early_departure_back(mut self, id: &str, moment: &Moment<'_>) -> Decision {
        let (grand, before) = (self.totals()?.grand, self.balance()?);
        let because = self.left_early_because.clone();
        self.stay_on();
        self.left_early_because = because.filter(|_| moment.house.hotel_date(moment.now) < self.stay.end());
        let told = changed_number("balanceMicro", before, self.balance()?);
        let price_delta = self.totals()?.grand.minus(grand)?;
        let difference = Difference { price_delta, ..Difference::new(ModificationType::RateChange, told) };
        Ok(self.modified(difference, id, moment))
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
        if reservation.has_slept_on(today) {
            reservation = step(reservation, &|one| one.take_early_departure_back(id, moment))?;
        }
        if today < reservation.stay.end() && !reservation.left_early {
            reservation = step(reservation, &|one| one.give_nights_back(moment))?;
        }
        if reservation.status == CheckedIn {
            reservation = step(reservation, &|one| one.start_checkout(moment))?;
        }
        let mut imagined = reservation.clone();
        if !imagined.ask_back_what_is_over()?.1.is_empty() {
            reservation = step(reservation, &|one| one.ask_overpaid_back(id, moment))?;
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

    fn ask_overpaid_back(mut self, id: &str, moment: &Moment<'_>) -> Decision {
        let before = self.balance()?;
        let requests = self.ask_back()?;
        let told = changed_number("balanceMicro", before, self.balance()?);
        let difference = Difference::new(ModificationType::RateChange, told);
        Ok(self.asking(difference, requests, id, moment))
    }

    fn leave(mut self, folio: Folio, moment: &Moment<'_>) -> Decision {
        let rooms = self.rooms().ok_or_else(|| self.without_room())?;
        let today = moment.house.hotel_date(moment.now);
        self.status = CheckedOut;
        // Whoever closed the bill knows it by its own name from here on.
        self.folio_id.clone_from(&folio.folio_id);
        self.checked_out_at = Some(moment.now);
        self.overstayed_nights = u32::try_from(days_between(self.stay.end(), today)).unwrap_or(0);
        let event = ReservationEvent::CheckedOut { at: moment.now, by: moment.by.clone(), rooms, folio };
        Ok(Decided::changed(self.touched(moment.now), event))
    }
}
