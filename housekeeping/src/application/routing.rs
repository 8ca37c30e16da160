//! The planner suggests, the supervisor decides.
//!
//! A plan is made in three steps: look at the house, ask whoever plans, keep the answer. The database waits for nobody in
//! between: planning takes up to a second.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use contracts::actor::Actor;
use contracts::external::HousekeepingRoutingV1;
use contracts::housekeeping::ReassignReason;
use contracts::ids::{PropertyId, RoomId, ShiftId, StaffId, SuggestionId, TaskId};
use platform::auth::Caller;
use platform::http::IfMatch;
use platform::{Decided, Fault, Refusal, UnitOfWork};

use super::profiles::Profiles;
use super::routing_answers::believed;
use super::routing_port::{RoutingInput, RoutingPort};
use crate::HousekeepingError;
use crate::domain::settings::RoutingGate;
use crate::domain::suggestion::{
    Proposal, Scope, Stale, SuggestedRow, Suggestion, SuggestionNote, SuggestionSource, SuggestionStatus,
};
use crate::infrastructure::planning::{Consequences, what_if};
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
    caller.within(property)?;
    look_at(uow, profiles, property, shift).await
}

/// The same where nobody in particular asks.
pub(super) async fn look_at(
    uow: &mut UnitOfWork,
    profiles: &Profiles,
    property: &PropertyId,
    shift: Option<&ShiftId>,
) -> Result<Look, HousekeepingError> {
    let asked = Instant::now();
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
    if input.given_rooms().is_empty() {
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

/// What would come of giving a task to somebody; whoever cannot be planned for is an answer too. Nothing is kept of it.
pub async fn weigh(look: Look, task: TaskId, staff: StaffId) -> Result<Consequences, HousekeepingError> {
    if !look.input.tasks.iter().any(|one| one.task_id == task) {
        return Err(Refusal::NotFound("open task").into());
    }
    if !look.input.people.iter().any(|person| person.staff_id == staff) {
        return Err(HousekeepingError::StaffNotOnShift { staff_id: staff });
    }
    let weighing = tokio::task::spawn_blocking(move || what_if(&look.input, &task, &staff)).await;
    match weighing {
        Ok(Ok(consequences)) => Ok(consequences),
        Ok(Err(refused)) => Err(Refusal::invalid("taskId", refused.to_string()).into()),
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
pub async fn take_in(
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
    mut made: Decided<Suggestion>,
    gate: RoutingGate,
) -> Result<Suggestion, HousekeepingError> {
    let now = uow.now();
    let waits = |made: &Decided<Suggestion>| made.state().status == SuggestionStatus::Pending;
    // An answer without a plan is no reason to throw another plan away.
    if made.state().proposal.note.is_none() {
        let earlier = suggestions::lock_pending(uow, &made.state().scope).await?;
        let late = earlier.iter().any(|known| known.generated_at > made.state().generated_at);
        if !late {
            for known in earlier {
                uow.save(known.supersede(now)?);
            }
        } else if waits(&made) {
            made = made.then(|suggestion| suggestion.supersede(now))?;
        }
    }
    if gate == RoutingGate::AutoApply && waits(&made) {
        let done = carry_out(uow, made.state(), None).await?;
        let by = Actor::system("sys_auto_apply");
        made = made.then(|suggestion| suggestion.approve(None, |row| done.of(row), by, now))?;
    }
    uow.touch_board(&made.state().scope.property_id);
    Ok(uow.save(made))
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
    let (by, now) = (uow.context().actor.clone(), uow.now());
    let done = carry_out(uow, &suggestion, decision.rows).await?;
    uow.touch_board(&suggestion.scope.property_id);
    Ok(uow.save(suggestion.approve(decision.rows, |row| done.of(row), by, now)?))
}

pub async fn reject(uow: &mut UnitOfWork, decision: Decision<'_>) -> Result<Suggestion, HousekeepingError> {
    let suggestion = locked(uow, decision).await?;
    let decided = suggestion.reject(decision.rows, uow.context().actor.clone(), uow.now())?;
    uow.touch_board(&decided.state().scope.property_id);
    Ok(uow.save(decided))
}

async fn locked(uow: &mut UnitOfWork, decision: Decision<'_>) -> Result<Suggestion, HousekeepingError> {
    let found = suggestions::lock(uow, decision.suggestion).await?;
    let suggestion = found
        .filter(|suggestion| decision.caller.properties.include(&suggestion.scope.property_id))
        .ok_or(Refusal::NotFound("suggestion"))?;
    IfMatch::check(decision.if_match, suggestion.version)?;
    Ok(suggestion)
}

/// What became of the rows that were to be done.
struct CarriedOut(HashMap<TaskId, Result<(), Stale>>);

impl CarriedOut {
    fn of(&self, row: &SuggestedRow) -> Result<(), Stale> {
        self.0.get(&row.task_id).copied().unwrap_or(Err(Stale::TaskOver))
    }
}

/// Gives the work to the people that the rows name, where the rows still hold.
async fn carry_out(
    uow: &mut UnitOfWork,
    suggestion: &Suggestion,
    named: Option<&[TaskId]>,
) -> Result<CarriedOut, HousekeepingError> {
    let now = uow.now();
    let waiting = suggestion.waiting_rows(named)?;
    let room_ids: Vec<RoomId> = waiting.iter().map(|row| row.room_id.clone()).collect();
    let mut work = routing_input::lock_work(uow, &suggestion.scope.property_id, &room_ids).await?;
    let mut outcomes = HashMap::new();
    for row in waiting {
        let holds = row.still_holds(work.tasks.get(&row.task_id), |staff| work.on_duty.contains(staff));
        outcomes.insert(row.task_id.clone(), holds);
        let Some(task) = work.tasks.remove(&row.task_id).filter(|_| holds.is_ok()) else { continue };
        if let Some(given) = task.assign(row.staff_id.clone(), Some(ReassignReason::RouterSuggestion), now)? {
            uow.save(given);
        }
    }
    Ok(CarriedOut(outcomes))
}
