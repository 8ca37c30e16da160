//! Patterns of shifts: rows and back. They are kept, and not told: the shifts made of them are.

use std::collections::BTreeSet;

use contracts::ids::{PropertyId, ShiftPatternId, StaffId};
use contracts::values::{LocalDate, LocalTime};
use platform::database::Row;
use platform::database::{Change, Columns, Json, RowChange, Scribe, Stored, Told};
use platform::{UnitOfWork, columns, params, statements};
use serde_json::json;

use crate::StaffError;
use crate::domain::leave::Days;
use crate::domain::pattern::{Cycle, PatternEvent, Recurrence, ShiftPattern, Template};
use crate::domain::words::Weekday;

const PATTERN: &[(&str, &str)] = columns![
    id: text, property_id: text, position_id: text, name: text, start_local: text, end_local: text, days_of_week: _text,
    cycle: jsonb, valid_from: date, valid_to: date, primary_headcount: int4, standby_headcount: int4,
    break_minutes: int4, assignees: jsonb, active: bool, version: int4, created_at: timestamptz, updated_at: timestamptz,
];

statements! {
    INSERT = "sql/pattern_insert.sql" (text, text, text, text, text, text, _text, jsonb, date, date, int4, int4, int4,
        jsonb, bool, int4, timestamptz) -> &[];
    UPDATE = "sql/pattern_update.sql" (text, int4, int4, text, text, text, text, _text, jsonb, date, date, int4, int4,
        int4, jsonb, bool, timestamptz) -> &[];
    FIND = "sql/pattern_find.sql" (text) -> PATTERN;
    LOCK = "sql/pattern_lock.sql" (text) -> PATTERN;
    LIST = "sql/pattern_list.sql" (_text, bool, text, int8) -> PATTERN;
    OF_PERSON = "sql/export_patterns.sql" (text) -> PATTERN;
    TURN = "sql/pattern_turn.sql" (text) -> &[];
    MADE = "sql/pattern_made.sql" (_text, date, date) -> columns![pattern_id: text, pattern_date: date];
    HOUSES = "sql/pattern_houses.sql" () -> columns![property_id: text];
}

pub async fn find(uow: &mut UnitOfWork, id: &ShiftPatternId) -> Result<Option<ShiftPattern>, StaffError> {
    uow.read_one(&FIND, &[id]).await?.as_ref().map(pattern_of).transpose()
}

pub async fn lock(uow: &mut UnitOfWork, id: &ShiftPatternId) -> Result<Option<ShiftPattern>, StaffError> {
    uow.read_one(&LOCK, &[id]).await?.as_ref().map(pattern_of).transpose()
}

pub async fn list(
    uow: &mut UnitOfWork,
    properties: Option<&[PropertyId]>,
    active: Option<bool>,
    after: Option<&str>,
    limit: i64,
) -> Result<Vec<ShiftPattern>, StaffError> {
    uow.read(&LIST, &[&properties, &active, &after, &limit]).await?.iter().map(pattern_of).collect()
}

/// Those that give somebody a place.
pub async fn of_person(uow: &mut UnitOfWork, staff: &StaffId) -> Result<Vec<ShiftPattern>, StaffError> {
    uow.read(&OF_PERSON, &[staff]).await?.iter().map(pattern_of).collect()
}

/// Until this unit of work ends nobody else makes shifts for the house.
pub async fn take_turn(uow: &mut UnitOfWork, house: &PropertyId) -> Result<(), StaffError> {
    uow.read(&TURN, &[house]).await?;
    Ok(())
}

/// The days that these patterns have a shift for, called off or not.
pub async fn made(
    uow: &mut UnitOfWork,
    patterns: &[ShiftPatternId],
    days: Days,
) -> Result<BTreeSet<(ShiftPatternId, LocalDate)>, StaffError> {
    let rows = uow.read(&MADE, &[&patterns, &days.from.0, &days.to.0]).await?;
    rows.iter().map(|row| Ok((row.read("pattern_id")?, LocalDate(row.read("pattern_date")?)))).collect()
}

