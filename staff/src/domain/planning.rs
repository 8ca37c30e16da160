//! Who can be on which shift: what refuses, and what is only warned of.

use contracts::ids::{LeaveRequestId, PropertyId, ShiftId};
use contracts::time::Timestamp;
use contracts::values::LocalDate;
use jiff::civil::Weekday as JiffWeekday;
use schemars::JsonSchema;
use serde::Serialize;

use super::leave::Days;
use super::person::Person;
use super::position::Position;
use super::settings::Settings;
use super::shift::{Shift, ShiftError};
use super::words::{PlaceRole, WarningCode, Weekday};

/// Another shift that the person has a place on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Engagement {
    pub shift_id: ShiftId,
    pub property_id: PropertyId,
    pub date: LocalDate,
    pub starts_at: Timestamp,
    pub ends_at: Timestamp,
}

impl Engagement {
    pub fn on(shift: &Shift) -> Self {
        let window = &shift.plan.window;
        Self {
            shift_id: shift.id.clone(),
            property_id: shift.property_id.clone(),
            date: window.date,
            starts_at: window.starts_at,
            ends_at: window.ends_at,
        }
    }
}

/// Days on which the person is away, or wants to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Absence {
    pub leave_request_id: LeaveRequestId,
    pub days: Days,
    pub approved: bool,
}

/// A certificate that was not taken away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    pub kind: String,
    pub issued_at: LocalDate,
    pub expires_at: Option<LocalDate>,
}

/// Everything about a person that a place on a shift depends on.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub person: Person,
    pub engagements: Vec<Engagement>,
    pub absences: Vec<Absence>,
    pub held: Vec<Held>,
}

contracts::closed_words! {
    /// Why somebody was not given a place, or a day no shift.
    SkipCode {
        ShiftOver = "SHIFT_ILLEGAL_TRANSITION",
        StaffNotActive = "STAFF_NOT_ACTIVE",
        NoPropertyAccess = "NO_PROPERTY_ACCESS",
        AlreadyAssigned = "ALREADY_ASSIGNED",
        StaffOnLeave = "STAFF_ON_LEAVE",
        AssignmentOverlap = "ASSIGNMENT_OVERLAP",
        HeadcountFull = "HEADCOUNT_FULL",
        CertificationMissing = "CERTIFICATION_MISSING",
        /// The clock of the house does not show these times on that day.
        WindowEmpty = "WINDOW_EMPTY",
        /// More than 31 days ago, or more than 366 days ahead.
        OutOfReach = "OUT_OF_REACH",
    }
}

/// Why somebody cannot take a place, in the order in which a planner wants to know.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    #[error(transparent)]
    Shift(#[from] ShiftError),
    #[error("somebody who is gone, sent home or past their last day cannot do that")]
    NotActive,
    #[error("the person does not work in this house")]
    NoPropertyAccess,
    #[error("the person is on leave that day")]
    OnLeave { leave_request_id: LeaveRequestId },
    #[error("the person has a place on {shift_id} at that time")]
    Overlap { shift_id: ShiftId },
    #[error("the position needs {}; `force` lets the person work without", missing.join(", "))]
    CertificationMissing { missing: Vec<String> },
}

impl Unfit {
    pub fn code(&self) -> SkipCode {
        match self {
            Self::Shift(ShiftError::AlreadyAssigned { .. }) => SkipCode::AlreadyAssigned,
            Self::Shift(ShiftError::HeadcountFull { .. }) => SkipCode::HeadcountFull,
            Self::Shift(_) => SkipCode::ShiftOver,
            Self::NotActive => SkipCode::StaffNotActive,
            Self::NoPropertyAccess => SkipCode::NoPropertyAccess,
            Self::OnLeave { .. } => SkipCode::StaffOnLeave,
            Self::Overlap { .. } => SkipCode::AssignmentOverlap,
            Self::CertificationMissing { .. } => SkipCode::CertificationMissing,
        }
    }
}

/// What is said of an assignment that is allowed and yet not good.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Warning {
    pub code: WarningCode,
    pub detail: String,
}

