//! Subject to story.

use std::sync::Arc;

use contracts::catalogue::Context;
use contracts::external::{RoomArchivedV1, RoomCreatedV1, TenantSettingsChangedV1};
use contracts::housekeeping::RoomStatusChangedV1;
use contracts::{Envelope, Payload, ReadError};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use platform::bus::{Backoff, Handler, NotApplied, Subscription};
use platform::database::UnitOfWork;

use crate::application::{rooms, settings};
use crate::infrastructure::{self, SCHEMA};

/// What reservation listens to.
pub const SUBJECTS: &[&str] = &[
    RoomCreatedV1::SUBJECT,
    RoomArchivedV1::SUBJECT,
    RoomStatusChangedV1::SUBJECT,
    TenantSettingsChangedV1::SUBJECT,
];

/// The context's ear.
pub fn subscription() -> Subscription {
    Subscription {
        name: "reservation",
        schema: &SCHEMA,
        subjects: SUBJECTS.to_vec(),
        handler: Arc::new(ReservationEvents),
        backoff: Backoff::of(Context::Reservation.delivery()),
    }
}

struct ReservationEvents;

impl Handler for ReservationEvents {
    fn handle<'a>(&'a self, uow: &'a mut UnitOfWork, event: &'a Envelope) -> BoxFuture<'a, Result<(), NotApplied>> {
        dispatch(uow, event).boxed()
    }
}

async fn dispatch(uow: &mut UnitOfWork, event: &Envelope) -> Result<(), NotApplied> {
    match event.subject.as_str() {
        RoomCreatedV1::SUBJECT => rooms::meet(uow, read(event)?).await?,
        RoomArchivedV1::SUBJECT => rooms::archive(uow, read(event)?).await?,
        RoomStatusChangedV1::SUBJECT => {
            let told = read::<RoomStatusChangedV1>(event)?;
            infrastructure::rooms::flip(uow, &told.room_id, told.status.as_str(), told.flipped_at);
        }
        TenantSettingsChangedV1::SUBJECT => {
            let told = read::<TenantSettingsChangedV1>(event)?;
            if let Some(values) = told.settings {
                settings::hear(uow, values, event.occurred_at).await?;
            }
        }
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

fn read<P: Payload>(event: &Envelope) -> Result<P, NotApplied> {
    event.payload::<P>().map_err(|error: ReadError| NotApplied::Never {
        code: error.code().to_owned(),
        detail: error.to_string(),
        pointer: error.pointer().map(str::to_owned),
    })
}
