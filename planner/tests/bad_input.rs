//! Odd mornings get a valid answer with reasons, and wrong ones a clear refusal.

mod common;

use planner::instance::Priority;
use planner::{Code, Instance, PlannerError};
use proptest::prelude::*;

fn flaws(instance: &Instance) -> String {
    match instance.validate() {
        Err(PlannerError::Invalid(flaws)) => flaws.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
        other => panic!("expected flaws, not {other:?}"),
    }
}

fn small() -> Instance {
    let mut instance = common::house();
    instance.staff = vec![common::person("a"), common::person("b")];
    instance.tasks = vec![common::task("t1", 1, 3, 30), common::task("t2", 2, 5, 30)];
    instance
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    let mut instance = small();
    instance.tasks[1].priority = Priority::Unknown("asap".to_owned());
    instance.tasks[0].minutes = -5;
    let text = flaws(&instance);
    assert!(
        text.contains("tasks[1] (t2).priority: \"asap\" is not a priority; use low, normal, high or urgent"),
        "{text}"
    );
    assert!(text.contains("tasks[0] (t1).minutes: is -5; it must be between 0 and 1440"), "{text}");
}

#[test]
fn duplicate_ids_of_tasks_and_people_are_named() {
    let mut instance = small();
    instance.tasks[1].id = "t1".to_owned();
    instance.staff[1].id = "a".to_owned();
    let text = flaws(&instance);
    assert!(text.contains("tasks[1] (t1).id: is a duplicate: tasks[0]"), "{text}");
    assert!(text.contains("staff[1] (a).id: is a duplicate: staff[0]"), "{text}");
}

#[test]
fn a_pinned_task_needs_its_person() {
    let mut instance = small();
    instance.tasks[0].pinned = true;
    instance.tasks[1].pinned = true;
    instance.tasks[1].current_staff_id = Some("gone".to_owned());
    let text = flaws(&instance);
    assert!(text.contains("tasks[0] (t1).currentStaffId: is missing"), "{text}");
    assert!(text.contains("\"gone\", who is not among the staff"), "{text}");
}

#[test]
fn a_task_whose_person_is_away_is_simply_given_to_somebody_else() {
    let mut instance = small();
    instance.tasks[0].current_staff_id = Some("gone".to_owned());
    let plan = common::planned(&instance, 1000, 1);
    assert_eq!(plan.rows.len(), 2);
    assert_eq!(plan.moved[0].from, "gone");
}

#[test]
fn text_that_is_no_instance_is_refused_with_its_place() {
    for text in ["", "[]", "{\"walk\": 1}", "{\"staff\": [], \"tasks\": [{}]}", "\u{0}"] {
        let Err(PlannerError::Unreadable(why)) = Instance::from_json(text) else { panic!("{text:?} was accepted") };
        assert!(why.contains("line"), "{why}");
    }
    let weights = "{\"walk\":{\"secPerUnit\":4,\"elevatorPos\":0,\"elevatorWaitSec\":60,\"secPerFloor\":12},\
                   \"weights\":{\"flor\":1},\"staff\":[],\"tasks\":[]}";
    let refused = Instance::from_json(weights).expect_err("an unknown weight");
    assert!(refused.to_string().contains("flor"), "{refused}");
}

#[test]
fn nobody_on_shift_leaves_all_open_with_that_reason() {
    let mut instance = small();
    instance.staff.clear();
    let plan = common::planned(&instance, 1000, 1);
    assert_eq!(plan.unassigned.len(), 2);
    assert!(plan.unassigned.iter().all(|open| open.reason.code == Code::NoStaff));
}

#[test]
fn nothing_to_do_is_a_plan_without_rows() {
    let mut instance = small();
    instance.tasks.clear();
    let plan = common::planned(&instance, 1000, 1);
    assert!(plan.rows.is_empty() && plan.unassigned.is_empty());
    assert_eq!(plan.people.len(), 2);
    instance.staff.clear();
    assert_eq!(common::planned(&instance, 1000, 1).cost, 0);
}

#[test]
fn everything_pinned_stays_where_it_is() {
    let mut instance = small();
    for task in &mut instance.tasks {
        task.pinned = true;
        task.current_staff_id = Some("b".to_owned());
    }
    let plan = common::planned(&instance, 1000, 1);
    assert!(plan.rows.iter().all(|row| row.staff_id == "b" && row.reasons[0].code == Code::Pinned));
    assert_eq!(plan.rows.len(), 2);
}

