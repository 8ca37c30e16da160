//! The planner suggests, the supervisor decides.
//!
//! A plan is made in three steps: look at the house, ask whoever plans, keep the answer. The database waits for nobody in
//! between: planning takes up to a second.

use std::sync::Arc;
use std::time::Instant;

use contracts::actor::Actor;
use contracts::external::HousekeepingRoutingV1;
use contracts::housekeeping::ReassignReason;
use contracts::ids::{PropertyId, RoomId, ShiftId, StaffId, SuggestionId, TaskId};
use platform::auth::Caller;
use platform::http::IfMatch;
use platform::{Fault, UnitOfWork};

use super::opening::Profiles;
use super::routing_answers::believed;
use super::routing_port::{RoutingInput, RoutingPort};
use crate::HousekeepingError;
use crate::domain::settings::RoutingGate;
use crate::domain::suggestion::{
    Proposal, Scope, SuggestedRow, Suggestion, SuggestionNote, SuggestionSource, SuggestionStatus,
};
use crate::infrastructure::planning::{Consequences, WhatIfError, what_if};
use crate::infrastructure::{routing_input, suggestions};

/// The house as it was when a plan was asked for, and who decides on the plan.
#[derive(Clone, Debug)]
pub struct Look {
    pub input: Arc<RoutingInput>,
    gate: RoutingGate,
    asked: Instant,
}

/// Looks at the house.
pub async fn look(
    uow: &mut UnitOfWork,
    profiles: &Profiles,
    caller: &Caller,
    property: &PropertyId,
    shift: Option<&ShiftId>,
) -> Result<Look, HousekeepingError> {
    let asked = Instant::now();
    if !caller.properties.include(property) {
        return Err(HousekeepingError::ForeignProperty);
    }
    let profile = profiles.of(uow).await?;
    let house = routing_input::load(uow, property, &profile.settings.timezone).await?;
    Ok(Look { input: Arc::new(house.of_shift(shift)), gate: profile.settings.routing_gate, asked })
}

/// Asks whoever plans. There is always an answer; an empty one says why it is empty.
pub async fn ask(port: &dyn RoutingPort, look: &Look) -> Proposal {
    let input = &look.input;
    if look.gate == RoutingGate::ManualOnly {
        return Proposal::empty(SuggestionNote::ManualOnly);
    }
    if input.tasks.is_empty() {
        return Proposal::empty(SuggestionNote::NothingToPlan);
    }
    if input.people.is_empty() {
        return Proposal::empty(SuggestionNote::NobodyOnShift);
    }
    let proposal = port.suggest(Arc::clone(input), look.asked).await.unwrap_or_else(|error| {
        tracing::warn!(%error, property = input.property_id.as_str(), "there is no plan");
        Proposal::empty(SuggestionNote::PlannerUnavailable)
    });
    let took = look.asked.elapsed().as_secs_f64();
    metrics::histogram!("melmastoon_routing_seconds", "source" => proposal.source.as_str()).record(took);
    proposal
}

/// What would come of giving a task to somebody. Nothing is kept of it.
pub async fn weigh(look: Look, task: TaskId, staff: StaffId) -> Result<Consequences, HousekeepingError> {
    if !look.input.tasks.iter().any(|one| one.task_id == task) {
        return Err(HousekeepingError::NotFound("open task"));
    }
    if !look.input.people.iter().any(|person| person.staff_id == staff) {
        return Err(HousekeepingError::StaffNotOnShift { staff_id: staff.as_str().to_owned() });
    }
    let weighing = tokio::task::spawn_blocking(move || what_if(&look.input, &task, &staff)).await;
    let refused = |field: &'static str, rule: String| HousekeepingError::Invalid { field, rule };
    match weighing {
        Ok(Ok(consequences)) => Ok(consequences),
        Ok(Err(WhatIfError::NotPlanned)) => Err(refused("staffId", WhatIfError::NotPlanned.to_string())),
        Ok(Err(other)) => Err(refused("taskId", other.to_string())),
        Err(stopped) => Err(Fault::Unexpected { place: "what_if".to_owned(), detail: stopped.to_string() }.into()),
    }
}

/// Keeps the plan until somebody decides; where the hotel wants it, it is done at once.
pub async fn keep(uow: &mut UnitOfWork, look: &Look, proposal: Proposal) -> Result<Suggestion, HousekeepingError> {
    let scope = Scope { property_id: look.input.property_id.clone(), shift_id: look.input.shift_id.clone() };
    let suggestion = Suggestion::made(uow.next_id(), scope, proposal, look.input.at);
    file(uow, suggestion, look.gate).await
}

