//! What came of looking a room over.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::actor::Actor;
use crate::ids::{ChecklistId, InspectionId, RoomId, StaffId, TaskId, TenantId};
use crate::payload::payload;
use crate::time::Timestamp;

/// A room was looked over and is in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InspectionPassedV1 {
    /// The inspection.
    pub inspection_id: InspectionId,
    /// The tenant.
    pub tenant_id: TenantId,
    /// The task that was inspected.
    pub task_id: TaskId,
    /// The room.
    pub room_id: RoomId,
    /// Who looked.
    pub inspector_staff_id: StaffId,
    /// When.
    pub performed_at: Timestamp,
    /// The checklist that was used.
    pub checklist_id: ChecklistId,
    /// The version of that checklist.
    pub checklist_version: u32,
    /// The version of the inspection after this change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregate_version: Option<u64>,
}

/// A room was looked over and is not in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InspectionFailedV1 {
    /// The inspection.
    pub inspection_id: InspectionId,
    /// The tenant.
    pub tenant_id: TenantId,
    /// The task that was inspected.
    pub task_id: TaskId,
    /// The room.
    pub room_id: RoomId,
    /// Who looked.
    pub inspector_staff_id: StaffId,
    /// When.
    pub performed_at: Timestamp,
    /// The checklist that was used.
    pub checklist_id: ChecklistId,
    /// The version of that checklist.
    pub checklist_version: u32,
    /// What is not in order.
    pub reason: String,
    /// The lines of the checklist that are not in order.
    pub failed_item_keys: Vec<String>,
    /// The version of the inspection after this change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregate_version: Option<u64>,
}

/// Nobody looked, by somebody's decision. It is never counted as passed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InspectionWaivedV1 {
    /// The inspection.
    pub inspection_id: InspectionId,
    /// The tenant.
    pub tenant_id: TenantId,
    /// The task that was not inspected.
    pub task_id: TaskId,
    /// The room.
    pub room_id: RoomId,
    /// Who decided it.
    pub waived_by: Actor,
    /// When.
    pub waived_at: Timestamp,
    /// Why.
    pub reason: String,
    /// The version of the inspection after this change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregate_version: Option<u64>,
}

payload! {
    InspectionPassedV1 = "melmastoon.housekeeping.inspection.passed.v1";
    InspectionFailedV1 = "melmastoon.housekeeping.inspection.failed.v1";
    InspectionWaivedV1 = "melmastoon.housekeeping.inspection.waived.v1";
}
