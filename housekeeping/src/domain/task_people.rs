//! Who does a task: whoever it is given to, and those who help.

use contracts::ids::StaffId;
use contracts::time::Timestamp;
use platform::Decided;

use super::task::{Task, TaskError, TaskEvent};
use super::task_state::MOST_HELPERS;

impl Task {
    /// Whom it is given to, and those who help.
    pub fn people(&self) -> impl Iterator<Item = &StaffId> {
        self.state.assignee().into_iter().chain(&self.helpers)
    }

    /// Whether it is this person's work: whoever it is given to, or somebody who helps.
    pub fn is_done_by(&self, who: &StaffId) -> bool {
        self.people().any(|person| person == who)
    }

    /// How long it keeps each of the people on it: the estimate is the work of one.
    pub fn minutes_each(&self) -> i32 {
        let people = i32::try_from(self.people().count().max(1)).unwrap_or(i32::MAX);
        self.estimated_minutes.saturating_add(people - 1) / people
    }

    /// Somebody helps whoever it is given to. `None`: they are on it already.
    pub fn join(mut self, who: &StaffId, now: Timestamp) -> Result<Option<Decided<Self>>, TaskError> {
        if !self.is_open() || self.state.assignee().is_none() {
            return Err(self.refuse("get a second person"));
        }
        if self.is_done_by(who) {
            return Ok(None);
        }
        if self.helpers.len() >= MOST_HELPERS {
            return Err(TaskError::TooManyPeople);
        }
        self.helpers.push(who.clone());
        let state = self.state.clone();
        Ok(Some(self.becomes(state, TaskEvent::HelperJoined { staff: who.clone(), at: now }, now)))
    }

    /// Somebody no longer helps. `None`: they did not.
    pub fn leave(mut self, who: &StaffId, now: Timestamp) -> Result<Option<Decided<Self>>, TaskError> {
        if !self.is_open() {
            return Err(self.refuse("lose somebody"));
        }
        if !self.helpers.contains(who) {
            return Ok(None);
        }
        self.helpers.retain(|helper| helper != who);
        let state = self.state.clone();
        Ok(Some(self.becomes(state, TaskEvent::HelperLeft { staff: who.clone(), at: now }, now)))
    }
}
