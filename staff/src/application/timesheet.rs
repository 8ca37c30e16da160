//! What people worked, a row a span, as payroll wants it.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

use contracts::ids::{PropertyId, ShiftId, StaffId};
use contracts::time::Timestamp;
use contracts::values::LocalDate;
use jiff::tz::TimeZone;
use platform::{Refusal, UnitOfWork};
use schemars::JsonSchema;
use serde::Serialize;

use super::day_of;
use crate::StaffError;
use crate::domain::person::Person;
use crate::domain::punch::{Punch, Span, fold};
use crate::domain::settings::Settings;
use crate::domain::shift::Shift;
use crate::infrastructure::{people, punches, settings, shifts};

const MOST_DAYS: i32 = 62;
const DAY_SECONDS: i64 = 24 * 60 * 60;

/// Whose time, and when.
#[derive(Clone, Debug)]
pub struct TimesheetFilter {
    pub properties: Option<Vec<PropertyId>>,
    pub staff: Option<StaffId>,
    pub from: LocalDate,
    pub to: LocalDate,
}

/// A span of work.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TimesheetRow {
    pub staff_id: StaffId,
    pub staff_code: String,
    pub family_name: String,
    pub given_name: String,
    pub property_id: PropertyId,
    /// The shift's day, or else the day they came.
    pub date: LocalDate,
    pub shift_id: Option<ShiftId>,
    /// On the clock of the house, with its offset.
    pub scheduled_start: Option<String>,
    pub scheduled_end: Option<String>,
    #[serde(rename = "in")]
    pub came: String,
    /// Missing while they are there.
    #[serde(rename = "out")]
    pub went: Option<String>,
    pub actual_minutes: i64,
    pub break_minutes: i64,
    pub worked_minutes: i64,
    pub rounded_minutes: i64,
    /// How late they came to the shift. Who comes back to it, from lunch say, is not late again.
    pub late_minutes: Option<i64>,
    /// What somebody should look at, and `open`.
    pub flags: Vec<String>,
}

/// All spans of a time, by person and in order. One that is still open has the minutes it has had so far.
pub async fn rows(uow: &mut UnitOfWork, filter: &TimesheetFilter) -> Result<Vec<TimesheetRow>, StaffError> {
    let days = filter.to.0.since(filter.from.0).map_or(i32::MAX, |span| span.get_days());
    if !(0..MOST_DAYS).contains(&days) {
        return Err(Refusal::invalid("to", format!("not before from, and at most {MOST_DAYS} days in all")).into());
    }
    let (tenants, _) = settings::load(uow, None).await?;
    let midnight = |day: LocalDate| {
        day.0.to_zoned(tenants.zone()).map_or(uow.now(), |zoned| Timestamp::from_jiff(zoned.timestamp()))
    };
    // A night belongs to its first day, and a span to the day it began: a little more on both sides.
    let (from, to) =
        (midnight(filter.from).plus_seconds(-2 * DAY_SECONDS), midnight(filter.to).plus_seconds(4 * DAY_SECONDS));
    let all = punches::of_people(uow, filter.properties.as_deref(), filter.staff.as_ref(), from, to).await?;
    let mut each: BTreeMap<StaffId, Vec<Punch>> = BTreeMap::new();
    for punch in all {
        each.entry(punch.staff_id.clone()).or_default().push(punch);
    }
    let ids: Vec<_> = each.keys().cloned().collect();
    let persons = people::find_all(uow, &ids).await?;
    let mut shift_ids: Vec<_> = each.values().flatten().filter_map(|punch| punch.shift_id.clone()).collect();
    shift_ids.sort();
    shift_ids.dedup();
    let planned = shifts::find_all(uow, &shift_ids).await?;
    let planned: HashMap<_, _> = planned.iter().map(|shift| (&shift.id, shift)).collect();
    let mut known: BTreeMap<PropertyId, Settings> = BTreeMap::new();
    let mut found = Vec::new();
    for person in &persons {
        let own = each.get(&person.id).map(Vec::as_slice).unwrap_or_default();
        let folded = fold(own);
        for span in folded.spans.clone() {
            let house = span.property_id.clone();
            if filter.properties.as_ref().is_some_and(|houses| !houses.contains(&house)) {
                continue;
            }
            if !known.contains_key(&house) {
                known.insert(house.clone(), settings::in_force(uow, &house).await?);
            }
            let Some(in_force) = known.get(&house) else { continue };
            let shift = span.shift_id.as_ref().and_then(|id| planned.get(id).copied());
            let again = folded.is_back(&span);
            let mut row = row(person, own, span, shift, in_force, uow.now());
            row.late_minutes = row.late_minutes.filter(|_| !again);
            if (filter.from..=filter.to).contains(&row.date) {
                found.push(row);
            }
        }
    }
    Ok(found)
}

