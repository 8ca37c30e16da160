//! What a change of room says: `before` and `after` are open in the contract, and this is how we fill and read them.

use serde_json::{Map, Value};

use super::{ModificationType, ModifiedV1};
use crate::ids::RoomId;

/// A guest went from one room to another, or has one room more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoomChange {
    /// The item of the booking, where it is named.
    pub item_id: Option<String>,
    /// The room that is free now; none when the guest had no room yet.
    pub from: Option<RoomId>,
    /// The room the guest is in now.
    pub to: RoomId,
}

impl RoomChange {
    /// The `before` and `after` that say this.
    pub fn before_and_after(&self) -> (Map<String, Value>, Map<String, Value>) {
        let side = |room: Option<&RoomId>| {
            let item = self.item_id.iter().map(|item| ("itemId".to_owned(), Value::from(item.as_str())));
            let room = room.into_iter().map(|room| ("roomId".to_owned(), Value::from(room.as_str())));
            item.chain(room).collect()
        };
        (side(self.from.as_ref()), side(Some(&self.to)))
    }
}

impl ModifiedV1 {
    /// The rooms a `room_change` is about: either `{itemId, roomId}` on both sides, or lists of such under `rooms` or
    /// `assignedRooms`; and the room of a `room_added`, where one was told. Empty for every other kind of change, and when no room can be
    /// made out.
    pub fn room_changes(&self) -> Vec<RoomChange> {
        if !matches!(self.kind, ModificationType::RoomChange | ModificationType::RoomAdded) {
            return Vec::new();
        }
        let before = rooms_of(&self.before);
        let moved = rooms_of(&self.after).into_iter().enumerate().filter_map(|(at, (item_id, to))| {
            let same_item = before.iter().find(|(item, _)| item.is_some() && *item == item_id);
            let from = same_item.or_else(|| before.get(at)).map(|(_, room)| room.clone());
            (from.as_ref() != Some(&to)).then_some(RoomChange { item_id, from, to })
        });
        moved.collect()
    }

    /// Rooms that a `room_change` takes and gives nothing for: the item has no room until it is told one. Those whose item stands in `after`
    /// without a room, and all of them where `after` has none at all.
    pub fn rooms_lost(&self) -> Vec<RoomId> {
        if self.kind != ModificationType::RoomChange {
            return Vec::new();
        }
        let (after, roomless) = (rooms_of(&self.after), items_without_room(&self.after));
        let is_lost = |(item, room): &(Option<String>, RoomId)| {
            let is_named = item.as_deref().is_some_and(|item| roomless.contains(&item));
            (is_named || after.is_empty()) && !after.iter().any(|(_, kept)| kept == room)
        };
        rooms_of(&self.before).into_iter().filter(is_lost).map(|(_, room)| room).collect()
    }
}

pub(super) fn rooms_of(side: &Map<String, Value>) -> Vec<(Option<String>, RoomId)> {
    listed(side).into_iter().filter_map(room_of).collect()
}

fn items_without_room(side: &Map<String, Value>) -> Vec<&str> {
    listed(side).into_iter().filter(|one| room_of(one).is_none()).filter_map(item_of).collect()
}

/// What a side is about: the objects of its list, or the side itself.
fn listed(side: &Map<String, Value>) -> Vec<&Map<String, Value>> {
    let list = ["rooms", "assignedRooms"].into_iter().find_map(|name| side.get(name)?.as_array());
    list.map_or_else(|| vec![side], |rooms| rooms.iter().filter_map(Value::as_object).collect())
}

fn room_of(object: &Map<String, Value>) -> Option<(Option<String>, RoomId)> {
    let room = RoomId::parse(object.get("roomId")?.as_str()?).ok()?;
    Some((item_of(object).map(str::to_owned), room))
}

fn item_of(object: &Map<String, Value>) -> Option<&str> {
    object.get("itemId")?.as_str()
}
