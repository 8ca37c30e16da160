//! Shifts that come again and again: on days of the week, or on days of a cycle.

use contracts::ids::{PositionId, PropertyId, ShiftPatternId, StaffId};
use contracts::time::Timestamp;
use contracts::values::{LocalDate, LocalTime};
use jiff::civil::Weekday as JiffWeekday;
use platform::Decided;
use platform::decided::Aggregate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::words::{PlaceRole, Weekday};

/// So many days on, so many off: the anchor is day 1 of the first round, and rounds go on for ever, backwards too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ShiftCycle")]
pub struct Cycle {
    /// How many days a round has.
    #[schemars(range(min = 1, max = 366))]
    pub length_days: i32,
    /// The days of a round that have a shift; the first is 1.
    pub on_days: Vec<i32>,
    /// Day 1 of a round.
    pub anchor_date: LocalDate,
}

/// When it comes again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recurrence {
    Weekly(Vec<Weekday>),
    Cycle(Cycle),
}

impl Recurrence {
    pub fn falls_on(&self, day: LocalDate) -> bool {
        match self {
            Self::Weekly(days) => days.iter().any(|one| JiffWeekday::from(*one) == day.0.weekday()),
            Self::Cycle(cycle) => {
                let since = day.0.since(cycle.anchor_date.0).map_or(0, |span| span.get_days());
                cycle.on_days.contains(&(since.rem_euclid(cycle.length_days.max(1)) + 1))
            }
        }
    }
}

/// Who gets a place on every shift of a pattern.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ShiftPatternAssignee")]
pub struct Assignee {
    pub staff_id: StaffId,
    pub role: PlaceRole,
}

/// What a pattern says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    pub position_id: PositionId,
    pub name: String,
    pub start_local: LocalTime,
    pub end_local: LocalTime,
    pub recurrence: Recurrence,
    pub valid_from: LocalDate,
    pub valid_to: Option<LocalDate>,
    pub primary_headcount: i32,
    pub standby_headcount: i32,
    pub break_minutes: Option<i32>,
    pub assignees: Vec<Assignee>,
    pub active: bool,
}

/// A pattern of a house.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShiftPattern {
    pub id: ShiftPatternId,
    pub property_id: PropertyId,
    pub template: Template,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub version: i32,
}

/// What can happen to a pattern. Nobody else is told: the shifts it makes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatternEvent {
    Added,
    Changed,
}

impl Aggregate for ShiftPattern {
    type Event = PatternEvent;

    fn version_mut(&mut self) -> &mut i32 {
        &mut self.version
    }
}

impl ShiftPattern {
    pub fn add(self) -> Decided<Self> {
        Decided::opened(self, PatternEvent::Added)
    }

    /// Shifts that were made of it stay as they are. `None` where nothing would be different.
    pub fn become_like(mut self, template: Template, now: Timestamp) -> Option<Decided<Self>> {
        if self.template == template {
            return None;
        }
        (self.template, self.updated_at) = (template, now);
        Some(Decided::changed(self, PatternEvent::Changed))
    }

    /// Whether the pattern wants a shift on this day.
    pub fn wants(&self, day: LocalDate) -> bool {
        let of = &self.template;
        of.active && of.valid_from <= day && of.valid_to.is_none_or(|last| day <= last) && of.recurrence.falls_on(day)
    }
}

impl Template {
    /// The first field that cannot be, with the rule.
    pub fn fault(&self) -> Option<(&'static str, String)> {
        let minutes = |time: LocalTime| i32::from(time.0.hour()) * 60 + i32::from(time.0.minute());
        let length = (minutes(self.end_local) - minutes(self.start_local)).rem_euclid(24 * 60);
        if (1..15).contains(&length) {
            return Some(("endLocal", "from 15 minutes to 24 hours after startLocal".to_owned()));
        }
        match &self.recurrence {
            Recurrence::Weekly(days) if days.is_empty() => {
                return Some(("daysOfWeek", "at least one of mon, tue, wed, thu, fri, sat, sun".to_owned()));
            }
            Recurrence::Cycle(cycle) => {
                let fits = (1..=366).contains(&cycle.length_days)
                    && !cycle.on_days.is_empty()
                    && cycle.on_days.iter().all(|day| (1..=cycle.length_days).contains(day));
                if !fits {
                    return Some(("cycle", "1 to 366 days, and days on from 1 to lengthDays".to_owned()));
                }
            }
            Recurrence::Weekly(_) => {}
        }
        if self.valid_to.is_some_and(|last| last < self.valid_from) {
            return Some(("validTo", "not before validFrom".to_owned()));
        }
        if !(1..=500).contains(&self.primary_headcount) {
            return Some(("primaryHeadcount", "from 1 to 500".to_owned()));
        }
        if !(0..=500).contains(&self.standby_headcount) {
            return Some(("standbyHeadcount", "from 0 to 500".to_owned()));
        }
        if self.break_minutes.is_some_and(|minutes| !(0..=1_440).contains(&minutes)) {
            return Some(("breakMinutes", "from 0 to 1440".to_owned()));
        }
        let of = |role| self.assignees.iter().filter(|one| one.role == role).count();
        let more = |role, places: i32| i64::try_from(of(role)).unwrap_or(i64::MAX) > i64::from(places);
        if more(PlaceRole::Primary, self.primary_headcount) || more(PlaceRole::Standby, self.standby_headcount) {
            return Some(("assignees", "not more than there are places".to_owned()));
        }
        let twice = self
            .assignees
            .iter()
            .enumerate()
            .any(|(at, one)| self.assignees.iter().take(at).any(|before| before.staff_id == one.staff_id));
        twice.then(|| ("assignees", "everybody once".to_owned()))
    }
}
