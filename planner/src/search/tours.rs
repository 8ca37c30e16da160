//! A plan under search: everybody's tour with what is needed to price a change without counting all over.
//!
//! The last tour belongs to nobody: it holds the tasks left open. It costs what its tasks cost when left open,
//! and has neither walking nor an end. So every move works on it like on any other tour.

use crate::problem::{Place, Problem};

/// One stop, with what the tour has cost in time (walking, urgency, lateness) up to and including it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Visit {
    job: u32,
    /// Floor, section and duration of the task, kept at hand: moves are drawn and weighed by them.
    pub(super) floor: u16,
    pub(super) section: u16,
    pub(super) duration: i32,
    pub(crate) finish: i32,
    /// Walking alone, up to here.
    pub(super) walked: i32,
    /// Work alone, up to here.
    pub(super) worked: i32,
    pub(crate) timed: i64,
}

impl Visit {
    fn new(problem: &Problem, job: usize) -> Self {
        let task = &problem.jobs[job];
        // Validation allows far fewer tasks, and so floors and sections, than these hold.
        let narrow = |index: u32| u16::try_from(index).unwrap_or(u16::MAX);
        Self {
            job: u32::try_from(job).unwrap_or(u32::MAX),
            floor: narrow(task.floor),
            section: narrow(task.section),
            duration: task.duration,
            finish: 0,
            walked: 0,
            worked: 0,
            timed: 0,
        }
    }

    #[inline]
    pub(crate) fn job(&self) -> usize {
        self.job as usize
    }

    /// Whether both are in the same section, or on the same floor.
    #[inline]
    pub(super) fn is_beside(&self, other: &Self, by_section: bool) -> bool {
        if by_section { self.section == other.section } else { self.floor == other.floor }
    }
}

/// The work of some stops in a row.
#[inline]
pub(super) fn work(visits: &[Visit], from: usize, to: usize) -> i32 {
    let until = |index: usize| if index == 0 { 0 } else { visits[index - 1].worked };
    until(to) - until(from)
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Tour {
    pub(crate) visits: Vec<Visit>,
    pub(super) load: i32,
    pub(super) area: i64,
    /// Language and change of person; for the open tasks, what it costs to leave them open.
    pub(super) fit: i64,
    pub(super) floors: i64,
    pub(super) sections: i64,
    /// What the load alone costs.
    pub(super) burden: i64,
    /// Everything but time: load, fit, floors and sections.
    pub(super) standing: i64,
    /// The cost in time that the plan's total holds for this tour.
    counted: i64,
}

impl Tour {
    #[inline]
    pub(crate) fn timed(&self) -> i64 {
        self.visits.last().map_or(0, |visit| visit.timed)
    }

    #[inline]
    pub(super) fn walked(&self) -> i32 {
        self.visits.last().map_or(0, |visit| visit.walked)
    }
}

/// Where a task is.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Spot {
    pub(crate) tour: usize,
    pub(crate) index: usize,
}

/// A piece of a tour, `from..to`, possibly walked backwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) tour: usize,
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) backwards: bool,
}

impl Piece {
    pub(crate) fn new(tour: usize, from: usize, to: usize) -> Self {
        Self { tour, from, to, backwards: false }
    }
}

/// A change of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Move {
    /// Two pieces of different tours change places. One of them may be empty (relocation), both may reach the
    /// end of their tours (exchange of tails).
    Exchange(Piece, Piece),
    /// Within one tour, two neighbouring pieces change places; with an empty first piece, the second is reversed.
    Turn(Piece, Piece),
}

#[derive(Debug, Clone)]
pub(crate) struct Tours<'p> {
    pub(crate) problem: &'p Problem,
    pub(crate) list: Vec<Tour>,
    pub(crate) spots: Vec<Spot>,
    pub(crate) cost: i64,
    pub(super) floor_counts: Vec<u16>,
    pub(super) section_counts: Vec<u16>,
    spare: Vec<Visit>,
    /// Stops walked so far, by an upper bound: what the effort of a search is measured by.
    pub(crate) steps: u64,
}

/// A person on the way: where, when, and what it has cost.
pub(super) struct Walker {
    place: Place,
    pub(super) clock: i32,
    walked: i32,
    pub(super) timed: i64,
}

