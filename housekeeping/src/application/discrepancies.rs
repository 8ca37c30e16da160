//! Somebody looks into a room and sees something else than the desk has on record.

use contracts::actor::Actor;
use contracts::ids::{DiscrepancyId, RoomId};
use platform::auth::Caller;
use platform::http::IfMatch;
use platform::{Refusal, UnitOfWork};

use super::rooms::look_up;
use crate::HousekeepingError;
use crate::domain::discrepancy::{Discrepancy, Occupancy, Resolution, Resolved};
use crate::infrastructure::discrepancies;

/// What was seen, what is on record, and the difference that waits for the desk.
#[derive(Debug)]
pub struct Observation {
    pub observed: Occupancy,
    pub recorded: Occupancy,
    pub discrepancy: Option<Discrepancy>,
}

/// Who resolves a difference that is no more.
const LOOKED_AGAIN: &str = "sys_seen_again";

/// Somebody says whether a room is occupied. Where the desk has something else on record, it is asked to look; once is enough. A difference
/// that waits and is not the one that is seen now is over: what was seen has changed since, or what is on record.
pub async fn observe(
    uow: &mut UnitOfWork,
    caller: &Caller,
    if_match: Option<&IfMatch>,
    id: &RoomId,
    observed: Occupancy,
    note: Option<String>,
) -> Result<Observation, HousekeepingError> {
    let property = look_up(uow, caller, id).await?.room.property_id;
    let known = discrepancies::on_record(uow, &property, id).await?.ok_or(Refusal::NotFound("room"))?;
    IfMatch::check(if_match, known.room.version)?;
    let recorded = known.recorded;
    let is_new = |open: &Discrepancy| (open.observed, open.recorded) != (observed, recorded);
    let open = match known.open {
        Some(before) if is_new(&before) => {
            uow.touch_board(&property);
            let word = if observed == recorded { "what is seen and what is on record agree" } else { "superseded" };
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
