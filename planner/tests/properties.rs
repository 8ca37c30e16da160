//! What holds for every morning.

mod common;

use std::collections::HashSet;

use planner::score::score;
use planner::{Instance, Morning, Plan};
use proptest::prelude::*;

fn rounds_of(instance: &Instance, plan: &Plan) -> Vec<Vec<usize>> {
    Morning::new(instance).expect("valid").rounds_of(plan).expect("the plan names what the instance holds")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_plan_breaks_a_hard_rule_and_every_task_is_answered_once(instance in common::any_instance(6, 24), seed in 0..5_u64) {
        let plan = common::planned(&instance, 4000, seed);
        let counted = score(&instance, &rounds_of(&instance, &plan));
        prop_assert_eq!(&counted.breaches, &vec![]);
        prop_assert_eq!(counted.cost(), plan.cost);
        prop_assert_eq!(counted.terms, plan.terms);
        let assigned = plan.rows.iter().map(|row| row.task_id.as_str());
        let answered: HashSet<&str> = assigned.chain(plan.unassigned.iter().map(|open| open.task_id.as_str())).collect();
        prop_assert_eq!(answered.len(), instance.tasks.len());
        prop_assert_eq!(plan.rows.len() + plan.unassigned.len(), instance.tasks.len());
    }

    #[test]
    fn the_same_instance_budget_and_seed_give_the_same_bytes(instance in common::any_instance(5, 16), seed in 0..9_u64) {
        let bytes = |plan: &Plan| serde_json::to_vec(plan).expect("a plan is JSON");
        let first = common::planned(&instance, 3000, seed);
        prop_assert_eq!(bytes(&first), bytes(&common::planned(&instance, 3000, seed)));
        let back: Plan = serde_json::from_slice(&bytes(&first)).expect("what is written can be read");
        prop_assert_eq!(back, first);
    }

    #[test]
    fn what_is_in_progress_stays_first_with_its_person(instance in common::any_instance(5, 16)) {
        let plan = common::planned(&instance, 3000, 1);
        for row in &plan.rows {
            let task = instance.tasks.iter().find(|task| task.id == row.task_id).expect("known");
            if task.in_progress {
                prop_assert_eq!(task.current_staff_id.as_deref(), Some(row.staff_id.as_str()));
                let earlier = plan.rows.iter().filter(|other| other.staff_id == row.staff_id && other.sequence < row.sequence);
                for other in earlier {
                    let begun = instance.tasks.iter().any(|task| task.id == other.task_id && task.in_progress);
                    prop_assert!(begun, "{} comes before {} which is in progress", other.task_id, row.task_id);
                }
            }
        }
    }

    #[test]
    fn scores_lie_between_zero_and_one_and_every_row_says_why(instance in common::any_instance(6, 20)) {
        let plan = common::planned(&instance, 2000, 3);
        for row in &plan.rows {
            prop_assert!((0.0..=1.0).contains(&row.score), "{}", row.score);
            prop_assert!(!row.reasoning.is_empty());
            prop_assert!((1..=2).contains(&row.reasons.len()));
        }
    }

    #[test]
    fn moved_lists_exactly_the_tasks_that_changed_hands(instance in common::any_instance(5, 16)) {
        let plan = common::planned(&instance, 2000, 3);
        for task in &instance.tasks {
            let now = plan.rows.iter().find(|row| row.task_id == task.id).map(|row| row.staff_id.clone());
            let listed = plan.moved.iter().find(|moved| moved.task_id == task.id);
            match &task.current_staff_id {
                Some(before) if Some(before) != now.as_ref() => {
                    let listed = listed.expect("listed");
                    prop_assert_eq!(&listed.from, before);
                    prop_assert_eq!(&listed.to, &now);
                }
                _ => prop_assert_eq!(listed, None),
            }
        }
    }
}

#[test]
fn a_stop_ends_the_search_and_marks_the_plan() {
    let mut instance = common::house();
    instance.staff = vec![common::person("a"), common::person("b")];
    instance.tasks = (0..20).map(|index| common::task(&format!("t{index}"), 1 + index % 3, index, 30)).collect();
    let options = planner::Options { moves: Some(1_000_000_000_000), seed: 1 };
    let plan = planner::solve(&instance, &options, &|| true).expect("valid");
    assert!(plan.truncated);
    assert_eq!(plan.rows.len(), 20);
    assert!(!common::planned(&instance, 1000, 1).truncated);
}

#[test]
fn a_morning_that_is_planned_again_keeps_what_it_does_not_pay_to_move() {
    let mut instance = common::house();
    instance.staff = vec![common::person("a"), common::person("b"), common::person("c")];
    instance.tasks = (0..30).map(|index| common::task(&format!("t{index}"), 1 + index / 10, index % 10, 30)).collect();
    let first = common::planned(&instance, 200_000, 1);
    for task in &mut instance.tasks {
        let row = first.rows.iter().find(|row| row.task_id == task.id).expect("all assigned");
        task.current_staff_id = Some(row.staff_id.clone());
    }
    assert_eq!(common::planned(&instance, 200_000, 2).moved, vec![], "nothing happened, so nothing moves");
    // One person falls ill: only that person's tasks change hands, and perhaps a few more for fairness.
    instance.staff.remove(2);
    let ill = instance.tasks.iter().filter(|task| task.current_staff_id.as_deref() == Some("c")).count();
    let again = common::planned(&instance, 200_000, 2);
    assert!(again.moved.iter().filter(|moved| moved.from == "c").count() == ill);
    assert!(again.moved.len() <= ill + 3, "{:?}", again.moved);
}
