//! Somebody looks the room over: it is ready, or it is cleaned once more.

use contracts::housekeeping::{ChecklistResult, RoomStatus, RoomStatusCause, TaskKind, TaskPriority};
use platform::UnitOfWork;

use super::TaskCommand;
use super::profiles::Profiles;
use crate::HousekeepingError;
use crate::domain::inspection::{Inspection, Verdict};
use crate::domain::room::Flip;
use crate::domain::task::{Task, TaskState};

/// Holds or waives the inspection of a completed task. A failed one opens the same work again, urgent enough to be seen.
pub async fn inspect(
    uow: &mut UnitOfWork,
    profiles: &Profiles,
    command: TaskCommand<'_>,
    results: Vec<ChecklistResult>,
    verdict: Verdict,
) -> Result<Inspection, HousekeepingError> {
    let (task, room) = command.load(uow).await?;
    let profile = profiles.of(uow).await?;
    let waiting = matches!(task.state, TaskState::Completed { .. })
        && room.status == RoomStatus::Cleaned
        && room.last_task_id.as_ref() == Some(&task.id);
    if !waiting {
        return Err(HousekeepingError::NothingToInspect);
    }
    let (now, by) = (uow.now(), uow.context().actor.clone());
    let inspection = Inspection {
        id: uow.next_id(),
        task_id: task.id.clone(),
        property_id: task.property_id.clone(),
        room_id: task.room_id.clone(),
        inspector: command.caller.as_staff()?,
        checklist: profile.checklist(TaskKind::Inspection)?.reference(),
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
            uow.save(room.fail_inspection(&flip(RoomStatusCause::InspectionFailed), reason)?);
            let again = task.order_again(TaskPriority::High, profile.checklist(task.kind)?.reference());
            uow.save(Task::open(uow.next_id(), again, now));
        }
    }
    Ok(inspection)
}
