//! Who cleans what, in which order, and why.

mod error;
mod fair_share;
pub mod instance;
mod problem;
mod random;
pub mod score;
mod search;
mod terms;
mod validate;
mod weights;

pub use error::{Flaw, PlannerError};
pub use instance::Instance;
pub use terms::Terms;
pub use weights::{Milli, UNITS_PER_MINUTE, Weights};

#[doc(hidden)]
pub fn trial(instance: &Instance, moves: u64, seed: u64) -> (Vec<Vec<usize>>, u64) {
    let problem = problem::Problem::new(instance).unwrap();
    let found = search::search(&problem, moves, seed, &|| false);
    (found.rounds, found.evaluated)
}
