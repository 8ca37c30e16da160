//! Inspections, checklists and plans as callers see them.

use contracts::actor::Actor;
use contracts::housekeeping::{ChecklistResult, TaskKind};
use contracts::ids::{ChecklistId, InspectionId, PropertyId, RoomId, ShiftId, StaffId, SuggestionId, TaskId, TenantId};
use contracts::time::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use crate::domain::checklist::{Checklist, ChecklistItem};
use crate::domain::inspection::{Inspection, Verdict};
use crate::domain::suggestion::{
    LeftOpen, MovedTask, SuggestedRow, Suggestion, SuggestionNote, SuggestionSource, SuggestionStatus,
};

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
    /// Whose it is; a board, which is one hotel's, does not repeat it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tenant_id: Option<TenantId>,
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
    /// Held once and never changed.
    pub version: i32,
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
            tenant_id: None,
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
            version: inspection.version,
        }
    }
}

/// A checklist at its present version.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Checklist")]
pub struct ChecklistResource {
    /// Whose it is; a board, which is one hotel's, does not repeat it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tenant_id: Option<TenantId>,
    pub id: ChecklistId,
    pub kind: TaskKind,
    pub version: i32,
    pub items: Vec<ChecklistItem>,
    pub published_at: Timestamp,
    pub published_by: Actor,
}

impl From<&Checklist> for ChecklistResource {
    fn from(list: &Checklist) -> Self {
        Self {
            tenant_id: None,
            id: list.id.clone(),
            kind: list.kind,
            version: list.version,
            items: list.items.clone(),
            published_at: list.published_at,
            published_by: list.published_by.clone(),
        }
    }
}

/// A suggestion, with what became of each of its rows.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Suggestion")]
pub struct SuggestionResource {
    /// Whose it is; a board, which is one hotel's, does not repeat it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tenant_id: Option<TenantId>,
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
            tenant_id: None,
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
