//! The board: every room of a property, what is being done in it, and by whom.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use contracts::housekeeping::{RoomStatus, TaskKind, TaskPriority};
use contracts::ids::{PropertyId, RoomId, ShiftId, StaffId, SuggestionId, TaskId};
use contracts::time::Timestamp;
use platform::UnitOfWork;
use platform::http::fingerprint;
use schemars::JsonSchema;
use serde::Serialize;

use super::board_alerts::{self, BoardAlert};
use super::readiness::{ready_times, soon};
use super::views::{BlockShown, TaskResource};
use crate::HousekeepingError;
use crate::domain::discrepancy::Occupancy;
use crate::domain::job::Job;
use crate::domain::suggestion::{RowOutcome, SuggestedRow, Suggestion, SuggestionSource, SuggestionStatus};
use crate::domain::task::{Task, TaskState, TaskStatus};
use crate::infrastructure::board::{self, BoardRows, PersonOnShift, RoomOnBoard};
use crate::infrastructure::settings;

/// However quiet a house is, its board is composed once in so long.
const LONGEST_STEADY_SECONDS: i64 = 60 * 60;

/// What a supervisor, a housekeeper's phone and the front desk see at one glance.
#[derive(Debug, Serialize, JsonSchema)]
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
    /// Only of one person's board: their open tasks in the order of the plan that was approved. It is advice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub planned_order: Option<Vec<TaskId>>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BoardRoom {
    pub room_id: RoomId,
    pub number: Option<String>,
    pub floor: Option<i32>,
    pub section: Option<String>,
    pub room_type: Option<String>,
    pub status: RoomStatus,
    pub occupancy: Occupancy,
    pub version: i32,
    pub since: Timestamp,
    /// When the next guest is expected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_arrival_at: Option<Timestamp>,
    /// When the room will be fit for a guest: those at work do what is theirs in the planned order, and the inspection takes its time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ready_eta_at: Option<Timestamp>,
    /// Why it cannot be used, whoever says so.
    pub blocks: Vec<BlockShown>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open_task: Option<OpenTask>,
}

/// The room's most advanced open task, in short.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OpenTask {
    pub task_id: TaskId,
    pub kind: TaskKind,
    pub status: TaskStatus,
    pub priority: TaskPriority,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assignee_staff_id: Option<StaffId>,
    /// Those who do it with the assignee.
    pub helper_staff_ids: Vec<StaffId>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BoardStaff {
    pub staff_id: StaffId,
    /// What the person is called, where staff has told it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    pub shift_id: ShiftId,
    pub shift_starts_at: Timestamp,
    pub shift_ends_at: Timestamp,
    pub capacity_minutes: i32,
    pub load_minutes: i32,
    pub languages: Vec<String>,
    /// At work, and taking a break.
    pub on_break: bool,
    /// What they do. Whoever does something else than cleaning is given rooms by hand only.
    pub job: Job,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub active_task_id: Option<TaskId>,
}

/// A suggestion in short; the whole of it, with its reasons, is at `/routing/suggestions`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BoardSuggestion {
    pub suggestion_id: SuggestionId,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shift_id: Option<ShiftId>,
    pub status: SuggestionStatus,
    pub source: SuggestionSource,
    pub generated_at: Timestamp,
    pub version: i32,
    /// What would change.
    pub rows: Vec<BoardSuggestedRow>,
    pub unassigned: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BoardSuggestedRow {
    pub task_id: TaskId,
    pub staff_id: StaffId,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sequence: Option<u32>,
}

/// The board of one property, now.
pub async fn show(uow: &mut UnitOfWork, property: &PropertyId) -> Result<Board, HousekeepingError> {
    Ok(compose_now(uow, property).await?.0)
}

/// The same, with what the database had committed by then, and until when it says the same if nobody does anything.
pub(super) async fn compose_now(
    uow: &mut UnitOfWork,
    property: &PropertyId,
) -> Result<(Board, String, Timestamp), HousekeepingError> {
    let rows = board::load(uow, property).await?;
    let board = compose(property, &rows, uow.now());
    let steady_until = steady_until(&board, &rows, uow.now());
    Ok((board, rows.seen, steady_until))
}

