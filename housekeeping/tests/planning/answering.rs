//! The built-in planner answers, in time, also for a large house.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use contracts::external::RoutingRow;
use housekeeping::application::routing_answers::believed;
use housekeeping::application::routing_port::{Progress, RoutingError, RoutingInput, RoutingPort};
use housekeeping::domain::suggestion::{RowOutcome, SuggestionSource};
use housekeeping::infrastructure::planning::{BuiltInPlanner, WhatIfObstacle, what_if};

use crate::{held_by, house, in_minutes, person, room, staff, turnover};

/// It is a second and a half where nothing else runs; tests run beside each other.
const EVEN_ON_A_BUSY_MACHINE: Duration = Duration::from_secs(6);

/// So many rooms on floors of fifty, each to be turned over.
fn large(tasks: usize, people: usize) -> RoutingInput {
    let numbers: Vec<String> = (0..tasks).map(|index| format!("{}{:02}", index / 50 + 1, index % 50)).collect();
    let floor = |number: &String| number[..number.len() - 2].parse().ok();
    RoutingInput {
        rooms: numbers.iter().map(|number| room(number, floor(number))).collect(),
        tasks: numbers.iter().map(|number| turnover(number)).collect(),
        people: (0..people).map(|index| person(&index.to_string())).collect(),
        ..house()
    }
}

#[tokio::test]
async fn a_thousand_tasks_are_planned_in_time() {
    let begun = Instant::now();
    let proposal = BuiltInPlanner::default().suggest(Arc::new(large(1_000, 80)), begun).await.unwrap();
    assert!(begun.elapsed() < EVEN_ON_A_BUSY_MACHINE, "{:?}", begun.elapsed());
    let planned: HashSet<_> = proposal.rows.iter().map(|row| &row.task_id).collect();
    assert_eq!(planned.len(), proposal.rows.len(), "each task once");
    assert_eq!(proposal.rows.len() + proposal.unassigned.len(), 1_000);
    let last = in_minutes(360);
    assert!(proposal.rows.iter().all(|row| row.finish_at.unwrap() <= last), "nobody works past the end of the shift");
}

#[tokio::test]
async fn who_finds_no_turn_is_told_so_at_once() {
    let (planner, input) = (BuiltInPlanner::default(), Arc::new(large(1_000, 80)));
    let plan = || planner.suggest(Arc::clone(&input), Instant::now());
    let begun = Instant::now();
    let third = async { (plan().await, begun.elapsed()) };
    let (first, second, (third, took)) = tokio::join!(plan(), plan(), third);
    assert!(first.is_ok() && second.is_ok());
    assert_eq!(third, Err(RoutingError::Busy));
    assert!(took < EVEN_ON_A_BUSY_MACHINE, "{took:?}");
}

#[tokio::test]
async fn the_same_house_gets_the_same_plan() {
    let input = Arc::new(large(8, 3));
    let planner = BuiltInPlanner::default();
    let (first, second) = (
        planner.suggest(Arc::clone(&input), Instant::now()).await.unwrap(),
        planner.suggest(Arc::clone(&input), Instant::now()).await.unwrap(),
    );
    assert_eq!(first, second);
}

#[tokio::test]
async fn a_plan_says_what_stays_what_moves_and_from_whom() {
    let mut input = large(3, 2);
    input.tasks[0] = held_by("0", Progress::InProgress, 10, input.tasks[0].clone());
    input.tasks[1] = held_by("GONE", Progress::Assigned, 0, input.tasks[1].clone());
    let proposal = BuiltInPlanner::default().suggest(Arc::new(input.clone()), Instant::now()).await.unwrap();
    let row = |at: usize| proposal.rows.iter().find(|row| row.task_id == input.tasks[at].task_id).unwrap();
    assert_eq!((row(0).outcome, &row(0).staff_id, row(0).sequence), (RowOutcome::Unchanged, &staff("0"), Some(1)));
    assert_eq!((row(1).outcome, row(1).previous_staff_id.as_ref()), (RowOutcome::Proposed, Some(&staff("GONE"))));
    assert_eq!(proposal.moved.len(), 1);
    assert_eq!((&proposal.moved[0].from, proposal.moved[0].to.as_ref()), (&staff("GONE"), Some(&row(1).staff_id)));
}

#[test]
fn of_a_plan_from_outside_only_what_can_be_is_believed() {
    let mut input = large(4, 2);
    input.tasks[3] = held_by("0", Progress::InProgress, 10, input.tasks[3].clone());
    let row = |at: usize, name: &str, score: f64| RoutingRow {
        task_id: input.tasks[at].task_id.clone(),
        staff_id: staff(name),
        score,
        reasoning: "near\u{0} by".to_owned(),
    };
    let answer = vec![
        row(0, "0", 0.9),
        row(0, "1", 0.8),
        row(1, "STRANGER", 0.9),
        row(2, "1", f64::NAN),
        RoutingRow { task_id: contracts::ids::TaskId::parse("hkt_ELSEWHERE").unwrap(), ..row(0, "0", 1.0) },
        row(3, "1", 1.0),
    ];
    let (proposal, dropped) = believed(SuggestionSource::Event, "model\n7", answer, &input);
    assert_eq!(dropped, 5);
    assert_eq!(proposal.rows.len(), 1);
    assert_eq!((proposal.rows[0].reasoning.as_str(), proposal.model_version.as_str()), ("near by", "model7"));
    assert_eq!(proposal.unassigned.len(), 2, "tasks that the plan does not speak of are named");
}

#[test]
fn what_a_change_would_bring_is_told_in_numbers_and_words() {
    let mut input = large(60, 3);
    input.people[2].skills = vec!["supervision".to_owned()];
    for (at, name) in [(0, "0"), (1, "0"), (50, "1")] {
        input.tasks[at] = held_by(name, Progress::Assigned, 0, input.tasks[at].clone());
    }
    input.tasks[2] = held_by("0", Progress::InProgress, 10, input.tasks[2].clone());
    let ask = |at: usize, name: &str| what_if(&input, &input.tasks[at].task_id, &staff(name));
    let pending = ask(3, "0").unwrap();
    assert_eq!((pending.obstacle, pending.floors), (None, 0));
    assert!((50..=52).contains(&pending.added_minutes), "{pending:?}");
    let upstairs = ask(0, "1").unwrap();
    assert_eq!(upstairs.floors, 1, "{}", upstairs.text);
    assert!(upstairs.text.contains("one more floor"), "{}", upstairs.text);
    assert_eq!(ask(0, "0").unwrap().text, "nothing changes");
    assert_eq!(ask(2, "1").unwrap().obstacle, Some(WhatIfObstacle::InProgress));
    assert_eq!(ask(3, "2").unwrap().obstacle, Some(WhatIfObstacle::NotPlanned), "leaders are given no rooms");
    assert_eq!(ask(3, "STRANGER").unwrap().obstacle, Some(WhatIfObstacle::NotPlanned));
}
