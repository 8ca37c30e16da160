//! Rooms: what they are and how clean they are.

use contracts::actor::Actor;
use contracts::housekeeping::{RoomStatus, RoomStatusCause, RoomStatusChangedV1};
use contracts::ids::{PropertyId, RoomId, TaskId};
use contracts::time::Timestamp;
use platform::database::{Change, Columns, RowChange, Scribe, Stored, Told};
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
    UPDATE = "sql/room_update.sql" (text, text, int4, int4, text, text, timestamptz, jsonb, text) -> &[];
    AUDIT = "sql/room_audit.sql" (text, text, jsonb, timestamptz, _text, _text, _text, _text, _text) -> &[];
    LOCK = "sql/room_lock.sql" (text, _text) -> ROOM;
    OPEN = "sql/room_open.sql" (text, _text, timestamptz, jsonb) -> columns![room_id: text];
    DESCRIBE = "sql/room_describe.sql" (text, text, text, int4, text, text, timestamptz) -> &[];
    FIND = "sql/room_find.sql" (text) -> DESCRIBED;
    LIST = "sql/room_list.sql" (text, text, int8) -> DESCRIBED;
    HISTORY = "sql/room_history.sql" (text, text, timestamptz, int8) -> columns![
        previous_status: text, status: text, cause: text, task_id: text, flipped_by: jsonb, flipped_at: timestamptz, note: text
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
    uow.read(&LOCK, &[property, &rooms]).await?.iter().map(room_of).collect()
}

/// Brings rooms into being as clean; those that exist stay as they are.
pub async fn open(uow: &mut UnitOfWork, property: &PropertyId, rooms: &[RoomId]) -> Result<(), HousekeepingError> {
    let (now, by) = (uow.now(), Actor::system("sys_first_sight"));
    uow.read(&OPEN, &[property, &rooms, &now, &by]).await?;
    Ok(())
}

/// Writes what a room is: number, floor, section, type.
pub fn describe(uow: &mut UnitOfWork, room: &RoomDescription) {
    let RoomDescription { property_id, room_id, number, floor, section, room_type } = room.clone();
    let now = uow.now();
    uow.project(&DESCRIBE, params![property_id, room_id, number, floor, section, room_type, now]);
}

pub async fn find(uow: &mut UnitOfWork, room: &RoomId) -> Result<Option<DescribedRoom>, HousekeepingError> {
    uow.read_one(&FIND, &[room]).await?.map(|row| described_of(&row)).transpose()
}

pub async fn list(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    after: Option<&str>,
    limit: i64,
) -> Result<Vec<DescribedRoom>, HousekeepingError> {
    uow.read(&LIST, &[property, &after, &limit]).await?.iter().map(described_of).collect()
}

/// A room went from one status to another.
#[derive(Clone, Debug)]
pub struct RoomStep {
    pub previous_status: RoomStatus,
    pub status: RoomStatus,
    pub cause: RoomStatusCause,
    pub task_id: Option<TaskId>,
    pub at: Timestamp,
    pub actor: Actor,
    pub note: Option<String>,
}

/// The flips of a room up to a moment, newest first.
pub async fn history(
    uow: &mut UnitOfWork,
    room: &Room,
    until: Option<Timestamp>,
    limit: i64,
) -> Result<Vec<RoomStep>, HousekeepingError> {
    let step_of = |row: &Row| {
        Ok(RoomStep {
            previous_status: row.read("previous_status")?,
            status: row.read("status")?,
            cause: row.read("cause")?,
            task_id: row.read("task_id")?,
            at: row.read("flipped_at")?,
            actor: row.read("flipped_by")?,
            note: row.read("note")?,
        })
    };
    uow.read(&HISTORY, &[&room.property_id, &room.room_id, &until, &limit]).await?.iter().map(step_of).collect()
}

pub(crate) fn described_of(row: &Row) -> Result<DescribedRoom, HousekeepingError> {
    Ok(DescribedRoom {
        room: room_of(row)?,
        number: row.read("number")?,
        floor: row.read("floor")?,
        section: row.read("section")?,
        room_type: row.read("room_type")?,
        occupied: row.read("occupied")?,
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
    Ok(Room {
        property_id: row.read("property_id")?,
        room_id: row.read("room_id")?,
        status: row.read(status)?,
        last_task_id: row.read("last_task_id")?,
        last_flipped_at: row.read("last_flipped_at")?,
        last_flipped_by: row.read("last_flipped_by")?,
        last_cause: row.read("last_cause")?,
        version: row.read(version)?,
    })
}

impl Stored for Room {
    const KIND: &'static str = "room";

    fn aggregate_id(&self) -> String {
        self.room_id.as_str().to_owned()
    }

    fn property_id(&self) -> Option<&PropertyId> {
        Some(&self.property_id)
    }

    fn rows(&self, change: &Change<'_, Flipped>, _: &Scribe<'_>) -> Vec<RowChange> {
        let update = RowChange::new(
            &UPDATE,
            params![
                self.property_id.clone(),
                self.room_id.clone(),
                change.from,
                self.version,
                self.status,
                self.last_task_id.clone(),
                self.last_flipped_at,
                self.last_flipped_by.clone(),
                self.last_cause,
            ],
        );
        let steps = change.events;
        let audit = RowChange::new(
            &AUDIT,
            params![
                self.property_id.clone(),
                self.room_id.clone(),
                self.last_flipped_by.clone(),
                self.last_flipped_at,
                steps.iter().map(|step| step.from).collect::<Vec<_>>(),
                steps.iter().map(|step| step.to).collect::<Vec<_>>(),
                steps.iter().map(|step| step.cause).collect::<Vec<_>>(),
                steps.iter().map(|step| step.task.clone()).collect::<Vec<_>>(),
                steps.iter().map(|step| step.note.clone()).collect::<Vec<_>>(),
            ],
        );
        vec![update, audit]
    }

    fn tell(&self, event: &Flipped, version: i32, scribe: &Scribe<'_>) -> Told {
        Told::everybody(&RoomStatusChangedV1 {
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
            aggregate_version: u64::try_from(version).ok(),
        })
    }
}
