//! Every claim of every explanation is computed again by the full count.

mod common;

use planner::score::{Score, score};
use planner::{Code, Desk, Instance, Morning, Options, Plan, Reason, Row};
use proptest::prelude::*;

/// The plan with one task at another person's place.
fn moved_to(rounds: &[Vec<usize>], task: usize, person: usize, index: usize) -> Vec<Vec<usize>> {
    let mut changed: Vec<Vec<usize>> =
        rounds.iter().map(|round| round.iter().copied().filter(|other| *other != task).collect()).collect();
    let index = index.min(changed[person].len());
    changed[person].insert(index, task);
    changed
}

/// The cheapest feasible way to give a task to somebody else, by counting all of them.
fn next_best(
    instance: &Instance,
    rounds: &[Vec<usize>],
    task: usize,
    owner: Option<usize>,
) -> Option<(i64, usize, usize)> {
    let mut best = None;
    for person in (0..rounds.len()).filter(|person| Some(*person) != owner) {
        // What is in progress stays first.
        let locked = rounds[person].iter().take_while(|task| instance.tasks[**task].in_progress).count();
        for index in locked..=rounds[person].len() {
            let counted = score(instance, &moved_to(rounds, task, person, index));
            if counted.breaches.is_empty() && best.is_none_or(|(cost, _, _)| counted.cost() < cost) {
                best = Some((counted.cost(), person, index));
            }
        }
    }
    best
}

fn check_row(instance: &Instance, rounds: &[Vec<usize>], now: &Score, row: &Row) {
    let task = instance.tasks.iter().position(|task| task.id == row.task_id).expect("known");
    let owner = instance.staff.iter().position(|person| person.id == row.staff_id).expect("known");
    let first = &row.reasons[0];
    let others_with_skill = || {
        let skill = instance.tasks[task].skill.as_deref();
        instance.staff.iter().enumerate().any(|(index, person)| {
            index != owner && skill.is_none_or(|skill| person.skills.iter().any(|have| have == skill))
        })
    };
    match first.code {
        Code::Pinned => assert!(instance.tasks[task].pinned && first.word("staffId") == row.staff_id),
        Code::InProgress => assert!(instance.tasks[task].in_progress && first.word("staffId") == row.staff_id),
        Code::OnlyPerson => assert_eq!(instance.staff.len(), 1),
        Code::OnlySkilled => {
            assert!(!others_with_skill());
            assert_eq!(Some(first.word("skill")), instance.tasks[task].skill.as_deref());
        }
        Code::FailedBefore => {
            assert_eq!(next_best(instance, rounds, task, Some(owner)), None);
            assert_eq!(Some(first.word("staffId")), instance.tasks[task].kept_from.as_deref());
        }
        Code::NobodyElseHasTime => assert_eq!(next_best(instance, rounds, task, Some(owner)), None),
        _ => check_comparison(instance, rounds, now, row, task, owner),
    }
}

fn check_comparison(instance: &Instance, rounds: &[Vec<usize>], now: &Score, row: &Row, task: usize, owner: usize) {
    let (cost, person, index) = next_best(instance, rounds, task, Some(owner)).expect("there is somebody");
    let first = &row.reasons[0];
    assert_eq!(first.word("against"), instance.staff[person].id, "{row:?}");
    let index_said = usize::try_from(first.number("position")).expect("a place") - 1;
    assert_eq!(index_said, index);
    let then = score(instance, &moved_to(rounds, task, person, index));
    match cost - now.cost() {
        0 => assert_eq!(first.code, Code::AsGood),
        less if less < 0 => {
            assert_eq!(first.code, Code::CheaperElsewhere);
            assert_eq!(first.number("cost"), less);
        }
        _ => row.reasons.iter().for_each(|reason| check_term(instance, now, &then, task, owner, person, reason)),
    }
}

