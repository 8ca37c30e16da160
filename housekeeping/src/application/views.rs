//! Resources as callers see them: the row of the data model in camelCase.

use contracts::actor::Actor;
use contracts::housekeeping::{
    ChecklistResult, EscalationTarget, FailReason, PauseReason, RoomStatus, RoomStatusCause, TaskKind, TaskPriority,
    TaskSource,
};
use contracts::ids::{
    BlockId, ChecklistId, DiscrepancyId, EventId, InspectionId, PropertyId, ReservationId, RoomId, ShiftId, StaffId,
    SuggestionId, TaskId,
};
use contracts::time::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use crate::domain::block::{BlockOwner, BlockReason, RoomBlock};
use crate::domain::checklist::{Checklist, ChecklistItem};
use crate::domain::discrepancy::{Discrepancy, Occupancy, Resolution};
use crate::domain::inspection::{Inspection, Verdict};
use crate::domain::suggestion::{
    LeftOpen, MovedTask, SuggestedRow, Suggestion, SuggestionNote, SuggestionSource, SuggestionStatus,
};
use crate::domain::task::{Task, TaskState, TaskStatus};
use crate::infrastructure::blocks::ShownBlock;
use crate::infrastructure::rooms::{DescribedRoom, LastCleaning, LastInspection, RoomStep};
use crate::infrastructure::tasks::TaskStep;

/// A task.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Task")]
pub struct TaskResource {
    pub id: TaskId,
    pub task_id: TaskId,
    pub property_id: PropertyId,
    pub room_id: RoomId,
    pub reservation_id: Option<ReservationId>,
    pub item_id: Option<String>,
    pub kind: TaskKind,
    pub status: TaskStatus,
    pub priority: TaskPriority,
    pub priority_bumped_at: Option<Timestamp>,
    /// How often the guest did not let anybody in.
    pub attempts: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub escalated_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub escalated_to: Option<EscalationTarget>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub escalation_reason: Option<String>,
    pub assignee_staff_id: Option<StaffId>,
    pub checklist_id: ChecklistId,
    pub checklist_version: i32,
    pub scheduled_for: Option<Timestamp>,
    pub started_at: Option<Timestamp>,
    pub paused_at: Option<Timestamp>,
    pub pause_reason: Option<PauseReason>,
    pub completed_at: Option<Timestamp>,
    pub duration_minutes: Option<u32>,
    pub estimated_minutes: i32,
    pub failure_reason: Option<FailReason>,
    pub failure_note: Option<String>,
    pub cancel_reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome_results: Option<Vec<ChecklistResult>>,
    pub linen_issued: Option<u32>,
    pub linen_returned: Option<u32>,
    pub no_maintenance_found: Option<bool>,
    pub locale_hint: String,
    pub source: TaskSource,
    pub source_event_id: Option<EventId>,
    pub retry_of: Option<TaskId>,
    pub note: Option<String>,
    pub version: i32,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl From<&Task> for TaskResource {
    fn from(task: &Task) -> Self {
        let mut resource = Self {
            id: task.id.clone(),
            task_id: task.id.clone(),
            property_id: task.property_id.clone(),
            room_id: task.room_id.clone(),
            reservation_id: task.reservation_id.clone(),
            item_id: task.item_id.clone(),
            kind: task.kind,
            status: task.state.status(),
            priority: task.priority,
            priority_bumped_at: task.priority_bumped_at,
            attempts: task.attempts,
            escalated_at: task.escalation.as_ref().map(|escalation| escalation.at),
            escalated_to: task.escalation.as_ref().map(|escalation| escalation.to.clone()),
            escalation_reason: task.escalation.as_ref().map(|escalation| escalation.reason.clone()),
            assignee_staff_id: task.state.assignee().cloned(),
            checklist_id: task.checklist.id.clone(),
            checklist_version: task.checklist.version,
            scheduled_for: task.scheduled_for,
            started_at: None,
            paused_at: None,
            pause_reason: None,
            completed_at: None,
            duration_minutes: None,
            estimated_minutes: task.estimated_minutes,
            failure_reason: None,
            failure_note: None,
            cancel_reason: None,
            outcome_results: None,
            linen_issued: None,
            linen_returned: None,
            no_maintenance_found: None,
            locale_hint: task.locale_hint.clone(),
            source: task.source,
            source_event_id: task.source_event_id.clone(),
            retry_of: task.retry_of.clone(),
            note: task.note.clone(),
            version: task.version,
            created_at: task.created_at,
            updated_at: task.updated_at,
        };
        match &task.state {
            TaskState::InProgress { since, .. } => resource.started_at = Some(*since),
            TaskState::Paused { since, paused_at, reason, .. } => {
                resource.started_at = Some(*since);
                resource.paused_at = Some(*paused_at);
                resource.pause_reason = Some(*reason);
            }
            TaskState::Completed { since, at, report, .. } => {
                resource.started_at = Some(*since);
                resource.completed_at = Some(*at);
                resource.duration_minutes = Some(report.minutes);
                resource.outcome_results = Some(report.checklist_results.clone());
                resource.linen_issued = report.linen.map(|linen| linen.issued);
                resource.linen_returned = report.linen.map(|linen| linen.returned);
                resource.no_maintenance_found = Some(report.no_maintenance_found);
            }
            TaskState::Failed { since, reason, note, .. } => {
                resource.started_at = *since;
                resource.failure_reason = Some(*reason);
                resource.failure_note.clone_from(note);
            }
            TaskState::Cancelled { reason, .. } => resource.cancel_reason = Some(reason.clone()),
            TaskState::Pending | TaskState::Assigned { .. } | TaskState::RequiresMaintenance { .. } => {}
        }
        resource
    }
}

/// Something that happened to a task.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TaskHistoryItem {
    pub event_id: String,
    pub subject: String,
    pub at: Timestamp,
    pub actor: Actor,
    /// The event's payload, or the detail of what nobody else was told.
    pub payload: serde_json::Value,
}

