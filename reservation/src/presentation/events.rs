//! Subject to story.

use std::sync::Arc;

use contracts::catalogue::Context;
use contracts::external::{
    AllocationCommittedV1, AllocationFailedV1, KeyCredentialFailedV1, KeyCredentialIssuedV1, PropertyDeactivatedV1,
    RoomArchivedV1, RoomCreatedV1, RoomTakenOutOfOrderV1, TenantSettingsChangedV1, TransactionCapturedV1,
    TransactionFailedV1, TransactionRefundedV1,
};
use contracts::housekeeping::RoomStatusChangedV1;
use contracts::{Envelope, Payload, ReadError};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use platform::bus::{Backoff, Handler, NotApplied, Subscription};
use platform::database::UnitOfWork;

use crate::application::{rooms, sagas, settings};
use crate::infrastructure::SCHEMA;

/// What reservation listens to.
pub const SUBJECTS: &[&str] = &[
    RoomCreatedV1::SUBJECT,
    RoomArchivedV1::SUBJECT,
    RoomTakenOutOfOrderV1::SUBJECT,
    PropertyDeactivatedV1::SUBJECT,
    RoomStatusChangedV1::SUBJECT,
    TenantSettingsChangedV1::SUBJECT,
    AllocationCommittedV1::SUBJECT,
    AllocationFailedV1::SUBJECT,
    TransactionCapturedV1::SUBJECT,
    TransactionFailedV1::SUBJECT,
    TransactionRefundedV1::SUBJECT,
    KeyCredentialIssuedV1::SUBJECT,
    KeyCredentialFailedV1::SUBJECT,
];

/// The context's ear.
pub fn subscription() -> Subscription {
    Subscription {
        name: "reservation",
        schema: &SCHEMA,
        subjects: SUBJECTS.to_vec(),
        handler: Arc::new(ReservationEvents),
        noted: &[RoomStatusChangedV1::SUBJECT],
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
        RoomTakenOutOfOrderV1::SUBJECT => rooms::take_out_of_order(uow, read(event)?, event.occurred_at).await?,
        PropertyDeactivatedV1::SUBJECT => rooms::close(uow, read(event)?).await?,
        RoomStatusChangedV1::SUBJECT => rooms::flip(uow, &read(event)?).await?,
        AllocationCommittedV1::SUBJECT => sagas::allocated(uow, read(event)?, event.id.as_str()).await?,
        AllocationFailedV1::SUBJECT => sagas::allocation_failed(uow, read(event)?, event.id.as_str()).await?,
        TransactionCapturedV1::SUBJECT => sagas::captured(uow, read(event)?, event.id.as_str()).await?,
        TransactionFailedV1::SUBJECT => sagas::payment_failed(uow, read(event)?, event.id.as_str()).await?,
        TransactionRefundedV1::SUBJECT => sagas::refunded(uow, read(event)?, event.id.as_str()).await?,
        KeyCredentialIssuedV1::SUBJECT => sagas::key_issued(uow, read(event)?, event.id.as_str()).await?,
        KeyCredentialFailedV1::SUBJECT => sagas::key_failed(uow, read(event)?, event.id.as_str()).await?,
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
