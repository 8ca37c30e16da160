//! The incremental count against the full one, after moves of every kind.

use crate::instance::Instance;
use crate::problem::Problem;
use crate::random::Chance;
use crate::score::score;
use crate::search::construct::{ANY_COST, first_plan};
use crate::search::parts::{Part, cut};
use crate::search::propose::{Kind, Neighbours, Proposer, Style};
use crate::search::tours::Tours;

/// A house with every oddity: skills, languages, pins, tasks in progress, due times in the past, short shifts.
fn odd_house(seed: u64) -> Instance {
    let mut chance = Chance::from_seed(seed);
    let mut pick = |words: &[&str]| words[chance.below(words.len())].to_owned();
    let mut people = Vec::new();
    for index in 0..5 {
        people.push(format!(
            r#"{{"id":"s{index}","capacityMin":{},"loadMin":{},"availableFromMin":{},"shiftEndMin":{},"floor":{},
            "position":{},"skills":[{}],"languages":[{}],"loadSqft":{}}}"#,
            pick(&["300", "480"]),
            pick(&["0", "45"]),
            pick(&["0", "10", "25"]),
            pick(&["200", "400", "510"]),
            pick(&["1", "2"]),
            pick(&["0", "9"]),
            pick(&["\"deep\"", ""]),
            pick(&["\"en\"", "\"ps-AF\",\"en\"", ""]),
            pick(&["0", "500"])
        ));
    }
    let mut tasks = Vec::new();
    for index in 0..36 {
        let current = pick(&["null", "null", "\"s0\"", "\"s1\"", "\"s4\"", "\"gone\""]);
        let here = current.starts_with("\"s");
        tasks.push(format!(
            r#"{{"id":"t{index}","minutes":{},"priority":"{}","readyMin":{},"dueMin":{},"floor":{},"section":"{}",
            "position":{},"skill":{},"language":{},"currentStaffId":{current},"pinned":{},"inProgress":{},"sqft":320}}"#,
            pick(&["10", "30", "45", "0"]),
            pick(&["low", "normal", "high", "urgent"]),
            pick(&["0", "0", "60"]),
            pick(&["null", "30", "200", "-5"]),
            pick(&["1", "2", "3", "4"]),
            pick(&["A", "B"]),
            pick(&["1", "4", "8", "11"]),
            pick(&["null", "null", "\"deep\""]),
            pick(&["null", "\"en\"", "\"ps-AF\""]),
            here && pick(&["y", "n", "n", "n"]) == "y",
            here && index < 3,
        ));
    }
    let text = format!(
        r#"{{"name":"odd","walk":{{"secPerUnit":4,"elevatorPos":2,"elevatorWaitSec":60,"secPerFloor":12}},"sqftCap":2400,
        "staff":[{}],"tasks":[{}]}}"#,
        people.join(","),
        tasks.join(",")
    );
    Instance::from_json(&text).expect("a valid house")
}

fn full_cost(instance: &Instance, tours: &Tours<'_>) -> i64 {
    let counted = score(instance, &tours.rounds());
    assert_eq!(counted.breaches, vec![]);
    counted.cost()
}

#[test]
fn after_every_kind_of_move_the_incremental_cost_is_the_full_cost() {
    let mut applied = [0; Kind::ALL.len()];
    for seed in 0..12 {
        let instance = odd_house(seed);
        let problem = Problem::new(&instance).expect("valid");
        let neighbours = Neighbours::of(&problem);
        let mut tours = first_plan(&problem);
        assert_eq!(tours.cost, full_cost(&instance, &tours));
        let mut chance = Chance::from_seed(seed);
        for _ in 0..6000 {
            let kind = Kind::ALL[chance.below(Kind::ALL.len())];
            let style = Style::of_kind(kind, &mut chance);
            let proposer = Proposer { neighbours: &neighbours, has_locks: true };
            let Some(drawn) = proposer.draw(&tours, &mut chance, style) else { continue };
            let before = tours.cost;
            let Some(added) = tours.price(&drawn, ANY_COST) else { continue };
            // A bound that the move just meets must not drawn the price, and one below it must refuse.
            assert_eq!(tours.price(&drawn, added), Some(added));
            assert_eq!(tours.price(&drawn, added - 1), None);
            tours.apply(&drawn);
            applied[kind as usize] += 1;
            assert_eq!(tours.cost, before + added, "{drawn:?}");
            assert_eq!(tours.cost, full_cost(&instance, &tours), "{drawn:?}");
        }
    }
    assert!(applied.iter().all(|count| *count > 100), "some kind was hardly tried: {applied:?}");
}

#[test]
fn a_plan_built_from_its_rounds_costs_the_same() {
    let instance = odd_house(3);
    let problem = Problem::new(&instance).expect("valid");
    let tours = first_plan(&problem);
    assert_eq!(Tours::of(&problem, &tours.rounds()).cost, tours.cost);
}

#[test]
fn the_costs_of_the_parts_of_a_house_add_up_to_the_cost_of_the_whole() {
    for seed in 0..12 {
        let instance = odd_house(seed);
        let problem = Problem::new(&instance).expect("valid");
        let whole = first_plan(&problem);
        let mut chance = Chance::from_seed(seed);
        for in_blocks in [false, true] {
            let parts = cut(&problem, &whole.rounds(), in_blocks, &mut chance);
            let mut jobs: Vec<usize> = parts.iter().flat_map(|part| part.jobs.clone()).collect();
            jobs.sort_unstable();
            assert!(jobs.into_iter().eq(0..problem.jobs.len()), "every task is in one part");
            let cost_of = |part: &Part| {
                let (house, rounds) = part.house(&problem, &whole.rounds());
                Tours::of(&house, &rounds).cost
            };
            assert_eq!(parts.iter().map(cost_of).sum::<i64>(), whole.cost);
        }
    }
}
