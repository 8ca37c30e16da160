//! A supervisor sets a room's status by hand.

use contracts::housekeeping::{RoomStatus, RoomStatusCause};
use contracts::ids::RoomId;
use platform::auth::Caller;
use platform::http::IfMatch;
use platform::{Refusal, UnitOfWork};

use crate::HousekeepingError;
use crate::domain::room::Flip;
use crate::infrastructure::rooms::{self, DescribedRoom};

/// A room that the caller may look at. A property that the token does not speak for is as good as not there.
pub async fn look_up(uow: &mut UnitOfWork, caller: &Caller, id: &RoomId) -> Result<DescribedRoom, HousekeepingError> {
    let found = rooms::find(uow, id).await?;
    let seen = found.filter(|found| caller.properties.include(&found.room.property_id));
    Ok(seen.ok_or(Refusal::NotFound("room"))?)
}

/// A supervisor knows better than the list of transitions; the history keeps who and why.
pub async fn override_status(
    uow: &mut UnitOfWork,
    caller: &Caller,
    if_match: Option<&IfMatch>,
    id: &RoomId,
    status: RoomStatus,
    note: Option<String>,
) -> Result<DescribedRoom, HousekeepingError> {
    let mut described = look_up(uow, caller, id).await?;
    let locked = rooms::lock(uow, &described.room.property_id, std::slice::from_ref(id)).await?;
    let room = locked.into_iter().next().ok_or(Refusal::NotFound("room"))?;
    IfMatch::check(if_match, room.version)?;
    let (now, by) = (uow.now(), uow.context().actor.clone());
    let flip = Flip { cause: RoomStatusCause::ManualOverride, task: None, by: &by, now };
    described.room = match room.clone().override_status(status, note, &flip)? {
        Some(decided) => uow.save(decided),
        None => room,
    };
    Ok(described)
}