impl From<TaskStep> for TaskHistoryItem {
    fn from(step: TaskStep) -> Self {
        let TaskStep { event_id, subject, at, actor, payload } = step;
        Self { event_id, subject, at, actor, payload }
    }
}

/// A room.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Room")]
pub struct RoomResource {
    pub room_id: RoomId,
    pub property_id: PropertyId,
    pub number: Option<String>,
    pub floor: Option<i32>,
    pub section: Option<String>,
    pub room_type: Option<String>,
    pub status: RoomStatus,
    pub occupancy: Occupancy,
    pub last_task_id: Option<TaskId>,
    pub last_flipped_at: Timestamp,
    pub last_flipped_by: Actor,
    pub last_cause: RoomStatusCause,
    /// Why it cannot be used, whoever says so.
    pub blocks: Vec<BlockShown>,
    /// Who cleaned it last; only where one room is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_cleaning: Option<LastCleaningView>,
    /// What the last inspection said; only where one room is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_inspection: Option<LastInspectionView>,
    pub version: i32,
}

/// The last time that somebody cleaned a room.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "LastCleaning")]
pub struct LastCleaningView {
    pub task_id: TaskId,
    pub kind: TaskKind,
    pub staff_id: StaffId,
    pub completed_at: Timestamp,
    pub duration_minutes: i32,
}

impl From<LastCleaning> for LastCleaningView {
    fn from(last: LastCleaning) -> Self {
        let LastCleaning { task_id, kind, staff_id, completed_at, duration_minutes } = last;
        Self { task_id, kind, staff_id, completed_at, duration_minutes }
    }
}

/// The last time that somebody looked a room over.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "LastInspection")]
pub struct LastInspectionView {
    pub inspection_id: InspectionId,
    pub task_id: TaskId,
    pub inspector_staff_id: StaffId,
    /// `pass` or `fail`.
    pub outcome: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed_item_keys: Option<Vec<String>>,
    pub performed_at: Timestamp,
}

impl From<LastInspection> for LastInspectionView {
    fn from(last: LastInspection) -> Self {
        let LastInspection { id, task_id, inspector, outcome, reason, failed_item_keys, performed_at } = last;
        Self {
            inspection_id: id,
            task_id,
            inspector_staff_id: inspector,
            outcome,
            reason,
            failed_item_keys,
            performed_at,
        }
    }
}

