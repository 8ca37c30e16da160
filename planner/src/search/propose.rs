//! Which change to try next: drawn by chance, with a liking for tasks that lie near each other.

use super::tours::{Move, Piece, Spot, Tours};
use crate::problem::Problem;
use crate::random::{Chance, scaled};

/// The kinds of moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A piece goes next to a near task.
    Relocate,
    /// Two pieces change places.
    Swap,
    /// Two people change everything after some point, or their whole tours.
    Tails,
    /// A piece of a tour is walked backwards.
    Reverse,
}

impl Kind {
    #[cfg(test)]
    pub(crate) const ALL: [Self; 4] = [Self::Relocate, Self::Swap, Self::Tails, Self::Reverse];

    /// From six random bits.
    #[inline]
    fn drawn(bits: u64) -> Self {
        match bits & 63 {
            0..=19 => Self::Relocate,
            20..=47 => Self::Swap,
            48..=55 => Self::Tails,
            _ => Self::Reverse,
        }
    }
}

/// The tasks of each floor and section, to find neighbours by.
#[derive(Debug)]
pub(crate) struct Neighbours {
    by_floor: Vec<Vec<usize>>,
    by_section: Vec<Vec<usize>>,
}

impl Neighbours {
    pub(crate) fn of(problem: &Problem) -> Self {
        let mut by_floor = vec![Vec::new(); problem.floors];
        let mut by_section = vec![Vec::new(); problem.sections];
        for (index, job) in problem.jobs.iter().enumerate() {
            by_floor[job.floor as usize].push(index);
            by_section[job.section as usize].push(index);
        }
        Self { by_floor, by_section }
    }

    /// The tasks of the same section or floor.
    pub(crate) fn near(&self, problem: &Problem, job: usize, section: bool) -> &[usize] {
        let task = &problem.jobs[job];
        if section { &self.by_section[task.section as usize] } else { &self.by_floor[task.floor as usize] }
    }

    /// The tasks of a floor not far away, or the same; floors are numbered from the lowest.
    #[inline]
    fn floor_about(&self, problem: &Problem, job: usize, bits: u64) -> &[usize] {
        let shift = scaled(bits, 2 * FLOORS_ABOUT + 1);
        let floor = (problem.jobs[job].floor as usize + shift).saturating_sub(FLOORS_ABOUT).min(problem.floors - 1);
        &self.by_floor[floor]
    }
}

/// How far a floor may be to count as not far away.
const FLOORS_ABOUT: usize = 3;

/// Draws moves.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Proposer<'n> {
    pub(crate) neighbours: &'n Neighbours,
    /// Whether any task is in progress.
    pub(crate) has_locks: bool,
}

