//! The stories of staff: people begin, change and leave; shifts are planned and filled; the clock is punched.

mod candidates;

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

use crate::domain::settings::Settings;

/// Whether the caller is this person.
pub fn is_self(caller: &Caller, person: &StaffId) -> bool {
    caller.staff.as_ref() == Some(person)
}

/// Who employs and dismisses.
pub fn is_manager(caller: &Caller) -> bool {
    caller.roles.any_of(&[PropertyManager, Admin])
}

/// Who plans and approves.
pub fn is_leader(caller: &Caller) -> bool {
    caller.roles.any_of(&[Supervisor, PropertyManager, Admin])
}

/// The day it is in a house.
pub fn day_of(at: Timestamp, settings: &Settings) -> LocalDate {
    LocalDate(at.jiff().to_zoned(settings.zone()).date())
}
