//! A program proposes who should be on which shift; nothing of it happens until somebody who leads agrees.

use std::collections::{BTreeMap, BTreeSet};

use contracts::external::ShiftOptimizationV1;
use contracts::ids::{PropertyId, ShiftId, StaffId, SuggestionId};
use contracts::time::Timestamp;
use contracts::{AiProvenance, AiSource};
use platform::auth::Caller;
use platform::http::IfMatch;
use platform::{Refusal, UnitOfWork};

use super::candidates::{find_position, gather};
use super::clock::take_along_to_nearest;
use crate::StaffError;
use crate::domain::planning::{Candidate, Engagement, SkipCode};
use crate::domain::position::Position;
use crate::domain::shift::{Shift, Why};
use crate::domain::suggestion::{ProposedRow, RowOutcome, ShiftSuggestion, SuggestionStatus};
use crate::domain::words::PlaceRole;
use crate::infrastructure::{due, people, positions, shifts, suggestions};

const LONGEST_REASONING: usize = 500;
const LONGEST_MODEL: usize = 100;

/// A plan comes in. The same again is nothing; a newer one takes the place of those that wait; rows about what is not there, or
/// said twice, are dropped.
pub async fn take_in(
    uow: &mut UnitOfWork,
    told: ShiftOptimizationV1,
    provenance: Option<AiProvenance>,
    at: Timestamp,
) -> Result<(), StaffError> {
    let waiting = suggestions::lock_pending(uow, &told.property_id).await?;
    if suggestions::find(uow, &told.suggestion_id).await?.is_some() {
        return Ok(());
    }
    let generated_at = told.generated_at.unwrap_or(at);
    let is_newest = waiting.iter().all(|other| other.generated_at <= generated_at);
    let now = uow.now();
    if is_newest {
        for older in waiting {
            uow.save(older.supersede(now));
        }
    }
    let model_version = told.model_version.as_deref().map(|model| plain(model, LONGEST_MODEL));
    let provenance = provenance.unwrap_or_else(|| AiProvenance {
        source: AiSource::Cloud,
        model: model_version.clone().unwrap_or_else(|| "unknown".to_owned()),
        prompt_hash: String::new(),
    });
    let suggestion = ShiftSuggestion {
        id: told.suggestion_id,
        status: SuggestionStatus::Pending,
        generated_at,
        model_version,
        provenance,
        rows: known_rows(uow, &told.property_id, told.rows).await?,
        property_id: told.property_id,
        decided_by: None,
        decided_at: None,
        version: 1,
    };
    let made = uow.save(suggestion.made(is_newest));
    // It may come after the house was closed.
    if made.status == SuggestionStatus::Pending && due::closed_since(uow, &made.property_id).await?.is_some() {
        uow.save(made.expire(now));
    }
    Ok(())
}

async fn known_rows(
    uow: &mut UnitOfWork,
    house: &PropertyId,
    told: Vec<contracts::external::ShiftProposal>,
) -> Result<Vec<ProposedRow>, StaffError> {
    let shift_ids: BTreeSet<_> = told.iter().map(|row| row.shift_id.clone()).collect();
    let staff_ids: BTreeSet<_> = told.iter().map(|row| row.staff_id.clone()).collect();
    let planned = shifts::find_all(uow, &shift_ids.into_iter().collect::<Vec<_>>()).await?;
    let persons = people::find_all(uow, &staff_ids.into_iter().collect::<Vec<_>>()).await?;
    let mut rows: Vec<ProposedRow> = Vec::new();
    for row in told {
        let known = planned.iter().any(|shift| shift.id == row.shift_id && shift.property_id == *house)
            && persons.iter().any(|person| person.id == row.staff_id);
        let twice = rows.iter().any(|one| one.shift_id == row.shift_id && one.staff_id == row.staff_id);
        if known && !twice {
            rows.push(ProposedRow {
                shift_id: row.shift_id,
                staff_id: row.staff_id,
                reasoning: row.reasoning.map(|text| plain(&text, LONGEST_REASONING)),
                outcome: RowOutcome::Proposed,
            });
        }
    }
    Ok(rows)
}

/// A foreign text without control characters, within its bounds.
fn plain(text: &str, longest: usize) -> String {
    text.chars().filter(|letter| !letter.is_control()).take(longest).collect()
}

/// One that the caller may look at. Another house's is as good as not there.
pub async fn look_up(uow: &mut UnitOfWork, caller: &Caller, id: &SuggestionId) -> Result<ShiftSuggestion, StaffError> {
    let found = suggestions::find(uow, id).await?.filter(|one| caller.properties.include(&one.property_id));
    Ok(found.ok_or(Refusal::NotFound("suggestion"))?)
}

/// Rows that a decision names.
pub type Named = Option<Vec<(ShiftId, StaffId)>>;

