//! Rooms: what they are and how clean they are.

use contracts::actor::Actor;
use contracts::housekeeping::{RoomStatus, RoomStatusCause, RoomStatusChangedV1};
use contracts::ids::{PropertyId, RoomId, TaskId};
use contracts::time::Timestamp;
use platform::database::{Published, RowChange, Scribe, Stored};
use platform::{UnitOfWork, columns, params, statements};
use tokio_postgres::Row;

use crate::HousekeepingError;
use crate::domain::room::{Flipped, Room};

const ROOM: &[(&str, &str)] = columns![
    property_id: text, room_id: text, status: text, last_task_id: text, last_flipped_at: timestamptz,
    last_flipped_by: jsonb, last_cause: text, version: int4,
];
const DESCRIBED: &[(&str, &str)] = columns![
    property_id: text, room_id: text, status: text, last_task_id: text, last_flipped_at: timestamptz,
    last_flipped_by: jsonb, last_cause: text, version: int4, number: text, floor: int4, section: text, room_type: text,
    occupied: bool,
];

statements! {
    UPDATE = "sql/room_update.sql" (text, text, text, int4, text, text, timestamptz, text, text, int4) -> &[];
    AUDIT = "sql/room_audit.sql" (text, text, text, text, timestamptz, _text, _text, _text, _text, _text) -> &[];
    LOCK = "sql/room_lock.sql" (text, text, _text) -> ROOM;
    OPEN = "sql/room_open.sql" (text, text, _text, timestamptz, text) -> columns![room_id: text];
    DESCRIBE = "sql/room_describe.sql" (text, text, text, text, int4, text, text, timestamptz) -> &[];
    FIND = "sql/room_find.sql" (text, text) -> DESCRIBED;
    LIST = "sql/room_list.sql" (text, text, text, int8) -> DESCRIBED;
    HISTORY = "sql/room_history.sql" (text, text, text, timestamptz, int8) -> columns![
        previous_status: text, status: text, cause: text, task_id: text, flipped_by: text, flipped_at: timestamptz, note: text
    ];
}

/// A room as the door says and as it is.
#[derive(Clone, Debug)]
pub struct DescribedRoom {
    pub room: Room,
    pub number: Option<String>,
    pub floor: Option<i32>,
    pub section: Option<String>,
    pub room_type: Option<String>,
    pub occupied: bool,
}

/// What a room is, for the import and the demo.
#[derive(Clone, Debug)]
pub struct RoomDescription {
    pub property_id: PropertyId,
    pub room_id: RoomId,
    pub number: String,
    pub floor: i32,
    pub section: String,
    pub room_type: String,
}

/// These rooms, locked in the order of their ids; rooms never seen before come into being.
pub async fn lock_or_open(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    rooms: &[RoomId],
) -> Result<Vec<Room>, HousekeepingError> {
    let found = lock(uow, property, rooms).await?;
    if found.len() == rooms.len() {
        return Ok(found);
    }
    open(uow, property, rooms).await?;
    lock(uow, property, rooms).await
}

pub async fn lock(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    rooms: &[RoomId],
) -> Result<Vec<Room>, HousekeepingError> {
    let tenant = uow.context().tenant.clone();
    let ids: Vec<&str> = rooms.iter().map(RoomId::as_str).collect();
    let rows = uow.read(&LOCK, &[&tenant.as_str(), &property.as_str(), &ids]).await?;
    rows.iter().map(room_of).collect()
}

/// Brings rooms into being as clean; those that exist stay as they are.
pub async fn open(uow: &mut UnitOfWork, property: &PropertyId, rooms: &[RoomId]) -> Result<(), HousekeepingError> {
    let (tenant, now) = (uow.context().tenant.clone(), uow.now());
    let ids: Vec<&str> = rooms.iter().map(RoomId::as_str).collect();
    let by = actor_json(&Actor::system("sys_first_sight"));
    uow.read(&OPEN, &[&tenant.as_str(), &property.as_str(), &ids, &now.jiff(), &by]).await?;
    Ok(())
}

/// Writes what a room is: number, floor, section, type.
pub fn describe(uow: &mut UnitOfWork, room: &RoomDescription) {
    let (tenant, now) = (uow.context().tenant.as_str().to_owned(), uow.now());
    uow.project(
        &DESCRIBE,
        params![
            tenant,
            room.property_id.as_str().to_owned(),
            room.room_id.as_str().to_owned(),
            room.number.clone(),
            room.floor,
            room.section.clone(),
            room.room_type.clone(),
            now.jiff(),
        ],
    );
}

pub async fn find(uow: &mut UnitOfWork, room: &RoomId) -> Result<Option<DescribedRoom>, HousekeepingError> {
    let tenant = uow.context().tenant.clone();
    let row = uow.read_one(&FIND, &[&tenant.as_str(), &room.as_str()]).await?;
    row.map(|row| described_of(&row)).transpose()
}

