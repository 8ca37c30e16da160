//! What a change of a plan would add to its cost, without making it.

use super::tours::{Move, Piece, Tours, standing, work};

impl Tours<'_> {
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

    /// What the move would add to the cost of loads alone, whatever it breaks otherwise.
    #[inline]
    pub(crate) fn burden_added(&self, change: &Move) -> i64 {
        let Move::Exchange(one, two) = change else { return 0 };
        if one.tour == self.open() || two.tour == self.open() {
            return 0;
        }
        let problem = self.problem;
        let (first, second) = (&self.list[one.tour], &self.list[two.tour]);
        let shift = work(&second.visits, two.from, two.to) - work(&first.visits, one.from, one.to);
        problem.load_cost(one.tour, first.load + shift, first.area)
            + problem.load_cost(two.tour, second.load - shift, second.area)
            - first.burden
            - second.burden
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
            let gone: i64 = leaving.iter().map(|visit| problem.jobs[visit.job()].open_cost).sum();
            let come: i64 = coming.iter().map(|visit| problem.jobs[visit.job()].open_cost).sum();
            return Some(tour.standing - gone + come);
        }
        if leaving.len() == tour.visits.len()
            && coming.len() == self.list[inn.tour].visits.len()
            && inn.tour != self.open()
        {
            return self.standing_with_all_of(out.tour, inn.tour);
        }
        let (mut load, mut area, mut fit) = (tour.load, tour.area, tour.fit);
        let (mut floors, mut sections) = (tour.floors, tour.sections);
        for visit in coming {
            fit += problem.fit_cost(out.tour, visit.job())?;
            load += visit.duration;
        }
        for visit in leaving {
            fit -= problem.fit_cost(out.tour, visit.job()).unwrap_or(0);
            load -= visit.duration;
        }
        if problem.has_area_cap() {
            area += coming.iter().map(|visit| problem.jobs[visit.job()].area).sum::<i64>();
            area -= leaving.iter().map(|visit| problem.jobs[visit.job()].area).sum::<i64>();
        }
        if leaving.len() <= 1 && coming.len() <= 1 {
            let (gone, come) = (leaving.first(), coming.first());
            let floor_counts = &self.floor_counts[out.tour * problem.floors..][..problem.floors];
            let section_counts = &self.section_counts[out.tour * problem.sections..][..problem.sections];
            floors += distinct_change(floor_counts, gone.map(|visit| visit.floor), come.map(|visit| visit.floor));
            sections +=
                distinct_change(section_counts, gone.map(|visit| visit.section), come.map(|visit| visit.section));
            return Some(standing(problem, out.tour, load, area, fit, floors, sections));
        }
        let floor_counts = &mut self.floor_counts[out.tour * problem.floors..][..problem.floors];
        let section_counts = &mut self.section_counts[out.tour * problem.sections..][..problem.sections];
        for visit in leaving {
            floor_counts[usize::from(visit.floor)] -= 1;
            floors -= i64::from(floor_counts[usize::from(visit.floor)] == 0);
            section_counts[usize::from(visit.section)] -= 1;
            sections -= i64::from(section_counts[usize::from(visit.section)] == 0);
        }
        for visit in coming {
            floors += i64::from(floor_counts[usize::from(visit.floor)] == 0);
            floor_counts[usize::from(visit.floor)] += 1;
            sections += i64::from(section_counts[usize::from(visit.section)] == 0);
            section_counts[usize::from(visit.section)] += 1;
        }
        for visit in coming {
            floor_counts[usize::from(visit.floor)] -= 1;
            section_counts[usize::from(visit.section)] -= 1;
        }
        for visit in leaving {
            floor_counts[usize::from(visit.floor)] += 1;
            section_counts[usize::from(visit.section)] += 1;
        }
        Some(standing(problem, out.tour, load, area, fit, floors, sections))
    }

    /// The same for somebody who gets the whole tour of somebody else: its floors and sections are known.
    fn standing_with_all_of(&self, person: usize, other: usize) -> Option<i64> {
        let problem = self.problem;
        let tour = &self.list[other];
        let mut fit = 0;
        for visit in &tour.visits {
            fit += problem.fit_cost(person, visit.job())?;
        }
        let load = problem.workers[person].load + tour.load - problem.workers[other].load;
        let area = problem.workers[person].area + tour.area - problem.workers[other].area;
        Some(standing(problem, person, load, area, fit, tour.floors, tour.sections))
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
                    walker.visit(problem, visit.job());
                    if walker.clock > end || walker.timed > most {
                        return None;
                    }
                }
            } else {
                for visit in stops {
                    walker.visit(problem, visit.job());
                    if walker.clock > end || walker.timed > most {
                        return None;
                    }
                }
            }
        }
        let Some((first, rest)) = visits[gap.to..].split_first() else {
            return Some(walker.timed);
        };
        walker.visit(problem, first.job());
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
            walker.visit(problem, visit.job());
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
}

/// How many more kinds there are once one thing has gone and another has come.
#[inline]
fn distinct_change(counts: &[u16], gone: Option<u16>, come: Option<u16>) -> i64 {
    if gone == come {
        return 0;
    }
    let less = gone.is_some_and(|kind| counts[usize::from(kind)] == 1);
    let more = come.is_some_and(|kind| counts[usize::from(kind)] == 0);
    i64::from(more) - i64::from(less)
}
