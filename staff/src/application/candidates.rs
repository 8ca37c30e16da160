//! What has to be known of people before they are given places.

use std::collections::HashMap;

use contracts::ids::{PositionId, StaffId};
use contracts::time::Timestamp;
use platform::{Refusal, UnitOfWork};

use super::utc_day;
use crate::StaffError;
use crate::domain::leave::{Days, LeaveStatus};
use crate::domain::person::Person;
use crate::domain::planning::{Absence, Candidate};
use crate::domain::position::Position;
use crate::domain::shift::Shift;
use crate::infrastructure::{certifications, leave, positions, shifts};

const TWO_WEEKS: i64 = 14 * 24 * 60 * 60;
const TWO_DAYS: i64 = 2 * 24 * 60 * 60;

/// These people with their other places, leave and papers around a time: three questions, however many people.
pub(crate) async fn gather(
    uow: &mut UnitOfWork,
    people: Vec<Person>,
    from: Timestamp,
    to: Timestamp,
) -> Result<Vec<Candidate>, StaffError> {
    let ids: Vec<_> = people.iter().map(|person| person.id.clone()).collect();
    let (earliest, latest) = (from.plus_seconds(-TWO_WEEKS), to.plus_seconds(TWO_WEEKS));
    let mut engaged = by_person(shifts::engagements(uow, &ids, earliest, latest).await?);
    // A day of the house is somewhere within two days of its moment, whatever the zone.
    let days = Days { from: utc_day(from.plus_seconds(-TWO_DAYS)), to: utc_day(to.plus_seconds(TWO_DAYS)) };
    let away = leave::of_people(uow, &ids, days).await?.into_iter().map(|leave| {
        let approved = leave.state.status() == LeaveStatus::Approved;
        (leave.staff_id, Absence { leave_request_id: leave.id, days: leave.days, approved })
    });
    let mut away = by_person(away);
    let mut held = by_person(certifications::held(uow, &ids).await?);
    let candidate = |person: Person| Candidate {
        engagements: engaged.remove(&person.id).unwrap_or_default(),
        absences: away.remove(&person.id).unwrap_or_default(),
        held: held.remove(&person.id).unwrap_or_default(),
        person,
    };
    Ok(people.into_iter().map(candidate).collect())
}

/// What is somebody's, for each of them, in the order it came.
fn by_person<T>(all: impl IntoIterator<Item = (StaffId, T)>) -> HashMap<StaffId, Vec<T>> {
    let mut each: HashMap<StaffId, Vec<T>> = HashMap::new();
    for (staff, one) in all {
        each.entry(staff).or_default().push(one);
    }
    each
}

/// One person, around a shift.
pub(crate) async fn for_shift(uow: &mut UnitOfWork, person: Person, shift: &Shift) -> Result<Candidate, StaffError> {
    let window = &shift.plan.window;
    let found = gather(uow, vec![person], window.starts_at, window.ends_at).await?.pop();
    Ok(found.ok_or(Refusal::NotFound("person"))?)
}

/// The position that a shift is for.
pub(crate) async fn position_of(uow: &mut UnitOfWork, shift: &Shift) -> Result<Position, StaffError> {
    find_position(&positions::positions(uow).await?, &shift.position_id)
}

/// A position that a shift names is there: they are never deleted.
pub(crate) fn find_position(all: &[Position], id: &PositionId) -> Result<Position, StaffError> {
    let found = all.iter().find(|position| position.id == *id).cloned();
    Ok(found.ok_or(Refusal::NotFound("position"))?)
}
