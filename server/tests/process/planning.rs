//! `melmastoon plan`: a file in, a plan and a picture out; what is wrong is named.

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::{Value, json};

fn plan(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_melmastoon")).arg("plan").args(words).output().expect("the binary runs")
}

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Two people, six rooms on two floors, the first of them due too soon.
fn morning() -> Value {
    let person = |id: &str| {
        json!({ "id": id, "capacityMin": 480, "loadMin": 0, "availableFromMin": 0, "shiftEndMin": 480, "floor": 1,
                "position": 0, "skills": [], "languages": ["en"] })
    };
    let task = |at: i64| {
        json!({ "id": format!("t{at}"), "kind": "turnover", "minutes": 30, "priority": "normal", "readyMin": 0,
                "dueMin": (at == 0).then_some(10), "floor": 1 + at % 2, "section": "A", "position": at, "skill": null,
                "language": null, "currentStaffId": null, "pinned": false, "sqft": 300 })
    };
    json!({ "name": "house <1>",
            "walk": { "secPerUnit": 4, "elevatorPos": 0, "elevatorWaitSec": 60, "secPerFloor": 12 },
            "staff": [person("a"), person("b")], "tasks": (0..6).map(task).collect::<Vec<_>>() })
}

#[test]
fn a_file_is_planned_into_a_file_and_a_picture_and_the_same_seed_gives_the_same_bytes() {
    let (question, answer, picture) = (file("plan.in.json"), file("plan.out.json"), file("plan.svg"));
    std::fs::write(&question, morning().to_string()).expect("writable");
    let words = [&question, &answer, &picture].map(|path| path.to_str().expect("UTF-8"));
    let call = ["--in", words[0], "--out", words[1], "--svg", words[2], "--moves", "2000", "--seed", "3"];
    assert!(plan(&call).status.success());
    let first = std::fs::read(&answer).expect("written");
    assert!(plan(&call).status.success());
    assert_eq!(first, std::fs::read(&answer).expect("written"));
    let plan: Value = serde_json::from_slice(&first).expect("JSON");
    assert_eq!(plan["rows"].as_array().map(Vec::len), Some(6));
    let svg = std::fs::read_to_string(&picture).expect("drawn");
    assert!(svg.starts_with("<svg ") && svg.contains("house &lt;1&gt;"), "{svg}");
}

#[test]
fn what_cannot_be_planned_is_named() {
    let missing = plan(&["--in", "no-such-file.json"]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&missing.stderr).contains("no-such-file.json"));
    let wrong = file("plan.wrong.json");
    std::fs::write(&wrong, "{\"staff\": 3}").expect("writable");
    let refused = plan(&["--in", wrong.to_str().expect("UTF-8")]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("line 1"));
    assert_eq!(plan(&["--moves", "many"]).status.code(), Some(2));
}
