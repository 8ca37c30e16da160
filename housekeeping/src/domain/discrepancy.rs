//! What somebody saw in a room is not what the desk has on record.

use contracts::actor::Actor;
use contracts::ids::{DiscrepancyId, PropertyId, RoomId};
use contracts::time::Timestamp;
use platform::Decided;
use platform::decided::Aggregate;

contracts::closed_words! {
    /// Whether somebody sleeps in a room, as far as the desk knows.
    Occupancy {
        Vacant = "vacant",
        Occupied = "occupied",
    }

    /// What the difference came to.
    Resolution {
        DeskRight = "desk_right",
        HousekeepingRight = "housekeeping_right",
        GuestMoved = "guest_moved",
        LeftWithoutCheckout = "left_without_checkout",
        Other = "other",
    }
}

impl Occupancy {
    pub fn of(occupied: bool) -> Self {
        if occupied { Self::Occupied } else { Self::Vacant }
    }
}

/// A difference, until the desk says what it was.
#[derive(Clone, Debug, PartialEq)]
pub struct Discrepancy {
    pub id: DiscrepancyId,
    pub property_id: PropertyId,
    pub room_id: RoomId,
    pub observed: Occupancy,
    pub recorded: Occupancy,
    pub observed_by: Actor,
    pub observed_at: Timestamp,
    pub note: Option<String>,
    pub resolved: Option<Resolved>,
    pub version: i32,
}

/// Who said what it was.
#[derive(Clone, Debug, PartialEq)]
pub struct Resolved {
    pub resolution: Resolution,
    pub note: Option<String>,
    pub by: Actor,
    pub at: Timestamp,
}

/// What can happen to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiscrepancyEvent {
    Noticed,
    Resolved,
}

/// It was resolved before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the discrepancy was resolved before, as {}", was.as_str())]
pub struct AlreadyResolved {
    pub was: Resolution,
}

impl Aggregate for Discrepancy {
    type Event = DiscrepancyEvent;

    fn version_mut(&mut self) -> &mut i32 {
        &mut self.version
    }
}

impl Discrepancy {
    pub fn noticed(self) -> Decided<Self> {
        Decided::opened(self, DiscrepancyEvent::Noticed)
    }

    pub fn resolve(mut self, resolved: Resolved) -> Result<Decided<Self>, AlreadyResolved> {
        if let Some(before) = &self.resolved {
            return Err(AlreadyResolved { was: before.resolution });
        }
        self.resolved = Some(resolved);
        Ok(Decided::changed(self, DiscrepancyEvent::Resolved))
    }
}
