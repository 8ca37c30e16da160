//! Logins come and go elsewhere, and people here with them. What is told may come twice and in any order: the same people are active
//! and linked in the end.

use contracts::external::{MembershipCreatedV1, MembershipRemovedV1, PropertyDeactivatedV1, UserRegisteredV1};
use contracts::ids::{PropertyId, StaffId};
use contracts::time::Timestamp;
use contracts::values::LocalDate;
use platform::UnitOfWork;

use super::{patterns, people, positions as jobs, shifts, suggestions, tenants_day};
use crate::StaffError;
use crate::domain::person::{Employment, Particulars, Person, Termination};
use crate::domain::words::{CancelReason, EmploymentKind};
use crate::infrastructure::logins::{self, Login};
use crate::infrastructure::{due, people as kept};

const REMOVED: &str = "membership_removed";

fn later(known: Option<Timestamp>, at: Timestamp) -> Timestamp {
    known.map_or(at, |known| known.max(at))
}

/// Somebody has a login now: the person it was made for is linked, and whoever holds it has been seen.
pub async fn register(uow: &mut UnitOfWork, told: UserRegisteredV1, at: Timestamp) -> Result<(), StaffError> {
    let known = logins::lock(uow, &told.user_id).await?;
    let login = Login { registered_at: Some(later(known.registered_at, at)), ..known };
    logins::remember(uow, &told.user_id, login);
    let holder = kept::lock_by_user(uow, &told.user_id).await?;
    let person = match (told.staff_id, holder) {
        (Some(staff), Some(holder)) if holder.id != staff => {
            let named = named(uow, &staff).await?;
            if named.is_terminated() {
                // Nothing becomes theirs any more, and whoever holds the login has been seen.
                holder
            } else if holder.is_shell() {
                // It was made for the login before it was known whose it is, and makes room for the person.
                make_room(uow, holder).await?;
                named
            } else {
                return Err(StaffError::UserAlreadyLinked);
            }
        }
        (_, Some(holder)) => holder,
        (Some(staff), None) => named(uow, &staff).await?,
        // A login of somebody who is not on record: a membership makes them known.
        (None, None) => return Ok(()),
    };
    if person.is_terminated() {
        return Ok(());
    }
    // Another login than the one that is known: that is for people to sort out.
    if person.particulars.user_id.as_ref().is_some_and(|known| *known != told.user_id) {
        return Err(StaffError::UserAlreadyLinked);
    }
    let now = uow.now();
    let Some(decided) = person.link(told.user_id, now) else { return Ok(()) };
    let person = uow.save(decided);
    if login.is_removed() {
        let on = tenants_day(uow, login.removed_at.unwrap_or(at)).await?;
        gone(uow, person, on).await?;
    }
    Ok(())
}

async fn named(uow: &mut UnitOfWork, staff: &StaffId) -> Result<Person, StaffError> {
    let named = kept::lock(uow, staff).await?;
    named.ok_or(StaffError::ReferenceUnknown { field: "staffId", what: "person" })
}

/// A shell ends, and gives up the login that it was made for.
async fn make_room(uow: &mut UnitOfWork, shell: Person) -> Result<(), StaffError> {
    let on = people::today_of(uow, &shell).await?;
    let now = uow.now();
    let shell = if shell.is_terminated() {
        shell
    } else {
        let termination = Termination { reason: "merged_duplicate".to_owned(), on, note: None };
        people::let_go(uow, shell.without_login(), termination, None).await?.0
    };
    if let Some(unlinked) = shell.unlink(now) {
        uow.save(unlinked);
    }
    Ok(())
}

