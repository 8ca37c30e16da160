//! What becomes of a task that cannot go on as planned: a repair, somebody with more say, a guest who lets nobody in.

use contracts::actor::Actor;
use contracts::housekeeping::{EscalationTarget, MaintenanceIssue, PauseReason};
use contracts::ids::StaffId;
use contracts::time::Timestamp;
use platform::Decided;

use super::task::{Task, TaskError, TaskEvent};
use super::task_state::{AttemptReason, Escalation, TaskState, TaskStatus};

impl Task {
    /// Something must be repaired first, and this task ends with it.
    pub fn require_maintenance(
        self,
        who: &StaffId,
        issue: MaintenanceIssue,
        now: Timestamp,
    ) -> Result<Decided<Self>, TaskError> {
        self.may_become(TaskStatus::RequiresMaintenance, "end for a repair")?;
        let by = match &self.state {
            TaskState::Assigned { to: by } | TaskState::InProgress { by, .. } | TaskState::Paused { by, .. } => {
                by.clone()
            }
            _ => return Err(self.refuse("end for a repair")),
        };
        if !self.is_done_by(who) {
            return Err(TaskError::NotTheAssignee { action: "report a repair for" });
        }
        let event = TaskEvent::RequiresMaintenance { by: Some(who.clone()), issue, at: now };
        Ok(self.becomes(TaskState::RequiresMaintenance { by: Some(by) }, event, now))
    }

    /// Brings an open task before somebody with more say. Brought again, the last word counts.
    pub fn escalate(
        mut self,
        to: EscalationTarget,
        reason: String,
        by: &Actor,
        now: Timestamp,
    ) -> Result<Decided<Self>, TaskError> {
        if !self.is_open() {
            return Err(self.refuse("be escalated"));
        }
        self.escalation = Some(Escalation { to: to.clone(), reason: reason.clone(), at: now });
        let state = self.state.clone();
        Ok(self.becomes(state, TaskEvent::Escalated { to, reason, by: by.clone() }, now))
    }

    /// The guest did not let the assignee in: the task waits, and comes back at that time. Work that had begun pauses.
    pub fn attempt(
        mut self,
        who: &StaffId,
        reason: AttemptReason,
        come_back_at: Timestamp,
        now: Timestamp,
    ) -> Result<Decided<Self>, TaskError> {
        match &self.state {
            TaskState::Assigned { .. } | TaskState::InProgress { .. } | TaskState::Paused { .. } => {
                if !self.is_done_by(who) {
                    return Err(TaskError::NotTheAssignee { action: "put off" });
                }
            }
            _ => return Err(self.refuse("be put off")),
        }
        self.attempts = self.attempts.saturating_add(1);
        self.scheduled_for = Some(come_back_at);
        let event = TaskEvent::Attempted { reason, come_back_at, attempts: self.attempts, at: now };
        if matches!(self.state, TaskState::InProgress { .. }) {
            return Ok(self.pause(who, PauseReason::GuestPresent, None, now)?.and(event));
        }
        let state = self.state.clone();
        Ok(self.becomes(state, event, now))
    }
}