pub async fn reject(
    uow: &mut UnitOfWork,
    caller: &Caller,
    (id, if_match): (&SuggestionId, Option<&IfMatch>),
    named: Named,
) -> Result<ShiftSuggestion, StaffError> {
    look_up(uow, caller, id).await?;
    let suggestion = suggestions::lock(uow, id).await?.ok_or(Refusal::NotFound("suggestion"))?;
    IfMatch::check(if_match, suggestion.version)?;
    let mut rows = suggestion.waiting(named.as_deref())?;
    for row in &mut rows {
        row.outcome = RowOutcome::Rejected;
    }
    let now = uow.now();
    Ok(uow.save(suggestion.decide(&rows, caller.actor(), now)))
}

/// Each row takes a free place, to work or else to stand by, by the rules of every assignment; one that cannot is skipped.
pub async fn approve(
    uow: &mut UnitOfWork,
    caller: &Caller,
    (id, if_match): (&SuggestionId, Option<&IfMatch>),
    named: Named,
) -> Result<ShiftSuggestion, StaffError> {
    let seen = look_up(uow, caller, id).await?;
    let staff_ids: BTreeSet<_> = seen.rows.iter().map(|row| row.staff_id.clone()).collect();
    let shift_ids: BTreeSet<_> = seen.rows.iter().map(|row| row.shift_id.clone()).collect();
    // People, then shifts, then the suggestion: as everywhere.
    let persons = people::lock_all(uow, &staff_ids.into_iter().collect::<Vec<_>>()).await?;
    let mut planned = shifts::lock_all(uow, &shift_ids.into_iter().collect::<Vec<_>>()).await?;
    let suggestion = suggestions::lock(uow, id).await?.ok_or(Refusal::NotFound("suggestion"))?;
    IfMatch::check(if_match, suggestion.version)?;
    let mut rows = suggestion.waiting(named.as_deref())?;
    let all = positions::positions(uow).await?;
    let windows = planned.iter().map(|shift| (shift.plan.window.starts_at, shift.plan.window.ends_at));
    let now = uow.now();
    let (from, to) = windows.fold((now, now), |(from, to), (starts, ends)| (from.min(starts), to.max(ends)));
    let mut candidates = gather(uow, persons, from, to).await?;
    for row in &mut rows {
        row.outcome = apply(uow, row, &suggestion.provenance, (&mut planned, &mut candidates), &all)?;
    }
    take_all_along(uow, &rows, planned, &candidates).await?;
    Ok(uow.save(suggestion.decide(&rows, caller.actor(), now)))
}

/// Whoever is there already came to one of the shifts that they got, and to no other.
async fn take_all_along(
    uow: &mut UnitOfWork,
    rows: &[ProposedRow],
    mut planned: Vec<Shift>,
    candidates: &[Candidate],
) -> Result<(), StaffError> {
    let mut got: BTreeMap<&StaffId, BTreeSet<&ShiftId>> = BTreeMap::new();
    for row in rows.iter().filter(|row| matches!(row.outcome, RowOutcome::Applied { .. })) {
        got.entry(&row.staff_id).or_default().insert(&row.shift_id);
    }
    for Candidate { person, .. } in candidates {
        let Some(theirs) = got.get(&person.id) else { continue };
        let (mut own, others): (Vec<_>, Vec<_>) = planned.into_iter().partition(|shift| theirs.contains(&shift.id));
        take_along_to_nearest(uow, person, &mut own).await?;
        planned = others;
        planned.append(&mut own);
    }
    Ok(())
}

/// One row: the place it got, or why it got none. What it got counts for the rows after it.
fn apply(
    uow: &mut UnitOfWork,
    row: &ProposedRow,
    provenance: &AiProvenance,
    (planned, candidates): (&mut [Shift], &mut [Candidate]),
    all: &[Position],
) -> Result<RowOutcome, StaffError> {
    let gone = Ok(RowOutcome::Skipped { because: SkipCode::ShiftOver });
    let Some(shift) = planned.iter_mut().find(|shift| shift.id == row.shift_id) else { return gone };
    let Some(candidate) = candidates.iter_mut().find(|one| one.person.id == row.staff_id) else { return gone };
    let position = find_position(all, &shift.position_id)?;
    let role = match shift.has_room(PlaceRole::Primary) {
        Err(_) if shift.has_room(PlaceRole::Standby).is_ok() => PlaceRole::Standby,
        _ => PlaceRole::Primary,
    };
    if let Err(unfit) = candidate.can_take(shift, &position, Some(role), false) {
        return Ok(RowOutcome::Skipped { because: unfit.code() });
    }
    let (assignment_id, now): (contracts::ids::AssignmentId, _) = (uow.next_id(), uow.now());
    let why = Why::Proposed(provenance.clone());
    let decided = shift.clone().assign(assignment_id.clone(), row.staff_id.clone(), role, why, now)?;
    *shift = uow.save(decided);
    candidate.engagements.push(Engagement::on(shift));
    Ok(RowOutcome::Applied { assignment_id, role })
}

/// A house closes: nothing that was proposed for it can be done any more.
pub async fn expire_all(uow: &mut UnitOfWork, house: &PropertyId) -> Result<(), StaffError> {
    let now = uow.now();
    for waiting in suggestions::lock_pending(uow, house).await? {
        uow.save(waiting.expire(now));
    }
    Ok(())
}
