//! Rooms and room types: rows and back.

use contracts::ids::{PropertyId, ReservationId, RoomId, RoomTypeId};
use contracts::time::Timestamp;
use platform::database::Row;
use platform::database::{Change, Columns, Read, RowChange, Scribe, Stored, Told};
use platform::{UnitOfWork, columns, params, statements};
use serde_json::json;

use super::{money_of, text_of};
use crate::ReservationError;
use crate::domain::rooms::{Room, RoomDescribed, RoomType, RoomTypeEvent};

const ROOM: &[(&str, &str)] = columns![
    id: text, property_id: text, room_type_id: text, number: text, floor: text, archived: bool, housekeeping_status: text,
    housekeeping_flipped_at: timestamptz, version: int4,
];
const TYPE: &[(&str, &str)] = columns![
    id: text, property_id: text, name: text, max_occupancy: int4, base_rate: text, overbooking: int4, version: int4,
];

statements! {
    LIST = "sql/room_list.sql" (text, text, int8) -> ROOM;
    FIND = "sql/room_find.sql" (_text) -> ROOM;
    LOCK = "sql/room_lock.sql" (text) -> ROOM;
    INSERT = "sql/room_insert.sql" (text, text, text, text, text, bool, int4, timestamptz) -> &[];
    UPDATE = "sql/room_update.sql" (text, int4, int4, text, text, text, bool, timestamptz) -> &[];
    FLIP = "sql/room_flip.sql" (text, text, timestamptz) -> &[];
    WORD_FLIP = "sql/room_word_flip.sql" (text, text, timestamptz) -> &[];
    WORD_LOCK = "sql/room_word_lock.sql" (text) -> &[];
    WORD_HEARD = "sql/room_word_heard.sql" (text) -> columns![housekeeping_status: text, flipped_at: timestamptz];
    TYPE_LIST = "sql/type_list.sql" (text) -> TYPE;
    TYPE_LOCK = "sql/type_lock.sql" (_text) -> TYPE;
    TYPE_LOCK_OF = "sql/type_lock_of.sql" (_text) -> TYPE;
    ROOMLESS = "sql/stock_roomless.sql" (text) -> columns![room_type_id: text];
    HOUSES = "sql/type_houses.sql" () -> columns![property_id: text];
    TYPE_FIND = "sql/type_find.sql" (_text) -> TYPE;
    TYPE_INSERT = "sql/type_insert.sql" (text, text, text, int4, text, int4, int4, timestamptz) -> &[];
    TYPE_UPDATE = "sql/type_update.sql" (text, int4, int4, text, int4, text, int4, timestamptz) -> &[];
    TYPE_RATES = "sql/type_rates.sql" (text, date, date, text) -> &[];
    TYPE_SELL_LIMITS = "sql/type_sell_limits.sql" (text, date, date, int4) -> &[];
}

pub async fn list(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    after: Option<&str>,
    limit: i64,
) -> Result<Vec<Room>, ReservationError> {
    uow.read(&LIST, &[property, &after, &limit]).await?.iter().map(room_of).collect()
}

/// Those of these rooms that there are.
pub async fn find(uow: &mut UnitOfWork, ids: &[RoomId]) -> Result<Vec<Room>, ReservationError> {
    uow.read(&FIND, &[&ids]).await?.iter().map(room_of).collect()
}

pub async fn lock(uow: &mut UnitOfWork, id: &RoomId) -> Result<Option<Room>, ReservationError> {
    uow.read_one(&LOCK, &[id]).await?.as_ref().map(room_of).transpose()
}

/// Housekeeping told how clean a room is, or will be once there is such a room.
pub fn flip(uow: &mut UnitOfWork, id: &RoomId, status: &str, at: Timestamp) {
    uow.project(&WORD_FLIP, params![id.clone(), status.to_owned(), at]);
    uow.project(&FLIP, params![id.clone(), status.to_owned(), at]);
}

/// A room that comes into being, with what housekeeping had told of it before.
pub async fn with_what_was_heard(uow: &mut UnitOfWork, room: Room) -> Result<Room, ReservationError> {
    let Some(row) = uow.read_one(&WORD_HEARD, &[&room.id]).await? else { return Ok(room) };
    Ok(Room { housekeeping_status: row.read("housekeeping_status")?, flipped_at: row.read("flipped_at")?, ..room })
}

pub async fn list_types(uow: &mut UnitOfWork, property: &PropertyId) -> Result<Vec<RoomType>, ReservationError> {
    uow.read(&TYPE_LIST, &[property]).await?.iter().map(type_of).collect()
}

/// Those of these types that there are, locked in the order of their ids.
pub async fn lock_types(uow: &mut UnitOfWork, ids: &[RoomTypeId]) -> Result<Vec<RoomType>, ReservationError> {
    uow.read(&TYPE_LOCK, &[&ids]).await?.iter().map(type_of).collect()
}

/// The types of what these reservations have, locked in the order of their ids; of them those that somebody in the house waits for.
pub async fn lock_types_of(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    reservations: &[ReservationId],
) -> Result<Vec<RoomType>, ReservationError> {
    let [locked, waited_for] = uow
        .read_together([
            Read { sql: &TYPE_LOCK_OF, params: &[&reservations] },
            Read { sql: &ROOMLESS, params: &[property] },
        ])
        .await?;
    let mut wanted = Vec::new();
    for row in &waited_for {
        let id: RoomTypeId = row.read("room_type_id")?;
        wanted.push(id);
    }
    let locked: Vec<RoomType> = locked.iter().map(type_of).collect::<Result<_, _>>()?;
    Ok(locked.into_iter().filter(|one| wanted.contains(&one.id)).collect())
}

