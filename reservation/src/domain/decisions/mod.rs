//! What may be done to a reservation, and what follows from it. Everything that is not here is refused.

mod arriving;
mod cancelling;
mod holding;
mod leaving;
mod modifying;
mod overriding;
mod paying;
mod wishing;

pub use cancelling::{Cancel, Consequence};
use contracts::actor::{Actor, ActorKind};
use contracts::ids::RoomTypeId;
use contracts::reservation::{ModificationType, MoneyRequest, PolicyApplied};
use contracts::time::Timestamp;
use jiff::civil::Date;
pub use modifying::{NewProfile, RoomMove};
pub use overriding::OVERRIDES;
use platform::Decided;
use serde_json::{Map, Value, json};

use super::money::{Money, TooMuch};
use super::reservation::{FolioLine, Item, Modified, Reservation, ReservationEvent, ReservationStatus};
use super::stay::HouseTime;

/// So many rooms one reservation has.
const MOST_ITEMS: usize = 50;

/// Why a reservation does not do what is asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StayError {
    #[error("a reservation that is {from} cannot {action}")]
    Illegal { from: ReservationStatus, action: &'static str },
    #[error("{required} micros have to be paid first")]
    DepositRequired { required: Money },
    #[error("nothing was captured yet: any payment confirms it, or the guest pays with cash_on_arrival")]
    NothingPaid,
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
    #[error("room type {room_type} has no price for {night}")]
    RateMissing { room_type: RoomTypeId, night: Date },
    #[error("{0}")]
    StayInvalid(&'static str),
    #[error("{field}: {rule}")]
    Invalid { field: &'static str, rule: &'static str },
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

/// What a change is, before it has a name and somebody who made it.
#[derive(Clone, Debug)]
struct Difference {
    kind: ModificationType,
    before: Map<String, Value>,
    after: Map<String, Value>,
    price_delta: Money,
    policy: Option<PolicyApplied>,
    money: Option<MoneyRequest>,
    reason: Option<String>,
}

impl Difference {
    fn new(kind: ModificationType, (before, after): (Map<String, Value>, Map<String, Value>)) -> Self {
        Self { kind, before, after, price_delta: Money::ZERO, policy: None, money: None, reason: None }
    }

    fn told(self, id: &str, moment: &Moment<'_>) -> ReservationEvent {
        let Self { kind, before, after, price_delta, policy, money, reason } = self;
        let (id, at, by) = (id.to_owned(), moment.now, moment.by.clone());
        let modified = Modified { id, kind, at, by, before, after, price_delta, policy, money, reason };
        ReservationEvent::Modified(Box::new(modified))
    }
}

impl Reservation {
    fn illegal(&self, action: &'static str) -> StayError {
        StayError::Illegal { from: self.status, action }
    }

    pub(super) fn touched(mut self, now: Timestamp) -> Self {
        self.updated_at = now;
        self
    }

    /// The change is told, and remembered as the last one.
    fn modified(mut self, difference: Difference, id: &str, moment: &Moment<'_>) -> Decided<Self> {
        self.last_modification_id = Some(id.to_owned());
        let event = difference.told(id, moment);
        Decided::changed(self.touched(moment.now), event)
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
