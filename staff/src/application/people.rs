//! People begin, change, leave and come back.

use contracts::ids::{DepartmentId, PositionId, PropertyId, StaffId, UserId};
use contracts::values::LocalDate;
use platform::auth::Caller;
use platform::http::IfMatch;
use platform::{Refusal, UnitOfWork};

use super::pin::Taken;
use super::{day_of, is_manager, is_self, leave, pin, positions as jobs, presence, shifts};
use crate::StaffError;
use crate::domain::person::{Cascade, EmergencyContact, IllegalTransition, Particulars, Person, Termination};
use crate::domain::pin::{Pin, PinHash};
use crate::domain::punch::PunchSource;
use crate::domain::words::{EmploymentKind, Standing};
use crate::infrastructure::{logins, people, settings};

/// What a manager says of somebody new.
#[derive(Clone, Debug)]
pub struct NewPerson {
    pub given_name: String,
    pub family_name: String,
    pub home_property_id: PropertyId,
    pub position_id: PositionId,
    pub employment_type: EmploymentKind,
    pub employment_started_at: LocalDate,
    pub department_id: Option<DepartmentId>,
    pub staff_code: Option<String>,
    pub property_access: Option<Vec<PropertyId>>,
    pub user_id: Option<UserId>,
    pub employment_ends_at: Option<LocalDate>,
    pub email: Option<String>,
    pub phone_e164: Option<String>,
    pub emergency_contact: Option<EmergencyContact>,
    pub languages: Vec<String>,
    pub skills: Vec<String>,
    /// With what is kept of it.
    pub pin: Option<(Pin, PinHash)>,
}

/// What is to be different; what is not named stays.
#[derive(Clone, Debug, Default)]
pub struct PersonWish {
    pub given_name: Option<String>,
    pub family_name: Option<String>,
    pub staff_code: Option<String>,
    pub home_property_id: Option<PropertyId>,
    pub property_access: Option<Vec<PropertyId>>,
    pub department_id: Option<DepartmentId>,
    pub user_id: Option<Option<UserId>>,
    pub employment_type: Option<EmploymentKind>,
    pub employment_started_at: Option<LocalDate>,
    pub employment_ends_at: Option<Option<LocalDate>>,
    pub email: Option<Option<String>>,
    pub phone_e164: Option<Option<String>>,
    pub emergency_contact: Option<Option<EmergencyContact>>,
    pub languages: Option<Vec<String>>,
    pub skills: Option<Vec<String>>,
    pub standing: Option<Standing>,
}

impl PersonWish {
    /// The first thing in it that nobody changes for themselves.
    fn a_managers_matter(&self) -> Option<&'static str> {
        let named = [
            ("givenName", self.given_name.is_some()),
            ("familyName", self.family_name.is_some()),
            ("staffCode", self.staff_code.is_some()),
            ("homePropertyId", self.home_property_id.is_some()),
            ("propertyAccess", self.property_access.is_some()),
            ("departmentId", self.department_id.is_some()),
            ("userId", self.user_id.is_some()),
            ("employmentType", self.employment_type.is_some()),
            ("employmentStartedAt", self.employment_started_at.is_some()),
            ("employmentEndsAt", self.employment_ends_at.is_some()),
            ("skills", self.skills.is_some()),
            ("employmentStatus", self.standing.is_some()),
        ];
        named.into_iter().find_map(|(field, named)| named.then_some(field))
    }

    fn applied_to(self, mut of: Particulars) -> Particulars {
        of.given_name = self.given_name.unwrap_or(of.given_name);
        of.family_name = self.family_name.unwrap_or(of.family_name);
        of.staff_code = self.staff_code.unwrap_or(of.staff_code);
        of.home_property_id = self.home_property_id.unwrap_or(of.home_property_id);
        of.property_access = self.property_access.unwrap_or(of.property_access);
        of.department_id = self.department_id.unwrap_or(of.department_id);
        of.user_id = self.user_id.unwrap_or(of.user_id);
        of.employment_type = self.employment_type.unwrap_or(of.employment_type);
        of.employment_started_at = self.employment_started_at.unwrap_or(of.employment_started_at);
        of.employment_ends_at = self.employment_ends_at.unwrap_or(of.employment_ends_at);
        of.email = self.email.unwrap_or(of.email);
        of.phone_e164 = self.phone_e164.unwrap_or(of.phone_e164);
        of.emergency_contact = self.emergency_contact.unwrap_or(of.emergency_contact);
        of.languages = self.languages.unwrap_or(of.languages);
        of.skills = self.skills.unwrap_or(of.skills);
        of
    }
}

