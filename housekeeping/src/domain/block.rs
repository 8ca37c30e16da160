//! Why a room cannot be used for a while.

use contracts::ids::{BlockId, PropertyId, RoomId, TaskId};
use contracts::time::Timestamp;
use platform::Decided;
use platform::decided::Aggregate;

contracts::closed_words! {
    /// Why a room is blocked.
    BlockReason {
        Cleaning = "cleaning",
        Inspection = "inspection",
        Maintenance = "maintenance",
        OosEcho = "oos_echo",
        Oos = "oos",
    }

    /// Whose block it is.
    BlockOwner {
        Housekeeping = "housekeeping",
        Maintenance = "maintenance",
        Property = "property",
    }
}

impl BlockReason {
    /// Whether the room is out of order as long as the block stands. The others say why it waits, and leave its status alone.
    pub fn puts_out_of_order(self) -> bool {
        matches!(self, Self::Maintenance | Self::Oos | Self::OosEcho)
    }
}

/// A block, from the moment somebody sets it until somebody lifts it.
#[derive(Clone, Debug, PartialEq)]
pub struct RoomBlock {
    pub id: BlockId,
    pub property_id: PropertyId,
    pub room_id: RoomId,
    pub reason: BlockReason,
    pub owner: BlockOwner,
    /// When it begins, as long as that lies ahead.
    pub begins_at: Option<Timestamp>,
    pub blocked_until: Option<Timestamp>,
    pub note: Option<String>,
    /// The task during which it was found that the room cannot be used.
    pub task_id: Option<TaskId>,
    pub created_at: Timestamp,
    pub cleared_at: Option<Timestamp>,
    /// When whoever it echoes last said so.
    pub told_at: Option<Timestamp>,
    pub version: i32,
}

/// What can happen to a block. Nobody else is told: what others see is the room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockEvent {
    Set,
    Changed,
    Cleared,
}

/// The block is lifted already.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the block was lifted before")]
pub struct BlockCleared;

impl Aggregate for RoomBlock {
    type Event = BlockEvent;

    fn version_mut(&mut self) -> &mut i32 {
        &mut self.version
    }
}

/// What is said of a new block.
#[derive(Clone, Debug)]
pub struct NewBlock {
    pub reason: BlockReason,
    pub owner: BlockOwner,
    /// `None`: at once.
    pub begins_at: Option<Timestamp>,
    pub blocked_until: Option<Timestamp>,
    pub note: Option<String>,
    pub task_id: Option<TaskId>,
    pub told_at: Option<Timestamp>,
}

impl RoomBlock {
    pub fn set(id: BlockId, property_id: PropertyId, room_id: RoomId, new: NewBlock, now: Timestamp) -> Decided<Self> {
        let NewBlock { reason, owner, begins_at, blocked_until, note, task_id, told_at } = new;
        let block = Self {
            id,
            property_id,
            room_id,
            reason,
            owner,
            begins_at,
            blocked_until,
            note,
            task_id,
            created_at: now,
            cleared_at: None,
            told_at,
            version: 1,
        };
        Decided::opened(block, BlockEvent::Set)
    }

    /// Whether it keeps its room from being used now.
    pub fn puts_out_of_order(&self) -> bool {
        self.cleared_at.is_none() && self.begins_at.is_none() && self.reason.puts_out_of_order()
    }

    /// Its time has come. `None` where it has begun before, or is still to come.
    pub fn begin(mut self, now: Timestamp) -> Option<Decided<Self>> {
        if self.cleared_at.is_some() || self.begins_at.is_none_or(|at| at > now) {
            return None;
        }
        self.begins_at = None;
        Some(Decided::changed(self, BlockEvent::Changed))
    }

    /// What it echoes was said anew. `None` where that was said before what stands.
    pub fn tell_again(
        mut self,
        (begins_at, until): (Option<Timestamp>, Option<Timestamp>),
        note: Option<String>,
        at: Timestamp,
    ) -> Option<Decided<Self>> {
        if at <= self.told_at.unwrap_or(self.created_at) {
            return None;
        }
        (self.begins_at, self.blocked_until, self.note, self.told_at) = (begins_at, until, note, Some(at));
        Some(Decided::changed(self, BlockEvent::Changed))
    }

    pub fn clear(mut self, now: Timestamp) -> Result<Decided<Self>, BlockCleared> {
        if self.cleared_at.is_some() {
            return Err(BlockCleared);
        }
        self.cleared_at = Some(now);
        Ok(Decided::changed(self, BlockEvent::Cleared))
    }
}
