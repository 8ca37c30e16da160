//! What if this task went to that person? Answered in microseconds, for dragging on the board.

use serde::{Deserialize, Serialize};

use crate::error::PlannerError;
use crate::morning::Morning;
use crate::reason::spoken_duration;
use crate::score::{Round, Score, count_round, score};
use crate::search::construct::{ANY_COST, cheapest_place};
use crate::search::tours::{Move, Piece, Tours};
use crate::terms::Terms;

/// Why a task cannot go to a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Obstacle {
    LacksSkill,
    PinnedElsewhere,
    InProgress,
    PastShiftEnd,
}

/// A room whose lateness would change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LatenessChange {
    pub task_id: String,
    pub before_sec: i64,
    pub after_sec: i64,
}

/// What one change would do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WhatIf {
    pub task_id: String,
    pub staff_id: String,
    /// Why it cannot be; all numbers are zero then.
    pub obstacle: Option<Obstacle>,
    /// Place in the person's order, from one.
    pub sequence: usize,
    /// What the plan's cost would gain (or lose), in units of a thousandth of a second.
    pub cost: i64,
    pub terms: Terms,
    pub walk_sec: i64,
    pub floors: i64,
    pub overtime_sec: i64,
    /// How much later the person would be done.
    pub finish_sec: i64,
    pub lateness: Vec<LatenessChange>,
    pub text: String,
}

/// A plan on the supervisor's desk, ready to be asked about.
#[derive(Debug)]
pub struct Desk<'m> {
    morning: &'m Morning<'m>,
    tours: Tours<'m>,
    score: Score,
}

impl<'m> Desk<'m> {
    /// Takes a plan as one list of task indices for each person (see `Morning::rounds_of`).
    pub fn new(morning: &'m Morning<'m>, rounds: &[Vec<usize>]) -> Self {
        Self { morning, tours: Tours::of(&morning.problem, rounds), score: score(morning.instance, rounds) }
    }

    /// The cheapest place for the task in the person's order.
    pub fn what_if(&mut self, task_id: &str, staff_id: &str) -> Result<WhatIf, PlannerError> {
        let (job, person) = (self.morning.task(task_id)?, self.morning.person(staff_id)?);
        let spot = self.tours.spots[job];
        if spot.tour == person {
            return Ok(self.answer(job, person, spot.index));
        }
        if let Some(obstacle) = self.obstacle(job, person) {
            return Ok(self.refusal(job, person, obstacle));
        }
        match cheapest_place(&mut self.tours, job, person, ANY_COST) {
            Some(found) => Ok(self.answer(job, person, found.index)),
            None => Ok(self.refusal(job, person, Obstacle::PastShiftEnd)),
        }
    }

    /// The task at a given place (from one) in the person's order.
    pub fn what_if_at(&mut self, task_id: &str, staff_id: &str, sequence: usize) -> Result<WhatIf, PlannerError> {
        let (job, person) = (self.morning.task(task_id)?, self.morning.person(staff_id)?);
        let spot = self.tours.spots[job];
        if spot.tour == person {
            return self.what_if(task_id, staff_id);
        }
        if let Some(obstacle) = self.obstacle(job, person) {
            return Ok(self.refusal(job, person, obstacle));
        }
        let (first, last) = (self.tours.locked(person), self.tours.list[person].visits.len());
        let index = sequence.saturating_sub(1).clamp(first, last);
        let change =
            Move::Exchange(Piece::new(spot.tour, spot.index, spot.index + 1), Piece::new(person, index, index));
        match self.tours.price(&change, ANY_COST) {
            Some(_) => Ok(self.answer(job, person, index)),
            None => Ok(self.refusal(job, person, Obstacle::PastShiftEnd)),
        }
    }

    fn obstacle(&self, job: usize, person: usize) -> Option<Obstacle> {
        let task = &self.morning.instance.tasks[job];
        let staff = &self.morning.instance.staff[person];
        if task.present_person().is_some_and(|id| id != staff.id) {
            if task.in_progress {
                return Some(Obstacle::InProgress);
            }
            if task.pinned {
                return Some(Obstacle::PinnedElsewhere);
            }
        }
        if self.morning.problem.may(person, job) { None } else { Some(Obstacle::LacksSkill) }
    }

    fn refusal(&self, job: usize, person: usize, obstacle: Obstacle) -> WhatIf {
        let (task, staff) = (&self.morning.instance.tasks[job], &self.morning.instance.staff[person]);
        let text = match obstacle {
            Obstacle::LacksSkill if task.is_kept_from(staff) => format!("{} failed to do it before", staff.id),
            Obstacle::LacksSkill => format!("{} lacks the skill {}", staff.id, task.needed_skill().unwrap_or("")),
            Obstacle::PinnedElsewhere => {
                format!("it is pinned to {}: release it first", task.present_person().unwrap_or(""))
            }
            Obstacle::InProgress => format!("{} has begun it", task.present_person().unwrap_or("")),
            Obstacle::PastShiftEnd => format!("{} could not finish before the end of the shift", staff.id),
        };
        WhatIf { obstacle: Some(obstacle), text, ..self.nothing(job, person) }
    }

    fn nothing(&self, job: usize, person: usize) -> WhatIf {
        WhatIf {
            task_id: self.morning.instance.tasks[job].id.clone(),
            staff_id: self.morning.instance.staff[person].id.clone(),
            obstacle: None,
            sequence: 0,
            cost: 0,
            terms: Terms::default(),
            walk_sec: 0,
            floors: 0,
            overtime_sec: 0,
            finish_sec: 0,
            lateness: Vec::new(),
            text: String::new(),
        }
    }

