//! Logins and memberships, settings of a tenant, and what the planners propose.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::ids::{PropertyId, ShiftId, StaffId, SuggestionId, TaskId, TenantId, UserId};
use crate::payload::payload;
use crate::time::Timestamp;

/// Somebody has a login.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserRegisteredV1 {
    /// The tenant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tenant_id: Option<TenantId>,
    /// The login.
    pub user_id: UserId,
    /// The person it was made for, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub staff_id: Option<StaffId>,
}

/// A login belongs to a tenant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MembershipCreatedV1 {
    /// The tenant.
    pub tenant_id: TenantId,
    /// The login.
    pub user_id: UserId,
    /// As what.
    #[serde(default)]
    pub roles: Vec<String>,
    /// The house the person belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub home_property_id: Option<PropertyId>,
}

/// A login no longer belongs to a tenant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MembershipRemovedV1 {
    /// The tenant.
    pub tenant_id: TenantId,
    /// The login.
    pub user_id: UserId,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A tenant does things differently from now on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TenantSettingsChangedV1 {
    /// The tenant.
    pub tenant_id: TenantId,
    /// What changed, by the names of the settings.
    #[serde(default)]
    pub changed_keys: Vec<String>,
    /// The settings as they are now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settings: Option<Map<String, Value>>,
}

/// Who should do what.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RoutingRow {
    /// The task.
    pub task_id: TaskId,
    /// The person.
    pub staff_id: StaffId,
    /// How good it would be.
    pub score: f64,
    /// Why.
    pub reasoning: String,
}

/// A plan of who does what, to be approved by a person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HousekeepingRoutingV1 {
    /// The plan.
    pub suggestion_id: SuggestionId,
    /// The tenant.
    pub tenant_id: TenantId,
    /// The house.
    pub property_id: PropertyId,
    /// The shift.
    pub shift_id: ShiftId,
    /// Who should do what.
    pub rows: Vec<RoutingRow>,
    /// When it was made.
    pub generated_at: Timestamp,
    /// By what.
    pub model_version: String,
}

/// Who should be on which shift.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShiftProposal {
    /// The shift.
    pub shift_id: ShiftId,
    /// The person.
    pub staff_id: StaffId,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
}

/// A plan of who works when, to be approved by a person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShiftOptimizationV1 {
    /// The plan.
    pub suggestion_id: SuggestionId,
    /// The tenant.
    pub tenant_id: TenantId,
    /// The house.
    pub property_id: PropertyId,
    /// Who should be on which shift.
    #[serde(default)]
    pub rows: Vec<ShiftProposal>,
    /// When it was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generated_at: Option<Timestamp>,
    /// By what.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_version: Option<String>,
}

payload! {
    MembershipCreatedV1 = "melmastoon.tenant.membership.created.v1";
    MembershipRemovedV1 = "melmastoon.tenant.membership.removed.v1";
    TenantSettingsChangedV1 = "melmastoon.tenant.settings.changed.v1";
    HousekeepingRoutingV1 = "melmastoon.ai_orchestrator.suggestion.housekeeping_routing.v1";
    ShiftOptimizationV1 = "melmastoon.ai_orchestrator.suggestion.shift_optimization.v1";
}

payload! {
    optional tenant:
    UserRegisteredV1 = "melmastoon.iam.user.registered.v1";
}
