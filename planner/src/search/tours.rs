//! A plan under search: everybody's tour with what is needed to price a change without counting all over.
//!
//! The last tour belongs to nobody: it holds the tasks left open. It costs what its tasks cost when left open,
//! and has neither walking nor an end. So every move works on it like on any other tour.

use crate::problem::{Place, Problem};

/// One stop, with what the tour has cost in time (walking, urgency, lateness) up to and including it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Visit {
    pub(crate) job: usize,
    pub(crate) finish: i32,
    /// Walking alone, up to here.
    walked: i32,
    pub(crate) timed: i64,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Tour {
    pub(crate) visits: Vec<Visit>,
    load: i32,
    area: i64,
    /// Language and change of person; for the open tasks, what it costs to leave them open.
    fit: i64,
    floors: i64,
    sections: i64,
    /// Everything but time: load, fit, floors and sections.
    standing: i64,
    /// The cost in time that the plan's total holds for this tour.
    counted: i64,
}

impl Tour {
    #[inline]
    pub(crate) fn timed(&self) -> i64 {
        self.visits.last().map_or(0, |visit| visit.timed)
    }

    #[inline]
    fn walked(&self) -> i32 {
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
    floor_counts: Vec<u16>,
    section_counts: Vec<u16>,
    spare: Vec<Visit>,
    /// Stops walked so far, by an upper bound: what the effort of a search is measured by.
    pub(crate) steps: u64,
}

/// A person on the way: where, when, and what it has cost.
struct Walker {
    place: Place,
    clock: i32,
    walked: i32,
    timed: i64,
}

impl Walker {
    #[inline]
    fn visit(&mut self, problem: &Problem, job: usize) {
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
        self.list[tour].visits.iter().take_while(|visit| self.problem.begun[tour].contains(&visit.job)).count()
    }

    /// What the move would add to the cost, or nothing when it breaks a hard rule or adds more than `most`.
    #[inline]
    pub(crate) fn price(&mut self, change: &Move, most: i64) -> Option<i64> {
        match change {
            Move::Exchange(one, two) => self.price_exchange(*one, *two, most),
            Move::Turn(first, second) => self.price_turn(*first, *second, most),
        }
    }

    fn price_exchange(&mut self, one: Piece, two: Piece, most: i64) -> Option<i64> {
        let standing = self.standing_after(one, two)? + self.standing_after(two, one)?
            - self.list[one.tour].standing
            - self.list[two.tour].standing;
        let (first, second) = (&self.list[one.tour], &self.list[two.tour]);
        self.steps += (first.visits.len() - one.from + second.visits.len() - two.from) as u64;
        let before = first.timed() + second.timed();
        // What both tours together may cost in time.
        let room = most - standing + before;
        let least_two = self.timed_until(two.tour, two.from);
        let timed_one = self.timed_after(one, &[two], room - least_two)?;
        let timed_two = self.timed_after(two, &[one], room - timed_one)?;
        Some(standing + timed_one + timed_two - before)
    }

    fn price_turn(&mut self, first: Piece, second: Piece, most: i64) -> Option<i64> {
        if first.tour == self.open() {
            return None;
        }
        let before = self.list[first.tour].timed();
        self.steps += (self.list[first.tour].visits.len() - first.from) as u64;
        let whole = Piece::new(first.tour, first.from, second.to);
        Some(self.timed_after(whole, &[second, first], most + before)? - before)
    }

    #[inline]
    fn timed_until(&self, tour: usize, index: usize) -> i64 {
        if index == 0 || tour == self.open() { 0 } else { self.list[tour].visits[index - 1].timed }
    }

    /// Load, fit, floors and sections of a tour once `out` has left and `inn` has come.
    #[inline]
    fn standing_after(&mut self, out: Piece, inn: Piece) -> Option<i64> {
        let problem = self.problem;
        let tour = &self.list[out.tour];
        let leaving = &tour.visits[out.from..out.to];
        let coming = &self.list[inn.tour].visits[inn.from..inn.to];
        if out.tour == problem.workers.len() {
            let gone: i64 = leaving.iter().map(|visit| problem.jobs[visit.job].open_cost).sum();
            let come: i64 = coming.iter().map(|visit| problem.jobs[visit.job].open_cost).sum();
            return Some(tour.standing - gone + come);
        }
        let (mut load, mut area, mut fit) = (tour.load, tour.area, tour.fit);
        let (mut floors, mut sections) = (tour.floors, tour.sections);
        for visit in coming {
            fit += problem.fit_cost(out.tour, visit.job)?;
            load += problem.jobs[visit.job].duration;
            area += problem.jobs[visit.job].area;
        }
        for visit in leaving {
            fit -= problem.fit_cost(out.tour, visit.job).unwrap_or(0);
            load -= problem.jobs[visit.job].duration;
            area -= problem.jobs[visit.job].area;
        }
        let floor_counts = &mut self.floor_counts[out.tour * problem.floors..][..problem.floors];
        let section_counts = &mut self.section_counts[out.tour * problem.sections..][..problem.sections];
        for visit in leaving {
            let job = &problem.jobs[visit.job];
            floor_counts[job.floor] -= 1;
            floors -= i64::from(floor_counts[job.floor] == 0);
            section_counts[job.section] -= 1;
            sections -= i64::from(section_counts[job.section] == 0);
        }
        for visit in coming {
            let job = &problem.jobs[visit.job];
            floors += i64::from(floor_counts[job.floor] == 0);
            floor_counts[job.floor] += 1;
            sections += i64::from(section_counts[job.section] == 0);
            section_counts[job.section] += 1;
        }
        for visit in coming {
            let job = &problem.jobs[visit.job];
            floor_counts[job.floor] -= 1;
            section_counts[job.section] -= 1;
        }
        for visit in leaving {
            let job = &problem.jobs[visit.job];
            floor_counts[job.floor] += 1;
            section_counts[job.section] += 1;
        }
        Some(standing(problem, out.tour, load, area, fit, floors, sections))
    }

