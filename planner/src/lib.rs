//! Who cleans what, in which order, and why.
//!
//! [`solve`] turns an [`Instance`] into a [`Plan`]. The crate is pure: it reads no file, no clock and no chance but
//! the seed, so the same instance, budget and seed give the same bytes on every machine. A caller with a clock may
//! end the search early; the plan then says so.

mod error;
mod explain;
mod fair_share;
pub mod instance;
mod morning;
mod plan;
mod problem;
mod random;
mod reason;
pub mod report;
pub mod score;
mod search;
pub mod svg;
mod terms;
mod validate;
mod weights;
mod what_if;

pub use error::{Flaw, PlannerError};
pub use instance::Instance;
pub use morning::{Morning, Options, ShouldStop, solve};
pub use plan::{Day, LateRoom, MovedTask, OpenTask, Plan, Row};
pub use reason::{Code, Reason};
pub use terms::Terms;
pub use validate::{MOST_PEOPLE, MOST_TASKS};
pub use weights::{Milli, UNITS_PER_MINUTE, Weights};
pub use what_if::{Desk, LatenessChange, Obstacle, WhatIf};
