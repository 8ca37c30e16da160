//! The command `melmastoon plan`, as the server calls it.

mod common;

use std::path::PathBuf;

use clap::Parser;

#[path = "../../server/src/commands/plan.rs"]
mod command;

#[derive(Debug, Parser)]
struct Arguments {
    #[command(flatten)]
    plan: command::PlanArgs,
}

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn run(words: &[&str]) -> Result<(), String> {
    let all = std::iter::once("plan").chain(words.iter().copied());
    let arguments = Arguments::try_parse_from(all).map_err(|problem| problem.to_string())?;
    command::run(&arguments.plan).map_err(|problem| problem.to_string())
}

#[test]
fn a_file_is_planned_into_a_file_and_a_picture() {
    let mut instance = common::house();
    instance.name = "house <1> & \"2\"".to_owned();
    instance.staff = vec![common::person("a"), common::person("b")];
    instance.tasks = (0..6).map(|index| common::task(&format!("t{index}"), 1 + index % 2, index, 30)).collect();
    instance.tasks[0].due_min = Some(10);
    let (question, answer, picture) = (file("command.in.json"), file("command.out.json"), file("command.svg"));
    std::fs::write(&question, serde_json::to_vec(&instance).expect("JSON")).expect("writable");
    let words = [question.as_path(), answer.as_path(), picture.as_path()].map(|path| path.to_str().expect("UTF-8"));
    run(&["--in", words[0], "--out", words[1], "--svg", words[2], "--moves", "2000", "--seed", "3"]).expect("planned");
    let plan: planner::Plan = serde_json::from_slice(&std::fs::read(&answer).expect("written")).expect("a plan");
    assert_eq!(plan, common::planned(&instance, 2000, 3));
    let svg = std::fs::read_to_string(&picture).expect("drawn");
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert!(svg.contains("house &lt;1&gt; &amp; &quot;2&quot;"));
    assert_eq!(svg.matches("<g><title>").count(), 6, "a bar for each task");
    assert!(svg.contains("fill=\"#cc0000\""), "the late room is marked");
    let table = planner::report::table(&instance, &plan, true);
    assert!(table.contains("late        t0 with"), "{table}");
}

#[test]
fn files_that_cannot_be_read_and_instances_that_are_wrong_are_errors_with_their_names() {
    let missing = run(&["--in", "no-such-file.json"]).expect_err("there is none");
    assert!(missing.contains("no-such-file.json"), "{missing}");
    let wrong = file("wrong.json");
    std::fs::write(&wrong, "{\"staff\": 3}").expect("writable");
    let refused = run(&["--in", wrong.to_str().expect("UTF-8")]).expect_err("wrong");
    assert!(refused.contains("the instance cannot be read") && refused.contains("line 1"), "{refused}");
    std::fs::write(&wrong, [0xff, 0xfe]).expect("writable");
    assert!(run(&["--in", wrong.to_str().expect("UTF-8")]).expect_err("no text").contains("is not UTF-8"));
    assert!(run(&["--moves", "many"]).expect_err("no number").contains("invalid value"));
}
