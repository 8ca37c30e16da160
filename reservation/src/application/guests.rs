//! What the desk knows of a guest, and that it is forgotten.

use contracts::ids::GuestId;
use contracts::time::Timestamp;
use platform::auth::{Caller, Properties};
use platform::{Refusal, UnitOfWork};

use crate::ReservationError;
use crate::domain::erasure::Erasure;
use crate::infrastructure::guests::{self, KnownGuest};

/// A guest whom one of the caller's houses knows.
pub async fn look_up(
    uow: &mut UnitOfWork,
    caller: &Caller,
    id: &GuestId,
) -> Result<(KnownGuest, Option<Timestamp>), ReservationError> {
    let houses = match &caller.properties {
        Properties::All => None,
        Properties::Only(list) => Some(list.as_slice()),
    };
    Ok(guests::seen(uow, id, houses).await?.ok_or(Refusal::NotFound("guest"))?)
}

/// Name, e-mail and telephone are forgotten; id and hashes stay. Once more changes nothing.
pub async fn erase(uow: &mut UnitOfWork, caller: &Caller, id: &GuestId) -> Result<(), ReservationError> {
    let (guest, erased_at) = look_up(uow, caller, id).await?;
    if erased_at.is_none() {
        uow.save(Erasure::of(guest.id));
    }
    Ok(())
}
