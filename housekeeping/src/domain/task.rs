//! A piece of work in a room: from its opening to its end.

use contracts::actor::Actor;
use contracts::housekeeping::{
    ChecklistResult, EscalationTarget, FailReason, LinenCount, MaintenanceIssue, PauseReason, PriorityChangeReason,
    ReassignReason, TaskKind, TaskPriority, TaskSource,
};
use contracts::ids::{EventId, PropertyId, ReservationId, RoomId, StaffId, TaskId};
use contracts::time::Timestamp;
use platform::Decided;
use platform::decided::Aggregate;

use super::checklist::{Checklist, ChecklistReference};
use super::task_state::allows;
pub use super::task_state::{
    AttemptReason, CleaningReport, Escalation, MANY_ATTEMPTS, MOST_HELPERS, TaskState, TaskStatus,
};

/// What a new task is about.
#[derive(Clone, Debug)]
pub struct TaskOrder {
    pub property_id: PropertyId,
    pub room_id: RoomId,
    pub reservation_id: Option<ReservationId>,
    pub item_id: Option<String>,
    pub kind: TaskKind,
    pub priority: TaskPriority,
    pub scheduled_for: Option<Timestamp>,
    pub checklist: ChecklistReference,
    pub estimated_minutes: i32,
    pub locale_hint: String,
    pub source: TaskSource,
    pub source_event_id: Option<EventId>,
    pub retry_of: Option<TaskId>,
    pub note: Option<String>,
}

/// A piece of work in one room, of one kind, at one moment of its life.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    pub id: TaskId,
    pub property_id: PropertyId,
    pub room_id: RoomId,
    pub reservation_id: Option<ReservationId>,
    pub item_id: Option<String>,
    pub kind: TaskKind,
    pub priority: TaskPriority,
    pub priority_bumped_at: Option<Timestamp>,
    /// When a person last said that it can wait.
    pub priority_lowered_at: Option<Timestamp>,
    pub state: TaskState,
    /// Seconds of breaks and waits so far; they are not work.
    pub paused_seconds: i32,
    /// Those who do it together with whoever it is given to.
    pub helpers: Vec<StaffId>,
    /// How often the guest did not let anybody in.
    pub attempts: i32,
    /// Until somebody gives it to somebody, or somebody begins.
    pub escalation: Option<Escalation>,
    pub scheduled_for: Option<Timestamp>,
    pub checklist: ChecklistReference,
    pub estimated_minutes: i32,
    pub locale_hint: String,
    pub source: TaskSource,
    pub source_event_id: Option<EventId>,
    pub retry_of: Option<TaskId>,
    pub note: Option<String>,
    pub version: i32,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// What can happen to a task.
#[derive(Clone, Debug, PartialEq)]
pub enum TaskEvent {
    Created,
    Assigned {
        to: StaffId,
    },
    Reassigned {
        from: StaffId,
        to: StaffId,
        reason: Option<ReassignReason>,
    },
    Started {
        by: StaffId,
        at: Timestamp,
    },
    Paused {
        by: StaffId,
        at: Timestamp,
        reason: PauseReason,
        note: Option<String>,
    },
    Resumed {
        by: StaffId,
        at: Timestamp,
    },
    Completed {
        by: StaffId,
        at: Timestamp,
        report: CleaningReport,
    },
    Failed {
        by: Option<StaffId>,
        reason: FailReason,
        note: Option<String>,
    },
    Cancelled {
        reason: String,
        by: Actor,
    },
    RequiresMaintenance {
        by: Option<StaffId>,
        issue: MaintenanceIssue,
        at: Timestamp,
    },
    Escalated {
        to: EscalationTarget,
        reason: String,
        by: Actor,
    },
    Attempted {
        reason: AttemptReason,
        come_back_at: Timestamp,
        attempts: i32,
        at: Timestamp,
    },
    /// Somebody does it together with the assignee, or no longer.
    HelperJoined {
        staff: StaffId,
        at: Timestamp,
    },
    HelperLeft {
        staff: StaffId,
        at: Timestamp,
    },
    PriorityChanged {
        from: TaskPriority,
        to: TaskPriority,
        reason: PriorityChangeReason,
        at: Timestamp,
        by: Actor,
    },
}

impl Aggregate for Task {
    type Event = TaskEvent;

