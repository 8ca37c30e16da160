//! A guest asks to be forgotten: who comes again is known by the hashes alone.

use contracts::ids::{GuestId, ReservationId};
use platform::Decided;
use platform::decided::Aggregate;

/// The act by which a guest's name and contacts are forgotten.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Erasure {
    pub guest: GuestId,
    /// What they ever booked: others keep what they keep of them under these.
    pub reservations: Vec<ReservationId>,
    pub version: i32,
}

/// Everybody who keeps something of the guest is told; who did it and when is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Erased;

impl Aggregate for Erasure {
    type Event = Erased;
    fn version_mut(&mut self) -> &mut i32 {
        &mut self.version
    }
}

impl Erasure {
    pub fn of(guest: GuestId, reservations: Vec<ReservationId>) -> Decided<Self> {
        Decided::opened(Self { guest, reservations, version: 0 }, Erased)
    }
}
