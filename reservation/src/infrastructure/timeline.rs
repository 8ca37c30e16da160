//! The chart of a house: every room, who has it and when it cannot be used. Its reads are sent together.

use contracts::ids::{PropertyId, ReservationId, RoomId, RoomTypeId};
use contracts::time::Timestamp;
use jiff::civil::Date;
use platform::database::Row;
use platform::database::{Columns, Read};
use platform::{UnitOfWork, columns, statements};

use super::settings;
use crate::ReservationError;
use crate::domain::reservation::ReservationStatus;
use crate::domain::stay::HouseTime;

const STAY: &[(&str, &str)] = columns![
    room_id: text, room_type_id: text, item_id: text, reservation_id: text, starts: date, ends: date, pinned: bool, code: text,
    status: text, name: text, given_back_at: timestamptz, came_at: timestamptz,
];

statements! {
    ROOMS = "sql/timeline_rooms.sql" (text)
        -> columns![id: text, number: text, room_type_id: text, housekeeping_status: text];
    STAYS = "sql/timeline_stays.sql" (text, date, date) -> STAY;
    ELSEWHERE = "sql/timeline_elsewhere.sql" (text, date, date) -> STAY;
    BLOCKS = "sql/timeline_blocks.sql" (text, date, date)
        -> columns![id: text, room_id: text, starts: date, ends: date, reason: text];
}

/// A room on the chart.
#[derive(Clone, Debug)]
pub struct Line {
    pub room: RoomId,
    pub number: String,
    pub room_type: Option<RoomTypeId>,
    pub housekeeping_status: Option<String>,
}

/// Somebody's nights; no room: sold beyond what there is, or counted by another service.
#[derive(Clone, Debug)]
pub struct StaySpan {
    pub room: Option<RoomId>,
    pub room_type: RoomTypeId,
    pub item: String,
    pub reservation: ReservationId,
    pub starts: Date,
    pub ends: Date,
    pub pinned: bool,
    pub code: String,
    pub status: ReservationStatus,
    pub guest: Option<String>,
    /// They are nobody's any more: somebody had them.
    pub is_over: bool,
}

/// Nights on which a room cannot be used.
#[derive(Clone, Debug)]
pub struct BlockSpan {
    pub id: String,
    pub room: RoomId,
    pub starts: Date,
    pub ends: Option<Date>,
    pub reason: Option<String>,
}

/// Everything on the chart of a house that touches `[from, to)`.
#[derive(Clone, Debug)]
pub struct Chart {
    pub lines: Vec<Line>,
    pub stays: Vec<StaySpan>,
    pub blocks: Vec<BlockSpan>,
}

pub async fn chart(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    (from, to): (Date, Date),
) -> Result<Chart, ReservationError> {
    let nights: &[_] = &[property as _, &from as _, &to as _];
    let [said, rooms, stays, elsewhere, blocks] = uow
        .read_together([
            Read { sql: &settings::FIND, params: &[property] },
            Read { sql: &ROOMS, params: &[property] },
            Read { sql: &STAYS, params: nights },
            Read { sql: &ELSEWHERE, params: nights },
            Read { sql: &BLOCKS, params: nights },
        ])
        .await?;
    let house = HouseTime::of(&settings::in_force_of(&said, Some(property))?);
    let stays = stays.iter().chain(&elsewhere).filter_map(|row| stay_of(row, &house).transpose());
    Ok(Chart {
        lines: rooms.iter().map(line_of).collect::<Result<_, _>>()?,
        stays: stays.collect::<Result<_, _>>()?,
        blocks: blocks.iter().map(block_of).collect::<Result<_, _>>()?,
    })
}

fn line_of(row: &Row) -> Result<Line, ReservationError> {
    Ok(Line {
        room: row.read("id")?,
        number: row.read("number")?,
        room_type: row.read("room_type_id")?,
        housekeeping_status: row.read("housekeeping_status")?,
    })
}

/// `None`: they were given back, and nobody has slept in them.
fn stay_of(row: &Row, house: &HouseTime) -> Result<Option<StaySpan>, ReservationError> {
    let ends: Date = row.read("ends")?;
    let given_back: Option<Timestamp> = row.read("given_back_at")?;
    if let Some(at) = given_back
        && !house.were_slept_in(ends, row.read("came_at")?, at)
    {
        return Ok(None);
    }
    Ok(Some(StaySpan {
        room: row.read("room_id")?,
        room_type: row.read("room_type_id")?,
        item: row.read("item_id")?,
        reservation: row.read("reservation_id")?,
        starts: row.read("starts")?,
        ends,
        pinned: row.read("pinned")?,
        code: row.read("code")?,
        status: row.read("status")?,
        guest: row.read("name")?,
        is_over: given_back.is_some(),
    }))
}

fn block_of(row: &Row) -> Result<BlockSpan, ReservationError> {
    Ok(BlockSpan {
        id: row.read("id")?,
        room: row.read("room_id")?,
        starts: row.read("starts")?,
        ends: row.read("ends")?,
        reason: row.read("reason")?,
    })
}
