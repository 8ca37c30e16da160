//! Rooms are set aside, and the guest will come or not.

use contracts::reservation::PaymentMethod;
use contracts::time::Timestamp;
use platform::Decided;

use super::{Decision, Moment, StayError};
use crate::domain::reservation::ReservationStatus::{Confirmed, Expired, Held};
use crate::domain::reservation::{Reservation, ReservationEvent};

impl Reservation {
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
        self.give_allocations_back();
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
        if !self.is_allocated() {
            return Err(StayError::AllocationPending);
        }
        let (captured, required) = (self.facts.captured_sum()?, self.required()?);
        let enough = self.has_paid_enough()?;
        let cash = method == Some(PaymentMethod::CashOnArrival) || waived;
        if !enough && required.is_due() && !waived {
            return Err(StayError::DepositRequired { required });
        }
        if !enough && !cash {
            return Err(StayError::NothingPaid);
        }
        // What was paid at the desk is no capture: with it the rest, too, comes in cash.
        self.pending_cash = !enough || !captured.is_due();
        self.method = Some(method.filter(|_| self.pending_cash).unwrap_or_else(|| self.facts.method()));
        self.status = Confirmed;
        Ok(Decided::changed(self.touched(now), ReservationEvent::Confirmed { at: now, cause }))
    }
}
