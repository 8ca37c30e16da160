//! What it costs, what was paid, and what happened.

use contracts::actor::Actor;
use contracts::reservation::{PolicyApplied, RefundRequest};
use contracts::time::Timestamp;
use contracts::values::Currency;
use schemars::JsonSchema;
use serde::Serialize;

use crate::domain::money::{Money, TooMuch};
use crate::domain::reservation::Reservation;
use crate::infrastructure::reservations::Step;

/// What a cancellation would cost.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CancellationPreview {
    pub policy_applied: PolicyApplied,
    pub payment_refunds_requested: Vec<RefundRequest>,
}

/// One line of a bill: charges positive, payments negative.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "FolioLine")]
pub struct FolioLineResource {
    pub kind: String,
    pub amount_micro: Money,
    pub at: Timestamp,
}

/// A bill.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Folio")]
pub struct FolioResource {
    pub folio_id: String,
    pub currency: Currency,
    pub lines: Vec<FolioLineResource>,
    pub balance_micro: Money,
    pub settled: bool,
}

impl FolioResource {
    pub fn of(reservation: &Reservation) -> Result<Self, TooMuch> {
        let totals = reservation.owed()?;
        let minus = |amount: Money| Money::ZERO.minus(amount);
        let line = |kind: &str, amount_micro, at| FolioLineResource { kind: kind.to_owned(), amount_micro, at };
        let booked = reservation.created_at;
        let mut lines = vec![line("nights", totals.room, booked), line("tax", totals.tax, booked)];
        lines.extend(reservation.charges.iter().map(|charge| line(&charge.kind, charge.amount, charge.at)));
        for payment in &reservation.desk_payments {
            lines.push(line(&payment.kind, minus(payment.amount)?, payment.at));
        }
        for capture in reservation.facts.captured() {
            lines.push(line("captured", minus(capture.amount)?, capture.at.unwrap_or(reservation.updated_at)));
        }
        lines.push(line("refunds", reservation.given_back()?, reservation.updated_at));
        lines.retain(|line| line.amount_micro != Money::ZERO);
        let balance_micro = reservation.balance()?;
        Ok(Self {
            folio_id: reservation.folio_id.clone(),
            currency: reservation.currency,
            lines,
            balance_micro,
            settled: balance_micro == Money::ZERO,
        })
    }
}

/// Something that happened to a reservation.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReservationHistoryItem {
    pub event_id: String,
    pub subject: String,
    pub occurred_at: Timestamp,
    pub actor: Actor,
    pub payload: serde_json::Value,
}

impl From<Step> for ReservationHistoryItem {
    fn from(step: Step) -> Self {
        let Step { event_id, subject, at, actor, mut payload } = step;
        // Who reads it knows the tenant.
        if let Some(members) = payload.as_object_mut() {
            members.remove("tenantId");
        }
        Self { event_id, subject, occurred_at: at, actor, payload }
    }
}
