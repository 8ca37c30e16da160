//! Bodies of commands, bounded, with the field names of the events.

use contracts::housekeeping::{
    ChecklistResult, EscalationTarget, FailReason, LinenCount, MaintenanceIssue, MaintenanceOutcome, PauseReason,
    ReassignReason, RoomStatus, TaskKind, TaskPriority,
};
use contracts::ids::{ChecklistId, PropertyId, ReservationId, RoomId, StaffId};
use contracts::time::Timestamp;
use platform::Refusal;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::application::views::InspectionOutcome;
use crate::domain::block::BlockReason;
use crate::domain::discrepancy::{Occupancy, Resolution};
use crate::domain::task::AttemptReason;

const LONGEST_NOTE: usize = 2_000;
const MOST_RESULTS: usize = 200;
const LONGEST_KEY: usize = 100;
const MOST_LINEN: u32 = 10_000;
const LONGEST_CATEGORY: usize = 100;
const MOST_PHOTOS: usize = 20;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CreateTask {
    pub property_id: PropertyId,
    pub room_id: RoomId,
    pub kind: TaskKind,
    pub priority: Option<TaskPriority>,
    pub scheduled_for: Option<Timestamp>,
    pub reservation_id: Option<ReservationId>,
    pub note: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Assign {
    pub staff_id: StaffId,
    pub reason: Option<ReassignReason>,
    #[serde(default)]
    pub force: bool,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Help {
    pub staff_id: StaffId,
    /// Also somebody who is not on shift.
    #[serde(default)]
    pub force: bool,
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct Step {
    /// When it was done, as the device says; it is taken as near to that as the task allows.
    pub at: Option<Timestamp>,
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct Pause {
    pub reason: PauseReason,
    pub note: Option<String>,
    /// When it was done, as the device says; it is taken as near to that as the task allows.
    pub at: Option<Timestamp>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Complete {
    #[serde(default)]
    pub checklist_results: Vec<ChecklistResult>,
    pub linen: Option<LinenCount>,
    #[serde(default)]
    pub no_maintenance_found: bool,
    /// When it was done, as the device says; it is taken as near to that as the task allows.
    pub at: Option<Timestamp>,
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct Fail {
    pub reason: FailReason,
    pub note: Option<String>,
    /// When it was done, as the device says; it is taken as near to that as the task allows.
    pub at: Option<Timestamp>,
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct Cancel {
    pub reason: String,
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct Priority {
    pub priority: TaskPriority,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Inspect {
    pub outcome: InspectionOutcome,
    #[serde(default)]
    pub results: Vec<ChecklistResult>,
    pub reason: Option<String>,
    pub failed_item_keys: Option<Vec<String>>,
    /// The checklist that was gone by, of the kind `inspection`; the one in force, where none is named.
    pub checklist_id: Option<ChecklistId>,
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct OverrideStatus {
    pub status: RoomStatus,
    pub note: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Block {
    pub reason: BlockReason,
    pub blocked_until: Option<Timestamp>,
    pub note: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct Observe {
    pub observed: Occupancy,
    pub note: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct Resolve {
    pub resolution: Resolution,
    pub note: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct RequireMaintenance {
    pub issue: MaintenanceIssue,
    pub outcome: MaintenanceOutcome,
    /// When it was done, as the device says; it is taken as near to that as the task allows.
    pub at: Option<Timestamp>,
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct Escalate {
    pub to: EscalationTarget,
    pub reason: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Attempt {
    pub reason: AttemptReason,
    pub come_back_at: Option<Timestamp>,
}

/// What is broken, within its bounds.
pub(super) fn issue(issue: MaintenanceIssue) -> Result<MaintenanceIssue, Refusal> {
    let named = |text: &str| !text.trim().is_empty() && text.chars().count() <= LONGEST_CATEGORY;
    if !named(&issue.category) {
        return Err(Refusal::invalid("issue.category", format!("1 to {LONGEST_CATEGORY} characters")));
    }
    reason("issue.description", Some(issue.description.clone()))?;
    let photos = issue.photo_media_ids.as_deref().unwrap_or_default();
    if photos.len() > MOST_PHOTOS || !photos.iter().all(|id| named(id)) {
        let rule = format!("at most {MOST_PHOTOS} ids of 1 to {LONGEST_CATEGORY} characters");
        return Err(Refusal::invalid("issue.photoMediaIds", rule));
    }
    Ok(issue)
}

/// Before whom a task is brought: somebody, at least.
pub(super) fn target(to: EscalationTarget) -> Result<EscalationTarget, Refusal> {
    if to.staff_id.is_none() && to.role.is_none() {
        return Err(Refusal::invalid("to", "a staffId, a role, or both"));
    }
    Ok(to)
}

/// A note within its bounds.
pub(super) fn note(field: &'static str, text: Option<String>) -> Result<Option<String>, Refusal> {
    match text {
        Some(text) if text.chars().count() > LONGEST_NOTE => {
            Err(Refusal::invalid(field, format!("at most {LONGEST_NOTE} characters")))
        }
        other => Ok(other),
    }
}

/// A reason that must be given.
pub(super) fn reason(field: &'static str, text: Option<String>) -> Result<String, Refusal> {
    match note(field, text)? {
        Some(text) if !text.trim().is_empty() => Ok(text),
        _ => Err(Refusal::invalid(field, "say why, in a few words")),
    }
}

/// Checklist results within their bounds, each item once.
pub(super) fn results(field: &'static str, list: Vec<ChecklistResult>) -> Result<Vec<ChecklistResult>, Refusal> {
    let invalid = |rule: String| Refusal::invalid(field, rule);
    if list.len() > MOST_RESULTS {
        return Err(invalid(format!("at most {MOST_RESULTS} items")));
    }
    for (at, result) in list.iter().enumerate() {
        let long = |text: &Option<String>| text.as_ref().is_some_and(|text| text.chars().count() > LONGEST_NOTE);
        if !is_item_key(&result.item_key) {
            return Err(invalid(format!("item {at}: itemKey has 1 to {LONGEST_KEY} characters")));
        }
        if long(&result.note) || long(&result.photo_media_id) {
            return Err(invalid(format!("item {at}: texts have at most {LONGEST_NOTE} characters")));
        }
        if list[..at].iter().any(|earlier| earlier.item_key == result.item_key) {
            return Err(invalid(format!("{} is there twice", result.item_key)));
        }
    }
    Ok(list)
}

/// As long as a key may be in a checklist, in the letters of any language.
fn is_item_key(key: &str) -> bool {
    !key.is_empty() && key.chars().count() <= LONGEST_KEY
}

/// Keys of checklist items within their bounds.
pub(super) fn item_keys(field: &'static str, keys: Vec<String>) -> Result<Vec<String>, Refusal> {
    if keys.len() > MOST_RESULTS || !keys.iter().all(|key| is_item_key(key)) {
        return Err(Refusal::invalid(field, format!("at most {MOST_RESULTS} keys of 1 to {LONGEST_KEY} characters")));
    }
    Ok(keys)
}

pub(super) fn linen(count: Option<LinenCount>) -> Result<Option<LinenCount>, Refusal> {
    match count {
        Some(count) if count.issued > MOST_LINEN || count.returned > MOST_LINEN => {
            Err(Refusal::invalid("linen", format!("counts from 0 to {MOST_LINEN}")))
        }
        other => Ok(other),
    }
}

/// Words that must be there, and are kept byte for byte.
pub(super) fn name(field: &'static str, text: String, longest: usize) -> Result<String, Refusal> {
    if text.trim().is_empty() || text.chars().count() > longest {
        return Err(Refusal::invalid(field, format!("1 to {longest} characters")));
    }
    Ok(text)
}

/// Words that may be missing; where they are there, they say something.
pub(super) fn optional_name(
    field: &'static str,
    text: Option<String>,
    longest: usize,
) -> Result<Option<String>, Refusal> {
    text.map(|text| name(field, text, longest)).transpose()
}
