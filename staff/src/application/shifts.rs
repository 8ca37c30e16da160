//! Shifts are planned and filled, people change places, and plans are called off.

use std::collections::BTreeMap;

use contracts::ids::{AssignmentId, PositionId, PropertyId, ShiftId, StaffId};
use contracts::time::Timestamp;
use contracts::values::{LocalDate, LocalTime};
use platform::auth::Caller;
use platform::http::IfMatch;
use platform::{Refusal, UnitOfWork};

use super::clock::{take_along, take_along_to_nearest};
use super::presence::{Attendance, close_all};
use super::{candidates, positions as jobs};
use crate::StaffError;
use crate::domain::person::Person;
use crate::domain::planning::{Candidate, Warning, conflict};
use crate::domain::position::Position;
use crate::domain::shift::{End, Place, Plan, Shift, ShiftError, ShiftState, Why};
use crate::domain::window::Window;
use crate::domain::words::{CancelReason, EndReason, PlaceRole, UnassignCause};
use crate::infrastructure::{due, people, punches, settings, shifts};

/// When a shift is to be: on the clock of the house, or in UTC.
#[derive(Clone, Copy, Debug)]
pub enum When {
    Local { date: LocalDate, start: LocalTime, end: LocalTime },
    Utc { start: Timestamp, end: Timestamp },
}

impl When {
    fn window(self, zone: &str, now: Timestamp) -> Result<Window, StaffError> {
        let (field, window) = match self {
            Self::Local { date, start, end } => ("localWindow", Window::local(date, start, end, zone)),
            Self::Utc { start, end } => ("windowUtc", Window::utc(start, end, zone)),
        };
        let window = window.and_then(|window| window.within_reach(now));
        Ok(window.map_err(|error| Refusal::invalid(field, error.to_string()))?)
    }
}

/// What somebody says of a new shift.
#[derive(Clone, Debug)]
pub struct NewShift {
    pub property_id: PropertyId,
    pub position_id: PositionId,
    pub when: When,
    pub primary_headcount: i32,
    pub standby_headcount: i32,
    pub break_minutes: Option<i32>,
    pub note: Option<String>,
}

/// What is to be different; what is not named stays.
#[derive(Clone, Debug, Default)]
pub struct ShiftWish {
    pub when: Option<When>,
    pub primary_headcount: Option<i32>,
    pub standby_headcount: Option<i32>,
    pub note: Option<Option<String>>,
}

/// A place that was given, with what speaks against it.
#[derive(Clone, Debug)]
pub struct Given {
    pub shift: ShiftId,
    pub place: Place,
    pub warnings: Vec<Warning>,
}

/// A shift that the caller may look at. A property that the token does not speak for is as good as not there.
pub async fn look_up(uow: &mut UnitOfWork, caller: &Caller, id: &ShiftId) -> Result<Shift, StaffError> {
    let found = shifts::find(uow, id).await?.filter(|shift| caller.properties.include(&shift.property_id));
    Ok(found.ok_or(Refusal::NotFound("shift"))?)
}

/// The shift, locked, if the caller may see it and knows its present version.
async fn load(
    uow: &mut UnitOfWork,
    caller: &Caller,
    if_match: Option<&IfMatch>,
    id: &ShiftId,
) -> Result<Shift, StaffError> {
    let found = shifts::lock(uow, id).await?.filter(|shift| caller.properties.include(&shift.property_id));
    let shift = found.ok_or(Refusal::NotFound("shift"))?;
    IfMatch::check(if_match, shift.version)?;
    Ok(shift)
}

/// Refused where the house is closed.
pub(crate) async fn in_use(uow: &mut UnitOfWork, house: &PropertyId) -> Result<(), StaffError> {
    match due::closed_since(uow, house).await? {
        Some(_) => Err(StaffError::PropertyInactive),
        None => Ok(()),
    }
}

