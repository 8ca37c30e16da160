//! Shifts, places and punches as they are shown.

use contracts::ids::{
    AssignmentId, ClockEntryId, DeviceId, PositionId, PropertyId, ShiftId, ShiftPatternId, StaffId, TenantId,
};
use contracts::staff::{LocalWindow, UtcWindow};
use contracts::time::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use super::clock::{Entry, Recorded, Replayed};
use super::presence::Attendance;
use super::shifts::Given;
use crate::domain::planning::Warning;
use crate::domain::punch::{Presence, Punch, PunchKind, PunchSource, Review};
use crate::domain::shift::{Place, Shift, ShiftState};
use crate::domain::words::{CancelReason, EndReason, PlaceRole, PlaceSource, PlaceStatus, ShiftStatus};

/// Somebody's place on a shift.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ShiftPlace")]
pub struct PlaceResource {
    pub assignment_id: AssignmentId,
    pub staff_id: StaffId,
    pub role: PlaceRole,
    pub source: PlaceSource,
    pub status: PlaceStatus,
    pub swapped_from_assignment_id: Option<AssignmentId>,
    pub assigned_at: Timestamp,
    pub version: i32,
    /// Since when the person is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clocked_in_since: Option<Timestamp>,
}

impl PlaceResource {
    fn of(place: &Place, there: &Attendance) -> Self {
        Self {
            assignment_id: place.id.clone(),
            staff_id: place.staff_id.clone(),
            role: place.role,
            source: place.source,
            status: place.status,
            swapped_from_assignment_id: place.swapped_from.clone(),
            assigned_at: place.assigned_at,
            version: place.version,
            clocked_in_since: there.since(&place.staff_id),
        }
    }
}

