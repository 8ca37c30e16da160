//! Those who plan: the planner that is built in, and an orchestrator elsewhere with it as its fallback.
//!
//! Both answer within a second and a half. The search has a fixed number of moves, so that the same house gets the same
//! plan, and a deadline as its emergency stop.

mod house;
mod mapping;
mod orchestrator;
mod what_if;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};

use contracts::ids::{StaffId, TaskId};
use contracts::time::Timestamp;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use planner::{Morning, Options, Plan};
use tokio::sync::Semaphore;

pub use mapping::{Mapped, instance_of};
pub use orchestrator::Orchestrator;
pub use what_if::{Consequences, LatenessChange, WhatIfError, WhatIfObstacle, what_if};

use crate::application::routing_port::{RoutingError, RoutingInput, RoutingPort, RoutingTask};
use crate::domain::suggestion::{LeftOpen, MovedTask, Proposal, RowOutcome, RowReason, SuggestedRow, SuggestionSource};

const MODEL_VERSION: &str = concat!("planner-", env!("CARGO_PKG_VERSION"));
/// When a plan has to be there, reading the house included: keeping it takes the rest of a second and a half.
const ANSWER_WITHIN: Duration = Duration::from_millis(1_100);
/// What counting and explaining a plan takes after the search, for each task, with room to spare.
const EXPLAINING_A_TASK: Duration = Duration::from_micros(500);
/// However large the house, so late the search may still go on.
const SEARCH_UNTIL_AT_LEAST: Duration = Duration::from_millis(300);
/// Beyond this a search finds next to nothing more: a house with three tasks needs no second.
const MOVES_FOR_A_TASK: u64 = 100_000;
/// Who waits for longer gets no plan: a busy machine must not become a slow one.
const WAIT_FOR_A_TURN: Duration = Duration::from_millis(300);
/// A plan keeps two cores busy. So many are made at once.
const PLANS_AT_ONCE: usize = 2;

/// How hard to search, and since when somebody waits.
#[derive(Clone, Copy, Debug)]
struct Budget {
    /// By the size of the house when absent.
    moves: Option<u64>,
    asked: Instant,
}

impl Budget {
    fn search_until(&self, tasks: usize) -> Instant {
        let explaining = EXPLAINING_A_TASK.saturating_mul(u32::try_from(tasks).unwrap_or(u32::MAX));
        self.asked + ANSWER_WITHIN.saturating_sub(explaining).max(SEARCH_UNTIL_AT_LEAST)
    }
}

/// The planner that is built in.
#[derive(Clone, Debug)]
pub struct BuiltInPlanner {
    turns: Arc<Semaphore>,
}

impl Default for BuiltInPlanner {
    fn default() -> Self {
        Self { turns: Arc::new(Semaphore::new(PLANS_AT_ONCE)) }
    }
}

impl RoutingPort for BuiltInPlanner {
    fn suggest(&self, input: Arc<RoutingInput>, asked: Instant) -> BoxFuture<'_, Result<Proposal, RoutingError>> {
        self.plan(input, Budget { moves: None, asked }, SuggestionSource::Planner).boxed()
    }
}

impl BuiltInPlanner {
    async fn plan(
        &self,
        input: Arc<RoutingInput>,
        budget: Budget,
        source: SuggestionSource,
    ) -> Result<Proposal, RoutingError> {
        let turn = tokio::time::timeout(WAIT_FOR_A_TURN, Arc::clone(&self.turns).acquire_owned()).await;
        let turn = turn.map_err(|_| RoutingError::Busy)?.map_err(|_| RoutingError::Busy)?;
        let planning = tokio::task::spawn_blocking(move || {
            // Held until the search ends, also when nobody waits for it any more.
            let _turn = turn;
            planned(&input, budget, source)
        });
        planning.await.map_err(|error| RoutingError::Refused(error.to_string()))?
    }
}