pub async fn schedule(uow: &mut UnitOfWork, caller: &Caller, new: NewShift) -> Result<Shift, StaffError> {
    caller.within(&new.property_id)?;
    in_use(uow, &new.property_id).await?;
    let position = jobs::open_position(uow, &new.position_id).await?;
    let settings = settings::in_force(uow, &new.property_id).await?;
    let now = uow.now();
    let plan = Plan {
        window: new.when.window(&settings.timezone, now)?,
        primary_headcount: new.primary_headcount,
        standby_headcount: new.standby_headcount,
        break_minutes: new.break_minutes,
        note: new.note,
    };
    Ok(uow.save(Shift::schedule(uow.next_id(), new.property_id, &position, plan, now)))
}

/// Planned anew: another window must suit everybody who has a place. Gives the shift with who is there by then.
pub async fn reschedule(
    uow: &mut UnitOfWork,
    caller: &Caller,
    if_match: Option<&IfMatch>,
    id: &ShiftId,
    wish: ShiftWish,
) -> Result<(Shift, Attendance), StaffError> {
    let seen = look_up(uow, caller, id).await?;
    let placed: Vec<_> = seen.active().map(|place| place.staff_id.clone()).collect();
    // People before shifts: whoever assigns one of them meanwhile waits here, or we do.
    let people = people::lock_all(uow, &placed).await?;
    let shift = load(uow, caller, if_match, id).await?;
    let (now, mut plan) = (uow.now(), shift.plan.clone());
    if let Some(when) = wish.when {
        // A shift keeps the zone that it was planned in.
        plan.window = when.window(&plan.window.tz, now)?;
    }
    plan.primary_headcount = wish.primary_headcount.unwrap_or(plan.primary_headcount);
    plan.standby_headcount = wish.standby_headcount.unwrap_or(plan.standby_headcount);
    plan.note = wish.note.unwrap_or(plan.note);
    let Some(decided) = shift.clone().reschedule(plan, now)? else { return attended(uow, shift).await };
    let window = decided.state().plan.window.clone();
    let moved = window != shift.plan.window;
    if moved {
        suits_everybody(uow, &shift, decided.state()).await?;
    }
    let (mut shift, mut punched) = (uow.save(decided), Vec::new());
    for person in &people {
        // It may have come to whoever is there already.
        if moved && now < window.ends_at && shift.place_of(&person.id).is_some() {
            punched.extend(take_along_to_nearest(uow, person, std::slice::from_mut(&mut shift)).await?);
        }
    }
    // What is queued stands in no table yet; what fits nowhere by now counts for nobody.
    punched.retain(|punch| punch.is_orphan() || punch.shift_id.as_ref() == Some(&shift.id));
    let there = Attendance::of(uow, &shift).await?.with_all(punched);
    Ok((shift, there))
}

/// Whether everybody who has a place can be there at the new time: nowhere else, and not on leave.
async fn suits_everybody(uow: &mut UnitOfWork, shift: &Shift, moved: &Shift) -> Result<(), StaffError> {
    let placed: Vec<_> = shift.active().map(|place| place.staff_id.clone()).collect();
    let (persons, window) = (people::find_all(uow, &placed).await?, &moved.plan.window);
    for candidate in candidates::gather(uow, persons, window.starts_at, window.ends_at).await? {
        if window.date != shift.plan.window.date {
            candidate.is_present_on(window.date)?;
        }
        if let Some(other) = conflict(moved, &candidate.engagements) {
            return Err(StaffError::AssignmentOverlap { conflicting_shift_id: other.shift_id.clone() });
        }
    }
    Ok(())
}

/// Gives somebody a place; `force` gives one more than there are, and to somebody without the papers.
pub async fn assign(
    uow: &mut UnitOfWork,
    caller: &Caller,
    (id, if_match): (&ShiftId, Option<&IfMatch>),
    (staff, role, force): (&StaffId, PlaceRole, bool),
) -> Result<Given, StaffError> {
    look_up(uow, caller, id).await?;
    let person = people::lock(uow, staff).await?;
    let person = person.ok_or(StaffError::ReferenceUnknown { field: "staffId", what: "person" })?;
    let shift = load(uow, caller, if_match, id).await?;
    let candidate = candidates::for_shift(uow, person, &shift).await?;
    let position = candidates::position_of(uow, &shift).await?;
    candidate.can_take(&shift, &position, Some(role), force)?;
    let settings = settings::in_force(uow, &shift.property_id).await?;
    let now = uow.now();
    let warnings = candidate.warnings(&shift, &position, &settings, now);
    let (place_id, shift_id): (AssignmentId, _) = (uow.next_id(), shift.id.clone());
    let shift = uow.save(shift.assign(place_id.clone(), staff.clone(), role, Why::Decided, now)?);
    let shift = take_along(uow, &candidate.person, shift).await?;
    let place = shift.active().find(|place| place.id == place_id).cloned().ok_or(ShiftError::AssignmentEnded)?;
    Ok(Given { shift: shift_id, place, warnings })
}