/// What blocks a room, in short.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BlockShown {
    /// Housekeeping's own block, or maintenance's job.
    pub id: String,
    pub reason: BlockReason,
    pub owner: BlockOwner,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocked_until: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl From<&ShownBlock> for BlockShown {
    fn from(block: &ShownBlock) -> Self {
        let ShownBlock { id, reason, owner, blocked_until, note } = block.clone();
        Self { id, reason, owner, blocked_until, note }
    }
}

/// A block.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "RoomBlock")]
pub struct BlockResource {
    pub id: BlockId,
    pub block_id: BlockId,
    pub property_id: PropertyId,
    pub room_id: RoomId,
    pub reason: BlockReason,
    pub owner: BlockOwner,
    pub blocked_until: Option<Timestamp>,
    pub note: Option<String>,
    pub task_id: Option<TaskId>,
    pub created_at: Timestamp,
    pub cleared_at: Option<Timestamp>,
    pub version: i32,
}

impl From<&RoomBlock> for BlockResource {
    fn from(block: &RoomBlock) -> Self {
        Self {
            id: block.id.clone(),
            block_id: block.id.clone(),
            property_id: block.property_id.clone(),
            room_id: block.room_id.clone(),
            reason: block.reason,
            owner: block.owner,
            blocked_until: block.blocked_until,
            note: block.note.clone(),
            task_id: block.task_id.clone(),
            created_at: block.created_at,
            cleared_at: block.cleared_at,
            version: block.version,
        }
    }
}

/// A difference between what was seen in a room and what the desk has on record.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Discrepancy")]
pub struct DiscrepancyResource {
    pub id: DiscrepancyId,
    pub discrepancy_id: DiscrepancyId,
    pub property_id: PropertyId,
    pub room_id: RoomId,
    pub observed: Occupancy,
    pub recorded: Occupancy,
    pub observed_by: Actor,
    pub observed_at: Timestamp,
    pub note: Option<String>,
    pub resolution: Option<Resolution>,
    pub resolution_note: Option<String>,
    pub resolved_by: Option<Actor>,
    pub resolved_at: Option<Timestamp>,
    pub version: i32,
}

impl From<&Discrepancy> for DiscrepancyResource {
    fn from(found: &Discrepancy) -> Self {
        let end = found.resolved.as_ref();
        Self {
            id: found.id.clone(),
            discrepancy_id: found.id.clone(),
            property_id: found.property_id.clone(),
            room_id: found.room_id.clone(),
            observed: found.observed,
            recorded: found.recorded,
            observed_by: found.observed_by.clone(),
            observed_at: found.observed_at,
            note: found.note.clone(),
            resolution: end.map(|end| end.resolution),
            resolution_note: end.and_then(|end| end.note.clone()),
            resolved_by: end.map(|end| end.by.clone()),
            resolved_at: end.map(|end| end.at),
            version: found.version,
        }
    }
}

/// What was seen in a room, and what the desk has on record.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Observation")]
pub struct ObservationResource {
    pub room_id: RoomId,
    pub observed: Occupancy,
    pub recorded: Occupancy,
    /// The difference that waits for the desk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub discrepancy: Option<DiscrepancyResource>,
}

impl From<&DescribedRoom> for RoomResource {
    fn from(described: &DescribedRoom) -> Self {
        let room = &described.room;
        Self {
            room_id: room.room_id.clone(),
            property_id: room.property_id.clone(),
            number: described.number.clone(),
            floor: described.floor,
            section: described.section.clone(),
            room_type: described.room_type.clone(),
            status: room.status,
            occupancy: Occupancy::of(described.occupied),
            last_task_id: room.last_task_id.clone(),
            last_flipped_at: room.last_flipped_at,
            last_flipped_by: room.last_flipped_by.clone(),
            last_cause: room.last_cause,
            blocks: described.blocks.iter().map(BlockShown::from).collect(),
            last_cleaning: None,
            last_inspection: None,
            version: room.version,
        }
    }
}

/// A room went from one status to another.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RoomHistoryItem {
    /// Its place among all steps, for the next page.
    #[serde(skip)]
    #[schemars(skip)]
    pub place: i64,
    pub previous_status: RoomStatus,
    pub status: RoomStatus,
    pub cause: RoomStatusCause,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_id: Option<TaskId>,
    pub at: Timestamp,
    pub actor: Actor,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// The steps of a room, newest first, and how it was at the moment that was asked for.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RoomHistory {
    pub items: Vec<RoomHistoryItem>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
    /// How the room was at `at`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status_at: Option<RoomStatus>,
}

