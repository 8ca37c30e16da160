//! Plans are good enough within the usual budget. The limits are generous; `benches/quality.rs` gives the numbers.

mod common;

use planner::{Options, solve};

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
