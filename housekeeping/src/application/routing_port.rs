//! The door to whoever plans: what they are told of the house, and what they answer.

use std::sync::Arc;
use std::time::Instant;

use contracts::housekeeping::{RoomStatus, TaskKind, TaskPriority};
use contracts::ids::{PropertyId, RoomId, ShiftId, StaffId, TaskId, TenantId};
use contracts::time::Timestamp;
use futures_util::future::BoxFuture;
use serde::Serialize;

use crate::domain::job::{Job, who_clean};
use crate::domain::suggestion::Proposal;
use crate::domain::task::{Task, TaskState};

/// The house at one moment: open work, people on shift, rooms. It names nobody but by id.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RoutingInput {
    pub tenant_id: TenantId,
    pub property_id: PropertyId,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shift_id: Option<ShiftId>,
    /// The moment.
    pub at: Timestamp,
    pub timezone: String,
    pub tasks: Vec<RoutingTask>,
    pub people: Vec<RoutingPerson>,
    pub rooms: Vec<RoutingRoom>,
}

/// What has been done of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Progress {
    Pending,
    Assigned,
    InProgress,
    Paused,
}

/// A piece of open work.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RoutingTask {
    pub task_id: TaskId,
    pub room_id: RoomId,
    pub kind: TaskKind,
    pub priority: TaskPriority,
    pub progress: Progress,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub staff_id: Option<StaffId>,
    pub estimated_minutes: i32,
    /// Minutes of it that are done.
    pub worked_minutes: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scheduled_for: Option<Timestamp>,
    /// Who failed to do it before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed_by_staff_id: Option<StaffId>,
}

impl RoutingTask {
    /// An open task as it is at this moment; `None` for one that is over.
    pub fn of(task: &Task, now: Timestamp) -> Option<Self> {
        let (progress, worked_until) = match &task.state {
            TaskState::Pending => (Progress::Pending, None),
            TaskState::Assigned { .. } => (Progress::Assigned, None),
            TaskState::InProgress { since, .. } => (Progress::InProgress, Some((*since, now))),
            TaskState::Paused { since, paused_at, .. } => (Progress::Paused, Some((*since, *paused_at))),
            _ => return None,
        };
        let worked =
            worked_until.map_or(0, |(since, until)| until.minutes_since(since) - i64::from(task.paused_seconds) / 60);
        Some(Self {
            task_id: task.id.clone(),
            room_id: task.room_id.clone(),
            kind: task.kind,
            priority: task.priority,
            progress,
            staff_id: task.state.assignee().cloned(),
            estimated_minutes: task.minutes_each(),
            worked_minutes: worked.max(0),
            scheduled_for: task.scheduled_for,
            failed_by_staff_id: None,
        })
    }

    /// Whoever began it has gone home: it waits like any other work, and what they did of it is done.
    #[must_use]
    pub fn left_behind(self) -> Self {
        Self { progress: Progress::Assigned, ..self }
    }

    /// Begun: nobody else is given it.
    pub fn is_begun(&self) -> bool {
        matches!(self.progress, Progress::InProgress | Progress::Paused)
    }
}

/// Somebody who has come to work.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RoutingPerson {
    pub staff_id: StaffId,
    pub shift_id: ShiftId,
    pub shift_starts_at: Timestamp,
    pub shift_ends_at: Timestamp,
    pub capacity_minutes: i32,
    /// Minutes of work already behind them in this shift.
    pub done_minutes: i64,
    pub languages: Vec<String>,
    pub skills: Vec<String>,
    pub job: Job,
}

/// Where a room is, and how it is.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RoutingRoom {
    pub room_id: RoomId,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub floor: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    pub status: RoomStatus,
    pub occupied: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_arrival_at: Option<Timestamp>,
}

/// Whoever has this skill leads the others, and is given no rooms.
const LEADS: &str = "supervision";

impl RoutingInput {
    /// Those whom a plan gives rooms. Whoever else is at work keeps what was given to them by hand.
    pub fn given_rooms(&self) -> Vec<&RoutingPerson> {
        let leads = |person: &&RoutingPerson| person.skills.iter().any(|skill| skill == LEADS);
        who_clean(self.people.iter().filter(|person| !leads(person)).collect(), |person| person.job)
    }

    /// Whether a plan keeps a task from somebody: what they failed to do goes to somebody else, where anybody else is given rooms. What a
    /// person has given to them all the same stays.
    pub fn is_kept_from(&self, task: &RoutingTask, staff: &StaffId) -> bool {
        task.failed_by_staff_id.as_ref() == Some(staff)
            && task.staff_id.as_ref() != Some(staff)
            && self.given_rooms().iter().any(|person| person.staff_id != *staff)
    }

    /// The part of the house that a plan of one shift is about: its people, their work, and the work that nobody has. What
    /// people of other shifts have stays with them.
    #[must_use]
    pub fn of_shift(mut self, shift: Option<&ShiftId>) -> Self {
        self.shift_id = shift.cloned();
        let Some(shift) = shift else { return self };
        let (here, elsewhere): (Vec<_>, Vec<_>) = self.people.into_iter().partition(|person| person.shift_id == *shift);
        self.people = here;
        self.tasks.retain(|task| !elsewhere.iter().any(|person| Some(&person.staff_id) == task.staff_id.as_ref()));
        self
    }
}

/// Why there is no plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RoutingError {
    #[error("too many plans are being made at once")]
    Busy,
    #[error("the planner refused the house: {0}")]
    Refused(String),
}

/// Somebody who plans. There are several: the built-in planner, and an orchestrator elsewhere with it as its fallback.
pub trait RoutingPort: std::fmt::Debug + Send + Sync {
    /// Answers in time for the supervisor to have a plan within a second and a half after asking, whatever happens.
    fn suggest(&self, input: Arc<RoutingInput>, asked: Instant) -> BoxFuture<'_, Result<Proposal, RoutingError>>;
}
