//! Resources as callers see them: the row of the data model in camelCase.

use contracts::housekeeping::ChecklistResult;
use contracts::time::Timestamp;
use serde::Serialize;

use crate::domain::checklist::{Checklist, ChecklistItem};
use crate::domain::inspection::{Inspection, Verdict};
use crate::domain::suggestion::{LeftOpen, MovedTask, SuggestedRow, Suggestion, SuggestionNote};
use crate::domain::task::{Task, TaskState};
use crate::infrastructure::rooms::DescribedRoom;

/// A task.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TaskResource {
    pub id: String,
    pub task_id: String,
    pub property_id: String,
    pub room_id: String,
    pub reservation_id: Option<String>,
    pub item_id: Option<String>,
    pub kind: &'static str,
    pub status: &'static str,
    pub priority: &'static str,
    pub priority_bumped_at: Option<Timestamp>,
    pub assignee_staff_id: Option<String>,
    pub checklist_id: String,
    pub checklist_version: i32,
    pub scheduled_for: Option<Timestamp>,
    pub started_at: Option<Timestamp>,
    pub paused_at: Option<Timestamp>,
    pub pause_reason: Option<&'static str>,
    pub completed_at: Option<Timestamp>,
    pub duration_minutes: Option<u32>,
    pub estimated_minutes: i32,
    pub failure_reason: Option<&'static str>,
    pub failure_note: Option<String>,
    pub cancel_reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome_results: Option<Vec<ChecklistResult>>,
    pub linen_issued: Option<u32>,
    pub linen_returned: Option<u32>,
    pub no_maintenance_found: Option<bool>,
    pub locale_hint: String,
    pub source: &'static str,
    pub source_event_id: Option<String>,
    pub retry_of: Option<String>,
    pub note: Option<String>,
    pub version: i32,
    pub created_at: Option<Timestamp>,
    pub updated_at: Option<Timestamp>,
}

impl From<&Task> for TaskResource {
    fn from(task: &Task) -> Self {
        let mut resource = Self {
            id: task.id.as_str().to_owned(),
            task_id: task.id.as_str().to_owned(),
            property_id: task.property_id.as_str().to_owned(),
            room_id: task.room_id.as_str().to_owned(),
            reservation_id: task.reservation_id.as_ref().map(|id| id.as_str().to_owned()),
            item_id: task.item_id.clone(),
            kind: task.kind.as_str(),
            status: task.state.word(),
            priority: task.priority.as_str(),
            priority_bumped_at: task.priority_bumped_at,
            assignee_staff_id: task.state.assignee().map(|staff| staff.as_str().to_owned()),
            checklist_id: task.checklist.id.as_str().to_owned(),
            checklist_version: task.checklist.version,
            scheduled_for: task.scheduled_for,
            estimated_minutes: task.estimated_minutes,
            locale_hint: task.locale_hint.clone(),
            source: task.source.as_str(),
            source_event_id: task.source_event_id.as_ref().map(|id| id.as_str().to_owned()),
            retry_of: task.retry_of.as_ref().map(|id| id.as_str().to_owned()),
            note: task.note.clone(),
            version: task.version,
            created_at: Some(task.created_at),
            updated_at: Some(task.updated_at),
            ..Self::default()
        };
        match &task.state {
            TaskState::InProgress { since, .. } => resource.started_at = Some(*since),
            TaskState::Paused { since, paused_at, reason, .. } => {
                resource.started_at = Some(*since);
                resource.paused_at = Some(*paused_at);
                resource.pause_reason = Some(reason.as_str());
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
                resource.failure_reason = Some(reason.as_str());
                resource.failure_note.clone_from(note);
            }
            TaskState::Cancelled { reason, .. } => resource.cancel_reason = Some(reason.clone()),
            TaskState::Pending | TaskState::Assigned { .. } | TaskState::RequiresMaintenance { .. } => {}
        }
        resource
    }
}