impl Walker {
    #[inline]
    pub(super) fn visit(&mut self, problem: &Problem, job: usize) {
        let job = &problem.jobs[job];
        let walked = problem.walk(self.place, job.place);
        let start = (self.clock + walked).max(job.ready);
        self.walked = self.walked.saturating_add(walked);
        self.timed += i64::from(walked) * problem.walk_rate + i64::from(start) * i64::from(job.start_rate);
        self.clock = start + job.duration;
        self.place = job.place;
        if self.clock > job.due {
            self.timed += i64::from(self.clock - job.due) * i64::from(job.late_rate) + job.late_fixed;
        }
    }
}

impl<'p> Tours<'p> {
    fn blank(problem: &'p Problem) -> Self {
        let people = problem.workers.len();
        Self {
            problem,
            list: vec![Tour::default(); people + 1],
            spots: vec![Spot::default(); problem.jobs.len()],
            cost: 0,
            floor_counts: vec![0; people * problem.floors],
            section_counts: vec![0; people * problem.sections],
            spare: Vec::new(),
            steps: 0,
        }
    }

    /// Nobody has anything yet, but for the tasks in progress as far as the shift allows.
    pub(crate) fn empty(problem: &'p Problem) -> Self {
        let mut tours = Self::of(problem, &[]);
        tours.place_begun();
        tours
    }

    fn place_begun(&mut self) {
        for person in 0..self.problem.workers.len() {
            for &job in &self.problem.begun[person] {
                let here = self.list[person].visits.len();
                let at = self.spots[job].index;
                let open = Piece::new(self.open(), at, at + 1);
                let change = Move::Exchange(open, Piece::new(person, here, here));
                if self.price(&change, i64::MAX / 4).is_some() {
                    self.apply(&change);
                }
            }
        }
    }

    /// The tour of the tasks left open.
    #[inline]
    pub(crate) fn open(&self) -> usize {
        self.problem.workers.len()
    }

    /// How many stops at the start of a tour may not be touched.
    #[inline]
    pub(crate) fn locked(&self, tour: usize) -> usize {
        if tour == self.open() || self.problem.begun[tour].is_empty() {
            return 0;
        }
        self.list[tour].visits.iter().take_while(|visit| self.problem.begun[tour].contains(&visit.job())).count()
    }

    #[inline]
    pub(super) fn walker(&self, tour: usize, index: usize) -> Walker {
        if index == 0 {
            let worker = &self.problem.workers[tour];
            return Walker { place: worker.place, clock: worker.start, walked: 0, timed: 0 };
        }
        let visit = &self.list[tour].visits[index - 1];
        Walker {
            place: self.problem.jobs[visit.job()].place,
            clock: visit.finish,
            walked: visit.walked,
            timed: visit.timed,
        }
    }

    /// Carries a move out. It must have been priced as possible on this very plan.
    pub(crate) fn apply(&mut self, change: &Move) {
        match change {
            Move::Exchange(one, two) => {
                self.recount(*one, *two);
                let mut first = std::mem::take(&mut self.list[one.tour].visits);
                let mut second = std::mem::take(&mut self.list[two.tour].visits);
                self.spare.clear();
                self.spare.extend_from_slice(&first[one.from..one.to]);
                replace(&mut first, *one, &second[two.from..two.to], two.backwards);
                replace(&mut second, *two, &self.spare, one.backwards);
                self.list[one.tour].visits = first;
                self.list[two.tour].visits = second;
                self.retime(one.tour, one.from);
                self.retime(two.tour, two.from);
            }
            Move::Turn(first, second) => {
                let mut visits = std::mem::take(&mut self.list[first.tour].visits);
                self.spare.clear();
                for piece in [second, first] {
                    let stops = &visits[piece.from..piece.to];
                    if piece.backwards {
                        self.spare.extend(stops.iter().rev());
                    } else {
                        self.spare.extend_from_slice(stops);
                    }
                }
                visits[first.from..second.to].copy_from_slice(&self.spare);
                self.list[first.tour].visits = visits;
                self.retime(first.tour, first.from);
            }
        }
    }

    /// Keeps loads, fits and counts of both tours in step with an exchange.
    fn recount(&mut self, one: Piece, two: Piece) {
        for (out, inn) in [(one, two), (two, one)] {
            let before = self.list[out.tour].standing;
            for index in out.from..out.to {
                self.count(out.tour, self.list[out.tour].visits[index].job(), false);
            }
            for index in inn.from..inn.to {
                self.count(out.tour, self.list[inn.tour].visits[index].job(), true);
            }
            self.restand(out.tour);
            self.cost += self.list[out.tour].standing - before;
        }
    }

