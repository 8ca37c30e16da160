//! The full count of a plan's cost, straight from the instance and without any cache.
//!
//! The search counts incrementally; this is the plain reading of the rules that it is checked against, and the
//! source of every number that is shown to people.

use std::collections::BTreeSet;

use crate::fair_share::fair_shares;
use crate::instance::{Instance, Person, Task};
use crate::terms::Terms;

/// A hard rule that a plan breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Breach {
    TaskTwice { task: usize },
    LacksSkill { task: usize, person: usize },
    PinnedElsewhere { task: usize, person: usize },
    KeptFrom { task: usize, person: usize },
    PastShiftEnd { person: usize, by_sec: i64 },
}

/// One stop of a person's round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stop {
    pub task: usize,
    pub walk_sec: i64,
    pub start_sec: i64,
    pub finish_sec: i64,
    /// Seconds past due; zero when in time.
    pub late_sec: i64,
}

/// One person's day, counted.
#[derive(Debug, Clone, Default)]
pub struct Round {
    pub terms: Terms,
    pub stops: Vec<Stop>,
    pub floors: BTreeSet<i64>,
    pub sections: BTreeSet<(i64, String)>,
    /// With what the person had before.
    pub load_sec: i64,
    pub fair_share_sec: i64,
    pub walk_sec: i64,
    pub breaches: Vec<Breach>,
}

/// The whole plan, counted.
#[derive(Debug, Clone)]
pub struct Score {
    pub terms: Terms,
    pub rounds: Vec<Round>,
    /// Tasks in no round.
    pub open: Vec<usize>,
    pub breaches: Vec<Breach>,
}

impl Score {
    pub fn cost(&self) -> i64 {
        self.terms.total()
    }
}

/// Counts a plan given as one list of task indices for each person, in the instance's order.
/// Indices outside the instance are passed over.
pub fn score(instance: &Instance, rounds: &[Vec<usize>]) -> Score {
    let shares = fair_shares(instance);
    let mut seen = vec![false; instance.tasks.len()];
    let mut total = Score { terms: Terms::default(), rounds: Vec::new(), open: Vec::new(), breaches: Vec::new() };
    for (index, share) in shares.into_iter().enumerate() {
        let tasks = rounds.get(index).map_or(&[][..], Vec::as_slice);
        let mut once = Vec::with_capacity(tasks.len());
        for &task in tasks.iter().filter(|task| **task < instance.tasks.len()) {
            if std::mem::replace(&mut seen[task], true) {
                total.breaches.push(Breach::TaskTwice { task });
            } else {
                once.push(task);
            }
        }
        let round = count_round(instance, index, share, &once);
        total.terms += round.terms;
        total.breaches.extend(round.breaches.iter().cloned());
        total.rounds.push(round);
    }
    for (task, _) in seen.iter().enumerate().filter(|(_, seen)| !**seen) {
        let row = instance.tasks[task].priority.row();
        total.terms.unassigned += instance.weights.unassigned[row].as_minutes();
        total.open.push(task);
    }
    total
}

/// Seconds from one spot to another.
fn walk_sec(instance: &Instance, from: (i64, i64), to: (i64, i64)) -> i64 {
    let walk = &instance.walk;
    if from.0 == to.0 {
        return walk.sec_per_unit * (from.1 - to.1).abs();
    }
    let along = (from.1 - walk.elevator_pos).abs() + (to.1 - walk.elevator_pos).abs();
    walk.sec_per_unit * along + walk.elevator_wait_sec + walk.sec_per_floor * (from.0 - to.0).abs()
}

/// Counts one person's day.
pub(crate) fn count_round(instance: &Instance, index: usize, share: i64, tasks: &[usize]) -> Round {
    let person = &instance.staff[index];
    let weights = &instance.weights;
    let mut round = Round { load_sec: person.load_min * 60, fair_share_sec: share, ..Round::default() };
    let mut clock = person.available_from_min * 60;
    let mut spot = (person.floor, person.position);
    let mut area = person.load_sqft;
    for &number in tasks {
        let task = &instance.tasks[number];
        let row = task.priority.row();
        let walked = walk_sec(instance, spot, (task.floor, task.position));
        let start = (clock + walked).max(task.ready_min * 60);
        clock = start + task.minutes * 60;
        spot = (task.floor, task.position);
        round.walk_sec += walked;
        round.load_sec += task.minutes * 60;
        area += task.sqft;
        round.floors.insert(task.floor);
        round.sections.insert((task.floor, task.section.clone()));
        let late_sec = task.due_min.map_or(0, |due| (clock - due * 60).max(0));
        let mut stop_terms = Terms {
            walk: walked.saturating_mul(weights.walk_per_min.0),
            urgency: start.saturating_mul(weights.start_per_min[row].0),
            ..Terms::default()
        };
        if late_sec > 0 {
            let by_minute = late_sec.saturating_mul(weights.late_per_min[row].0);
            stop_terms.late = by_minute.saturating_add(weights.late_fixed[row].as_minutes());
        }
        round.terms += stop_terms + person_terms(instance, person, task);
        round.stops.push(Stop { task: number, walk_sec: walked, start_sec: start, finish_sec: clock, late_sec });
        round.breaches.extend(held_or_unskilled(person, task, number, index));
    }
    if !tasks.is_empty() && clock > person.shift_end_min * 60 {
        round.breaches.push(Breach::PastShiftEnd { person: index, by_sec: clock - person.shift_end_min * 60 });
    }
    round.terms += day_terms(instance, person, &round, area);
    round
}

fn person_terms(instance: &Instance, person: &Person, task: &Task) -> Terms {
    let mut terms = Terms::default();
    if task.wanted_language().is_some_and(|wanted| !person.languages.iter().any(|known| known == wanted)) {
        terms.language = instance.weights.language.as_minutes();
    }
    if task.present_person().is_some_and(|id| id != person.id) {
        terms.change = instance.weights.change.as_minutes();
    }
    terms
}

fn held_or_unskilled(person: &Person, task: &Task, number: usize, index: usize) -> Vec<Breach> {
    let mut breaches = Vec::new();
    if task.needed_skill().is_some_and(|needed| !person.skills.iter().any(|have| have == needed)) {
        breaches.push(Breach::LacksSkill { task: number, person: index });
    }
    if task.is_held() && task.present_person().is_some_and(|id| id != person.id) {
        breaches.push(Breach::PinnedElsewhere { task: number, person: index });
    }
    if task.is_kept_from(person) {
        breaches.push(Breach::KeptFrom { task: number, person: index });
    }
    breaches
}

fn day_terms(instance: &Instance, person: &Person, round: &Round, area: i64) -> Terms {
    let weights = &instance.weights;
    let away = (round.load_sec - round.fair_share_sec).abs();
    let beyond = |count: usize| i64::try_from(count).unwrap_or(i64::MAX).saturating_sub(1).max(0);
    Terms {
        balance: weights.balance.iter().map(|(knee, weight)| (away - knee * 60).max(0) * weight.0).sum(),
        overtime: (round.load_sec - person.capacity_min * 60).max(0) * weights.overtime_per_min.0,
        floors: beyond(round.floors.len()) * weights.floor.as_minutes(),
        sections: beyond(round.sections.len()) * weights.section.as_minutes(),
        sqft: if instance.area_cap().is_some_and(|cap| area > cap) { weights.sqft_over.as_minutes() } else { 0 },
        ..Terms::default()
    }
}
