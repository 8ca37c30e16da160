//! People ask for leave, whoever leads them decides, and shifts on those days look for somebody else.

use std::collections::{BTreeMap, BTreeSet};

use contracts::ids::{AssignmentId, LeaveRequestId, PropertyId, StaffId, UserId};
use contracts::values::LocalDate;
use platform::auth::Caller;
use platform::http::IfMatch;
use platform::{Refusal, UnitOfWork};

use super::people::{self as persons, sees};
use super::{day_of, is_leader, is_own, is_self, own_id, utc_day};
use crate::StaffError;
use crate::domain::leave::{Days, Leave, LeaveKind, Verdict};
use crate::domain::person::Person;
use crate::domain::words::UnassignCause;
use crate::infrastructure::{leave, people, settings, shifts};

/// Who decides where nobody does.
const NOBODY: &str = "usr_system";
const EARLIEST_DAYS: i64 = 30;
const MOST_DAYS: i32 = 366;

/// What somebody asks for.
#[derive(Clone, Debug)]
pub struct NewLeave {
    /// Oneself, where nobody is named.
    pub staff: Option<StaffId>,
    pub kind: LeaveKind,
    pub days: Days,
    pub reason: Option<String>,
}

/// Who is behind a token, as events name them.
pub(crate) fn user_of(caller: &Caller) -> Result<UserId, StaffError> {
    Ok(UserId::parse(&caller.subject).map_err(|_| Refusal::NotStaff)?)
}

/// The caller, or the one they speak for: leaders may name anybody they see.
async fn whose(uow: &mut UnitOfWork, caller: &Caller, named: Option<StaffId>) -> Result<Person, StaffError> {
    let own = own_id(caller);
    let staff = match (named, own) {
        (Some(named), Ok(own)) if named == own => own,
        (Some(named), _) if is_leader(caller) => named,
        (Some(_), _) => return Err(StaffError::NotSelf { field: "staffId" }),
        (None, own) => own?,
    };
    let person = people::lock(uow, &staff).await?.filter(|person| sees(caller, person));
    person.ok_or(StaffError::ReferenceUnknown { field: "staffId", what: "person" })
}

pub async fn submit(uow: &mut UnitOfWork, caller: &Caller, new: NewLeave) -> Result<Leave, StaffError> {
    let person = whose(uow, caller, new.staff).await?;
    if person.is_terminated() {
        return Err(StaffError::StaffNotActive);
    }
    let days = new.days;
    let today = persons::today_of(uow, &person).await?;
    let earliest = today.0.checked_sub(jiff::Span::new().days(EARLIEST_DAYS)).map_or(today, LocalDate);
    if days.to < days.from {
        return Err(Refusal::invalid("windowLocal", "to is not before from").into());
    }
    if days.from < earliest {
        return Err(Refusal::invalid("windowLocal", format!("from {earliest} on: at most 30 days ago")).into());
    }
    if days.count() > MOST_DAYS {
        return Err(Refusal::invalid("windowLocal", format!("at most {MOST_DAYS} days")).into());
    }
    if let Some(known) = leave::of_people(uow, std::slice::from_ref(&person.id), days).await?.first() {
        return Err(StaffError::LeaveOverlap { conflicting: known.id.clone() });
    }
    let now = uow.now();
    Ok(uow.save(Leave::request(uow.next_id(), person.id, new.kind, days, new.reason, now)))
}

/// A request that the caller may look at: their own, or of somebody they lead.
pub async fn look_up(uow: &mut UnitOfWork, caller: &Caller, id: &LeaveRequestId) -> Result<Leave, StaffError> {
    let unknown = Refusal::NotFound("leave request");
    let Some(found) = leave::find(uow, id).await? else { return Err(unknown.into()) };
    if is_self(caller, &found.staff_id) {
        return Ok(found);
    }
    let person = people::find(uow, &found.staff_id).await?;
    match person {
        Some(person) if is_leader(caller) && sees(caller, &person) => Ok(found),
        _ => Err(unknown.into()),
    }
}

/// The places on shifts to come that the leave is in the way of.
pub async fn conflicts(uow: &mut UnitOfWork, leave: &Leave) -> Result<Vec<AssignmentId>, StaffError> {
    Ok(leave::places(uow, leave).await?.into_iter().map(|(_, place)| place).collect())
}

/// The person and the request, locked in this order.
async fn load(
    uow: &mut UnitOfWork,
    caller: &Caller,
    if_match: Option<&IfMatch>,
    id: &LeaveRequestId,
) -> Result<(Person, Leave), StaffError> {
    let seen = look_up(uow, caller, id).await?;
    let unknown = || Refusal::NotFound("leave request");
    let person = people::lock(uow, &seen.staff_id).await?.ok_or_else(unknown)?;
    let leave = leave::lock(uow, id).await?.ok_or_else(unknown)?;
    IfMatch::check(if_match, leave.version)?;
    Ok((person, leave))
}

