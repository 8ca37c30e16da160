//! The life of a task, from its opening to its end.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    EscalationRole, FailReason, MaintenanceIssue, PauseReason, PriorityChangeReason, ReassignReason, TaskKind,
    TaskPriority, TaskSource,
};
use crate::actor::Actor;
use crate::ids::{ChecklistId, EventId, PropertyId, ReservationId, RoomId, StaffId, TaskId, TenantId};
use crate::payload::payload;
use crate::time::Timestamp;

/// A task was opened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TaskCreatedV1 {
    /// The task.
    pub task_id: TaskId,
    /// The tenant.
    pub tenant_id: TenantId,
    /// The house.
    pub property_id: PropertyId,
    /// The room.
    pub room_id: RoomId,
    /// The stay that made it necessary, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reservation_id: Option<ReservationId>,
    /// What is to be done.
    pub kind: TaskKind,
    /// How soon.
    pub priority: TaskPriority,
    /// When it is to be done, where that is planned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scheduled_for: Option<Timestamp>,
    /// The checklist to work through.
    pub checklist_id: ChecklistId,
    /// The version of that checklist.
    pub checklist_version: u32,
    /// The language the checklist is best shown in, such as `ps-AF`.
    pub locale_hint: String,
    /// What opened the task.
    pub source: TaskSource,
    /// The event that opened it, where one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_event_id: Option<EventId>,
    /// The version of the task after this change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregate_version: Option<u64>,
}

/// A task was given to a person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TaskAssignedV1 {
    /// The task.
    pub task_id: TaskId,
    /// The tenant.
    pub tenant_id: TenantId,
    /// Who does it.
    pub staff_id: StaffId,
    /// The version of the task after this change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregate_version: Option<u64>,
}

/// A task went from one person to another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TaskReassignedV1 {
    /// The task.
    pub task_id: TaskId,
    /// The tenant.
    pub tenant_id: TenantId,
    /// Who had it.
    pub previous_staff_id: StaffId,
    /// Who has it now.
    pub staff_id: StaffId,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<ReassignReason>,
    /// The version of the task after this change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregate_version: Option<u64>,
}

/// Work on a task began.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TaskStartedV1 {
    /// The task.
    pub task_id: TaskId,
    /// The tenant.
    pub tenant_id: TenantId,
    /// Who does it.
    pub staff_id: StaffId,
    /// When it began.
    pub started_at: Timestamp,
    /// The version of the task after this change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregate_version: Option<u64>,
}

/// Work on a task pauses.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TaskPausedV1 {
    /// The task.
    pub task_id: TaskId,
    /// The tenant.
    pub tenant_id: TenantId,
    /// Who does it.
    pub staff_id: StaffId,
    /// Since when it pauses.
    pub paused_at: Timestamp,
    /// Why.
    pub reason: PauseReason,
    /// What else there is to say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The version of the task after this change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregate_version: Option<u64>,
}

/// Work on a task goes on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TaskResumedV1 {
    /// The task.
    pub task_id: TaskId,
    /// The tenant.
    pub tenant_id: TenantId,
    /// Who does it.
    pub staff_id: StaffId,
    /// Since when it goes on.
    pub resumed_at: Timestamp,
    /// The version of the task after this change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregate_version: Option<u64>,
}

/// One line of a checklist, as it was left.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChecklistResult {
    /// The key of the line.
    pub item_key: String,
    /// Whether it is done.
    pub checked: bool,
    /// What there is to say about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The picture that shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub photo_media_id: Option<String>,
}

/// Pieces of linen that went in and out with a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LinenCount {
    /// Pieces taken from stock.
    pub issued: u32,
    /// Pieces brought back.
    pub returned: u32,
}

