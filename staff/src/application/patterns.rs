//! Patterns are kept, and shifts are made of them: one for a day, ever, however often they are asked for.

use std::collections::BTreeSet;

use contracts::ids::{PositionId, PropertyId, ShiftId, ShiftPatternId, StaffId};
use contracts::time::Timestamp;
use contracts::values::{LocalDate, LocalTime};
use platform::auth::Caller;
use platform::http::IfMatch;
use platform::{Decided, Refusal, UnitOfWork};

use super::candidates::{find_position, gather};
use super::clock::take_along_to_nearest;
use super::positions as jobs;
use super::shifts::in_use;
use crate::StaffError;
use crate::domain::leave::Days;
use crate::domain::pattern::{Assignee, Recurrence, ShiftPattern, Template};
use crate::domain::planning::{Candidate, Engagement, SkipCode};
use crate::domain::position::Position;
use crate::domain::settings::Settings;
use crate::domain::shift::{Origin, Plan, Shift, Why};
use crate::domain::window::{Window, WindowError};
use crate::infrastructure::{patterns, people, positions, settings};

/// More patterns than any house has.
const MOST_PATTERNS: i64 = 2_000;
pub const MOST_DAYS: i32 = 62;

/// What is to be different; what is not named stays.
#[derive(Clone, Debug, Default)]
pub struct PatternWish {
    pub position_id: Option<PositionId>,
    pub name: Option<String>,
    pub start_local: Option<LocalTime>,
    pub end_local: Option<LocalTime>,
    pub recurrence: Option<Recurrence>,
    pub valid_from: Option<LocalDate>,
    pub valid_to: Option<Option<LocalDate>>,
    pub primary_headcount: Option<i32>,
    pub standby_headcount: Option<i32>,
    pub break_minutes: Option<Option<i32>>,
    pub assignees: Option<Vec<Assignee>>,
    pub active: Option<bool>,
}

impl PatternWish {
    fn applied_to(self, mut of: Template) -> Template {
        of.position_id = self.position_id.unwrap_or(of.position_id);
        of.name = self.name.unwrap_or(of.name);
        of.start_local = self.start_local.unwrap_or(of.start_local);
        of.end_local = self.end_local.unwrap_or(of.end_local);
        of.recurrence = self.recurrence.unwrap_or(of.recurrence);
        of.valid_from = self.valid_from.unwrap_or(of.valid_from);
        of.valid_to = self.valid_to.unwrap_or(of.valid_to);
        of.primary_headcount = self.primary_headcount.unwrap_or(of.primary_headcount);
        of.standby_headcount = self.standby_headcount.unwrap_or(of.standby_headcount);
        of.break_minutes = self.break_minutes.unwrap_or(of.break_minutes);
        of.assignees = self.assignees.unwrap_or(of.assignees);
        of.active = self.active.unwrap_or(of.active);
        of
    }
}

/// A pattern of a house that the caller's token speaks for; another's is as good as not there.
pub async fn look_up(uow: &mut UnitOfWork, caller: &Caller, id: &ShiftPatternId) -> Result<ShiftPattern, StaffError> {
    let found = patterns::find(uow, id).await?.filter(|one| caller.properties.include(&one.property_id));
    Ok(found.ok_or(Refusal::NotFound("shift pattern"))?)
}

/// What a pattern is to be like; a position that it had may stay though nobody new gets it.
async fn check(uow: &mut UnitOfWork, template: &Template, had: Option<&PositionId>) -> Result<(), StaffError> {
    if let Some((field, rule)) = template.fault() {
        return Err(Refusal::invalid(field, rule).into());
    }
    if had == Some(&template.position_id) {
        jobs::known_position(uow, &template.position_id).await?;
    } else {
        jobs::open_position(uow, &template.position_id).await?;
    }
    let wanted: BTreeSet<_> = template.assignees.iter().map(|one| one.staff_id.clone()).collect();
    let ids: Vec<_> = wanted.into_iter().collect();
    if people::find_all(uow, &ids).await?.len() != ids.len() {
        return Err(StaffError::ReferenceUnknown { field: "assignees", what: "person" });
    }
    Ok(())
}

