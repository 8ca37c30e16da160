//! Leave, certificates, and what one shift tells the next.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::{
    AssignmentId, CertificationId, HandoffNoteId, LeaveRequestId, PositionId, PropertyId, ShiftId, StaffId, TenantId,
    UserId,
};
use crate::payload::payload;
use crate::time::Timestamp;
use crate::values::{LocalDate, spelled};

/// From which day to which day, both included.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LeaveWindow {
    /// The first day.
    pub from: LocalDate,
    /// The last day.
    pub to: LocalDate,
}

/// A person asks for leave.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LeaveRequestedV1 {
    /// The request.
    pub leave_request_id: LeaveRequestId,
    /// The tenant.
    #[serde(serialize_with = "spelled::ten")]
    pub tenant_id: TenantId,
    /// The person.
    pub staff_id: StaffId,
    /// What kind of leave, such as `sick`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The days.
    pub window_local: LeaveWindow,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// When.
    pub requested_at: Timestamp,
    /// The version of the thing after this change.
    pub version: u64,
}

/// A person gets leave.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LeaveApprovedV1 {
    /// The request.
    pub leave_request_id: LeaveRequestId,
    /// The tenant.
    #[serde(serialize_with = "spelled::ten")]
    pub tenant_id: TenantId,
    /// The person.
    pub staff_id: StaffId,
    /// Who decided.
    pub decided_by: UserId,
    /// When.
    pub decided_at: Timestamp,
    /// Places on shifts that are free again.
    #[serde(default)]
    pub force_unassigned_assignment_ids: Vec<AssignmentId>,
    /// What was said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision_note: Option<String>,
    /// The version of the thing after this change.
    pub version: u64,
}

/// A person does not get leave.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LeaveRejectedV1 {
    /// The request.
    pub leave_request_id: LeaveRequestId,
    /// The tenant.
    #[serde(serialize_with = "spelled::ten")]
    pub tenant_id: TenantId,
    /// The person.
    pub staff_id: StaffId,
    /// Who decided.
    pub decided_by: UserId,
    /// When.
    pub decided_at: Timestamp,
    /// What was said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision_note: Option<String>,
    /// The version of the thing after this change.
    pub version: u64,
}

/// A person does not need the leave any more.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LeaveCancelledV1 {
    /// The request.
    pub leave_request_id: LeaveRequestId,
    /// The tenant.
    #[serde(serialize_with = "spelled::ten")]
    pub tenant_id: TenantId,
    /// The person.
    pub staff_id: StaffId,
    /// Who said so.
    pub cancelled_by: UserId,
    /// When.
    pub cancelled_at: Timestamp,
    /// The version of the thing after this change.
    pub version: u64,
}

/// A person has a certificate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CertificationAddedV1 {
    /// The certificate.
    pub certification_id: CertificationId,
    /// The tenant.
    #[serde(serialize_with = "spelled::ten")]
    pub tenant_id: TenantId,
    /// The person.
    pub staff_id: StaffId,
    /// For what, such as `food_handling`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Since which day it holds.
    pub issued_at: LocalDate,
    /// Until which day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<LocalDate>,
    /// When it was put on record.
    pub added_at: Timestamp,
    /// The version of the thing after this change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregate_version: Option<u64>,
}

/// A certificate no longer holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CertificationExpiredV1 {
    /// The certificate.
    pub certification_id: CertificationId,
    /// The tenant.
    #[serde(serialize_with = "spelled::ten")]
    pub tenant_id: TenantId,
    /// The person.
    pub staff_id: StaffId,
    /// For what.
    #[serde(rename = "type")]
    pub kind: String,
    /// Since which day it held.
    pub issued_at: LocalDate,
    /// The day it ran out.
    pub expired_at: LocalDate,
    /// When it was noticed.
    pub detected_at: Timestamp,
    /// The version of the thing after this change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregate_version: Option<u64>,
}

/// One shift tells the next.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HandoffNoteAddedV1 {
    /// The note.
    pub handoff_note_id: HandoffNoteId,
    /// The tenant.
    #[serde(serialize_with = "spelled::ten")]
    pub tenant_id: TenantId,
    /// The house.
    #[serde(serialize_with = "spelled::ppt")]
    pub property_id: PropertyId,
    /// For whom it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position_id: Option<PositionId>,
    /// Who wrote it.
    pub from_staff_id: StaffId,
    /// On which shift.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_shift_id: Option<ShiftId>,
    /// The first 240 characters; the rest is fetched over REST.
    #[schemars(length(max = 240))]
    pub body_excerpt: String,
    /// How many pictures and files there are.
    pub attachment_count: u32,
    /// When.
    pub created_at: Timestamp,
}

payload! {
    LeaveRequestedV1 = "melmastoon.staff.leave.requested.v1";
    LeaveApprovedV1 = "melmastoon.staff.leave.approved.v1";
    LeaveRejectedV1 = "melmastoon.staff.leave.rejected.v1";
    LeaveCancelledV1 = "melmastoon.staff.leave.cancelled.v1";
    CertificationAddedV1 = "melmastoon.staff.certification.added.v1";
    CertificationExpiredV1 = "melmastoon.staff.certification.expired.v1";
    HandoffNoteAddedV1 = "melmastoon.staff.handoff.note_added.v1";
}