    fn answer(&self, job: usize, person: usize, index: usize) -> WhatIf {
        let instance = self.morning.instance;
        let owner = self.tours.spots[job].tour;
        let mut answer = WhatIf { sequence: index + 1, ..self.nothing(job, person) };
        if owner == person {
            "nothing changes".clone_into(&mut answer.text);
            return answer;
        }
        let round_after =
            |who: usize, tasks: &[usize]| count_round(instance, who, self.score.rounds[who].fair_share_sec, tasks);
        let mut with: Vec<usize> = self.score.rounds[person].stops.iter().map(|stop| stop.task).collect();
        with.insert(index.min(with.len()), job);
        let (before, after) = (&self.score.rounds[person], round_after(person, &with));
        let begins = instance.staff[person].available_from_min * 60;
        answer.finish_sec = finish(&after).unwrap_or(begins) - finish(before).unwrap_or(begins);
        add_change(&mut answer, instance, before, &after);
        if owner < instance.staff.len() {
            let before = &self.score.rounds[owner];
            let without: Vec<usize> = before.stops.iter().map(|stop| stop.task).filter(|task| *task != job).collect();
            add_change(&mut answer, instance, before, &round_after(owner, &without));
        } else {
            let row = instance.tasks[job].priority.row();
            answer.terms.unassigned -= instance.weights.unassigned[row].as_minutes();
        }
        merge_lateness(&mut answer);
        answer.cost = answer.terms.total();
        answer.text = told(&answer, |id| self.room(id));
        answer
    }

    fn room(&self, task_id: &str) -> String {
        let index = self.morning.task(task_id).ok();
        index.map_or_else(|| task_id.to_owned(), |index| self.morning.instance.tasks[index].room_name().to_owned())
    }
}

fn finish(round: &Round) -> Option<i64> {
    round.stops.last().map(|stop| stop.finish_sec)
}

fn add_change(answer: &mut WhatIf, instance: &crate::instance::Instance, before: &Round, after: &Round) {
    let floors = |round: &Round| i64::try_from(round.floors.len()).unwrap_or(i64::MAX);
    answer.terms += after.terms - before.terms;
    answer.walk_sec += after.walk_sec - before.walk_sec;
    answer.floors += floors(after) - floors(before);
    let rate = instance.weights.overtime_per_min.0;
    if rate != 0 {
        answer.overtime_sec += (after.terms.overtime - before.terms.overtime) / rate;
    }
    for (sign, round) in [(-1, before), (1, after)] {
        for stop in round.stops.iter().filter(|stop| stop.late_sec > 0) {
            let (before_sec, after_sec) = if sign < 0 { (stop.late_sec, 0) } else { (0, stop.late_sec) };
            let task_id = instance.tasks[stop.task].id.clone();
            answer.lateness.push(LatenessChange { task_id, before_sec, after_sec });
        }
    }
}

/// One entry for each room, and only where something changes.
fn merge_lateness(answer: &mut WhatIf) {
    let mut merged: Vec<LatenessChange> = Vec::new();
    for change in answer.lateness.drain(..) {
        match merged.iter_mut().find(|known| known.task_id == change.task_id) {
            Some(known) => {
                known.before_sec += change.before_sec;
                known.after_sec += change.after_sec;
            }
            None => merged.push(change),
        }
    }
    merged.retain(|change| change.before_sec != change.after_sec);
    answer.lateness = merged;
}

/// "adds 31 minutes to the day of amir, one more floor, room 304 ready 20 minutes late (worse than now by 90 minutes)".
fn told(answer: &WhatIf, room: impl Fn(&str) -> String) -> String {
    let mut parts = Vec::new();
    parts.push(match answer.finish_sec {
        0 => format!("{} is done at the same time", answer.staff_id),
        more if more > 0 => format!("adds {} to the day of {}", spoken_duration(more), answer.staff_id),
        less => format!("{} is done {} sooner", answer.staff_id, spoken_duration(-less)),
    });
    match answer.walk_sec {
        0 => {}
        more if more > 0 => parts.push(format!("{} more walking", spoken_duration(more))),
        less => parts.push(format!("{} less walking", spoken_duration(-less))),
    }
    match answer.floors {
        0 => {}
        1 => parts.push("one more floor".to_owned()),
        -1 => parts.push("one floor less".to_owned()),
        more if more > 0 => parts.push(format!("{more} more floors")),
        less => parts.push(format!("{} floors less", -less)),
    }
    if answer.overtime_sec > 0 {
        parts.push(format!("{} of overtime", spoken_duration(answer.overtime_sec)));
    }
    if answer.terms.language > 0 {
        parts.push("the guest's language is missing".to_owned());
    }
    for change in &answer.lateness {
        let name = room(&change.task_id);
        parts.push(if change.after_sec == 0 {
            format!("room {name} in time")
        } else {
            format!("room {name} ready {} late", spoken_duration(change.after_sec))
        });
    }
    let verdict = match answer.cost / 1000 {
        0 => "as good as now".to_owned(),
        more if more > 0 => format!("worse than now by {}", spoken_duration(more)),
        less => format!("better than now by {}", spoken_duration(-less)),
    };
    format!("{} ({verdict})", parts.join(", "))
}