impl From<RoomStep> for RoomHistoryItem {
    fn from(step: RoomStep) -> Self {
        let RoomStep { id: place, previous_status, status, cause, task_id, at, actor, note } = step;
        Self { place, previous_status, status, cause, task_id, at, actor, note }
    }
}

contracts::closed_words! {
    /// What came of an inspection.
    InspectionOutcome {
        Pass = "pass",
        Fail = "fail",
        Waived = "waived",
    }
}

/// An inspection, held or waived.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Inspection")]
pub struct InspectionResource {
    pub id: InspectionId,
    pub inspection_id: InspectionId,
    pub task_id: TaskId,
    pub room_id: RoomId,
    pub inspector_staff_id: StaffId,
    pub checklist_id: ChecklistId,
    pub checklist_version: i32,
    pub results: Vec<ChecklistResult>,
    pub outcome: InspectionOutcome,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed_item_keys: Option<Vec<String>>,
    pub performed_at: Timestamp,
}

impl From<&Inspection> for InspectionResource {
    fn from(inspection: &Inspection) -> Self {
        let (outcome, reason, failed_item_keys) = match &inspection.verdict {
            Verdict::Passed => (InspectionOutcome::Pass, None, None),
            Verdict::Failed { reason, failed_item_keys } => {
                (InspectionOutcome::Fail, Some(reason.clone()), Some(failed_item_keys.clone()))
            }
            Verdict::Waived { reason, .. } => (InspectionOutcome::Waived, Some(reason.clone()), None),
        };
        Self {
            id: inspection.id.clone(),
            inspection_id: inspection.id.clone(),
            task_id: inspection.task_id.clone(),
            room_id: inspection.room_id.clone(),
            inspector_staff_id: inspection.inspector.clone(),
            checklist_id: inspection.checklist.id.clone(),
            checklist_version: inspection.checklist.version,
            results: inspection.results.clone(),
            outcome,
            reason,
            failed_item_keys,
            performed_at: inspection.performed_at,
        }
    }
}

/// A checklist at its present version.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Checklist")]
pub struct ChecklistResource {
    pub id: ChecklistId,
    pub kind: TaskKind,
    pub version: i32,
    pub items: Vec<ChecklistItem>,
}

impl From<&Checklist> for ChecklistResource {
    fn from(list: &Checklist) -> Self {
        Self { id: list.id.clone(), kind: list.kind, version: list.version, items: list.items.clone() }
    }
}

/// A suggestion, with what became of each of its rows.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Suggestion")]
pub struct SuggestionResource {
    pub id: SuggestionId,
    pub suggestion_id: SuggestionId,
    pub property_id: PropertyId,
    pub shift_id: Option<ShiftId>,
    pub status: SuggestionStatus,
    pub source: SuggestionSource,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<SuggestionNote>,
    pub model_version: String,
    pub generated_at: Timestamp,
    pub rows: Vec<SuggestedRow>,
    pub unassigned: Vec<LeftOpen>,
    pub moved: Vec<MovedTask>,
    pub decided_by: Option<Actor>,
    pub decided_at: Option<Timestamp>,
    pub version: i32,
}

impl From<&Suggestion> for SuggestionResource {
    fn from(suggestion: &Suggestion) -> Self {
        let proposal = &suggestion.proposal;
        Self {
            id: suggestion.id.clone(),
            suggestion_id: suggestion.id.clone(),
            property_id: suggestion.scope.property_id.clone(),
            shift_id: suggestion.scope.shift_id.clone(),
            status: suggestion.status,
            source: proposal.source,
            note: proposal.note,
            model_version: proposal.model_version.clone(),
            generated_at: suggestion.generated_at,
            rows: proposal.rows.clone(),
            unassigned: proposal.unassigned.clone(),
            moved: proposal.moved.clone(),
            decided_by: suggestion.decided_by.clone(),
            decided_at: suggestion.decided_at,
            version: suggestion.version,
        }
    }
}
