//! The stories of staff: people begin, change and leave; shifts are planned and filled; the clock is punched.

mod candidates;
mod each_tenant;

pub mod calendar;
pub mod certifications;
pub mod clock;
pub mod export;
pub mod handoffs;
pub mod leave;
pub mod linking;
pub mod patterns;
pub mod people;
pub mod pin;
pub mod planning_views;
pub mod positions;
pub mod presence;
pub mod roster;
pub mod settings;
pub mod shift_views;
pub mod shifts;
pub mod suggestions;
pub mod swap_requests;
pub mod timers;
pub mod timesheet;
pub mod views;

use contracts::ids::StaffId;
use contracts::time::Timestamp;
use contracts::values::LocalDate;
use platform::auth::Caller;
use platform::auth::Role::{Admin, PropertyManager, Supervisor};
use platform::{Refusal, UnitOfWork};

use crate::StaffError;
use crate::domain::person::Person;
use crate::domain::settings::Settings;
use crate::infrastructure::settings as settings_in_force;

/// The person behind the token: as it says, or the account itself where that is one of the staff. Any other login is nobody here.
pub fn own_id(caller: &Caller) -> Result<StaffId, Refusal> {
    let said = caller.staff.is_some() || caller.subject.starts_with("stf_");
    if said { caller.as_staff() } else { Err(Refusal::NotStaff) }
}

/// Whether the caller is this person, by what the token says.
pub fn is_self(caller: &Caller, person: &StaffId) -> bool {
    own_id(caller).is_ok_and(|own| own == *person)
}

/// Whether this is about the caller, though the token may name no more than their login: nobody decides on what is their own.
fn is_own(caller: &Caller, person: &Person) -> bool {
    let login = person.particulars.user_id.as_ref();
    is_self(caller, &person.id) || login.is_some_and(|login| login.as_str() == caller.subject)
}

/// Who employs and dismisses.
pub fn is_manager(caller: &Caller) -> bool {
    caller.roles.any_of(&[PropertyManager, Admin])
}

/// Who plans and approves.
pub fn is_leader(caller: &Caller) -> bool {
    caller.roles.any_of(&[Supervisor, PropertyManager, Admin])
}

/// The day it is in UTC: within a day of the one it is in any house.
fn utc_day(at: Timestamp) -> LocalDate {
    LocalDate(at.jiff().to_zoned(jiff::tz::TimeZone::UTC).date())
}

/// The day it was for the tenant, on no house's own clock.
async fn tenants_day(uow: &mut UnitOfWork, at: Timestamp) -> Result<LocalDate, StaffError> {
    let (tenants, _) = settings_in_force::load(uow, None).await?;
    Ok(day_of(at, &tenants))
}

/// The day it is in a house.
pub fn day_of(at: Timestamp, settings: &Settings) -> LocalDate {
    LocalDate(at.jiff().to_zoned(settings.zone()).date())
}
