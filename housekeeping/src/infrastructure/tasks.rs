//! Tasks: rows and back. A row that cannot be is refused on loading.

use contracts::actor::Actor;
use contracts::housekeeping::{
    ChecklistResult, EscalationTarget, FailReason, LinenCount, PauseReason, TaskAssignedV1, TaskCancelledV1,
    TaskCompletedV1, TaskCreatedV1, TaskEscalatedV1, TaskFailedV1, TaskKind, TaskPausedV1, TaskPriorityChangedV1,
    TaskReassignedV1, TaskRequiresMaintenanceV1, TaskResumedV1, TaskStartedV1,
};
use contracts::ids::{PropertyId, ReservationId, RoomId, StaffId, TaskId};
use contracts::time::Timestamp;
use platform::database::Row;
use platform::database::{Change, Columns, Json, Read, RowChange, Scribe, Stored, Told};
use platform::{UnitOfWork, columns, params, statements};
use serde_json::{Value, json};

use super::{estimates, rooms};
use crate::HousekeepingError;
use crate::domain::checklist::ChecklistReference;
use crate::domain::room::Room;
use crate::domain::task::{CleaningReport, Escalation, Task, TaskEvent, TaskState, TaskStatus};

const TASK: &[(&str, &str)] = columns![
    id: text, property_id: text, room_id: text, reservation_id: text, kind: text, status: text, priority: text,
    assignee_staff_id: text, checklist_id: text, checklist_version: int4, scheduled_for: timestamptz,
    started_at: timestamptz, paused_at: timestamptz, pause_reason: text, completed_at: timestamptz,
    duration_minutes: int4, failure_reason: text, failure_note: text, outcome_results: jsonb, linen_issued: int4,
    linen_returned: int4, locale_hint: text, source: text, source_event_id: text, version: int4,
    created_at: timestamptz, updated_at: timestamptz, estimated_minutes: int4, priority_bumped_at: timestamptz,
    item_id: text, retry_of: text, no_maintenance_found: bool, paused_seconds: int4, note: text, cancel_reason: text,
    attempts: int4, escalated_at: timestamptz, escalated_to: jsonb, escalation_reason: text, helper_staff_ids: _text,
    priority_lowered_at: timestamptz,
];

statements! {
    INSERT = "sql/task_insert.sql" (text, text, text, text, text, text, text, int4, timestamptz, text, text, text,
        int4, timestamptz, timestamptz, int4, timestamptz, text, text, text) -> &[];
    UPDATE = "sql/task_update.sql" (text, timestamptz, int4, int4, text, text, text, timestamptz, timestamptz, text,
        timestamptz, int4, text, text, jsonb, int4, int4, bool, int4, text, timestamptz, timestamptz, int4,
        timestamptz, timestamptz, jsonb, text, _text, timestamptz) -> &[];
    LOCK = "sql/task_lock.sql" (text, timestamptz) -> TASK;
    FIND = "sql/task_find.sql" (text, timestamptz) -> TASK;
    OPEN_IN_ROOMS = "sql/task_open_in_rooms.sql" (text, _text) -> TASK;
    TURNOVERS_OF = "sql/task_turnovers_of.sql" (text) -> columns![room_id: text];
    ROOMS_OF_STAY = "sql/task_rooms_of_stay.sql" (text) -> columns![property_id: text, room_id: text];
    LIST = "sql/task_list.sql" (_text, text, _text, text, text, timestamptz, timestamptz, timestamptz, text, timestamptz, int8)
        -> TASK;
    LIST_OPEN = "sql/task_list_open.sql" (_text, text, _text, text, text, timestamptz, timestamptz, timestamptz, text, timestamptz, int8)
        -> TASK;
    HISTORY = "sql/task_history.sql" (text)
        -> columns![event_id: text, subject: text, payload: jsonb, occurred_at: timestamptz, actor: jsonb];
}

/// A task with its room, both locked. `None`: there is no such task for this tenant.
pub async fn lock(uow: &mut UnitOfWork, id: &TaskId) -> Result<Option<(Task, Room)>, HousekeepingError> {
    let Some(created_at) = created_at(id) else { return Ok(None) };
    let row = uow.read_one(&LOCK, &[id, &created_at]).await?;
    row.map(|row| Ok((task_of(&row)?, rooms::of_task_row(&row)?))).transpose()
}

pub async fn find(uow: &mut UnitOfWork, id: &TaskId) -> Result<Option<Task>, HousekeepingError> {
    let Some(created_at) = created_at(id) else { return Ok(None) };
    let row = uow.read_one(&FIND, &[id, &created_at]).await?;
    row.map(|row| task_of(&row)).transpose()
}

