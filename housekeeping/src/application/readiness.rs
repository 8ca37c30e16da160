//! When rooms will be ready: everybody does their work in the planned order, and cleaned rooms wait for their inspection.

use std::collections::HashMap;

use contracts::housekeeping::{RoomStatus, TaskKind, TaskPriority};
use contracts::ids::{RoomId, StaffId, TaskId};
use contracts::time::Timestamp;

use crate::domain::suggestion::RowOutcome;
use crate::domain::task::{Task, TaskState};
use crate::infrastructure::board::BoardRows;

/// What has not begun is counted from the next full five minutes, so that a board that nobody changed says the same for as long.
const STEP_MILLIS: i64 = 5 * 60 * 1_000;

/// When each room that is not ready will be, as far as anybody can tell: nobody at work, or nothing to be done, is no time at all.
pub fn ready_times(rows: &BoardRows, now: Timestamp) -> HashMap<RoomId, Timestamp> {
    let ends = ends_of_tasks(rows, now);
    let wait = rows.inspection_minutes.map_or(0, |minutes| i64::from(minutes) * 60);
    let mut in_room: HashMap<&RoomId, Vec<&Task>> = HashMap::new();
    for task in &rows.tasks {
        in_room.entry(&task.room_id).or_default().push(task);
    }
    let mut ready = HashMap::new();
    for room in &rows.rooms {
        if matches!(room.status, RoomStatus::Ready | RoomStatus::OutOfOrder | RoomStatus::OutOfService) {
            continue;
        }
        let here = in_room.get(&room.room_id).into_iter().flatten();
        let times: Option<Vec<Timestamp>> = here
            .map(|task| {
                let inspected = !matches!(task.kind, TaskKind::MidStayClean | TaskKind::Inspection);
                ends.get(&task.id).map(|end| if inspected { end.plus_seconds(wait) } else { *end })
            })
            .collect();
        let at = match times.map(|times| times.into_iter().max()) {
            Some(Some(last)) => Some(last),
            Some(None) if room.status == RoomStatus::Cleaned => Some(not_past(room.since.plus_seconds(wait), now)),
            _ => None,
        };
        if let Some(at) = at {
            ready.insert(room.room_id.clone(), at);
        }
    }
    ready
}

/// When each open task will be done.
fn ends_of_tasks(rows: &BoardRows, now: Timestamp) -> HashMap<TaskId, Timestamp> {
    let suggested = suggested_rows(rows);
    let mut free: HashMap<&StaffId, Timestamp> = rows.staff.iter().map(|one| (&one.staff_id, soon(now))).collect();
    let mut ends = HashMap::new();
    let mut queue: Vec<(&StaffId, &Task)> = Vec::new();
    let mut nobodys: Vec<&Task> = Vec::new();
    for task in &rows.tasks {
        let whose = task.state.assignee().or_else(|| suggested.get(&task.id).map(|(staff, _)| *staff));
        match whose {
            Some(staff) => queue.push((staff, task)),
            None => nobodys.push(task),
        }
    }
    queue.sort_by_key(|(_, task)| {
        let turn = suggested.get(&task.id).and_then(|(_, turn)| *turn).unwrap_or(u32::MAX);
        (order(task), turn, &task.id)
    });
    for (staff, task) in queue {
        if let Some(end) = end_of(task, free.get(staff).copied(), now) {
            // Somebody who is not at work, and has begun all the same, gets nothing more.
            free.entry(staff).and_modify(|at| *at = end);
            for helper in &task.helpers {
                free.entry(helper).and_modify(|at| *at = (*at).max(end));
            }
            ends.insert(task.id.clone(), end);
        }
    }
    nobodys.sort_by_key(|task| (std::cmp::Reverse(rank(task.priority)), &task.id));
    for task in nobodys {
        let Some((_, at)) = free.iter_mut().min_by_key(|(staff, at)| (**at, **staff)) else { break };
        *at = at.plus_seconds(i64::from(task.estimated_minutes) * 60);
        ends.insert(task.id.clone(), *at);
    }
    ends
}

/// Whom the waiting plan would give a task to, and as which of theirs.
fn suggested_rows(rows: &BoardRows) -> HashMap<&TaskId, (&StaffId, Option<u32>)> {
    let plan = rows.suggestion.iter().flat_map(|suggestion| &suggestion.proposal.rows);
    let waiting = plan.filter(|row| row.outcome == RowOutcome::Proposed);
    waiting.map(|row| (&row.task_id, (&row.staff_id, row.sequence))).collect()
}

/// `None`: it waits for somebody who is not at work.
fn end_of(task: &Task, free_at: Option<Timestamp>, now: Timestamp) -> Option<Timestamp> {
    let planned = i64::from(task.minutes_each()) * 60;
    match &task.state {
        TaskState::InProgress { since, .. } => {
            Some(not_past(since.plus_seconds(planned + i64::from(task.paused_seconds)), now))
        }
        TaskState::Paused { since, paused_at, .. } => {
            let worked = (paused_at.as_millis() - since.as_millis()) / 1_000 - i64::from(task.paused_seconds);
            free_at.map(|at| at.plus_seconds((planned - worked).max(0)))
        }
        _ => free_at.map(|at| at.plus_seconds(planned)),
    }
}

/// What is begun comes first, then what was given, then what would be.
fn order(task: &Task) -> u8 {
    match task.state {
        TaskState::InProgress { .. } => 0,
        TaskState::Paused { .. } => 1,
        TaskState::Assigned { .. } => 2,
        _ => 3,
    }
}

fn rank(priority: TaskPriority) -> u8 {
    match priority {
        TaskPriority::Low => 0,
        TaskPriority::Normal => 1,
        TaskPriority::High => 2,
        TaskPriority::Urgent => 3,
    }
}

/// The next full five minutes.
pub(super) fn soon(now: Timestamp) -> Timestamp {
    let millis = now.as_millis();
    Timestamp::from_millis(millis.div_euclid(STEP_MILLIS) * STEP_MILLIS).plus_seconds(if millis % STEP_MILLIS == 0 {
        0
    } else {
        STEP_MILLIS / 1_000
    })
}

/// What should have been done by now will be done soon.
fn not_past(at: Timestamp, now: Timestamp) -> Timestamp {
    if at < now { soon(now) } else { at }
}
