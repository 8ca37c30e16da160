//! Which change to try next: drawn by chance, with a liking for tasks that lie near each other.

use super::tours::{Move, Piece, Spot, Tours, Visit, work};
use crate::problem::Problem;
use crate::random::{Chance, scaled};

/// The kinds of moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A piece goes next to a near task.
    Relocate,
    /// Two pieces change places.
    Swap,
    /// One person's stay on a floor or in a section goes to another who is there as well, for other work.
    Gather,
    /// Two people change everything after some point.
    Tails,
    /// Two people change their whole tours: they differ in skills, languages and shifts.
    Whole,
    /// A piece of a tour is walked backwards.
    Reverse,
}

impl Kind {
    #[cfg(test)]
    pub(crate) const ALL: [Self; 6] =
        [Self::Relocate, Self::Swap, Self::Gather, Self::Tails, Self::Whole, Self::Reverse];

    /// From eight random bits.
    fn drawn(bits: u64) -> Self {
        match bits & 255 {
            0..=63 => Self::Gather,
            64..=111 => Self::Relocate,
            112..=213 => Self::Swap,
            214..=221 => Self::Whole,
            222..=231 => Self::Tails,
            _ => Self::Reverse,
        }
    }
}

/// Where to look for a partner of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Near {
    Section,
    Floor,
    FloorAbout,
    Anywhere,
}

/// What goes with a task when it moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Size {
    Alone,
    StayOnFloor,
    StayInSection,
    Few,
    /// As many tasks as make up the work of the piece on the other side: loads stay as they are.
    AsMuchWork,
}

impl Size {
    /// From seven random bits.
    fn drawn(bits: u64) -> Self {
        match bits & 127 {
            0..=47 => Self::Alone,
            48..=83 => Self::StayOnFloor,
            84..=119 => Self::StayInSection,
            _ => Self::Few,
        }
    }
}

/// How moves are drawn for a while: alike several times in a row, so that the processor foresees its way.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    kind: Kind,
    near: Near,
    ours: Size,
    theirs: Size,
    /// Whether a piece may go to another place in its own tour. Most of those moves are taken, but few matter.
    turns: bool,
}

impl Style {
    pub(crate) fn drawn(chance: &mut Chance) -> Self {
        let kind = Kind::drawn(chance.bits());
        Self::of_kind(kind, chance)
    }

    pub(crate) fn of_kind(kind: Kind, chance: &mut Chance) -> Self {
        let bits = chance.bits();
        let near = match bits & 15 {
            0..=2 => Near::Section,
            3..=11 => Near::Floor,
            12..=14 => Near::FloorAbout,
            _ => Near::Anywhere,
        };
        let theirs = if bits >> 4 & 7 < 7 { Size::AsMuchWork } else { Size::drawn(bits >> 7) };
        let turns = bits >> 14 & 7 < 3;
        Self { kind, near, ours: Size::drawn(bits >> 17), theirs, turns }.suited(bits >> 24)
    }

