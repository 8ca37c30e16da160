//! Something is broken: a housekeeper says so, maintenance takes it up and repairs it, and the room is cleaned after the repair.

use contracts::external::{RoomArchivedV1, RoomCreatedV1, WorkOrderCompletedV1, WorkOrderOpenedV1, WorkOrderSeverity};
use contracts::housekeeping::{
    IssueSeverity, MaintenanceIssue, MaintenanceOutcome, PauseReason, RoomStatusCause, TaskKind, TaskSource,
};
use contracts::ids::EventId;
use contracts::time::Timestamp;
use platform::UnitOfWork;

use super::profiles::Profile;
use super::{TaskCommand, blocks as stories};
use crate::HousekeepingError;
use crate::domain::block::{BlockOwner, BlockReason, NewBlock, RoomBlock};
use crate::domain::eta::priority_for;
use crate::domain::maintenance::MaintenanceReport;
use crate::domain::room::Flip;
use crate::domain::task::{Task, TaskOrder, TaskState};
use crate::infrastructure::{arrivals, blocks, rooms, tasks};

/// A housekeeper found something broken. The task ends or waits; a room that cannot be used is out of order from now on.
pub async fn require(
    uow: &mut UnitOfWork,
    command: TaskCommand<'_>,
    issue: MaintenanceIssue,
    outcome: MaintenanceOutcome,
) -> Result<Task, HousekeepingError> {
    let (task, room) = command.load(uow).await?;
    let (now, by) = (command.moment(uow, &task, &room), uow.context().actor.clone());
    let who = command.worker(&task)?;
    let task = uow.save(match outcome {
        MaintenanceOutcome::ConvertTerminal => task.require_maintenance(&who, issue.clone(), now)?,
        MaintenanceOutcome::Pause => {
            task.pause(&who, PauseReason::AwaitingMaintenance, Some(issue.description.clone()), now)?
        }
    });
    let task = task.recorded(uow.now());
    let report = MaintenanceReport {
        property_id: task.property_id.clone(),
        room_id: task.room_id.clone(),
        task_id: task.id.clone(),
        issue: issue.clone(),
        outcome,
        reported_by: command.caller.staff.clone().unwrap_or(who),
        reported_at: now,
        version: 1,
    };
    uow.save(report.reported());
    if issue.severity == IssueSeverity::Blocking {
        let new = NewBlock {
            reason: BlockReason::Maintenance,
            owner: BlockOwner::Housekeeping,
            begins_at: None,
            blocked_until: None,
            note: Some(issue.description),
            task_id: Some(task.id.clone()),
            told_at: None,
        };
        stories::set(uow, room, new)?;
    } else if outcome == MaintenanceOutcome::ConvertTerminal {
        // Nobody cleans it any more, and it was not finished.
        let flip = Flip { cause: RoomStatusCause::TaskFailed, task: Some(&task.id), by: &by, now };
        if let Some(dirty) = room.abandon_cleaning(&flip)? {
            uow.save(dirty);
        }
    }
    Ok(task)
}

/// Maintenance took up a job. One that blocks, or says nothing of it, puts the room out of order, unless it is done already.
pub async fn take_up(uow: &mut UnitOfWork, job: &WorkOrderOpenedV1) -> Result<(), HousekeepingError> {
    let blocking = matches!(job.severity, None | Some(WorkOrderSeverity::Blocking));
    let id = job.work_order_id.as_str();
    let found = blocks::lock_or_open(uow, &job.property_id, &job.room_id, Some(id)).await?;
    let done = found.jobs.iter().any(|known| known.work_order_id == id && known.cleared_at.is_some());
    blocks::job_opened(uow, job, blocking);
    uow.touch_board(&job.property_id);
    // A room that exists no more stays out of service, whatever is repaired in it.
    let gone = rooms::existence(uow, &job.property_id, &job.room_id).await?.archived_at.is_some();
    if blocking && !done && !gone {
        let (now, by) = (uow.now(), uow.context().actor.clone());
        let flip = Flip { cause: RoomStatusCause::MaintenanceRequired, task: job.task_id.as_ref(), by: &by, now };
        if let Some(out) = found.room.take_out_of_order(&flip, None)? {
            uow.save(out);
        }
    }
    Ok(())
}

