//! A supervisor sets a room's status by hand.

use contracts::housekeeping::{RoomStatus, RoomStatusCause};
use contracts::ids::RoomId;
use platform::http::{IfMatch, PropertyScope};
use platform::{Refusal, UnitOfWork};

use crate::HousekeepingError;
use crate::domain::room::Flip;
use crate::infrastructure::rooms::{self, DescribedRoom};

/// A room that the caller may look at. A property that the token does not speak for is as good as not there; where two of the houses have
/// a room of this id, the caller says which is meant.
pub async fn look_up(
    uow: &mut UnitOfWork,
    PropertyScope(houses): &PropertyScope,
    id: &RoomId,
) -> Result<DescribedRoom, HousekeepingError> {
    let mut found = rooms::find(uow, id, houses.as_deref()).await?;
    if found.len() > 1 {
        return Err(Refusal::invalid("propertyId", "two houses have a room of this id: say which one is meant").into());
    }
    let mut described = found.pop().ok_or(Refusal::NotFound("room"))?;
    described.blocks = rooms::blocks_of(uow, &described.room).await?;
    Ok(described)
}

/// A supervisor knows better than the list of transitions; the history keeps who and why.
pub async fn override_status(
    uow: &mut UnitOfWork,
    houses: &PropertyScope,
    if_match: Option<&IfMatch>,
    id: &RoomId,
    status: RoomStatus,
    note: Option<String>,
) -> Result<DescribedRoom, HousekeepingError> {
    let mut described = look_up(uow, houses, id).await?;
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
