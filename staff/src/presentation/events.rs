//! Events in: subject to story.

use std::sync::Arc;

use contracts::catalogue::Context;
use contracts::external::{
    MembershipCreatedV1, MembershipRemovedV1, PropertyDeactivatedV1, ShiftOptimizationV1, UserRegisteredV1,
};
use contracts::{Envelope, Payload, ReadError};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use platform::UnitOfWork;
use platform::bus::{Backoff, Handler, NotApplied, Subscription};

use crate::SCHEMA;
use crate::application::{linking, suggestions};

/// What this context listens to.
pub const SUBJECTS: &[&str] = &[
    UserRegisteredV1::SUBJECT,
    MembershipCreatedV1::SUBJECT,
    MembershipRemovedV1::SUBJECT,
    PropertyDeactivatedV1::SUBJECT,
    ShiftOptimizationV1::SUBJECT,
];

/// The context's ear.
pub fn subscription() -> Subscription {
    Subscription {
        name: "staff",
        schema: &SCHEMA,
        subjects: SUBJECTS.to_vec(),
        handler: Arc::new(StaffEvents),
        noted: &[],
        backoff: Backoff::of(Context::Staff.delivery()),
    }
}

struct StaffEvents;

impl Handler for StaffEvents {
    fn handle<'a>(&'a self, uow: &'a mut UnitOfWork, event: &'a Envelope) -> BoxFuture<'a, Result<(), NotApplied>> {
        dispatch(uow, event).boxed()
    }
}

async fn dispatch(uow: &mut UnitOfWork, event: &Envelope) -> Result<(), NotApplied> {
    match event.subject.as_str() {
        UserRegisteredV1::SUBJECT => linking::register(uow, read(event)?, event.occurred_at).await?,
        MembershipCreatedV1::SUBJECT => linking::join(uow, read(event)?, event.occurred_at).await?,
        MembershipRemovedV1::SUBJECT => linking::leave(uow, read(event)?, event.occurred_at).await?,
        PropertyDeactivatedV1::SUBJECT => linking::close_house(uow, read(event)?, event.occurred_at).await?,
        ShiftOptimizationV1::SUBJECT => {
            let provenance = event.metadata.ai_provenance.clone();
            suggestions::take_in(uow, read(event)?, provenance, event.occurred_at).await?;
        }
        other => return Err(NotApplied::never("EVENT_SUBJECT_UNKNOWN", format!("{other} has no story here"))),
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
