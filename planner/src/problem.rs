//! The instance made ready for counting: dense indices, seconds, and costs in whole units.

use std::collections::HashMap;

use crate::error::PlannerError;
use crate::fair_share;
use crate::instance::Instance;

/// The flags of a task with a person.
const MISSES_LANGUAGE: u8 = 1;
const CHANGES_PERSON: u8 = 2;
const FORBIDDEN: u8 = 4;
/// Stands for "no due time".
pub(crate) const NEVER: i32 = i32::MAX;

/// A spot in the house, with the seconds from its door to the lift.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    floor: i32,
    along_sec: i32,
    to_lift_sec: i32,
}

/// A task, in one line of the processor's cache: the search reads them at random.
#[derive(Debug, Clone)]
#[repr(align(64))]
pub(crate) struct Job {
    pub(crate) place: Place,
    pub(crate) duration: i32,
    pub(crate) ready: i32,
    pub(crate) due: i32,
    pub(crate) start_rate: i32,
    pub(crate) late_rate: i32,
    pub(crate) late_fixed: i64,
    pub(crate) open_cost: i64,
    pub(crate) area: i64,
    /// Index of the floor among those that hold tasks, from the lowest.
    pub(crate) floor: u32,
    /// Index of the section (of its floor) among those that hold tasks.
    pub(crate) section: u32,
}

#[derive(Debug, Clone)]
pub(crate) struct Worker {
    pub(crate) place: Place,
    pub(crate) start: i32,
    pub(crate) end: i32,
    pub(crate) load: i32,
    pub(crate) capacity: i32,
    pub(crate) fair_share: i32,
    pub(crate) area: i64,
}

#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) jobs: Vec<Job>,
    pub(crate) workers: Vec<Worker>,
    pub(crate) floors: usize,
    pub(crate) sections: usize,
    pub(crate) floor_cost: i64,
    pub(crate) section_cost: i64,
    pub(crate) walk_rate: i64,
    overtime_rate: i64,
    knees: Vec<(i32, i64)>,
    area_cap: i64,
    area_cost: i64,
    fit: Vec<u8>,
    fit_cost: [i64; 4],
    lift_wait: i32,
    per_floor: i32,
    /// For each worker the tasks in progress, which stay first.
    pub(crate) begun: Vec<Vec<usize>>,
}

impl Problem {
    pub(crate) fn new(instance: &Instance) -> Result<Self, PlannerError> {
        instance.validate()?;
        let weights = &instance.weights;
        let keys: Vec<(i64, &str)> = instance.tasks.iter().map(|task| (task.floor, task.section.as_str())).collect();
        let (floors, floor_of) = numbered(&keys.iter().map(|(floor, _)| *floor).collect::<Vec<_>>());
        let (sections, section_of) = numbered(&keys);
        let mut problem = Self {
            jobs: Vec::with_capacity(instance.tasks.len()),
            workers: Vec::with_capacity(instance.staff.len()),
            floors,
            sections,
            floor_cost: weights.floor.as_minutes(),
            section_cost: weights.section.as_minutes(),
            walk_rate: weights.walk_per_min.0,
            overtime_rate: weights.overtime_per_min.0,
            knees: weights.balance.iter().map(|(knee, weight)| (narrow(knee * 60), weight.0)).collect(),
            area_cap: instance.area_cap().unwrap_or(i64::MAX),
            area_cost: weights.sqft_over.as_minutes(),
            fit: fits(instance),
            fit_cost: [
                0,
                weights.language.as_minutes(),
                weights.change.as_minutes(),
                weights.language.as_minutes() + weights.change.as_minutes(),
            ],
            lift_wait: narrow(instance.walk.elevator_wait_sec),
            per_floor: narrow(instance.walk.sec_per_floor),
            begun: begun(instance),
        };
        let place = |floor: i64, position: i64| Place {
            floor: narrow(floor),
            along_sec: narrow(position * instance.walk.sec_per_unit),
            to_lift_sec: narrow((position - instance.walk.elevator_pos).abs() * instance.walk.sec_per_unit),
        };
        for (index, task) in instance.tasks.iter().enumerate() {
            let row = task.priority.row();
            problem.jobs.push(Job {
                place: place(task.floor, task.position),
                duration: narrow(task.minutes * 60),
                ready: narrow(task.ready_min * 60),
                due: task.due_min.map_or(NEVER, |due| narrow(due * 60)),
                start_rate: narrow(weights.start_per_min[row].0),
                late_rate: narrow(weights.late_per_min[row].0),
                late_fixed: weights.late_fixed[row].as_minutes(),
                open_cost: weights.unassigned[row].as_minutes(),
                area: task.sqft,
                floor: floor_of[index],
                section: section_of[index],
            });
        }
        for (person, share) in instance.staff.iter().zip(fair_share::fair_shares(instance)) {
            problem.workers.push(Worker {
                place: place(person.floor, person.position),
                start: narrow(person.available_from_min * 60),
                end: narrow(person.shift_end_min * 60),
                load: narrow(person.load_min * 60),
                capacity: narrow(person.capacity_min * 60),
                fair_share: narrow(share),
                area: person.load_sqft,
            });
        }
        Ok(problem)
    }

