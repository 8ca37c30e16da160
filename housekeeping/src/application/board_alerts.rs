//! What somebody should look at, as the board says it.

use contracts::ids::{DiscrepancyId, LinenLineId, RoomId, TaskId};
use contracts::time::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use crate::domain::discrepancy::Discrepancy;
use crate::domain::linen::LinenLine;
use crate::domain::task::{MANY_ATTEMPTS, Task};

/// Urgent for so long, and nobody has begun.
pub(super) const BEGUN_WITHIN_SECONDS: i64 = 5 * 60;

/// Every code of an alert.
pub const ALERTS: [&str; 5] =
    ["urgent_not_started", "escalated", "guest_not_reached", "occupancy_discrepancy", "linen_low"];

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
    /// What there is to say about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl BoardAlert {
    fn new(code: &'static str) -> Self {
        Self { code, room_id: None, task_id: None, discrepancy_id: None, line_id: None, since: None, reason: None }
    }
}

/// What a supervisor should know of a task: it is urgent and waits, somebody brought it up, the guest lets nobody in.
pub(super) fn of_task(task: &Task, now: Timestamp) -> Vec<BoardAlert> {
    let alert = |code, since, reason: Option<&String>| BoardAlert {
        room_id: Some(task.room_id.clone()),
        task_id: Some(task.id.clone()),
        since,
        reason: reason.cloned(),
        ..BoardAlert::new(code)
    };
    let neglected = task.is_neglected(now.plus_seconds(-BEGUN_WITHIN_SECONDS));
    let neglected = neglected.then(|| alert("urgent_not_started", task.priority_bumped_at, None));
    let brought_up = task.escalation.as_ref();
    let brought_up = brought_up.map(|escalation| alert("escalated", Some(escalation.at), Some(&escalation.reason)));
    let shut_out = (task.attempts >= MANY_ATTEMPTS).then(|| alert("guest_not_reached", None, None));
    [neglected, brought_up, shut_out].into_iter().flatten().collect()
}

/// What was seen in a room and is not on record, with the work that is open there.
pub(super) fn of_discrepancy(found: &Discrepancy, open: Option<&Task>) -> BoardAlert {
    BoardAlert {
        room_id: Some(found.room_id.clone()),
        task_id: open.map(|task| task.id.clone()),
        discrepancy_id: Some(found.id.clone()),
        since: Some(found.observed_at),
        reason: found.note.clone(),
        ..BoardAlert::new("occupancy_discrepancy")
    }
}

/// There is too little of a kind of linen.
pub(super) fn of_linen(line: &LinenLine) -> BoardAlert {
    BoardAlert {
        line_id: Some(line.id.clone()),
        reason: Some(format!("{}: {} on hand, fewer than {}", line.line, line.on_hand, line.low_watermark)),
        ..BoardAlert::new("linen_low")
    }
}
