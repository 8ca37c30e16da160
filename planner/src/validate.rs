//! What an instance must keep to. The bounds also make sure that no sum of costs can overflow.

use std::collections::{HashMap, HashSet};

use crate::error::{Flaw, PlannerError};
use crate::instance::{Instance, Person, Priority, Task};

/// Most tasks in one instance.
pub const MOST_TASKS: usize = 10_000;
/// Most people in one instance.
pub const MOST_PEOPLE: usize = 1_000;
/// A week: no time in an instance lies further away.
const FARTHEST_MIN: i64 = 10_080;
const LONGEST_TASK_MIN: i64 = 1_440;
const FARTHEST_DOOR: i64 = 10_000;
const HIGHEST_FLOOR: i64 = 1_000;
const LARGEST_AREA: i64 = 10_000_000;
const LONGEST_ID: usize = 128;
const MOST_FLAWS: usize = 20;
const MOST_KNEES: usize = 8;

#[derive(Default)]
struct Findings(Vec<Flaw>);

impl Findings {
    fn add(&mut self, path: impl Into<String>, rule: impl Into<String>) {
        if self.0.len() < MOST_FLAWS {
            self.0.push(Flaw { path: path.into(), rule: rule.into() });
        }
    }

    fn within(&mut self, path: &str, field: &str, value: i64, least: i64, most: i64) {
        if value < least || value > most {
            self.add(format!("{path}.{field}"), format!("is {value}; it must be between {least} and {most}"));
        }
    }
}

impl Instance {
    /// Names everything that is wrong (the first twenty flaws), or accepts.
    pub fn validate(&self) -> Result<(), PlannerError> {
        let mut findings = Findings::default();
        if self.tasks.len() > MOST_TASKS {
            findings
                .add("tasks", format!("holds {} tasks; at most {MOST_TASKS} are planned at once", self.tasks.len()));
        }
        if self.staff.len() > MOST_PEOPLE {
            findings
                .add("staff", format!("holds {} people; at most {MOST_PEOPLE} are planned at once", self.staff.len()));
        }
        if findings.0.is_empty() {
            self.check_house(&mut findings);
            self.check_weights(&mut findings);
            self.check_people(&mut findings);
            self.check_tasks(&mut findings);
        }
        if findings.0.is_empty() { Ok(()) } else { Err(PlannerError::Invalid(findings.0)) }
    }

    fn check_house(&self, findings: &mut Findings) {
        findings.within("walk", "secPerUnit", self.walk.sec_per_unit, 0, 600);
        findings.within("walk", "elevatorPos", self.walk.elevator_pos, -FARTHEST_DOOR, FARTHEST_DOOR);
        findings.within("walk", "elevatorWaitSec", self.walk.elevator_wait_sec, 0, 3_600);
        findings.within("walk", "secPerFloor", self.walk.sec_per_floor, 0, 600);
        if let Some(cap) = self.sqft_cap {
            findings.within("instance", "sqftCap", cap, 0, LARGEST_AREA);
        }
    }

    fn check_weights(&self, findings: &mut Findings) {
        for (name, weight, per_minute) in self.weights.named() {
            let most: i64 = if per_minute { 1_000 } else { 1_000_000 };
            if weight.0 < 0 || weight.0 > most * 1000 {
                findings.add(format!("weights.{name}"), format!("a weight must be between 0 and {most}"));
            }
        }
        if self.weights.balance.len() > MOST_KNEES {
            findings.add("weights.balance", format!("has more than {MOST_KNEES} knees"));
        }
        for (knee, _) in &self.weights.balance {
            findings.within("weights.balance", "knee", *knee, 0, FARTHEST_MIN);
        }
    }

    fn check_people(&self, findings: &mut Findings) {
        let mut seen: HashMap<&str, usize> = HashMap::new();
        for (index, person) in self.staff.iter().enumerate() {
            let path = format!("staff[{index}] ({})", shortened(&person.id));
            check_id(findings, &path, &person.id);
            if let Some(first) = seen.insert(&person.id, index) {
                findings.add(format!("{path}.id"), format!("is a duplicate: staff[{first}] has the same id"));
            }
            check_person(findings, &path, person);
        }
    }

    fn check_tasks(&self, findings: &mut Findings) {
        let people: HashSet<&str> = self.staff.iter().map(|person| person.id.as_str()).collect();
        let mut seen: HashMap<&str, usize> = HashMap::new();
        for (index, task) in self.tasks.iter().enumerate() {
            let path = format!("tasks[{index}] ({})", shortened(&task.id));
            check_id(findings, &path, &task.id);
            if let Some(first) = seen.insert(&task.id, index) {
                findings.add(format!("{path}.id"), format!("is a duplicate: tasks[{first}] has the same id"));
            }
            check_task(findings, &path, task);
            if task.is_held() {
                check_holder(findings, &path, task, &people);
            }
        }
    }
}

fn check_id(findings: &mut Findings, path: &str, id: &str) {
    if id.is_empty() || id.len() > LONGEST_ID {
        findings.add(format!("{path}.id"), format!("must have between 1 and {LONGEST_ID} bytes"));
    }
}

fn check_person(findings: &mut Findings, path: &str, person: &Person) {
    findings.within(path, "capacityMin", person.capacity_min, 0, FARTHEST_MIN);
    findings.within(path, "loadMin", person.load_min, 0, FARTHEST_MIN);
    findings.within(path, "availableFromMin", person.available_from_min, 0, FARTHEST_MIN);
    findings.within(path, "shiftEndMin", person.shift_end_min, -FARTHEST_MIN, FARTHEST_MIN);
    findings.within(path, "floor", person.floor, -HIGHEST_FLOOR, HIGHEST_FLOOR);
    findings.within(path, "position", person.position, -FARTHEST_DOOR, FARTHEST_DOOR);
    findings.within(path, "loadSqft", person.load_sqft, 0, LARGEST_AREA);
}

fn check_task(findings: &mut Findings, path: &str, task: &Task) {
    if let Priority::Unknown(word) = &task.priority {
        let word = shortened(word);
        findings
            .add(format!("{path}.priority"), format!("\"{word}\" is not a priority; use low, normal, high or urgent"));
    }
    findings.within(path, "minutes", task.minutes, 0, LONGEST_TASK_MIN);
    findings.within(path, "readyMin", task.ready_min, -FARTHEST_MIN, FARTHEST_MIN);
    if let Some(due) = task.due_min {
        findings.within(path, "dueMin", due, -FARTHEST_MIN, FARTHEST_MIN);
    }
    findings.within(path, "floor", task.floor, -HIGHEST_FLOOR, HIGHEST_FLOOR);
    findings.within(path, "position", task.position, -FARTHEST_DOOR, FARTHEST_DOOR);
    findings.within(path, "sqft", task.sqft, 0, LARGEST_AREA);
}

fn check_holder(findings: &mut Findings, path: &str, task: &Task, people: &HashSet<&str>) {
    let word = if task.in_progress { "in progress" } else { "pinned" };
    match task.present_person() {
        None => findings
            .add(format!("{path}.currentStaffId"), format!("is missing: a task that is {word} must name its person")),
        Some(id) if !people.contains(id) => findings.add(
            format!("{path}.currentStaffId"),
            format!(
                "the task is {word} with \"{}\", who is not among the staff; release it or add the person",
                shortened(id)
            ),
        ),
        Some(_) => {}
    }
}

/// Foreign words are quoted in messages only as far as a person can read them.
fn shortened(word: &str) -> String {
    let mut short: String = word.chars().filter(|letter| !letter.is_control()).take(40).collect();
    if short.len() < word.len() {
        short.push('…');
    }
    short
}