    /// Only stays are gathered.
    fn suited(self, bits: u64) -> Self {
        if self.kind != Kind::Gather {
            return self;
        }
        let ours = if bits & 1 == 0 { Size::StayOnFloor } else { Size::StayInSection };
        let theirs = if bits & 6 == 0 { ours } else { Size::AsMuchWork };
        Self { ours, theirs, ..self }
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
    /// A move, where the draw makes one.
    #[inline]
    pub(crate) fn draw(&self, tours: &Tours<'_>, chance: &mut Chance, style: Style) -> Option<Move> {
        let job = chance.below(tours.spots.len());
        let spot = tours.spots[job];
        let drawn = match style.kind {
            Kind::Relocate => self.relocation(tours, chance, job, spot, style),
            Kind::Swap => self.swap(tours, chance, job, spot, style),
            Kind::Gather => self.gathering(tours, chance, job, spot, style),
            Kind::Tails => self.tails(tours, chance, job, spot, style),
            Kind::Whole => whole_tours(tours, chance, spot),
            Kind::Reverse => reversal(tours, chance, spot),
        };
        if self.has_locks { drawn.filter(|drawn| !touches_locked(tours, drawn)) } else { drawn }
    }

    /// A task of the same section, the same floor, a floor not far away, or anywhere.
    #[inline]
    fn partner(&self, tours: &Tours<'_>, chance: &mut Chance, job: usize, near: Near) -> usize {
        let bits = chance.bits();
        let near = match near {
            Near::Section => self.neighbours.near(tours.problem, job, true),
            Near::Floor => self.neighbours.near(tours.problem, job, false),
            Near::FloorAbout => self.neighbours.floor_about(tours.problem, job, bits),
            Near::Anywhere => return scaled(bits >> 32, tours.spots.len()),
        };
        near[scaled(bits >> 32, near.len())]
    }

    #[inline]
    fn relocation(&self, tours: &Tours<'_>, chance: &mut Chance, job: usize, spot: Spot, style: Style) -> Option<Move> {
        let piece = piece_at(tours, chance, spot, style.ours);
        let bits = chance.bits();
        let target = if bits >> 60 == 0 {
            let tour = scaled(bits >> 16, tours.list.len());
            // Pressing rooms belong at the front.
            let first = bits & 32 != 0;
            let index = if first { 0 } else { scaled(bits >> 24, tours.list[tour].visits.len() + 1) };
            Spot { tour, index }
        } else {
            let next_to = tours.spots[self.partner(tours, chance, job, style.near)];
            Spot { tour: next_to.tour, index: next_to.index + usize::from(bits & 16 != 0) }
        };
        if target.tour == spot.tour {
            return if style.turns { turned(piece, target.index) } else { None };
        }
        Some(Move::Exchange(piece, Piece::new(target.tour, target.index, target.index)))
    }

    #[inline]
    fn swap(&self, tours: &Tours<'_>, chance: &mut Chance, job: usize, spot: Spot, style: Style) -> Option<Move> {
        let mut target = tours.spots[self.partner(tours, chance, job, style.near)];
        if target.tour == spot.tour && !style.turns {
            return None;
        }
        // Taking the place next to a near task brings the task beside it.
        match chance.bits() >> 62 {
            0 => target.index += 1,
            1 => target.index = target.index.checked_sub(1)?,
            _ => {}
        }
        if target.index >= tours.list[target.tour].visits.len() {
            return None;
        }
        let piece = piece_at(tours, chance, spot, style.ours);
        if target.tour == spot.tour {
            return turned(piece, target.index);
        }
        Some(Move::Exchange(piece, counterpart(tours, chance, piece, target, style.theirs)))
    }

    /// Somebody who is on this floor (in this section) as well gets our stay there, and we get something of theirs from
    /// elsewhere.
    #[inline]
    fn gathering(&self, tours: &Tours<'_>, chance: &mut Chance, job: usize, spot: Spot, style: Style) -> Option<Move> {
        let bits = chance.bits();
        let by_section = style.ours == Size::StayInSection;
        let near = self.neighbours.near(tours.problem, job, by_section);
        let tour = tours.spots[near[scaled(bits >> 32, near.len())]].tour;
        if tour == spot.tour || tour == tours.open() {
            return None;
        }
        let visits = &tours.list[tour].visits;
        let index = scaled(bits, visits.len());
        if tours.list[spot.tour].visits[spot.index].is_beside(&visits[index], by_section) {
            return None;
        }
        let piece = piece_at(tours, chance, spot, style.ours);
        Some(Move::Exchange(piece, counterpart(tours, chance, piece, Spot { tour, index }, style.theirs)))
    }

    #[inline]
    fn tails(&self, tours: &Tours<'_>, chance: &mut Chance, job: usize, spot: Spot, style: Style) -> Option<Move> {
        let target = tours.spots[self.partner(tours, chance, job, style.near)];
        if target.tour == spot.tour || target.tour == tours.open() || spot.tour == tours.open() {
            return None;
        }
        let (ours, theirs) = (&tours.list[spot.tour].visits, &tours.list[target.tour].visits);
        let our_start = spot.index + 1;
        let with_as_much_work = chance.bits() >> 63 == 0;
        let their_start =
            if with_as_much_work { start_of_tail(theirs, work(ours, our_start, ours.len())) } else { target.index };
        let ours = Piece::new(spot.tour, our_start, ours.len());
        let theirs = Piece::new(target.tour, their_start, theirs.len());
        Some(Move::Exchange(ours, theirs))
    }
}

/// A piece at the spot: the task alone, a few tasks, or the whole stay in its section or on its floor.
#[inline]
fn piece_at(tours: &Tours<'_>, chance: &mut Chance, spot: Spot, size: Size) -> Piece {
    let visits = &tours.list[spot.tour].visits;
    let (mut from, mut to) = (spot.index, spot.index + 1);
    match size {
        Size::Alone | Size::AsMuchWork => return Piece::new(spot.tour, from, to),
        Size::StayOnFloor | Size::StayInSection => {
            let here = visits[spot.index];
            let by_section = size == Size::StayInSection;
            while from > 0 && visits[from - 1].is_beside(&here, by_section) {
                from -= 1;
            }
            while to < visits.len() && visits[to].is_beside(&here, by_section) {
                to += 1;
            }
        }
        Size::Few => to = (spot.index + 2 + chance.below(3)).min(visits.len()),
    }
    Piece { tour: spot.tour, from, to, backwards: to - from > 1 && chance.bits() >> 63 == 0 }
}

/// What is given at the spot for another piece.
#[inline]
fn counterpart(tours: &Tours<'_>, chance: &mut Chance, other: Piece, spot: Spot, size: Size) -> Piece {
    if size != Size::AsMuchWork {
        return piece_at(tours, chance, spot, size);
    }
    let wanted = work(&tours.list[other.tour].visits, other.from, other.to);
    let visits = &tours.list[spot.tour].visits;
    let mut to = spot.index + 1;
    let mut lacking = wanted - visits[spot.index].duration;
    while to < visits.len() && (lacking - visits[to].duration).abs() < lacking.abs() {
        lacking -= visits[to].duration;
        to += 1;
    }
    Piece { tour: spot.tour, from: spot.index, to, backwards: to - spot.index > 1 && chance.bits() >> 63 == 0 }
}

/// Where a tour has about so much work before it.
#[inline]
fn start_of_tail(visits: &[Visit], wanted: i32) -> usize {
    let kept = work(visits, 0, visits.len()) - wanted;
    visits.iter().position(|visit| visit.worked - visit.duration / 2 >= kept).unwrap_or(visits.len())
}

/// With anybody: in a large house the right person may be far away.
fn whole_tours(tours: &Tours<'_>, chance: &mut Chance, spot: Spot) -> Option<Move> {
    let other = chance.below(tours.open());
    if other == spot.tour || spot.tour == tours.open() {
        return None;
    }
    let whole = |tour: usize| Piece::new(tour, 0, tours.list[tour].visits.len());
    Some(Move::Exchange(whole(spot.tour), whole(other)))
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
