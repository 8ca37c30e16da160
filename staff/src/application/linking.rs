//! Logins come and go elsewhere, and people here with them.

use contracts::external::{MembershipRemovedV1, UserRegisteredV1};
use platform::UnitOfWork;

use super::people;
use crate::StaffError;
use crate::domain::person::Termination;
use crate::domain::punch::PunchSource;
use crate::infrastructure::people as kept;

/// Somebody has a login now: the person it was made for is linked, and whoever holds it has been seen.
pub async fn register(uow: &mut UnitOfWork, told: UserRegisteredV1) -> Result<(), StaffError> {
    let holder = kept::lock_by_user(uow, &told.user_id).await?;
    let person = match (&told.staff_id, holder) {
        (Some(staff), Some(holder)) if holder.id != *staff => return Err(StaffError::UserAlreadyLinked),
        (_, Some(holder)) => holder,
        (Some(staff), None) => {
            let named = kept::lock(uow, staff).await?;
            named.ok_or(StaffError::ReferenceUnknown { field: "staffId", what: "person" })?
        }
        // A login of somebody who is not on record: a membership makes them known.
        (None, None) => return Ok(()),
    };
    // Another login than the one that is known: that is for people to sort out.
    if person.particulars.user_id.as_ref().is_some_and(|known| *known != told.user_id) {
        return Err(StaffError::UserAlreadyLinked);
    }
    let now = uow.now();
    if let Some(decided) = person.link(told.user_id, now) {
        uow.save(decided);
    }
    Ok(())
}

/// A login no longer belongs to the tenant: whoever holds it is gone.
pub async fn leave(uow: &mut UnitOfWork, told: MembershipRemovedV1) -> Result<(), StaffError> {
    let Some(person) = kept::lock_by_user(uow, &told.user_id).await? else { return Ok(()) };
    if person.is_terminated() {
        return Ok(());
    }
    let on = people::today_of(uow, &person).await?;
    let termination = Termination { reason: "membership_removed".to_owned(), on, note: None };
    people::let_go(uow, person, termination, PunchSource::AutoClose).await?;
    Ok(())
}
