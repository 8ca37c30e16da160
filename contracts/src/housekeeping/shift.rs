//! Whether the people on a shift can do the work of the shift.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::{PropertyId, ShiftId, TaskId, TenantId};
use crate::payload::payload;
use crate::time::Timestamp;
use crate::words::closed_words;

closed_words! {
    /// What a supervisor could do about it.
    StaffingGapAction {
        /// Call somebody in.
        CallRelief = "call_relief",
        /// Spread the tasks differently.
        Reroute = "reroute",
        /// Leave for later what can wait.
        DeferLowPriority = "defer_low_priority",
    }
}

/// There is more to do than the people on shift have time for. Counted in minutes; staff's event of the same verb counts heads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShiftStaffingGapDetectedV1 {
    /// The tenant.
    pub tenant_id: TenantId,
    /// The house.
    pub property_id: PropertyId,
    /// The shift.
    pub shift_id: ShiftId,
    /// When it was noticed.
    pub detected_at: Timestamp,
    /// Minutes of work that are waiting.
    pub pending_minutes: u32,
    /// Minutes the people on shift have left.
    pub capacity_minutes: u32,
    /// What could be done.
    pub suggested_action: StaffingGapAction,
    /// The tasks that will be late.
    pub affected_task_ids: Vec<TaskId>,
}

payload! {
    ShiftStaffingGapDetectedV1 = "melmastoon.housekeeping.shift.staffing_gap_detected.v1";
}
