//! The independent scorer agrees to the unit, and unseen instances keep every hard rule.

mod common;

use std::path::Path;
use std::process::Command;

use planner::{Instance, Plan};

/// Runs the Python scorer; nothing where there is no Python.
fn scored(folder: &Path, name: &str, instance: &Instance, plan: &Plan) -> Option<serde_json::Value> {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (question, answer) = (place.join(format!("{name}.instance.json")), place.join(format!("{name}.plan.json")));
    std::fs::write(&question, serde_json::to_vec(instance).expect("JSON")).expect("the target folder is writable");
    std::fs::write(&answer, serde_json::to_vec(plan).expect("JSON")).expect("the target folder is writable");
    let output = Command::new("python3").arg(folder.join("score.py")).arg(question).arg(answer).arg("--json").output();
    let output = output.ok()?;
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stdout));
    Some(serde_json::from_slice(&output.stdout).expect("the scorer writes JSON"))
}

fn agrees(folder: &Path, name: &str, instance: &Instance, moves: u64) -> bool {
    let plan = common::planned(instance, moves, 5);
    let Some(verdict) = scored(folder, name, instance, &plan) else {
        common::skipped("python3 is not there to run the scorer");
        return false;
    };
    assert_eq!(verdict["hard"], serde_json::json!([]), "{name}");
    assert_eq!(verdict["cost"].as_i64(), Some(plan.cost), "{name}");
    for (term, cost) in plan.terms.named() {
        let theirs = verdict["terms"][term].as_f64().expect("a number") * 60_000.0;
        #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
        let ours = cost as f64;
        assert!((theirs - ours).abs() < 0.5, "{name}: {term} is {theirs} there and {ours} here");
    }
    assert_eq!(verdict["stats"]["unassigned"].as_u64(), Some(plan.unassigned.len() as u64), "{name}");
    assert_eq!(verdict["stats"]["lateRooms"].as_u64(), Some(plan.late.len() as u64), "{name}");
    true
}

#[test]
fn the_python_scorer_agrees_to_the_unit_on_the_shared_instances() {
    let Some(folder) = common::shared() else {
        return common::skipped("../shared/planner is not there, so the scorer cannot be asked");
    };
    for name in ["gen-12x3", "gen-30x4", "gen-80x8-replan", "gen-200x20"] {
        let instance = common::read(&folder.join(format!("instances/{name}.json")));
        // Poor plans too: they have late rooms, overtime and missed languages.
        for moves in [0, 2000, 200_000] {
            if !agrees(&folder, &format!("{name}-{moves}"), &instance, moves) {
                return;
            }
        }
    }
}

#[test]
fn the_python_scorer_agrees_on_unseen_instances_and_finds_no_broken_rule() {
    let Some(folder) = common::shared() else {
        return common::skipped("../shared/planner is not there, so no instance can be generated");
    };
    for (number, options) in [&[][..], &["--replan"], &["--tight"], &["--replan", "--tight"]].iter().enumerate() {
        for (size, people) in [("10", "2"), ("40", "4"), ("90", "6"), ("150", "8")] {
            let seed = format!("{}", 100 + number);
            let arguments: Vec<&str> =
                [size, people, seed.as_str()].into_iter().chain(options.iter().copied()).collect();
            let Some(instance) = common::generated(&folder, &arguments) else {
                return common::skipped("python3 is not there to generate instances");
            };
            if !agrees(&folder, &format!("unseen-{size}-{number}"), &instance, 100_000) {
                return;
            }
        }
    }
}

#[test]
fn the_python_scorer_agrees_under_other_weights_and_with_a_cap_on_area() {
    let Some(folder) = common::shared() else {
        return common::skipped("../shared/planner is not there, so the scorer cannot be asked");
    };
    let text = std::fs::read_to_string(folder.join("instances/gen-30x4.json")).expect("readable");
    let mut json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    json["sqftCap"] = 1500.into();
    json["weights"] = serde_json::json!({
        "floor": 3.7, "walkPerMin": 0.333, "balance": [[5, 0.25], [30, 2]], "startPerMin": [0, 0.05, 0.1, 1.0005],
        "unassigned": [1, 2, 3, 4], "language": 0.5
    });
    let instance = Instance::from_json(&json.to_string()).expect("valid");
    agrees(&folder, "other-weights", &instance, 100_000);
}
