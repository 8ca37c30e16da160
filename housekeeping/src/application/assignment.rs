//! The supervisor opens work, gives it to people, changes its urgency, calls it off.

use contracts::housekeeping::{
    EscalationTarget, PriorityChangeReason, ReassignReason, RoomStatusCause, TaskKind, TaskPriority, TaskSource,
};
use contracts::ids::{PropertyId, ReservationId, RoomId, StaffId};
use contracts::time::Timestamp;
use platform::auth::{Caller, Role};
use platform::{Decided, Refusal, UnitOfWork};

use super::TaskCommand;
use super::profiles::Profiles;
use crate::HousekeepingError;
use crate::domain::room::{Flip, Room};
use crate::domain::task::{Task, TaskError, TaskOrder, rank};
use crate::infrastructure::{estimates, rooms, shifts};

/// What a supervisor says of a new task.
#[derive(Clone, Debug)]
pub struct NewTask {
    pub property_id: PropertyId,
    pub room_id: RoomId,
    pub kind: TaskKind,
    pub priority: TaskPriority,
    pub scheduled_for: Option<Timestamp>,
    pub reservation_id: Option<ReservationId>,
    pub note: Option<String>,
}

/// Opens a task by hand; a room never seen before comes into being, and one that exists no more is refused: its task would be on no board.
pub async fn open_task(
    uow: &mut UnitOfWork,
    profiles: &Profiles,
    caller: &Caller,
    new: NewTask,
) -> Result<Task, HousekeepingError> {
    caller.within(&new.property_id)?;
    let profile = profiles.of(uow).await?;
    rooms::lock_or_open(uow, &new.property_id, std::slice::from_ref(&new.room_id)).await?;
    if rooms::existence(uow, &new.property_id, &new.room_id).await?.archived_at.is_some() {
        return Err(Refusal::invalid("roomId", "a room that exists: this one is archived").into());
    }
    let known = estimates::of_room(uow, &new.property_id, &new.room_id, new.kind).await?;
    let locale = uow.context().locale.clone().unwrap_or_else(|| profile.settings.locale.clone());
    let order = TaskOrder {
        property_id: new.property_id,
        room_id: new.room_id,
        reservation_id: new.reservation_id,
        item_id: None,
        kind: new.kind,
        priority: new.priority,
        scheduled_for: new.scheduled_for,
        checklist: profile.checklist(new.kind)?.reference(),
        estimated_minutes: known.unwrap_or_else(|| profile.settings.minutes_for(new.kind)),
        locale_hint: locale,
        source: TaskSource::Manual,
        source_event_id: None,
        retry_of: None,
        note: new.note,
    };
    Ok(uow.save(Task::open(uow.next_id(), order, uow.now())))
}

/// Gives a task to somebody who is on shift; `force` gives it to anybody. Whoever has it already keeps it, and nobody is told.
pub async fn assign(
    uow: &mut UnitOfWork,
    command: TaskCommand<'_>,
    staff: StaffId,
    reason: Option<ReassignReason>,
    force: bool,
) -> Result<Task, HousekeepingError> {
    let (task, _) = command.load(uow).await?;
    let Some(given) = task.clone().assign(staff.clone(), reason, uow.now())? else { return Ok(task) };
    if !force && !shifts::is_on_duty(uow, &task.property_id, &staff).await? {
        return Err(HousekeepingError::StaffNotOnShift { staff_id: staff });
    }
    Ok(uow.save(given))
}

/// Somebody who is on shift helps whoever has the task; with `force` anybody. Who is on it already stays.
pub async fn add_helper(
    uow: &mut UnitOfWork,
    command: TaskCommand<'_>,
    staff: &StaffId,
    force: bool,
) -> Result<Task, HousekeepingError> {
    let (task, _) = command.load(uow).await?;
    let joined = task.clone().join(staff, uow.now())?;
    if joined.is_some() && !force && !shifts::is_on_duty(uow, &task.property_id, staff).await? {
        return Err(HousekeepingError::StaffNotOnShift { staff_id: staff.clone() });
    }
    Ok(shown_anew(uow, task, joined))
}

/// Somebody no longer helps.
pub async fn remove_helper(
    uow: &mut UnitOfWork,
    command: TaskCommand<'_>,
    staff: &StaffId,
) -> Result<Task, HousekeepingError> {
    let (task, _) = command.load(uow).await?;
    let left = task.clone().leave(staff, uow.now())?;
    Ok(shown_anew(uow, task, left))
}

/// Nobody is told who helps, but the board shows it.
fn shown_anew(uow: &mut UnitOfWork, task: Task, decided: Option<Decided<Task>>) -> Task {
    let Some(decided) = decided else { return task };
    uow.touch_board(&task.property_id);
    uow.save(decided)
}

/// Changes how urgent a task is; the priority it has already is no change. The desk, who has a guest waiting, may only raise it.
pub async fn change_priority(
    uow: &mut UnitOfWork,
    command: TaskCommand<'_>,
    to: TaskPriority,
) -> Result<Task, HousekeepingError> {
    let (task, _) = command.load(uow).await?;
    let leads = command.caller.roles.any_of(&[Role::Supervisor, Role::PropertyManager]);
    if !leads && rank(to) < rank(task.priority) {
        return Err(HousekeepingError::OnlyUpwards);
    }
    let (now, by) = (uow.now(), uow.context().actor.clone());
    match task.clone().change_priority(to, PriorityChangeReason::Manual, &by, now)? {
        Some(decided) => Ok(uow.save(decided)),
        None => Ok(task),
    }
}

/// Brings a task before somebody with more say: a person, a role, or both. A housekeeper does so for the own task.
pub async fn escalate(
    uow: &mut UnitOfWork,
    command: TaskCommand<'_>,
    to: EscalationTarget,
    reason: String,
) -> Result<Task, HousekeepingError> {
    let (task, _) = command.load(uow).await?;
    if command.caller.is_only_housekeeper() && !task.is_done_by(&command.caller.as_staff()?) {
        return Err(TaskError::NotTheAssignee { action: "escalate" }.into());
    }
    let by = uow.context().actor.clone();
    Ok(uow.save(task.escalate(to, reason, &by, uow.now())?))
}

/// Calls a task off; a room that was being cleaned for it is dirty again.
pub async fn cancel(uow: &mut UnitOfWork, command: TaskCommand<'_>, reason: String) -> Result<Task, HousekeepingError> {
    let (task, room) = command.load(uow).await?;
    call_off(uow, task, Some(room), reason)
}

/// Calls a task off whose room is locked. What was begun and given to somebody else waits like any other, and its room is being cleaned all the same.
pub(super) fn call_off(
    uow: &mut UnitOfWork,
    task: Task,
    room: Option<Room>,
    reason: String,
) -> Result<Task, HousekeepingError> {
    let (now, by) = (uow.now(), uow.context().actor.clone());
    let task = uow.save(task.cancel(reason, &by, now)?);
    let flip = Flip { cause: RoomStatusCause::TaskCancelled, task: Some(&task.id), by: &by, now };
    if let Some(dirty) = room.map(|room| room.abandon_cleaning(&flip)).transpose()?.flatten() {
        uow.save(dirty);
    }
    Ok(task)
}
