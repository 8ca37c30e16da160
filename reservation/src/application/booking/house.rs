//! What the house brings to a booking.

use contracts::ids::PropertyId;
use platform::UnitOfWork;

use crate::ReservationError;
use crate::domain::policy::Policy;
use crate::domain::settings::Settings;
use crate::domain::stay::HouseTime;
use crate::infrastructure::{policies, settings};

/// What the house brings to a booking.
#[derive(Debug)]
pub struct House {
    pub settings: Settings,
    pub time: HouseTime,
    pub policy: Policy,
}

impl House {
    pub async fn of(uow: &mut UnitOfWork, property: &PropertyId) -> Result<Self, ReservationError> {
        let (settings, _) = settings::load(uow, Some(property)).await?;
        let version = settings.cancellation_policy_version.clone();
        let policy = policies::find(uow, &version).await?.ok_or(ReservationError::PolicyUnknown(version))?;
        Ok(Self { time: HouseTime::of(&settings), settings, policy })
    }
}
