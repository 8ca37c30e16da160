//! What the board shows: rooms, open tasks and people, each by a query of its own, joined in Rust.

use std::collections::HashMap;

use contracts::housekeeping::{RoomStatus, TaskKind};
use contracts::ids::{PropertyId, RoomId, ShiftId, StaffId, TaskId};
use contracts::time::Timestamp;
use platform::database::Row;
use platform::database::{Columns, Read};
use platform::{UnitOfWork, columns, statements};

use super::blocks::{self, Blocks};
use super::discrepancies::{self, discrepancy_of};
use super::tasks::task_of;
use super::{arrivals, estimates, linen, settings, snapshots, suggestions};
use crate::HousekeepingError;
use crate::domain::discrepancy::Discrepancy;
use crate::domain::job::Job;
use crate::domain::linen::LinenLine;
use crate::domain::suggestion::Suggestion;
use crate::domain::task::Task;

statements! {
    ROOMS = "sql/board_rooms.sql" (text) -> columns![
        room_id: text, status: text, version: int4, last_flipped_at: timestamptz, number: text, floor: int4, section: text,
        room_type: text, occupied: bool
    ];
    TASKS = "sql/board_tasks.sql" (text) -> columns![id: text, room_id: text, status: text];
    STAFF = "sql/board_staff.sql" (text) -> columns![
        staff_id: text, shift_id: text, capacity_minutes: int4, languages: _text, skills: _text,
        shift_starts_at: timestamptz, shift_ends_at: timestamptz, on_break: bool, job: text, display_name: text
    ];
    FINISHED = "sql/board_finished.sql" (text, text, timestamptz, timestamptz) -> columns![id: text, room_id: text, status: text];
    SUGGESTION = "sql/board_suggestion.sql" (text) -> suggestions::SUGGESTION;
    ORDER = "sql/board_order.sql" (text, timestamptz, text) -> suggestions::SUGGESTION;
    LEFT_BEHIND = "sql/task_left_behind.sql" (text) -> columns![id: text, left_at: timestamptz];
    PLAN = "sql/board_plan.sql" (text, timestamptz) -> columns![task_id: text, staff_id: text, sequence: int4];
}

/// How old a plan may be that people still work by: no shift is longer.
const PLANNED_WITHIN_SECONDS: i64 = 16 * 60 * 60;
/// How far back work may have been opened that was finished today: it names the partitions.
const OPENED_BEFORE_SECONDS: i64 = 31 * 24 * 60 * 60;

/// A room as the board needs it.
#[derive(Clone, Debug)]
pub struct RoomOnBoard {
    pub room_id: RoomId,
    pub status: RoomStatus,
    pub version: i32,
    pub since: Timestamp,
    pub number: Option<String>,
    pub floor: Option<i32>,
    pub section: Option<String>,
    pub room_type: Option<String>,
    pub occupied: bool,
}

/// Somebody who is at work.
#[derive(Clone, Debug)]
pub struct PersonOnShift {
    pub staff_id: StaffId,
    pub shift_id: ShiftId,
    pub starts_at: Timestamp,
    pub ends_at: Timestamp,
    pub capacity_minutes: i32,
    pub languages: Vec<String>,
    pub skills: Vec<String>,
    pub on_break: bool,
    pub job: Job,
    /// What the person is called, where it was told.
    pub display_name: Option<String>,
}

/// Tasks, the person that an approved plan gave them to, and as which of theirs.
pub type Planned = HashMap<TaskId, (StaffId, i32)>;

/// Tasks that somebody had begun who has gone home, and when they went.
pub type LeftBehind = HashMap<TaskId, Timestamp>;

/// What is behind a board.
#[derive(Debug)]
pub struct BoardRows {
    /// What the database had committed before anything of it was read.
    pub seen: String,
    pub rooms: Vec<RoomOnBoard>,
    pub tasks: Vec<Task>,
    pub staff: Vec<PersonOnShift>,
    /// What somebody had begun who has gone home, and when they went.
    pub left_behind: LeftBehind,
    /// When the next guest is expected, by room.
    pub expected: HashMap<RoomId, Timestamp>,
    pub blocks: Blocks,
    /// Differences between what was seen and what is on record, that wait for an answer.
    pub discrepancies: Vec<Discrepancy>,
    /// Linen of which there is too little.
    pub linen: Vec<LinenLine>,
    /// The newest plan that waits for a decision.
    pub suggestion: Option<Suggestion>,
    /// Whose turn comes when, by the newest plan of each person that somebody approved.
    pub planned: Planned,
    /// How long a cleaned room waits for its inspection; `None` where nobody inspects.
    pub inspection_minutes: Option<i32>,
}

