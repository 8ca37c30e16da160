//! Rooms: what they are and how clean they are.

use contracts::actor::Actor;
use contracts::external::RoomCreatedV1;
use contracts::housekeeping::{RoomStatus, RoomStatusCause, RoomStatusChangedV1, TaskKind};
use contracts::ids::{InspectionId, PropertyId, RoomId, StaffId, TaskId};
use contracts::time::Timestamp;
use platform::database::Row;
use platform::database::{Change, Columns, Read, RowChange, Scribe, Stored, Told};
use platform::{UnitOfWork, columns, params, statements};

use super::blocks::{self, ShownBlock};
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
    AUDIT = "sql/room_audit.sql" (text, text, jsonb, timestamptz, text, text, text, text, text) -> &[];
    LOCK = "sql/room_lock.sql" (text, _text) -> ROOM;
    OPEN = "sql/room_open.sql" (text, _text, timestamptz, jsonb) -> columns![room_id: text];
    DESCRIBE = "sql/room_describe.sql" (text, text, text, int4, text, text, timestamptz) -> &[];
    INTRODUCE = "sql/room_introduce.sql" (text, text, text, int4, text, text, timestamptz) -> &[];
    ARCHIVE = "sql/room_archive.sql" (text, text, timestamptz) -> &[];
    GONE = "sql/room_gone.sql" (text, _text) -> columns![room_id: text];
    EXISTENCE = "sql/room_existence.sql" (text, text)
        -> columns![introduced_at: timestamptz, archived_at: timestamptz];
    LAST_CLEANING = "sql/room_last_cleaning.sql" (text, text) -> columns![
        id: text, kind: text, assignee_staff_id: text, completed_at: timestamptz, duration_minutes: int4
    ];
    LAST_INSPECTION = "sql/room_last_inspection.sql" (text, text) -> columns![
        id: text, task_id: text, inspector_staff_id: text, outcome: text, reason: text, failed_item_keys: _text,
        performed_at: timestamptz
    ];
    FIND = "sql/room_find.sql" (text, _text) -> DESCRIBED;
    HOUSES = "sql/room_houses.sql" () -> columns![property_id: text];
    LIST = "sql/room_list.sql" (text, text, int8) -> DESCRIBED;
    STATUS_AT = "sql/room_status_at.sql" (text, text, timestamptz) -> columns![status: text];
    HISTORY = "sql/room_history.sql" (text, text, timestamptz, int8, int8) -> columns![
        id: int8, previous_status: text, status: text, cause: text, task_id: text, flipped_by: jsonb, flipped_at: timestamptz, note: text
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
    pub blocks: Vec<ShownBlock>,
}

/// What a room is, for the import and the demo.
#[derive(Clone, Debug, PartialEq, Eq)]
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

/// What property tells of a new room, as far as it tells; a room that ceased to exist before exists again.
pub fn introduce(uow: &mut UnitOfWork, room: &RoomCreatedV1, told_at: Timestamp) {
    let floor: Option<i32> = room.floor.as_deref().and_then(|floor| floor.trim().parse().ok());
    let room_type = room.room_type_id.as_ref().map(|kind| kind.as_str().to_owned());
    let (property, id) = (room.property_id.clone(), room.room_id.clone());
    uow.project(
        &INTRODUCE,
        params![property, id, room.number.clone(), floor, room.section.clone(), room_type, told_at],
    );
}

/// The room in these houses, or in any: more than one where two houses have a room of the same id.
pub async fn find(
    uow: &mut UnitOfWork,
    room: &RoomId,
    houses: Option<&[PropertyId]>,
) -> Result<Vec<DescribedRoom>, HousekeepingError> {
    uow.read(&FIND, &[room, &houses]).await?.iter().map(described_of).collect()
}

/// The house of a room of which only the id was told; the first, where two have one.
pub async fn house_of(uow: &mut UnitOfWork, room: &RoomId) -> Result<Option<PropertyId>, HousekeepingError> {
    Ok(find(uow, room, None).await?.into_iter().next().map(|found| found.room.property_id))
}

/// What blocks a room.
pub async fn blocks_of(uow: &mut UnitOfWork, room: &Room) -> Result<Vec<ShownBlock>, HousekeepingError> {
    let found = uow.read(&blocks::OF_ROOM, &[&room.property_id, &room.room_id]).await?;
    Ok(blocks::shown_of(&found)?.remove(&room.room_id).unwrap_or_default())
}

/// The houses that have rooms, by their ids.
pub async fn houses(uow: &mut UnitOfWork) -> Result<Vec<PropertyId>, HousekeepingError> {
    uow.read(&HOUSES, &[]).await?.iter().map(|row| Ok(row.read("property_id")?)).collect()
}

pub async fn list(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    after: Option<&str>,
    limit: i64,
) -> Result<Vec<DescribedRoom>, HousekeepingError> {
    let [found, blocks] = uow
        .read_together([
            Read { sql: &LIST, params: &[property, &after, &limit] },
            Read { sql: &blocks::OF_PROPERTY, params: &[property] },
        ])
        .await?;
    let mut blocks = blocks::shown_of(&blocks)?;
    let room_of = |row: &Row| {
        let described = described_of(row)?;
        Ok(DescribedRoom { blocks: blocks.remove(&described.room.room_id).unwrap_or_default(), ..described })
    };
    found.iter().map(room_of).collect()
}

