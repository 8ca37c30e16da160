//! What other services publish and one of the three contexts reads.
//!
//! No document defines most of these: the types hold the least a reader needs, and everything else passes.

mod lodging;
mod money_and_keys;
mod people;

pub use lodging::*;
pub use money_and_keys::*;
pub use people::*;