/// Granted or not. What is granted frees the places on shifts of those days that have not begun.
pub async fn decide(
    uow: &mut UnitOfWork,
    caller: &Caller,
    if_match: Option<&IfMatch>,
    id: &LeaveRequestId,
    (approve, note): (bool, Option<String>),
) -> Result<Leave, StaffError> {
    let (person, leave) = load(uow, caller, if_match, id).await?;
    if is_own(caller, &person) {
        return Err(StaffError::SelfDecision);
    }
    let verdict = Verdict { by: user_of(caller)?, at: uow.now(), note };
    if !approve {
        return Ok(uow.save(leave.reject(verdict)?));
    }
    leave.undecided("be approved")?;
    let freed = give_up(uow, &leave).await?;
    Ok(uow.save(leave.approve(verdict, freed)?))
}

async fn give_up(uow: &mut UnitOfWork, leave: &Leave) -> Result<Vec<AssignmentId>, StaffError> {
    let places = leave::places(uow, leave).await?;
    let ids: Vec<_> = places.iter().map(|(shift, _)| shift.clone()).collect();
    let locked = shifts::lock_all(uow, &ids).await?;
    let now = uow.now();
    let mut freed = Vec::new();
    for (shift, place) in places {
        let found = locked.iter().find(|known| known.id == shift).cloned();
        // It may have begun, or lost the place, before it was locked.
        let Some(shift) = found.filter(|shift| shift.is_to_come() && shift.active().any(|one| one.id == place)) else {
            continue;
        };
        uow.save(shift.unassign(&place, UnassignCause::LeaveApproved, now)?);
        freed.push(place);
    }
    Ok(freed)
}

/// Given back; places that it cost stay given up.
pub async fn cancel(
    uow: &mut UnitOfWork,
    caller: &Caller,
    if_match: Option<&IfMatch>,
    id: &LeaveRequestId,
) -> Result<Leave, StaffError> {
    let (person, leave) = load(uow, caller, if_match, id).await?;
    let today = persons::today_of(uow, &person).await?;
    let now = uow.now();
    Ok(uow.save(leave.cancel(user_of(caller)?, is_leader(caller), today, now)?))
}

/// Somebody leaves for good: what they asked for is answered by that.
pub(crate) async fn cancel_requests(
    uow: &mut UnitOfWork,
    person: &Person,
    caller: Option<&Caller>,
) -> Result<(), StaffError> {
    let open = leave::lock_open(uow, &person.id).await?;
    if open.is_empty() {
        return Ok(());
    }
    let (now, today) = (uow.now(), persons::today_of(uow, person).await?);
    // Nobody is kept on because the token names its holder in a way that events do not know.
    let by = match caller.map(user_of) {
        Some(Ok(user)) => user,
        Some(Err(_)) | None => UserId::parse(NOBODY).map_err(|_| Refusal::NotStaff)?,
    };
    for request in open {
        uow.save(request.cancel(by.clone(), true, today, now)?);
    }
    Ok(())
}

/// Whether approved leave covers today, where the person belongs.
pub async fn is_on_leave(uow: &mut UnitOfWork, person: &Person) -> Result<bool, StaffError> {
    Ok(!away_today(uow, Some(&person.id)).await?.is_empty())
}

/// Everybody whom approved leave covers today.
pub async fn on_leave_today(uow: &mut UnitOfWork) -> Result<BTreeSet<StaffId>, StaffError> {
    away_today(uow, None).await
}

async fn away_today(uow: &mut UnitOfWork, one: Option<&StaffId>) -> Result<BTreeSet<StaffId>, StaffError> {
    let now = uow.now();
    // Somewhere it is yesterday, and somewhere tomorrow.
    let around = Days { from: utc_day(now.plus_seconds(-24 * 60 * 60)), to: utc_day(now.plus_seconds(24 * 60 * 60)) };
    let mut days: BTreeMap<PropertyId, LocalDate> = BTreeMap::new();
    let mut found = BTreeSet::new();
    for away in leave::away(uow, around, one).await? {
        let today = if let Some(known) = days.get(&away.home_property_id) {
            *known
        } else {
            let today = day_of(now, &settings::in_force(uow, &away.home_property_id).await?);
            days.insert(away.home_property_id.clone(), today);
            today
        };
        if away.days.cover(today) {
            found.insert(away.staff_id);
        }
    }
    Ok(found)
}
