//! Something in a room is broken, and a housekeeper says so.

use contracts::housekeeping::{MaintenanceIssue, MaintenanceOutcome};
use contracts::ids::{PropertyId, RoomId, StaffId, TaskId};
use contracts::time::Timestamp;
use platform::Decided;
use platform::decided::Aggregate;

/// What was found, where, by whom, and what becomes of the work.
#[derive(Clone, Debug, PartialEq)]
pub struct MaintenanceReport {
    pub property_id: PropertyId,
    pub room_id: RoomId,
    pub task_id: TaskId,
    pub issue: MaintenanceIssue,
    pub outcome: MaintenanceOutcome,
    pub reported_by: StaffId,
    pub reported_at: Timestamp,
    pub version: i32,
}

/// It was reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reported;

impl Aggregate for MaintenanceReport {
    type Event = Reported;

    fn version_mut(&mut self) -> &mut i32 {
        &mut self.version
    }
}

impl MaintenanceReport {
    pub fn reported(self) -> Decided<Self> {
        Decided::opened(self, Reported)
    }
}
