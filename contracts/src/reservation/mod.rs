//! What reservation publishes. Its enumerations are open, because other contexts read them.

mod stay;

pub use stay::*;
