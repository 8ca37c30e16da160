//! A guest asks to be forgotten: who comes again is known by the hashes alone.

use contracts::ids::GuestId;
use platform::Decided;
use platform::decided::Aggregate;

/// The act by which a guest's name and contacts are forgotten.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Erasure {
    pub guest: GuestId,
    pub version: i32,
}

/// Nobody else is told; who did it and when is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Erased;

impl Aggregate for Erasure {
    type Event = Erased;
    fn version_mut(&mut self) -> &mut i32 {
        &mut self.version
    }
}

impl Erasure {
    pub fn of(guest: GuestId) -> Decided<Self> {
        Decided::opened(Self { guest, version: 0 }, Erased)
    }
}
