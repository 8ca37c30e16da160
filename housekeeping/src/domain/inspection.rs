//! Somebody looks the room over before the next guest does.

use contracts::actor::Actor;
use contracts::housekeeping::ChecklistResult;
use contracts::ids::{InspectionId, PropertyId, RoomId, StaffId, TaskId};
use contracts::time::Timestamp;
use platform::Decided;
use platform::decided::Aggregate;

use super::checklist::ChecklistReference;

/// What came of it. Waived is never the same as passed.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    Passed,
    Failed { reason: String, failed_item_keys: Vec<String> },
    Waived { reason: String, by: Actor },
}

/// A look at a room that was cleaned, and what came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Inspection {
    pub id: InspectionId,
    pub task_id: TaskId,
    pub property_id: PropertyId,
    pub room_id: RoomId,
    pub inspector: StaffId,
    pub checklist: ChecklistReference,
    pub results: Vec<ChecklistResult>,
    pub verdict: Verdict,
    pub performed_at: Timestamp,
    pub version: i32,
}

/// An inspection was held, or waived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held;

impl Aggregate for Inspection {
    type Event = Held;

    fn version_mut(&mut self) -> &mut i32 {
        &mut self.version
    }
}

impl Inspection {
    pub fn held(self) -> Decided<Self> {
        Decided::opened(self, Held)
    }
}