/// The next moment at which the board says something else by itself: the next five minutes are counted from, a room that should be ready
/// is not, an urgent task is late, the time of work for later has come, a guest is no longer expected.
fn steady_until(board: &Board, rows: &BoardRows, now: Timestamp) -> Timestamp {
    let just_after = |at: Timestamp| Timestamp::from_millis(at.as_millis() + 1);
    let ready = board.rooms.iter().filter_map(|room| room.ready_eta_at).map(just_after);
    let step = ready.clone().next().map(|_| just_after(soon(now)));
    let late = rows.tasks.iter().filter_map(Task::pressing_since);
    let late = late.map(|at| at.plus_seconds(board_alerts::BEGUN_WITHIN_SECONDS));
    let given_up = rows.expected.values().map(|at| at.plus_seconds(24 * 60 * 60));
    let planned = rows.tasks.iter().filter_map(|task| task.scheduled_for);
    let moments = ready.chain(step).chain(late).chain(planned).chain(given_up).filter(|at| *at > now);
    moments.chain([now.plus_seconds(LONGEST_STEADY_SECONDS)]).min().unwrap_or(now)
}

/// One person's share of the board: their rooms and tasks, and what they have finished since the day began.
pub async fn show_for(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    staff: &StaffId,
) -> Result<Board, HousekeepingError> {
    let mut rows = board::load(uow, property).await?;
    let (tenant, _) = settings::load(uow).await?;
    let today = day_begins(uow.now(), &tenant.settings.timezone);
    let busy: HashSet<RoomId> = rows.tasks.iter().map(|task| task.room_id.clone()).collect();
    rows.tasks.retain(|task| task.is_done_by(staff));
    rows.staff.retain(|person| person.staff_id == *staff);
    rows.suggestion = None;
    let mut board = compose(property, &rows, uow.now());
    board.tasks.extend(board::finished(uow, property, staff, today).await?.iter().map(TaskResource::from));
    let theirs: HashSet<RoomId> = board.tasks.iter().map(|task| task.room_id.clone()).collect();
    board.rooms.retain(|room| theirs.contains(&room.room_id));
    // What others have to do there is not on this board, and is to be done all the same.
    let concerns = |alert: &BoardAlert, room: &RoomId| {
        theirs.contains(room) && (alert.code != board_alerts::DIRTY_WITHOUT_WORK || !busy.contains(room))
    };
    board.alerts.retain(|alert| alert.room_id.as_ref().is_some_and(|room| concerns(alert, room)));
    let plan = board::plan_of(uow, property, staff, today).await?;
    board.planned_order = plan.map(|plan| in_order(&plan, staff, &rows.tasks)).filter(|order| !order.is_empty());
    Ok(tagged(board))
}

/// What the plan says of the person's open work, first things first. What was rejected, or went to others since, is not in it.
fn in_order(plan: &Suggestion, staff: &StaffId, open: &[Task]) -> Vec<TaskId> {
    let holds = |row: &&SuggestedRow| {
        let stands = matches!(row.outcome, RowOutcome::Applied | RowOutcome::Unchanged);
        stands && row.staff_id == *staff && open.iter().any(|task| task.id == row.task_id)
    };
    let mut rows: Vec<&SuggestedRow> = plan.proposal.rows.iter().filter(holds).collect();
    rows.sort_by_key(|row| row.sequence.unwrap_or(u32::MAX));
    rows.into_iter().map(|row| row.task_id.clone()).collect()
}

/// Midnight in the hotel's own zone.
fn day_begins(now: Timestamp, zone: &str) -> Timestamp {
    let local = now.jiff().in_tz(zone).and_then(|local| local.start_of_day());
    local.map_or(now.plus_seconds(-24 * 60 * 60), |midnight| Timestamp::from_jiff(midnight.timestamp()))
}

fn tagged(mut board: Board) -> Board {
    let content = (&board.rooms, &board.tasks, &board.staff, &board.alerts, &board.suggestion, &board.planned_order);
    let content = serde_json::to_vec(&content).unwrap_or_default();
    board.etag = format!("\"{}\"", fingerprint(&content));
    board
}

