//! What reservation publishes. Its enumerations are open, because other contexts read them.

mod alert;
mod booking;
mod change;
mod guest;
mod parts;
mod room_change;
mod state_override;
mod stay;

pub use alert::*;
pub use booking::*;
pub use change::*;
pub use guest::*;
pub use parts::*;
pub use room_change::*;
pub use state_override::*;
pub use stay::*;