/// These rooms, locked in the order of their ids, with the open work in them, locked too.
pub async fn lock_open_in(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    room_ids: &[RoomId],
) -> Result<(Vec<Room>, Vec<Task>), HousekeepingError> {
    let [locked, open] = uow
        .read_together([
            Read { sql: &rooms::LOCK, params: &[property, &room_ids] },
            Read { sql: &OPEN_IN_ROOMS, params: &[property, &room_ids] },
        ])
        .await?;
    let locked = locked.iter().map(rooms::room_of).collect::<Result<_, _>>()?;
    Ok((locked, open.iter().map(task_of).collect::<Result<_, _>>()?))
}

/// Where there is open work for a stay, by property.
pub async fn rooms_of_stay(
    uow: &mut UnitOfWork,
    reservation: &ReservationId,
) -> Result<Vec<(PropertyId, RoomId)>, HousekeepingError> {
    let place = |row: &Row| Ok((row.read("property_id")?, row.read("room_id")?));
    uow.read(&ROOMS_OF_STAY, &[reservation]).await?.iter().map(place).collect()
}

/// What a list may be narrowed by.
#[derive(Debug, Default)]
pub struct TaskFilter {
    pub properties: Option<Vec<PropertyId>>,
    pub room: Option<RoomId>,
    pub statuses: Option<Vec<TaskStatus>>,
    pub assignee: Option<StaffId>,
    pub kind: Option<TaskKind>,
    pub updated_since: Option<Timestamp>,
    pub scheduled_from: Option<Timestamp>,
    /// Before this.
    pub scheduled_until: Option<Timestamp>,
    pub after: Option<String>,
}

/// Tasks in the order they were opened.
pub async fn list(uow: &mut UnitOfWork, filter: &TaskFilter, limit: i64) -> Result<Vec<Task>, HousekeepingError> {
    let TaskFilter { properties, room, statuses, assignee, kind, updated_since, after, .. } = filter;
    let (from, until) = (filter.scheduled_from, filter.scheduled_until);
    let after_created = after.as_deref().and_then(|id| TaskId::parse(id).ok()).and_then(|id| created_at(&id));
    let open = statuses.as_ref().is_some_and(|statuses| statuses.iter().all(|status| status.is_open()));
    let rows = uow
        .read(
            if open { &LIST_OPEN } else { &LIST },
            &[properties, room, statuses, assignee, kind, updated_since, &from, &until, after, &after_created, &limit],
        )
        .await?;
    rows.iter().map(task_of).collect()
}

/// Something that happened to a task.
#[derive(Clone, Debug)]
pub struct TaskStep {
    pub event_id: String,
    pub subject: String,
    pub at: Timestamp,
    pub actor: Actor,
    pub payload: Value,
}

/// What happened to a task, oldest first.
pub async fn history(uow: &mut UnitOfWork, id: &TaskId) -> Result<Vec<TaskStep>, HousekeepingError> {
    let step_of = |row: &Row| {
        Ok(TaskStep {
            event_id: row.read("event_id")?,
            subject: row.read("subject")?,
            at: row.read("occurred_at")?,
            actor: row.read("actor")?,
            payload: row.read("payload")?,
        })
    };
    uow.read(&HISTORY, &[id]).await?.iter().map(step_of).collect()
}

/// The millisecond in the id is the row's, and names its partition.
pub(super) fn created_at(id: &TaskId) -> Option<Timestamp> {
    id.ulid().and_then(|ulid| i64::try_from(ulid.timestamp_ms()).ok()).map(Timestamp::from_millis)
}

pub(crate) fn task_of(row: &Row) -> Result<Task, HousekeepingError> {
    Ok(Task {
        id: row.read("id")?,
        property_id: row.read("property_id")?,
        room_id: row.read("room_id")?,
        reservation_id: row.read("reservation_id")?,
        item_id: row.read("item_id")?,
        kind: row.read("kind")?,
        priority: row.read("priority")?,
        priority_bumped_at: row.read("priority_bumped_at")?,
        priority_lowered_at: row.read("priority_lowered_at")?,
        state: state_of(row)?,
        paused_seconds: row.read("paused_seconds")?,
        helpers: row.read("helper_staff_ids")?,
        attempts: row.read("attempts")?,
        escalation: escalation_of(row)?,
        scheduled_for: row.read("scheduled_for")?,
        checklist: ChecklistReference { id: row.read("checklist_id")?, version: row.read("checklist_version")? },
        estimated_minutes: row.read("estimated_minutes")?,
        locale_hint: row.read("locale_hint")?,
        source: row.read("source")?,
        source_event_id: row.read("source_event_id")?,
        retry_of: row.read("retry_of")?,
        note: row.read("note")?,
        version: row.read("version")?,
        created_at: row.read("created_at")?,
        updated_at: row.read("updated_at")?,
    })
}

