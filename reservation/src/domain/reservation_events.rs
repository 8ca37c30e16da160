//! What can happen to a reservation, and what is told of it.

use contracts::AiProvenance;
use contracts::actor::Actor;
use contracts::reservation::{
    CancelReason, ModificationType, MoneyRequest, PolicyApplied, RefundRequest, RequestSource, StayRoom,
};
use contracts::time::Timestamp;
use contracts::values::Currency;
use serde::{Deserialize, Serialize};

use super::money::Money;
use super::stay::Stay;

/// What can happen to a reservation, in the past tense.
#[derive(Clone, Debug, PartialEq)]
pub enum ReservationEvent {
    Held,
    HoldExpired {
        at: Timestamp,
    },
    Confirmed {
        at: Timestamp,
        cause: Option<String>,
    },
    Cancelled(Box<Cancelled>),
    PaymentIntended {
        intent: String,
    },
    Modified(Box<Modified>),
    /// Told with a change of type `date_change`, and never without.
    DatesChanged(Box<DatesChanged>),
    SpecialRequestAdded(Box<SpecialRequest>),
    /// A guest asks for a change that somebody else must make.
    ChangeWanted {
        wanted: Vec<String>,
        at: Timestamp,
        by: Actor,
    },
    CheckInStarted {
        at: Timestamp,
        by: Actor,
        rooms: Vec<StayRoom>,
    },
    CheckedIn {
        at: Timestamp,
        by: Actor,
        rooms: Vec<StayRoom>,
    },
    CheckoutStarted {
        at: Timestamp,
        by: Actor,
        rooms: Vec<StayRoom>,
    },
    EarlyCheckout {
        at: Timestamp,
        by: Actor,
        applied: PolicyApplied,
    },
    CheckedOut {
        at: Timestamp,
        by: Actor,
        rooms: Vec<StayRoom>,
        folio: Folio,
    },
    NoShow {
        at: Timestamp,
        by: Actor,
        applied: PolicyApplied,
    },
    Overstayed {
        at: Timestamp,
        by: Actor,
        applied: PolicyApplied,
    },
}

/// What is told of a cancellation.
#[derive(Clone, Debug, PartialEq)]
pub struct Cancelled {
    pub at: Timestamp,
    pub by: Actor,
    pub reason_code: CancelReason,
    pub reason: String,
    pub policy_applied: PolicyApplied,
    pub refunds: Vec<RefundRequest>,
    pub items: Vec<String>,
    pub cause: Option<String>,
    /// Set aside when it was over already.
    pub late_allocations: Vec<String>,
}

/// What is told of a change.
#[derive(Clone, Debug, PartialEq)]
pub struct Modified {
    pub id: String,
    pub kind: ModificationType,
    pub at: Timestamp,
    pub by: Actor,
    pub before: serde_json::Map<String, serde_json::Value>,
    pub after: serde_json::Map<String, serde_json::Value>,
    pub price_delta: Money,
    pub policy: Option<PolicyApplied>,
    pub money: Option<MoneyRequest>,
    /// Why, as typed.
    pub reason: Option<String>,
}

/// What is told of other days.
#[derive(Clone, Debug, PartialEq)]
pub struct DatesChanged {
    pub id: String,
    pub at: Timestamp,
    pub by: Actor,
    pub before: Stay,
    pub after: Stay,
    pub price_delta: Money,
    pub policy_ref: Option<String>,
}

/// Something that a guest wishes for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpecialRequest {
    pub id: String,
    pub tags: Vec<String>,
    /// As typed: for the house.
    pub free_text: Option<String>,
    pub locale: String,
    pub source: RequestSource,
    pub at: Timestamp,
    pub by: Actor,
    pub provenance: Option<AiProvenance>,
}

/// A bill as it is closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folio {
    pub folio_id: String,
    pub balance: Money,
    pub currency: Currency,
    pub settled: bool,
}