fn check_term(
    instance: &Instance,
    now: &Score,
    then: &Score,
    task: usize,
    owner: usize,
    other: usize,
    reason: &Reason,
) {
    let more = |of: &dyn Fn(&Score) -> i64| of(then) - of(now);
    let rounds =
        |counted: &Score, of: &dyn Fn(&planner::score::Round) -> i64| counted.rounds.iter().map(of).sum::<i64>();
    let extra = |count: usize| i64::try_from(count).expect("small").saturating_sub(1).max(0);
    let term = then.terms - now.terms;
    let (cost, claim, truth) = match reason.code {
        Code::SavesWalking => (term.walk, reason.number("seconds"), more(&|s| rounds(s, &|r| r.walk_sec))),
        Code::SavesFloors => (term.floors, reason.number("floors"), more(&|s| rounds(s, &|r| extra(r.floors.len())))),
        Code::SavesSections => {
            (term.sections, reason.number("sections"), more(&|s| rounds(s, &|r| extra(r.sections.len()))))
        }
        Code::SavesLateness => {
            let late = |s: &Score| {
                rounds(s, &|r| i64::try_from(r.stops.iter().filter(|stop| stop.late_sec > 0).count()).expect("small"))
            };
            assert_eq!(reason.number("rooms"), more(&late));
            (
                term.late,
                reason.number("seconds"),
                more(&|s| rounds(s, &|r| r.stops.iter().map(|stop| stop.late_sec).sum())),
            )
        }
        Code::StartsSooner => (term.urgency, 0, 0),
        Code::FairerLoad => {
            assert_eq!(reason.number("fairShareMin"), then.rounds[other].fair_share_sec / 60);
            (term.balance, reason.number("loadMin"), then.rounds[other].load_sec / 60)
        }
        Code::SavesOvertime => {
            let over = |s: &Score| {
                s.rounds
                    .iter()
                    .zip(&instance.staff)
                    .map(|(r, p)| (r.load_sec - p.capacity_min * 60).max(0))
                    .sum::<i64>()
            };
            (term.overtime, reason.number("seconds"), more(&over))
        }
        Code::SpeaksLanguage => {
            let language = instance.tasks[task].language.clone().expect("a language is wanted");
            assert_eq!(reason.word("language"), language);
            assert!(
                instance.staff[owner].languages.contains(&language)
                    && !instance.staff[other].languages.contains(&language)
            );
            (term.language, 0, 0)
        }
        Code::HasItAlready => {
            assert_eq!(instance.tasks[task].current_staff_id.as_ref(), Some(&instance.staff[owner].id));
            (term.change, 0, 0)
        }
        Code::WithinAreaCap => (term.sqft, 0, 0),
        code => panic!("{code:?} is no comparison"),
    };
    assert!(cost > 0, "{reason:?} decided nothing");
    assert_eq!(reason.number("cost"), cost, "{reason:?}");
    assert_eq!(claim, truth, "{reason:?}");
    if reason.params.contains_key("onFloor") {
        let floor = reason.number("onFloor");
        let there = |stop: &planner::score::Stop| stop.task != task && instance.tasks[stop.task].floor == floor;
        assert!(now.rounds[owner].stops.iter().any(there), "nothing else on floor {floor}");
    }
}

