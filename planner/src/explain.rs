//! Why this person: each task against the next best person who could have it.

use crate::instance::Instance;
use crate::problem::Problem;
use crate::reason::{Code, Reason, sentence};
use crate::score::{Round, Score, count_round};
use crate::search::construct::{ANY_COST, Insertion, cheapest_place, likely_people};
use crate::search::tours::Tours;
use crate::terms::Terms;
use crate::weights::UNITS_PER_MINUTE;

/// Up to this many pairs of task and person everybody is compared; beyond, the likeliest eight for each task.
const MOST_PAIRS: usize = 100_000;
/// The margin at which a choice counts as clear: its score is half way from "as good" to "nobody else".
const CLEAR_MARGIN: i64 = 10 * UNITS_PER_MINUTE;

/// What a term must weigh to be named before fairness.
const WORTH_A_WORD: i64 = 2 * UNITS_PER_MINUTE;

/// Why a row is as it is.
#[derive(Debug, Clone)]
pub(crate) struct Explanation {
    /// In thousandths.
    pub(crate) score: i64,
    pub(crate) text: String,
    pub(crate) reasons: Vec<Reason>,
}

pub(crate) struct Explainer<'a> {
    instance: &'a Instance,
    problem: &'a Problem,
    tours: Tours<'a>,
    score: &'a Score,
}

impl<'a> Explainer<'a> {
    pub(crate) fn new(instance: &'a Instance, problem: &'a Problem, rounds: &[Vec<usize>], score: &'a Score) -> Self {
        Self { instance, problem, tours: Tours::of(problem, rounds), score }
    }

    pub(crate) fn why_this_person(&mut self, job: usize) -> Explanation {
        let reasons = self.certain(job);
        if !reasons.is_empty() {
            return Explanation { score: 1000, text: sentence(&reasons), reasons };
        }
        let Some(next) = self.next_best(job) else {
            let reasons = vec![self.nobody_else(job)];
            return Explanation { score: 1000, text: sentence(&reasons), reasons };
        };
        let reasons = self.against(job, &next);
        let score = if next.added >= 0 {
            500 + 500 * next.added / (next.added + CLEAR_MARGIN)
        } else {
            500 - 500 * next.added / (next.added - CLEAR_MARGIN)
        };
        Explanation { score, text: sentence(&reasons), reasons }
    }

    pub(crate) fn why_open(&mut self, job: usize) -> (String, Reason) {
        let task = &self.instance.tasks[job];
        let able = (0..self.problem.workers.len()).filter(|person| self.problem.may(*person, job)).count();
        let skill = task.needed_skill().unwrap_or("");
        let reason = if self.problem.workers.is_empty() {
            Reason::new(Code::NoStaff)
        } else if able == 0 && task.is_held() {
            let holder = task.present_person().unwrap_or("");
            Reason::new(Code::HeldWithoutSkill).with("staffId", holder).with("skill", skill)
        } else if able == 0 {
            Reason::new(Code::NoSkill).with("skill", skill)
        } else if let Some(next) = self.next_best(job) {
            let id = self.instance.staff[next.person].id.as_str();
            Reason::new(Code::DearerThanOpen).with("staffId", id).with("cost", next.added)
        } else {
            Reason::new(Code::NoTime).with("people", able)
        };
        (sentence(std::slice::from_ref(&reason)), reason)
    }

    /// What needs no comparison.
    fn certain(&self, job: usize) -> Vec<Reason> {
        let task = &self.instance.tasks[job];
        let holder = task.present_person().unwrap_or("");
        if task.in_progress {
            return vec![Reason::new(Code::InProgress).with("staffId", holder)];
        }
        if task.pinned {
            return vec![Reason::new(Code::Pinned).with("staffId", holder)];
        }
        if self.problem.workers.len() == 1 {
            return vec![Reason::new(Code::OnlyPerson)];
        }
        let owner = self.tours.spots[job].tour;
        let others = (0..self.problem.workers.len()).filter(|person| *person != owner);
        let has_it = |person: usize| self.problem.may(person, job) || task.is_kept_from(&self.instance.staff[person]);
        match task.needed_skill() {
            Some(skill) if !others.into_iter().any(has_it) => {
                vec![Reason::new(Code::OnlySkilled).with("skill", skill)]
            }
            _ => Vec::new(),
        }
    }

    /// Nobody else can have it: they have no time, or the one who has is kept from it.
    fn nobody_else(&self, job: usize) -> Reason {
        let (task, owner) = (&self.instance.tasks[job], self.tours.spots[job].tour);
        let people = self.instance.staff.iter().enumerate().filter(|(person, _)| *person != owner);
        let (kept, others): (Vec<_>, Vec<_>) = people.partition(|(_, person)| task.is_kept_from(person));
        match kept.first() {
            Some((_, person)) if !others.iter().any(|(other, _)| self.problem.may(*other, job)) => {
                Reason::new(Code::FailedBefore).with("staffId", person.id.as_str())
            }
            _ => Reason::new(Code::NobodyElseHasTime),
        }
    }

