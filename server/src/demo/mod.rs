//! The demo: "Hotel Chinar", 48 rooms on 4 floors, on a lively morning. The same seed gives the same hotel.
//!
//! Guests book, come and leave over reservation's own stories, housekeeping hears of them over the bus, staff arrive as events through
//! the same door as everybody's, and the morning's work is told by the same stories that REST tells: the demo shows nothing that the
//! product does not do.

pub mod bookings;
mod guests;
mod morning;
pub mod replay;
mod script;
mod troubles;

use contracts::ids::{PropertyId, StaffId, TenantId};

pub use morning::open;

/// Who and where, for the greeting.
#[derive(Clone, Debug)]
pub struct Hotel {
    pub tenant: TenantId,
    pub property: PropertyId,
    pub supervisor: StaffId,
}
