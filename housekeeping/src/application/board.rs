//! The board: every room of a property, what is being done in it, and by whom.

use std::collections::HashMap;

use contracts::ids::PropertyId;
use contracts::time::Timestamp;
use platform::UnitOfWork;
use platform::http::fingerprint;
use serde::Serialize;

use super::views::TaskResource;
use crate::HousekeepingError;
use crate::domain::suggestion::{RowOutcome, Suggestion};
use crate::domain::task::{Task, TaskState};
use crate::infrastructure::board::{self, BoardRows};

/// What a supervisor, a housekeeper's phone and the front desk see at one glance.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Board {
    pub property_id: PropertyId,
    pub generated_at: Timestamp,
    pub etag: String,
    pub rooms: Vec<BoardRoom>,
    pub tasks: Vec<TaskResource>,
    pub staff: Vec<BoardStaff>,
    pub alerts: Vec<BoardAlert>,
    /// The plan that waits for the supervisor's decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<BoardSuggestion>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BoardRoom {
    pub room_id: String,
    pub number: Option<String>,
    pub floor: Option<i32>,
    pub section: Option<String>,
    pub room_type: Option<String>,
    pub status: String,
    pub occupancy: &'static str,
    pub version: i32,
    pub since: Timestamp,
    /// When the next guest is expected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_arrival_at: Option<Timestamp>,
    /// When the room will be fit for a guest, where somebody is at it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ready_eta_at: Option<Timestamp>,
    pub blocks: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open_task: Option<OpenTask>,
}

/// The room's most advanced open task, in short.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OpenTask {
    pub task_id: String,
    pub kind: &'static str,
    pub status: &'static str,
    pub priority: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assignee_staff_id: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BoardStaff {
    pub staff_id: String,
    pub shift_id: String,
    pub capacity_minutes: i32,
    pub load_minutes: i32,
    pub languages: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub active_task_id: Option<String>,
}

/// Something a supervisor should look at.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BoardAlert {
    pub code: &'static str,
    pub task_id: String,
    pub room_id: String,
}

/// A suggestion in short; the whole of it, with its reasons, is at `/routing/suggestions`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BoardSuggestion {
    pub suggestion_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shift_id: Option<String>,
    pub status: &'static str,
    pub source: &'static str,
    pub generated_at: Timestamp,
    pub version: i32,
    /// What would change.
    pub rows: Vec<BoardSuggestedRow>,
    pub unassigned: usize,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BoardSuggestedRow {
    pub task_id: String,
    pub staff_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sequence: Option<u32>,
}

/// The board of one property, now.
pub async fn show(uow: &mut UnitOfWork, property: &PropertyId) -> Result<Board, HousekeepingError> {
    let rows = board::load(uow, property).await?;
    Ok(compose(property, &rows, uow.now()))
}