fn check_plan(instance: &Instance, plan: &Plan) {
    let rounds = Morning::new(instance).expect("valid").rounds_of(plan).expect("known");
    let now = score(instance, &rounds);
    for row in &plan.rows {
        check_row(instance, &rounds, &now, row);
    }
    for open in &plan.unassigned {
        let task = instance.tasks.iter().position(|task| task.id == open.task_id).expect("known");
        let way = next_best(instance, &rounds, task, None);
        match open.reason.code {
            Code::NoTime | Code::NoSkill | Code::HeldWithoutSkill => assert_eq!(way, None, "{open:?}"),
            Code::NoStaff => assert!(instance.staff.is_empty()),
            Code::DearerThanOpen => {
                let (cost, person, _) = way.expect("there is a way");
                assert_eq!(open.reason.number("cost"), cost - now.cost());
                assert_eq!(open.reason.word("staffId"), instance.staff[person].id);
            }
            code => panic!("{code:?} is no reason to leave a task open"),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_claim_holds_when_counted_again(instance in common::any_instance(5, 18), moves in prop_oneof![Just(0_u64), Just(5000)]) {
        check_plan(&instance, &common::planned(&instance, moves, 7));
    }

    #[test]
    fn what_if_tells_what_the_full_count_would(instance in common::any_instance(4, 14)) {
        let plan = common::planned(&instance, 2000, 7);
        let morning = Morning::new(&instance).expect("valid");
        let rounds = morning.rounds_of(&plan).expect("known");
        let now = score(&instance, &rounds);
        let mut desk = Desk::new(&morning, &rounds);
        for (index, task) in instance.tasks.iter().enumerate() {
            for (person, staff) in instance.staff.iter().enumerate() {
                if rounds[person].contains(&index) {
                    prop_assert_eq!(desk.what_if(&task.id, &staff.id).expect("known").cost, 0);
                    continue;
                }
                let answer = desk.what_if(&task.id, &staff.id).expect("known");
                let locked = rounds[person].iter().take_while(|task| instance.tasks[**task].in_progress).count();
                let best = (locked..=rounds[person].len())
                    .map(|place| score(&instance, &moved_to(&rounds, index, person, place)))
                    .filter(|counted| counted.breaches.is_empty())
                    .map(|counted| counted.cost())
                    .min();
                match best {
                    Some(cost) => {
                        prop_assert_eq!(answer.obstacle, None, "{:?}", answer);
                        prop_assert_eq!(answer.cost, cost - now.cost());
                        let then = score(&instance, &moved_to(&rounds, index, person, answer.sequence - 1));
                        prop_assert_eq!(answer.terms, then.terms - now.terms);
                    }
                    None => prop_assert!(answer.obstacle.is_some()),
                }
            }
        }
    }
}

#[test]
fn claims_hold_on_the_shared_instances() {
    let Some(folder) = common::shared() else {
        return common::skipped("../shared/planner is not there, so its instances are not explained");
    };
    for name in ["gen-12x3", "gen-30x4", "gen-80x8-replan"] {
        let instance = common::read(&folder.join(format!("instances/{name}.json")));
        check_plan(&instance, &common::planned(&instance, 200_000, 1));
    }
}

#[test]
fn the_sentence_names_floor_walking_and_the_other_person() {
    let mut instance = common::house();
    instance.staff = vec![common::person("zahra"), common::person("amir")];
    instance.staff[1].floor = 8;
    instance.weights.balance = Vec::new();
    instance.weights.section = planner::Milli(0);
    instance.weights.floor = planner::Milli::whole(4);
    for index in 0..3 {
        instance.tasks.push(common::task(&format!("low{index}"), 1, 2 + index, 30));
        instance.tasks.push(common::task(&format!("high{index}"), 8, 2 + index, 30));
    }
    let plan = common::planned(&instance, 20_000, 1);
    let row = plan.rows.iter().find(|row| row.task_id == "low1").expect("assigned");
    let (start, end) =
        ("already on floor 1: saves a floor change and ", " of walking, against the next best person (amir)");
    assert!(row.reasoning.starts_with(start) && row.reasoning.ends_with(end), "{}", row.reasoning);
}

#[test]
fn what_if_says_minutes_floors_and_late_rooms_in_words() {
    let mut instance = common::house();
    instance.staff = vec![common::person("zahra"), common::person("amir")];
    instance.tasks = vec![
        common::task("t1", 1, 2, 30),
        common::task("t2", 1, 3, 30),
        common::task("t3", 4, 2, 60),
        common::task("t4", 4, 3, 30),
    ];
    instance.tasks[3].room = Some("304".to_owned());
    instance.tasks[3].due_min = Some(100);
    for (task, holder) in instance.tasks.iter_mut().zip(["zahra", "zahra", "amir", "amir"]) {
        task.pinned = holder == "amir";
        task.current_staff_id = Some(holder.to_owned());
    }
    let plan = planner::solve(&instance, &Options { moves: Some(1000), seed: 1 }, &|| false).expect("valid");
    let morning = Morning::new(&instance).expect("valid");
    let rounds = morning.rounds_of(&plan).expect("known");
    let mut desk = Desk::new(&morning, &rounds);
    let answer = desk.what_if_at("t1", "amir", 1).expect("known");
    assert_eq!(answer.floors, 1);
    assert!(answer.text.starts_with("adds 30 minutes to the day of amir"), "{}", answer.text);
    assert!(answer.text.contains("one more floor, room 304 ready 22 minutes late"), "{}", answer.text);
    assert_eq!(desk.what_if("t4", "zahra").expect("known").text, "it is pinned to amir: release it first");
    assert!(desk.what_if("t9", "zahra").is_err() && desk.what_if("t1", "nobody").is_err());
}
