//! Checklists and their versions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::TaskKind;
use crate::actor::Actor;
use crate::ids::{ChecklistId, TenantId};
use crate::payload::payload;
use crate::time::Timestamp;

/// What changed between two versions, by the keys of the lines.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChecklistDiff {
    /// Lines that are new.
    pub added: Vec<String>,
    /// Lines that are gone.
    pub removed: Vec<String>,
    /// Lines that read differently.
    pub modified: Vec<String>,
}

/// A new version of a checklist is in force.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChecklistTemplateUpdatedV1 {
    /// The checklist.
    pub checklist_id: ChecklistId,
    /// The tenant.
    pub tenant_id: TenantId,
    /// For which kind of task it is.
    pub kind: TaskKind,
    /// The version now in force.
    pub version: u32,
    /// The version before it; 0 when there was none.
    pub previous_version: u32,
    /// Who put it in force.
    pub published_by: Actor,
    /// When.
    pub published_at: Timestamp,
    /// What changed.
    pub diff: ChecklistDiff,
    /// The version of the checklist after this change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregate_version: Option<u64>,
}

payload! {
    ChecklistTemplateUpdatedV1 = "melmastoon.housekeeping.checklist.template_updated.v1";
}
