//! Breaking changes: every rule, broken and kept.

#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up has failed")]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use contracts::breaking::{self, Rule};
use contracts::history::{self, Outcome};
use serde_json::{Value, json};

const SUBJECT: &str = "melmastoon.housekeeping.task.created.v1";

fn schema() -> Value {
    json!({
        "x-melmastoon-status": "specified",
        "type": "object",
        "required": ["taskId", "kind", "rooms"],
        "properties": {
            "taskId": { "type": "string", "pattern": "^[a-z]{3}_" },
            "kind": { "type": "string", "enum": ["turnover", "inspection"] },
            "note": { "type": "string" },
            "minutes": { "type": "integer", "minimum": 0 },
            "rooms": { "type": "array", "items": {
                "type": "object", "required": ["roomId"],
                "properties": { "roomId": { "type": "string" }, "floor": { "type": "integer" } }
            } }
        }
    })
}

fn rules(change: impl FnOnce(&mut Value)) -> Vec<(Rule, String)> {
    let mut new = schema();
    change(&mut new);
    compared(&schema(), &new)
}

fn compared(old: &Value, new: &Value) -> Vec<(Rule, String)> {
    let one = |schema: &Value| BTreeMap::from([(SUBJECT.to_owned(), schema.clone())]);
    breaking::between(&one(old), &one(new)).into_iter().map(|found| (found.rule, found.pointer)).collect()
}

fn remove(schema: &mut Value, pointer: &str, name: &str) {
    schema.pointer_mut(pointer).unwrap().as_object_mut().unwrap().shift_remove(name);
}

#[test]
fn an_unchanged_schema_and_changed_words_for_people_break_nothing() {
    assert_eq!(rules(|_| ()), []);
    assert_eq!(rules(|new| new["description"] = json!("said better")), []);
}

#[test]
fn a_new_optional_field_breaks_nothing_and_a_new_required_one_does() {
    assert_eq!(rules(|new| new["properties"]["locale"] = json!({ "type": "string" })), []);
    let broken = rules(|new| {
        new["properties"]["locale"] = json!({ "type": "string" });
        new["required"].as_array_mut().unwrap().push(json!("locale"));
    });
    assert_eq!(broken, [(Rule::RequiredFieldAdded, "/locale".to_owned())]);
}

#[test]
fn an_optional_field_does_not_become_required_and_a_required_one_not_optional() {
    let broken = rules(|new| new["required"].as_array_mut().unwrap().push(json!("note")));
    assert_eq!(broken, [(Rule::RequiredFieldAdded, "/note".to_owned())]);
    let broken = rules(|new| new["required"] = json!(["taskId", "rooms"]));
    assert_eq!(broken, [(Rule::FieldMadeOptional, "/kind".to_owned())]);
    assert_eq!(rules(|new| new["required"] = json!(["rooms", "kind", "taskId"])), [], "the order says nothing");
}

#[test]
fn a_field_is_not_removed_also_not_deep_inside() {
    assert_eq!(rules(|new| remove(new, "/properties", "note")), [(Rule::FieldRemoved, "/note".to_owned())]);
    let broken = rules(|new| remove(new, "/properties/rooms/items/properties", "floor"));
    assert_eq!(broken, [(Rule::FieldRemoved, "/rooms/-/floor".to_owned())]);
}

#[test]
fn a_field_is_not_renamed_but_may_get_a_second_name() {
    let broken = rules(|new| {
        remove(new, "/properties", "minutes");
        new["properties"]["estimatedMinutes"] = json!({ "type": "integer", "minimum": 0 });
    });
    assert_eq!(broken, [(Rule::FieldRenamed, "/minutes".to_owned())]);
    assert_eq!(rules(|new| new["properties"]["estimatedMinutes"] = json!({ "type": "integer", "minimum": 0 })), []);
}

#[test]
fn a_field_keeps_its_type() {
    let broken = rules(|new| new["properties"]["minutes"]["type"] = json!("string"));
    assert_eq!(broken, [(Rule::TypeChanged, "/minutes".to_owned())]);
    let broken = rules(|new| new["properties"]["rooms"]["items"]["properties"]["floor"]["type"] = json!("string"));
    assert_eq!(broken, [(Rule::TypeChanged, "/rooms/-/floor".to_owned())]);
    let broken = rules(|new| remove(new, "/properties/kind", "enum"));
    assert_eq!(broken, [(Rule::TypeChanged, "/kind".to_owned())]);
}

#[test]
fn a_writer_adds_no_word_and_a_reader_of_others_may() {
    let add = |new: &mut Value| new["properties"]["kind"]["enum"] = json!(["turnover", "inspection", "deep_clean"]);
    assert_eq!(rules(add), [(Rule::EnumValueAdded, "/kind".to_owned())]);
    let mut old = schema();
    old["x-melmastoon-status"] = json!("assumed");
    let mut new = old.clone();
    add(&mut new);
    assert_eq!(compared(&old, &new), []);
}

#[test]
fn a_word_is_not_removed_by_anybody() {
    let cut = |new: &mut Value| new["properties"]["kind"]["enum"] = json!(["turnover"]);
    assert_eq!(rules(cut), [(Rule::EnumValueRemoved, "/kind".to_owned())]);
    assert_eq!(
        rules(|new| new["properties"]["kind"]["enum"] = json!(["inspection", "turnover"])),
        [],
        "the order says nothing"
    );
}

