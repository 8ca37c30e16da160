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

contracts::closed_words! {
    /// Why a task cannot go to a person.
    WhatIfObstacle {
        LacksSkill = "lacks_skill",
        PinnedElsewhere = "pinned_elsewhere",
        InProgress = "in_progress",
        PastShiftEnd = "past_shift_end",
        /// The person leads others, and is given no rooms.
        NotPlanned = "not_planned",
        /// The task waits until its room can be used again, or is with somebody who is not planned for.
        TaskNotPlanned = "task_not_planned",
    }
}

impl From<Obstacle> for WhatIfObstacle {
    fn from(found: Obstacle) -> Self {
        match found {
            Obstacle::LacksSkill => Self::LacksSkill,
            Obstacle::PinnedElsewhere => Self::PinnedElsewhere,
            Obstacle::InProgress => Self::InProgress,
            Obstacle::PastShiftEnd => Self::PastShiftEnd,
        }
    }
}

/// What would come of it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Consequences {
    pub task_id: TaskId,
    pub staff_id: StaffId,
    /// Why it cannot be; all numbers are zero then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub obstacle: Option<WhatIfObstacle>,
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

/// Why it cannot be asked: the house is not one that the planner can weigh.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct WhatIfError(#[from] PlannerError);

/// Compares the day as it is assigned with the same day and this one change. Work that nobody has is left aside.
pub fn what_if(input: &RoutingInput, task: &TaskId, staff: &StaffId) -> Result<Consequences, WhatIfError> {
    let mut day = instance_of(input).instance;
    // A person may give it back to whoever failed at it.
    for one in &mut day.tasks {
        one.kept_from = None;
    }
    let people: Vec<String> = day.staff.iter().map(|person| person.id.clone()).collect();
    if !people.iter().any(|id| id == staff.as_str()) {
        return Ok(hindered(task, staff, WhatIfObstacle::NotPlanned, "the person is given no rooms"));
    }
    if !day.tasks.iter().any(|one| one.id == task.as_str()) {
        let text = "the task is not among the work that can be planned now";
        return Ok(hindered(task, staff, WhatIfObstacle::TaskNotPlanned, text));
    }
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

/// It cannot be, and the planner was not even asked.
fn hindered(task: &TaskId, staff: &StaffId, obstacle: WhatIfObstacle, text: &str) -> Consequences {
    Consequences {
        task_id: task.clone(),
        staff_id: staff.clone(),
        obstacle: Some(obstacle),
        sequence: 0,
        added_minutes: 0,
        walk_seconds: 0,
        floors: 0,
        overtime_minutes: 0,
        cost_minutes: 0,
        lateness: Vec::new(),
        text: text.to_owned(),
    }
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
        obstacle: found.obstacle.map(WhatIfObstacle::from),
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