#[test]
fn a_skill_that_nobody_has_is_the_reason_for_leaving_a_task_open() {
    let mut instance = small();
    instance.tasks[0].skill = Some("carpets".to_owned());
    instance.tasks[1].skill = Some("carpets".to_owned());
    instance.tasks[1].current_staff_id = Some("a".to_owned());
    instance.tasks[1].pinned = true;
    let plan = common::planned(&instance, 1000, 1);
    assert_eq!(plan.unassigned[0].reasoning, "nobody on shift has the skill carpets");
    assert_eq!(plan.unassigned[1].reasoning, "it must stay with a, who lacks the skill carpets");
}

#[test]
fn no_time_is_the_reason_when_shifts_are_over_or_too_short() {
    let mut instance = small();
    instance.staff[0].shift_end_min = -30;
    instance.staff[1].shift_end_min = 20;
    let plan = common::planned(&instance, 1000, 1);
    assert_eq!(plan.unassigned.len(), 2);
    assert!(plan.unassigned.iter().all(|open| open.reason.code == Code::NoTime));
    assert_eq!(plan.unassigned[0].reasoning, "none of the 2 people who may do it has time left before the shift ends");
}

#[test]
fn no_capacity_means_overtime_and_not_refusal() {
    let mut instance = small();
    for person in &mut instance.staff {
        person.capacity_min = 0;
    }
    let plan = common::planned(&instance, 1000, 1);
    assert_eq!(plan.rows.len(), 2);
    assert!(plan.terms.overtime > 0);
}

#[test]
fn weights_that_make_work_dearer_than_leaving_it_say_so() {
    let mut instance = small();
    instance.weights.unassigned = [planner::Milli(0); 4];
    instance.tasks[0].due_min = Some(-60);
    let plan = common::planned(&instance, 1000, 1);
    let open = plan.unassigned.iter().find(|open| open.task_id == "t1").expect("left open");
    assert_eq!(open.reason.code, Code::DearerThanOpen);
}

#[test]
fn ten_thousand_tasks_are_planned_and_more_are_refused() {
    let mut instance = common::house();
    instance.staff = (0..40).map(|index| common::person(&format!("s{index}"))).collect();
    instance.tasks =
        (0..10_000).map(|index| common::task(&format!("t{index}"), 1 + index / 100, index % 100, 20)).collect();
    let plan = common::planned(&instance, 100_000, 1);
    assert_eq!(plan.rows.len() + plan.unassigned.len(), 10_000);
    assert!(plan.rows.len() > 800, "{}", plan.rows.len());
    instance.tasks.push(common::task("one more", 1, 1, 20));
    assert!(flaws(&instance).contains("holds 10001 tasks; at most 10000"));
}

#[test]
fn one_person_with_ten_thousand_short_tasks_in_a_week_is_no_hang() {
    let mut instance = common::house();
    instance.staff = vec![common::person("a")];
    instance.staff[0].shift_end_min = 10_080;
    instance.tasks = (0..10_000).map(|index| common::task(&format!("t{index}"), 1, index % 50, 0)).collect();
    let plan = planner::solve(&instance, &planner::Options::default(), &|| false).expect("valid");
    assert_eq!(plan.rows.len() + plan.unassigned.len(), 10_000);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn numbers_of_any_size_are_refused_or_planned_but_never_a_panic(
        numbers in proptest::collection::vec(prop_oneof![Just(i64::MIN), Just(i64::MAX), -20_000..20_000_i64], 16),
    ) {
        let mut instance = small();
        instance.walk.sec_per_unit = numbers[0];
        instance.walk.elevator_pos = numbers[1];
        let person = &mut instance.staff[0];
        (person.capacity_min, person.load_min, person.available_from_min) = (numbers[2], numbers[3], numbers[4]);
        (person.shift_end_min, person.floor, person.position, person.load_sqft) = (numbers[5], numbers[6], numbers[7], numbers[8]);
        let task = &mut instance.tasks[0];
        (task.minutes, task.ready_min, task.due_min) = (numbers[9], numbers[10], Some(numbers[11]));
        (task.floor, task.position, task.sqft) = (numbers[12], numbers[13], numbers[14]);
        instance.weights.floor = planner::Milli(numbers[15]);
        if instance.validate().is_ok() {
            prop_assert_eq!(common::planned(&instance, 100, 1).people.len(), 2);
        }
    }

    #[test]
    fn any_text_is_refused_or_read_but_never_a_panic(text in ".{0,200}") {
        let _ = Instance::from_json(&text);
    }
}
