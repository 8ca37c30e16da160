//! Housekeeping: tasks, rooms, checklists, inspections, and the board that shows them.
//!
//! `domain` decides, `application` tells the stories, `infrastructure` keeps, `presentation` translates.

pub mod application;
pub mod domain;
pub mod infrastructure;
pub mod presentation;

mod error;

pub use error::HousekeepingError;
pub use infrastructure::{MIGRATIONS, SCHEMA};
