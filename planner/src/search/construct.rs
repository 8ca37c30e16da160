//! A first plan: first what few people can do, then pressing rooms, each where it adds least.

use super::tours::{Move, Piece, Tours};
use crate::problem::Problem;

/// Where everybody is tried for every task, up to this many people; beyond, only the likeliest.
const FEW_PEOPLE: usize = 40;
const LIKELIEST: usize = 8;
/// Steps after which tasks are only put at the end of a tour, so that no instance takes long.
const MOST_STEPS: u64 = 30_000_000;
/// More than any plan costs, and far from overflow.
pub(crate) const ANY_COST: i64 = i64::MAX / 4;

/// The cheapest way to give a task to a person, if there is one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Insertion {
    pub(crate) change: Move,
    pub(crate) person: usize,
    pub(crate) index: usize,
    pub(crate) added: i64,
}

/// Builds the start of the search.
pub(crate) fn first_plan(problem: &Problem) -> Tours<'_> {
    let mut tours = Tours::empty(problem);
    let mut order: Vec<usize> = (0..problem.jobs.len()).collect();
    let able: Vec<usize> = order
        .iter()
        .map(|&job| (0..problem.workers.len()).filter(|person| problem.may(*person, job)).count())
        .collect();
    order.sort_by_key(|&index| {
        let job = &problem.jobs[index];
        (able[index], -job.open_cost, job.due, job.floor, job.section, index)
    });
    for job in order {
        if tours.spots[job].tour != tours.open() {
            continue;
        }
        let best = likely_people(&mut tours, job, false)
            .into_iter()
            .filter_map(|person| cheapest_place(&mut tours, job, person, ANY_COST))
            .min_by_key(|insertion| insertion.added);
        // Where a tenant would rather leave a task open than pay for it, it stays open.
        if let Some(insertion) = best.filter(|insertion| insertion.added < 0) {
            tours.apply(&insertion.change);
        }
    }
    tours
}

/// The people worth trying for a task, apart from the one who has it.
pub(crate) fn likely_people(tours: &mut Tours<'_>, job: usize, ask_all_for_open: bool) -> Vec<usize> {
    let problem = tours.problem;
    let spot = tours.spots[job];
    let able = (0..problem.workers.len()).filter(|person| *person != spot.tour && problem.may(*person, job));
    // Before a task is left open, everybody is asked.
    let asks_all = spot.tour == tours.open() && ask_all_for_open;
    if problem.workers.len() <= FEW_PEOPLE || asks_all {
        return able.collect();
    }
    let mut ranked: Vec<(i64, usize)> =
        able.filter_map(|person| Some((tours.standing_with(person, job)?, person))).collect();
    ranked.sort_unstable();
    ranked.truncate(LIKELIEST);
    ranked.into_iter().map(|(_, person)| person).collect()
}

/// Tries every place in a person's tour, and only the end once much has been tried.
pub(crate) fn cheapest_place(tours: &mut Tours<'_>, job: usize, person: usize, most: i64) -> Option<Insertion> {
    let spot = tours.spots[job];
    let length = tours.list[person].visits.len();
    let first = if tours.steps > MOST_STEPS { length } else { tours.locked(person) };
    let mut best: Option<Insertion> = None;
    for index in first..=length {
        let change =
            Move::Exchange(Piece::new(spot.tour, spot.index, spot.index + 1), Piece::new(person, index, index));
        let bound = best.as_ref().map_or(most, |found| found.added - 1);
        if let Some(added) = tours.price(&change, bound) {
            best = Some(Insertion { change, person, index, added });
        }
    }
    best
}