pub async fn add(
    uow: &mut UnitOfWork,
    caller: &Caller,
    property_id: PropertyId,
    template: Template,
) -> Result<ShiftPattern, StaffError> {
    caller.within(&property_id)?;
    // In turn with whoever closes the house: its patterns are put out of use once.
    patterns::take_turn(uow, &property_id).await?;
    in_use(uow, &property_id).await?;
    check(uow, &template, None).await?;
    let (id, now) = (uow.next_id(), uow.now());
    let pattern = ShiftPattern { id, property_id, template, created_at: now, updated_at: now, version: 1 };
    Ok(uow.save(pattern.add()))
}

/// Shifts that were made of it before stay as they are.
pub async fn change(
    uow: &mut UnitOfWork,
    caller: &Caller,
    if_match: Option<&IfMatch>,
    id: &ShiftPatternId,
    wish: PatternWish,
) -> Result<ShiftPattern, StaffError> {
    let found = patterns::lock(uow, id).await?.filter(|pattern| caller.properties.include(&pattern.property_id));
    let pattern = found.ok_or(Refusal::NotFound("shift pattern"))?;
    IfMatch::check(if_match, pattern.version)?;
    let template = wish.applied_to(pattern.template.clone());
    if template.active && !pattern.template.active {
        in_use(uow, &pattern.property_id).await?;
    }
    check(uow, &template, Some(&pattern.template.position_id)).await?;
    let now = uow.now();
    Ok(match pattern.clone().become_like(template, now) {
        Some(decided) => uow.save(decided),
        None => pattern,
    })
}

/// A house closes: its patterns make no more shifts.
pub async fn put_out_of_use(uow: &mut UnitOfWork, house: &PropertyId) -> Result<(), StaffError> {
    patterns::take_turn(uow, house).await?;
    let now = uow.now();
    for pattern in patterns::list(uow, Some(std::slice::from_ref(house)), Some(true), None, MOST_PATTERNS).await? {
        let template = Template { active: false, ..pattern.template.clone() };
        if let Some(decided) = pattern.become_like(template, now) {
            uow.save(decided);
        }
    }
    Ok(())
}

/// A day that got no shift, or somebody who got no place on one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    pub pattern_id: ShiftPatternId,
    pub date: LocalDate,
    pub code: SkipCode,
    /// `None`: there is no shift.
    pub staff_id: Option<StaffId>,
}

/// What came of making shifts.
#[derive(Clone, Debug, Default)]
pub struct Generated {
    pub created: Vec<ShiftId>,
    pub existing: u32,
    pub skipped: Vec<Skipped>,
}

/// Makes the shifts of a house for some days; what is there already stays as it is. A closed house gets none.
pub async fn generate(
    uow: &mut UnitOfWork,
    house: &PropertyId,
    days: Days,
    only: Option<&[ShiftPatternId]>,
) -> Result<Generated, StaffError> {
    patterns::take_turn(uow, house).await?;
    in_use(uow, house).await?;
    let mut wanted = patterns::list(uow, Some(std::slice::from_ref(house)), Some(true), None, MOST_PATTERNS).await?;
    if let Some(only) = only {
        for unknown in only.iter().filter(|id| !wanted.iter().any(|pattern| pattern.id == **id)) {
            // One that is out of use makes nothing; one that is not there, or another house's, is a mistake.
            let known = patterns::find(uow, unknown).await?.is_some_and(|pattern| pattern.property_id == *house);
            if !known {
                return Err(StaffError::ReferenceUnknown { field: "patternIds", what: "pattern in this house" });
            }
        }
        wanted.retain(|pattern| only.contains(&pattern.id));
    }
    let ids: Vec<_> = wanted.iter().map(|pattern| pattern.id.clone()).collect();
    let made = patterns::made(uow, &ids, days).await?;
    let mut factory = Factory::open(uow, house, &wanted, days).await?;
    for day in days.from.0.series(jiff::Span::new().days(1)).take_while(|day| *day <= days.to.0).map(LocalDate) {
        for pattern in wanted.iter().filter(|pattern| pattern.wants(day)) {
            if made.contains(&(pattern.id.clone(), day)) {
                factory.done.existing += 1;
            } else {
                factory.make(uow, pattern, day)?;
            }
        }
    }
    factory.take_along(uow).await?;
    Ok(factory.done)
}

/// What is known while shifts are made, and what has been made.
struct Factory {
    settings: Settings,
    positions: Vec<Position>,
    people: Vec<Candidate>,
    now: Timestamp,
    /// Those made that somebody may be there for by now.
    around_now: Vec<Shift>,
    done: Generated,
}

