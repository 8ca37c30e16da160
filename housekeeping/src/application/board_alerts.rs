//! What somebody should look at, as the board says it.

use contracts::ids::{DiscrepancyId, LinenLineId, RoomId, TaskId};
use contracts::time::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use crate::domain::discrepancy::Discrepancy;
use crate::domain::linen::LinenLine;
use crate::domain::suggestion::RowReason;
use crate::domain::task::{MANY_ATTEMPTS, Task, TaskState};

/// Urgent for so long, and nobody has begun.
pub(super) const BEGUN_WITHIN_SECONDS: i64 = 5 * 60;

/// What the timer says of such a task.
pub(super) const NOT_BEGUN: &str = "urgent, and not begun within 5 minutes";

/// A room is dirty, and nothing is open in it.
pub(super) const DIRTY_WITHOUT_WORK: &str = "dirty_without_work";

/// Every code of an alert.
pub const ALERTS: [&str; 7] = [
    "urgent_not_started",
    "escalated",
    "guest_not_reached",
    "occupancy_discrepancy",
    "linen_low",
    "left_unfinished",
    DIRTY_WITHOUT_WORK,
];

/// Every code of what there is to say about an alert.
pub const ALERT_REASONS: [&str; 5] = ["help", "linen_low", "not_begun", "refused", "seen_otherwise"];

/// What the phone says where somebody only asks for help.
const HELP: &str = "help";
/// How the phone says which of its taps was refused, and by which code.
const REFUSED: &str = " refused: ";

/// Something a supervisor should look at: a task, a room, a kind of linen. The ids say which.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BoardAlert {
    pub code: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub room_id: Option<RoomId>,
    /// The task it is about, or the one that is open in the room.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_id: Option<TaskId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub discrepancy_id: Option<DiscrepancyId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line_id: Option<LinenLineId>,
    /// Since when, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
    /// What there is to say about it, as it was typed, or in English.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The same for machines, so that it can be said in any language; missing where somebody's own words are all there is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<RowReason>,
}

impl BoardAlert {
    fn new(code: &'static str) -> Self {
        let (room_id, task_id, discrepancy_id, line_id) = (None, None, None, None);
        Self { code, room_id, task_id, discrepancy_id, line_id, since: None, reason: None, because: None }
    }
}

/// What a supervisor should know of a task: it is urgent and waits, somebody brought it up, the guest lets nobody in.
pub(super) fn of_task(task: &Task, now: Timestamp) -> Vec<BoardAlert> {
    let alert = |code, since, reason: Option<&String>| BoardAlert {
        room_id: Some(task.room_id.clone()),
        task_id: Some(task.id.clone()),
        since,
        reason: reason.cloned(),
        because: reason.and_then(|reason| meant(reason)),
        ..BoardAlert::new(code)
    };
    let neglected = task.is_neglected(now.plus_seconds(-BEGUN_WITHIN_SECONDS));
    let neglected = neglected.then(|| alert("urgent_not_started", task.pressing_since(), None));
    let brought_up = task.escalation.as_ref();
    let brought_up = brought_up.map(|escalation| alert("escalated", Some(escalation.at), Some(&escalation.reason)));
    // Whoever is at it was let in.
    let shut_out = task.attempts >= MANY_ATTEMPTS && !matches!(task.state, TaskState::InProgress { .. });
    let shut_out = shut_out.then(|| alert("guest_not_reached", None, None));
    [neglected, brought_up, shut_out].into_iter().flatten().collect()
}

/// Whoever began a task has gone home, and no plan gives it to anybody.
pub(super) fn of_left_behind(task: &Task, left_at: Timestamp) -> BoardAlert {
    BoardAlert {
        room_id: Some(task.room_id.clone()),
        task_id: Some(task.id.clone()),
        since: Some(left_at),
        ..BoardAlert::new("left_unfinished")
    }
}

/// A room is dirty and nobody has been told to clean it.
pub(super) fn of_dirty_room(room: &RoomId, since: Timestamp) -> BoardAlert {
    BoardAlert { room_id: Some(room.clone()), since: Some(since), ..BoardAlert::new(DIRTY_WITHOUT_WORK) }
}

/// What was seen in a room and is not on record, with the work that is open there.
pub(super) fn of_discrepancy(found: &Discrepancy, open: Option<&Task>) -> BoardAlert {
    BoardAlert {
        room_id: Some(found.room_id.clone()),
        task_id: open.map(|task| task.id.clone()),
        discrepancy_id: Some(found.id.clone()),
        since: Some(found.observed_at),
        reason: found.note.clone(),
        because: Some(because(
            "seen_otherwise",
            [("observed", json!(found.observed)), ("recorded", json!(found.recorded))],
        )),
        ..BoardAlert::new("occupancy_discrepancy")
    }
}

/// There is too little of a kind of linen.
pub(super) fn of_linen(line: &LinenLine) -> BoardAlert {
    BoardAlert {
        line_id: Some(line.id.clone()),
        reason: Some(format!("{}: {} on hand, fewer than {}", line.line, line.on_hand, line.low_watermark)),
        because: Some(because(
            "linen_low",
            [("line", json!(line.line)), ("onHand", json!(line.on_hand)), ("lowWatermark", json!(line.low_watermark))],
        )),
        ..BoardAlert::new("linen_low")
    }
}

fn because<const N: usize>(code: &str, params: [(&str, Value); N]) -> RowReason {
    RowReason {
        code: code.to_owned(),
        params: params.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
    }
}

/// What the timer and the phone say is known word for word; the rest is somebody's own.
fn meant(reason: &str) -> Option<RowReason> {
    if reason == HELP {
        return Some(because("help", []));
    }
    if reason == NOT_BEGUN {
        return Some(because("not_begun", [("minutes", json!(BEGUN_WITHIN_SECONDS / 60))]));
    }
    let (verb, problem) = reason.split_once(REFUSED)?;
    let is_word = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let is_ours = !verb.is_empty() && is_word(verb) && is_word(problem);
    is_ours.then(|| because("refused", [("verb", json!(verb)), ("problem", json!(problem))]))
}

#[cfg(test)]
mod tests {
    use super::meant;

    #[test]
    fn what_machines_say_has_a_code_and_what_people_say_has_none() {
        let code = |reason: &str| meant(reason).map(|reason| reason.code);
        assert_eq!(code("help").as_deref(), Some("help"));
        assert_eq!(code(super::NOT_BEGUN).as_deref(), Some("not_begun"));
        let refused = meant("complete refused: TASK_ILLEGAL_TRANSITION").unwrap();
        assert_eq!((refused.code.as_str(), refused.params["verb"].as_str()), ("refused", Some("complete")));
        assert_eq!(refused.params["problem"], "TASK_ILLEGAL_TRANSITION");
        for own in ["Help me please", "the guest refused: he sleeps", "مرسته وکړئ", " refused: X", ""] {
            assert_eq!(code(own), None, "{own}");
        }
    }
}