/// A login belongs to the tenant: whoever is not on record gets a shell, and whoever had gone with it is back.
pub async fn join(uow: &mut UnitOfWork, told: MembershipCreatedV1, at: Timestamp) -> Result<(), StaffError> {
    if !told.roles.is_empty() && told.roles.iter().all(|role| role == "service") {
        return Ok(());
    }
    let known = logins::lock(uow, &told.user_id).await?;
    let login = Login { member_at: Some(later(known.member_at, at)), ..known };
    logins::remember(uow, &told.user_id, login);
    if login.is_removed() {
        return Ok(());
    }
    let (now, seen) = (uow.now(), login.registered_at.is_some());
    if let Some(holder) = kept::lock_by_user(uow, &told.user_id).await? {
        if matches!(&holder.employment, Employment::Terminated(ended) if ended.reason == REMOVED) {
            let on = people::today_of(uow, &holder).await?;
            uow.save(holder.reactivate(on, seen, now)?);
        }
        return Ok(());
    }
    let home = match told.home_property_id {
        Some(home) => home,
        None => first_house(uow).await?,
    };
    let position = jobs::position_for(uow, &told.roles).await?;
    let id: StaffId = uow.next_id();
    let staff_code = people::free_code(uow, None, Some(&told.user_id), &id).await?;
    let particulars = Particulars {
        given_name: String::new(),
        family_name: String::new(),
        staff_code,
        property_access: Vec::new(),
        home_property_id: home,
        department_id: position.department_id,
        user_id: Some(told.user_id),
        employment_type: EmploymentKind::FullTime,
        employment_started_at: tenants_day(uow, at).await?,
        employment_ends_at: None,
        email: None,
        phone_e164: None,
        emergency_contact: None,
        languages: Vec::new(),
        skills: Vec::new(),
    };
    uow.save(Person::create(id, particulars, position.id, (None, seen), now));
    Ok(())
}

/// The tenant's first house as far as is known, or one that stands for it.
async fn first_house(uow: &mut UnitOfWork) -> Result<PropertyId, StaffError> {
    if let Some(house) = logins::first_house(uow).await? {
        return Ok(house);
    }
    let tenant = uow.context().tenant.as_str().to_owned();
    let own = tenant.split_once('_').map_or(tenant.as_str(), |(_, own)| own);
    let house = PropertyId::parse(&format!("prp_{own}"));
    house.map_err(|_| StaffError::ReferenceUnknown { field: "homePropertyId", what: "house" })
}

/// A login no longer belongs to the tenant: whoever holds it is gone.
pub async fn leave(uow: &mut UnitOfWork, told: MembershipRemovedV1, at: Timestamp) -> Result<(), StaffError> {
    let known = logins::lock(uow, &told.user_id).await?;
    let login = Login { removed_at: Some(later(known.removed_at, at)), ..known };
    logins::remember(uow, &told.user_id, login);
    let Some(person) = kept::lock_by_user(uow, &told.user_id).await? else { return Ok(()) };
    if person.is_terminated() || !login.is_removed() {
        return Ok(());
    }
    let on = tenants_day(uow, at).await?;
    gone(uow, person, on).await
}

async fn gone(uow: &mut UnitOfWork, person: Person, on: LocalDate) -> Result<(), StaffError> {
    let termination = Termination { reason: REMOVED.to_owned(), on, note: None };
    people::let_go(uow, person, termination, None).await?;
    Ok(())
}

/// A house is closed: its patterns make no more shifts, what was planned there from then on is off, the first of it now and the rest
/// by the timer, and nothing that was proposed for it waits any longer. In the order of the locks: whoever makes shifts of the
/// patterns has made them before, or is refused.
pub async fn close_house(uow: &mut UnitOfWork, told: PropertyDeactivatedV1, at: Timestamp) -> Result<(), StaffError> {
    let since = told.deactivated_at.unwrap_or(at);
    patterns::put_out_of_use(uow, &told.property_id).await?;
    let known = due::closed_since(uow, &told.property_id).await?;
    due::close_house(uow, &told.property_id, since);
    let since = known.map_or(since, |known| known.min(since));
    let ids = due::shifts_to_call_off(uow, &told.property_id, since).await?;
    shifts::call_off(uow, &ids, CancelReason::PropertyDeactivated).await?;
    suggestions::expire_all(uow, &told.property_id).await
}
