//! Rooms that the desk closes: rows and back.

use contracts::ids::{BlockId, PropertyId, RoomId};
use contracts::time::Timestamp;
use platform::database::{Change, Columns, RowChange, Scribe, Stored, Told};
use platform::{UnitOfWork, columns, params, statements};
use serde_json::json;

use super::inventory::BLOCK_INSERT;
use crate::ReservationError;
use crate::domain::blocks::{BlockEvent, RoomBlock};

statements! {
    FIND = "sql/block_find.sql" (text, text)
        -> columns![id: text, room_id: text, starts: date, ends: date, reason: text, version: int4, property_id: text,
            room_type_id: text];
    UPDATE = "sql/block_update.sql" (text, int4, int4, timestamptz) -> &[];
}

/// A block of this room that is in force.
pub async fn find(uow: &mut UnitOfWork, room: &RoomId, id: &BlockId) -> Result<Option<RoomBlock>, ReservationError> {
    let Some(row) = uow.read_one(&FIND, &[id, room]).await? else { return Ok(None) };
    Ok(Some(RoomBlock {
        id: row.read("id")?,
        room_id: row.read("room_id")?,
        property_id: row.read("property_id")?,
        room_type_id: row.read("room_type_id")?,
        from: row.read("starts")?,
        to: row.read("ends")?,
        reason: row.read("reason")?,
        version: row.read("version")?,
    }))
}

impl Stored for RoomBlock {
    const KIND: &'static str = "room_block";

    fn aggregate_id(&self) -> String {
        self.id.as_str().to_owned()
    }

    fn property_id(&self) -> Option<&PropertyId> {
        Some(&self.property_id)
    }

    fn rows(&self, change: &Change<'_, BlockEvent>, scribe: &Scribe<'_>) -> Vec<RowChange> {
        let id = self.id.clone();
        vec![match change.from {
            None => {
                let (room, reason) = (self.room_id.clone(), self.reason.clone());
                RowChange::new(
                    &BLOCK_INSERT,
                    params![id, room, self.from, self.to, reason, false, scribe.now, None::<Timestamp>],
                )
            }
            Some(from) => RowChange::new(&UPDATE, params![id, from, self.version, scribe.now]),
        }]
    }

    fn tell(&self, event: &BlockEvent, version: i32, _: &Scribe<'_>) -> Told {
        let name = match event {
            BlockEvent::Closed => "reservation.room.closed",
            BlockEvent::Opened => "reservation.room.opened",
        };
        let detail = json!({
            "blockId": self.id, "roomId": self.room_id, "from": self.from, "to": self.to, "aggregateVersion": version,
        });
        Told::nobody(name, &detail)
    }
}