fn row(
    person: &Person,
    own: &[Punch],
    span: Span,
    shift: Option<&Shift>,
    settings: &Settings,
    now: Timestamp,
) -> TimesheetRow {
    let zone = shift.and_then(|shift| TimeZone::get(&shift.plan.window.tz).ok()).unwrap_or_else(|| settings.zone());
    let local = |at: Timestamp| at.jiff().to_zoned(zone.clone()).strftime("%Y-%m-%dT%H:%M:%S%:z").to_string();
    let (actual, rest) = (span.actual_minutes(now), span.break_minutes(now));
    let worked = actual - rest;
    let step = i64::from(settings.round_minutes);
    let rounded = if step == 0 { worked } else { (worked + step / 2) / step * step };
    let of_span = own.iter().filter(|punch| span.punches.contains(&punch.id));
    let mut flags: Vec<String> =
        of_span.flat_map(|punch| punch.needs_review.iter().map(|why| why.as_str().to_owned())).collect();
    flags.sort();
    flags.dedup();
    if span.is_open() {
        flags.push("open".to_owned());
    }
    let window = shift.map(|shift| &shift.plan.window);
    TimesheetRow {
        staff_id: person.id.clone(),
        staff_code: person.particulars.staff_code.clone(),
        family_name: person.particulars.family_name.clone(),
        given_name: person.particulars.given_name.clone(),
        property_id: span.property_id,
        date: window.map_or_else(|| day_of(span.from, settings), |window| window.date),
        shift_id: span.shift_id,
        scheduled_start: window.map(|window| local(window.starts_at)),
        scheduled_end: window.map(|window| local(window.ends_at)),
        came: local(span.from),
        went: span.until.map(local),
        actual_minutes: actual,
        break_minutes: rest,
        worked_minutes: worked,
        rounded_minutes: rounded,
        late_minutes: window.map(|window| span.from.minutes_since(window.starts_at).max(0)),
        flags,
    }
}

/// The rows for a spreadsheet (RFC 4180). A cell that a spreadsheet would take for a formula gets an apostrophe.
pub fn csv(rows: &[TimesheetRow]) -> String {
    let mut out =
        "staffCode,familyName,givenName,propertyId,date,shiftId,scheduledStart,scheduledEnd,in,out,actualMinutes,\
                   breakMinutes,workedMinutes,roundedMinutes,lateMinutes,flags\r\n"
            .to_owned();
    let some = |text: &Option<String>| text.clone().unwrap_or_default();
    for row in rows {
        let cells = [
            row.staff_code.clone(),
            row.family_name.clone(),
            row.given_name.clone(),
            row.property_id.to_string(),
            row.date.to_string(),
            row.shift_id.as_ref().map(ToString::to_string).unwrap_or_default(),
            some(&row.scheduled_start),
            some(&row.scheduled_end),
            row.came.clone(),
            some(&row.went),
            row.actual_minutes.to_string(),
            row.break_minutes.to_string(),
            row.worked_minutes.to_string(),
            row.rounded_minutes.to_string(),
            row.late_minutes.map(|late| late.to_string()).unwrap_or_default(),
            row.flags.join(" "),
        ];
        let cells: Vec<_> = cells.iter().map(|text| cell(text)).collect();
        let _ = write!(out, "{}\r\n", cells.join(","));
    }
    out
}

fn cell(text: &str) -> String {
    let safe = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{text}") } else { text.to_owned() };
    if safe.contains(['"', ',', '\n', '\r']) { format!("\"{}\"", safe.replace('"', "\"\"")) } else { safe }
}

#[cfg(test)]
mod tests {
    use super::cell;

    #[test]
    fn a_cell_is_neither_a_formula_nor_two_cells() {
        assert_eq!(cell("=1+1"), "'=1+1");
        assert_eq!(cell("@x,y"), "\"'@x,y\"");
        assert_eq!(cell("say \"no\""), "\"say \"\"no\"\"\"");
        assert_eq!(cell("Wardak"), "Wardak");
    }
}
