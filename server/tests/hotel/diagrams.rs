//! The diagrams in ARCHITECTURE.md are drawn from the tables that the code goes by.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use contracts::housekeeping::{RoomStatus, RoomStatusCause};
use housekeeping::domain::task::TaskStatus;
use housekeeping::domain::{room, task_state};

fn tasks() -> String {
    let mut drawn = "stateDiagram-v2\n    [*] --> pending\n".to_owned();
    for from in TaskStatus::ALL {
        for to in TaskStatus::ALL.iter().filter(|to| task_state::allows(*from, **to)) {
            writeln!(drawn, "    {from} --> {to}").unwrap();
        }
        if !TaskStatus::ALL.iter().any(|to| task_state::allows(*from, *to)) {
            writeln!(drawn, "    {from} --> [*]").unwrap();
        }
    }
    drawn
}

/// What a supervisor may do by hand leads from anywhere to anywhere, and is left out.
fn rooms() -> String {
    let mut drawn = "stateDiagram-v2\n    [*] --> clean\n".to_owned();
    let mut arrows: BTreeMap<(usize, usize), Vec<&str>> = BTreeMap::new();
    let causes = RoomStatusCause::ALL.iter().filter(|cause| **cause != RoomStatusCause::ManualOverride);
    for cause in causes {
        for (at, from) in RoomStatus::ALL.iter().enumerate() {
            for (end, to) in RoomStatus::ALL.iter().enumerate() {
                if room::allows(*from, *to, *cause) {
                    arrows.entry((at, end)).or_default().push(cause.as_str());
                }
            }
        }
    }
    for ((from, to), causes) in arrows {
        writeln!(drawn, "    {} --> {}: {}", RoomStatus::ALL[from], RoomStatus::ALL[to], causes.join(", ")).unwrap();
    }
    drawn
}

#[test]
#[expect(clippy::disallowed_methods, reason = "whether the file is to be written anew is said in the environment")]
fn the_diagrams_of_tasks_and_rooms_are_as_the_code_has_it() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ARCHITECTURE.md");
    let text = std::fs::read_to_string(&file).unwrap();
    let mut drawn = text.clone();
    for (name, diagram) in [("tasks", tasks()), ("rooms", rooms())] {
        let (begins, ends) = (
            format!("<!-- {name}: drawn by UPDATE_GOLDEN=1 cargo test diagrams -->\n"),
            format!("<!-- {name} end -->"),
        );
        let from = drawn.find(&begins).unwrap_or_else(|| panic!("no {begins}")) + begins.len();
        let to = drawn.find(&ends).unwrap_or_else(|| panic!("no {ends}"));
        drawn.replace_range(from..to, &format!("```mermaid\n{diagram}```\n"));
    }
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&file, &drawn).unwrap();
    }
    let now = std::fs::read_to_string(&file).unwrap();
    assert!(
        now == drawn,
        "the diagrams in ARCHITECTURE.md are old: UPDATE_GOLDEN=1 cargo test -p melmastoon --test hotel diagrams"
    );
}
