//! When rooms will be ready: everybody does their work in the planned order, and cleaned rooms wait for their inspection.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use contracts::housekeeping::{RoomStatus, TaskKind};
use contracts::ids::{RoomId, StaffId, TaskId};
use contracts::time::Timestamp;

use crate::domain::job::who_clean;
use crate::domain::suggestion::RowOutcome;
use crate::domain::task::{Task, TaskState, rank};
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
        let here = in_room.remove(&room.room_id).unwrap_or_default();
        let end_of = |task: &Task| {
            let inspected = !matches!(task.kind, TaskKind::MidStayClean | TaskKind::Inspection);
            ends.get(&task.id).map(|end| if inspected { end.plus_seconds(wait) } else { *end })
        };
        let waits = room.status == RoomStatus::Cleaned;
        let inspected_at = waits.then(|| not_past(room.since.plus_seconds(wait), now));
        if let Some(at) = ready_after(here, inspected_at, end_of) {
            ready.insert(room.room_id.clone(), at);
        }
    }
    ready
}

/// When the last of a room's work is done, as far as it keeps the room from being ready: what is meant for a time after the rest is done is a matter
/// of its own. Without any work, when it will have been inspected. `None`: something of it has no end in sight.
fn ready_after(
    mut tasks: Vec<&Task>,
    inspected_at: Option<Timestamp>,
    end_of: impl Fn(&Task) -> Option<Timestamp>,
) -> Option<Timestamp> {
    tasks.sort_by_key(|task| not_before(task));
    let mut done_at = None;
    for task in tasks {
        let rest_at: Option<Timestamp> = done_at.or(inspected_at);
        if rest_at.is_some_and(|rest_at| not_before(task) > Some(rest_at)) {
            break;
        }
        done_at = done_at.max(Some(end_of(task)?));
    }
    done_at.or(inspected_at)
}

/// When each open task will be done. Work in rooms that cannot be used keeps nobody from anything, unless somebody is at it.
fn ends_of_tasks(rows: &BoardRows, now: Timestamp) -> HashMap<TaskId, Timestamp> {
    let suggested = suggested_rows(rows);
    let closed = closed_rooms(rows);
    let is_here = |staff: &StaffId| rows.staff.iter().any(|person| person.staff_id == *staff);
    let mut queue: Vec<(&StaffId, &Task)> = Vec::new();
    let mut nobodys: Vec<&Task> = Vec::new();
    for task in &rows.tasks {
        if closed.contains(&task.room_id) && !matches!(task.state, TaskState::InProgress { .. }) {
            continue;
        }
        let proposed = suggested.get(&task.id).map(|(staff, _)| *staff);
        let whose = match task.state.assignee() {
            // Whoever began it has gone home.
            Some(_) if rows.left_behind.contains_key(&task.id) => proposed,
            // What waits for somebody who is not here is done by whom the plan names, if it names somebody else.
            Some(staff) if is_waiting(task) && !is_here(staff) => proposed.or(Some(staff)),
            given => given.or(proposed),
        };
        match whose {
            Some(staff) => queue.push((staff, task)),
            None => nobodys.push(task),
        }
    }
    queue.sort_by_key(|(staff, task)| {
        let turn = turn_of(rows, &suggested, staff, task).unwrap_or(i64::MAX);
        (order(task), turn, Reverse(rank(task.priority)), &task.id)
    });
    let mut day = Day::of(rows, now);
    for (staff, task) in queue {
        day.take_up(staff, task);
    }
    nobodys.sort_by_key(|task| (task.scheduled_for.filter(|at| *at > now), Reverse(rank(task.priority)), &task.id));
    for task in nobodys {
        day.give_to_the_first_who_is_free(task);
    }
    day.take_up_what_waited(None);
    day.ends
}

/// A day as it will go: who is free when, and what is done by then.
struct Day<'r> {
    now: Timestamp,
    free: HashMap<&'r StaffId, Timestamp>,
    /// Those who are given what nobody has.
    clean: HashSet<&'r StaffId>,
    /// What somebody would do now if its time had come, first things first.
    waiting: Vec<(&'r StaffId, &'r Task)>,
    ends: HashMap<TaskId, Timestamp>,
}

impl<'r> Day<'r> {
    fn of(rows: &'r BoardRows, now: Timestamp) -> Self {
        let people = rows.staff.iter();
        Self {
            now,
            free: people.clone().map(|one| (&one.staff_id, soon(now))).collect(),
            clean: who_clean(people.collect(), |one| one.job).into_iter().map(|one| &one.staff_id).collect(),
            waiting: Vec::new(),
            ends: HashMap::new(),
        }
    }

    /// The next of somebody's tasks. One whose time has not come makes nobody idle: what comes after it is done first.
    fn take_up(&mut self, staff: &'r StaffId, task: &'r Task) {
        self.take_up_what_is_due(staff);
        if self.free.get(staff).is_some_and(|free_at| not_before(task) > Some(*free_at)) {
            self.waiting.push((staff, task));
        } else {
            self.finish(staff, task);
        }
    }

