//! Money at the desk, and what is told of money that went back.

use contracts::reservation::{ModificationType, PaymentMethod};

use super::{Decision, Difference, Moment, StayError, changed_number};
use crate::domain::money::Money;
use crate::domain::reservation::{FolioLine, Reservation};

impl Reservation {
    /// Money at the desk; below zero it is paid back. What is paid while it is only held is a deposit.
    pub fn pay_at_desk(mut self, amount: Money, method: &PaymentMethod, id: &str, moment: &Moment<'_>) -> Decision {
        if self.cash()?.plus(amount)? < Money::ZERO {
            let rule = "no more is paid back at the desk than was paid there";
            return Err(StayError::Invalid { field: "amountMicro", rule });
        }
        let before = self.balance()?;
        self.desk_payments.push(FolioLine { kind: format!("payment_{method}"), amount, at: moment.now });
        let after = self.balance()?;
        let told = changed_number("balanceMicro", before, after);
        Ok(self.modified(Difference::new(ModificationType::RateChange, told), id, moment))
    }

    /// What was refunded in the middle of a stay is told once.
    pub(in crate::domain) fn tell_refunds(mut self, id: &str, moment: &Moment<'_>) -> Decision {
        let sum = self.facts.refunded_sum()?;
        let told = changed_number("totalRefundedMicro", self.refunded_told, sum);
        self.refunded_told = sum;
        Ok(self.modified(Difference::new(ModificationType::RateChange, told), id, moment))
    }
}