/// Whether the token speaks for one of the person's houses, or is the person's own.
pub fn sees(caller: &Caller, person: &Person) -> bool {
    is_self(caller, &person.id)
        || person.particulars.property_access.iter().any(|house| caller.properties.include(house))
}

/// A person that the caller may look at. Somebody in other houses is as good as not there.
pub async fn look_up(uow: &mut UnitOfWork, caller: &Caller, id: &StaffId) -> Result<Person, StaffError> {
    let found = people::find(uow, id).await?.filter(|person| sees(caller, person));
    Ok(found.ok_or(Refusal::NotFound("person"))?)
}

/// The person, locked, if the caller may see them and knows their present version.
pub async fn load(
    uow: &mut UnitOfWork,
    caller: &Caller,
    if_match: Option<&IfMatch>,
    id: &StaffId,
) -> Result<Person, StaffError> {
    let found = people::lock(uow, id).await?.filter(|person| sees(caller, person));
    let person = found.ok_or(Refusal::NotFound("person"))?;
    IfMatch::check(if_match, person.version)?;
    Ok(person)
}

/// Somebody new.
pub async fn create(uow: &mut UnitOfWork, caller: &Caller, new: NewPerson) -> Result<Person, StaffError> {
    let id = uow.next_id();
    create_as(uow, caller, id, new).await
}

/// Somebody new whose id is known before: from a house that is moved here, or drawn from a seed.
pub async fn create_as(
    uow: &mut UnitOfWork,
    caller: &Caller,
    id: StaffId,
    new: NewPerson,
) -> Result<Person, StaffError> {
    caller.within(&new.home_property_id)?;
    for house in new.property_access.iter().flatten() {
        caller.within(house)?;
    }
    let seen = has_been_seen(uow, new.user_id.as_ref()).await?;
    let position = jobs::open_position(uow, &new.position_id).await?;
    let department_id = jobs::department_of(uow, new.department_id, &position).await?;
    let staff_code = free_code(uow, new.staff_code, new.user_id.as_ref(), &id).await?;
    in_order(new.employment_started_at, new.employment_ends_at)?;
    let pin = match new.pin {
        Some((pin, hash)) => {
            check_pin(uow, &new.home_property_id, &pin).await?;
            Some(hash)
        }
        None => None,
    };
    let particulars = Particulars {
        given_name: new.given_name,
        family_name: new.family_name,
        staff_code,
        property_access: new.property_access.unwrap_or_default(),
        home_property_id: new.home_property_id,
        department_id,
        user_id: new.user_id,
        employment_type: new.employment_type,
        employment_started_at: new.employment_started_at,
        employment_ends_at: new.employment_ends_at,
        email: new.email,
        phone_e164: new.phone_e164,
        emergency_contact: new.emergency_contact,
        languages: new.languages,
        skills: new.skills,
    };
    let now = uow.now();
    Ok(uow.save(Person::create(id, particulars, position.id, (pin, seen), now)))
}

/// Whether somebody has come with this login and still may. What is told of it meanwhile waits: logins come before people.
async fn has_been_seen(uow: &mut UnitOfWork, user: Option<&UserId>) -> Result<bool, StaffError> {
    let Some(user) = user else { return Ok(false) };
    let login = logins::lock(uow, user).await?;
    Ok(login.registered_at.is_some() && !login.is_removed())
}

