//! What blocks rooms: housekeeping's own blocks, and maintenance's jobs as a mirror of what is told.

use std::collections::HashMap;

use contracts::external::{WorkOrderCompletedV1, WorkOrderOpenedV1};
use contracts::ids::{BlockId, PropertyId, RoomId};
use contracts::time::Timestamp;
use platform::database::Row;
use platform::database::{Change, Columns, Read, RowChange, Scribe, Stored, Told};
use platform::{UnitOfWork, columns, params, statements};
use serde_json::json;

use super::rooms;
use crate::HousekeepingError;
use crate::domain::block::{BlockEvent, BlockOwner, BlockReason, RoomBlock};
use crate::domain::room::Room;

const SHOWN: &[(&str, &str)] = columns![
    room_id: text, id: text, reason: text, owner: text, blocked_until: timestamptz, note: text
];

const BLOCK: &[(&str, &str)] = columns![
    id: text, property_id: text, room_id: text, reason: text, owner: text, blocked_until: timestamptz, note: text,
    created_at: timestamptz, cleared_at: timestamptz, task_id: text, version: int4, told_at: timestamptz,
    begins_at: timestamptz
];

statements! {
    INSERT = "sql/block_insert.sql" (text, text, text, text, text, timestamptz, text, timestamptz, text, int4,
        timestamptz, timestamptz, timestamptz) -> &[];
    UPDATE = "sql/block_update.sql" (text, int4, int4, timestamptz, timestamptz, text, timestamptz, timestamptz) -> &[];
    FIND = "sql/block_find.sql" (text, text, text) -> BLOCK;
    LOCK = "sql/block_lock.sql" (text, text, text) -> BLOCK;
    JOBS = "sql/block_jobs.sql" (text, text, text)
        -> columns![work_order_id: text, blocking: bool, cleared_at: timestamptz];
    JOB_OPENED = "sql/block_job_opened.sql" (text, text, text, text, bool, timestamptz, timestamptz) -> &[];
    JOB_DONE = "sql/block_job_done.sql" (text, text, text, text, timestamptz) -> &[];
    JOBS_OVER = "sql/block_jobs_over.sql" (text, text, timestamptz) -> &[];
    OF_PROPERTY = "sql/block_of_property.sql" (text) -> SHOWN;
    OF_ROOM = "sql/block_of_room.sql" (text, text) -> SHOWN;
    DUE = "sql/block_due.sql" (timestamptz) -> columns![property_id: text, room_id: text];
    ECHO_OVER = "sql/block_echo_over.sql" (text, text, timestamptz, timestamptz) -> columns![is_over: bool];
}

/// A block as everybody sees it, whoever's it is.
#[derive(Clone, Debug)]
pub struct ShownBlock {
    pub id: String,
    pub reason: BlockReason,
    pub owner: BlockOwner,
    pub blocked_until: Option<Timestamp>,
    pub note: Option<String>,
}

/// Blocks by room.
pub type Blocks = HashMap<RoomId, Vec<ShownBlock>>;

pub(super) fn shown_of(rows: &[Row]) -> Result<Blocks, HousekeepingError> {
    let mut blocks = Blocks::new();
    for row in rows {
        let block = ShownBlock {
            id: row.read("id")?,
            reason: row.read("reason")?,
            owner: row.read("owner")?,
            blocked_until: row.read("blocked_until")?,
            note: row.read("note")?,
        };
        blocks.entry(row.read("room_id")?).or_default().push(block);
    }
    Ok(blocks)
}

/// Maintenance's job in a room.
#[derive(Clone, Debug)]
pub struct Job {
    pub work_order_id: String,
    pub blocking: bool,
    pub cleared_at: Option<Timestamp>,
}

impl Job {
    /// Whether the room waits for it.
    pub fn holds(&self) -> bool {
        self.blocking && self.cleared_at.is_none()
    }
}

/// A room with everything that blocks it, locked.
#[derive(Debug)]
pub struct Blocked {
    pub room: Room,
    pub own: Vec<RoomBlock>,
    pub jobs: Vec<Job>,
}

/// One of housekeeping's own, over or not.
pub async fn find(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    room: &RoomId,
    id: &BlockId,
) -> Result<Option<RoomBlock>, HousekeepingError> {
    uow.read_one(&FIND, &[property, room, id]).await?.as_ref().map(block_of).transpose()
}

/// Locks a room, then what blocks it. `named`: this block or this job too, whether or not it is over. `None`: no such room.
pub async fn lock(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    room: &RoomId,
    named: Option<&str>,
) -> Result<Option<Blocked>, HousekeepingError> {
    let one = std::slice::from_ref(room);
    let [locked, own, jobs] = uow
        .read_together([
            Read { sql: &rooms::LOCK, params: &[property, &one] },
            Read { sql: &LOCK, params: &[property, room, &named] },
            Read { sql: &JOBS, params: &[property, room, &named] },
        ])
        .await?;
    let Some(row) = locked.first() else { return Ok(None) };
    let job_of = |row: &Row| {
        Ok(Job {
            work_order_id: row.read("work_order_id")?,
            blocking: row.read("blocking")?,
            cleared_at: row.read("cleared_at")?,
        })
    };
    Ok(Some(Blocked {
        room: rooms::room_of(row)?,
        own: own.iter().map(block_of).collect::<Result<_, _>>()?,
        jobs: jobs.iter().map(job_of).collect::<Result<_, HousekeepingError>>()?,
    }))
}

