//! Plans are good enough within the usual budget. The limits are generous; `benches/quality.rs` gives the numbers.

mod common;

use planner::score::score;
use planner::{Morning, Options, solve};

#[test]
fn plans_for_the_shared_instances_come_close_to_the_best_known() {
    let Some(folder) = common::shared() else {
        return common::skipped("../shared/planner is not there, so there is nothing to compare with");
    };
    let best_known: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(folder.join("best_known.json")).expect("readable"))
            .expect("JSON");
    for (name, allowed_percent) in
        [("gen-12x3", 0.1), ("gen-30x4", 2.0), ("gen-80x8-replan", 7.0), ("gen-200x20", 12.0)]
    {
        let instance = common::read(&folder.join(format!("instances/{name}.json")));
        let plan = solve(&instance, &Options::default(), &|| false).expect("valid");
        let best = best_known[name]["minutes"].as_f64().expect("a number");
        let gap = (plan.minutes - best) * 100.0 / best;
        assert!(
            gap <= allowed_percent,
            "{name}: {:.2} minutes, {gap:.1} % above the best known {best:.2}",
            plan.minutes
        );
    }
}

#[test]
fn a_longer_search_is_worth_its_time_on_an_unseen_instance() {
    let Some(folder) = common::shared() else {
        return common::skipped("../shared/planner is not there, so no instance can be generated");
    };
    let Some(instance) = common::generated(&folder, &["60", "6", "42", "--replan", "--tight"]) else {
        return common::skipped("python3 is not there to generate instances");
    };
    let (none, some) = (common::planned(&instance, 0, 1), common::planned(&instance, 2_000_000, 1));
    assert!(some.cost * 100 < none.cost * 90, "{} after {} at the start", some.minutes, none.minutes);
}

#[test]
fn a_large_house_gets_the_same_better_plan_every_time_and_no_rule_is_broken() {
    let Some(folder) = common::shared() else {
        return common::skipped("../shared/planner is not there, so no instance can be generated");
    };
    let Some(instance) = common::generated(&folder, &["600", "48", "7", "--replan", "--tight"]) else {
        return common::skipped("python3 is not there to generate instances");
    };
    let (none, some, again) = (
        common::planned(&instance, 0, 1),
        common::planned(&instance, 600_000, 1),
        common::planned(&instance, 600_000, 1),
    );
    assert_eq!(serde_json::to_string(&some).expect("JSON"), serde_json::to_string(&again).expect("JSON"));
    assert!(some.cost < none.cost, "{} after {} at the start", some.minutes, none.minutes);
    let morning = Morning::new(&instance).expect("valid");
    let rounds = morning.rounds_of(&some).expect("rows of this instance");
    assert_eq!(score(&instance, &rounds).breaches, vec![]);
}
