//! Somebody looks into a room and sees something else than the desk has on record.

use contracts::actor::Actor;
use contracts::ids::{DiscrepancyId, RoomId};
use platform::auth::Caller;
use platform::http::{IfMatch, PropertyScope};
use platform::{Refusal, UnitOfWork};

use super::rooms::look_up;
use crate::HousekeepingError;
use crate::domain::discrepancy::{Discrepancy, Occupancy, Resolution, Resolved};
use crate::infrastructure::discrepancies::{self, OpenInRoom};

/// What was seen, what is on record, and the difference that waits for the desk.
#[derive(Debug)]
pub struct Observation {
    pub observed: Occupancy,
    pub recorded: Occupancy,
    pub discrepancy: Option<Discrepancy>,
}

/// Who resolves a difference that is no more.
const LOOKED_AGAIN: &str = "sys_seen_again";
/// What is said of it then.
const AGREE: &str = "what is seen and what is on record agree";

/// Somebody says whether a room is occupied. Where the desk has something else on record, it is asked to look; once is enough. A difference
/// that waits and is not the one that is seen now is over: what was seen has changed since, or what is on record.
pub async fn observe(
    uow: &mut UnitOfWork,
    houses: &PropertyScope,
    if_match: Option<&IfMatch>,
    id: &RoomId,
    observed: Occupancy,
    note: Option<String>,
) -> Result<Observation, HousekeepingError> {
    let property = look_up(uow, houses, id).await?.room.property_id;
    let known = discrepancies::on_record(uow, &property, id).await?.ok_or(Refusal::NotFound("room"))?;
    IfMatch::check(if_match, known.room.version)?;
    let recorded = known.recorded;
    let is_new = |open: &Discrepancy| (open.observed, open.recorded) != (observed, recorded);
    let open = match known.open {
        Some(before) if is_new(&before) => {
            uow.touch_board(&property);
            let word = if observed == recorded { AGREE } else { "superseded" };
            let (note, by) = (Some(word.to_owned()), Actor::system(LOOKED_AGAIN));
            let resolved = Resolved { resolution: Resolution::Other, note, by, at: uow.now() };
            uow.save(before.resolve(resolved)?);
            None
        }
        open => open,
    };
    let discrepancy = match open {
        Some(open) => Some(open),
        None if observed == recorded => None,
        None => {
            uow.touch_board(&property);
            let noticed = Discrepancy {
                id: uow.next_id(),
                property_id: property,
                room_id: id.clone(),
                observed,
                recorded,
                observed_by: uow.context().actor.clone(),
                observed_at: uow.now(),
                note,
                resolved: None,
                version: 1,
            };
            Some(uow.save(noticed.noticed()))
        }
    };
    Ok(Observation { observed, recorded, discrepancy })
}

/// Guests came or went: where what is on record now is what was seen, there is no difference any more. `is_in`: whether guests of the
/// reservation are in a room now.
pub(super) fn settle(
    uow: &mut UnitOfWork,
    open: Vec<OpenInRoom>,
    is_in: impl Fn(&RoomId) -> bool,
) -> Result<(), HousekeepingError> {
    for OpenInRoom { found, others_in } in open {
        if found.observed != Occupancy::of(others_in || is_in(&found.room_id)) {
            continue;
        }
        let (note, by) = (Some(AGREE.to_owned()), Actor::system(LOOKED_AGAIN));
        uow.touch_board(&found.property_id);
        let resolved = Resolved { resolution: Resolution::Other, note, by, at: uow.now() };
        uow.save(found.resolve(resolved)?);
    }
    Ok(())
}

/// The desk says what it was.
pub async fn resolve(
    uow: &mut UnitOfWork,
    caller: &Caller,
    if_match: Option<&IfMatch>,
    id: &DiscrepancyId,
    resolution: Resolution,
    note: Option<String>,
) -> Result<Discrepancy, HousekeepingError> {
    let found = discrepancies::lock(uow, id).await?;
    let found =
        found.filter(|found| caller.properties.include(&found.property_id)).ok_or(Refusal::NotFound("discrepancy"))?;
    IfMatch::check(if_match, found.version)?;
    let resolved = Resolved { resolution, note, by: uow.context().actor.clone(), at: uow.now() };
    uow.touch_board(&found.property_id);
    Ok(uow.save(found.resolve(resolved)?))
}