fn compose(property: &PropertyId, rows: &BoardRows, now: Timestamp) -> Board {
    let mut leading: HashMap<&str, &Task> = HashMap::new();
    let mut load: HashMap<&str, (i32, Option<&Task>)> = HashMap::new();
    for task in &rows.tasks {
        let first = leading.entry(task.room_id.as_str()).or_insert(task);
        if progress(task) > progress(first) {
            *first = task;
        }
        if let Some(staff) = task.state.assignee() {
            let entry = load.entry(staff.as_str()).or_default();
            entry.0 = entry.0.saturating_add(task.estimated_minutes);
            if matches!(task.state, TaskState::InProgress { .. }) {
                entry.1 = Some(task);
            }
        }
    }
    let expected: HashMap<&str, jiff::Timestamp> =
        rows.expected.iter().map(|row| (row.get("room_id"), row.get("expected_at"))).collect();
    let rooms: Vec<BoardRoom> = rows
        .rooms
        .iter()
        .map(|row| {
            let task = leading.get(row.get::<_, &str>("room_id")).copied();
            BoardRoom {
                room_id: row.get("room_id"),
                number: row.get("number"),
                floor: row.get("floor"),
                section: row.get("section"),
                room_type: row.get("room_type"),
                status: row.get("status"),
                occupancy: if row.get("occupied") { "occupied" } else { "vacant" },
                version: row.get("version"),
                since: Timestamp::from_jiff(row.get("last_flipped_at")),
                next_arrival_at: expected.get(row.get::<_, &str>("room_id")).copied().map(Timestamp::from_jiff),
                ready_eta_at: task.and_then(ready_at),
                blocks: Vec::new(),
                open_task: task.map(in_short),
            }
        })
        .collect();
    let staff: Vec<BoardStaff> = rows
        .staff
        .iter()
        .map(|row| {
            let (load_minutes, active) = load.get(row.get::<_, &str>("staff_id")).copied().unwrap_or_default();
            BoardStaff {
                staff_id: row.get("staff_id"),
                shift_id: row.get("shift_id"),
                capacity_minutes: row.get("capacity_minutes"),
                load_minutes,
                languages: row.get::<_, Option<Vec<String>>>("languages").unwrap_or_default(),
                active_task_id: active.map(|task| task.id.as_str().to_owned()),
            }
        })
        .collect();
    let alerts = rows.tasks.iter().filter(|task| is_neglected(task, now)).map(alert_of).collect();
    let tasks: Vec<TaskResource> = rows.tasks.iter().map(TaskResource::from).collect();
    let suggestion = rows.suggestion.as_ref().map(suggested);
    let (property_id, etag) = (property.clone(), String::new());
    let mut board = Board { property_id, generated_at: now, etag, rooms, tasks, staff, alerts, suggestion };
    let content = (&board.rooms, &board.tasks, &board.staff, &board.alerts, &board.suggestion);
    let content = serde_json::to_vec(&content).unwrap_or_default();
    board.etag = format!("\"{}\"", fingerprint(&content));
    board
}

fn suggested(suggestion: &Suggestion) -> BoardSuggestion {
    let waiting = suggestion.proposal.rows.iter().filter(|row| row.outcome == RowOutcome::Proposed);
    BoardSuggestion {
        suggestion_id: suggestion.id.as_str().to_owned(),
        shift_id: suggestion.scope.shift_id.as_ref().map(|shift| shift.as_str().to_owned()),
        status: suggestion.status.as_str(),
        source: suggestion.proposal.source.as_str(),
        generated_at: suggestion.generated_at,
        version: suggestion.version,
        rows: waiting
            .map(|row| BoardSuggestedRow {
                task_id: row.task_id.as_str().to_owned(),
                staff_id: row.staff_id.as_str().to_owned(),
                sequence: row.sequence,
            })
            .collect(),
        unassigned: suggestion.proposal.unassigned.len(),
    }
}

fn progress(task: &Task) -> u8 {
    match task.state {
        TaskState::InProgress { .. } => 3,
        TaskState::Paused { .. } => 2,
        TaskState::Assigned { .. } => 1,
        _ => 0,
    }
}

fn ready_at(task: &Task) -> Option<Timestamp> {
    match &task.state {
        TaskState::InProgress { since, .. } => {
            Some(since.plus_seconds(i64::from(task.estimated_minutes) * 60 + i64::from(task.paused_seconds)))
        }
        _ => None,
    }
}

fn in_short(task: &Task) -> OpenTask {
    OpenTask {
        task_id: task.id.as_str().to_owned(),
        kind: task.kind.as_str(),
        status: task.state.word(),
        priority: task.priority.as_str(),
        assignee_staff_id: task.state.assignee().map(|staff| staff.as_str().to_owned()),
    }
}

/// Urgent for five minutes and nobody has begun.
fn is_neglected(task: &Task, now: Timestamp) -> bool {
    let waiting = matches!(task.state, TaskState::Pending | TaskState::Assigned { .. });
    waiting
        && task.priority_bumped_at.is_some_and(|at| {
            task.priority == contracts::housekeeping::TaskPriority::Urgent && now.minutes_since(at) >= 5
        })
}

fn alert_of(task: &Task) -> BoardAlert {
    BoardAlert {
        code: "urgent_not_started",
        task_id: task.id.as_str().to_owned(),
        room_id: task.room_id.as_str().to_owned(),
    }
}