impl Factory {
    async fn open(
        uow: &mut UnitOfWork,
        house: &PropertyId,
        wanted: &[ShiftPattern],
        days: Days,
    ) -> Result<Self, StaffError> {
        let assignees = wanted.iter().flat_map(|pattern| &pattern.template.assignees);
        let ids: BTreeSet<_> = assignees.map(|one| one.staff_id.clone()).collect();
        let persons = people::lock_all(uow, &ids.into_iter().collect::<Vec<_>>()).await?;
        let settings = settings::in_force(uow, house).await?;
        let midnight = |day: LocalDate| {
            day.0.to_zoned(settings.zone()).map_or(uow.now(), |zoned| Timestamp::from_jiff(zoned.timestamp()))
        };
        let (from, to) = (midnight(days.from), midnight(days.to).plus_seconds(48 * 60 * 60));
        let people = if persons.is_empty() { Vec::new() } else { gather(uow, persons, from, to).await? };
        let (positions, now) = (positions::positions(uow).await?, uow.now());
        Ok(Self { settings, positions, people, now, around_now: Vec::new(), done: Generated::default() })
    }

    fn skip(&mut self, pattern: &ShiftPattern, date: LocalDate, code: SkipCode, staff_id: Option<StaffId>) {
        self.done.skipped.push(Skipped { pattern_id: pattern.id.clone(), date, code, staff_id });
    }

    fn make(&mut self, uow: &mut UnitOfWork, pattern: &ShiftPattern, day: LocalDate) -> Result<(), StaffError> {
        let of = &pattern.template;
        let window = Window::local(day, of.start_local, of.end_local, &self.settings.timezone);
        let window = match window.and_then(|window| window.within_reach(self.now)) {
            Ok(window) => window,
            Err(WindowError::TooFar) => {
                self.skip(pattern, day, SkipCode::OutOfReach, None);
                return Ok(());
            }
            Err(_) => {
                self.skip(pattern, day, SkipCode::WindowEmpty, None);
                return Ok(());
            }
        };
        let plan = Plan {
            window,
            primary_headcount: of.primary_headcount,
            standby_headcount: of.standby_headcount,
            break_minutes: of.break_minutes,
            note: None,
        };
        let origin = Origin { pattern_id: pattern.id.clone(), date: day };
        let position = find_position(&self.positions, &of.position_id)?;
        let place = (pattern.property_id.clone(), &position);
        let mut decided = Shift::generate(uow.next_id(), place, Some(origin), plan, self.now);
        for assignee in &of.assignees {
            decided = self.fill(uow, pattern, (decided, &position), assignee)?;
        }
        let shift = uow.save(decided);
        self.done.created.push(shift.id.clone());
        let window = &shift.plan.window;
        if self.now >= window.starts_at.plus_seconds(-24 * 60 * 60) && self.now < window.ends_at {
            self.around_now.push(shift);
        }
        Ok(())
    }

    /// Whoever is there already came to the shift that has just been made for them.
    async fn take_along(&mut self, uow: &mut UnitOfWork) -> Result<(), StaffError> {
        for Candidate { person, .. } in &self.people {
            let made = std::mem::take(&mut self.around_now).into_iter();
            let (mut own, others): (Vec<_>, Vec<_>) = made.partition(|shift| shift.place_of(&person.id).is_some());
            if !own.is_empty() {
                take_along_to_nearest(uow, person, &mut own).await?;
            }
            self.around_now = others;
            self.around_now.append(&mut own);
        }
        Ok(())
    }

    /// Gives an assignee a place, or says why not; what they got counts against them on the next day.
    fn fill(
        &mut self,
        uow: &UnitOfWork,
        pattern: &ShiftPattern,
        (decided, position): (Decided<Shift>, &Position),
        assignee: &Assignee,
    ) -> Result<Decided<Shift>, StaffError> {
        let shift = decided.state();
        let date = shift.plan.window.date;
        let Some(candidate) = self.people.iter_mut().find(|one| one.person.id == assignee.staff_id) else {
            return Ok(decided);
        };
        if let Err(unfit) = candidate.can_take(shift, position, Some(assignee.role), false) {
            self.skip(pattern, date, unfit.code(), Some(assignee.staff_id.clone()));
            return Ok(decided);
        }
        candidate.engagements.push(Engagement::on(shift));
        let (id, staff, role, now) = (uow.next_id(), assignee.staff_id.clone(), assignee.role, self.now);
        Ok(decided.then(|shift| shift.assign(id, staff, role, Why::Pattern, now))?)
    }
}
