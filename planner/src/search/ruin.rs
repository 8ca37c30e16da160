//! Ruin and recreate: some related tasks are taken from their people and given out again, one by one, each where
//! it adds least. It changes who has which floor, which single moves hardly ever do.

use super::anneal::Neighbours;
use super::tours::{Move, Piece, Spot, Tours};
use crate::random::{Chance, scaled};

/// One step back.
#[derive(Debug, Clone, Copy)]
enum Done {
    TakenFrom(usize, Spot),
    Given(usize),
}

/// Room for the work, kept between rounds.
#[derive(Debug, Default)]
pub(crate) struct Ruin {
    done: Vec<Done>,
    loose: Vec<usize>,
}

impl Ruin {
    /// Tries one ruin; keeps it when it adds no more than `allowed`. Gives the number of places that were priced.
    pub(crate) fn try_one(
        &mut self,
        tours: &mut Tours<'_>,
        neighbours: &Neighbours,
        chance: &mut Chance,
        allowed: i64,
    ) -> u64 {
        let before = tours.cost;
        self.done.clear();
        self.loose.clear();
        self.take_related(tours, neighbours, chance);
        if self.loose.is_empty() {
            return 0;
        }
        let open = &tours.tours[tours.open()].visits;
        for _ in 0..(open.len() - self.loose.len()).min(3) {
            let other = open[chance.below(open.len())].job;
            if !self.loose.contains(&other) {
                self.loose.push(other);
            }
        }
        self.arrange(tours, chance);
        let mut evaluated = 0;
        for index in 0..self.loose.len() {
            let job = self.loose[index];
            if let Some(spot) = best_place(tours, job, chance, &mut evaluated) {
                put_in(tours, job, spot);
                self.done.push(Done::Given(job));
            }
            // TODO early stop when the cost is hopeless
        }
        if tours.cost - before > allowed {
            self.undo(tours);
        }
        evaluated
    }

    fn undo(&mut self, tours: &mut Tours<'_>) {
        while let Some(step) = self.done.pop() {
            match step {
                Done::Given(job) => take_out(tours, job),
                Done::TakenFrom(job, spot) => put_in(tours, job, spot),
            }
        }
    }

    fn take(&mut self, tours: &mut Tours<'_>, job: usize) {
        let spot = tours.spots[job];
        if spot.tour == tours.open() || spot.index < tours.locked(spot.tour) {
            return;
        }
        take_out(tours, job);
        self.done.push(Done::TakenFrom(job, spot));
        self.loose.push(job);
    }

    fn take_related(&mut self, tours: &mut Tours<'_>, neighbours: &Neighbours, chance: &mut Chance) {
        let bits = chance.bits();
        let seed = scaled(bits >> 32, tours.spots.len());
        let most = super::tune(3, 10) as usize;
        let wanted = 2 + scaled(bits >> 12, most);
        match bits & 7 {
            0..=2 => {
                // Tasks around the seed, whoever has them.
                let near = neighbours.near(tours.problem, seed, bits & 8 != 0);
                let first = scaled(chance.bits(), near.len());
                self.take(tours, seed);
                for offset in 0..near.len() {
                    if self.loose.len() >= wanted {
                        break;
                    }
                    let job = near[(first + offset) % near.len()];
                    if chance.bits() & 3 != 0 {
                        self.take(tours, job);
                    }
                }
            }
            3..=5 => {
                // Strings of the tours that come near the seed.
                self.take_string(tours, seed, chance);
                for _ in 0..8 {
                    if self.loose.len() >= wanted {
                        break;
                    }
                    let near = neighbours.near(tours.problem, seed, bits & 16 != 0);
                    let other = near[chance.below(near.len())];
                    self.take_string(tours, other, chance);
                }
            }
            _ => {
                // What a person has on one floor, and something of somebody else's there.
                let spot = tours.spots[seed];
                let floor = tours.problem.jobs[seed].floor;
                let jobs: Vec<usize> = tours.tours[spot.tour]
                    .visits
                    .iter()
                    .map(|visit| visit.job)
                    .filter(|job| tours.problem.jobs[*job].floor == floor)
                    .collect();
                for job in jobs.into_iter().take(12) {
                    self.take(tours, job);
                }
                for _ in 0..8 {
                    if self.loose.len() >= wanted {
                        break;
                    }
                    let other = chance.below(tours.spots.len());
                    self.take_string(tours, other, chance);
                }
            }
        }
    }

    fn take_string(&mut self, tours: &mut Tours<'_>, job: usize, chance: &mut Chance) {
        let spot = tours.spots[job];
        if spot.tour == tours.open() {
            return;
        }
        let length = tours.tours[spot.tour].visits.len();
        let wanted = (1 + chance.below(5)).min(length);
        let from = spot.index.saturating_sub(chance.below(wanted)).min(length - wanted);
        for _ in 0..wanted {
            if from < tours.tours[spot.tour].visits.len() {
                let next = tours.tours[spot.tour].visits[from].job;
                self.take(tours, next);
            }
        }
    }

    fn arrange(&mut self, tours: &Tours<'_>, chance: &mut Chance) {
        let bits = chance.bits();
        for index in (1..self.loose.len()).rev() {
            let other = chance.below(index + 1);
            self.loose.swap(index, other);
        }
        let jobs = &tours.problem.jobs;
        match bits & 7 {
            0 | 1 => self.loose.sort_by_key(|job| -jobs[*job].duration),
            2 | 3 => self.loose.sort_by_key(|job| (-jobs[*job].start_rate, jobs[*job].due)),
            4 => self.loose.sort_by_key(|job| (jobs[*job].floor, jobs[*job].section)),
            _ => {}
        }
    }
}

/// The cheapest place over all people, with a small chance to overlook one.
fn best_place(tours: &mut Tours<'_>, job: usize, chance: &mut Chance, evaluated: &mut u64) -> Option<Spot> {
    let mut best = None;
    let mut most = tours.problem.jobs[job].open_cost;
    for person in 0..tours.open() {
        if !tours.problem.may(person, job) {
            continue;
        }
        if chance.bits() & 63 == 0 {
            continue;
        }
        if let Some((added, index)) = tours.cheapest_insertion(job, person, most, evaluated) {
            most = added - 1;
            best = Some(Spot { tour: person, index });
        }
    }
    best
}

fn take_out(tours: &mut Tours<'_>, job: usize) {
    let spot = tours.spots[job];
    let end = tours.tours[tours.open()].visits.len();
    tours.apply(&Move::Exchange(
        Piece::new(spot.tour, spot.index, spot.index + 1),
        Piece::new(tours.open(), end, end),
    ));
}

fn put_in(tours: &mut Tours<'_>, job: usize, to: Spot) {
    let spot = tours.spots[job];
    tours.apply(&Move::Exchange(
        Piece::new(spot.tour, spot.index, spot.index + 1),
        Piece::new(to.tour, to.index, to.index),
    ));
}
