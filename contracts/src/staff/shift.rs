//! Shifts: planned, filled, begun and ended.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::{AssignmentId, PositionId, PropertyId, ShiftId, ShiftPatternId, StaffId, TenantId};
use crate::payload::payload;
use crate::time::Timestamp;
use crate::values::{LocalDate, LocalTime, spelled};
use crate::words::open_words;

open_words! {
    /// As what a person is on a shift.
    ShiftRole {
        /// To work.
        Primary = "primary",
        /// To come when called.
        Standby = "standby",
    }

    /// How a person came onto a shift.
    AssignmentSource {
        /// Somebody decided it.
        Manual = "manual",
        /// The plan says so.
        Pattern = "pattern",
        /// By a swap.
        Swap = "swap",
        /// Called from standby.
        StandbyPromotion = "standby_promotion",
        /// A program proposed it.
        AiSuggestion = "ai_suggestion",
    }

    /// Why a person is no longer on a shift.
    UnassignReason {
        /// Somebody decided it.
        Manual = "manual",
        /// The person has leave.
        LeaveApproved = "leave_approved",
        /// The person is gone.
        StaffTerminated = "staff_terminated",
        /// The shift is off.
        ShiftCancelled = "shift_cancelled",
    }

    /// Why a shift is off.
    ShiftCancelReason {
        /// Somebody decided it.
        Manual = "manual",
        /// The house is closed.
        PropertyDeactivated = "property_deactivated",
        /// Nobody is left to work it.
        StaffTerminated = "staff_terminated",
    }

    /// What the people of a position do.
    PositionRole {
        /// They clean rooms.
        Housekeeper = "housekeeper",
        /// They are at the desk.
        FrontDesk = "front_desk",
        /// They repair.
        Maintenance = "maintenance",
        /// They oversee the housekeepers.
        Supervisor = "supervisor",
    }

    /// How a shift ended.
    ShiftEndReason {
        /// Everybody has gone home.
        AllPrimaryClockedOut = "all_primary_clocked_out",
        /// Nobody clocked out in time.
        AutoCloseGraceExceeded = "auto_close_grace_exceeded",
        /// It was called off while it ran.
        CancelledInProgressForceClose = "cancelled_in_progress_force_close",
    }

    /// What could be done about it.
    GapSuggestion {
        /// Call somebody from standby.
        PromoteStandby = "promote_standby",
        /// Call somebody in.
        CallRelief = "call_relief",
    }
}

/// From when to when, in UTC.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UtcWindow {
    /// The beginning.
    pub start_utc: Timestamp,
    /// The end.
    pub end_utc: Timestamp,
}

/// From when to when, on the clock of the house.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LocalWindow {
    /// The day it begins.
    pub date: LocalDate,
    /// The beginning.
    pub start_local: LocalTime,
    /// The end.
    pub end_local: LocalTime,
    /// The time zone of the house, such as `Asia/Kabul`.
    pub tz: String,
}

/// A shift is planned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShiftScheduledV1 {
    /// The shift.
    pub shift_id: ShiftId,
    /// The tenant.
    #[serde(serialize_with = "spelled::ten")]
    pub tenant_id: TenantId,
    /// The house.
    #[serde(serialize_with = "spelled::ppt")]
    pub property_id: PropertyId,
    /// For which job.
    pub position_id: PositionId,
    /// What the house calls this job, such as `FRONT_DESK`: ids tell nobody outside what somebody does. Told when the shift is new.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position_code: Option<String>,
    /// What the people of this job do, where it is known. Told when the shift is new.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position_role: Option<PositionRole>,
    /// The pattern it comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern_id: Option<ShiftPatternId>,
    /// When, in UTC.
    pub window_utc: UtcWindow,
    /// When, on the clock of the house.
    pub local_window: LocalWindow,
    /// How many are to work.
    pub primary_headcount: u32,
    /// How many are to be on call.
    pub standby_headcount: u32,
    /// The version of the thing after this change.
    pub version: u64,
}

/// A person is on a shift.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShiftAssignedV1 {
    /// The shift.
    pub shift_id: ShiftId,
    /// The tenant.
    #[serde(serialize_with = "spelled::ten")]
    pub tenant_id: TenantId,
    /// The house.
    #[serde(serialize_with = "spelled::ppt")]
    pub property_id: PropertyId,
    /// The person's place.
    pub assignment_id: AssignmentId,
    /// The person.
    pub staff_id: StaffId,
    /// As what.
    pub role: ShiftRole,
    /// How it came about.
    pub source: AssignmentSource,
    /// The place it was swapped from; null when it was not.
    #[serde(default)]
    pub swapped_from_assignment_id: Option<AssignmentId>,
    /// The version of the thing after this change.
    pub version: u64,
    /// When it was decided.
    pub assigned_at: Timestamp,
}