    fn count(&mut self, tour: usize, job: usize, comes: bool) {
        let problem = self.problem;
        let task = &problem.jobs[job];
        let sign = if comes { 1 } else { -1 };
        if tour == problem.workers.len() {
            self.list[tour].fit += i64::from(sign) * task.open_cost;
            return;
        }
        let here = &mut self.list[tour];
        here.load += sign * task.duration;
        here.area += i64::from(sign) * task.area;
        here.fit += i64::from(sign) * problem.fit_cost(tour, job).unwrap_or(0);
        for (count, distinct) in [
            (&mut self.floor_counts[tour * problem.floors + task.floor as usize], &mut here.floors),
            (&mut self.section_counts[tour * problem.sections + task.section as usize], &mut here.sections),
        ] {
            if comes {
                *distinct += i64::from(*count == 0);
                *count += 1;
            } else {
                *count -= 1;
                *distinct -= i64::from(*count == 0);
            }
        }
    }

    fn restand(&mut self, tour: usize) {
        let problem = self.problem;
        let here = &mut self.list[tour];
        here.standing = if tour == problem.workers.len() {
            here.fit
        } else {
            here.burden = problem.load_cost(tour, here.load, here.area);
            standing(problem, tour, here.load, here.area, here.fit, here.floors, here.sections)
        };
    }

    /// Counts times anew from a stop on.
    fn retime(&mut self, tour: usize, from: usize) {
        let problem = self.problem;
        let mut worked = if from == 0 { 0 } else { self.list[tour].visits[from - 1].worked };
        if tour == problem.workers.len() {
            for (index, visit) in self.list[tour].visits.iter_mut().enumerate().skip(from) {
                (visit.finish, visit.walked, visit.timed) = (0, 0, 0);
                worked += visit.duration;
                visit.worked = worked;
                self.spots[visit.job()] = Spot { tour, index };
            }
            return;
        }
        let mut walker = self.walker(tour, from);
        let before = self.list[tour].counted;
        self.steps += (self.list[tour].visits.len() - from) as u64;
        let here = &mut self.list[tour];
        for (index, visit) in here.visits.iter_mut().enumerate().skip(from) {
            walker.visit(problem, visit.job());
            (visit.finish, visit.walked, visit.timed) = (walker.clock, walker.walked, walker.timed);
            worked += visit.duration;
            visit.worked = worked;
            self.spots[visit.job()] = Spot { tour, index };
        }
        here.counted = here.timed();
        self.cost += here.counted - before;
    }

    /// The plan with these rounds; every task appears at most once, and all rules are kept.
    pub(crate) fn of(problem: &'p Problem, rounds: &[Vec<usize>]) -> Self {
        let people = problem.workers.len();
        let mut tours = Self::blank(problem);
        let mut placed = vec![false; problem.jobs.len()];
        let visit = |job| Visit::new(problem, job);
        for (person, round) in rounds.iter().enumerate().take(people) {
            for &job in round {
                placed[job] = true;
                tours.list[person].visits.push(visit(job));
            }
        }
        tours.list[people].visits = (0..problem.jobs.len()).filter(|job| !placed[*job]).map(visit).collect();
        for tour in 0..=people {
            tours.refresh(tour);
        }
        tours
    }

    /// Counts a tour from nothing.
    fn refresh(&mut self, tour: usize) {
        let jobs: Vec<usize> = self.list[tour].visits.iter().map(Visit::job).collect();
        if tour < self.problem.workers.len() {
            self.list[tour].load = self.problem.workers[tour].load;
            self.list[tour].area = self.problem.workers[tour].area;
        }
        for job in jobs {
            self.count(tour, job, true);
        }
        self.restand(tour);
        self.cost += self.list[tour].standing;
        self.retime(tour, 0);
    }

    /// The tasks of every person in order, without those left open.
    pub(crate) fn rounds(&self) -> Vec<Vec<usize>> {
        self.list[..self.open()].iter().map(|tour| tour.visits.iter().map(Visit::job).collect()).collect()
    }
}

#[inline]
pub(super) fn standing(
    problem: &Problem,
    tour: usize,
    load: i32,
    area: i64,
    fit: i64,
    floors: i64,
    sections: i64,
) -> i64 {
    problem.load_cost(tour, load, area)
        + fit
        + (floors - 1).max(0) * problem.floor_cost
        + (sections - 1).max(0) * problem.section_cost
}

/// Puts `stops` in the place of `gap`.
fn replace(visits: &mut Vec<Visit>, gap: Piece, stops: &[Visit], backwards: bool) {
    if backwards {
        visits.splice(gap.from..gap.to, stops.iter().rev().copied());
    } else {
        visits.splice(gap.from..gap.to, stops.iter().copied());
    }
}
