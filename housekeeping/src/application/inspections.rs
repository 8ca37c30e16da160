//! Somebody looks the room over: it is ready, or it is cleaned once more.

use contracts::housekeeping::{ChecklistResult, RoomStatus, RoomStatusCause, TaskKind, TaskPriority};
use contracts::ids::{ChecklistId, InspectionId, TaskId};
use platform::auth::Caller;
use platform::{Refusal, UnitOfWork};

use super::profiles::Profiles;
use super::{TaskCommand, look_up_task};
use crate::HousekeepingError;
use crate::domain::eta::priority_for;
use crate::domain::inspection::{Inspection, Verdict};
use crate::domain::room::Flip;
use crate::domain::task::{Task, TaskState, rank};
use crate::infrastructure::{arrivals, inspections};

/// What somebody looked at, and what came of it.
#[derive(Debug)]
pub struct Look<'a> {
    /// The checklist that was gone by; the one in force, where none is named.
    pub checklist: Option<&'a ChecklistId>,
    pub results: Vec<ChecklistResult>,
    pub verdict: Verdict,
}

/// An inspection of a task that the caller may look at.
pub async fn look_up(
    uow: &mut UnitOfWork,
    caller: &Caller,
    task: &TaskId,
    id: &InspectionId,
) -> Result<Inspection, HousekeepingError> {
    let task = look_up_task(uow, caller, task).await?;
    Ok(inspections::find(uow, &task, id).await?.ok_or(Refusal::NotFound("inspection"))?)
}

/// Holds or waives the inspection of a completed task. A failed one opens the same work again, urgent enough to be seen, and urgent
/// for a guest who waits for the room.
pub async fn inspect(
    uow: &mut UnitOfWork,
    profiles: &Profiles,
    command: TaskCommand<'_>,
    look: Look<'_>,
) -> Result<Inspection, HousekeepingError> {
    let (task, room) = command.load(uow).await?;
    let profile = profiles.of(uow).await?;
    let waiting = matches!(task.state, TaskState::Completed { .. })
        && room.status == RoomStatus::Cleaned
        && room.last_task_id.as_ref() == Some(&task.id);
    if !waiting {
        return Err(HousekeepingError::NothingToInspect);
    }
    let Look { checklist, results, verdict } = look;
    let checklist = match checklist {
        None => profile.checklist(TaskKind::Inspection)?.reference(),
        Some(named) => {
            let list = profiles.checklist(uow, named).await?;
            if list.kind != TaskKind::Inspection {
                return Err(Refusal::invalid("checklistId", "a checklist of the kind inspection").into());
            }
            list.reference()
        }
    };
    let (now, by) = (uow.now(), uow.context().actor.clone());
    let inspection = Inspection {
        id: uow.next_id(),
        task_id: task.id.clone(),
        property_id: task.property_id.clone(),
        room_id: task.room_id.clone(),
        inspector: command.caller.as_staff()?,
        checklist,
        results,
        verdict,
        performed_at: now,
        version: 1,
    };
    let inspection = uow.save(inspection.held());
    let flip = |cause| Flip { cause, task: Some(&task.id), by: &by, now };
    match &inspection.verdict {
        Verdict::Passed => {
            uow.save(room.pass_inspection(&flip(RoomStatusCause::InspectionPassed))?);
        }
        Verdict::Waived { reason, .. } => {
            uow.save(room.waive_inspection(&flip(RoomStatusCause::InspectionWaived), reason)?);
        }
        Verdict::Failed { reason, .. } => {
            let here = std::slice::from_ref(&task.room_id);
            let next = arrivals::next_in(uow, &task.property_id, task.reservation_id.as_ref(), here).await?;
            let pressing = priority_for(next.get(&task.room_id).copied(), now, &profile.settings.timezone);
            let priority = if rank(pressing) > rank(TaskPriority::High) { pressing } else { TaskPriority::High };
            uow.save(room.fail_inspection(&flip(RoomStatusCause::InspectionFailed), reason)?);
            let again = task.order_again(priority, profile.checklist(task.kind)?.reference());
            uow.save(Task::open(uow.next_id(), again, now));
        }
    }
    Ok(inspection)
}