/// A room.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RoomResource {
    pub room_id: String,
    pub property_id: String,
    pub number: Option<String>,
    pub floor: Option<i32>,
    pub section: Option<String>,
    pub room_type: Option<String>,
    pub status: &'static str,
    pub occupancy: &'static str,
    pub last_task_id: Option<String>,
    pub last_flipped_at: Timestamp,
    pub last_flipped_by: contracts::actor::Actor,
    pub last_cause: &'static str,
    pub version: i32,
}

impl From<&DescribedRoom> for RoomResource {
    fn from(described: &DescribedRoom) -> Self {
        let room = &described.room;
        Self {
            room_id: room.room_id.as_str().to_owned(),
            property_id: room.property_id.as_str().to_owned(),
            number: described.number.clone(),
            floor: described.floor,
            section: described.section.clone(),
            room_type: described.room_type.clone(),
            status: room.status.as_str(),
            occupancy: if described.occupied { "occupied" } else { "vacant" },
            last_task_id: room.last_task_id.as_ref().map(|id| id.as_str().to_owned()),
            last_flipped_at: room.last_flipped_at,
            last_flipped_by: room.last_flipped_by.clone(),
            last_cause: room.last_cause.as_str(),
            version: room.version,
        }
    }
}

/// An inspection, held or waived.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InspectionResource {
    pub id: String,
    pub inspection_id: String,
    pub task_id: String,
    pub room_id: String,
    pub inspector_staff_id: String,
    pub checklist_id: String,
    pub checklist_version: i32,
    pub results: Vec<ChecklistResult>,
    pub outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed_item_keys: Option<Vec<String>>,
    pub performed_at: Timestamp,
}

impl From<&Inspection> for InspectionResource {
    fn from(inspection: &Inspection) -> Self {
        let (outcome, reason, failed_item_keys) = match &inspection.verdict {
            Verdict::Passed => ("pass", None, None),
            Verdict::Failed { reason, failed_item_keys } => {
                ("fail", Some(reason.clone()), Some(failed_item_keys.clone()))
            }
            Verdict::Waived { reason, .. } => ("waived", Some(reason.clone()), None),
        };
        Self {
            id: inspection.id.as_str().to_owned(),
            inspection_id: inspection.id.as_str().to_owned(),
            task_id: inspection.task_id.as_str().to_owned(),
            room_id: inspection.room_id.as_str().to_owned(),
            inspector_staff_id: inspection.inspector.as_str().to_owned(),
            checklist_id: inspection.checklist.id.as_str().to_owned(),
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
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ChecklistResource {
    pub id: String,
    pub kind: &'static str,
    pub version: i32,
    pub items: Vec<ChecklistItem>,
}

impl From<&Checklist> for ChecklistResource {
    fn from(list: &Checklist) -> Self {
        Self {
            id: list.id.as_str().to_owned(),
            kind: list.kind.as_str(),
            version: list.version,
            items: list.items.clone(),
        }
    }
}

/// A suggestion, with what became of each of its rows.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SuggestionResource {
    pub id: String,
    pub suggestion_id: String,
    pub property_id: String,
    pub shift_id: Option<String>,
    pub status: &'static str,
    pub source: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<&'static str>,
    pub model_version: String,
    pub generated_at: Timestamp,
    pub rows: Vec<SuggestedRow>,
    pub unassigned: Vec<LeftOpen>,
    pub moved: Vec<MovedTask>,
    pub decided_by: Option<contracts::actor::Actor>,
    pub decided_at: Option<Timestamp>,
    pub version: i32,
}

impl From<&Suggestion> for SuggestionResource {
    fn from(suggestion: &Suggestion) -> Self {
        let proposal = &suggestion.proposal;
        Self {
            id: suggestion.id.as_str().to_owned(),
            suggestion_id: suggestion.id.as_str().to_owned(),
            property_id: suggestion.scope.property_id.as_str().to_owned(),
            shift_id: suggestion.scope.shift_id.as_ref().map(|shift| shift.as_str().to_owned()),
            status: suggestion.status.as_str(),
            source: proposal.source.as_str(),
            note: proposal.note.map(SuggestionNote::as_str),
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