/// Takes a place away, unless the person is there. `if_match` is the version of the place or of its shift.
pub async fn unassign(
    uow: &mut UnitOfWork,
    caller: &Caller,
    if_match: Option<&IfMatch>,
    id: &ShiftId,
    place: &AssignmentId,
) -> Result<Shift, StaffError> {
    let known = shifts::place(uow, place).await?.filter(|(shift, _)| shift == id);
    look_up(uow, caller, id).await?;
    let (_, staff) = known.ok_or(Refusal::NotFound("assignment"))?;
    people::lock(uow, &staff).await?;
    let shift = load(uow, caller, None, id).await?;
    // The place has a version of its own, which whoever gave it was told; the shift's will do as well.
    let own = shift.active().find(|one| one.id == *place).map(|one| one.version);
    if own.is_none_or(|own| IfMatch::check(if_match, own).is_err()) {
        IfMatch::check(if_match, shift.version)?;
    }
    if Attendance::of(uow, &shift).await?.is_in(&staff) {
        return Err(StaffError::StaffClockedIn);
    }
    let now = uow.now();
    Ok(uow.save(shift.unassign(place, UnassignCause::Manual, now)?))
}

/// Calls somebody from standby to work; one who is there already may begin the shift. Without a name the first who can: whoever is
/// there, or else who has waited longest. `force` takes one more than there are places for, and somebody without the papers.
pub async fn promote(
    uow: &mut UnitOfWork,
    caller: &Caller,
    (id, if_match): (&ShiftId, Option<&IfMatch>),
    (named, force): (Option<&AssignmentId>, bool),
) -> Result<Given, StaffError> {
    let seen = look_up(uow, caller, id).await?;
    let placed: Vec<_> = seen.active().map(|place| place.staff_id.clone()).collect();
    // People before shifts, as everywhere.
    let people = people::lock_all(uow, &placed).await?;
    let shift = load(uow, caller, if_match, id).await?;
    if named.is_some_and(|named| shift.places.iter().all(|place| place.id != *named)) {
        return Err(StaffError::ReferenceUnknown { field: "assignmentId", what: "assignment on this shift" });
    }
    let there = Attendance::of(uow, &shift).await?;
    let standbys = shift.standbys(named, |staff| there.is_in(staff))?;
    if !force {
        shift.has_room(PlaceRole::Primary)?;
    }
    let window = shift.plan.window.clone();
    let candidates = candidates::gather(uow, people, window.starts_at, window.ends_at).await?;
    let position = candidates::position_of(uow, &shift).await?;
    let (chosen, candidate) = first_who_can(&shift, standbys, &candidates, &position, force)?;
    let settings = settings::in_force(uow, &shift.property_id).await?;
    let (new, now) = (uow.next_id(), uow.now());
    let warnings = candidate.warnings(&shift, &position, &settings, now);
    let (decided, place) = shift.promote(chosen, new, now)?;
    let mut shift = uow.save(decided);
    if let Some(since) = there.since(&place.staff_id) {
        let primaries = there.primaries_in(&shift);
        if let Some(started) = shift.start(place.staff_id.clone(), since, primaries, now) {
            shift = uow.save(started);
        }
    }
    let shift = take_along(uow, &candidate.person, shift).await?;
    Ok(Given { shift: shift.id, place, warnings })
}

