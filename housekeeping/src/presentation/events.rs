//! Subject to story.

use std::sync::Arc;

use contracts::catalogue::Context;
use contracts::external::HousekeepingRoutingV1;
use contracts::reservation::{CheckInStartedV1, CheckedInV1, CheckedOutV1, EarlyCheckoutV1, NoShowV1};
use contracts::staff::{
    ClockInV1, ClockOutV1, ShiftAssignedV1, ShiftEndedV1, ShiftScheduledV1, ShiftStartedV1, ShiftUnassignedV1,
    StaffCreatedV1, StaffUpdatedV1,
};
use contracts::{Envelope, Payload, ReadError};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use platform::bus::{Backoff, Handler, NotApplied, Subscription};
use platform::database::UnitOfWork;

use crate::application::profiles::Profiles;
use crate::application::{arrivals, occupancy, routing, shifts, turnover};
use crate::infrastructure::SCHEMA;

/// What housekeeping listens to.
pub const SUBJECTS: &[&str] = &[
    CheckedOutV1::SUBJECT,
    EarlyCheckoutV1::SUBJECT,
    CheckInStartedV1::SUBJECT,
    CheckedInV1::SUBJECT,
    NoShowV1::SUBJECT,
    StaffCreatedV1::SUBJECT,
    StaffUpdatedV1::SUBJECT,
    ShiftScheduledV1::SUBJECT,
    ShiftAssignedV1::SUBJECT,
    ShiftUnassignedV1::SUBJECT,
    ShiftStartedV1::SUBJECT,
    ShiftEndedV1::SUBJECT,
    ClockInV1::SUBJECT,
    ClockOutV1::SUBJECT,
    HousekeepingRoutingV1::SUBJECT,
];

/// The context's ear.
pub fn subscription(profiles: Arc<Profiles>) -> Subscription {
    Subscription {
        name: "housekeeping",
        schema: &SCHEMA,
        subjects: SUBJECTS.to_vec(),
        handler: Arc::new(HousekeepingEvents { profiles }),
        backoff: Backoff::of(Context::Housekeeping.delivery()),
    }
}

struct HousekeepingEvents {
    profiles: Arc<Profiles>,
}

impl Handler for HousekeepingEvents {
    fn handle<'a>(&'a self, uow: &'a mut UnitOfWork, event: &'a Envelope) -> BoxFuture<'a, Result<(), NotApplied>> {
        self.dispatch(uow, event).boxed()
    }
}

impl HousekeepingEvents {
    async fn dispatch(&self, uow: &mut UnitOfWork, event: &Envelope) -> Result<(), NotApplied> {
        match event.subject.as_str() {
            CheckedOutV1::SUBJECT => {
                let departure = read::<CheckedOutV1>(event)?;
                let profile = self.profiles.of(uow).await?;
                turnover::open_turnovers(uow, &profile, &departure, &event.id).await?;
            }
            EarlyCheckoutV1::SUBJECT => {
                let departure = read::<EarlyCheckoutV1>(event)?;
                let profile = self.profiles.of(uow).await?;
                turnover::open_early_turnovers(uow, &profile, &departure, &event.id).await?;
            }
            CheckedInV1::SUBJECT => {
                let arrival = read::<CheckedInV1>(event)?;
                occupancy::welcome_guests(uow, &arrival).await?;
            }
            CheckInStartedV1::SUBJECT => arrivals::expect_guests(uow, &read(event)?),
            NoShowV1::SUBJECT => arrivals::call_off(uow, &read(event)?),
            HousekeepingRoutingV1::SUBJECT => {
                let told = read::<HousekeepingRoutingV1>(event)?;
                routing::take_in(uow, &self.profiles, told).await?;
            }
            StaffCreatedV1::SUBJECT => shifts::meet(uow, read::<StaffCreatedV1>(event)?),
            StaffUpdatedV1::SUBJECT => shifts::learn(uow, read::<StaffUpdatedV1>(event)?),
            ShiftScheduledV1::SUBJECT => shifts::schedule(uow, &read(event)?),
            ShiftAssignedV1::SUBJECT => shifts::assign(uow, &read(event)?),
            ShiftUnassignedV1::SUBJECT => shifts::unassign(uow, &read(event)?),
            ShiftStartedV1::SUBJECT => shifts::begin(uow, &read(event)?),
            ShiftEndedV1::SUBJECT => shifts::end(uow, &read(event)?),
            ClockInV1::SUBJECT => shifts::clock_in(uow, &read(event)?),
            ClockOutV1::SUBJECT => shifts::clock_out(uow, &read(event)?),
            other => {
                return Err(NotApplied::Never {
                    code: "EVENT_SUBJECT_UNKNOWN".to_owned(),
                    detail: format!("{other} has no story here"),
                    pointer: Some("/subject".to_owned()),
                });
            }
        }
        Ok(())
    }
}

fn read<P: Payload>(event: &Envelope) -> Result<P, NotApplied> {
    event.payload::<P>().map_err(|error: ReadError| NotApplied::Never {
        code: error.code().to_owned(),
        detail: error.to_string(),
        pointer: error.pointer().map(str::to_owned),
    })
}