pub async fn load(uow: &mut UnitOfWork, property: &PropertyId) -> Result<BoardRows, HousekeepingError> {
    let now = uow.now();
    let planned_since = now.plus_seconds(-PLANNED_WITHIN_SECONDS);
    let [seen, rooms, tasks, staff, gone, expected, waiting, planned, blocks, differences, low, wait, works] = uow
        .read_together([
            Read { sql: &snapshots::SEEN, params: &[] },
            Read { sql: &ROOMS, params: &[property] },
            Read { sql: &TASKS, params: &[property] },
            Read { sql: &STAFF, params: &[property] },
            Read { sql: &LEFT_BEHIND, params: &[property] },
            Read { sql: &arrivals::NEXT, params: &[property, &now] },
            Read { sql: &SUGGESTION, params: &[property] },
            Read { sql: &PLAN, params: &[property, &planned_since] },
            Read { sql: &blocks::OF_PROPERTY, params: &[property] },
            Read { sql: &discrepancies::WAITING, params: &[property] },
            Read { sql: &linen::LOW, params: &[property] },
            Read { sql: &estimates::WAIT, params: &[property] },
            Read { sql: &settings::FIND, params: &[] },
        ])
        .await?;
    let learned: Option<i32> = wait.first().map(|row| row.read("minutes")).transpose()?.flatten();
    let works = works.first().map(settings::settings_of).transpose()?.unwrap_or_default().settings;
    let inspection = || learned.unwrap_or_else(|| works.minutes_for(TaskKind::Inspection));
    Ok(BoardRows {
        seen: seen.first().map(|row| row.read("seen")).transpose()?.unwrap_or_default(),
        inspection_minutes: works.inspection_required.then(inspection),
        rooms: rooms.iter().map(room_of).collect::<Result<_, _>>()?,
        tasks: tasks.iter().map(task_of).collect::<Result<_, _>>()?,
        staff: staff.iter().map(named_person_of).collect::<Result<_, _>>()?,
        left_behind: left_behind_of(&gone)?,
        expected: arrivals::expected_of(&expected)?,
        blocks: blocks::shown_of(&blocks)?,
        discrepancies: differences.iter().map(discrepancy_of).collect::<Result<_, _>>()?,
        linen: low.iter().map(linen::line_of).collect::<Result<_, _>>()?,
        suggestion: waiting.first().map(suggestions::suggestion_of).transpose()?,
        planned: planned.iter().map(turn_of).collect::<Result<_, _>>()?,
    })
}

pub(super) fn left_behind_of(rows: &[Row]) -> Result<LeftBehind, HousekeepingError> {
    rows.iter().map(|row| Ok((row.read("id")?, row.read("left_at")?))).collect()
}

fn turn_of(row: &Row) -> Result<(TaskId, (StaffId, i32)), HousekeepingError> {
    Ok((row.read("task_id")?, (row.read("staff_id")?, row.read("sequence")?)))
}

pub(super) fn room_of(row: &Row) -> Result<RoomOnBoard, HousekeepingError> {
    Ok(RoomOnBoard {
        room_id: row.read("room_id")?,
        status: row.read("status")?,
        version: row.read("version")?,
        since: row.read("last_flipped_at")?,
        number: row.read("number")?,
        floor: row.read("floor")?,
        section: row.read("section")?,
        room_type: row.read("room_type")?,
        occupied: row.read("occupied")?,
    })
}

/// What somebody has finished since the day began: it stays in sight until the day ends.
pub async fn finished(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    staff: &StaffId,
    since: Timestamp,
) -> Result<Vec<Task>, HousekeepingError> {
    let opened = since.plus_seconds(-OPENED_BEFORE_SECONDS);
    let rows = uow.read(&FINISHED, &[property, staff, &since, &opened]).await?;
    rows.iter().map(task_of).collect()
}

/// The plan in whose order somebody does their work, if one was made since then and approved.
pub async fn plan_of(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    staff: &StaffId,
    since: Timestamp,
) -> Result<Option<Suggestion>, HousekeepingError> {
    uow.read_one(&ORDER, &[property, &since, staff]).await?.map(|row| suggestions::suggestion_of(&row)).transpose()
}

fn named_person_of(row: &Row) -> Result<PersonOnShift, HousekeepingError> {
    Ok(PersonOnShift { display_name: row.read("display_name")?, ..person_of(row)? })
}

pub(super) fn person_of(row: &Row) -> Result<PersonOnShift, HousekeepingError> {
    let words = |column: &str| -> Result<Vec<String>, HousekeepingError> {
        Ok(row.read::<Option<Vec<String>>>(column)?.unwrap_or_default())
    };
    Ok(PersonOnShift {
        staff_id: row.read("staff_id")?,
        shift_id: row.read("shift_id")?,
        starts_at: row.read("shift_starts_at")?,
        ends_at: row.read("shift_ends_at")?,
        capacity_minutes: row.read("capacity_minutes")?,
        languages: words("languages")?,
        skills: words("skills")?,
        on_break: row.read("on_break")?,
        job: row.read("job")?,
        display_name: None,
    })
}
