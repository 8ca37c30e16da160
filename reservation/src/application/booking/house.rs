//! What the house brings to a booking.

use contracts::ids::PropertyId;
use platform::UnitOfWork;

use crate::ReservationError;
use crate::domain::policy::Policy;
use crate::domain::settings::{InventoryMode, Settings};
use crate::domain::stay::HouseTime;
use crate::infrastructure::houses;

/// What the house brings to a booking.
#[derive(Debug)]
pub struct House {
    pub settings: Settings,
    pub time: HouseTime,
    pub policy: Policy,
    /// Nobody books it any more.
    pub closed: bool,
}

impl House {
    pub async fn of(uow: &mut UnitOfWork, property: &PropertyId) -> Result<Self, ReservationError> {
        let found = houses::find(uow, property).await?;
        Self::known(uow, found)
    }

    pub(in crate::application) fn known(uow: &mut UnitOfWork, found: houses::Found) -> Result<Self, ReservationError> {
        let houses::Found { settings, policies, closed } = found;
        let version = &settings.cancellation_policy_version;
        let policy = policies.into_iter().find(|policy| policy.version == *version);
        let policy = policy.ok_or_else(|| ReservationError::PolicyUnknown(version.clone()))?;
        uow.resides_in(&settings.region);
        Ok(Self { time: HouseTime::of(&settings), settings, policy, closed })
    }

    /// Another service keeps the count of its rooms.
    pub fn is_external(&self) -> bool {
        self.settings.inventory_mode == InventoryMode::External
    }

    /// Whether somebody may book it.
    pub(in crate::application) fn is_open(&self) -> Result<(), ReservationError> {
        if self.closed { Err(ReservationError::PropertyClosed) } else { Ok(()) }
    }
}
