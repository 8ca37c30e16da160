//! What a person's word on where a reservation stands says: `before` and `after` are open in the contract, and this is how we read them.

use serde_json::{Map, Value};

use super::room_change::rooms_of;
use super::{ModificationType, ModifiedV1, StayRoom};

/// A person put a reservation where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct StateOverride {
    /// Where it stood, in reservation's words.
    pub from: String,
    /// Where it stands now.
    pub to: String,
    /// The rooms that are theirs now, or else those that were.
    pub rooms: Vec<StayRoom>,
}

impl ModifiedV1 {
    /// From where to where a `manual_state_override` put the reservation; `None` for every other kind of change, and where a side says no status.
    pub fn state_override(&self) -> Option<StateOverride> {
        if self.kind != ModificationType::ManualStateOverride {
            return None;
        }
        let status = |side: &Map<String, Value>| side.get("status").and_then(Value::as_str).map(str::to_owned);
        let rooms = |side: &Map<String, Value>| -> Vec<StayRoom> {
            let told = rooms_of(side).into_iter();
            told.map(|(item, room_id)| StayRoom { item_id: item.unwrap_or_default(), room_id }).collect()
        };
        let (was, are) = (rooms(&self.before), rooms(&self.after));
        let rooms = if are.is_empty() { was } else { are };
        Some(StateOverride { from: status(&self.before)?, to: status(&self.after)?, rooms })
    }
}
