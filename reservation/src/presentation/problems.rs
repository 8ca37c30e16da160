//! Every refusal of reservation's own as a problem: one exhaustive match. The general ones are the platform's.

use platform::http::{Problem, ProblemKind};
use platform::{ContextError, Refusal};

use crate::ReservationError;
use crate::domain::decisions::StayError;
use crate::domain::quote::QuoteStatus;

pub const ILLEGAL_TRANSITION: ProblemKind =
    ProblemKind::new(409, "ILLEGAL_TRANSITION", "The reservation cannot do that now");
pub const DEPOSIT_REQUIRED: ProblemKind = ProblemKind::new(409, "DEPOSIT_REQUIRED", "A deposit is required");
pub const TOO_EARLY: ProblemKind = ProblemKind::new(409, "TOO_EARLY", "Too early");
pub const STAY_OVER: ProblemKind = ProblemKind::new(409, "STAY_OVER", "The stay is over");
pub const NOT_EARLY: ProblemKind = ProblemKind::new(409, "NOT_EARLY", "Not early");
pub const FOLIO_UNSETTLED: ProblemKind = ProblemKind::new(409, "FOLIO_UNSETTLED", "The bill is not settled");
pub const ITEM_UNKNOWN: ProblemKind = ProblemKind::new(422, "ITEM_UNKNOWN", "No such item");
pub const ROOM_TYPE_UNKNOWN: ProblemKind = ProblemKind::new(422, "ROOM_TYPE_UNKNOWN", "No such room type");
pub const ROOM_UNKNOWN: ProblemKind = ProblemKind::new(422, "ROOM_UNKNOWN", "No such room");
pub const OCCUPANCY_EXCEEDED: ProblemKind = ProblemKind::new(422, "OCCUPANCY_EXCEEDED", "Too many guests for the room");
pub const STAY_INVALID: ProblemKind = ProblemKind::new(422, "STAY_INVALID", "The stay cannot be");
pub const RATE_MISSING: ProblemKind = ProblemKind::new(422, "RATE_MISSING", "No price");
pub const FX_RATE_MISSING: ProblemKind = ProblemKind::new(422, "FX_RATE_MISSING", "No rate of exchange");
pub const CURRENCY_MISMATCH: ProblemKind = ProblemKind::new(422, "CURRENCY_MISMATCH", "Another currency");
pub const NO_AVAILABILITY: ProblemKind = ProblemKind::new(409, "NO_AVAILABILITY", "No room is left");
pub const ROOM_UNAVAILABLE: ProblemKind = ProblemKind::new(409, "ROOM_UNAVAILABLE", "The room is not free");
pub const ROOM_OCCUPIED: ProblemKind = ProblemKind::new(409, "ROOM_OCCUPIED", "Somebody is in the room");
pub const ROOM_NOT_READY: ProblemKind = ProblemKind::new(409, "ROOM_NOT_READY", "The room is not ready");
pub const PAYMENT_DUE: ProblemKind = ProblemKind::new(409, "PAYMENT_DUE", "Something has to be paid first");
pub const QUOTE_EXPIRED: ProblemKind = ProblemKind::new(409, "QUOTE_EXPIRED", "The quote has expired");
pub const QUOTE_USED: ProblemKind = ProblemKind::new(409, "QUOTE_USED", "The quote is used");
pub const QUOTE_UNAVAILABLE: ProblemKind = ProblemKind::new(409, "QUOTE_UNAVAILABLE", "There was no room");
pub const DUPLICATE_REFERENCE: ProblemKind = ProblemKind::new(409, "DUPLICATE_REFERENCE", "The reference is known");
pub const ALLOCATION_PENDING: ProblemKind =
    ProblemKind::new(409, "ALLOCATION_PENDING", "The rooms are not set aside yet");
pub const EXTERNAL_INVENTORY: ProblemKind =
    ProblemKind::new(409, "EXTERNAL_INVENTORY", "Another service keeps the count");
pub const PROPERTY_CLOSED: ProblemKind = ProblemKind::new(409, "PROPERTY_CLOSED", "The house is closed");
pub const NOT_ALLOWED: ProblemKind = ProblemKind::new(403, "NOT_ALLOWED", "Not for this caller");
pub const DAY_CLOSED: ProblemKind = ProblemKind::new(409, "DAY_CLOSED", "The day is closed");
pub const ALERT_RESOLVED: ProblemKind = ProblemKind::new(409, "ALERT_RESOLVED", "The alert is resolved");
pub const GUEST_EXPECTED: ProblemKind =
    ProblemKind::new(409, "GUEST_EXPECTED", "The guest is expected or in the house");