impl Candidate {
    /// The first reason why the person cannot take a place on the shift. `room` is the role that needs a free place, where one is
    /// needed; `force` lifts the last two reasons.
    pub fn can_take(
        &self,
        shift: &Shift,
        position: &Position,
        room: Option<PlaceRole>,
        force: bool,
    ) -> Result<(), Unfit> {
        let (person, window) = (&self.person, &shift.plan.window);
        shift.can_be_given()?;
        if !person.may_work_on(window.date) {
            return Err(Unfit::NotActive);
        }
        if !person.particulars.property_access.contains(&shift.property_id) {
            return Err(Unfit::NoPropertyAccess);
        }
        shift.can_take(&person.id)?;
        self.is_present_on(window.date)?;
        if let Some(other) = conflict(shift, &self.engagements) {
            return Err(Unfit::Overlap { shift_id: other.shift_id.clone() });
        }
        if force {
            return Ok(());
        }
        if let Some(role) = room {
            shift.has_room(role)?;
        }
        self.is_certified(shift, position)
    }

    /// Not on leave that day.
    pub fn is_present_on(&self, day: LocalDate) -> Result<(), Unfit> {
        match self.absences.iter().find(|absence| absence.approved && absence.days.cover(day)) {
            Some(away) => Err(Unfit::OnLeave { leave_request_id: away.leave_request_id.clone() }),
            None => Ok(()),
        }
    }

    /// Has every paper that a position insists on.
    pub fn is_certified(&self, shift: &Shift, position: &Position) -> Result<(), Unfit> {
        let missing = self.missing(shift, position);
        if position.certifications_enforced && !missing.is_empty() {
            return Err(Unfit::CertificationMissing { missing });
        }
        Ok(())
    }

    /// The papers that the position asks for and that the person does not have on the day of the shift. Of one kind that holds which was
    /// issued last by then.
    fn missing(&self, shift: &Shift, position: &Position) -> Vec<String> {
        let day = shift.plan.window.date;
        let has = |kind: &String| {
            let begun = self.held.iter().filter(|paper| paper.kind == *kind && paper.issued_at <= day);
            let last = begun.max_by_key(|paper| paper.issued_at);
            last.is_some_and(|paper| paper.expires_at.is_none_or(|end| day < end))
        };
        position.required_certifications.iter().filter(|kind| !has(kind)).cloned().collect()
    }

    /// Everything that speaks against it without forbidding it.
    pub fn warnings(&self, shift: &Shift, position: &Position, settings: &Settings, now: Timestamp) -> Vec<Warning> {
        let window = &shift.plan.window;
        let others: Vec<_> = self.engagements.iter().filter(|other| other.shift_id != shift.id).collect();
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
            let enough = settings.max_weekly_minutes;
            warn(WarningCode::WeekLong, format!("{total} minutes in the week; {enough} are enough"));
        }
        if self.person.position_id != shift.position_id {
            warn(WarningCode::PositionDiffers, "the person has another position than the shift is for".to_owned());
        }
        if self.absences.iter().any(|absence| !absence.approved && absence.days.cover(window.date)) {
            warn(WarningCode::LeavePending, "the person has asked for leave that day".to_owned());
        }
        let missing = self.missing(shift, position);
        if !missing.is_empty() {
            warn(WarningCode::CertificationMissing, format!("no certificate for {}", missing.join(", ")));
        }
        let notice = window.starts_at.minutes_since(now);
        if notice < 24 * 60 && now < window.ends_at {
            let when =
                if now < window.starts_at { format!("begins in {notice} minutes") } else { "has begun".to_owned() };
            warn(WarningCode::ShortNotice, format!("it {when}"));
        }
        found
    }
}

/// The first of the person's other shifts that overlaps; touching is fine.
pub fn conflict<'a>(shift: &Shift, others: &'a [Engagement]) -> Option<&'a Engagement> {
    let window = &shift.plan.window;
    others.iter().find(|other| other.shift_id != shift.id && window.overlaps(other.starts_at, other.ends_at))
}

/// The first day of a day's week.
fn week_of(day: LocalDate, begins: Weekday) -> LocalDate {
    let since = i64::from(day.0.weekday().since(begins.into()));
    LocalDate(day.0.checked_sub(jiff::Span::new().days(since)).unwrap_or(day.0))
}

impl From<Weekday> for JiffWeekday {
    fn from(day: Weekday) -> Self {
        match day {
            Weekday::Monday => Self::Monday,
            Weekday::Tuesday => Self::Tuesday,
            Weekday::Wednesday => Self::Wednesday,
            Weekday::Thursday => Self::Thursday,
            Weekday::Friday => Self::Friday,
            Weekday::Saturday => Self::Saturday,
            Weekday::Sunday => Self::Sunday,
        }
    }
}
