//! What one shift tells the next: written once, and acknowledged by whoever has read it.

use contracts::ids::{HandoffNoteId, PositionId, PropertyId, ShiftId, StaffId};
use contracts::time::Timestamp;
use platform::Decided;
use platform::decided::Aggregate;

/// So much of a note is told; the rest is fetched.
const EXCERPT_CHARACTERS: usize = 240;

/// Somebody has read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acknowledgement {
    pub staff_id: StaffId,
    pub at: Timestamp,
}

/// A note from one shift to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandoffNote {
    pub id: HandoffNoteId,
    pub property_id: PropertyId,
    /// For whom; `None`: for everybody.
    pub position_id: Option<PositionId>,
    pub from_staff_id: StaffId,
    pub from_shift_id: Option<ShiftId>,
    pub body: String,
    pub attachment_ids: Vec<String>,
    pub acknowledged: Vec<Acknowledgement>,
    pub created_at: Timestamp,
    pub version: i32,
}

/// What can happen to a note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HandoffEvent {
    Written,
    Acknowledged(Acknowledgement),
}

impl Aggregate for HandoffNote {
    type Event = HandoffEvent;

    fn version_mut(&mut self) -> &mut i32 {
        &mut self.version
    }
}

impl HandoffNote {
    pub fn write(self) -> Decided<Self> {
        Decided::opened(self, HandoffEvent::Written)
    }

    /// `None` where the person had acknowledged it before.
    pub fn acknowledge(mut self, staff_id: StaffId, now: Timestamp) -> Option<Decided<Self>> {
        if self.acknowledged.iter().any(|known| known.staff_id == staff_id) {
            return None;
        }
        let read = Acknowledgement { staff_id, at: now };
        self.acknowledged.push(read.clone());
        Some(Decided::changed(self, HandoffEvent::Acknowledged(read)))
    }

    /// The first characters of it: characters, so that no letter is cut in two.
    pub fn excerpt(&self) -> String {
        self.body.chars().take(EXCERPT_CHARACTERS).collect()
    }
}
