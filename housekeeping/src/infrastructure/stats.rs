//! Figures about work that was done, made where the rows are.

use contracts::housekeeping::TaskKind;
use contracts::ids::{PropertyId, StaffId};
use contracts::time::Timestamp;
use platform::database::Columns;
use platform::database::Row;
use platform::{UnitOfWork, columns, statements};

use crate::HousekeepingError;

statements! {
    TURNOVER = "sql/stats_turnover.sql" (text, timestamptz, timestamptz, timestamptz, text) -> columns![
        part: int4, kind: text, day: text, staff_id: text, room_type: text, count: int8, median: float8, p90: float8,
        waited: float8, inspected: int8, passed: int8
    ];
}

/// What a row of figures is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum About {
    Everything,
    Kind(TaskKind),
    Day(String),
    Person(StaffId),
    /// Empty where the type of the room is not known.
    RoomType(String),
}

/// Figures about some of the work.
#[derive(Clone, Debug)]
pub struct Measured {
    pub about: About,
    pub count: i64,
    pub median_minutes: Option<f64>,
    pub p90_minutes: Option<f64>,
    pub median_wait: Option<f64>,
    pub inspected: i64,
    pub passed: i64,
}

/// Work that was done from a moment until before another.
#[derive(Clone, Debug)]
pub struct Span {
    pub from: Timestamp,
    pub to: Timestamp,
    /// In which zone a day is a day.
    pub zone: String,
}

/// How far back work may have been opened that was done in a span.
const OPENED_BEFORE_SECONDS: i64 = 31 * 24 * 60 * 60;

pub async fn turnover(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    span: &Span,
) -> Result<Vec<Measured>, HousekeepingError> {
    let opened = span.from.plus_seconds(-OPENED_BEFORE_SECONDS);
    let rows = uow.read(&TURNOVER, &[property, &span.from, &span.to, &opened, &span.zone]).await?;
    rows.iter().map(measured_of).collect()
}

fn measured_of(row: &Row) -> Result<Measured, HousekeepingError> {
    // A bit for each of kind, day and type of room that the row is not grouped by; people are counted on their own.
    let about = match row.read::<i32>("part")? {
        0b111 => About::Everything,
        0b011 => About::Kind(row.read("kind")?),
        0b101 => About::Day(row.read("day")?),
        0b000 => About::Person(row.read("staff_id")?),
        0b110 => About::RoomType(row.read("room_type")?),
        part => return Err(row.impossible(format!("figures about {part}")).into()),
    };
    Ok(Measured {
        about,
        count: row.read("count")?,
        median_minutes: row.read("median")?,
        p90_minutes: row.read("p90")?,
        median_wait: row.read("waited")?,
        inspected: row.read("inspected")?,
        passed: row.read("passed")?,
    })
}