fn escalation_of(row: &Row) -> Result<Option<Escalation>, HousekeepingError> {
    let columns: (Option<Timestamp>, Option<Json<EscalationTarget>>, Option<String>) =
        (row.read("escalated_at")?, row.read("escalated_to")?, row.read("escalation_reason")?);
    match columns {
        (None, None, None) => Ok(None),
        (Some(at), Some(Json(to)), Some(reason)) => Ok(Some(Escalation { to, reason, at })),
        _ => Err(row.impossible("escalated by half").into()),
    }
}

/// All columns that a state has together; any other combination is no state.
fn state_of(row: &Row) -> Result<TaskState, HousekeepingError> {
    let status: TaskStatus = row.read("status")?;
    let assignee: Option<StaffId> = row.read("assignee_staff_id")?;
    let since: Option<Timestamp> = row.read("started_at")?;
    let pause: (Option<Timestamp>, Option<PauseReason>) = (row.read("paused_at")?, row.read("pause_reason")?);
    let completed_at: Option<Timestamp> = row.read("completed_at")?;
    let failure: Option<FailReason> = row.read("failure_reason")?;
    Ok(match (status, assignee, since, pause, completed_at, failure) {
        (TaskStatus::Pending, None, None, (None, None), None, None) => TaskState::Pending,
        (TaskStatus::Assigned, Some(to), None, (None, None), None, None) => TaskState::Assigned { to },
        (TaskStatus::InProgress, Some(by), Some(since), (None, None), None, None) => {
            TaskState::InProgress { by, since }
        }
        (TaskStatus::Paused, Some(by), Some(since), (Some(paused_at), Some(reason)), None, None) => {
            TaskState::Paused { by, since, paused_at, reason }
        }
        (TaskStatus::Completed, Some(by), Some(since), (None, None), Some(at), None) => {
            TaskState::Completed { by, since, at, report: report_of(row)? }
        }
        (TaskStatus::Failed, by, since, (None, None), None, Some(reason)) => {
            TaskState::Failed { by, since, reason, note: row.read("failure_note")? }
        }
        (TaskStatus::Cancelled, assignee, _, (None, None), None, None) => {
            TaskState::Cancelled { assignee, reason: row.read("cancel_reason")? }
        }
        (TaskStatus::RequiresMaintenance, by, _, (None, None), None, None) => TaskState::RequiresMaintenance { by },
        (status, ..) => {
            let columns = "assignee_staff_id, started_at, paused_at, pause_reason, completed_at, failure_reason";
            return Err(row.impossible(format!("{status} does not fit {columns}")).into());
        }
    })
}

fn report_of(row: &Row) -> Result<CleaningReport, HousekeepingError> {
    let count = |column: &str| -> Result<Option<u32>, HousekeepingError> {
        let stored: Option<i32> = row.read(column)?;
        stored.map(|number| u32::try_from(number).map_err(|_| row.impossible(column).into())).transpose()
    };
    let linen = match (count("linen_issued")?, count("linen_returned")?) {
        (Some(issued), Some(returned)) => Some(LinenCount { issued, returned }),
        (None, None) => None,
        _ => return Err(row.impossible("linen is counted by half").into()),
    };
    let Json(checklist_results): Json<Vec<ChecklistResult>> = row.read("outcome_results")?;
    Ok(CleaningReport {
        checklist_results,
        linen,
        no_maintenance_found: row.read("no_maintenance_found")?,
        minutes: count("duration_minutes")?.ok_or_else(|| row.impossible("duration_minutes"))?,
    })
}

impl Stored for Task {
    of_a_house!("task");

    fn rows(&self, change: &Change<'_, TaskEvent>, scribe: &Scribe<'_>) -> Vec<RowChange> {
        let row = change.from.map_or_else(|| insert(self), |from| update(self, from, scribe.now));
        let learned = change.events.iter().filter_map(|event| match event {
            TaskEvent::Completed { report, .. } => {
                // The estimate is the work of one: what two did in half an hour is an hour of it.
                let people = u32::try_from(self.people().count().max(1)).unwrap_or(1);
                estimates::learn(&self.property_id, &self.room_id, self.kind, report.minutes.saturating_mul(people))
            }
            _ => None,
        });
        std::iter::once(row).chain(learned).collect()
    }

    fn tell(&self, event: &TaskEvent, version: i32, scribe: &Scribe<'_>) -> Told {
        tell(self, event, version, scribe)
    }
}

