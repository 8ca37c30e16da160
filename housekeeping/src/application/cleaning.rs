//! A housekeeper cleans a room: start, pause, resume, and an end one way or the other.

use contracts::housekeeping::{
    ChecklistResult, FailReason, LinenCount, PauseReason, RoomStatus, RoomStatusCause, TaskKind,
};
use contracts::time::Timestamp;
use platform::{Refusal, UnitOfWork};

use super::TaskCommand;
use super::profiles::Profiles;
use crate::HousekeepingError;
use crate::domain::room::Flip;
use crate::domain::task::{AttemptReason, Task, TaskOrder};
use crate::infrastructure::replanning::{self, Why};
use crate::infrastructure::rooms;

const COME_BACK_SECONDS: i64 = 60 * 60;
const LATEST_COME_BACK_SECONDS: i64 = 7 * 24 * 60 * 60;

/// The work begins, and the room with it.
pub async fn start(uow: &mut UnitOfWork, command: TaskCommand<'_>) -> Result<Task, HousekeepingError> {
    let (task, room) = command.load(uow).await?;
    let (now, by) = (command.moment(uow, &task, &room), uow.context().actor.clone());
    let who = command.worker(&task)?;
    let task = uow.save(task.start(&who, now)?).recorded(uow.now());
    // To look a room over does not make it less clean, and what is left of older work does not make it clean after a guest.
    if task.kind != TaskKind::Inspection && !room.was_left_since(task.created_at) {
        let flip = Flip { cause: RoomStatusCause::TaskStarted, task: Some(&task.id), by: &by, now };
        if let Some(cleaning) = room.begin_cleaning(&flip)? {
            uow.save(cleaning);
        }
    }
    Ok(task)
}

pub async fn pause(
    uow: &mut UnitOfWork,
    command: TaskCommand<'_>,
    reason: PauseReason,
    note: Option<String>,
) -> Result<Task, HousekeepingError> {
    let (task, room) = command.load(uow).await?;
    let now = command.moment(uow, &task, &room);
    let who = command.worker(&task)?;
    Ok(uow.save(task.pause(&who, reason, note, now)?).recorded(uow.now()))
}

pub async fn resume(uow: &mut UnitOfWork, command: TaskCommand<'_>) -> Result<Task, HousekeepingError> {
    let (task, room) = command.load(uow).await?;
    let (now, by) = (command.moment(uow, &task, &room), uow.context().actor.clone());
    let who = command.worker(&task)?;
    let task = uow.save(task.resume(&who, now)?).recorded(uow.now());
    // While the work waited for a repair, the room was out of order, and then dirty. Where it is dirty because the guest has left, its turnover is due.
    let waited = matches!(room.status, RoomStatus::Dirty | RoomStatus::OutOfOrder);
    if waited && task.kind != TaskKind::Inspection && !room.was_left_since(task.created_at) {
        let flip = Flip { cause: RoomStatusCause::TaskStarted, task: Some(&task.id), by: &by, now };
        if let Some(cleaning) = room.begin_cleaning(&flip)? {
            uow.save(cleaning);
        }
    }
    Ok(task)
}

/// The guest did not let the housekeeper in: the task waits and comes back at a set time, an hour from now where none is named.
pub async fn attempt(
    uow: &mut UnitOfWork,
    command: TaskCommand<'_>,
    reason: AttemptReason,
    come_back_at: Option<Timestamp>,
) -> Result<Task, HousekeepingError> {
    let (task, _) = command.load(uow).await?;
    let who = command.worker(&task)?;
    let now = uow.now();
    let come_back_at = come_back_at.unwrap_or_else(|| now.plus_seconds(COME_BACK_SECONDS));
    if come_back_at <= now || come_back_at > now.plus_seconds(LATEST_COME_BACK_SECONDS) {
        return Err(Refusal::invalid("comeBackAt", "later than now, within a week").into());
    }
    uow.touch_board(&task.property_id);
    Ok(uow.save(task.attempt(&who, reason, come_back_at, now)?))
}

/// What the housekeeper reports at the end.
#[derive(Clone, Debug)]
pub struct Report {
    pub checklist_results: Vec<ChecklistResult>,
    pub linen: Option<LinenCount>,
    pub no_maintenance_found: bool,
}

/// The work is done: the room is cleaned, or ready where nobody inspects, or clean for the guest who stays.
pub async fn complete(
    uow: &mut UnitOfWork,
    profiles: &Profiles,
    command: TaskCommand<'_>,
    report: Report,
) -> Result<Task, HousekeepingError> {
    let (task, room) = command.load(uow).await?;
    let profile = profiles.of(uow).await?;
    let checklist = profiles.checklist(uow, &task.checklist.id).await?;
    let (now, by) = (command.moment(uow, &task, &room), uow.context().actor.clone());
    let who = command.worker(&task)?;
    let decided =
        task.complete(&who, &checklist, report.checklist_results, report.linen, report.no_maintenance_found, now)?;
    let task = uow.save(decided).recorded(uow.now());
    if let Some(linen) = report.linen {
        super::linen::count_report(uow, &profile.settings, &task, linen).await?;
    }
    let flip = Flip { cause: RoomStatusCause::TaskCompleted, task: Some(&task.id), by: &by, now };
    if let Some(cleaned) = room.finish_cleaning(task.kind, profile.settings.inspection_required, &flip)? {
        uow.save(cleaned);
    }
    Ok(task)
}

/// It could not be done: the room is dirty again, and the same work is opened anew for somebody else.
pub async fn fail(
    uow: &mut UnitOfWork,
    profiles: &Profiles,
    command: TaskCommand<'_>,
    reason: FailReason,
    note: Option<String>,
) -> Result<Task, HousekeepingError> {
    let (task, room) = command.load(uow).await?;
    let profile = profiles.of(uow).await?;
    let (now, by) = (command.moment(uow, &task, &room), uow.context().actor.clone());
    let who = command.worker(&task)?;
    let failed = uow.save(task.fail(&who, reason, note, now)?).recorded(uow.now());
    let flip = Flip { cause: RoomStatusCause::TaskFailed, task: Some(&failed.id), by: &by, now };
    if let Some(dirty) = room.abandon_cleaning(&flip)? {
        uow.save(dirty);
    }
    // Where the room has ceased to exist meanwhile, there is nothing to do again.
    if rooms::existence(uow, &failed.property_id, &failed.room_id).await?.archived_at.is_some() {
        return Ok(failed);
    }
    let again = failed.order_again(failed.priority, profile.checklist(failed.kind)?.reference());
    // What was planned for a time to come is to be done then, by whomever; what a guest put off is tried again at once.
    let scheduled_for = failed.scheduled_for.filter(|at| *at > uow.now() && failed.attempts == 0);
    uow.save(Task::open(uow.next_id(), TaskOrder { scheduled_for, ..again }, uow.now()));
    replanning::ask_for(uow, &failed.property_id, Why::TaskFailed);
    Ok(failed)
}