fn planned(input: &RoutingInput, budget: Budget, source: SuggestionSource) -> Result<Proposal, RoutingError> {
    let mapped = instance_of(input);
    let refused = |error: planner::PlannerError| RoutingError::Refused(error.to_string());
    let tasks = mapped.instance.tasks.len();
    let until = budget.search_until(tasks);
    let morning = Morning::new(&mapped.instance).map_err(refused)?;
    let moves = budget.moves.unwrap_or_else(|| morning.usual_moves()).min(MOVES_FOR_A_TASK * tasks as u64);
    let plan = morning.plan(&Options { moves: Some(moves), seed: 0 }, &|| Instant::now() >= until);
    if plan.truncated {
        tracing::debug!(tasks, moves = plan.evaluated_moves, "the search was cut short");
    }
    Ok(told(&plan, &mapped, input, source))
}

/// The plan in the words of housekeeping.
fn told(plan: &Plan, mapped: &Mapped<'_>, input: &RoutingInput, source: SuggestionSource) -> Proposal {
    let tasks: HashMap<&str, &RoutingTask> = input.tasks.iter().map(|task| (task.task_id.as_str(), task)).collect();
    let staff: HashMap<&str, &StaffId> =
        input.people.iter().map(|person| (person.staff_id.as_str(), &person.staff_id)).collect();
    let later = |seconds: i64| input.at.plus_seconds(seconds);
    let rows = plan.rows.iter().filter_map(|row| {
        let (task, person) = (tasks.get(row.task_id.as_str())?, *staff.get(row.staff_id.as_str())?);
        Some(row_of(row, task, person, later))
    });
    // What somebody has begun stays with them, whether or not the plan finds the time for it.
    let open = plan.unassigned.iter().filter_map(|open| {
        let task = tasks.get(open.task_id.as_str()).filter(|task| !task.is_begun())?;
        let reason = reason_of(&open.reason);
        Some(LeftOpen { task_id: task.task_id.clone(), reasoning: open.reasoning.clone(), reason })
    });
    let blocked = mapped.blocked.iter().map(|task| left_in_a_blocked_room(&task.task_id));
    let moved = plan.moved.iter().filter_map(|moved| {
        let task = tasks.get(moved.task_id.as_str()).filter(|task| !task.is_begun())?;
        let to = moved.to.as_deref().and_then(|id| staff.get(id)).map(|id| (*id).clone());
        Some(MovedTask { task_id: task.task_id.clone(), from: task.staff_id.clone()?, to })
    });
    Proposal {
        source,
        note: None,
        model_version: MODEL_VERSION.to_owned(),
        rows: rows.collect(),
        unassigned: open.chain(blocked).collect(),
        moved: moved.collect(),
    }
}

fn row_of(row: &planner::Row, task: &RoutingTask, person: &StaffId, later: impl Fn(i64) -> Timestamp) -> SuggestedRow {
    let is_theirs = task.staff_id.as_ref() == Some(person);
    SuggestedRow {
        task_id: task.task_id.clone(),
        room_id: task.room_id.clone(),
        staff_id: person.clone(),
        previous_staff_id: task.staff_id.clone(),
        sequence: u32::try_from(row.sequence).ok(),
        score: row.score,
        reasoning: row.reasoning.clone(),
        reasons: row.reasons.iter().map(reason_of).collect(),
        start_at: Some(later(row.start_sec)),
        finish_at: Some(later(row.finish_sec)),
        outcome: if is_theirs { RowOutcome::Unchanged } else { RowOutcome::Proposed },
    }
}

fn reason_of(reason: &planner::Reason) -> RowReason {
    let code = serde_json::to_value(reason.code).ok().and_then(|word| word.as_str().map(str::to_owned));
    RowReason { code: code.unwrap_or_default(), params: reason.params.clone() }
}

/// Why a task is left open without asking the planner.
pub const ROOM_OUT_OF_ORDER: &str = "room_out_of_order";

fn left_in_a_blocked_room(task: &TaskId) -> LeftOpen {
    LeftOpen {
        task_id: task.clone(),
        reasoning: "the room is out of order; the task waits".to_owned(),
        reason: RowReason { code: ROOM_OUT_OF_ORDER.to_owned(), params: BTreeMap::new() },
    }
}