fn insert(task: &Task) -> RowChange {
    RowChange::new(
        &INSERT,
        params![
            task.id.clone(),
            task.property_id.clone(),
            task.room_id.clone(),
            task.reservation_id.clone(),
            task.kind,
            task.priority,
            task.checklist.id.clone(),
            task.checklist.version,
            task.scheduled_for,
            task.locale_hint.clone(),
            task.source,
            task.source_event_id.clone(),
            task.version,
            task.created_at,
            task.updated_at,
            task.estimated_minutes,
            task.priority_bumped_at,
            task.item_id.clone(),
            task.retry_of.clone(),
            task.note.clone(),
        ],
    )
}

/// What was done earlier, away from the net, is on record since now.
fn update(task: &Task, from: i32, now: Timestamp) -> RowChange {
    let mut columns = StateColumns::default();
    match &task.state {
        TaskState::InProgress { since, .. } => columns.started_at = Some(*since),
        TaskState::Paused { since, paused_at, reason, .. } => {
            columns.started_at = Some(*since);
            columns.paused_at = Some(*paused_at);
            columns.pause_reason = Some(*reason);
        }
        TaskState::Completed { since, at, report, .. } => {
            columns.started_at = Some(*since);
            columns.completed_at = Some(*at);
            columns.report = Some(report);
        }
        TaskState::Failed { since, reason, note, .. } => {
            columns.started_at = *since;
            columns.failure = Some((*reason, note.clone()));
        }
        TaskState::Cancelled { reason, .. } => columns.cancel_reason = Some(reason.clone()),
        TaskState::Pending | TaskState::Assigned { .. } | TaskState::RequiresMaintenance { .. } => {}
    }
    let number = |count: u32| i32::try_from(count).unwrap_or(i32::MAX);
    let linen = columns.report.and_then(|report| report.linen);
    RowChange::new(
        &UPDATE,
        params![
            task.id.clone(),
            task.created_at,
            from,
            task.version,
            task.state.status(),
            task.priority,
            task.state.assignee().cloned(),
            columns.started_at,
            columns.paused_at,
            columns.pause_reason,
            columns.completed_at,
            columns.report.map(|report| number(report.minutes)),
            columns.failure.as_ref().map(|(reason, _)| *reason),
            columns.failure.and_then(|(_, note)| note),
            columns.report.map(|report| Json(report.checklist_results.clone())),
            linen.map(|count| number(count.issued)),
            linen.map(|count| number(count.returned)),
            columns.report.map(|report| report.no_maintenance_found),
            task.paused_seconds,
            columns.cancel_reason,
            task.priority_bumped_at,
            now,
            task.attempts,
            task.scheduled_for,
            task.escalation.as_ref().map(|escalation| escalation.at),
            task.escalation.as_ref().map(|escalation| Json(escalation.to.clone())),
            task.escalation.as_ref().map(|escalation| escalation.reason.clone()),
            task.helpers.clone(),
            task.priority_lowered_at,
        ],
    )
}

/// The columns that only some states fill.
#[derive(Default)]
struct StateColumns<'a> {
    started_at: Option<Timestamp>,
    paused_at: Option<Timestamp>,
    pause_reason: Option<PauseReason>,
    completed_at: Option<Timestamp>,
    report: Option<&'a CleaningReport>,
    failure: Option<(FailReason, Option<String>)>,
    cancel_reason: Option<String>,
}

