//! Who can be on which shift: what refuses, and what is only warned of.

use contracts::ids::{PropertyId, ShiftId};
use contracts::time::Timestamp;
use contracts::values::LocalDate;
use jiff::civil::Weekday as JiffWeekday;
use schemars::JsonSchema;
use serde::Serialize;

use super::person::Person;
use super::settings::Settings;
use super::shift::Shift;
use super::words::{WarningCode, Weekday};

/// Another shift that the person has a place on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Engagement {
    pub shift_id: ShiftId,
    pub property_id: PropertyId,
    pub date: LocalDate,
    pub starts_at: Timestamp,
    pub ends_at: Timestamp,
}

/// What is said of an assignment that is allowed and yet not good.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Warning {
    pub code: WarningCode,
    pub detail: String,
}

/// The first of the person's other shifts that overlaps; touching is fine.
pub fn conflict<'a>(shift: &Shift, others: &'a [Engagement]) -> Option<&'a Engagement> {
    let window = &shift.plan.window;
    others.iter().find(|other| other.shift_id != shift.id && window.overlaps(other.starts_at, other.ends_at))
}

/// Everything that speaks against it without forbidding it.
pub fn warnings(
    person: &Person,
    shift: &Shift,
    others: &[Engagement],
    settings: &Settings,
    now: Timestamp,
) -> Vec<Warning> {
    let window = &shift.plan.window;
    let others: Vec<_> = others.iter().filter(|other| other.shift_id != shift.id).collect();
    let mut found = Vec::new();
    let mut warn = |code, detail: String| found.push(Warning { code, detail });
    let rest = others.iter().filter_map(|other| {
        let after = window.starts_at.minutes_since(other.ends_at);
        let before = other.starts_at.minutes_since(window.ends_at);
        [after, before].into_iter().find(|minutes| *minutes >= 0)
    });
    if let Some(least) = rest.min().filter(|least| *least < i64::from(settings.min_rest_minutes)) {
        warn(WarningCode::RestShort, format!("{least} minutes of rest; {} are wanted", settings.min_rest_minutes));
    }
    let week = week_of(window.date, settings.week_starts_on);
    let same_week = others.iter().filter(|other| week_of(other.date, settings.week_starts_on) == week);
    let total = window.minutes() + same_week.map(|other| other.ends_at.minutes_since(other.starts_at)).sum::<i64>();
    if total > i64::from(settings.max_weekly_minutes) {
        warn(WarningCode::WeekLong, format!("{total} minutes in the week; {} are enough", settings.max_weekly_minutes));
    }
    if person.position_id != shift.position_id {
        warn(WarningCode::PositionDiffers, "the person has another position than the shift is for".to_owned());
    }
    let notice = window.starts_at.minutes_since(now);
    if (0..24 * 60).contains(&notice) {
        warn(WarningCode::ShortNotice, format!("it begins in {notice} minutes"));
    }
    found
}

/// The first day of a day's week.
fn week_of(day: LocalDate, begins: Weekday) -> LocalDate {
    let begins = match begins {
        Weekday::Monday => JiffWeekday::Monday,
        Weekday::Tuesday => JiffWeekday::Tuesday,
        Weekday::Wednesday => JiffWeekday::Wednesday,
        Weekday::Thursday => JiffWeekday::Thursday,
        Weekday::Friday => JiffWeekday::Friday,
        Weekday::Saturday => JiffWeekday::Saturday,
        Weekday::Sunday => JiffWeekday::Sunday,
    };
    let since = i64::from(day.0.weekday().since(begins));
    LocalDate(day.0.checked_sub(jiff::Span::new().days(since)).unwrap_or(day.0))
}
