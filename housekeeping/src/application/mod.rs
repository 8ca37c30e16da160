//! The stories of housekeeping: what happens in a hotel, told in terms of its rooms, tasks and people.

pub mod arrivals;
pub mod assignment;
pub mod blocks;
pub mod board;
pub mod board_alerts;
pub mod checklists;
pub mod cleaning;
pub mod discrepancies;
pub mod inspections;
pub mod linen;
pub mod lost_and_found;
pub mod maintenance;
pub mod moves;
pub mod occupancy;
pub mod personal;
pub mod photos;
pub mod profiles;
pub mod put_back;
pub mod readiness;
pub mod replanning;
pub mod room_day;
mod room_views;
pub mod rooms;
pub mod routing;
pub mod routing_answers;
pub mod routing_port;
pub mod settings;
pub mod shifts;
pub mod snapshots;
pub mod stats;
pub mod stays;
pub mod stock_views;
pub mod ticks;
pub mod timers;
pub mod turnover;
pub mod views;
mod work_views;

use contracts::ids::{StaffId, TaskId};
use contracts::time::Timestamp;
use platform::auth::Caller;
use platform::http::IfMatch;
use platform::{Refusal, UnitOfWork};

use crate::HousekeepingError;
use crate::domain::room::Room;
use crate::domain::task::Task;
use crate::infrastructure::tasks;

/// A task that the caller may look at. A property that the token does not speak for is as good as not there.
pub async fn look_up_task(uow: &mut UnitOfWork, caller: &Caller, id: &TaskId) -> Result<Task, HousekeepingError> {
    let found = tasks::find(uow, id).await?.filter(|task| caller.properties.include(&task.property_id));
    Ok(found.ok_or(Refusal::NotFound("task"))?)
}

/// A tap on a phone with a good net is here sooner.
const LATE_MILLIS: i64 = 60_000;

/// A command on one task: who asks, and which version they have seen.
#[derive(Clone, Copy, Debug)]
pub struct TaskCommand<'a> {
    pub task: &'a TaskId,
    pub caller: &'a Caller,
    pub if_match: Option<&'a IfMatch>,
    /// When it was really done, as the device says: it may have been away from the net.
    pub at: Option<Timestamp>,
}

impl TaskCommand<'_> {
    /// The task and its room, locked, if the caller may see them and knows their present version.
    pub(crate) async fn load(&self, uow: &mut UnitOfWork) -> Result<(Task, Room), HousekeepingError> {
        let found = tasks::lock(uow, self.task).await?;
        // A property that the token does not speak for is as good as not there.
        let (task, room) = found
            .filter(|(task, _)| self.caller.properties.include(&task.property_id))
            .ok_or(Refusal::NotFound("task"))?;
        IfMatch::check(self.if_match, task.version)?;
        Ok((task, room))
    }

    /// When it was done: as told, but neither before the last step of the task and its room nor in the future. What is told
    /// late is told so to others.
    pub(crate) fn moment(&self, uow: &mut UnitOfWork, task: &Task, room: &Room) -> Timestamp {
        let now = uow.now();
        let Some(told) = self.at else { return now };
        if now.as_millis() - told.as_millis() > LATE_MILLIS {
            uow.replay();
        }
        told.max(task.last_step_at()).max(room.last_flipped_at).min(now)
    }

    /// Who does it: a housekeeper for herself; a supervisor in the name of the person the task is assigned to.
    pub(crate) fn worker(&self, task: &Task) -> Result<StaffId, HousekeepingError> {
        let own = self.caller.staff.clone();
        if self.caller.is_only_housekeeper() {
            return Ok(own.ok_or(Refusal::NotStaff)?);
        }
        // A pending task has nobody: the task itself will say that it cannot be done now.
        match task.state.assignee().cloned().or(own) {
            Some(staff) => Ok(staff),
            None => Ok(self.caller.as_staff()?),
        }
    }
}
