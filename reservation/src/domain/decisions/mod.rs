//! What may be done to a reservation, and what follows from it. Everything that is not here is refused.

mod arriving;
mod cancelling;
mod holding;
mod leaving;
mod paying;

pub use cancelling::{Cancel, Consequence};
use contracts::actor::{Actor, ActorKind};
use contracts::reservation::{ModificationType, MoneyRequest, PolicyApplied};
use contracts::time::Timestamp;
use jiff::civil::Date;
use platform::Decided;
use serde_json::{Map, Value, json};

use super::money::{Money, TooMuch};
use super::reservation::{FolioLine, Item, Modified, Reservation, ReservationEvent, ReservationStatus};
use super::stay::HouseTime;

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
    #[error("the service that keeps the count of the rooms has not set any aside yet")]
    AllocationPending,
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

type Decision = Result<Decided<Reservation>, StayError>;

impl Reservation {
    fn illegal(&self, action: &'static str) -> StayError {
        StayError::Illegal { from: self.status, action }
    }

    pub(super) fn touched(mut self, now: Timestamp) -> Self {
        self.updated_at = now;
        self
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

    fn without_room(&self) -> StayError {
        let item = self.active_items().find(|item| item.room().is_none());
        StayError::NoRoom(item.map_or(String::new(), |item| item.id.clone()))
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
