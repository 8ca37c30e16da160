//! What housekeeping publishes.

mod checklist;
mod inspection;
mod linen;
mod lost_item;
mod room;
mod shift;
mod task;
mod task_words;

pub use checklist::*;
pub use inspection::*;
pub use linen::*;
pub use lost_item::*;
pub use room::*;
pub use shift::*;
pub use task::*;
pub use task_words::*;