/// As [`lock`]; a room never seen before comes into being.
pub async fn lock_or_open(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    room: &RoomId,
    named: Option<&str>,
) -> Result<Blocked, HousekeepingError> {
    if let Some(found) = lock(uow, property, room, named).await? {
        return Ok(found);
    }
    rooms::open(uow, property, std::slice::from_ref(room)).await?;
    Ok(lock(uow, property, room, named).await?.ok_or(platform::Refusal::NotFound("room"))?)
}

/// Rooms with a block whose time has come, or is over.
pub async fn due(uow: &mut UnitOfWork) -> Result<Vec<(PropertyId, RoomId)>, HousekeepingError> {
    let now = uow.now();
    let place = |row: &Row| Ok((row.read("property_id")?, row.read("room_id")?));
    uow.read(&DUE, &[&now]).await?.iter().map(place).collect()
}

/// Whether what was told of this room then, to begin at `from`, is over: somebody lifted the echo since, or it ended by itself and was told later than
/// this, or the room was repaired since and waits for no other repair.
pub async fn echo_was_over(
    uow: &mut UnitOfWork,
    room: &Room,
    told_at: Timestamp,
    from: Option<Timestamp>,
) -> Result<bool, HousekeepingError> {
    let row = uow.read_one(&ECHO_OVER, &[&room.property_id, &room.room_id, &told_at, &from]).await?;
    Ok(row.map_or(Ok(false), |row| row.read("is_over"))?)
}

/// Mirrors that a job was opened.
pub fn job_opened(uow: &mut UnitOfWork, job: &WorkOrderOpenedV1, blocking: bool) {
    let opened_at = job.opened_at.unwrap_or_else(|| uow.now());
    let (property, room) = (job.property_id.clone(), job.room_id.clone());
    let (id, task) = (job.work_order_id.clone(), job.task_id.clone());
    uow.project(&JOB_OPENED, params![id, property, room, task, blocking, job.expected_until, opened_at]);
}

/// Mirrors that a job is done.
pub fn job_done(uow: &mut UnitOfWork, job: &WorkOrderCompletedV1) {
    let done_at = job.completed_at.unwrap_or_else(|| uow.now());
    let (property, room) = (job.property_id.clone(), job.room_id.clone());
    uow.project(&JOB_DONE, params![job.work_order_id.clone(), property, room, job.task_id.clone(), done_at]);
}

/// Nothing is repaired in this room any more.
pub fn jobs_over(uow: &mut UnitOfWork, room: &Room) {
    let now = uow.now();
    uow.project(&JOBS_OVER, params![room.property_id.clone(), room.room_id.clone(), now]);
}

fn block_of(row: &Row) -> Result<RoomBlock, HousekeepingError> {
    Ok(RoomBlock {
        id: row.read::<BlockId>("id")?,
        property_id: row.read("property_id")?,
        room_id: row.read("room_id")?,
        reason: row.read("reason")?,
        owner: row.read("owner")?,
        begins_at: row.read("begins_at")?,
        blocked_until: row.read("blocked_until")?,
        note: row.read("note")?,
        task_id: row.read("task_id")?,
        created_at: row.read("created_at")?,
        cleared_at: row.read("cleared_at")?,
        told_at: row.read("told_at")?,
        version: row.read("version")?,
    })
}

impl Stored for RoomBlock {
    of_a_house!("room_block");

    fn rows(&self, change: &Change<'_, BlockEvent>, _: &Scribe<'_>) -> Vec<RowChange> {
        vec![match change.from {
            None => RowChange::new(
                &INSERT,
                params![
                    self.id.clone(),
                    self.property_id.clone(),
                    self.room_id.clone(),
                    self.reason,
                    self.owner,
                    self.blocked_until,
                    self.note.clone(),
                    self.created_at,
                    self.task_id.clone(),
                    self.version,
                    self.told_at,
                    self.begins_at,
                    self.cleared_at,
                ],
            ),
            Some(from) => {
                let (until, note, told_at, begins_at) =
                    (self.blocked_until, self.note.clone(), self.told_at, self.begins_at);
                RowChange::new(
                    &UPDATE,
                    params![self.id.clone(), from, self.version, self.cleared_at, until, note, told_at, begins_at],
                )
            }
        }]
    }

    fn tell(&self, event: &BlockEvent, version: i32, _: &Scribe<'_>) -> Told {
        let subject = match event {
            BlockEvent::Set => "housekeeping.room_block.set",
            BlockEvent::Changed => "housekeeping.room_block.changed",
            BlockEvent::Cleared => "housekeeping.room_block.cleared",
        };
        let detail = json!({
            "blockId": self.id, "propertyId": self.property_id, "roomId": self.room_id, "reason": self.reason,
            "owner": self.owner, "beginsAt": self.begins_at, "blockedUntil": self.blocked_until, "note": self.note, "taskId": self.task_id,
            "aggregateVersion": version,
        });
        Told::nobody(subject, &detail)
    }
}