fn compose(property: &PropertyId, rows: &BoardRows, now: Timestamp) -> Board {
    let mut leading: HashMap<&RoomId, &Task> = HashMap::new();
    let mut load: HashMap<&StaffId, (i32, Option<&Task>)> = HashMap::new();
    for task in &rows.tasks {
        let first = leading.entry(&task.room_id).or_insert(task);
        // Of two that are equally far, what is due sooner.
        let rank = |task: &Task| (progress(task), Reverse(task.scheduled_for.map_or(now, |at| at.max(now))));
        if rank(task) > rank(first) {
            *first = task;
        }
        for staff in task.people() {
            let entry = load.entry(staff).or_default();
            entry.0 = entry.0.saturating_add(task.minutes_each());
            if matches!(task.state, TaskState::InProgress { .. }) {
                entry.1 = Some(task);
            }
        }
    }
    let ready = ready_times(rows, now);
    let room_of = |room: &RoomOnBoard| {
        let task = leading.get(&room.room_id).copied();
        BoardRoom {
            room_id: room.room_id.clone(),
            number: room.number.clone(),
            floor: room.floor,
            section: room.section.clone(),
            room_type: room.room_type.clone(),
            status: room.status,
            occupancy: Occupancy::of(room.occupied),
            version: room.version,
            since: room.since,
            next_arrival_at: rows.expected.get(&room.room_id).copied(),
            ready_eta_at: ready.get(&room.room_id).copied(),
            blocks: rows.blocks.get(&room.room_id).into_iter().flatten().map(BlockShown::from).collect(),
            open_task: task.map(in_short),
        }
    };
    let person_of = |person: &PersonOnShift| {
        let (load_minutes, active) = load.get(&person.staff_id).copied().unwrap_or_default();
        BoardStaff {
            staff_id: person.staff_id.clone(),
            display_name: person.display_name.clone(),
            shift_id: person.shift_id.clone(),
            shift_starts_at: person.starts_at,
            shift_ends_at: person.ends_at,
            capacity_minutes: person.capacity_minutes,
            load_minutes,
            languages: person.languages.clone(),
            on_break: person.on_break,
            job: person.job,
            active_task_id: active.map(|task| task.id.clone()),
        }
    };
    let rooms: Vec<BoardRoom> = rows.rooms.iter().map(room_of).collect();
    let staff: Vec<BoardStaff> = rows.staff.iter().map(person_of).collect();
    let of_tasks = rows.tasks.iter().flat_map(|task| board_alerts::of_task(task, now));
    let differences = rows.discrepancies.iter();
    let differences =
        differences.map(|found| board_alerts::of_discrepancy(found, leading.get(&found.room_id).copied()));
    let planned = rows.suggestion.iter().flat_map(|suggestion| &suggestion.proposal.rows);
    let planned: HashSet<&TaskId> =
        planned.filter(|row| row.outcome == RowOutcome::Proposed).map(|row| &row.task_id).collect();
    let left = rows.tasks.iter().filter(|task| !planned.contains(&task.id));
    let left = left.filter_map(|task| Some(board_alerts::of_left_behind(task, *rows.left_behind.get(&task.id)?)));
    // A guest who stays lives with it; the next one would not.
    let dirty = rows
        .rooms
        .iter()
        .filter(|room| room.status == RoomStatus::Dirty && !room.occupied && !leading.contains_key(&room.room_id));
    let dirty = dirty.map(|room| board_alerts::of_dirty_room(&room.room_id, room.since));
    let low = rows.linen.iter().map(board_alerts::of_linen);
    let alerts = of_tasks.chain(differences).chain(low).chain(left).chain(dirty).collect();
    let tasks: Vec<TaskResource> = rows.tasks.iter().map(TaskResource::from).collect();
    let suggestion = rows.suggestion.as_ref().map(suggested);
    let (property_id, etag) = (property.clone(), String::new());
    tagged(Board { property_id, generated_at: now, etag, rooms, tasks, staff, alerts, suggestion, planned_order: None })
}

fn suggested(suggestion: &Suggestion) -> BoardSuggestion {
    let waiting = suggestion.proposal.rows.iter().filter(|row| row.outcome == RowOutcome::Proposed);
    BoardSuggestion {
        suggestion_id: suggestion.id.clone(),
        shift_id: suggestion.scope.shift_id.clone(),
        status: suggestion.status,
        source: suggestion.proposal.source,
        generated_at: suggestion.generated_at,
        version: suggestion.version,
        rows: waiting
            .map(|row| BoardSuggestedRow {
                task_id: row.task_id.clone(),
                staff_id: row.staff_id.clone(),
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

fn in_short(task: &Task) -> OpenTask {
    OpenTask {
        task_id: task.id.clone(),
        kind: task.kind,
        status: task.state.status(),
        priority: task.priority,
        assignee_staff_id: task.state.assignee().cloned(),
        helper_staff_ids: task.helpers.clone(),
    }
}