/// The code that was asked for, or the next one, if both it and the login are nobody else's.
pub(crate) async fn free_code(
    uow: &mut UnitOfWork,
    wanted: Option<String>,
    user: Option<&UserId>,
    own: &StaffId,
) -> Result<String, StaffError> {
    let claims = people::claims(uow, wanted.as_deref(), user, own).await?;
    if claims.user_taken {
        return Err(StaffError::UserAlreadyLinked);
    }
    match wanted {
        Some(code) if claims.code_taken => Err(StaffError::StaffCodeTaken { code }),
        Some(code) => Ok(code),
        None => Ok(format!("S-{:04}", people::next_code_number(uow).await?)),
    }
}

fn in_order(begins: LocalDate, ends: Option<LocalDate>) -> Result<(), StaffError> {
    match ends {
        Some(ends) if ends < begins => {
            Err(Refusal::invalid("employmentEndsAt", "not before employmentStartedAt").into())
        }
        _ => Ok(()),
    }
}

/// What is on record is put right: all of it by a manager, the own contacts and languages by oneself.
pub async fn update(
    uow: &mut UnitOfWork,
    caller: &Caller,
    if_match: Option<&IfMatch>,
    id: &StaffId,
    wish: PersonWish,
) -> Result<Person, StaffError> {
    let seen = has_been_seen(uow, wish.user_id.as_ref().and_then(Option::as_ref)).await?;
    let person = load(uow, caller, if_match, id).await?;
    if !is_manager(caller) {
        if !is_self(caller, id) {
            return Err(StaffError::NotSelf { field: "staffId" });
        }
        if let Some(field) = wish.a_managers_matter() {
            return Err(StaffError::NotSelf { field });
        }
    }
    for house in wish.home_property_id.iter().chain(wish.property_access.iter().flatten()) {
        // Houses that the person has already may stay, whoever asks.
        if !person.particulars.property_access.contains(house) {
            caller.within(house)?;
        }
    }
    if let Some(department) = &wish.department_id {
        let position = jobs::known_position(uow, &person.position_id).await?;
        jobs::department_of(uow, Some(department.clone()), &position).await?;
    }
    if wish.staff_code.is_some() || matches!(wish.user_id, Some(Some(_))) {
        let user = wish.user_id.clone().flatten();
        let code = wish.staff_code.clone().unwrap_or_else(|| person.particulars.staff_code.clone());
        free_code(uow, Some(code), user.as_ref(), id).await?;
    }
    let (now, standing) = (uow.now(), wish.standing);
    let wanted = wish.applied_to(person.particulars.clone());
    in_order(wanted.employment_started_at, wanted.employment_ends_at)?;
    Ok(match person.clone().update(wanted, (standing, seen), now)? {
        Some(decided) => uow.save(decided),
        None => person,
    })
}

/// Another job from a day on.
pub async fn change_position(
    uow: &mut UnitOfWork,
    caller: &Caller,
    if_match: Option<&IfMatch>,
    id: &StaffId,
    (to, department, effective_at): (PositionId, Option<DepartmentId>, Option<LocalDate>),
) -> Result<Person, StaffError> {
    let person = load(uow, caller, if_match, id).await?;
    let position = jobs::open_position(uow, &to).await?;
    let department = jobs::department_of(uow, department, &position).await?;
    let today = today_of(uow, &person).await?;
    let now = uow.now();
    let decided = person.clone().change_position(to, department, effective_at.unwrap_or(today), now)?;
    Ok(match decided {
        Some(decided) => uow.save(decided),
        None => person,
    })
}

/// Whether a new PIN is hard enough to guess for the house.
async fn check_pin(uow: &mut UnitOfWork, house: &PropertyId, pin: &Pin) -> Result<(), StaffError> {
    let settings = settings::in_force(uow, house).await?;
    match pin.weakness(settings.pin_min_length) {
        Some(rule) => Err(StaffError::PinWeak { rule }),
        None => Ok(()),
    }
}