pub async fn list(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    after: Option<&str>,
    limit: i64,
) -> Result<Vec<DescribedRoom>, HousekeepingError> {
    let tenant = uow.context().tenant.clone();
    let rows = uow.read(&LIST, &[&tenant.as_str(), &property.as_str(), &after, &limit]).await?;
    rows.iter().map(described_of).collect()
}

/// The flips of a room up to a moment, newest first.
pub async fn history(
    uow: &mut UnitOfWork,
    room: &Room,
    until: Option<Timestamp>,
    limit: i64,
) -> Result<Vec<Row>, HousekeepingError> {
    let tenant = uow.context().tenant.clone();
    let until = until.map(Timestamp::jiff);
    let params: &[&(dyn tokio_postgres::types::ToSql + Sync)] =
        &[&tenant.as_str(), &room.property_id.as_str(), &room.room_id.as_str(), &until, &limit];
    Ok(uow.read(&HISTORY, params).await?)
}

pub(crate) fn described_of(row: &Row) -> Result<DescribedRoom, HousekeepingError> {
    Ok(DescribedRoom {
        room: room_of(row)?,
        number: row.get("number"),
        floor: row.get("floor"),
        section: row.get("section"),
        room_type: row.get("room_type"),
        occupied: row.get("occupied"),
    })
}

pub(crate) fn room_of(row: &Row) -> Result<Room, HousekeepingError> {
    read(row, "status", "version")
}

/// The room in a row that is a task's first.
pub(crate) fn of_task_row(row: &Row) -> Result<Room, HousekeepingError> {
    read(row, "room_status", "room_version")
}

fn read(row: &Row, status: &str, version: &str) -> Result<Room, HousekeepingError> {
    let id: &str = row.get("room_id");
    let impossible = |what: &str| HousekeepingError::ImpossibleRow(format!("{id}: {what}"));
    Ok(Room {
        property_id: PropertyId::parse(row.get("property_id")).map_err(|_| impossible("property_id"))?,
        status: RoomStatus::from_word(row.get(status)).ok_or_else(|| impossible("status"))?,
        last_task_id: row.get::<_, Option<&str>>("last_task_id").and_then(|text| TaskId::parse(text).ok()),
        last_flipped_at: Timestamp::from_jiff(row.get("last_flipped_at")),
        last_flipped_by: serde_json::from_value(row.get("last_flipped_by"))
            .map_err(|_| impossible("last_flipped_by"))?,
        last_cause: RoomStatusCause::from_word(row.get("last_cause")).ok_or_else(|| impossible("last_cause"))?,
        version: row.get(version),
        room_id: RoomId::parse(id).map_err(|_| impossible("room_id"))?,
    })
}

pub(crate) fn actor_json(actor: &Actor) -> String {
    serde_json::to_string(actor).unwrap_or_else(|_| "{}".to_owned())
}

impl Stored for Room {
    const KIND: &'static str = "room";

    fn aggregate_id(&self) -> String {
        self.room_id.as_str().to_owned()
    }

    fn property_id(&self) -> Option<&PropertyId> {
        Some(&self.property_id)
    }

    fn rows(&self, events: &[Flipped], scribe: &Scribe<'_>) -> Vec<RowChange> {
        let steps = i32::try_from(events.len()).unwrap_or(i32::MAX);
        let key = || {
            (scribe.tenant.as_str().to_owned(), self.property_id.as_str().to_owned(), self.room_id.as_str().to_owned())
        };
        let (tenant, property, room) = key();
        let update = RowChange::new(
            &UPDATE,
            params![
                tenant,
                property,
                room,
                self.version - steps,
                self.status.as_str(),
                self.last_task_id.as_ref().map(|id| id.as_str().to_owned()),
                self.last_flipped_at.jiff(),
                actor_json(&self.last_flipped_by),
                self.last_cause.as_str(),
                self.version,
            ],
        );
        let (tenant, property, room) = key();
        let audit = RowChange::new(
            &AUDIT,
            params![
                tenant,
                property,
                room,
                actor_json(&self.last_flipped_by),
                self.last_flipped_at.jiff(),
                events.iter().map(|e| e.from.as_str()).collect::<Vec<_>>(),
                events.iter().map(|e| e.to.as_str()).collect::<Vec<_>>(),
                events.iter().map(|e| e.cause.as_str()).collect::<Vec<_>>(),
                events.iter().map(|e| e.task.as_ref().map(|id| id.as_str().to_owned())).collect::<Vec<_>>(),
                events.iter().map(|e| e.note.clone()).collect::<Vec<_>>(),
            ],
        );
        vec![update, audit]
    }

    fn publish(&self, event: &Flipped, scribe: &Scribe<'_>) -> Published {
        Published::new(&RoomStatusChangedV1 {
            tenant_id: scribe.tenant.clone(),
            property_id: self.property_id.clone(),
            room_id: self.room_id.clone(),
            previous_status: event.from,
            status: event.to,
            flipped_at: event.at,
            cause: event.cause,
            task_id: event.task.clone(),
            actor: event.by.clone(),
            note: event.note.clone(),
            aggregate_version: u64::try_from(self.version).ok(),
        })
    }
}
