//! A plan from outside is looked over before it is believed: it may be late, wrong or hostile.

use std::collections::{HashMap, HashSet};

use contracts::external::RoutingRow;

use super::routing_port::RoutingInput;
use crate::domain::suggestion::{LeftOpen, MovedTask, Proposal, RowOutcome, RowReason, SuggestedRow, SuggestionSource};

const LONGEST_REASONING: usize = 500;
const LONGEST_MODEL_VERSION: usize = 100;
/// Why a task is left open of which a plan says nothing.
pub const NOT_SUGGESTED: &str = "not_suggested";

/// What can be believed of an answer: open tasks and people who are given rooms, each task once, numbers that are numbers, and nothing for
/// whoever failed to do it before. The rest is dropped and counted.
pub fn believed(
    source: SuggestionSource,
    model_version: &str,
    answer: Vec<RoutingRow>,
    input: &RoutingInput,
) -> (Proposal, usize) {
    let tasks: HashMap<_, _> = input.tasks.iter().map(|task| (&task.task_id, task)).collect();
    let people: HashSet<_> = input.given_rooms().iter().map(|person| &person.staff_id).collect();
    let (mut rows, mut seen, told) = (Vec::new(), HashSet::new(), answer.len());
    for row in answer {
        let Some(task) = tasks.get(&row.task_id) else { continue };
        let is_theirs = task.staff_id.as_ref() == Some(&row.staff_id);
        let may = people.contains(&row.staff_id) && !input.is_kept_from(task, &row.staff_id);
        let fits = row.score.is_finite() && may && (is_theirs || !task.is_begun());
        if !fits || !seen.insert(row.task_id.clone()) {
            continue;
        }
        rows.push(SuggestedRow {
            outcome: if is_theirs { RowOutcome::Unchanged } else { RowOutcome::Proposed },
            task_id: row.task_id,
            room_id: task.room_id.clone(),
            staff_id: row.staff_id,
            previous_staff_id: task.staff_id.clone(),
            sequence: None,
            score: row.score,
            reasoning: plain(&row.reasoning, LONGEST_REASONING),
            reasons: Vec::new(),
            start_at: None,
            finish_at: None,
        });
    }
    let dropped = told - rows.len();
    let unassigned = input.tasks.iter().filter(|task| task.staff_id.is_none() && !seen.contains(&task.task_id));
    let unassigned = unassigned.map(|task| LeftOpen {
        task_id: task.task_id.clone(),
        reasoning: "the plan does not speak of it".to_owned(),
        reason: RowReason { code: NOT_SUGGESTED.to_owned(), params: std::collections::BTreeMap::new() },
    });
    let proposal = Proposal {
        source,
        note: None,
        model_version: plain(model_version, LONGEST_MODEL_VERSION),
        unassigned: unassigned.collect(),
        moved: moved(&rows),
        rows,
    };
    (proposal, dropped)
}

/// Those who would lose a task to somebody else.
fn moved(rows: &[SuggestedRow]) -> Vec<MovedTask> {
    let changed = rows.iter().filter(|row| row.outcome == RowOutcome::Proposed);
    changed
        .filter_map(|row| {
            let from = row.previous_staff_id.clone()?;
            Some(MovedTask { task_id: row.task_id.clone(), from, to: Some(row.staff_id.clone()) })
        })
        .collect()
}

/// A foreign text without control characters, within its bounds.
fn plain(text: &str, longest: usize) -> String {
    text.chars().filter(|letter| !letter.is_control()).take(longest).collect()
}