/// The repair is done: the room's blocks are lifted, it is dirty, and one clean after the repair is due. While another job keeps
/// the room out of order, both wait for that one.
pub async fn finish(
    uow: &mut UnitOfWork,
    profile: &Profile,
    job: &WorkOrderCompletedV1,
    event: &EventId,
) -> Result<(), HousekeepingError> {
    let id = job.work_order_id.as_str();
    let found = blocks::lock_or_open(uow, &job.property_id, &job.room_id, Some(id)).await?;
    // Told before, perhaps long ago: what has happened in the room since is none of its business.
    if found.jobs.iter().any(|known| known.work_order_id == id && known.cleared_at.is_some()) {
        return Ok(());
    }
    blocks::job_done(uow, job);
    uow.touch_board(&job.property_id);
    if found.jobs.iter().any(|other| other.work_order_id != id && other.holds()) {
        return Ok(());
    }
    // A repair in a room that exists no more is done, and there is nothing to clean.
    if rooms::existence(uow, &job.property_id, &job.room_id).await?.archived_at.is_some() {
        return Ok(());
    }
    let (now, by) = (uow.now(), uow.context().actor.clone());
    // What is to begin another day is another matter.
    let lifted = |block: &RoomBlock| block.cleared_at.is_none() && block.begins_at.is_none();
    for block in found.own.into_iter().filter(lifted) {
        uow.save(block.clear(now)?);
    }
    let room_ids = std::slice::from_ref(&job.room_id);
    let (_, open) = tasks::lock_open_in(uow, &job.property_id, room_ids).await?;
    let mut task_id = open.iter().find(|task| task.kind == TaskKind::PostMaintenance).map(|task| task.id.clone());
    if task_id.is_none() {
        let next = arrivals::next_in(uow, &job.property_id, None, room_ids).await?;
        let order = TaskOrder {
            property_id: job.property_id.clone(),
            room_id: job.room_id.clone(),
            reservation_id: None,
            item_id: None,
            kind: TaskKind::PostMaintenance,
            priority: priority_for(next.get(&job.room_id).copied(), now, &profile.settings.timezone),
            scheduled_for: None,
            checklist: profile.checklist(TaskKind::PostMaintenance)?.reference(),
            estimated_minutes: profile.settings.minutes_for(TaskKind::PostMaintenance),
            locale_hint: profile.settings.locale.clone(),
            source: TaskSource::Event,
            source_event_id: Some(event.clone()),
            retry_of: None,
            note: None,
        };
        task_id = Some(uow.save(Task::open(uow.next_id(), order, now)).id);
    }
    let flip = Flip { cause: RoomStatusCause::MaintenanceCompleted, task: task_id.as_ref(), by: &by, now };
    if let Some(dirty) = found.room.return_to_use(&flip) {
        uow.save(dirty);
    }
    Ok(())
}

/// There is a new room, or more is known of one, or one that had ceased to exist is back and must be cleaned.
pub async fn introduce(
    uow: &mut UnitOfWork,
    told: &RoomCreatedV1,
    told_at: Timestamp,
) -> Result<(), HousekeepingError> {
    let found = rooms::lock_or_open(uow, &told.property_id, std::slice::from_ref(&told.room_id)).await?;
    let known = rooms::existence(uow, &told.property_id, &told.room_id).await?;
    rooms::introduce(uow, told, told_at);
    uow.touch_board(&told.property_id);
    let is_back = known.archived_at.is_some_and(|gone_at| gone_at < told_at);
    let (now, by) = (uow.now(), uow.context().actor.clone());
    let flip = Flip { cause: RoomStatusCause::RoomUnblocked, task: None, by: &by, now };
    for room in found.into_iter().filter(|_| is_back) {
        if let Some(dirty) = room.come_back(&flip) {
            uow.save(dirty);
        }
    }
    Ok(())
}

/// A room exists no more: work that nobody has begun is called off, its blocks are lifted, and it is out of service, until it is told that
/// there is such a room again. By the envelopes' times: an end that is told late is not the end of a room that came back since.
pub async fn archive(uow: &mut UnitOfWork, told: &RoomArchivedV1, told_at: Timestamp) -> Result<(), HousekeepingError> {
    let property = match &told.property_id {
        Some(property) => property.clone(),
        None => match rooms::house_of(uow, &told.room_id).await? {
            Some(property) => property,
            // Never seen, and nobody says where it was: there is nothing to end.
            None => return Ok(()),
        },
    };
    let found = blocks::lock_or_open(uow, &property, &told.room_id, None).await?;
    if rooms::existence(uow, &property, &told.room_id).await?.introduced_at.is_some_and(|since| since > told_at) {
        return Ok(());
    }
    let (_, open) = tasks::lock_open_in(uow, &property, std::slice::from_ref(&told.room_id)).await?;
    let (now, by) = (uow.now(), uow.context().actor.clone());
    for task in open.into_iter().filter(|task| !matches!(task.state, TaskState::InProgress { .. })) {
        uow.save(task.cancel("the room exists no more".to_owned(), &by, now)?);
    }
    for block in found.own {
        uow.save(block.clear(now)?);
    }
    blocks::jobs_over(uow, &found.room);
    uow.touch_board(&property);
    rooms::archive(uow, &found.room, told_at);
    let flip = Flip { cause: RoomStatusCause::RoomArchived, task: None, by: &by, now };
    if let Some(gone) = found.room.archive(&flip) {
        uow.save(gone);
    }
    Ok(())
}