    /// Whether there was anything.
    fn take_up_what_is_due(&mut self, staff: &'r StaffId) -> bool {
        let mut any = false;
        while let Some(free_at) = self.free.get(staff).copied() {
            let is_due = |(who, task): &(&StaffId, &Task)| *who == staff && not_before(task) <= Some(free_at);
            let Some(at) = self.waiting.iter().position(is_due) else { break };
            let (_, task) = self.waiting.remove(at);
            self.finish(staff, task);
            any = true;
        }
        any
    }

    /// What waits for a time until then; without one, all of it.
    fn take_up_what_waited(&mut self, until: Option<Timestamp>) {
        self.waiting.sort_by_key(|(_, task)| not_before(task));
        let is_later = |(_, task): &(&StaffId, &Task)| until.is_some_and(|until| not_before(task) > Some(until));
        let later = self.waiting.iter().position(is_later).unwrap_or(self.waiting.len());
        let due: Vec<(&'r StaffId, &'r Task)> = self.waiting.drain(..later).collect();
        for (staff, task) in due {
            self.finish(staff, task);
        }
    }

    fn finish(&mut self, staff: &'r StaffId, task: &'r Task) {
        let begins_at = self.free.get(staff).map(|free_at| not_before(task).map_or(*free_at, |at| at.max(*free_at)));
        let goes_on = task.state.assignee() == Some(staff);
        let Some(end) = end_of(task, goes_on, begins_at, self.now) else { return };
        // Somebody who is not at work, and has begun all the same, gets nothing more.
        self.free.entry(staff).and_modify(|at| *at = end);
        for helper in &task.helpers {
            self.free.entry(helper).and_modify(|at| *at = (*at).max(end));
        }
        self.ends.insert(task.id.clone(), end);
    }

    /// Whoever has something of their own for a later hour is free until then.
    fn give_to_the_first_who_is_free(&mut self, task: &'r Task) {
        if let Some(earliest) = not_before(task) {
            self.take_up_what_waited(Some(earliest));
        }
        let (staff, free_at) = loop {
            let people = self.free.iter().filter(|(staff, _)| self.clean.contains(**staff));
            let first = people.min_by_key(|(staff, at)| (**at, **staff)).map(|(staff, at)| (*staff, *at));
            let Some((staff, free_at)) = first else { return };
            if !self.take_up_what_is_due(staff) {
                break (staff, free_at);
            }
        };
        let begins_at = not_before(task).map_or(free_at, |earliest| earliest.max(free_at));
        let end = begins_at.plus_seconds(i64::from(task.estimated_minutes) * 60);
        self.free.insert(staff, end);
        self.ends.insert(task.id.clone(), end);
    }
}

/// Before when nobody begins it, or goes on with it where the guest let nobody in; who is at it is at it.
fn not_before(task: &Task) -> Option<Timestamp> {
    task.scheduled_for.filter(|_| !matches!(task.state, TaskState::InProgress { .. }))
}

/// Nobody has begun it.
fn is_waiting(task: &Task) -> bool {
    matches!(task.state, TaskState::Pending | TaskState::Assigned { .. })
}

/// Rooms in which nothing can be begun.
fn closed_rooms(rows: &BoardRows) -> HashSet<&RoomId> {
    let closed = |status| matches!(status, RoomStatus::OutOfOrder | RoomStatus::OutOfService);
    rows.rooms.iter().filter(|room| closed(room.status)).map(|room| &room.room_id).collect()
}

/// Whom the waiting plan would give a task to, and as which of theirs.
fn suggested_rows(rows: &BoardRows) -> HashMap<&TaskId, (&StaffId, Option<u32>)> {
    let plan = rows.suggestion.iter().flat_map(|suggestion| &suggestion.proposal.rows);
    let waiting = plan.filter(|row| row.outcome == RowOutcome::Proposed);
    waiting.map(|row| (&row.task_id, (&row.staff_id, row.sequence))).collect()
}

/// As which of theirs somebody does a task: by the plan that was approved, else by the one that waits.
fn turn_of(
    rows: &BoardRows,
    suggested: &HashMap<&TaskId, (&StaffId, Option<u32>)>,
    staff: &StaffId,
    task: &Task,
) -> Option<i64> {
    let approved = rows.planned.get(&task.id).filter(|(who, _)| who == staff).map(|(_, turn)| i64::from(*turn));
    let proposed = suggested.get(&task.id).filter(|(who, _)| *who == staff);
    approved.or_else(|| proposed.and_then(|(_, turn)| turn.map(i64::from)))
}

/// `None`: it waits for somebody who is not at work. Whoever takes over what another began begins anew.
fn end_of(task: &Task, goes_on: bool, free_at: Option<Timestamp>, now: Timestamp) -> Option<Timestamp> {
    let planned = i64::from(task.minutes_each()) * 60;
    match &task.state {
        _ if !goes_on => free_at.map(|at| at.plus_seconds(planned)),
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