/// The first of those who stand by who can work, or else why the best of them cannot.
fn first_who_can<'a>(
    shift: &Shift,
    standbys: Vec<Place>,
    candidates: &'a [Candidate],
    position: &Position,
    force: bool,
) -> Result<(Place, &'a Candidate), StaffError> {
    let mut refused = None;
    for place in standbys {
        // Whoever came to stand by after the people were locked waits for the next call.
        let Some(candidate) = candidates.iter().find(|one| one.person.id == place.staff_id) else { continue };
        match candidate.can_take(&shift.without(&place.id), position, None, force) {
            Ok(()) => return Ok((place, candidate)),
            Err(unfit) => refused = refused.or(Some(unfit)),
        }
    }
    Err(refused.map_or_else(|| ShiftError::NoStandby.into(), StaffError::from))
}

/// Two people change places; the rules of an assignment hold for both, after both have left.
pub async fn swap(
    uow: &mut UnitOfWork,
    caller: &Caller,
    left: &AssignmentId,
    right: &AssignmentId,
) -> Result<(Given, Given), StaffError> {
    let one = shifts::place(uow, left).await?;
    let other = shifts::place(uow, right).await?;
    let unknown = |field| StaffError::ReferenceUnknown { field, what: "assignment" };
    let one = one.ok_or_else(|| unknown("leftAssignmentId"))?;
    let other = other.ok_or_else(|| unknown("rightAssignmentId"))?;
    let people = people::lock_all(uow, &[one.1.clone(), other.1.clone()]).await?;
    let mut locked = shifts::lock_all(uow, &[one.0.clone(), other.0.clone()]).await?;
    let visible = locked.iter().all(|shift| caller.properties.include(&shift.property_id));
    if !visible {
        return Err(unknown("leftAssignmentId"));
    }
    let mut take = |id: &ShiftId| {
        let at = locked.iter().position(|shift| shift.id == *id)?;
        Some(locked.swap_remove(at))
    };
    let (Some(first), Some(second)) = (take(&one.0), take(&other.0)) else {
        return Err(ShiftError::SwapImpossible.into());
    };
    let find = |id: &StaffId| people.iter().find(|person| person.id == *id);
    let (Some(leaves_first), Some(leaves_second)) = (find(&one.1), find(&other.1)) else {
        return Err(ShiftError::SwapImpossible.into());
    };
    let places = (left, right);
    Shift::swappable(&first, &second, places)?;
    let first_warnings = taking(uow, leaves_second, &first.without(left), &other.0).await?;
    let second_warnings = taking(uow, leaves_first, &second.without(right), &one.0).await?;
    let (now, new) = (uow.now(), (uow.next_id(), uow.next_id()));
    let (decided_first, decided_second) = Shift::swap(first, second, places, new, now)?;
    let (first, second) = (uow.save(decided_first), uow.save(decided_second));
    let (first, second) = (take_along(uow, leaves_second, first).await?, take_along(uow, leaves_first, second).await?);
    let given = |shift: &Shift, staff: &StaffId, warnings| {
        let place = shift.place_of(staff).cloned().ok_or(ShiftError::AssignmentEnded)?;
        Ok::<_, StaffError>(Given { shift: shift.id.clone(), place, warnings })
    };
    Ok((given(&first, &other.1, first_warnings)?, given(&second, &one.1, second_warnings)?))
}

/// Whether a person can take the place they get by a swap, after both have left, and what speaks against it. As many are on the
/// shift as before, so that nobody asks whether there is room.
async fn taking(
    uow: &mut UnitOfWork,
    person: &Person,
    shift: &Shift,
    left: &ShiftId,
) -> Result<Vec<Warning>, StaffError> {
    let mut candidate = candidates::for_shift(uow, person.clone(), shift).await?;
    candidate.engagements.retain(|other| other.shift_id != *left);
    let position = candidates::position_of(uow, shift).await?;
    candidate.can_take(shift, &position, None, false)?;
    let settings = settings::in_force(uow, &shift.property_id).await?;
    Ok(candidate.warnings(shift, &position, &settings, uow.now()))
}

