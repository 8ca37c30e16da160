//! An alert whose reason is gone is nobody's to look at any more: a room was found, the guest has left, a key came after all.
//!
//! A reason goes in many ways, some of them without anybody doing anything to the booking itself. So it is looked for by the clock, in
//! what is written, and not in every story.

use contracts::ids::AlertId;
use contracts::reservation::AlertKind;
use platform::each_tenant::{Tally, in_one_unit};
use platform::ticks::Deed;
use platform::{Db, UnitOfWork};

use super::sagas::ACTOR;
use crate::domain::alerts::{Alert, SeenTo};
use crate::infrastructure::alerts;
use crate::{ReservationError, SCHEMA};

/// Every second, in every process: what another is at is passed by.
pub async fn resolve_what_is_over(db: Db) -> Deed {
    let mut done = Tally::default();
    for tenant in alerts::tenants_with_open(&db).await? {
        let over = db.read(&SCHEMA, &tenant, async |uow| alerts::over(uow, None).await).await;
        // Each by itself: one that cannot be resolved keeps no other.
        for alert in done.of(&tenant, over)?.unwrap_or_default() {
            let story = async |uow: &mut UnitOfWork| resolve(uow, &alert.id).await;
            done.count(&tenant, in_one_unit(&db, &SCHEMA, &tenant, ACTOR, story).await)?;
        }
    }
    Ok(done.said("alerts resolved"))
}

/// With the alert in hand, once more: the reason may be back.
async fn resolve(uow: &mut UnitOfWork, id: &AlertId) -> Result<usize, ReservationError> {
    let Some(alert) = alerts::over(uow, Some(id)).await?.into_iter().next() else { return Ok(0) };
    let seen_to = SeenTo { by: uow.context().actor.clone(), at: uow.now(), note: Some(why(&alert).to_owned()) };
    uow.save(alert.resolve(seen_to)?);
    Ok(1)
}

fn why(alert: &Alert) -> &'static str {
    match &alert.matter.kind {
        AlertKind::Overbooked => "there is a room, or none is needed any more",
        AlertKind::RoomOutOfOrder => "there is another room, or this one is in order",
        AlertKind::OverstayConflict => "the guest is not in this room any more",
        AlertKind::KeyFailed => "there is a key, or the guest was let in",
        AlertKind::PolicyUnknown => "other rules are in force since",
        AlertKind::AllocationFailed
        | AlertKind::PaymentMismatch
        | AlertKind::PropertyClosed
        | AlertKind::Unknown(_) => "the booking is over",
    }
}
