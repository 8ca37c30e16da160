//! Large houses are searched in parts: people who work near each other, with their tasks.
//!
//! No part touches another, so they are searched side by side, and their costs add up to the cost of the whole. After
//! each stretch the plan is put together and cut elsewhere, so that every border is inside a part before long.

use super::anneal::{Chain, Effort, Schedule};
use super::propose::Neighbours;
use super::tours::Tours;
use super::{CHAINS, Found, side_by_side};
use crate::problem::Problem;
use crate::random::Chance;
use crate::weights::UNITS_PER_MINUTE;

/// How often the house is cut on the way down.
const STRETCHES: u64 = 128;
const PARTS: usize = CHAINS;
/// Every other cut gives each part as many blocks of people from all over the house: people far away from each other
/// differ in skills and languages, and have to meet as well.
const BLOCKS: usize = 4;

/// Some people and what they have, with a share of the tasks left open.
#[derive(Debug, Clone, Default)]
pub(super) struct Part {
    pub(super) people: Vec<usize>,
    pub(super) jobs: Vec<usize>,
}

/// Cools once, cutting the house again and again.
pub(super) fn search_in_parts(
    start: &Tours<'_>,
    moves: u64,
    seed: u64,
    should_stop: &(dyn Fn() -> bool + Sync),
) -> Found {
    let problem = start.problem;
    let mut chance = Chance::from_seed(seed);
    let mut found = Found { rounds: start.rounds(), evaluated: 0, truncated: false };
    if problem.workers.is_empty() {
        return found;
    }
    for stretch in 0..STRETCHES {
        let parts = cut(problem, &found.rounds, stretch % 2 == 1, &mut chance);
        let seeds = [(); PARTS].map(|()| chance.bits());
        let results = side_by_side(|number| {
            let part = &parts[number];
            let share = u128::from(moves / STRETCHES) * part.jobs.len() as u128 / problem.jobs.len().max(1) as u128;
            let schedule = Schedule {
                moves: u64::try_from(share).unwrap_or(u64::MAX),
                hot: 8 * UNITS_PER_MINUTE,
                stretch,
                stretches: STRETCHES,
            };
            (number, part.searched(problem, &found.rounds, schedule, seeds[number], should_stop))
        });
        for (number, (rounds, effort)) in results {
            for (person, round) in parts[number].people.iter().zip(rounds) {
                found.rounds[*person] = round;
            }
            found.evaluated += effort.evaluated;
            found.truncated |= effort.truncated;
        }
        if found.truncated {
            break;
        }
    }
    found
}

impl Part {
    /// The part as a house of its own, and its people's rounds in that house's numbers.
    pub(super) fn house(&self, problem: &Problem, rounds: &[Vec<usize>]) -> (Problem, Vec<Vec<usize>>) {
        let mut number_of = vec![0; problem.jobs.len()];
        for (number, job) in self.jobs.iter().enumerate() {
            number_of[*job] = number;
        }
        let own = |person: &usize| rounds[*person].iter().map(|job| number_of[*job]).collect();
        (problem.part(&self.people, &self.jobs), self.people.iter().map(own).collect())
    }

    /// The rounds of the part's people after a stretch.
    fn searched(
        &self,
        problem: &Problem,
        rounds: &[Vec<usize>],
        schedule: Schedule,
        seed: u64,
        should_stop: &(dyn Fn() -> bool + Sync),
    ) -> (Vec<Vec<usize>>, Effort) {
        let (house, own) = self.house(problem, rounds);
        let neighbours = Neighbours::of(&house);
        let mut chain = Chain::new(Tours::of(&house, &own), &neighbours, seed);
        let effort = chain.run(schedule, should_stop);
        // Going on from the best plan of every stretch would be as good as starting cold.
        let is_last = schedule.stretch + 1 == schedule.stretches || effort.truncated;
        let mut found = if is_last { chain.best_plan().1 } else { chain.present_plan() };
        for job in found.iter_mut().flatten() {
            *job = self.jobs[*job];
        }
        (found, effort)
    }
}

/// Cuts the house into parts of about as many people each, along the floors where they have most to do.
pub(super) fn cut(problem: &Problem, rounds: &[Vec<usize>], in_blocks: bool, chance: &mut Chance) -> Vec<Part> {
    let people = problem.workers.len();
    let mut order: Vec<(u32, usize)> =
        rounds.iter().enumerate().map(|(person, round)| (main_floor(problem, round), person)).collect();
    order.sort_unstable();
    let shift = chance.below(people);
    let blocks = if in_blocks { PARTS * BLOCKS } else { PARTS };
    let mut parts = vec![Part::default(); PARTS];
    let mut part_of = vec![0; people];
    for (place, (_, person)) in order.iter().enumerate() {
        let part = (place + shift) % people * blocks / people % PARTS;
        part_of[*person] = part;
        parts[part].people.push(*person);
    }
    let mut is_open = vec![true; problem.jobs.len()];
    for (person, round) in rounds.iter().enumerate() {
        for job in round {
            is_open[*job] = false;
            parts[part_of[person]].jobs.push(*job);
        }
    }
    for job in (0..problem.jobs.len()).filter(|job| is_open[*job]) {
        // A task left open goes where its floor is, or anywhere: who could do it may be far away.
        let part = if in_blocks {
            chance.below(PARTS)
        } else {
            let place = order.partition_point(|(floor, _)| *floor < problem.jobs[job].floor).min(people - 1);
            part_of[order[place].1]
        };
        parts[part].jobs.push(job);
    }
    for part in &mut parts {
        part.jobs.sort_unstable();
    }
    parts
}

/// The floor where most of a round is.
fn main_floor(problem: &Problem, round: &[usize]) -> u32 {
    let mut floors: Vec<u32> = round.iter().map(|job| problem.jobs[*job].floor).collect();
    floors.sort_unstable();
    floors.chunk_by(|one, next| one == next).max_by_key(|run| run.len()).map_or(0, |run| run[0])
}