    /// What a person's tour would cost beyond now, but for time, with one more task.
    pub(crate) fn standing_with(&mut self, person: usize, job: usize) -> Option<i64> {
        let spot = self.spots[job];
        let length = self.list[person].visits.len();
        let gap = Piece::new(person, length, length);
        let after = self.standing_after(gap, Piece::new(spot.tour, spot.index, spot.index + 1))?;
        Some(after - self.list[person].standing)
    }

    /// Walking, urgency and lateness of a tour with `gap` replaced by `pieces`; nothing past the end of the shift
    /// or beyond `most`.
    #[inline]
    fn timed_after(&self, gap: Piece, pieces: &[Piece], most: i64) -> Option<i64> {
        let problem = self.problem;
        if gap.tour == problem.workers.len() {
            return if most >= 0 { Some(0) } else { None };
        }
        let visits = &self.list[gap.tour].visits;
        let end = problem.workers[gap.tour].end;
        let mut walker = self.walker(gap.tour, gap.from);
        if walker.timed > most {
            return None;
        }
        for piece in pieces {
            let stops = &self.list[piece.tour].visits[piece.from..piece.to];
            if piece.backwards {
                for visit in stops.iter().rev() {
                    walker.visit(problem, visit.job);
                    if walker.clock > end || walker.timed > most {
                        return None;
                    }
                }
            } else {
                for visit in stops {
                    walker.visit(problem, visit.job);
                    if walker.clock > end || walker.timed > most {
                        return None;
                    }
                }
            }
        }
        let Some((first, rest)) = visits[gap.to..].split_first() else {
            return Some(walker.timed);
        };
        walker.visit(problem, first.job);
        let tour = &self.list[gap.tour];
        // The rest of the tour keeps its walking, and costs no less than now when it is late by more.
        let to_come = if walker.clock >= first.finish {
            tour.timed() - first.timed
        } else {
            i64::from(tour.walked() - first.walked) * problem.walk_rate
        };
        if walker.clock == first.finish {
            let timed = walker.timed + to_come;
            return if timed > most { None } else { Some(timed) };
        }
        if walker.clock > end || walker.timed + to_come > most {
            return None;
        }
        for visit in rest {
            walker.visit(problem, visit.job);
            if walker.clock == visit.finish {
                let timed = walker.timed + tour.timed() - visit.timed;
                return if timed > most { None } else { Some(timed) };
            }
            if walker.clock > end || walker.timed > most {
                return None;
            }
        }
        Some(walker.timed)
    }

    #[inline]
    fn walker(&self, tour: usize, index: usize) -> Walker {
        if index == 0 {
            let worker = &self.problem.workers[tour];
            return Walker { place: worker.place, clock: worker.start, walked: 0, timed: 0 };
        }
        let visit = &self.list[tour].visits[index - 1];
        Walker {
            place: self.problem.jobs[visit.job].place,
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
                self.count(out.tour, self.list[out.tour].visits[index].job, false);
            }
            for index in inn.from..inn.to {
                self.count(out.tour, self.list[inn.tour].visits[index].job, true);
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
            (&mut self.floor_counts[tour * problem.floors + task.floor], &mut here.floors),
            (&mut self.section_counts[tour * problem.sections + task.section], &mut here.sections),
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
            standing(problem, tour, here.load, here.area, here.fit, here.floors, here.sections)
        };
    }

    /// Counts times anew from a stop on.
    fn retime(&mut self, tour: usize, from: usize) {
        let problem = self.problem;
        if tour == problem.workers.len() {
            for (index, visit) in self.list[tour].visits.iter_mut().enumerate().skip(from) {
                (visit.finish, visit.walked, visit.timed) = (0, 0, 0);
                self.spots[visit.job] = Spot { tour, index };
            }
            return;
        }
        let mut walker = self.walker(tour, from);
        let before = self.list[tour].counted;
        self.steps += (self.list[tour].visits.len() - from) as u64;
        let here = &mut self.list[tour];
        for (index, visit) in here.visits.iter_mut().enumerate().skip(from) {
            walker.visit(problem, visit.job);
            (visit.finish, visit.walked, visit.timed) = (walker.clock, walker.walked, walker.timed);
            self.spots[visit.job] = Spot { tour, index };
        }
        here.counted = here.timed();
        self.cost += here.counted - before;
    }

    /// The plan with these rounds; every task appears at most once, and all rules are kept.
    pub(crate) fn of(problem: &'p Problem, rounds: &[Vec<usize>]) -> Self {
        let people = problem.workers.len();
        let mut tours = Self::blank(problem);
        let mut placed = vec![false; problem.jobs.len()];
        let visit = |job| Visit { job, finish: 0, walked: 0, timed: 0 };
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
        let jobs: Vec<usize> = self.list[tour].visits.iter().map(|visit| visit.job).collect();
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
        self.list[..self.open()].iter().map(|tour| tour.visits.iter().map(|visit| visit.job).collect()).collect()
    }
}

#[inline]
fn standing(problem: &Problem, tour: usize, load: i32, area: i64, fit: i64, floors: i64, sections: i64) -> i64 {
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