/// A person is no longer on a shift.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShiftUnassignedV1 {
    /// The shift.
    pub shift_id: ShiftId,
    /// The tenant.
    #[serde(serialize_with = "spelled::ten")]
    pub tenant_id: TenantId,
    /// The house.
    #[serde(serialize_with = "spelled::ppt")]
    pub property_id: PropertyId,
    /// The person's place.
    pub assignment_id: AssignmentId,
    /// The person.
    pub staff_id: StaffId,
    /// As what.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<ShiftRole>,
    /// Why.
    pub reason: UnassignReason,
    /// The version of the thing after this change.
    pub version: u64,
    /// When it was decided.
    pub unassigned_at: Timestamp,
}

/// One side of a swap.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SwappedAssignment {
    /// The place now.
    pub new_id: AssignmentId,
    /// The place before.
    pub previous_id: AssignmentId,
    /// The person.
    pub staff_id: StaffId,
}

/// Two people changed places.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShiftSwappedV1 {
    /// One shift.
    pub shift_left_id: ShiftId,
    /// The other shift.
    pub shift_right_id: ShiftId,
    /// Who is now on the one.
    pub left_assignment: SwappedAssignment,
    /// Who is now on the other.
    pub right_assignment: SwappedAssignment,
    /// The tenant.
    #[serde(serialize_with = "spelled::ten")]
    pub tenant_id: TenantId,
    /// When.
    pub swapped_at: Timestamp,
}

/// A shift is off.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShiftCancelledV1 {
    /// The shift.
    pub shift_id: ShiftId,
    /// The tenant.
    #[serde(serialize_with = "spelled::ten")]
    pub tenant_id: TenantId,
    /// The house.
    #[serde(serialize_with = "spelled::ppt")]
    pub property_id: PropertyId,
    /// For which job it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position_id: Option<PositionId>,
    /// Why.
    pub reason: ShiftCancelReason,
    /// Places that are free again.
    #[serde(default)]
    pub unassigned_assignment_ids: Vec<AssignmentId>,
    /// The version of the thing after this change.
    pub version: u64,
    /// When it was decided.
    pub cancelled_at: Timestamp,
}

/// The first person of a shift is there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShiftStartedV1 {
    /// The shift.
    pub shift_id: ShiftId,
    /// The tenant.
    #[serde(serialize_with = "spelled::ten")]
    pub tenant_id: TenantId,
    /// The house.
    #[serde(serialize_with = "spelled::ppt")]
    pub property_id: PropertyId,
    /// For which job.
    pub position_id: PositionId,
    /// Who came first.
    pub first_clock_in_by: StaffId,
    /// When.
    pub first_clock_in_at: Timestamp,
    /// How many are to work.
    pub primary_headcount: u32,
    /// How many are there.
    pub primary_clocked_in_count: u32,
    /// The version of the thing after this change.
    pub version: u64,
}

/// The last person of a shift has gone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShiftEndedV1 {
    /// The shift.
    pub shift_id: ShiftId,
    /// The tenant.
    #[serde(serialize_with = "spelled::ten")]
    pub tenant_id: TenantId,
    /// The house.
    #[serde(serialize_with = "spelled::ppt")]
    pub property_id: PropertyId,
    /// When.
    pub ended_at: Timestamp,
    /// How.
    pub ended_reason: ShiftEndReason,
    /// Who went last; nobody when it was closed for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_clock_out_by: Option<StaffId>,
    /// Minutes worked, all people together.
    pub total_actual_minutes: u32,
    /// Minutes of breaks.
    pub total_break_minutes: u32,
    /// The version of the thing after this change.
    pub version: u64,
}

/// A shift is about to begin with too few people. Counted in heads; housekeeping's event of the same verb counts minutes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StaffingGapDetectedV1 {
    /// The shift.
    pub shift_id: ShiftId,
    /// The tenant.
    #[serde(serialize_with = "spelled::ten")]
    pub tenant_id: TenantId,
    /// The house.
    #[serde(serialize_with = "spelled::ppt")]
    pub property_id: PropertyId,
    /// For which job.
    pub position_id: PositionId,
    /// Seconds until it begins; negative when it has begun.
    pub window_starts_in_seconds: i64,
    /// How many are needed.
    pub headcount_required: u32,
    /// How many are there.
    pub headcount_clocked_in: u32,
    /// How many could be called.
    pub headcount_standby_available: u32,
    /// What could be done.
    pub suggestion: GapSuggestion,
    /// When it was noticed.
    pub detected_at: Timestamp,
}

payload! {
    ShiftScheduledV1 = "melmastoon.staff.shift.scheduled.v1";
    ShiftAssignedV1 = "melmastoon.staff.shift.assigned.v1";
    ShiftUnassignedV1 = "melmastoon.staff.shift.unassigned.v1";
    ShiftSwappedV1 = "melmastoon.staff.shift.swapped.v1";
    ShiftCancelledV1 = "melmastoon.staff.shift.cancelled.v1";
    ShiftStartedV1 = "melmastoon.staff.shift.started.v1";
    ShiftEndedV1 = "melmastoon.staff.shift.ended.v1";
    StaffingGapDetectedV1 = "melmastoon.staff.shift.staffing_gap_detected.v1";
}