/// A plan comes by itself, over the bus. The same one again changes nothing.
pub async fn receive(
    uow: &mut UnitOfWork,
    profiles: &Profiles,
    told: HousekeepingRoutingV1,
) -> Result<(), HousekeepingError> {
    let profile = profiles.of(uow).await?;
    let gate = profile.settings.routing_gate;
    if suggestions::find(uow, &told.suggestion_id).await?.is_some() {
        return Ok(());
    }
    let house = routing_input::load(uow, &told.property_id, &profile.settings.timezone).await?;
    let (mut proposal, dropped) = believed(SuggestionSource::Event, &told.model_version, told.rows, &house);
    if dropped > 0 {
        tracing::warn!(suggestion = told.suggestion_id.as_str(), dropped, "rows of a suggestion were not believed");
    }
    if gate == RoutingGate::ManualOnly {
        proposal = Proposal { source: SuggestionSource::Event, ..Proposal::empty(SuggestionNote::ManualOnly) };
    }
    let scope = Scope { property_id: told.property_id, shift_id: Some(told.shift_id) };
    // A clock that runs ahead elsewhere must not keep newer plans away.
    let generated_at = told.generated_at.min(uow.now());
    file(uow, Suggestion::made(told.suggestion_id, scope, proposal, generated_at), gate).await?;
    Ok(())
}

/// A newer plan takes the place of those that speak of the same people; an older one that comes late does not.
async fn file(
    uow: &mut UnitOfWork,
    mut suggestion: Suggestion,
    gate: RoutingGate,
) -> Result<Suggestion, HousekeepingError> {
    let now = uow.now();
    // An answer without a plan is no reason to throw another plan away.
    if suggestion.proposal.note.is_none() {
        let earlier = suggestions::lock_pending(uow, &suggestion.scope).await?;
        if earlier.iter().any(|known| known.generated_at > suggestion.generated_at) {
            suggestion = suggestion.supersede(now);
        } else {
            for known in earlier {
                suggestions::update(uow, &known.supersede(now));
            }
        }
    }
    if gate == RoutingGate::AutoApply && suggestion.status == SuggestionStatus::Pending {
        suggestion = carry_out(uow, suggestion, None, Actor::system("sys_auto_apply")).await?;
    }
    uow.touch_board(&suggestion.scope.property_id);
    suggestions::insert(uow, &suggestion);
    Ok(suggestion)
}

/// A decision on a suggestion: who takes it, on which version, about which rows (all that wait, when none are named).
#[derive(Clone, Copy, Debug)]
pub struct Decision<'a> {
    pub suggestion: &'a SuggestionId,
    pub caller: &'a Caller,
    pub if_match: Option<&'a IfMatch>,
    pub rows: Option<&'a [TaskId]>,
}

/// The supervisor approves: every row that still holds becomes an assignment; the others say why not.
pub async fn approve(uow: &mut UnitOfWork, decision: Decision<'_>) -> Result<Suggestion, HousekeepingError> {
    let suggestion = locked(uow, decision).await?;
    let by = uow.context().actor.clone();
    let decided = carry_out(uow, suggestion, decision.rows, by).await?;
    uow.touch_board(&decided.scope.property_id);
    suggestions::update(uow, &decided);
    Ok(decided)
}

pub async fn reject(uow: &mut UnitOfWork, decision: Decision<'_>) -> Result<Suggestion, HousekeepingError> {
    let suggestion = locked(uow, decision).await?;
    let decided = suggestion.reject(decision.rows, uow.context().actor.clone(), uow.now())?;
    uow.touch_board(&decided.scope.property_id);
    suggestions::update(uow, &decided);
    Ok(decided)
}

async fn locked(uow: &mut UnitOfWork, decision: Decision<'_>) -> Result<Suggestion, HousekeepingError> {
    let found = suggestions::lock(uow, decision.suggestion).await?;
    let suggestion = found
        .filter(|suggestion| decision.caller.properties.include(&suggestion.scope.property_id))
        .ok_or(HousekeepingError::NotFound("suggestion"))?;
    if decision.if_match.is_some_and(|seen| !seen.fits(suggestion.version)) {
        return Err(HousekeepingError::StaleVersion { current: suggestion.version });
    }
    Ok(suggestion)
}

async fn carry_out(
    uow: &mut UnitOfWork,
    suggestion: Suggestion,
    named: Option<&[TaskId]>,
    by: Actor,
) -> Result<Suggestion, HousekeepingError> {
    let now = uow.now();
    let waiting: Vec<SuggestedRow> = suggestion.waiting_rows(named)?.into_iter().cloned().collect();
    let room_ids: Vec<&RoomId> = waiting.iter().map(|row| &row.room_id).collect();
    let staff_ids: Vec<&StaffId> = waiting.iter().map(|row| &row.staff_id).collect();
    let mut work = routing_input::lock_work(uow, &suggestion.scope.property_id, &room_ids, &staff_ids).await?;
    let check = |row: &SuggestedRow| {
        row.still_holds(work.tasks.get(&row.task_id), work.on_duty.contains(row.staff_id.as_str()))
    };
    let decided = suggestion.approve(named, check, by, now)?;
    for row in waiting.iter().filter(|row| check(row).is_ok()).collect::<Vec<_>>() {
        let Some(task) = work.tasks.remove(&row.task_id) else { continue };
        if task.state.assignee() != Some(&row.staff_id) {
            uow.save(task.assign(row.staff_id.clone(), Some(ReassignReason::RouterSuggestion), now)?);
        }
    }
    Ok(decided)
}
