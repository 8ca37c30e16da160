//! A person begins, changes and ends work at the hotel.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::{DepartmentId, PositionId, PropertyId, StaffId, TenantId, UserId};
use crate::payload::payload;
use crate::time::Timestamp;
use crate::values::{LocalDate, spelled};
use crate::words::open_words;

open_words! {
    /// How a person is employed.
    EmploymentType {
        /// All day.
        FullTime = "full_time",
        /// Part of the day.
        PartTime = "part_time",
        /// For a time.
        Contract = "contract",
        /// By the day.
        Casual = "casual",
    }

    /// Where a person stands.
    EmploymentStatus {
        /// Not yet logged in.
        PendingInvite = "pending_invite",
        /// At work.
        Active = "active",
        /// On leave.
        OnLeave = "on_leave",
        /// Sent home.
        Suspended = "suspended",
        /// Gone.
        Terminated = "terminated",
    }
}

/// A person begins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StaffCreatedV1 {
    /// The person.
    pub staff_id: StaffId,
    /// The tenant.
    #[serde(serialize_with = "spelled::ten")]
    pub tenant_id: TenantId,
    /// The house the person belongs to.
    #[serde(serialize_with = "spelled::ppt")]
    pub home_property_id: PropertyId,
    /// The houses the person may work in.
    #[serde(serialize_with = "spelled::ppt_list")]
    pub property_access: Vec<PropertyId>,
    /// What the person is called on lists.
    pub staff_code: String,
    /// The person's login; null until there is one.
    pub user_id: Option<UserId>,
    /// The person's given name.
    pub given_name: String,
    /// The person's family name.
    pub family_name: String,
    /// The job.
    pub position_id: PositionId,
    /// The department.
    pub department_id: DepartmentId,
    /// How the person is employed.
    pub employment_type: EmploymentType,
    /// Where the person stands.
    pub employment_status: EmploymentStatus,
    /// The first day.
    pub employment_started_at: LocalDate,
    /// Whether an e-mail address is on record.
    pub has_email: bool,
    /// Whether the person can punch the clock.
    pub pin_set: bool,
    /// Languages the person reads, such as `ps-AF`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub languages: Option<Vec<String>>,
    /// What the person has learnt, such as `deep_clean`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skills: Option<Vec<String>>,
    /// The version of the thing after this change.
    pub version: u64,
    /// When it was put on record.
    pub created_at: Timestamp,
}

/// What is known of a person changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StaffUpdatedV1 {
    /// The person.
    pub staff_id: StaffId,
    /// The tenant.
    #[serde(serialize_with = "spelled::ten")]
    pub tenant_id: TenantId,
    /// What changed, by the names of the fields.
    pub changed_fields: Vec<String>,
    /// The person's login.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_id: Option<UserId>,
    /// The house the person belongs to.
    #[serde(serialize_with = "spelled::ppt_if_any", skip_serializing_if = "Option::is_none")]
    pub home_property_id: Option<PropertyId>,
    /// The houses the person may work in.
    #[serde(serialize_with = "spelled::ppt_list_if_any", skip_serializing_if = "Option::is_none")]
    pub property_access: Option<Vec<PropertyId>>,
    /// Whether an e-mail address is on record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub has_email: Option<bool>,
    /// Whether the person can punch the clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pin_set: Option<bool>,
    /// Languages the person reads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub languages: Option<Vec<String>>,
    /// What the person has learnt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skills: Option<Vec<String>>,
    /// Where the person stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub employment_status: Option<EmploymentStatus>,
    /// The version of the thing after this change.
    pub version: u64,
    /// When.
    pub updated_at: Timestamp,
}

/// A person has another job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StaffPositionChangedV1 {
    /// The person.
    pub staff_id: StaffId,
    /// The tenant.
    #[serde(serialize_with = "spelled::ten")]
    pub tenant_id: TenantId,
    /// The job before.
    pub previous_position_id: PositionId,
    /// The job now.
    pub position_id: PositionId,
    /// The department, where it changed too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub department_id: Option<DepartmentId>,
    /// The first day in the new job.
    pub effective_at: LocalDate,
    /// The version of the thing after this change.
    pub version: u64,
    /// When it was decided.
    pub changed_at: Timestamp,
}

/// What followed from a person's leaving.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CascadeSummary {
    /// Whether a running clock was stopped.
    pub open_clock_closed: bool,
    /// Places on shifts that are free again.
    pub future_assignments_unassigned: u32,
    /// Shifts that are off.
    pub future_shifts_cancelled: u32,
    /// Whether the login is to be closed.
    pub iam_session_revocation_requested: bool,
}

/// A person is gone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StaffTerminatedV1 {
    /// The person.
    pub staff_id: StaffId,
    /// The tenant.
    #[serde(serialize_with = "spelled::ten")]
    pub tenant_id: TenantId,
    /// The person's login; null when there was none.
    #[serde(default)]
    pub user_id: Option<UserId>,
    /// The house the person belonged to.
    #[serde(serialize_with = "spelled::ppt")]
    pub home_property_id: PropertyId,
    /// Where the person stood.
    pub previous_status: EmploymentStatus,
    /// The last day.
    pub effective_at: LocalDate,
    /// Why, in one word, such as `voluntary_resignation`.
    pub reason: String,
    /// What followed from it.
    pub cascade_summary: CascadeSummary,
    /// The version of the thing after this change.
    pub version: u64,
    /// When it was decided.
    pub occurred_at: Timestamp,
}

/// A person is back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StaffReactivatedV1 {
    /// The person.
    pub staff_id: StaffId,
    /// The tenant.
    #[serde(serialize_with = "spelled::ten")]
    pub tenant_id: TenantId,
    /// The house the person belongs to.
    #[serde(serialize_with = "spelled::ppt")]
    pub home_property_id: PropertyId,
    /// Where the person stood.
    pub previous_status: EmploymentStatus,
    /// The first day back.
    pub effective_at: LocalDate,
    /// The version of the thing after this change.
    pub version: u64,
    /// When it was decided.
    pub occurred_at: Timestamp,
}

payload! {
    StaffCreatedV1 = "melmastoon.staff.created.v1";
    StaffUpdatedV1 = "melmastoon.staff.updated.v1";
    StaffPositionChangedV1 = "melmastoon.staff.position_changed.v1";
    StaffTerminatedV1 = "melmastoon.staff.terminated.v1";
    StaffReactivatedV1 = "melmastoon.staff.reactivated.v1";
}
