//! Why reservation refuses: knows nothing of HTTP.

use contracts::ids::{ReservationId, RoomId, RoomTypeId};
use jiff::civil::Date;
use platform::Refusal;

use crate::domain::alerts::AlreadyResolved;
use crate::domain::decisions::StayError;
use crate::domain::money::TooMuch;
use crate::domain::quote::QuoteStatus;
use crate::domain::settings::BadSetting;

/// Every refusal of this context: what all contexts refuse, and its own. The problem catalogue is one exhaustive match over it.
#[derive(Debug, thiserror::Error)]
pub enum ReservationError {
    #[error(transparent)]
    General(Refusal),
    #[error(transparent)]
    Stay(StayError),
    #[error("there is no room type {0} in this house")]
    RoomTypeUnknown(RoomTypeId),
    #[error("there is no room {0} of this type in this house")]
    RoomUnknown(RoomId),
    #[error("a room of type {room_type} takes {most} guests")]
    OccupancyExceeded { room_type: RoomTypeId, most: i32 },
    #[error("{0}")]
    StayInvalid(&'static str),
    #[error("room type {room_type} has no price for {night}")]
    RateMissing { room_type: RoomTypeId, night: Date },
    #[error("the house counts in another currency: send an fxSnapshot of the two")]
    FxRateMissing,
    #[error("this is in another currency than the reservation")]
    CurrencyMismatch,
    #[error("there is no room of type {room_type} for all of these nights")]
    NoAvailability { room_type: RoomTypeId, nights: Vec<Date>, fragmented: bool },
    #[error("room {0} is not free for these nights")]
    RoomUnavailable(RoomId),
    #[error("somebody is in room {0}")]
    RoomOccupied(RoomId),
    #[error("room {0} is not ready; say `force` to give it all the same")]
    RoomNotReady(RoomId),
    #[error("{balance} micros have to be paid first")]
    PaymentDue { balance: crate::domain::money::Money },
    #[error("this quote is {0}")]
    Quote(QuoteStatus),
    #[error("this reference is known")]
    DuplicateReference(ReservationId),
    #[error("another service keeps the count of this house's rooms")]
    ExternalInventory,
    #[error("this house is closed: nobody books it any more")]
    PropertyClosed,
    #[error("{0}")]
    NotAllowed(&'static str),
    #[error("{0} is closed: its figures stand")]
    DayClosed(Date),
    #[error("{0} has not begun")]
    DayAhead(Date),
    #[error(
        "a guest who is expected, or in the house until {until}, is not forgotten: try again once the stay is over"
    )]
    GuestExpected { until: Date },
    #[error("this alert is resolved")]
    AlertResolved,
    #[error("there is no cancellation policy of version {0}")]
    PolicyUnknown(String),
    #[error("version {0} of the cancellation policy is made and never changes; give the next one another version")]
    PolicyMade(String),
}

platform::general_refusals!(ReservationError);

impl From<StayError> for ReservationError {
    fn from(error: StayError) -> Self {
        match error {
            StayError::TooMuch(error) => error.into(),
            StayError::RateMissing { room_type, night } => Self::RateMissing { room_type, night },
            StayError::StayInvalid(why) => Self::StayInvalid(why),
            StayError::Invalid { field, rule } => Self::General(Refusal::invalid(field, rule)),
            other => Self::Stay(other),
        }
    }
}

impl From<TooMuch> for ReservationError {
    fn from(_: TooMuch) -> Self {
        Self::General(Refusal::invalid("amountMicro", "the amounts together are more than any bill"))
    }
}

impl From<AlreadyResolved> for ReservationError {
    fn from(_: AlreadyResolved) -> Self {
        Self::AlertResolved
    }
}

impl From<BadSetting> for ReservationError {
    fn from(bad: BadSetting) -> Self {
        Self::General(Refusal::invalid(bad.field, bad.rule))
    }
}
