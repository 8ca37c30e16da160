//! What staff publishes. Its enumerations are open, because other contexts read them.

mod absence;
mod clock;
mod person;
mod shift;

pub use absence::*;
pub use clock::*;
pub use person::*;
pub use shift::*;
