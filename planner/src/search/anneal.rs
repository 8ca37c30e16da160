//! The search: one chain of simulated annealing with a fixed number of moves.

use super::construct::ANY_COST;
use super::propose::{Neighbours, Proposer, Style};
use super::tours::{Tours, Visit};
use crate::random::{Chance, Logarithms};
use crate::weights::UNITS_PER_MINUTE;

/// Moves between two looks at the temperature, the best plan and the emergency stop.
const BLOCK: u64 = 256;
/// Moves in a row that are drawn in the same style; a part of a block.
const ALIKE: usize = 16;
/// Hardly any gain elsewhere makes up for loads that are worse by this much, so such moves are not priced any further.
const LOPSIDED: i64 = 10 * UNITS_PER_MINUTE;
/// Steps a move may take on average before the budget counts steps instead: long tours are dearer to price.
const STEPS_PER_MOVE: u64 = 20;

/// How long and how hot a chain is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Schedule {
    pub(crate) moves: u64,
    /// First temperature, in cost units.
    pub(crate) hot: i64,
    /// Which of so many equal stretches of the way down this is.
    pub(crate) stretch: u64,
    pub(crate) stretches: u64,
}

/// What a chain has done.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Effort {
    pub(crate) evaluated: u64,
    pub(crate) truncated: bool,
}

/// A walk through plans that remembers the best one.
pub(crate) struct Chain<'c, 'p> {
    tours: Tours<'p>,
    proposer: Proposer<'c>,
    chance: Chance,
    logarithms: &'static Logarithms,
    best: Vec<Vec<usize>>,
    best_cost: i64,
}

impl<'c, 'p> Chain<'c, 'p> {
    pub(crate) fn new(tours: Tours<'p>, neighbours: &'c Neighbours, seed: u64) -> Self {
        let has_locks = tours.problem.begun.iter().any(|jobs| !jobs.is_empty());
        Self {
            best: tours.rounds(),
            best_cost: tours.cost,
            tours,
            proposer: Proposer { neighbours, has_locks },
            chance: Chance::from_seed(seed),
            logarithms: Logarithms::table(),
        }
    }

    /// Runs the schedule.
    pub(crate) fn run(&mut self, schedule: Schedule, should_stop: &(dyn Fn() -> bool + Sync)) -> Effort {
        let mut effort = Effort::default();
        if self.tours.problem.jobs.is_empty() || self.tours.problem.workers.is_empty() {
            return effort;
        }
        let first_step = self.tours.steps;
        let mut moves = 0;
        while moves < schedule.moves {
            let steps = self.tours.steps - first_step;
            let done = moves.max(steps / STEPS_PER_MOVE);
            if done >= schedule.moves {
                break;
            }
            if should_stop() {
                effort.truncated = true;
                break;
            }
            let temperature = temperature(schedule, done);
            let block = BLOCK.min(schedule.moves - moves);
            for begun in (0..block).step_by(ALIKE) {
                let style = Style::drawn(&mut self.chance);
                for _ in begun..block.min(begun + ALIKE as u64) {
                    effort.evaluated += u64::from(self.try_one(temperature, style));
                }
            }
            moves += block;
            if self.tours.cost < self.best_cost {
                self.remember();
            }
        }
        effort
    }

    pub(crate) fn best_plan(self) -> (i64, Vec<Vec<usize>>) {
        (self.best_cost, self.best)
    }

    /// The plan where the chain stands, which need not be the best.
    pub(crate) fn present_plan(&self) -> Vec<Vec<usize>> {
        self.tours.rounds()
    }

    fn remember(&mut self) {
        self.best_cost = self.tours.cost;
        for (kept, tour) in self.best.iter_mut().zip(&self.tours.list) {
            kept.clear();
            kept.extend(tour.visits.iter().map(Visit::job));
        }
    }

    /// Draws a move and takes it when chance and temperature allow. Tells whether there was a move to price.
    #[inline]
    fn try_one(&mut self, temperature: i64, style: Style) -> bool {
        let Some(change) = self.proposer.draw(&self.tours, &mut self.chance, style) else { return false };
        let allowed = (temperature * self.logarithms.of(self.chance.bits())) >> 16;
        if self.tours.burden_added(&change) > allowed + LOPSIDED {
            return true;
        }
        if self.tours.price(&change, allowed.min(ANY_COST)).is_some() {
            self.tours.apply(&change);
        }
        true
    }
}

/// The way down: parts of the moves, in thousandths, with how often the temperature is halved meanwhile, in 1/1024.
/// Half of the moves go where it is settled who works on which floor.
const LEGS: [(u128, u64); 3] = [(50, 425), (500, 1475), (450, 3220)];

/// Falls by half again and again, evenly in between.
fn temperature(schedule: Schedule, done: u64) -> i64 {
    let moves = u128::from(schedule.moves.max(1));
    let done = u128::from(schedule.stretch) * moves + u128::from(done);
    let mut left = done * 1_000_000 / (moves * u128::from(schedule.stretches.max(1)));
    let mut position = 0;
    for (share, depth) in LEGS {
        let here = left.min(share * 1000);
        position += u64::try_from(here * u128::from(depth) / (share * 1000)).unwrap_or(depth);
        left -= here;
    }
    let (halvings, part) = (position / 1024, i64::try_from(position % 1024).unwrap_or(0));
    let level = schedule.hot >> halvings.min(62);
    level - level * part / 2048
}