impl Proposer<'_> {
    /// Any kind of move, where the draw makes one.
    #[inline]
    pub(crate) fn draw(&self, tours: &Tours<'_>, chance: &mut Chance) -> Option<Move> {
        let kind = Kind::drawn(chance.bits() >> 20);
        self.draw_kind(tours, chance, kind)
    }

    #[inline]
    pub(crate) fn draw_kind(&self, tours: &Tours<'_>, chance: &mut Chance, kind: Kind) -> Option<Move> {
        let job = chance.below(tours.spots.len());
        let spot = tours.spots[job];
        let drawn = match kind {
            Kind::Relocate => self.relocation(tours, chance, job, spot),
            Kind::Swap => self.swap(tours, chance, job, spot),
            Kind::Tails => self.tails(tours, chance, job, spot),
            Kind::Reverse => reversal(tours, chance, spot),
        };
        if self.has_locks { drawn.filter(|drawn| !touches_locked(tours, drawn)) } else { drawn }
    }

    /// A task of the same section, the same floor, a floor not far away, or anywhere.
    #[inline]
    fn partner(&self, tours: &Tours<'_>, chance: &mut Chance, job: usize) -> usize {
        let bits = chance.bits();
        let near = match bits & 15 {
            0..=2 => self.neighbours.near(tours.problem, job, true),
            3..=11 => self.neighbours.near(tours.problem, job, false),
            12..=14 => self.neighbours.floor_about(tours.problem, job, bits >> 5),
            _ => return scaled(bits >> 32, tours.spots.len()),
        };
        near[scaled(bits >> 32, near.len())]
    }

    #[inline]
    fn relocation(&self, tours: &Tours<'_>, chance: &mut Chance, job: usize, spot: Spot) -> Option<Move> {
        let piece = piece_at(tours, chance, spot);
        let bits = chance.bits();
        let target = if bits >> 60 == 0 {
            let tour = scaled(bits >> 16, tours.list.len());
            // Pressing rooms belong at the front.
            let first = bits & 32 != 0;
            let index = if first { 0 } else { scaled(bits >> 24, tours.list[tour].visits.len() + 1) };
            Spot { tour, index }
        } else {
            let next_to = tours.spots[self.partner(tours, chance, job)];
            Spot { tour: next_to.tour, index: next_to.index + usize::from(bits & 16 != 0) }
        };
        if target.tour == spot.tour {
            return turned(piece, target.index);
        }
        Some(Move::Exchange(piece, Piece::new(target.tour, target.index, target.index)))
    }

    #[inline]
    fn swap(&self, tours: &Tours<'_>, chance: &mut Chance, job: usize, spot: Spot) -> Option<Move> {
        let piece = piece_at(tours, chance, spot);
        let mut target = tours.spots[self.partner(tours, chance, job)];
        // Taking the place next to a near task brings the task beside it.
        match chance.bits() >> 62 {
            0 => target.index += 1,
            1 => target.index = target.index.checked_sub(1)?,
            _ => {}
        }
        if target.index >= tours.list[target.tour].visits.len() {
            return None;
        }
        if target.tour == spot.tour {
            return turned(piece, target.index);
        }
        Some(Move::Exchange(piece, piece_at(tours, chance, target)))
    }

    #[inline]
    fn tails(&self, tours: &Tours<'_>, chance: &mut Chance, job: usize, spot: Spot) -> Option<Move> {
        let target = tours.spots[self.partner(tours, chance, job)];
        if target.tour == spot.tour || target.tour == tours.open() || spot.tour == tours.open() {
            return None;
        }
        // Now and then two people change their whole tours: they differ in skills, languages and shifts.
        let whole = chance.bits() >> 60 == 0;
        let (our_start, their_start) = if whole { (0, 0) } else { (spot.index + 1, target.index) };
        let ours = Piece::new(spot.tour, our_start, tours.list[spot.tour].visits.len());
        let theirs = Piece::new(target.tour, their_start, tours.list[target.tour].visits.len());
        Some(Move::Exchange(ours, theirs))
    }
}

/// A piece at the spot: the task alone, a few tasks, or the whole stay in its section or on its floor.
#[inline]
fn piece_at(tours: &Tours<'_>, chance: &mut Chance, spot: Spot) -> Piece {
    let bits = chance.bits();
    let visits = &tours.list[spot.tour].visits;
    let (mut from, mut to) = (spot.index, spot.index + 1);
    match bits & 63 {
        0..=31 => return Piece::new(spot.tour, from, to),
        32..=59 => {
            let jobs = &tours.problem.jobs;
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
        }
        _ => to = (spot.index + 2 + scaled(bits >> 32, 3)).min(visits.len()),
    }
    Piece { tour: spot.tour, from, to, backwards: to - from > 1 && bits & 128 != 0 }
}

fn reversal(tours: &Tours<'_>, chance: &mut Chance, spot: Spot) -> Option<Move> {
    let other = chance.below(tours.list[spot.tour].visits.len());
    let (from, to) = (spot.index.min(other), spot.index.max(other) + 1);
    if to - from < 2 {
        return None;
    }
    let whole = Piece { tour: spot.tour, from, to, backwards: true };
    Some(Move::Turn(Piece::new(spot.tour, from, from), whole))
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

fn touches_locked(tours: &Tours<'_>, change: &Move) -> bool {
    let (Move::Exchange(one, two) | Move::Turn(one, two)) = change;
    [one, two].iter().any(|piece| piece.from < tours.locked(piece.tour))
}
