//! Resources as callers see them: the row of the data model in camelCase.

use contracts::actor::Actor;
use contracts::housekeeping::{
    ChecklistResult, EscalationTarget, FailReason, PauseReason, TaskKind, TaskPriority, TaskSource,
};
use contracts::ids::{ChecklistId, EventId, PropertyId, ReservationId, RoomId, StaffId, TaskId, TenantId};
use contracts::time::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

pub use super::room_views::{
    BlockResource, BlockShown, DiscrepancyResource, LastCleaningView, LastInspectionView, ObservationResource,
    RoomHistory, RoomHistoryItem, RoomResource,
};
pub use super::work_views::{ChecklistResource, InspectionOutcome, InspectionResource, SuggestionResource};
use crate::domain::task::{Task, TaskState, TaskStatus};
use crate::infrastructure::tasks::TaskStep;

/// What is shown says whose it is.
macro_rules! of_a_tenant {
    ($($resource:ty),* $(,)?) => {$(
        impl $resource {
            #[must_use]
            pub fn of(mut self, tenant: &TenantId) -> Self {
                self.tenant_id = Some(tenant.clone());
                self
            }
        }
    )*};
}
of_a_tenant![
    TaskResource,
    RoomResource,
    BlockResource,
    DiscrepancyResource,
    InspectionResource,
    ChecklistResource,
    SuggestionResource,
    super::stock_views::LinenLineResource,
    super::stock_views::LostItemResource,
];

/// A task.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Task")]
pub struct TaskResource {
    /// Whose it is; a board, which is one hotel's, does not repeat it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tenant_id: Option<TenantId>,
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
    /// Those who do it with the assignee.
    pub helper_staff_ids: Vec<StaffId>,
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
            tenant_id: None,
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
            helper_staff_ids: task.helpers.clone(),
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