    /// The same house with only some of its people and tasks, each known by its place in the given lists.
    /// Fair shares stay those of the whole house, so the costs of all parts add up to the cost of the whole.
    pub(crate) fn part(&self, people: &[usize], jobs: &[usize]) -> Self {
        let (floors, floor_of) = numbered(&jobs.iter().map(|job| self.jobs[*job].floor).collect::<Vec<_>>());
        let (sections, section_of) = numbered(&jobs.iter().map(|job| self.jobs[*job].section).collect::<Vec<_>>());
        let number_of: HashMap<usize, usize> = jobs.iter().enumerate().map(|(number, job)| (*job, number)).collect();
        let numbered_job = |(number, job): (usize, &usize)| Job {
            floor: floor_of[number],
            section: section_of[number],
            ..self.jobs[*job].clone()
        };
        let begun = |person: &usize| self.begun[*person].iter().filter_map(|job| number_of.get(job).copied()).collect();
        let whole = self.jobs.len();
        Self {
            jobs: jobs.iter().enumerate().map(numbered_job).collect(),
            workers: people.iter().map(|person| self.workers[*person].clone()).collect(),
            floors,
            sections,
            knees: self.knees.clone(),
            fit: people.iter().flat_map(|person| jobs.iter().map(move |job| self.fit[person * whole + job])).collect(),
            begun: people.iter().map(begun).collect(),
            ..*self
        }
    }

    #[inline]
    pub(crate) fn has_area_cap(&self) -> bool {
        self.area_cap != i64::MAX
    }

    #[inline]
    pub(crate) fn walk(&self, from: Place, to: Place) -> i32 {
        if from.floor == to.floor {
            (from.along_sec - to.along_sec).abs()
        } else {
            from.to_lift_sec + to.to_lift_sec + self.lift_wait + self.per_floor * (from.floor - to.floor).abs()
        }
    }

    /// Whether the person may do the task at all: skill, nobody else's pin, and not kept from it.
    #[inline]
    pub(crate) fn may(&self, worker: usize, job: usize) -> bool {
        self.fit[worker * self.jobs.len() + job] & FORBIDDEN == 0
    }

    /// Cost of language and change of person; none where the person may not do the task.
    #[inline]
    pub(crate) fn fit_cost(&self, worker: usize, job: usize) -> Option<i64> {
        let flags = self.fit[worker * self.jobs.len() + job];
        if flags & FORBIDDEN == 0 { Some(self.fit_cost[usize::from(flags & 3)]) } else { None }
    }

    /// Cost of a day's load: balance, overtime and floor area.
    #[inline]
    pub(crate) fn load_cost(&self, worker: usize, load: i32, area: i64) -> i64 {
        let person = &self.workers[worker];
        let away = (load - person.fair_share).abs();
        let mut cost = 0;
        for (knee, rate) in &self.knees {
            cost += i64::from((away - knee).max(0)) * rate;
        }
        cost += i64::from((load - person.capacity).max(0)) * self.overtime_rate;
        if area > self.area_cap {
            cost += self.area_cost;
        }
        cost
    }
}

/// Gives each distinct key its number in ascending order.
fn numbered<K: Ord + Copy>(keys: &[K]) -> (usize, Vec<u32>) {
    let mut distinct = keys.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let numbers = keys.iter().map(|key| distinct.partition_point(|known| known < key));
    // There are at most as many as tasks, which validation has bounded.
    (distinct.len(), numbers.map(|number| u32::try_from(number).unwrap_or(u32::MAX)).collect())
}

fn fits(instance: &Instance) -> Vec<u8> {
    let mut fit = Vec::with_capacity(instance.staff.len() * instance.tasks.len());
    for person in &instance.staff {
        for task in &instance.tasks {
            let mut flags = 0;
            if task.wanted_language().is_some_and(|wanted| !person.languages.iter().any(|known| known == wanted)) {
                flags |= MISSES_LANGUAGE;
            }
            let elsewhere = task.present_person().is_some_and(|id| id != person.id);
            if elsewhere {
                flags |= CHANGES_PERSON;
            }
            let unskilled = task.needed_skill().is_some_and(|needed| !person.skills.iter().any(|have| have == needed));
            if unskilled || (elsewhere && task.is_held()) || task.is_kept_from(person) {
                flags |= FORBIDDEN;
            }
            fit.push(flags);
        }
    }
    fit
}

fn begun(instance: &Instance) -> Vec<Vec<usize>> {
    let index_of: HashMap<&str, usize> =
        instance.staff.iter().enumerate().map(|(index, person)| (person.id.as_str(), index)).collect();
    let mut begun = vec![Vec::new(); instance.staff.len()];
    for (index, task) in instance.tasks.iter().enumerate().filter(|(_, task)| task.in_progress) {
        if let Some(person) = task.present_person().and_then(|id| index_of.get(id)) {
            begun[*person].push(index);
        }
    }
    begun
}

/// Validation has bounded every value far below this.
fn narrow(value: i64) -> i32 {
    i32::try_from(value).unwrap_or(if value < 0 { i32::MIN / 4 } else { i32::MAX / 4 })
}
