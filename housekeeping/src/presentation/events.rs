//! Subject to story.

use std::sync::Arc;

use contracts::catalogue::Context;
use contracts::external::{
    HousekeepingRoutingV1, RoomArchivedV1, RoomCreatedV1, RoomTakenOutOfOrderV1, TenantSettingsChangedV1,
    WorkOrderCompletedV1, WorkOrderOpenedV1,
};
use contracts::reservation::{
    CancelledV1, CheckInStartedV1, CheckedInV1, CheckedOutV1, ConfirmedV1, DatesChangedV1, EarlyCheckoutV1,
    GuestErasedV1, ModificationRequestedV1, ModifiedV1, NoShowV1, SpecialRequestAddedV1,
};
use contracts::staff::{
    ClockBreakEndedV1, ClockBreakStartedV1, ClockInV1, ClockOutV1, ShiftAssignedV1, ShiftCancelledV1, ShiftEndedV1,
    ShiftScheduledV1, ShiftStartedV1, ShiftSwappedV1, ShiftUnassignedV1, StaffCreatedV1, StaffUpdatedV1,
};
use contracts::{Envelope, Payload, ReadError};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use platform::bus::{Backoff, Handler, NotApplied, Subscription};
use platform::database::UnitOfWork;

use crate::application::profiles::Profiles;
use crate::application::{
    arrivals, blocks, maintenance, moves, occupancy, personal, put_back, routing, shifts, stays, turnover,
};
use crate::infrastructure::{SCHEMA, settings};

/// What housekeeping listens to.
pub const SUBJECTS: &[&str] = &[
    CheckedOutV1::SUBJECT,
    EarlyCheckoutV1::SUBJECT,
    CheckInStartedV1::SUBJECT,
    CheckedInV1::SUBJECT,
    NoShowV1::SUBJECT,
    ConfirmedV1::SUBJECT,
    DatesChangedV1::SUBJECT,
    CancelledV1::SUBJECT,
    ModifiedV1::SUBJECT,
    ModificationRequestedV1::SUBJECT,
    SpecialRequestAddedV1::SUBJECT,
    GuestErasedV1::SUBJECT,
    WorkOrderOpenedV1::SUBJECT,
    WorkOrderCompletedV1::SUBJECT,
    RoomCreatedV1::SUBJECT,
    RoomArchivedV1::SUBJECT,
    RoomTakenOutOfOrderV1::SUBJECT,
    TenantSettingsChangedV1::SUBJECT,
    StaffCreatedV1::SUBJECT,
    StaffUpdatedV1::SUBJECT,
    ShiftScheduledV1::SUBJECT,
    ShiftAssignedV1::SUBJECT,
    ShiftUnassignedV1::SUBJECT,
    ShiftStartedV1::SUBJECT,
    ShiftEndedV1::SUBJECT,
    ShiftSwappedV1::SUBJECT,
    ShiftCancelledV1::SUBJECT,
    ClockInV1::SUBJECT,
    ClockOutV1::SUBJECT,
    ClockBreakStartedV1::SUBJECT,
    ClockBreakEndedV1::SUBJECT,
    HousekeepingRoutingV1::SUBJECT,
];

