//! A room that the desk closes for some nights, and opens again.

use contracts::ids::{BlockId, PropertyId, RoomId, RoomTypeId};
use jiff::civil::Date;
use platform::Decided;
use platform::decided::Aggregate;

/// Nights on which a room cannot be used; no `to`: until further notice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoomBlock {
    pub id: BlockId,
    pub room_id: RoomId,
    pub property_id: PropertyId,
    pub room_type_id: Option<RoomTypeId>,
    pub from: Date,
    pub to: Option<Date>,
    pub reason: Option<String>,
    pub version: i32,
}

/// Nobody else is told: what follows for guests is told with their reservations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockEvent {
    Closed,
    Opened,
}

impl Aggregate for RoomBlock {
    type Event = BlockEvent;
    fn version_mut(&mut self) -> &mut i32 {
        &mut self.version
    }
}

impl RoomBlock {
    pub fn close(self) -> Decided<Self> {
        Decided::opened(self, BlockEvent::Closed)
    }

    pub fn open(self) -> Decided<Self> {
        Decided::changed(self, BlockEvent::Opened)
    }
}
