//! The demo: "Hotel Chinar", 48 rooms on 4 floors, on a lively morning. The same seed gives the same hotel.
//!
//! Guests book, come and leave over reservation's own stories, people are employed and come to work over staff's, housekeeping hears of
//! both over the bus, and the morning's work is told by the same stories that REST tells: the demo shows nothing that the product does
//! not do.

pub mod book;
pub mod bookings;
mod days_before;
mod guests;
mod house;
mod morning;
mod people;
pub mod replay;
mod rounds;
mod script;
mod troubles;
mod week_before;

use contracts::ids::{PropertyId, StaffId, TenantId};
use platform::auth::Role;

pub use morning::open;
pub use people::{Member, PIN};

/// Whom a visitor may be in the demo hotel: one of each role.
#[derive(Clone, Debug)]
pub struct Visitors {
    pub tenant: TenantId,
    pub property: PropertyId,
    pub people: Vec<(Role, StaffId)>,
}

/// They follow from the seed alone, before the hotel is opened.
pub fn visitors(seed: u64) -> Visitors {
    let script = script::Script::from_seed(seed);
    let mut people = vec![(Role::Supervisor, script.supervisor.id), (Role::PropertyManager, script.others.manager.id)];
    people.extend(script.others.desk.first().map(|person| (Role::FrontDesk, person.id.clone())));
    people.extend(script.housekeepers.first().map(|person| (Role::Housekeeper, person.id.clone())));
    Visitors { tenant: script.tenant, property: script.property, people }
}

/// Who and where, for the greeting.
#[derive(Clone, Debug)]
pub struct Hotel {
    pub tenant: TenantId,
    pub property: PropertyId,
    pub supervisor: StaffId,
    /// Everybody who works there.
    pub people: Vec<Member>,
}