/// The context's ear.
pub fn subscription(profiles: Arc<Profiles>) -> Subscription {
    Subscription {
        name: "housekeeping",
        schema: &SCHEMA,
        subjects: SUBJECTS.to_vec(),
        handler: Arc::new(HousekeepingEvents { profiles }),
        noted: &[],
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
        let subject = event.subject.as_str();
        if subject.starts_with("melmastoon.reservation.") {
            return self.of_guests(uow, event).await;
        }
        if subject.starts_with("melmastoon.staff.") {
            return of_people(uow, event).await;
        }
        self.of_the_house(uow, event).await
    }

    /// Guests come, stay, move, wish and leave.
    async fn of_guests(&self, uow: &mut UnitOfWork, event: &Envelope) -> Result<(), NotApplied> {
        let profile = self.profiles.of(uow).await?;
        match event.subject.as_str() {
            CheckedOutV1::SUBJECT => {
                turnover::open_turnovers(uow, &profile, &read(event)?, &event.id).await?;
            }
            EarlyCheckoutV1::SUBJECT => {
                turnover::open_early_turnovers(uow, &profile, &read(event)?, &event.id).await?;
            }
            CheckedInV1::SUBJECT => occupancy::welcome_guests(uow, &profile, &read(event)?, &event.id).await?,
            CheckInStartedV1::SUBJECT => arrivals::expect_guests(uow, &profile, &read(event)?).await?,
            ConfirmedV1::SUBJECT => arrivals::confirm(uow, &profile, &read(event)?).await?,
            DatesChangedV1::SUBJECT => arrivals::change_dates(uow, &profile, &read(event)?).await?,
            GuestErasedV1::SUBJECT => personal::forget_guest(uow, &read(event)?),
            NoShowV1::SUBJECT => arrivals::call_off(uow, &read(event)?).await?,
            CancelledV1::SUBJECT => arrivals::cancel(uow, &read(event)?).await?,
            ModifiedV1::SUBJECT => {
                let told = read::<ModifiedV1>(event)?;
                match told.state_override() {
                    Some(word) => put_back::take_back(uow, &profile, &told, word, &event.id).await?,
                    None => moves::move_guest(uow, &profile, &told, &event.id).await?,
                }
            }
            ModificationRequestedV1::SUBJECT => {
                let wish = read::<ModificationRequestedV1>(event)?;
                if stays::is_wished(&wish.requested_mods) {
                    let (stay, at) = (&wish.reservation_id, wish.requested_at);
                    stays::clean_for_guest(uow, &profile, stay, at, &event.id).await?;
                }
            }
            SpecialRequestAddedV1::SUBJECT => {
                let wish = read::<SpecialRequestAddedV1>(event)?;
                if stays::is_wished(&wish.tags) {
                    let (stay, at) = (&wish.reservation_id, wish.occurred_at);
                    stays::clean_for_guest(uow, &profile, stay, at, &event.id).await?;
                }
            }
            other => return Err(unheard(other)),
        }
        Ok(())
    }

    /// Rooms, repairs, plans and settings.
    async fn of_the_house(&self, uow: &mut UnitOfWork, event: &Envelope) -> Result<(), NotApplied> {
        match event.subject.as_str() {
            HousekeepingRoutingV1::SUBJECT => {
                let told = read::<HousekeepingRoutingV1>(event)?;
                routing::take_in(uow, &self.profiles, told).await?;
            }
            WorkOrderOpenedV1::SUBJECT => maintenance::take_up(uow, &read(event)?).await?,
            WorkOrderCompletedV1::SUBJECT => {
                let job = read::<WorkOrderCompletedV1>(event)?;
                let profile = self.profiles.of(uow).await?;
                maintenance::finish(uow, &profile, &job, &event.id).await?;
            }
            RoomTakenOutOfOrderV1::SUBJECT => blocks::echo(uow, &read(event)?, event.occurred_at).await?,
            RoomCreatedV1::SUBJECT => maintenance::introduce(uow, &read(event)?, event.occurred_at).await?,
            RoomArchivedV1::SUBJECT => maintenance::archive(uow, &read(event)?, event.occurred_at).await?,
            TenantSettingsChangedV1::SUBJECT => {
                self.profiles.forget(&read::<TenantSettingsChangedV1>(event)?.tenant_id);
                settings::tell_every_process(uow);
            }
            other => return Err(unheard(other)),
        }
        Ok(())
    }
}

/// People come to work, rest and go.
async fn of_people(uow: &mut UnitOfWork, event: &Envelope) -> Result<(), NotApplied> {
    match event.subject.as_str() {
        StaffCreatedV1::SUBJECT => shifts::meet(uow, read::<StaffCreatedV1>(event)?),
        StaffUpdatedV1::SUBJECT => shifts::learn(uow, read::<StaffUpdatedV1>(event)?),
        ShiftScheduledV1::SUBJECT => shifts::schedule(uow, &read(event)?),
        ShiftAssignedV1::SUBJECT => shifts::assign(uow, &read(event)?),
        ShiftUnassignedV1::SUBJECT => shifts::unassign(uow, &read(event)?),
        ShiftStartedV1::SUBJECT => shifts::begin(uow, &read(event)?),
        ShiftEndedV1::SUBJECT => shifts::end(uow, &read(event)?),
        ShiftCancelledV1::SUBJECT => shifts::cancel(uow, &read(event)?),
        ShiftSwappedV1::SUBJECT => {
            if !shifts::swap(uow, &read(event)?).await? {
                return Err(NotApplied::Later("nothing is known of these shifts yet".to_owned()));
            }
        }
        ClockInV1::SUBJECT => shifts::clock_in(uow, &read(event)?),
        ClockOutV1::SUBJECT => shifts::clock_out(uow, &read(event)?),
        ClockBreakStartedV1::SUBJECT => shifts::begin_break(uow, &read(event)?),
        ClockBreakEndedV1::SUBJECT => shifts::end_break(uow, &read(event)?),
        other => return Err(unheard(other)),
    }
    Ok(())
}

fn unheard(subject: &str) -> NotApplied {
    NotApplied::Never {
        code: "EVENT_SUBJECT_UNKNOWN".to_owned(),
        detail: format!("{subject} has no story here"),
        pointer: Some("/subject".to_owned()),
    }
}

fn read<P: Payload>(event: &Envelope) -> Result<P, NotApplied> {
    event.payload::<P>().map_err(|error: ReadError| NotApplied::Never {
        code: error.code().to_owned(),
        detail: error.to_string(),
        pointer: error.pointer().map(str::to_owned),
    })
}