/// Another PIN, or none any more: by a manager, or by oneself with the present one, which was looked at before.
pub async fn set_pin(
    uow: &mut UnitOfWork,
    caller: &Caller,
    if_match: Option<&IfMatch>,
    (id, shown): (&StaffId, Option<&Taken>),
    new: Option<(Pin, PinHash)>,
) -> Result<Person, StaffError> {
    let person = load(uow, caller, if_match, id).await?;
    let person = match shown {
        Some(taken) if taken.staff_id == *id => pin::accept(uow, taken).await?,
        Some(_) => return Err(StaffError::PinRefused),
        None if is_manager(caller) => person,
        None => return Err(StaffError::NotSelf { field: "currentPin" }),
    };
    let hash = match new {
        Some((pin, hash)) => {
            check_pin(uow, &person.particulars.home_property_id, &pin).await?;
            Some(hash)
        }
        None => None,
    };
    let now = uow.now();
    Ok(match person.clone().set_pin(hash, now)? {
        Some(decided) => uow.save(decided),
        None => person,
    })
}

/// The end of an employment, at once, with everything that follows from it.
pub async fn terminate(
    uow: &mut UnitOfWork,
    caller: &Caller,
    if_match: Option<&IfMatch>,
    id: &StaffId,
    (reason, effective_at, note): (String, Option<LocalDate>, Option<String>),
) -> Result<(Person, Cascade), StaffError> {
    let person = load(uow, caller, if_match, id).await?;
    let today = today_of(uow, &person).await?;
    let termination = Termination { reason, on: effective_at.unwrap_or(today), note };
    let_go(uow, person, termination, Some(caller)).await
}

/// What follows from somebody's leaving, and the leaving itself, in this order. Without a caller it is a timer's or an event's doing.
pub(crate) async fn let_go(
    uow: &mut UnitOfWork,
    person: Person,
    termination: Termination,
    caller: Option<&Caller>,
) -> Result<(Person, Cascade), StaffError> {
    if person.is_terminated() {
        // Before anything follows from it.
        return Err(IllegalTransition { from: Standing::Terminated, action: "be terminated" }.into());
    }
    let stopped_by = if caller.is_some() { PunchSource::ManagerOverride } else { PunchSource::AutoClose };
    let was_on_leave = leave::is_on_leave(uow, &person).await?;
    let open_clock_closed = presence::stop(uow, &person, stopped_by).await?;
    let (assignments_unassigned, shifts_cancelled) = shifts::give_up_all(uow, &person).await?;
    leave::cancel_requests(uow, &person, caller).await?;
    let cascade = Cascade { open_clock_closed, assignments_unassigned, shifts_cancelled, was_on_leave };
    let now = uow.now();
    Ok((uow.save(person.terminate(termination, cascade, now)?), cascade))
}

/// Somebody comes back.
pub async fn reactivate(
    uow: &mut UnitOfWork,
    caller: &Caller,
    if_match: Option<&IfMatch>,
    id: &StaffId,
    effective_at: Option<LocalDate>,
) -> Result<Person, StaffError> {
    let person = load(uow, caller, if_match, id).await?;
    let today = today_of(uow, &person).await?;
    let now = uow.now();
    // Whoever brings somebody back by hand knows them: a login is enough.
    let linked = person.particulars.user_id.is_some();
    Ok(uow.save(person.reactivate(effective_at.unwrap_or(today), linked, now)?))
}

/// What is known of somebody who is gone is taken away; what they worked stays for as long as the law wants it.
pub async fn erase(
    uow: &mut UnitOfWork,
    caller: &Caller,
    if_match: Option<&IfMatch>,
    id: &StaffId,
) -> Result<Person, StaffError> {
    let person = load(uow, caller, if_match, id).await?;
    let (fresh, now) = (uow.next_id::<StaffId>().to_string(), uow.now());
    let tail = fresh.len().saturating_sub(8);
    let code = format!("X-{}", fresh[tail..].to_ascii_uppercase());
    let erased = person.erase(code, now).ok_or(StaffError::NotErasable)?;
    Ok(uow.save(erased))
}

/// The day it is where the person belongs.
pub(crate) async fn today_of(uow: &mut UnitOfWork, person: &Person) -> Result<LocalDate, StaffError> {
    let settings = settings::in_force(uow, &person.particulars.home_property_id).await?;
    Ok(day_of(uow.now(), &settings))
}
