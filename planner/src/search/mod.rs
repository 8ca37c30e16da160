//! From an instance to the tours of a good plan.

pub(crate) mod anneal;
pub(crate) mod construct;
pub(crate) mod descent;
mod parts;
mod price;
pub(crate) mod propose;
#[cfg(test)]
mod tests;
pub(crate) mod tours;

use crate::problem::Problem;
use crate::random::Chance;
use crate::weights::UNITS_PER_MINUTE;
use anneal::{Chain, Effort, Schedule};
use propose::Neighbours;
use tours::Tours;

/// Chains side by side, one for each core of a small machine.
const CHAINS: usize = 2;
/// Moves for each task after which a chain gains more by going on from its best plan, warmed up a little, than by
/// cooling more slowly.
const MOVES_PER_TASK: u64 = 18_000;
const MOST_CYCLES: u64 = 8;
const FIRST_HEAT: i64 = 15 * UNITS_PER_MINUTE / 2;
const LATER_HEAT: i64 = 5 * UNITS_PER_MINUTE / 2;
/// Beyond this many tasks the house is searched in parts, unless there are moves enough to search it as a whole.
const MANY_TASKS: usize = 500;

/// What a search has found.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    pub(crate) rounds: Vec<Vec<usize>>,
    /// Moves that were priced, over all chains.
    pub(crate) evaluated: u64,
    pub(crate) truncated: bool,
}

/// The budget that takes somewhat less than a second on two cores of a small machine.
pub(crate) fn usual_moves(problem: &Problem) -> u64 {
    match problem.jobs.len() {
        0..=30 => 8_000_000,
        31..=MANY_TASKS => 18_000_000,
        _ => 16_000_000,
    }
}

/// Searches with all chains side by side, then takes the last steps down.
pub(crate) fn search(problem: &Problem, moves: u64, seed: u64, should_stop: &(dyn Fn() -> bool + Sync)) -> Found {
    let start = construct::first_plan(problem);
    let tasks = problem.jobs.len();
    let mut found = if tasks > MANY_TASKS && moves / (CHAINS as u64) < MOVES_PER_TASK * tasks as u64 {
        parts::search_in_parts(&start, moves, seed, should_stop)
    } else {
        search_whole(&start, moves, seed, should_stop)
    };
    let mut tours = Tours::of(problem, &found.rounds);
    descent::settle(&mut tours);
    found.rounds = tours.rounds();
    found
}

/// Each chain searches the whole house. After a full cooling the best plan of all chains is warmed up a little and cooled
/// again, as often as the budget is good for.
fn search_whole(start: &Tours<'_>, moves: u64, seed: u64, should_stop: &(dyn Fn() -> bool + Sync)) -> Found {
    let problem = start.problem;
    let neighbours = Neighbours::of(problem);
    let moves = moves / CHAINS as u64;
    let cycles = (moves / (MOVES_PER_TASK * problem.jobs.len().max(1) as u64)).clamp(1, MOST_CYCLES);
    let mut chance = Chance::from_seed(seed);
    let mut best = (start.cost, start.rounds());
    let mut total = Effort::default();
    for cycle in 0..cycles {
        let seeds = [(); CHAINS].map(|()| chance.bits());
        let hot = if cycle == 0 { FIRST_HEAT } else { LATER_HEAT };
        let results = side_by_side(|number| {
            let mut chain = Chain::new(Tours::of(problem, &best.1), &neighbours, seeds[number]);
            let effort = chain.run(Schedule { moves: moves / cycles, hot, stretch: 0, stretches: 1 }, should_stop);
            (chain.best_plan(), effort)
        });
        for (plan, effort) in results {
            total.evaluated += effort.evaluated;
            total.truncated |= effort.truncated;
            // Among equals the first chain's plan stays.
            if plan.0 < best.0 {
                best = plan;
            }
        }
        if total.truncated {
            break;
        }
    }
    Found { rounds: best.1, evaluated: total.evaluated, truncated: total.truncated }
}

/// Does the work of every chain on a thread of its own; the results are in the order of the chains.
fn side_by_side<R: Send>(work: impl Fn(usize) -> R + Sync) -> Vec<R> {
    std::thread::scope(|scope| {
        let work = &work;
        let others: Vec<_> = (1..CHAINS).map(|number| scope.spawn(move || work(number))).collect();
        let mut results = vec![work(0)];
        // A chain cannot panic; were it to, the others' plans are still good.
        results.extend(others.into_iter().filter_map(|other| other.join().ok()));
        results
    })
}