/// A task is done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TaskCompletedV1 {
    /// The task.
    pub task_id: TaskId,
    /// The tenant.
    pub tenant_id: TenantId,
    /// Who did it.
    pub staff_id: StaffId,
    /// When it was done.
    pub completed_at: Timestamp,
    /// Minutes of work, pauses not counted.
    pub duration_minutes: u32,
    /// The checklist as it was left.
    pub checklist_results: Vec<ChecklistResult>,
    /// Linen that went in and out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub linen: Option<LinenCount>,
    /// Whether the person looked and found nothing to repair.
    pub no_maintenance_found: bool,
    /// The version of the task after this change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregate_version: Option<u64>,
}

/// A task could not be done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TaskFailedV1 {
    /// The task.
    pub task_id: TaskId,
    /// The tenant.
    pub tenant_id: TenantId,
    /// Who had it, if anybody.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub staff_id: Option<StaffId>,
    /// Why.
    pub reason: FailReason,
    /// What else there is to say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The version of the task after this change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregate_version: Option<u64>,
}

/// A task is no longer needed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TaskCancelledV1 {
    /// The task.
    pub task_id: TaskId,
    /// The tenant.
    pub tenant_id: TenantId,
    /// Why.
    pub reason: String,
    /// Who said so.
    pub cancelled_by: Actor,
    /// The version of the task after this change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregate_version: Option<u64>,
}

/// Before whom a task is brought: a person, a role, or both.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EscalationTarget {
    /// The person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub staff_id: Option<StaffId>,
    /// The role.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<EscalationRole>,
}

/// A task needs somebody with more say.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TaskEscalatedV1 {
    /// The task.
    pub task_id: TaskId,
    /// The tenant.
    pub tenant_id: TenantId,
    /// Before whom it is brought.
    pub to: EscalationTarget,
    /// Why.
    pub reason: String,
    /// Who brought it.
    pub escalated_by: Actor,
    /// The version of the task after this change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregate_version: Option<u64>,
}

/// A task ended because something must be repaired first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TaskRequiresMaintenanceV1 {
    /// The task.
    pub task_id: TaskId,
    /// The tenant.
    pub tenant_id: TenantId,
    /// The house.
    pub property_id: PropertyId,
    /// The room.
    pub room_id: RoomId,
    /// Who had the task, if anybody.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub staff_id: Option<StaffId>,
    /// What must be repaired.
    pub issue: MaintenanceIssue,
    /// When it was reported.
    pub reported_at: Timestamp,
    /// The version of the task after this change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregate_version: Option<u64>,
}

/// A task became more, or less, pressing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TaskPriorityChangedV1 {
    /// The task.
    pub task_id: TaskId,
    /// The tenant.
    pub tenant_id: TenantId,
    /// How pressing it was.
    pub previous_priority: TaskPriority,
    /// How pressing it is.
    pub priority: TaskPriority,
    /// Why.
    pub reason: PriorityChangeReason,
    /// When it changed.
    pub changed_at: Timestamp,
    /// Who changed it.
    pub changed_by: Actor,
    /// The version of the task after this change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregate_version: Option<u64>,
}

payload! {
    TaskCreatedV1 = "melmastoon.housekeeping.task.created.v1";
    TaskAssignedV1 = "melmastoon.housekeeping.task.assigned.v1";
    TaskReassignedV1 = "melmastoon.housekeeping.task.reassigned.v1";
    TaskStartedV1 = "melmastoon.housekeeping.task.started.v1";
    TaskPausedV1 = "melmastoon.housekeeping.task.paused.v1";
    TaskResumedV1 = "melmastoon.housekeeping.task.resumed.v1";
    TaskCompletedV1 = "melmastoon.housekeeping.task.completed.v1";
    TaskFailedV1 = "melmastoon.housekeeping.task.failed.v1";
    TaskCancelledV1 = "melmastoon.housekeeping.task.cancelled.v1";
    TaskEscalatedV1 = "melmastoon.housekeeping.task.escalated.v1";
    TaskRequiresMaintenanceV1 = "melmastoon.housekeeping.task.requires_maintenance.v1";
    TaskPriorityChangedV1 = "melmastoon.housekeeping.task.priority_changed.v1";
}
