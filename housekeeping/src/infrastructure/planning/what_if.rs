//! What if this task went to that person? For dragging on the board, before anything is decided.

use std::time::{Duration, Instant};

use contracts::ids::{StaffId, TaskId};
use planner::{Desk, Instance, Morning, Obstacle, Options, PlannerError, WhatIf};
use schemars::JsonSchema;
use serde::Serialize;

use super::mapping::instance_of;
use crate::application::routing_port::RoutingInput;

/// Finding the order in which people will do what they have is quick work.
const MOVES_FOR_A_TASK: u64 = 10_000;
const SEARCH_WITHIN: Duration = Duration::from_millis(300);

/// What would come of it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Consequences {
    pub task_id: TaskId,
    pub staff_id: StaffId,
    /// Why it cannot be; all numbers are zero then.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub obstacle: Option<Obstacle>,
    /// Place in the person's order, from one.
    pub sequence: usize,
    /// How much later the person would be done.
    pub added_minutes: i64,
    pub walk_seconds: i64,
    pub floors: i64,
    pub overtime_minutes: i64,
    /// What the plan as a whole would lose, in minutes; less than zero where it would gain.
    pub cost_minutes: i64,
    pub lateness: Vec<LatenessChange>,
    pub text: String,
}

/// A room that would be ready sooner or later than without it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LatenessChange {
    pub task_id: String,
    pub late_minutes_before: i64,
    pub late_minutes_after: i64,
}

/// Why it cannot be asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WhatIfError {
    #[error("the task is not among the work that can be planned now")]
    NotPlannable,
    #[error("the person is given no rooms")]
    NotPlanned,
    #[error("{0}")]
    Refused(String),
}

impl From<PlannerError> for WhatIfError {
    fn from(error: PlannerError) -> Self {
        match error {
            PlannerError::UnknownTask(_) => Self::NotPlannable,
            PlannerError::UnknownPerson(_) => Self::NotPlanned,
            other => Self::Refused(other.to_string()),
        }
    }
}

/// Compares the day as it is assigned with the same day and this one change. Work that nobody has is left aside.
pub fn what_if(input: &RoutingInput, task: &TaskId, staff: &StaffId) -> Result<Consequences, WhatIfError> {
    let mut day = instance_of(input).instance;
    let people: Vec<String> = day.staff.iter().map(|person| person.id.clone()).collect();
    let is_had = |one: &planner::instance::Task| one.current_staff_id.as_ref().is_some_and(|id| people.contains(id));
    day.tasks.retain(|one| one.id == task.as_str() || is_had(one));
    let mut as_it_is = Instance { tasks: day.tasks.iter().filter(|one| is_had(one)).cloned().collect(), ..day.clone() };
    for one in &mut as_it_is.tasks {
        one.pinned = true;
    }
    let until = Instant::now() + SEARCH_WITHIN;
    let options = Options { moves: Some(MOVES_FOR_A_TASK * as_it_is.tasks.len() as u64), seed: 0 };
    let plan = Morning::new(&as_it_is)?.plan(&options, &|| Instant::now() >= until);
    let morning = Morning::new(&day)?;
    let rounds = morning.rounds_of(&plan)?;
    let found = Desk::new(&morning, &rounds).what_if(task.as_str(), staff.as_str())?;
    Ok(told(found, task, staff))
}

fn told(found: WhatIf, task: &TaskId, staff: &StaffId) -> Consequences {
    let lateness = found.lateness.into_iter().map(|change| LatenessChange {
        task_id: change.task_id,
        late_minutes_before: minutes(change.before_sec),
        late_minutes_after: minutes(change.after_sec),
    });
    Consequences {
        task_id: task.clone(),
        staff_id: staff.clone(),
        obstacle: found.obstacle,
        sequence: found.sequence,
        added_minutes: minutes(found.finish_sec),
        walk_seconds: found.walk_sec,
        floors: found.floors,
        overtime_minutes: minutes(found.overtime_sec),
        cost_minutes: minutes(found.cost / 1_000),
        lateness: lateness.collect(),
        text: found.text,
    }
}

/// To the nearest minute, as people say it.
fn minutes(seconds: i64) -> i64 {
    (seconds + 30).div_euclid(60)
}
