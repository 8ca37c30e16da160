//! What has to be known of people before they are given places.

use contracts::ids::PositionId;
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
    let engaged = shifts::engagements(uow, &ids, from.plus_seconds(-TWO_WEEKS), to.plus_seconds(TWO_WEEKS)).await?;
    // A day of the house is somewhere within two days of its moment, whatever the zone.
    let days = Days { from: utc_day(from.plus_seconds(-TWO_DAYS)), to: utc_day(to.plus_seconds(TWO_DAYS)) };
    let away = leave::of_people(uow, &ids, days).await?;
    let held = certifications::held(uow, &ids).await?;
    let candidate = |person: Person| {
        let own = |staff: &_| *staff == person.id;
        let absences = away.iter().filter(|leave| own(&leave.staff_id)).map(|leave| Absence {
            leave_request_id: leave.id.clone(),
            days: leave.days,
            approved: leave.state.status() == LeaveStatus::Approved,
        });
        Candidate {
            engagements: engaged.iter().filter(|(staff, _)| own(staff)).map(|(_, one)| one.clone()).collect(),
            absences: absences.collect(),
            held: held.iter().filter(|(staff, _)| own(staff)).map(|(_, one)| one.clone()).collect(),
            person,
        }
    };
    Ok(people.into_iter().map(candidate).collect())
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
