//! Somebody in the house has to look at something, and says that it is seen to.

use contracts::actor::Actor;
use contracts::ids::AlertId;
use contracts::reservation::AlertKind;
use platform::auth::Caller;
use platform::http::IfMatch;
use platform::{Refusal, UnitOfWork};

use crate::ReservationError;
use crate::domain::alerts::{Alert, Matter, SeenTo};
use crate::domain::reservation::{Reservation, ReservationStatus};
use crate::infrastructure::alerts;

/// Raises an alert, unless one is open about the same thing. Whoever calls holds the lock of what it is about.
pub async fn raise(uow: &mut UnitOfWork, matter: Matter) -> Result<Option<Alert>, ReservationError> {
    if alerts::is_open(uow, &matter).await? {
        return Ok(None);
    }
    let (id, now) = (uow.next_id(), uow.now());
    Ok(Some(uow.save(Alert::raise(id, matter, now))))
}

/// A hold that ends by itself with money that was paid at the desk: nobody else gives it back.
pub(super) async fn notice_cash(
    uow: &mut UnitOfWork,
    before: &Reservation,
    after: &Reservation,
) -> Result<(), ReservationError> {
    if before.status == ReservationStatus::Held && after.status.is_over() && after.cash()?.is_due() {
        let matter = Matter {
            property_id: after.property_id.clone(),
            kind: AlertKind::PaymentMismatch,
            reservation_id: Some(after.id.clone()),
            room_id: None,
            suggested_room_id: None,
        };
        raise(uow, matter).await?;
    }
    Ok(())
}

/// Somebody has seen to it.
pub async fn resolve(
    uow: &mut UnitOfWork,
    (caller, by): (&Caller, Actor),
    if_match: Option<&IfMatch>,
    id: &AlertId,
    note: Option<String>,
) -> Result<Alert, ReservationError> {
    let found = alerts::lock(uow, id).await?.filter(|one| caller.properties.include(&one.matter.property_id));
    let alert = found.ok_or(Refusal::NotFound("alert"))?;
    IfMatch::check(if_match, alert.version)?;
    let at = uow.now();
    let resolved = alert.resolve(SeenTo { by, at, note })?;
    Ok(uow.save(resolved))
}