/// A shift, who has a place on it and who is there.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Shift")]
pub struct ShiftResource {
    pub shift_id: ShiftId,
    pub tenant_id: TenantId,
    pub property_id: PropertyId,
    pub position_id: PositionId,
    pub pattern_id: Option<ShiftPatternId>,
    pub window_utc: UtcWindow,
    pub local_window: LocalWindow,
    pub primary_headcount: i32,
    pub standby_headcount: i32,
    pub break_minutes: Option<i32>,
    pub note: Option<String>,
    pub status: ShiftStatus,
    pub assignments: Vec<PlaceResource>,
    pub missing_primary: i32,
    pub missing_standby: i32,
    pub primary_clocked_in_count: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_clock_in_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_reason: Option<EndReason>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cancelled_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cancel_reason: Option<CancelReason>,
    pub total_actual_minutes: i32,
    pub total_break_minutes: i32,
    pub version: i32,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl ShiftResource {
    pub fn of(shift: &Shift, there: &Attendance, tenant: &TenantId, now: Timestamp) -> Self {
        let (window_utc, local_window) = shift.windows();
        let (first, end, off) = match &shift.state {
            ShiftState::Scheduled => (None, None, None),
            ShiftState::Started(first) => (Some(first), None, None),
            ShiftState::Ended { first, end } => (first.as_ref(), Some(end), None),
            ShiftState::Cancelled { first, end, at, reason } => (first.as_ref(), end.as_ref(), Some((*at, *reason))),
        };
        // What is known now: a punch that came after the end counts as well.
        let (actual, rest) = there.minutes(now);
        Self {
            shift_id: shift.id.clone(),
            tenant_id: tenant.clone(),
            property_id: shift.property_id.clone(),
            position_id: shift.position_id.clone(),
            pattern_id: shift.origin.as_ref().map(|origin| origin.pattern_id.clone()),
            window_utc,
            local_window,
            primary_headcount: shift.plan.primary_headcount,
            standby_headcount: shift.plan.standby_headcount,
            break_minutes: shift.plan.break_minutes,
            note: shift.plan.note.clone(),
            status: shift.state.status(),
            assignments: shift.active().map(|place| PlaceResource::of(place, there)).collect(),
            missing_primary: shift.missing(PlaceRole::Primary),
            missing_standby: shift.missing(PlaceRole::Standby),
            primary_clocked_in_count: there.primaries_in(shift),
            first_clock_in_at: first.map(|first| first.at),
            ended_at: end.map(|end| end.at),
            ended_reason: end.map(|end| end.reason),
            cancelled_at: off.map(|off| off.0),
            cancel_reason: off.map(|off| off.1),
            total_actual_minutes: actual,
            total_break_minutes: rest,
            version: shift.version,
            created_at: shift.created_at,
            updated_at: shift.updated_at,
        }
    }
}

/// A place that was given, with what speaks against it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ShiftAssignment")]
pub struct GivenResource {
    pub assignment_id: AssignmentId,
    pub shift_id: ShiftId,
    pub staff_id: StaffId,
    pub role: PlaceRole,
    pub source: PlaceSource,
    pub status: PlaceStatus,
    pub swapped_from_assignment_id: Option<AssignmentId>,
    pub assigned_at: Timestamp,
    pub version: i32,
    pub warnings: Vec<Warning>,
}

impl From<Given> for GivenResource {
    fn from(given: Given) -> Self {
        let Given { shift, place, warnings } = given;
        Self {
            assignment_id: place.id,
            shift_id: shift,
            staff_id: place.staff_id,
            role: place.role,
            source: place.source,
            status: place.status,
            swapped_from_assignment_id: place.swapped_from,
            assigned_at: place.assigned_at,
            version: place.version,
            warnings,
        }
    }
}

/// Both sides of a swap.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ShiftSwap")]
pub struct SwapResource {
    pub left: GivenResource,
    pub right: GivenResource,
    pub warnings: Vec<Warning>,
}

impl From<(Given, Given)> for SwapResource {
    fn from((left, right): (Given, Given)) -> Self {
        let warnings = left.warnings.iter().chain(&right.warnings).cloned().collect();
        Self { left: left.into(), right: right.into(), warnings }
    }
}

/// A punch of the clock.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ClockEntry")]
pub struct PunchResource {
    pub clock_entry_id: ClockEntryId,
    pub tenant_id: TenantId,
    pub staff_id: StaffId,
    pub property_id: PropertyId,
    pub shift_id: Option<ShiftId>,
    pub kind: PunchKind,
    pub occurred_at_utc: Timestamp,
    pub recorded_at_utc: Timestamp,
    pub source: PunchSource,
    pub device_id: Option<DeviceId>,
    pub client_punch_id: Option<String>,
    pub manager_override: bool,
    pub from_offline_replay: bool,
    pub matched_scheduled_shift: bool,
    pub needs_review: Vec<Review>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reviewed_note: Option<String>,
    pub version: i32,
}

impl PunchResource {
    pub fn of(punch: &Punch, tenant: &TenantId) -> Self {
        let (manager_override, punch) = (punch.is_managers(), punch.clone());
        Self {
            clock_entry_id: punch.id,
            tenant_id: tenant.clone(),
            staff_id: punch.staff_id,
            property_id: punch.property_id,
            matched_scheduled_shift: punch.shift_id.is_some(),
            shift_id: punch.shift_id,
            kind: punch.kind,
            occurred_at_utc: punch.at,
            recorded_at_utc: punch.recorded_at,
            manager_override,
            source: punch.source,
            device_id: punch.device_id,
            client_punch_id: punch.client_punch_id,
            from_offline_replay: punch.from_offline_replay,
            needs_review: punch.needs_review,
            reason: punch.reason,
            reviewed_note: punch.reviewed_note.filter(|note| !note.is_empty()),
            version: punch.version,
        }
    }
}

/// A punch, and where the person stands after it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "RecordedPunch")]
pub struct RecordedResource {
    #[serde(flatten)]
    pub entry: PunchResource,
    pub clock_state: Presence,
    /// It was known before, and nothing was changed.
    pub duplicate: bool,
}

impl RecordedResource {
    pub fn of(recorded: &Recorded, tenant: &TenantId) -> Self {
        Self {
            entry: PunchResource::of(&recorded.punch, tenant),
            clock_state: recorded.presence,
            duplicate: recorded.entry == Entry::Known,
        }
    }
}

contracts::closed_words! {
    /// What became of a punch that a device sent later.
    ReplayOutcome {
        Recorded = "recorded",
        Duplicate = "duplicate",
        Refused = "refused",
    }
}

/// What became of one punch of a replay.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReplayResult {
    pub client_punch_id: String,
    pub outcome: ReplayOutcome,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock_entry_id: Option<ClockEntryId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needs_review: Option<Vec<Review>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
}

impl ReplayResult {
    pub fn of(client_punch_id: String, replayed: Replayed, code: impl FnOnce(crate::StaffError) -> String) -> Self {
        let (outcome, punch, code) = match replayed {
            Replayed::Recorded(punch) => (ReplayOutcome::Recorded, Some(punch), None),
            Replayed::Duplicate(punch) => (ReplayOutcome::Duplicate, Some(punch), None),
            Replayed::Refused(error) => (ReplayOutcome::Refused, None, Some(code(error))),
        };
        let clock_entry_id = punch.as_ref().map(|punch| punch.id.clone());
        Self { client_punch_id, outcome, clock_entry_id, needs_review: punch.map(|punch| punch.needs_review), code }
    }
}

/// A replay, each punch in the place it was sent in.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "OfflineReplay")]
pub struct ReplayResource {
    pub results: Vec<ReplayResult>,
}