/// A room went from one status to another.
#[derive(Clone, Debug)]
pub struct RoomStep {
    /// Its place among all steps.
    pub id: i64,
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
    before: Option<i64>,
    limit: i64,
) -> Result<Vec<RoomStep>, HousekeepingError> {
    let step_of = |row: &Row| {
        Ok(RoomStep {
            id: row.read("id")?,
            previous_status: row.read("previous_status")?,
            status: row.read("status")?,
            cause: row.read("cause")?,
            task_id: row.read("task_id")?,
            at: row.read("flipped_at")?,
            actor: row.read("flipped_by")?,
            note: row.read("note")?,
        })
    };
    uow.read(&HISTORY, &[&room.property_id, &room.room_id, &until, &before, &limit])
        .await?
        .iter()
        .map(step_of)
        .collect()
}

/// The last time that somebody cleaned the room.
#[derive(Clone, Debug)]
pub struct LastCleaning {
    pub task_id: TaskId,
    pub kind: TaskKind,
    pub staff_id: StaffId,
    pub completed_at: Timestamp,
    pub duration_minutes: i32,
}

/// The last time that somebody looked the room over.
#[derive(Clone, Debug)]
pub struct LastInspection {
    pub id: InspectionId,
    pub task_id: TaskId,
    pub inspector: StaffId,
    pub outcome: String,
    pub reason: Option<String>,
    pub failed_item_keys: Option<Vec<String>>,
    pub performed_at: Timestamp,
}

/// Who cleaned a room last, and what the last inspection said.
pub async fn past(
    uow: &mut UnitOfWork,
    room: &Room,
) -> Result<(Option<LastCleaning>, Option<LastInspection>), HousekeepingError> {
    let [cleaned, inspected] = uow
        .read_together([
            Read { sql: &LAST_CLEANING, params: &[&room.property_id, &room.room_id] },
            Read { sql: &LAST_INSPECTION, params: &[&room.property_id, &room.room_id] },
        ])
        .await?;
    let cleaning_of = |row: &Row| {
        Ok::<_, HousekeepingError>(LastCleaning {
            task_id: row.read("id")?,
            kind: row.read("kind")?,
            staff_id: row.read("assignee_staff_id")?,
            completed_at: row.read("completed_at")?,
            duration_minutes: row.read("duration_minutes")?,
        })
    };
    let inspection_of = |row: &Row| {
        Ok::<_, HousekeepingError>(LastInspection {
            id: row.read("id")?,
            task_id: row.read("task_id")?,
            inspector: row.read("inspector_staff_id")?,
            outcome: row.read("outcome")?,
            reason: row.read("reason")?,
            failed_item_keys: row.read("failed_item_keys")?,
            performed_at: row.read("performed_at")?,
        })
    };
    Ok((cleaned.first().map(cleaning_of).transpose()?, inspected.first().map(inspection_of).transpose()?))
}

/// How a room was at a moment: what its last step by then made of it, or what it was before its first one.
pub async fn status_at(uow: &mut UnitOfWork, room: &Room, at: Timestamp) -> Result<RoomStatus, HousekeepingError> {
    let row = uow.read_one(&STATUS_AT, &[&room.property_id, &room.room_id, &at]).await?;
    Ok(row.map(|row| row.read("status")).transpose()?.unwrap_or(room.status))
}

/// When it was last said that there is a room, and when that there is none.
#[derive(Clone, Copy, Debug, Default)]
pub struct Existence {
    pub introduced_at: Option<Timestamp>,
    pub archived_at: Option<Timestamp>,
}

/// What is known of it; whoever asks holds the room's lock.
pub async fn existence(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    room: &RoomId,
) -> Result<Existence, HousekeepingError> {
    let Some(row) = uow.read_one(&EXISTENCE, &[property, room]).await? else { return Ok(Existence::default()) };
    Ok(Existence { introduced_at: row.read("introduced_at")?, archived_at: row.read("archived_at")? })
}

/// Which of these exist no more; whoever changes anything because of it holds their locks.
pub async fn gone(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    rooms: &[RoomId],
) -> Result<Vec<RoomId>, HousekeepingError> {
    uow.read(&GONE, &[property, &rooms]).await?.iter().map(|row| Ok(row.read("room_id")?)).collect()
}

/// The room exists no more since a moment.
pub fn archive(uow: &mut UnitOfWork, room: &Room, at: Timestamp) {
    uow.project(&ARCHIVE, params![room.property_id.clone(), room.room_id.clone(), at]);
}

pub(crate) fn described_of(row: &Row) -> Result<DescribedRoom, HousekeepingError> {
    Ok(DescribedRoom {
        room: room_of(row)?,
        number: row.read("number")?,
        floor: row.read("floor")?,
        section: row.read("section")?,
        room_type: row.read("room_type")?,
        occupied: row.read("occupied")?,
        blocks: Vec::new(),
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
        let step_of = |step: &Flipped| {
            RowChange::new(
                &AUDIT,
                params![
                    self.property_id.clone(),
                    self.room_id.clone(),
                    self.last_flipped_by.clone(),
                    self.last_flipped_at,
                    step.from,
                    step.to,
                    step.cause,
                    step.task.clone(),
                    step.note.clone(),
                ],
            )
        };
        std::iter::once(update).chain(change.events.iter().map(step_of)).collect()
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