/// Whether somebody in the house has no room and was sold one of this type.
pub async fn is_waited_for(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    room_type: &RoomTypeId,
) -> Result<bool, ReservationError> {
    for row in &uow.read(&ROOMLESS, &[property]).await? {
        let id: RoomTypeId = row.read("room_type_id")?;
        if id == *room_type {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The houses of the tenant that have something to sell.
pub async fn houses(uow: &mut UnitOfWork) -> Result<Vec<PropertyId>, ReservationError> {
    uow.read(&HOUSES, &[]).await?.iter().map(|row| Ok(row.read("property_id")?)).collect()
}

pub async fn find_types(uow: &mut UnitOfWork, ids: &[RoomTypeId]) -> Result<Vec<RoomType>, ReservationError> {
    uow.read(&TYPE_FIND, &[&ids]).await?.iter().map(type_of).collect()
}

pub(crate) fn room_of(row: &Row) -> Result<Room, ReservationError> {
    Ok(Room {
        id: row.read("id")?,
        property_id: row.read("property_id")?,
        room_type_id: row.read("room_type_id")?,
        number: row.read("number")?,
        floor: row.read("floor")?,
        archived: row.read("archived")?,
        housekeeping_status: row.read("housekeeping_status")?,
        flipped_at: row.read("housekeeping_flipped_at")?,
        version: row.read("version")?,
    })
}

pub(super) fn type_of(row: &Row) -> Result<RoomType, ReservationError> {
    Ok(RoomType {
        id: row.read("id")?,
        property_id: row.read("property_id")?,
        name: row.read("name")?,
        max_occupancy: row.read("max_occupancy")?,
        base_rate: money_of(row, "base_rate")?,
        overbooking: row.read("overbooking")?,
        version: row.read("version")?,
    })
}

impl Stored for Room {
    const KIND: &'static str = "room";

    fn aggregate_id(&self) -> String {
        self.id.as_str().to_owned()
    }

    fn property_id(&self) -> Option<&PropertyId> {
        Some(&self.property_id)
    }

    fn rows(&self, change: &Change<'_, RoomDescribed>, scribe: &Scribe<'_>) -> Vec<RowChange> {
        let (id, room_type) = (self.id.clone(), self.room_type_id.clone());
        let (number, floor) = (self.number.clone(), self.floor.clone());
        match change.from {
            None => {
                let (lock, property) = (RowChange::new(&WORD_LOCK, params![id.clone()]), self.property_id.clone());
                let params = params![id, property, room_type, number, floor, self.archived, self.version, scribe.now];
                vec![lock, RowChange::new(&INSERT, params)]
            }
            Some(from) => {
                let params = params![id, from, self.version, room_type, number, floor, self.archived, scribe.now];
                vec![RowChange::new(&UPDATE, params)]
            }
        }
    }

    fn tell(&self, _: &RoomDescribed, version: i32, _: &Scribe<'_>) -> Told {
        let detail = json!({
            "roomId": self.id, "roomTypeId": self.room_type_id, "number": self.number, "floor": self.floor,
            "archived": self.archived, "aggregateVersion": version,
        });
        Told::nobody("reservation.room.described", &detail)
    }
}

impl Stored for RoomType {
    const KIND: &'static str = "room_type";

    fn aggregate_id(&self) -> String {
        self.id.as_str().to_owned()
    }

    fn property_id(&self) -> Option<&PropertyId> {
        Some(&self.property_id)
    }

    fn rows(&self, change: &Change<'_, RoomTypeEvent>, scribe: &Scribe<'_>) -> Vec<RowChange> {
        let (id, name, rate) = (self.id.clone(), self.name.clone(), self.base_rate.map(text_of));
        let mut rows = vec![match change.from {
            None => {
                let property = self.property_id.clone();
                let numbers = (self.max_occupancy, self.overbooking);
                let params = params![id, property, name, numbers.0, rate, numbers.1, self.version, scribe.now];
                RowChange::new(&TYPE_INSERT, params)
            }
            Some(from) => {
                let numbers = (self.max_occupancy, self.overbooking);
                let params = params![id, from, self.version, name, numbers.0, rate, numbers.1, scribe.now];
                RowChange::new(&TYPE_UPDATE, params)
            }
        }];
        rows.extend(change.events.iter().filter_map(|event| match event {
            RoomTypeEvent::Described => None,
            RoomTypeEvent::RatesSet { from, to, rate } => {
                Some(RowChange::new(&TYPE_RATES, params![self.id.clone(), *from, *to, text_of(*rate)]))
            }
            RoomTypeEvent::SellLimitsSet { from, to, overbooking } => {
                Some(RowChange::new(&TYPE_SELL_LIMITS, params![self.id.clone(), *from, *to, *overbooking]))
            }
        }));
        rows
    }

    fn tell(&self, event: &RoomTypeEvent, version: i32, _: &Scribe<'_>) -> Told {
        match event {
            RoomTypeEvent::Described => {
                let detail = json!({
                    "roomTypeId": self.id, "name": self.name, "maxOccupancy": self.max_occupancy,
                    "baseRateMicro": self.base_rate, "overbooking": self.overbooking, "aggregateVersion": version,
                });
                Told::nobody("reservation.room_type.described", &detail)
            }
            RoomTypeEvent::RatesSet { from, to, rate } => {
                let detail = json!({ "from": from, "to": to, "rateMicro": rate, "aggregateVersion": version });
                Told::nobody("reservation.room_type.rates_set", &detail)
            }
            RoomTypeEvent::SellLimitsSet { from, to, overbooking } => {
                let detail = json!({ "from": from, "to": to, "overbooking": overbooking, "aggregateVersion": version });
                Told::nobody("reservation.room_type.sell_limits_set", &detail)
            }
        }
    }
}