    /// The cheapest way to give the task to somebody else, among equals the first person's.
    fn next_best(&mut self, job: usize) -> Option<Insertion> {
        let owner = self.tours.spots[job].tour;
        let people = if self.problem.jobs.len() * self.problem.workers.len() > MOST_PAIRS {
            likely_people(&mut self.tours, job, true)
        } else {
            (0..self.problem.workers.len()).filter(|person| *person != owner).collect()
        };
        let mut best: Option<Insertion> = None;
        for person in people {
            let most = best.as_ref().map_or(ANY_COST, |found| found.added - 1);
            if let Some(found) = cheapest_place(&mut self.tours, job, person, most) {
                best = Some(found);
            }
        }
        best
    }

    /// The one or two terms that decided.
    fn against(&self, job: usize, next: &Insertion) -> Vec<Reason> {
        let other = self.instance.staff[next.person].id.as_str();
        if next.added <= 0 {
            let code = if next.added == 0 { Code::AsGood } else { Code::CheaperElsewhere };
            return vec![
                Reason::new(code).with("against", other).with("position", next.index + 1).with("cost", next.added),
            ];
        }
        let owner = self.tours.spots[job].tour;
        let alternative = Alternative::new(self.instance, self.score, job, owner, next);
        let mut deciding: Vec<(&str, i64)> =
            alternative.difference.named().into_iter().filter(|(_, cost)| *cost > 0).collect();
        deciding.sort_by_key(|(_, cost)| -cost);
        // In a fair plan every single move makes loads less fair. What else speaks for the person says more, so it
        // comes first when it is worth a word.
        if let Some(place) = deciding.iter().position(|(term, cost)| *term != "balance" && *cost >= WORTH_A_WORD)
            && deciding[0].0 == "balance"
        {
            let other = deciding.remove(place);
            deciding.insert(0, other);
            deciding.truncate(2);
        }
        // A second term is worth a word when it weighs a third of the first.
        let second = deciding.get(1).is_some_and(|(_, cost)| cost * 3 >= deciding[0].1);
        deciding.truncate(if second { 2 } else { 1 });
        let floor = self.instance.tasks[job].floor;
        let on_floor = self.score.rounds[owner]
            .stops
            .iter()
            .any(|stop| stop.task != job && self.instance.tasks[stop.task].floor == floor);
        deciding
            .into_iter()
            .map(|(term, cost)| {
                let reason = alternative
                    .reason(self.instance, job, term)
                    .with("against", other)
                    .with("position", next.index + 1)
                    .with("cost", cost);
                if on_floor { reason.with("onFloor", floor) } else { reason }
            })
            .collect()
    }
}

/// The two rounds as they would be with the task at the next best person.
struct Alternative {
    difference: Terms,
    other: Round,
    before: [Round; 2],
    after: [Round; 2],
}

impl Alternative {
    fn new(instance: &Instance, score: &Score, job: usize, owner: usize, next: &Insertion) -> Self {
        let jobs_of = |person: usize| score.rounds[person].stops.iter().map(|stop| stop.task);
        let without: Vec<usize> = jobs_of(owner).filter(|task| *task != job).collect();
        let mut with: Vec<usize> = jobs_of(next.person).collect();
        with.insert(next.index, job);
        let (mine, theirs) = (&score.rounds[owner], &score.rounds[next.person]);
        let own = count_round(instance, owner, mine.fair_share_sec, &without);
        let other = count_round(instance, next.person, theirs.fair_share_sec, &with);
        Self {
            difference: own.terms + other.terms - mine.terms - theirs.terms,
            before: [mine.clone(), theirs.clone()],
            after: [own, other.clone()],
            other,
        }
    }

    /// How much more of something there would be.
    fn more(&self, of: impl Fn(&Round) -> i64) -> i64 {
        self.after.iter().map(&of).sum::<i64>() - self.before.iter().map(&of).sum::<i64>()
    }

    fn reason(&self, instance: &Instance, job: usize, term: &str) -> Reason {
        let units = |amount: i64, weight: i64| if weight == 0 { 0 } else { amount / weight };
        let weights = &instance.weights;
        match term {
            "walk" => Reason::new(Code::SavesWalking).with("seconds", self.more(|round| round.walk_sec)),
            "floors" => {
                Reason::new(Code::SavesFloors).with("floors", units(self.difference.floors, weights.floor.as_minutes()))
            }
            "sections" => Reason::new(Code::SavesSections)
                .with("sections", units(self.difference.sections, weights.section.as_minutes())),
            "late" => Reason::new(Code::SavesLateness)
                .with("rooms", self.more(|round| count(round.stops.iter().filter(|stop| stop.late_sec > 0).count())))
                .with("seconds", self.more(|round| round.stops.iter().map(|stop| stop.late_sec).sum())),
            "urgency" => Reason::new(Code::StartsSooner),
            "balance" => Reason::new(Code::FairerLoad)
                .with("loadMin", self.other.load_sec / 60)
                .with("fairShareMin", self.other.fair_share_sec / 60),
            "overtime" => Reason::new(Code::SavesOvertime)
                .with("seconds", units(self.difference.overtime, weights.overtime_per_min.0)),
            "language" => {
                Reason::new(Code::SpeaksLanguage).with("language", instance.tasks[job].wanted_language().unwrap_or(""))
            }
            "change" => Reason::new(Code::HasItAlready),
            _ => Reason::new(Code::WithinAreaCap),
        }
    }
}

fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