/// Calls a shift off. With force also one that has begun: everybody is clocked out, it ends, and then it is off.
pub async fn cancel(
    uow: &mut UnitOfWork,
    caller: &Caller,
    if_match: Option<&IfMatch>,
    id: &ShiftId,
    (force, note): (bool, Option<String>),
) -> Result<Shift, StaffError> {
    let seen = look_up(uow, caller, id).await?;
    let placed: Vec<_> = seen.active().map(|place| place.staff_id.clone()).collect();
    people::lock_all(uow, &placed).await?;
    let mut shift = load(uow, caller, if_match, id).await?;
    shift.plan.note = note.or(shift.plan.note);
    let now = uow.now();
    let end = match &shift.state {
        ShiftState::Started(_) if force => {
            let there = close_all(uow, &shift, None).await?;
            let (actual_minutes, break_minutes) = there.minutes(now);
            let reason = EndReason::CancelledInProgressForceClose;
            let last_by = there.last_out(&shift).map(|(by, _)| by);
            Some(End { at: now, reason, last_by, actual_minutes, break_minutes })
        }
        _ => None,
    };
    Ok(uow.save(shift.cancel(CancelReason::Manual, end, now)?))
}

/// Shifts that are planned in closed houses are off, so many at a time. Gives how many.
pub(crate) async fn call_off_in_closed_houses(uow: &mut UnitOfWork) -> Result<usize, StaffError> {
    let ids = due::shifts_of_closed_houses(uow).await?;
    call_off(uow, &ids, CancelReason::PropertyDeactivated).await
}

/// Calls off those of these shifts that have not begun: people first, then shifts, each in the order of their ids.
pub(crate) async fn call_off(uow: &mut UnitOfWork, ids: &[ShiftId], why: CancelReason) -> Result<usize, StaffError> {
    let seen = shifts::find_all(uow, ids).await?;
    let mut placed: Vec<_> = seen.iter().flat_map(|shift| shift.active().map(|place| place.staff_id.clone())).collect();
    placed.sort();
    placed.dedup();
    people::lock_all(uow, &placed).await?;
    let (now, mut off) = (uow.now(), 0);
    for shift in shifts::lock_all(uow, ids).await? {
        if matches!(shift.state, ShiftState::Scheduled) {
            uow.save(shift.cancel(why, None, now)?);
            off += 1;
        }
    }
    Ok(off)
}

/// Somebody leaves for good: the places they had on shifts to come are free, and a shift that was theirs alone is off.
/// Gives how many of each.
pub(crate) async fn give_up_all(uow: &mut UnitOfWork, person: &Person) -> Result<(u32, u32), StaffError> {
    let ids = shifts::to_come(uow, &person.id).await?;
    let (mut freed, mut off) = (0, 0);
    if ids.is_empty() {
        return Ok((freed, off));
    }
    let now = uow.now();
    for shift in shifts::lock_all(uow, &ids).await? {
        let Some(place) = shift.place_of(&person.id).map(|place| place.id.clone()) else { continue };
        // A shift of a pattern stays, and shows the hole.
        if shift.origin.is_none() && shift.plan.primary_headcount == 1 && shift.active().count() == 1 {
            uow.save(shift.cancel(CancelReason::StaffTerminated, None, now)?);
            off += 1;
        } else {
            uow.save(shift.unassign(&place, UnassignCause::StaffTerminated, now)?);
            freed += 1;
        }
    }
    Ok((freed, off))
}

/// A shift with who is there.
pub async fn attended(uow: &mut UnitOfWork, shift: Shift) -> Result<(Shift, Attendance), StaffError> {
    let there = Attendance::of(uow, &shift).await?;
    Ok((shift, there))
}

/// Shifts, each with who is there, in one look.
pub async fn attended_all(uow: &mut UnitOfWork, found: Vec<Shift>) -> Result<Vec<(Shift, Attendance)>, StaffError> {
    let ids: Vec<_> = found.iter().map(|shift| shift.id.clone()).collect();
    let mut punched: BTreeMap<ShiftId, Vec<_>> = BTreeMap::new();
    for punch in punches::on_shifts(uow, &ids).await? {
        if let Some(shift) = punch.shift_id.clone() {
            punched.entry(shift).or_default().push(punch);
        }
    }
    let of = |shift: Shift| {
        let own = punched.remove(&shift.id).unwrap_or_default();
        (shift, Attendance::from_punches(own))
    };
    Ok(found.into_iter().map(of).collect())
}
