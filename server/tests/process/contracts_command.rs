//! `melmastoon contracts`, as an integrator meets it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn contracts(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_melmastoon")).arg("contracts").args(words).output().expect("the binary runs")
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("JSON on standard output")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn example(subject: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../contracts/events/{subject}.example.json"))
}

#[test]
fn every_subject_is_listed_and_each_can_be_shown() {
    let listed = contracts(&["list", "--json"]);
    assert!(listed.status.success());
    let lines = json(&listed);
    assert_eq!(lines.as_array().map(Vec::len), Some(contracts_count()));
    let shown = contracts(&["show", "reservation.checked-out", "--json"]);
    assert_eq!(json(&shown)["subject"], "melmastoon.reservation.checked_out.v1");
    assert_eq!(json(&shown)["schema"]["x-melmastoon-subject"], "melmastoon.reservation.checked_out.v1");
    let unknown = contracts(&["show", "reservation.dreamt"]);
    assert_eq!(unknown.status.code(), Some(1));
    assert!(said(&unknown).contains("contracts list"), "{}", said(&unknown));
}

/// As many as there are examples in the repository.
fn contracts_count() -> usize {
    let events = Path::new(env!("CARGO_MANIFEST_DIR")).join("../contracts/events");
    let names = events.read_dir().expect("the generated schemas").flatten().map(|entry| entry.file_name());
    names.filter(|name| name.to_string_lossy().ends_with(".example.json")).count()
}

#[test]
fn a_payload_is_judged_under_its_subject_and_without_it_the_way_is_shown() {
    let file = example("melmastoon.housekeeping.task.created.v1");
    let file = file.to_str().expect("a readable path");
    let bare = contracts(&["validate", file]);
    assert_eq!(bare.status.code(), Some(1));
    assert!(said(&bare).contains("--subject"), "{}", said(&bare));
    let named = contracts(&["validate", file, "--subject", "housekeeping.task.created"]);
    assert!(named.status.success(), "{}", said(&named));
    let wrong = contracts(&["validate", file, "--subject", "housekeeping.task.started", "--json"]);
    assert_eq!(wrong.status.code(), Some(1));
    assert_eq!(json(&wrong)["code"], "EVENT_SCHEMA_MISMATCH");
    assert!(json(&wrong)["pointer"].is_string(), "{}", json(&wrong));
    assert_eq!(contracts(&["validate", file, "--subject", "no subject"]).status.code(), Some(2));
}

#[test]
fn what_is_exported_is_what_the_repository_holds_and_other_peoples_files_stay() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("exported-contracts");
    if folder.exists() {
        std::fs::remove_dir_all(&folder).expect("what an earlier run left is removed");
    }
    let path = folder.to_str().expect("a readable path");
    let exported = contracts(&["export", path]);
    assert!(exported.status.success(), "{}", said(&exported));
    let name = "melmastoon.housekeeping.task.created.v1";
    let ours = std::fs::read(example(name)).expect("ours");
    let theirs = std::fs::read(folder.join(format!("events/{name}.example.json"))).expect("the exported one");
    assert_eq!(ours, theirs);
    std::fs::remove_file(folder.join("asyncapi.json")).expect("removed");
    let refused = contracts(&["export", path]);
    assert_eq!(refused.status.code(), Some(2), "{}", said(&refused));
}
