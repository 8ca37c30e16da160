//! From an instance to the tours of a good plan.

pub(crate) mod anneal;
pub(crate) mod construct;
pub(crate) mod descent;
pub(crate) mod propose;
#[cfg(test)]
mod tests;
pub(crate) mod tours;

use crate::problem::Problem;
use crate::weights::UNITS_PER_MINUTE;
use anneal::{Chain, Effort, Schedule};
use propose::Neighbours;
use tours::Tours;

/// Independent chains, one for each core of a small machine.
const CHAINS: u64 = 2;
/// Moves for each task after which a chain gains more by going on from its best plan, warmed up a little, than by
/// cooling more slowly.
const MOVES_PER_TASK: u64 = 18_000;
const MOST_CYCLES: u64 = 8;
/// Beyond this many tasks the budget is too small for the last, coldest part of a full schedule.
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
        31..=MANY_TASKS => 14_000_000,
        _ => 10_000_000,
    }
}

/// Runs all chains side by side; the cheapest plan wins, the first chain's among equals.
pub(crate) fn search(problem: &Problem, moves: u64, seed: u64, should_stop: &(dyn Fn() -> bool + Sync)) -> Found {
    let start = construct::first_plan(problem);
    let neighbours = Neighbours::of(problem);
    let run = |number: u64| {
        let own_seed = seed.wrapping_add(number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let mut chain = Chain::new(start.clone(), &neighbours, own_seed);
        let effort = run_cycles(&mut chain, problem, moves / CHAINS, should_stop);
        (chain.best_plan(), effort)
    };
    let results = std::thread::scope(|scope| {
        let run = &run;
        let others: Vec<_> = (1..CHAINS).map(|number| scope.spawn(move || run(number))).collect();
        let mut results = vec![run(0)];
        // A chain cannot panic; were it to, the others' plans are still good.
        results.extend(others.into_iter().filter_map(|other| other.join().ok()));
        results
    });
    let evaluated = results.iter().map(|(_, effort)| effort.evaluated).sum();
    let truncated = results.iter().any(|(_, effort)| effort.truncated);
    let best = results.into_iter().map(|(plan, _)| plan).min_by_key(|(cost, _)| *cost);
    let mut tours = Tours::of(problem, &best.map(|(_, rounds)| rounds).unwrap_or_default());
    descent::settle(&mut tours);
    Found { rounds: tours.rounds(), evaluated, truncated }
}

/// One full cooling, then as many warm ones from the best plan as the budget is good for.
fn run_cycles(
    chain: &mut Chain<'_, '_>,
    problem: &Problem,
    moves: u64,
    should_stop: &(dyn Fn() -> bool + Sync),
) -> Effort {
    let tasks = problem.jobs.len();
    let cycles = (moves / (MOVES_PER_TASK * tasks.max(1) as u64)).clamp(1, MOST_CYCLES);
    let mut total = Effort::default();
    for cycle in 0..cycles {
        let (hot, halvings) = match (cycle, tasks > MANY_TASKS) {
            (0, false) => (15 * UNITS_PER_MINUTE / 2, 5),
            (0, true) => (8 * UNITS_PER_MINUTE, 4),
            _ => (5 * UNITS_PER_MINUTE / 2, 5),
        };
        if cycle > 0 {
            chain.return_to_best();
        }
        let effort = chain.run(Schedule { moves: moves / cycles, hot, halvings }, should_stop);
        total.evaluated += effort.evaluated;
        total.truncated |= effort.truncated;
        if total.truncated {
            break;
        }
    }
    total
}
