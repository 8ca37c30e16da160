//! The door to the planner: an instance made ready, from which plans and alternatives are had.

use std::collections::HashMap;

use crate::error::PlannerError;
use crate::explain::Explainer;
use crate::instance::Instance;
use crate::plan::{Day, LateRoom, MovedTask, OpenTask, Plan, Row};
use crate::problem::Problem;
use crate::score::{Score, score};
use crate::search;

/// How much and with which luck to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// Moves over all chains; by size of the instance when absent.
    pub moves: Option<u64>,
    pub seed: u64,
}

/// Asked now and then whether the search has to end at once.
pub type ShouldStop<'a> = &'a (dyn Fn() -> bool + Sync);

/// A valid instance, made ready.
#[derive(Debug)]
pub struct Morning<'i> {
    pub(crate) instance: &'i Instance,
    pub(crate) problem: Problem,
    tasks: HashMap<&'i str, usize>,
    people: HashMap<&'i str, usize>,
}

impl<'i> Morning<'i> {
    pub fn new(instance: &'i Instance) -> Result<Self, PlannerError> {
        Ok(Self {
            instance,
            problem: Problem::new(instance)?,
            tasks: instance.tasks.iter().enumerate().map(|(index, task)| (task.id.as_str(), index)).collect(),
            people: instance.staff.iter().enumerate().map(|(index, person)| (person.id.as_str(), index)).collect(),
        })
    }

    /// Searches, counts and explains.
    pub fn plan(&self, options: &Options, should_stop: ShouldStop<'_>) -> Plan {
        let moves = options.moves.unwrap_or_else(|| self.usual_moves());
        let found = search::search(&self.problem, moves, options.seed, should_stop);
        let score = score(self.instance, &found.rounds);
        debug_assert!(score.breaches.is_empty(), "the search broke a hard rule: {:?}", score.breaches);
        let mut explainer = Explainer::new(self.instance, &self.problem, &found.rounds, &score);
        let (rows, unassigned) = self.explained(&score, &mut explainer);
        Plan {
            name: self.instance.name.clone(),
            cost: score.cost(),
            minutes: decimal(score.cost(), 60_000),
            terms: score.terms,
            truncated: found.truncated,
            seed: options.seed,
            evaluated_moves: found.evaluated,
            rows,
            people: self.days(&score),
            late: self.late_rooms(&score),
            unassigned,
            moved: self.moved(&found.rounds),
        }
    }

    /// The budget that is used when none is given.
    pub fn usual_moves(&self) -> u64 {
        search::usual_moves(&self.problem)
    }

    /// The rounds that a plan's rows describe.
    pub fn rounds_of(&self, plan: &Plan) -> Result<Vec<Vec<usize>>, PlannerError> {
        let mut ordered: Vec<Vec<(usize, usize)>> = vec![Vec::new(); self.people.len()];
        let mut seen = vec![false; self.tasks.len()];
        for row in &plan.rows {
            let (task, person) = (self.task(&row.task_id)?, self.person(&row.staff_id)?);
            if std::mem::replace(&mut seen[task], true) {
                return Err(PlannerError::TaskTwice(row.task_id.clone()));
            }
            ordered[person].push((row.sequence, task));
        }
        Ok(ordered
            .into_iter()
            .map(|mut round| {
                round.sort_by_key(|(sequence, _)| *sequence);
                round.into_iter().map(|(_, task)| task).collect()
            })
            .collect())
    }

    pub(crate) fn task(&self, id: &str) -> Result<usize, PlannerError> {
        self.tasks.get(id).copied().ok_or_else(|| PlannerError::UnknownTask(id.to_owned()))
    }

    pub(crate) fn person(&self, id: &str) -> Result<usize, PlannerError> {
        self.people.get(id).copied().ok_or_else(|| PlannerError::UnknownPerson(id.to_owned()))
    }

    fn explained(&self, score: &Score, explainer: &mut Explainer<'_>) -> (Vec<Row>, Vec<OpenTask>) {
        let mut rows = Vec::new();
        for (person, round) in score.rounds.iter().enumerate() {
            for (index, stop) in round.stops.iter().enumerate() {
                let why = explainer.why_this_person(stop.task);
                rows.push(Row {
                    task_id: self.instance.tasks[stop.task].id.clone(),
                    staff_id: self.instance.staff[person].id.clone(),
                    sequence: index + 1,
                    start_sec: stop.start_sec,
                    finish_sec: stop.finish_sec,
                    score: decimal(why.score, 1000),
                    reasoning: why.text,
                    reasons: why.reasons,
                });
            }
        }
        let unassigned = score
            .open
            .iter()
            .map(|task| {
                let (reasoning, reason) = explainer.why_open(*task);
                OpenTask { task_id: self.instance.tasks[*task].id.clone(), reasoning, reason }
            })
            .collect();
        (rows, unassigned)
    }

    fn days(&self, score: &Score) -> Vec<Day> {
        self.instance
            .staff
            .iter()
            .zip(&score.rounds)
            .map(|(person, round)| Day {
                staff_id: person.id.clone(),
                tasks: round.stops.len(),
                load_min: round.load_sec / 60,
                fair_share_min: round.fair_share_sec / 60,
                walk_sec: round.walk_sec,
                floors: round.floors.iter().copied().collect(),
                sections: round.sections.len(),
                late_rooms: round.stops.iter().filter(|stop| stop.late_sec > 0).count(),
                finish_sec: round.stops.last().map(|stop| stop.finish_sec),
                terms: round.terms,
            })
            .collect()
    }

    fn late_rooms(&self, score: &Score) -> Vec<LateRoom> {
        let mut late = Vec::new();
        for (person, round) in self.instance.staff.iter().zip(&score.rounds) {
            late.extend(round.stops.iter().filter(|stop| stop.late_sec > 0).map(|stop| LateRoom {
                task_id: self.instance.tasks[stop.task].id.clone(),
                staff_id: person.id.clone(),
                late_sec: stop.late_sec,
            }));
        }
        late
    }

    fn moved(&self, rounds: &[Vec<usize>]) -> Vec<MovedTask> {
        let mut now: Vec<Option<&str>> = vec![None; self.instance.tasks.len()];
        for (person, round) in self.instance.staff.iter().zip(rounds) {
            for &task in round {
                now[task] = Some(&person.id);
            }
        }
        let before = |index: usize| self.instance.tasks[index].present_person();
        now.iter()
            .enumerate()
            .filter_map(|(index, to)| {
                let from = before(index).filter(|from| Some(*from) != *to)?;
                let task_id = self.instance.tasks[index].id.clone();
                Some(MovedTask { task_id, from: from.to_owned(), to: to.map(str::to_owned) })
            })
            .collect()
    }
}

/// Plans an instance in one go.
pub fn solve(instance: &Instance, options: &Options, should_stop: ShouldStop<'_>) -> Result<Plan, PlannerError> {
    Ok(Morning::new(instance)?.plan(options, should_stop))
}

/// A whole number of parts as a decimal number with three places, for showing.
#[expect(clippy::cast_precision_loss, reason = "shown to people; the exact number is beside it")]
fn decimal(value: i64, parts: i64) -> f64 {
    (i128::from(value) * 1000 / i128::from(parts)) as f64 / 1000.0
}
