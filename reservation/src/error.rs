//! Why reservation refuses: knows nothing of HTTP.

use contracts::ids::RoomTypeId;
use platform::Refusal;

use crate::domain::money::TooMuch;
use crate::domain::settings::BadSetting;

/// Every refusal of this context: what all contexts refuse, and its own. The problem catalogue is one exhaustive match over it.
#[derive(Debug, thiserror::Error)]
pub enum ReservationError {
    #[error(transparent)]
    General(Refusal),
    #[error("there is no room type {0} in this house")]
    RoomTypeUnknown(RoomTypeId),
    #[error("there is no cancellation policy of version {0}")]
    PolicyUnknown(String),
    #[error("version {0} of the cancellation policy is made and never changes; give the next one another version")]
    PolicyMade(String),
}

platform::general_refusals!(ReservationError);

impl From<TooMuch> for ReservationError {
    fn from(_: TooMuch) -> Self {
        Self::General(Refusal::invalid("amountMicro", "the amounts together are more than any bill"))
    }
}

impl From<BadSetting> for ReservationError {
    fn from(bad: BadSetting) -> Self {
        Self::General(Refusal::invalid(bad.field, bad.rule))
    }
}
