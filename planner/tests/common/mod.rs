//! Mornings for the tests: made by chance, or read from the shared data.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::path::PathBuf;
use std::process::Command;

use planner::instance::{Person, Priority, Task, Walk};
use planner::{Instance, Options, Plan, Weights, solve};
use proptest::prelude::*;

pub(crate) fn planned(instance: &Instance, moves: u64, seed: u64) -> Plan {
    solve(instance, &Options { moves: Some(moves), seed }, &|| false).expect("the instance is valid")
}

pub(crate) fn house() -> Instance {
    Instance {
        name: "test house".to_owned(),
        walk: Walk { sec_per_unit: 4, elevator_pos: 0, elevator_wait_sec: 60, sec_per_floor: 12 },
        sqft_cap: None,
        weights: Weights::default(),
        staff: Vec::new(),
        tasks: Vec::new(),
    }
}

pub(crate) fn person(id: &str) -> Person {
    Person {
        id: id.to_owned(),
        capacity_min: 480,
        load_min: 0,
        available_from_min: 0,
        shift_end_min: 510,
        floor: 1,
        position: 0,
        skills: Vec::new(),
        languages: Vec::new(),
        load_sqft: 0,
    }
}

pub(crate) fn task(id: &str, floor: i64, position: i64, minutes: i64) -> Task {
    Task {
        id: id.to_owned(),
        kind: "turnover".to_owned(),
        room: None,
        minutes,
        priority: Priority::Normal,
        ready_min: 0,
        due_min: None,
        floor,
        section: "A".to_owned(),
        position,
        skill: None,
        language: None,
        current_staff_id: None,
        pinned: false,
        in_progress: false,
        sqft: 300,
        kept_from: None,
    }
}

const SKILLS: [&str; 2] = ["deep_clean", "inspection"];
const LANGUAGES: [&str; 3] = ["ps-AF", "fa-AF", "en"];

fn some_of(words: &'static [&'static str]) -> impl Strategy<Value = Vec<String>> {
    proptest::sample::subsequence(words, 0..=words.len())
        .prop_map(|chosen| chosen.into_iter().map(str::to_owned).collect())
}

prop_compose! {
    fn any_person()(
        capacity_min in prop_oneof![Just(0_i64), 100..500_i64],
        load_min in prop_oneof![Just(0_i64), 0..200_i64],
        available_from_min in 0..60_i64,
        shift_end_min in prop_oneof![4 => 150..520_i64, 1 => -10..60_i64],
        floor in 1..4_i64,
        position in 0..12_i64,
        skills in some_of(&SKILLS),
        languages in some_of(&LANGUAGES),
        load_sqft in 0..900_i64,
    ) -> Person {
        Person {
            id: String::new(), capacity_min, load_min, available_from_min, shift_end_min, floor, position, skills,
            languages, load_sqft,
        }
    }
}

prop_compose! {
    fn any_task()(
        minutes in 0..90_i64,
        priority in prop_oneof![Just(Priority::Low), Just(Priority::Normal), Just(Priority::High), Just(Priority::Urgent)],
        ready_min in prop_oneof![3 => Just(0_i64), 1 => 0..150_i64],
        due_min in proptest::option::of(-20..400_i64),
        floor in 1..5_i64,
        section in prop_oneof![Just("A"), Just("B")],
        position in 0..12_i64,
        skill in proptest::option::weighted(0.2, proptest::sample::select(&SKILLS[..])),
        language in proptest::option::weighted(0.3, proptest::sample::select(&LANGUAGES[..])),
        sqft in 0..500_i64,
        // Which person has it now (of up to eight, so some are absent), and whether it is held.
        current in proptest::option::weighted(0.4, 0..8_usize),
        held in 0..10_u8,
        // And who failed at it before.
        kept_from in proptest::option::weighted(0.2, 0..8_usize),
    ) -> (Task, Option<usize>, u8) {
        let task = Task {
            id: String::new(), kind: "turnover".to_owned(), room: None, minutes, priority, ready_min, due_min, floor,
            section: section.to_owned(), position, skill: skill.map(str::to_owned), language: language.map(str::to_owned),
            current_staff_id: None, pinned: false, in_progress: false, sqft,
            kept_from: kept_from.filter(|who| Some(*who) != current).map(|who| format!("s{who}")),
        };
        (task, current, held)
    }
}

/// Mornings with everything that may occur in them.
pub(crate) fn any_instance(most_people: usize, most_tasks: usize) -> impl Strategy<Value = Instance> {
    (
        proptest::collection::vec(any_person(), 0..=most_people),
        proptest::collection::vec(any_task(), 0..=most_tasks),
        proptest::option::of(600..4000_i64),
    )
        .prop_map(|(mut staff, drawn, sqft_cap)| {
            for (index, person) in staff.iter_mut().enumerate() {
                person.id = format!("s{index}");
            }
            let people = staff.len();
            let tasks = drawn.into_iter().enumerate().map(|(index, (mut task, current, held))| {
                task.id = format!("t{index}");
                task.current_staff_id = current.map(|index| format!("s{index}"));
                let present = current.is_some_and(|index| index < people);
                task.pinned = present && held == 0;
                task.in_progress = present && held == 1;
                task
            });
            Instance { tasks: tasks.collect(), staff, sqft_cap, ..house() }
        })
}

/// The shared planner data beside the workspace, where it is.
pub(crate) fn shared() -> Option<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/planner");
    let elsewhere = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/planner");
    [folder, elsewhere].into_iter().find(|folder| folder.join("score.py").is_file())
}

/// Says loudly why nothing was tested.
pub(crate) fn skipped(what: &str) {
    eprintln!("SKIPPED: {what}");
}

pub(crate) fn read(path: &std::path::Path) -> Instance {
    let text = std::fs::read_to_string(path).expect("the shared instance is readable");
    Instance::from_json(&text).expect("the shared instance is valid")
}

/// An instance from the shared generator; nothing where there is no Python.
pub(crate) fn generated(folder: &std::path::Path, arguments: &[&str]) -> Option<Instance> {
    let output = Command::new("python3").arg(folder.join("gen.py")).args(arguments).output().ok()?;
    assert!(output.status.success(), "gen.py failed: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("gen.py writes UTF-8");
    Some(Instance::from_json(&text).expect("gen.py makes valid instances"))
}