pub const POLICY_UNKNOWN: ProblemKind = ProblemKind::new(422, "POLICY_UNKNOWN", "No such cancellation policy");
pub const POLICY_MADE: ProblemKind = ProblemKind::new(409, "POLICY_MADE", "The version is made");

impl ContextError for ReservationError {
    const CONTEXT: &'static str = "RESERVATION";

    fn into_general(self) -> Result<Refusal, Self> {
        match self {
            Self::General(refusal) => Ok(refusal),
            own => Err(own),
        }
    }

    fn own_problem(&self) -> Problem {
        let problem = |kind: ProblemKind| kind.problem(Self::CONTEXT, self.to_string());
        match self {
            Self::Stay(StayError::Illegal { from, .. }) => {
                problem(ILLEGAL_TRANSITION).with("currentStatus", from.as_str())
            }
            Self::Stay(StayError::DepositRequired { required }) => {
                problem(DEPOSIT_REQUIRED).with("requiredMicro", required.to_string())
            }
            // Whatever it is: the smallest sum there is.
            Self::Stay(StayError::NothingPaid) => problem(DEPOSIT_REQUIRED).with("requiredMicro", "1"),
            Self::DayAhead(_) | Self::Stay(StayError::TooEarly { .. }) => problem(TOO_EARLY),
            Self::Stay(StayError::StayOver { .. }) => problem(STAY_OVER),
            Self::Stay(StayError::NotEarly) => problem(NOT_EARLY),
            Self::Stay(StayError::AllocationPending) => problem(ALLOCATION_PENDING),
            Self::Stay(StayError::ItemUnknown(_)) => problem(ITEM_UNKNOWN),
            Self::Stay(StayError::FolioUnsettled { balance }) => {
                problem(FOLIO_UNSETTLED).with("balanceMicro", balance.to_string())
            }
            Self::GuestExpected { .. } => problem(GUEST_EXPECTED),
            Self::RoomTypeUnknown(id) => problem(ROOM_TYPE_UNKNOWN).with("roomTypeId", id.as_str()),
            Self::RoomUnknown(_) => problem(ROOM_UNKNOWN),
            Self::OccupancyExceeded { .. } => problem(OCCUPANCY_EXCEEDED),
            Self::StayInvalid(_) | Self::Stay(StayError::StayInvalid(_)) => problem(STAY_INVALID),
            Self::RateMissing { .. } | Self::Stay(StayError::RateMissing { .. }) => problem(RATE_MISSING),
            Self::FxRateMissing => problem(FX_RATE_MISSING),
            Self::CurrencyMismatch => problem(CURRENCY_MISMATCH),
            Self::NoAvailability { room_type, nights, fragmented } => {
                let nights: Vec<String> = nights.iter().map(ToString::to_string).collect();
                problem(NO_AVAILABILITY)
                    .with("roomTypeId", room_type.as_str())
                    .with("nights", nights)
                    .with("fragmented", *fragmented)
            }
            Self::RoomUnavailable(_) | Self::Stay(StayError::NoRoom(_)) => problem(ROOM_UNAVAILABLE),
            Self::RoomOccupied(_) => problem(ROOM_OCCUPIED),
            Self::RoomNotReady(_) => problem(ROOM_NOT_READY),
            Self::PaymentDue { .. } => problem(PAYMENT_DUE),
            Self::Quote(QuoteStatus::Expired) => problem(QUOTE_EXPIRED),
            Self::Quote(QuoteStatus::Unavailable) => problem(QUOTE_UNAVAILABLE),
            Self::Quote(QuoteStatus::Used | QuoteStatus::Open) => problem(QUOTE_USED),
            Self::DuplicateReference(id) => problem(DUPLICATE_REFERENCE).with("reservationId", id.as_str()),
            Self::ExternalInventory => problem(EXTERNAL_INVENTORY),
            Self::PropertyClosed => problem(PROPERTY_CLOSED),
            Self::NotAllowed(_) => problem(NOT_ALLOWED),
            Self::DayClosed(_) => problem(DAY_CLOSED),
            Self::AlertResolved => problem(ALERT_RESOLVED),
            Self::PolicyUnknown(_) => problem(POLICY_UNKNOWN),
            Self::PolicyMade(_) => problem(POLICY_MADE),
            // Taken out before; whoever asks all the same is told nothing.
            Self::General(_) | Self::Stay(StayError::TooMuch(_) | StayError::Invalid { .. }) => Problem::internal(),
        }
    }
}