    fn version_mut(&mut self) -> &mut i32 {
        &mut self.version
    }
}

/// Why a task does not do what was asked of it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TaskError {
    #[error("a task that is {from} cannot {action}")]
    IllegalTransition { from: TaskStatus, action: &'static str },
    #[error("only the person the task is assigned to can {action} it")]
    NotTheAssignee { action: &'static str },
    #[error("{} people on one task are enough", MOST_HELPERS + 1)]
    TooManyPeople,
    #[error("the checklist is not complete")]
    ChecklistIncomplete { missing: Vec<String> },
}

impl Task {
    /// Opens a task; its id is as old as the task.
    pub fn open(id: TaskId, order: TaskOrder, now: Timestamp) -> Decided<Self> {
        let task = Self {
            id,
            property_id: order.property_id,
            room_id: order.room_id,
            reservation_id: order.reservation_id,
            item_id: order.item_id,
            kind: order.kind,
            priority: order.priority,
            priority_bumped_at: (order.priority == TaskPriority::Urgent).then_some(now),
            priority_lowered_at: None,
            state: TaskState::Pending,
            paused_seconds: 0,
            helpers: Vec::new(),
            attempts: 0,
            escalation: None,
            scheduled_for: order.scheduled_for,
            checklist: order.checklist,
            estimated_minutes: order.estimated_minutes,
            locale_hint: order.locale_hint,
            source: order.source,
            source_event_id: order.source_event_id,
            retry_of: order.retry_of,
            note: order.note,
            version: 1,
            created_at: now,
            updated_at: now,
        };
        Decided::opened(task, TaskEvent::Created)
    }

    /// The order for the same work once more, after a failure or a failed inspection.
    pub fn order_again(&self, priority: TaskPriority, checklist: ChecklistReference) -> TaskOrder {
        TaskOrder {
            property_id: self.property_id.clone(),
            room_id: self.room_id.clone(),
            reservation_id: self.reservation_id.clone(),
            item_id: self.item_id.clone(),
            kind: self.kind,
            priority,
            scheduled_for: None,
            checklist,
            estimated_minutes: self.estimated_minutes,
            locale_hint: self.locale_hint.clone(),
            source: self.source,
            source_event_id: self.source_event_id.clone(),
            retry_of: Some(self.id.clone()),
            note: self.note.clone(),
        }
    }

    pub fn is_open(&self) -> bool {
        self.state.status().is_open()
    }

    /// Gives the task to somebody, or to somebody else. Taking it from a person who has begun is the supervisor's call; whoever
    /// gets it begins anew, without the other's breaks. `None` when they have it already: what they have begun goes on.
    pub fn assign(
        mut self,
        to: StaffId,
        reason: Option<ReassignReason>,
        now: Timestamp,
    ) -> Result<Option<Decided<Self>>, TaskError> {
        self.may_become(TaskStatus::Assigned, "be assigned")?;
        if self.state.assignee() == Some(&to) {
            return Ok(None);
        }
        // Whoever gives it to somebody has heard.
        self.escalation = None;
        self.helpers.retain(|helper| *helper != to);
        match &self.state {
            TaskState::Pending => {
                let event = TaskEvent::Assigned { to: to.clone() };
                Ok(Some(self.becomes(TaskState::Assigned { to }, event, now)))
            }
            TaskState::Assigned { to: from }
            | TaskState::InProgress { by: from, .. }
            | TaskState::Paused { by: from, .. } => {
                let event = TaskEvent::Reassigned { from: from.clone(), to: to.clone(), reason };
                self.paused_seconds = 0;
                Ok(Some(self.becomes(TaskState::Assigned { to }, event, now)))
            }
            _ => Err(self.refuse("be assigned")),
        }
    }

    /// The assignee begins cleaning.
    pub fn start(mut self, who: &StaffId, now: Timestamp) -> Result<Decided<Self>, TaskError> {
        self.may_become(TaskStatus::InProgress, "start")?;
        match &self.state {
            TaskState::Assigned { .. } if self.is_done_by(who) => {
                self.escalation = None;
                let by = self.state.assignee().unwrap_or(who).clone();
                let event = TaskEvent::Started { by: who.clone(), at: now };
                Ok(self.becomes(TaskState::InProgress { by, since: now }, event, now))
            }
            TaskState::Assigned { .. } => Err(TaskError::NotTheAssignee { action: "start" }),
            _ => Err(self.refuse("start")),
        }
    }

    pub fn pause(
        self,
        who: &StaffId,
        reason: PauseReason,
        note: Option<String>,
        now: Timestamp,
    ) -> Result<Decided<Self>, TaskError> {
        self.may_become(TaskStatus::Paused, "pause")?;
        match &self.state {
            TaskState::InProgress { by, since } if self.is_done_by(who) => {
                let (by, since) = (by.clone(), *since);
                let event = TaskEvent::Paused { by: who.clone(), at: now, reason, note };
                Ok(self.becomes(TaskState::Paused { by, since, paused_at: now, reason }, event, now))
            }
            TaskState::InProgress { .. } => Err(TaskError::NotTheAssignee { action: "pause" }),
            _ => Err(self.refuse("pause")),
        }
    }

    pub fn resume(mut self, who: &StaffId, now: Timestamp) -> Result<Decided<Self>, TaskError> {
        self.may_become(TaskStatus::InProgress, "resume")?;
        match &self.state {
            TaskState::Paused { by, since, paused_at, .. } if self.is_done_by(who) => {
                let (by, since) = (by.clone(), *since);
                let away = (now.as_millis() - paused_at.as_millis()).max(0) / 1_000;
                self.paused_seconds = self.paused_seconds.saturating_add(i32::try_from(away).unwrap_or(i32::MAX));
                let event = TaskEvent::Resumed { by: who.clone(), at: now };
                Ok(self.becomes(TaskState::InProgress { by, since }, event, now))
            }
            TaskState::Paused { .. } => Err(TaskError::NotTheAssignee { action: "resume" }),
            _ => Err(self.refuse("resume")),
        }
    }

    /// The assignee is done: every required item of the checklist is checked.
    pub fn complete(
        self,
        who: &StaffId,
        checklist: &Checklist,
        results: Vec<ChecklistResult>,
        linen: Option<LinenCount>,
        no_maintenance_found: bool,
        now: Timestamp,
    ) -> Result<Decided<Self>, TaskError> {
        self.may_become(TaskStatus::Completed, "complete")?;
        let (by, since) = match &self.state {
            TaskState::InProgress { by, since } if self.is_done_by(who) => (by.clone(), *since),
            TaskState::InProgress { .. } => return Err(TaskError::NotTheAssignee { action: "complete" }),
            _ => return Err(self.refuse("complete")),
        };
        let missing = checklist.missing(&results);
        if !missing.is_empty() {
            return Err(TaskError::ChecklistIncomplete { missing });
        }
        // Nobody ends before they began, whatever the clocks of two processes say.
        let now = now.max(since);
        let worked = (now.as_millis() - since.as_millis()) / 60_000 - i64::from(self.paused_seconds) / 60;
        let minutes = u32::try_from(worked.max(0)).unwrap_or(u32::MAX);
        let report = CleaningReport { checklist_results: results, linen, no_maintenance_found, minutes };
        let event = TaskEvent::Completed { by: who.clone(), at: now, report: report.clone() };
        Ok(self.becomes(TaskState::Completed { by, since, at: now, report }, event, now))
    }

    pub fn fail(
        self,
        who: &StaffId,
        reason: FailReason,
        note: Option<String>,
        now: Timestamp,
    ) -> Result<Decided<Self>, TaskError> {
        self.may_become(TaskStatus::Failed, "fail")?;
        let (by, since) = match &self.state {
            TaskState::Assigned { to } => (to.clone(), None),
            TaskState::InProgress { by, since } | TaskState::Paused { by, since, .. } => (by.clone(), Some(*since)),
            _ => return Err(self.refuse("fail")),
        };
        if !self.is_done_by(who) {
            return Err(TaskError::NotTheAssignee { action: "fail" });
        }
        let event = TaskEvent::Failed { by: Some(who.clone()), reason, note: note.clone() };
        Ok(self.becomes(TaskState::Failed { by: Some(by), since, reason, note }, event, now))
    }

    /// Calls it off. Work that is being done is not called off; it is failed, or paused first.
    pub fn cancel(self, reason: String, by: &Actor, now: Timestamp) -> Result<Decided<Self>, TaskError> {
        self.may_become(TaskStatus::Cancelled, "be cancelled")?;
        match &self.state {
            TaskState::Pending | TaskState::Assigned { .. } | TaskState::Paused { .. } => {
                let assignee = self.state.assignee().cloned();
                let event = TaskEvent::Cancelled { reason: reason.clone(), by: by.clone() };
                Ok(self.becomes(TaskState::Cancelled { assignee, reason }, event, now))
            }
            _ => Err(self.refuse("be cancelled")),
        }
    }

    /// The earliest that what comes next can have been done: after the step that led here.
    pub fn last_step_at(&self) -> Timestamp {
        match &self.state {
            // The breaks were after the beginning, so the last of them ended no sooner than this.
            TaskState::InProgress { since, .. } => since.plus_seconds(i64::from(self.paused_seconds)),
            TaskState::Paused { paused_at, .. } => *paused_at,
            _ => self.updated_at,
        }
    }

    /// It was done then, and is on record since now: whoever asks what changed since must see it.
    #[must_use]
    pub fn recorded(mut self, now: Timestamp) -> Self {
        self.updated_at = now;
        self
    }

    /// `None` when it has that priority already.
    pub fn change_priority(
        mut self,
        to: TaskPriority,
        reason: PriorityChangeReason,
        by: &Actor,
        now: Timestamp,
    ) -> Result<Option<Decided<Self>>, TaskError> {
        if !self.is_open() {
            return Err(self.refuse("change its priority"));
        }
        let from = self.priority;
        if from == to {
            return Ok(None);
        }
        if rank(to) > rank(from) {
            self.priority_bumped_at = Some(now);
        } else {
            self.priority_lowered_at = Some(now);
        }
        self.priority = to;
        let state = self.state.clone();
        Ok(Some(self.becomes(state, TaskEvent::PriorityChanged { from, to, reason, at: now, by: by.clone() }, now)))
    }

    /// Since when it presses: it was raised, and its time has come.
    pub fn pressing_since(&self) -> Option<Timestamp> {
        self.priority_bumped_at.map(|bumped_at| self.scheduled_for.map_or(bumped_at, |at| at.max(bumped_at)))
    }

    /// Since when it presses as much as it does.
    pub fn priority_since(&self) -> Timestamp {
        let said = self.priority_bumped_at.max(self.priority_lowered_at);
        said.map_or(self.created_at, |at| at.max(self.created_at))
    }

    /// Urgent since before a moment, and nobody has begun.
    pub fn is_neglected(&self, since: Timestamp) -> bool {
        matches!(self.state, TaskState::Pending | TaskState::Assigned { .. })
            && self.priority == TaskPriority::Urgent
            && self.pressing_since().is_some_and(|at| at <= since)
    }

    /// Somebody brought it up since it became urgent: there is nothing to add to their words.
    pub fn was_brought_up(&self) -> bool {
        self.escalation.as_ref().is_some_and(|escalation| self.priority_bumped_at.is_none_or(|at| escalation.at >= at))
    }

    pub(super) fn becomes(mut self, state: TaskState, event: TaskEvent, now: Timestamp) -> Decided<Self> {
        self.state = state;
        self.updated_at = now;
        Decided::changed(self, event)
    }

    pub(super) fn may_become(&self, to: TaskStatus, action: &'static str) -> Result<(), TaskError> {
        if allows(self.state.status(), to) { Ok(()) } else { Err(self.refuse(action)) }
    }

    pub(super) fn refuse(&self, action: &'static str) -> TaskError {
        TaskError::IllegalTransition { from: self.state.status(), action }
    }
}

/// Low to urgent.
pub fn rank(priority: TaskPriority) -> u8 {
    match priority {
        TaskPriority::Low => 0,
        TaskPriority::Normal => 1,
        TaskPriority::High => 2,
        TaskPriority::Urgent => 3,
    }
}

/// One step up, for work that became more pressing while it was being done.
pub fn bumped(priority: TaskPriority) -> TaskPriority {
    match priority {
        TaskPriority::Low => TaskPriority::Normal,
        TaskPriority::Normal => TaskPriority::High,
        TaskPriority::High | TaskPriority::Urgent => TaskPriority::Urgent,
    }
}