#[test]
fn patterns_stay() {
    let broken = rules(|new| new["properties"]["taskId"]["pattern"] = json!("^hkt_"));
    assert_eq!(broken, [(Rule::ConstraintChanged, "/taskId".to_owned())]);
    let broken = rules(|new| remove(new, "/properties/taskId", "pattern"));
    assert_eq!(broken, [(Rule::ConstraintChanged, "/taskId".to_owned())]);
}

#[test]
fn a_writer_may_narrow_its_limits_and_not_widen_them() {
    for (limit, value) in [("minimum", 1), ("maximum", 600)] {
        assert_eq!(rules(|new| new["properties"]["minutes"][limit] = json!(value)), [], "{limit}");
    }
    let broken = rules(|new| new["properties"]["minutes"]["minimum"] = json!(-1));
    assert_eq!(broken, [(Rule::ConstraintChanged, "/minutes".to_owned())]);
    let broken = rules(|new| remove(new, "/properties/minutes", "minimum"));
    assert_eq!(broken, [(Rule::ConstraintChanged, "/minutes".to_owned())]);

    let mut old = schema();
    old["x-melmastoon-status"] = json!("assumed");
    let mut new = old.clone();
    new["properties"]["minutes"]["minimum"] = json!(1);
    assert_eq!(
        compared(&old, &new),
        [(Rule::ConstraintChanged, "/minutes".to_owned())],
        "a reader may not ask for more"
    );
}

#[test]
fn a_subject_is_not_removed_and_a_new_one_breaks_nobody() {
    let old = BTreeMap::from([(SUBJECT.to_owned(), schema())]);
    let new =
        BTreeMap::from([(SUBJECT.to_owned(), schema()), (SUBJECT.replace("v1", "v2"), json!({ "type": "object" }))]);
    assert_eq!(breaking::between(&old, &new), []);
    assert_eq!(breaking::between(&new, &old)[0].rule, Rule::SubjectRemoved);
}

#[test]
fn a_break_says_the_rule_and_how_to_do_it_right() {
    let mut new = schema();
    remove(&mut new, "/properties", "note");
    let one = |schema: Value| BTreeMap::from([(SUBJECT.to_owned(), schema)]);
    let told = breaking::between(&one(schema()), &one(new))[0].to_string();
    for part in [SUBJECT, "`/note`", "not removed within a version", "next version", "60 days"] {
        assert!(told.contains(part), "{told}");
    }
}

fn git(folder: &Path, arguments: &[&str]) {
    let identity = ["-c", "user.name=test", "-c", "user.email=test@example.invalid", "-c", "commit.gpgsign=false"];
    let done = Command::new("git").arg("-C").arg(folder).args(identity).args(arguments).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

fn empty_folder(name: &str) -> std::path::PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("contracts/events")).unwrap();
    folder
}

#[test]
fn the_last_release_tag_is_what_counts() {
    let folder = empty_folder("released");
    let path = folder.join(format!("contracts/events/{SUBJECT}.schema.json"));
    let current = contracts::catalogue::find(SUBJECT).unwrap().schema();
    git(&folder, &["init", "--quiet", "--initial-branch=main"]);
    std::fs::write(&path, current.to_string()).unwrap();
    git(&folder, &["add", "."]);
    git(&folder, &["commit", "--quiet", "-m", "first"]);
    git(&folder, &["tag", "v1.0.0"]);
    let Outcome::Compared { with, schemas: 1, breaks } = history::check(&folder) else { panic!("not compared") };
    assert_eq!((with.as_str(), breaks.len()), ("v1.0.0", 0));

    let mut richer = current;
    richer["properties"]["oldField"] = json!({ "type": "boolean" });
    std::fs::write(&path, richer.to_string()).unwrap();
    git(&folder, &["commit", "--quiet", "-am", "second"]);
    git(&folder, &["tag", "v1.1.0"]);
    let Outcome::Compared { with, breaks, .. } = history::check(&folder) else { panic!("not compared") };
    assert_eq!(with, "v1.1.0");
    assert_eq!((breaks[0].rule, breaks[0].pointer.as_str()), (Rule::FieldRemoved, "/oldField"));
}

#[test]
fn without_a_tag_the_main_branch_counts() {
    let folder = empty_folder("unreleased");
    git(&folder, &["init", "--quiet", "--initial-branch=main"]);
    std::fs::write(folder.join("contracts/events/melmastoon.a.gone.v1.schema.json"), "{}").unwrap();
    git(&folder, &["add", "."]);
    git(&folder, &["commit", "--quiet", "-m", "first"]);
    git(&folder, &["switch", "--quiet", "-c", "work"]);
    let Outcome::Compared { breaks, .. } = history::check(&folder) else { panic!("not compared") };
    assert_eq!(breaks[0].rule, Rule::SubjectRemoved);
}

#[test]
fn without_history_it_says_that_nothing_was_checked() {
    let folder = empty_folder("bare");
    std::fs::write(folder.join(".git"), "gitdir: nowhere").unwrap();
    let Outcome::Skipped(reason) = history::check(&folder) else { panic!("there is nothing to compare with") };
    assert!(reason.contains("nothing to compare with"), "{reason}");
}

#[test]
fn this_build_breaks_nobody_who_builds_on_the_last_release() {
    match history::check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..")) {
        Outcome::Skipped(reason) => eprintln!("SKIPPED, nothing was checked: {reason}"),
        Outcome::Compared { with, breaks, .. } => {
            let told: Vec<String> = breaks.iter().map(ToString::to_string).collect();
            assert!(breaks.is_empty(), "since {with}:\n{}", told.join("\n"));
        }
    }
}
