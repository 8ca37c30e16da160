//! The search: one chain of simulated annealing with a fixed number of moves.

use super::construct::ANY_COST;
use super::tours::{Move, Piece, Spot, Tours};
use crate::problem::Problem;
use crate::random::{Chance, Logarithms, scaled};

/// Moves between two looks at the temperature, the best plan and the emergency stop.
const BLOCK: u64 = 256;
/// Steps a move may take on average before the budget counts steps instead: long tours are dearer to price.
const STEPS_PER_MOVE: u64 = 40;

/// How long and how hot a chain is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Schedule {
    pub(crate) moves: u64,
    /// First temperature, in cost units.
    pub(crate) hot: i64,
    /// How often the temperature is halved until the end.
    pub(crate) halvings: u64,
}

/// What a chain has done.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Effort {
    pub(crate) evaluated: u64,
    pub(crate) truncated: bool,
}

/// The tasks of each floor and section, to find neighbours by.
pub(crate) struct Neighbours {
    by_floor: Vec<Vec<usize>>,
    by_section: Vec<Vec<usize>>,
}

impl Neighbours {
    pub(crate) fn of(problem: &Problem) -> Self {
        let mut by_floor = vec![Vec::new(); problem.floors];
        let mut by_section = vec![Vec::new(); problem.sections];
        for (index, job) in problem.jobs.iter().enumerate() {
            by_floor[job.floor].push(index);
            by_section[job.section].push(index);
        }
        Self { by_floor, by_section }
    }

    /// The tasks of the same section or floor.
    pub(crate) fn near(&self, problem: &Problem, job: usize, section: bool) -> &[usize] {
        let task = &problem.jobs[job];
        if section { &self.by_section[task.section] } else { &self.by_floor[task.floor] }
    }
}

pub(crate) struct Chain<'c, 'p> {
    pub(crate) tours: Tours<'p>,
    neighbours: &'c Neighbours,
    chance: Chance,
    logarithms: Logarithms,
    best: Vec<Vec<usize>>,
    best_cost: i64,
    has_locks: bool,
    ruin: super::ruin::Ruin,
}

impl<'c, 'p> Chain<'c, 'p> {
    pub(crate) fn new(tours: Tours<'p>, neighbours: &'c Neighbours, seed: u64) -> Self {
        let has_locks = tours.problem.begun.iter().any(|jobs| !jobs.is_empty());
        Self {
            best: tours.rounds(),
            best_cost: tours.cost,
            tours,
            neighbours,
            chance: Chance::from_seed(seed),
            logarithms: Logarithms::new(),
            has_locks,
            ruin: super::ruin::Ruin::default(),
        }
    }

    /// Runs the schedule and leaves the best plan seen.
    pub(crate) fn run(&mut self, schedule: Schedule, should_stop: &(dyn Fn() -> bool + Sync)) -> Effort {
        let mut effort = Effort::default();
        let jobs = self.tours.problem.jobs.len();
        if jobs == 0 || self.tours.problem.workers.is_empty() {
            return effort;
        }
        let first_step = self.tours.steps;
        let most_steps = schedule.moves.saturating_mul(STEPS_PER_MOVE);
        let mut moves = 0;
        while moves < schedule.moves {
            if should_stop() {
                effort.truncated = true;
                break;
            }
            let steps = self.tours.steps - first_step;
            if steps >= most_steps {
                break;
            }
            let done = moves.max(steps / STEPS_PER_MOVE);
            let temperature = temperature(schedule, done);
            let block = BLOCK;
            let ruins = super::tune(2, 0);
            if ruins < 100 {
            for _ in 0..block {
                effort.evaluated += u64::from(self.try_one(temperature));
            }
            moves += block;
            }
            for _ in 0..ruins % 100 {
                let allowed = (temperature * self.logarithms.of(self.chance.bits())) >> 16;
                let n = self.ruin.try_one(&mut self.tours, self.neighbours, &mut self.chance, allowed);
                moves += n;
                effort.evaluated += n;
            }
            if self.tours.cost < self.best_cost {
                self.remember();
            }
        }
        effort
    }

    pub(crate) fn best_plan(self) -> (i64, Vec<Vec<usize>>) {
        (self.best_cost, self.best)
    }

    fn remember(&mut self) {
        self.best_cost = self.tours.cost;
        for (kept, tour) in self.best.iter_mut().zip(&self.tours.tours) {
            kept.clear();
            kept.extend(tour.visits.iter().map(|visit| visit.job));
        }
    }

    /// Draws a move and takes it when chance and temperature allow. Tells whether there was a move to price.
    #[inline]
    fn try_one(&mut self, temperature: i64) -> bool {
        let Some(change) = self.draw() else { return false };
        if self.has_locks && self.touches_locked(&change) {
            return false;
        }
        let allowed = (temperature * self.logarithms.of(self.chance.bits())) >> 16;
        if self.tours.price(&change, allowed.min(ANY_COST)).is_some() {
            self.tours.apply(&change);
        }
        true
    }

    fn touches_locked(&self, change: &Move) -> bool {
        let (Move::Exchange(one, two) | Move::Turn(one, two)) = change;
        [one, two].iter().any(|piece| piece.from < self.tours.locked(piece.tour))
    }