fn tell(task: &Task, event: &TaskEvent, version: i32, scribe: &Scribe<'_>) -> Told {
    let (task_id, tenant_id) = (task.id.clone(), scribe.tenant.clone());
    let aggregate_version = u64::try_from(version).ok();
    match event {
        TaskEvent::Created => Told::everybody(&TaskCreatedV1 {
            task_id,
            tenant_id,
            property_id: task.property_id.clone(),
            room_id: task.room_id.clone(),
            reservation_id: task.reservation_id.clone(),
            kind: task.kind,
            priority: task.priority,
            scheduled_for: task.scheduled_for,
            checklist_id: task.checklist.id.clone(),
            checklist_version: u32::try_from(task.checklist.version).unwrap_or(0),
            locale_hint: task.locale_hint.clone(),
            source: task.source,
            source_event_id: task.source_event_id.clone(),
            aggregate_version,
        }),
        TaskEvent::Assigned { to } => {
            Told::everybody(&TaskAssignedV1 { task_id, tenant_id, staff_id: to.clone(), aggregate_version })
        }
        TaskEvent::Reassigned { from, to, reason } => Told::everybody(&TaskReassignedV1 {
            task_id,
            tenant_id,
            previous_staff_id: from.clone(),
            staff_id: to.clone(),
            reason: *reason,
            aggregate_version,
        }),
        TaskEvent::Started { by, at } => Told::everybody(&TaskStartedV1 {
            task_id,
            tenant_id,
            staff_id: by.clone(),
            started_at: *at,
            aggregate_version,
        }),
        TaskEvent::Paused { by, at, reason, note } => Told::everybody(&TaskPausedV1 {
            task_id,
            tenant_id,
            staff_id: by.clone(),
            paused_at: *at,
            reason: *reason,
            note: note.clone(),
            aggregate_version,
        }),
        TaskEvent::Resumed { by, at } => Told::everybody(&TaskResumedV1 {
            task_id,
            tenant_id,
            staff_id: by.clone(),
            resumed_at: *at,
            aggregate_version,
        }),
        TaskEvent::Completed { by, at, report } => Told::everybody(&TaskCompletedV1 {
            task_id,
            tenant_id,
            staff_id: by.clone(),
            completed_at: *at,
            duration_minutes: report.minutes,
            checklist_results: report.checklist_results.clone(),
            linen: report.linen,
            no_maintenance_found: report.no_maintenance_found,
            aggregate_version,
        }),
        TaskEvent::Failed { by, reason, note } => Told::everybody(&TaskFailedV1 {
            task_id,
            tenant_id,
            staff_id: by.clone(),
            reason: *reason,
            note: note.clone(),
            aggregate_version,
        }),
        TaskEvent::Cancelled { reason, by } => Told::everybody(&TaskCancelledV1 {
            task_id,
            tenant_id,
            reason: reason.clone(),
            cancelled_by: Actor::clone(by),
            aggregate_version,
        }),
        TaskEvent::RequiresMaintenance { .. } | TaskEvent::Escalated { .. } | TaskEvent::Attempted { .. } => {
            tell_of_trouble(task, event, version, scribe)
        }
        TaskEvent::HelperJoined { staff, at } => tell_of_help(HELPER_JOINED, task, staff, *at, version),
        TaskEvent::HelperLeft { staff, at } => tell_of_help(HELPER_LEFT, task, staff, *at, version),
        TaskEvent::PriorityChanged { from, to, reason, at, by } => Told::everybody(&TaskPriorityChangedV1 {
            task_id,
            tenant_id,
            previous_priority: *from,
            priority: *to,
            reason: *reason,
            changed_at: *at,
            changed_by: by.clone(),
            aggregate_version,
        }),
    }
}

const HELPER_JOINED: &str = "housekeeping.task.helper_joined";
const HELPER_LEFT: &str = "housekeeping.task.helper_left";
const ATTEMPTED: &str = "housekeeping.task.attempted";
/// What stands in a task's history and is told nobody outside.
pub const UNTOLD: [&str; 3] = [HELPER_JOINED, HELPER_LEFT, ATTEMPTED];

/// Who does it together with whom is the house's own affair.
fn tell_of_help(subject: &'static str, task: &Task, staff: &StaffId, at: Timestamp, version: i32) -> Told {
    let detail = json!({
        "taskId": task.id, "staffId": staff, "helperStaffIds": task.helpers, "at": at, "aggregateVersion": version,
    });
    Told::nobody(subject, &detail)
}

/// What is told when it does not go as planned; everything else is [`tell`]'s.
fn tell_of_trouble(task: &Task, event: &TaskEvent, version: i32, scribe: &Scribe<'_>) -> Told {
    let (task_id, tenant_id) = (task.id.clone(), scribe.tenant.clone());
    let aggregate_version = u64::try_from(version).ok();
    match event {
        TaskEvent::RequiresMaintenance { by, issue, at } => Told::everybody(&TaskRequiresMaintenanceV1 {
            task_id,
            tenant_id,
            property_id: task.property_id.clone(),
            room_id: task.room_id.clone(),
            staff_id: by.clone(),
            issue: issue.clone(),
            reported_at: *at,
            aggregate_version,
        }),
        TaskEvent::Escalated { to, reason, by } => Told::everybody(&TaskEscalatedV1 {
            task_id,
            tenant_id,
            to: to.clone(),
            reason: reason.clone(),
            escalated_by: by.clone(),
            aggregate_version,
        }),
        TaskEvent::Attempted { reason, come_back_at, attempts, at } => {
            let detail = json!({
                "taskId": task_id, "reason": reason, "comeBackAt": come_back_at, "attempts": attempts, "attemptedAt": at,
                "aggregateVersion": aggregate_version,
            });
            Told::nobody(ATTEMPTED, &detail)
        }
        other => tell(task, other, version, scribe),
    }
}
