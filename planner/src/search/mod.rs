//! From an instance to the tours of a good plan.

pub(crate) mod anneal;
pub(crate) mod construct;
pub(crate) mod descent;
pub(crate) mod propose;
#[cfg(test)]
mod tests;
pub(crate) mod tours;

use crate::problem::Problem;
use anneal::{Chain, Schedule};
use propose::Neighbours;

/// Independent chains, one for each core of a small machine.
const CHAINS: u64 = 2;

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
    if problem.jobs.len() > 500 { 10_000_000 } else { 14_000_000 }
}

/// Runs all chains side by side; the cheapest plan wins, the first chain's among equals.
pub(crate) fn search(problem: &Problem, moves: u64, seed: u64, should_stop: &(dyn Fn() -> bool + Sync)) -> Found {
    let start = construct::first_plan(problem);
    let neighbours = Neighbours::of(problem);
    let schedule = Schedule { moves: moves / CHAINS, hot: tune(0, 60) * 6_000, halvings: tune(1,6) as u64 };
    let run = |number: u64| {
        let mut chain =
            Chain::new(start.clone(), &neighbours, seed.wrapping_add(number.wrapping_mul(0x9E37_79B9_7F4A_7C15)));
        let effort = chain.run(schedule, should_stop);
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
    let mut tours = tours::Tours::of(problem, &best.map(|(_, rounds)| rounds).unwrap_or_default());
    descent::settle(&mut tours);
    Found { rounds: tours.rounds(), evaluated, truncated }
}

pub fn tune(i: usize, d: i64) -> i64 {
    static V: std::sync::LazyLock<Vec<i64>> = std::sync::LazyLock::new(|| { #[allow(clippy::disallowed_methods)] std::env::var("TUNE").map(|v| v.split(',').map(|x| x.parse().unwrap()).collect()).unwrap_or_default() });
    V.get(i).copied().unwrap_or(d)
}