    #[inline]
    fn draw(&mut self) -> Option<Move> {
        let bits = self.chance.bits();
        let job = scaled(bits >> 32, self.tours.spots.len());
        let spot = self.tours.spots[job];
        match bits & 63 {
            0..=27 => self.draw_relocation(job, spot),
            28..=45 => self.draw_swap(job, spot),
            46..=53 => self.draw_tails(job, spot),
            _ => self.draw_reversal(spot),
        }
    }

    /// A task of the same section, the same floor, or anywhere.
    #[inline]
    fn partner(&mut self, job: usize) -> usize {
        let bits = self.chance.bits();
        let task = &self.tours.problem.jobs[job];
        let near = match bits & 15 {
            0..=4 => &self.neighbours.by_section[task.section],
            5..=11 => &self.neighbours.by_floor[task.floor],
            _ => return scaled(bits >> 32, self.tours.spots.len()),
        };
        near[scaled(bits >> 32, near.len())]
    }

    /// A piece at the spot: the task alone, a few tasks, or the whole stay in its section or on its floor.
    #[inline]
    fn piece_at(&mut self, spot: Spot) -> Piece {
        let bits = self.chance.bits();
        let visits = &self.tours.tours[spot.tour].visits;
        let single = super::tune(4, 32) as u64;
        let run = super::tune(5, 60) as u64;
        let kind = bits & 63;
        let (mut from, mut to) = (spot.index, spot.index + 1);
        if kind < single {
            return Piece::new(spot.tour, from, to);
        }
        if kind < run {
            let jobs = &self.tours.problem.jobs;
            let here = &jobs[visits[spot.index].job];
            let by_section = bits & 256 != 0;
            let same = |index: usize| {
                let other = &jobs[visits[index].job];
                if by_section { other.section == here.section } else { other.floor == here.floor }
            };
            while from > 0 && same(from - 1) {
                from -= 1;
            }
            while to < visits.len() && same(to) {
                to += 1;
            }
        } else {
            to = (spot.index + 2 + scaled(bits >> 32, 3)).min(visits.len());
        }
        Piece { tour: spot.tour, from, to, backwards: to - from > 1 && bits & 128 != 0 }
    }

    fn draw_relocation(&mut self, job: usize, spot: Spot) -> Option<Move> {
        let piece = self.piece_at(spot);
        let bits = self.chance.bits();
        let target = if bits & 15 == 0 {
            let tour = scaled(bits >> 32, self.tours.tours.len());
            let index = scaled(bits >> 8, self.tours.tours[tour].visits.len() + 1);
            Spot { tour, index }
        } else {
            let other = self.partner(job);
            let next_to = self.tours.spots[other];
            Spot { tour: next_to.tour, index: next_to.index + usize::from(bits & 16 != 0) }
        };
        if target.tour == spot.tour {
            return turned(piece, target.index);
        }
        Some(Move::Exchange(piece, Piece::new(target.tour, target.index, target.index)))
    }

    fn draw_swap(&mut self, job: usize, spot: Spot) -> Option<Move> {
        let piece = self.piece_at(spot);
        let other = self.partner(job);
        let mut target = self.tours.spots[other];
        let bits = self.chance.bits();
        // Taking the place next to a near task brings the task beside it.
        match bits & 3 {
            0 => target.index += 1,
            1 => target.index = target.index.checked_sub(1)?,
            _ => {}
        }
        if target.index >= self.tours.tours[target.tour].visits.len() {
            return None;
        }
        if target.tour == spot.tour {
            return turned(piece, target.index);
        }
        let their = self.piece_at(target);
        Some(Move::Exchange(piece, their))
    }

    fn draw_tails(&mut self, job: usize, spot: Spot) -> Option<Move> {
        let other = self.partner(job);
        let target = self.tours.spots[other];
        if target.tour == spot.tour || target.tour == self.tours.open() || spot.tour == self.tours.open() {
            return None;
        }
        let ours = Piece::new(spot.tour, spot.index + 1, self.tours.tours[spot.tour].visits.len());
        let theirs = Piece::new(target.tour, target.index, self.tours.tours[target.tour].visits.len());
        Some(Move::Exchange(ours, theirs))
    }

    fn draw_reversal(&mut self, spot: Spot) -> Option<Move> {
        let length = self.tours.tours[spot.tour].visits.len();
        let other = self.chance.below(length);
        let (from, to) = (spot.index.min(other), spot.index.max(other) + 1);
        if to - from < 2 {
            return None;
        }
        let whole = Piece { tour: spot.tour, from, to, backwards: true };
        Some(Move::Turn(Piece::new(spot.tour, from, from), whole))
    }
}

/// The move of a piece to another place in its own tour.
fn turned(piece: Piece, index: usize) -> Option<Move> {
    if index < piece.from {
        Some(Move::Turn(Piece::new(piece.tour, index, piece.from), piece))
    } else if index > piece.to {
        Some(Move::Turn(piece, Piece::new(piece.tour, piece.to, index)))
    } else {
        None
    }
}

/// Falls by half again and again, evenly in between.
fn temperature(schedule: Schedule, done: u64) -> i64 {
    let position = done.saturating_mul(schedule.halvings).saturating_mul(1024) / schedule.moves.max(1);
    let (halvings, part) = (position / 1024, i64::try_from(position % 1024).unwrap_or(0));
    let level = schedule.hot >> halvings.min(62);
    level - level * part / 2048
}