/// The houses that have patterns.
pub async fn houses(uow: &mut UnitOfWork) -> Result<Vec<PropertyId>, StaffError> {
    uow.read(&HOUSES, &[]).await?.iter().map(|row| Ok(row.read("property_id")?)).collect()
}

fn pattern_of(row: &Row) -> Result<ShiftPattern, StaffError> {
    let time = |column: &str| -> Result<LocalTime, StaffError> {
        Ok(LocalTime::parse(row.read(column)?).map_err(|error| row.impossible(error))?)
    };
    let days: Option<Vec<Weekday>> = row.read("days_of_week")?;
    let cycle: Option<Json<Cycle>> = row.read("cycle")?;
    let recurrence = match (days, cycle) {
        (Some(days), None) => Recurrence::Weekly(days),
        (None, Some(Json(cycle))) => Recurrence::Cycle(cycle),
        _ => return Err(row.impossible("neither days of the week nor a cycle, or both").into()),
    };
    let Json(assignees) = row.read("assignees")?;
    Ok(ShiftPattern {
        id: row.read("id")?,
        property_id: row.read("property_id")?,
        template: Template {
            position_id: row.read("position_id")?,
            name: row.read("name")?,
            start_local: time("start_local")?,
            end_local: time("end_local")?,
            recurrence,
            valid_from: LocalDate(row.read("valid_from")?),
            valid_to: row.read::<Option<jiff::civil::Date>>("valid_to")?.map(LocalDate),
            primary_headcount: row.read("primary_headcount")?,
            standby_headcount: row.read("standby_headcount")?,
            break_minutes: row.read("break_minutes")?,
            assignees,
            active: row.read("active")?,
        },
        created_at: row.read("created_at")?,
        updated_at: row.read("updated_at")?,
        version: row.read("version")?,
    })
}

impl Stored for ShiftPattern {
    const KIND: &'static str = "shift_pattern";

    fn aggregate_id(&self) -> String {
        self.id.to_string()
    }

    fn property_id(&self) -> Option<&PropertyId> {
        Some(&self.property_id)
    }

    fn rows(&self, change: &Change<'_, PatternEvent>, _: &Scribe<'_>) -> Vec<RowChange> {
        let (id, of, version) = (self.id.clone(), self.template.clone(), self.version);
        let (days, cycle) = match of.recurrence {
            Recurrence::Weekly(days) => (Some(days), None),
            Recurrence::Cycle(cycle) => (None, Some(Json(cycle))),
        };
        let (start, end) = (of.start_local.to_string(), of.end_local.to_string());
        let (from, to) = (of.valid_from.0, of.valid_to.map(|day| day.0));
        vec![match change.from {
            None => RowChange::new(
                &INSERT,
                params![
                    id,
                    self.property_id.clone(),
                    of.position_id,
                    of.name,
                    start,
                    end,
                    days,
                    cycle,
                    from,
                    to,
                    of.primary_headcount,
                    of.standby_headcount,
                    of.break_minutes,
                    Json(of.assignees),
                    of.active,
                    version,
                    self.created_at,
                ],
            ),
            Some(read) => RowChange::new(
                &UPDATE,
                params![
                    id,
                    read,
                    version,
                    of.position_id,
                    of.name,
                    start,
                    end,
                    days,
                    cycle,
                    from,
                    to,
                    of.primary_headcount,
                    of.standby_headcount,
                    of.break_minutes,
                    Json(of.assignees),
                    of.active,
                    self.updated_at,
                ],
            ),
        }]
    }

    fn tell(&self, event: &PatternEvent, version: i32, _: &Scribe<'_>) -> Told {
        let name = match event {
            PatternEvent::Added => "staff.shift_pattern.added",
            PatternEvent::Changed => "staff.shift_pattern.changed",
        };
        let detail = json!({
            "name": self.template.name, "startLocal": self.template.start_local, "endLocal": self.template.end_local,
            "active": self.template.active, "aggregateVersion": version,
        });
        Told::nobody(name, &detail)
    }
}
