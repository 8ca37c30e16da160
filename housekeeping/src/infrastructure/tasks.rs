//! Tasks: rows and back. A row that cannot be is refused on loading.

use contracts::actor::Actor;
use contracts::housekeeping::{
    FailReason, LinenCount, PauseReason, TaskAssignedV1, TaskCancelledV1, TaskCompletedV1, TaskCreatedV1, TaskFailedV1,
    TaskKind, TaskPausedV1, TaskPriority, TaskPriorityChangedV1, TaskReassignedV1, TaskResumedV1, TaskSource,
    TaskStartedV1,
};
use contracts::ids::{ChecklistId, EventId, PropertyId, ReservationId, RoomId, StaffId, TaskId};
use contracts::time::Timestamp;
use platform::database::{Published, RowChange, Scribe, Stored};
use platform::{UnitOfWork, columns, params, statements};
use tokio_postgres::Row;

use super::rooms;
use crate::HousekeepingError;
use crate::domain::checklist::ChecklistReference;
use crate::domain::room::Room;
use crate::domain::task::{CleaningReport, Task, TaskEvent, TaskState};

const TASK: &[(&str, &str)] = columns![
    id: text, property_id: text, room_id: text, reservation_id: text, kind: text, status: text, priority: text,
    assignee_staff_id: text, checklist_id: text, checklist_version: int4, scheduled_for: timestamptz,
    started_at: timestamptz, paused_at: timestamptz, pause_reason: text, completed_at: timestamptz,
    duration_minutes: int4, failure_reason: text, failure_note: text, outcome_results: jsonb, linen_issued: int4,
    linen_returned: int4, locale_hint: text, source: text, source_event_id: text, version: int4,
    created_at: timestamptz, updated_at: timestamptz, estimated_minutes: int4, priority_bumped_at: timestamptz,
    item_id: text, retry_of: text, no_maintenance_found: bool, paused_seconds: int4, note: text, cancel_reason: text,
];

statements! {
    INSERT = "sql/task_insert.sql" (text, text, text, text, text, text, text, text, int4, timestamptz, text, text, text,
        int4, timestamptz, timestamptz, int4, timestamptz, text, text, text) -> &[];
    UPDATE = "sql/task_update.sql" (text, timestamptz, text, int4, text, text, text, timestamptz, timestamptz, text,
        timestamptz, int4, text, text, text, int4, int4, bool, int4, text, timestamptz, timestamptz) -> &[];
    LOCK = "sql/task_lock.sql" (text, timestamptz, text) -> TASK;
    FIND = "sql/task_find.sql" (text, timestamptz, text) -> TASK;
    OPEN_IN_ROOMS = "sql/task_open_in_rooms.sql" (text, _text, text) -> TASK;
    TURNOVERS_OF = "sql/task_turnovers_of.sql" (text, text) -> columns![room_id: text];
    LIST = "sql/task_list.sql" (text, _text, text, _text, text, text, timestamptz, timestamptz, text, timestamptz, int8)
        -> TASK;
    HISTORY = "sql/task_history.sql" (text, text)
        -> columns![event_id: text, subject: text, payload: text, occurred_at: timestamptz, actor: text];
}

/// A task with its room, both locked. `None`: there is no such task for this tenant.
pub async fn lock(uow: &mut UnitOfWork, id: &TaskId) -> Result<Option<(Task, Room)>, HousekeepingError> {
    let Some(created_at) = created_at(id) else { return Ok(None) };
    let tenant = uow.context().tenant.clone();
    let row = uow.read_one(&LOCK, &[&id.as_str(), &created_at.jiff(), &tenant.as_str()]).await?;
    row.map(|row| Ok((task_of(&row)?, rooms::of_task_row(&row)?))).transpose()
}

pub async fn find(uow: &mut UnitOfWork, id: &TaskId) -> Result<Option<Task>, HousekeepingError> {
    let Some(created_at) = created_at(id) else { return Ok(None) };
    let tenant = uow.context().tenant.clone();
    let row = uow.read_one(&FIND, &[&id.as_str(), &created_at.jiff(), &tenant.as_str()]).await?;
    row.map(|row| task_of(&row)).transpose()
}

/// What a list may be narrowed by.
#[derive(Debug, Default)]
pub struct TaskFilter {
    pub properties: Option<Vec<String>>,
    pub room: Option<String>,
    pub statuses: Option<Vec<String>>,
    pub assignee: Option<String>,
    pub kind: Option<String>,
    pub updated_since: Option<Timestamp>,
    pub scheduled_from: Option<Timestamp>,
    pub after: Option<String>,
}

/// Tasks in the order they were opened.
pub async fn list(uow: &mut UnitOfWork, filter: &TaskFilter, limit: i64) -> Result<Vec<Task>, HousekeepingError> {
    let tenant = uow.context().tenant.clone();
    let after_created = filter.after.as_deref().and_then(|id| TaskId::parse(id).ok()).and_then(|id| created_at(&id));
    let rows = uow
        .read(
            &LIST,
            &[
                &tenant.as_str(),
                &filter.properties,
                &filter.room,
                &filter.statuses,
                &filter.assignee,
                &filter.kind,
                &filter.updated_since.map(Timestamp::jiff),
                &filter.scheduled_from.map(Timestamp::jiff),
                &filter.after,
                &after_created.map(Timestamp::jiff),
                &limit,
            ],
        )
        .await?;
    rows.iter().map(task_of).collect()
}

/// What happened to a task, oldest first.
pub async fn history(uow: &mut UnitOfWork, id: &TaskId) -> Result<Vec<Row>, HousekeepingError> {
    let tenant = uow.context().tenant.clone();
    Ok(uow.read(&HISTORY, &[&tenant.as_str(), &id.as_str()]).await?)
}

/// The millisecond in the id is the row's, and names its partition.
fn created_at(id: &TaskId) -> Option<Timestamp> {
    id.ulid().and_then(|ulid| i64::try_from(ulid.timestamp_ms()).ok()).map(Timestamp::from_millis)
}

pub(crate) fn task_of(row: &Row) -> Result<Task, HousekeepingError> {
    let id: &str = row.get("id");
    let impossible = |what: &str| HousekeepingError::ImpossibleRow(format!("{id}: {what}"));
    let time = |column: &str| row.get::<_, Option<jiff::Timestamp>>(column).map(Timestamp::from_jiff);
    let assignee = row.get::<_, Option<&str>>("assignee_staff_id").and_then(|text| StaffId::parse(text).ok());
    let by = || assignee.clone().ok_or_else(|| impossible("nobody is assigned"));
    let since = || time("started_at").ok_or_else(|| impossible("it was never started"));
    let state = match row.get::<_, &str>("status") {
        "pending" => TaskState::Pending,
        "assigned" => TaskState::Assigned { to: by()? },
        "in_progress" => TaskState::InProgress { by: by()?, since: since()? },
        "paused" => TaskState::Paused {
            by: by()?,
            since: since()?,
            paused_at: time("paused_at").ok_or_else(|| impossible("no pause"))?,
            reason: row
                .get::<_, Option<&str>>("pause_reason")
                .and_then(PauseReason::from_word)
                .ok_or_else(|| impossible("no reason for the pause"))?,
        },
        "completed" => TaskState::Completed {
            by: by()?,
            since: since()?,
            at: time("completed_at").ok_or_else(|| impossible("no end"))?,
            report: report_of(row),
        },
        "failed" => TaskState::Failed {
            by: assignee,
            since: time("started_at"),
            reason: row
                .get::<_, Option<&str>>("failure_reason")
                .and_then(FailReason::from_word)
                .ok_or_else(|| impossible("no reason for the failure"))?,
            note: row.get("failure_note"),
        },
        "cancelled" => {
            TaskState::Cancelled { assignee, reason: row.get::<_, Option<String>>("cancel_reason").unwrap_or_default() }
        }
        "requires_maintenance" => TaskState::RequiresMaintenance { by: assignee },
        other => return Err(impossible(other)),
    };
    Ok(Task {
        property_id: PropertyId::parse(row.get("property_id")).map_err(|_| impossible("property_id"))?,
        room_id: RoomId::parse(row.get("room_id")).map_err(|_| impossible("room_id"))?,
        reservation_id: row.get::<_, Option<&str>>("reservation_id").and_then(|text| ReservationId::parse(text).ok()),
        item_id: row.get("item_id"),
        kind: TaskKind::from_word(row.get("kind")).ok_or_else(|| impossible("kind"))?,
        priority: TaskPriority::from_word(row.get("priority")).ok_or_else(|| impossible("priority"))?,
        priority_bumped_at: time("priority_bumped_at"),
        state,
        paused_seconds: row.get("paused_seconds"),
        scheduled_for: time("scheduled_for"),
        checklist: ChecklistReference {
            id: ChecklistId::parse(row.get::<_, Option<&str>>("checklist_id").unwrap_or_default())
                .map_err(|_| impossible("checklist_id"))?,
            version: row.get::<_, Option<i32>>("checklist_version").ok_or_else(|| impossible("checklist_version"))?,
        },
        estimated_minutes: row.get("estimated_minutes"),
        locale_hint: row.get::<_, Option<String>>("locale_hint").unwrap_or_default(),
        source: TaskSource::from_word(row.get("source")).ok_or_else(|| impossible("source"))?,
        source_event_id: row.get::<_, Option<&str>>("source_event_id").and_then(|text| EventId::parse(text).ok()),
        retry_of: row.get::<_, Option<&str>>("retry_of").and_then(|text| TaskId::parse(text).ok()),
        note: row.get("note"),
        version: row.get("version"),
        created_at: Timestamp::from_jiff(row.get("created_at")),
        updated_at: Timestamp::from_jiff(row.get("updated_at")),
        id: TaskId::parse(id).map_err(|_| impossible("id"))?,
    })
}

fn report_of(row: &Row) -> CleaningReport {
    let results = row.get::<_, Option<serde_json::Value>>("outcome_results");
    let count = |column: &str| row.get::<_, Option<i32>>(column).and_then(|number| u32::try_from(number).ok());
    CleaningReport {
        checklist_results: results.and_then(|value| serde_json::from_value(value).ok()).unwrap_or_default(),
        linen: count("linen_issued")
            .zip(count("linen_returned"))
            .map(|(issued, returned)| LinenCount { issued, returned }),
        no_maintenance_found: row.get::<_, Option<bool>>("no_maintenance_found").unwrap_or(false),
        minutes: count("duration_minutes").unwrap_or(0),
    }
}

impl Stored for Task {
    const KIND: &'static str = "task";

    fn aggregate_id(&self) -> String {
        self.id.as_str().to_owned()
    }

    fn property_id(&self) -> Option<&PropertyId> {
        Some(&self.property_id)
    }

    fn rows(&self, events: &[TaskEvent], scribe: &Scribe<'_>) -> Vec<RowChange> {
        if matches!(events, [TaskEvent::Created]) { vec![insert(self, scribe)] } else { vec![update(self, scribe)] }
    }

    fn publish(&self, event: &TaskEvent, scribe: &Scribe<'_>) -> Published {
        publish(self, event, scribe)
    }
}

fn insert(task: &Task, scribe: &Scribe<'_>) -> RowChange {
    RowChange::new(
        &INSERT,
        params![
            task.id.as_str().to_owned(),
            scribe.tenant.as_str().to_owned(),
            task.property_id.as_str().to_owned(),
            task.room_id.as_str().to_owned(),
            task.reservation_id.as_ref().map(|id| id.as_str().to_owned()),
            task.kind.as_str(),
            task.priority.as_str(),
            task.checklist.id.as_str().to_owned(),
            task.checklist.version,
            task.scheduled_for.map(Timestamp::jiff),
            task.locale_hint.clone(),
            task.source.as_str(),
            task.source_event_id.as_ref().map(|id| id.as_str().to_owned()),
            task.version,
            task.created_at.jiff(),
            task.updated_at.jiff(),
            task.estimated_minutes,
            task.priority_bumped_at.map(Timestamp::jiff),
            task.item_id.clone(),
            task.retry_of.as_ref().map(|id| id.as_str().to_owned()),
            task.note.clone(),
        ],
    )
}

fn update(task: &Task, scribe: &Scribe<'_>) -> RowChange {
    let mut columns = StateColumns::default();
    match &task.state {
        TaskState::InProgress { since, .. } => columns.started_at = Some(*since),
        TaskState::Paused { since, paused_at, reason, .. } => {
            columns.started_at = Some(*since);
            columns.paused_at = Some(*paused_at);
            columns.pause_reason = Some(reason.as_str());
        }
        TaskState::Completed { since, at, report, .. } => {
            columns.started_at = Some(*since);
            columns.completed_at = Some(*at);
            columns.report = Some(report);
        }
        TaskState::Failed { since, reason, note, .. } => {
            columns.started_at = *since;
            columns.failure = Some((reason.as_str(), note.clone()));
        }
        TaskState::Cancelled { reason, .. } => columns.cancel_reason = Some(reason.clone()),
        TaskState::Pending | TaskState::Assigned { .. } | TaskState::RequiresMaintenance { .. } => {}
    }
    let number = |count: u32| i32::try_from(count).unwrap_or(i32::MAX);
    let linen = columns.report.and_then(|report| report.linen);
    RowChange::new(
        &UPDATE,
        params![
            task.id.as_str().to_owned(),
            task.created_at.jiff(),
            scribe.tenant.as_str().to_owned(),
            task.version - 1,
            task.state.word(),
            task.priority.as_str(),
            task.state.assignee().map(|staff| staff.as_str().to_owned()),
            columns.started_at.map(Timestamp::jiff),
            columns.paused_at.map(Timestamp::jiff),
            columns.pause_reason,
            columns.completed_at.map(Timestamp::jiff),
            columns.report.map(|report| number(report.minutes)),
            columns.failure.as_ref().map(|(reason, _)| *reason),
            columns.failure.and_then(|(_, note)| note),
            columns.report.map(|report| serde_json::to_string(&report.checklist_results).unwrap_or_default()),
            linen.map(|count| number(count.issued)),
            linen.map(|count| number(count.returned)),
            columns.report.map(|report| report.no_maintenance_found),
            task.paused_seconds,
            columns.cancel_reason,
            task.priority_bumped_at.map(Timestamp::jiff),
            task.updated_at.jiff(),
        ],
    )
}

/// The columns that only some states fill.
#[derive(Default)]
struct StateColumns<'a> {
    started_at: Option<Timestamp>,
    paused_at: Option<Timestamp>,
    pause_reason: Option<&'static str>,
    completed_at: Option<Timestamp>,
    report: Option<&'a CleaningReport>,
    failure: Option<(&'static str, Option<String>)>,
    cancel_reason: Option<String>,
}

fn publish(task: &Task, event: &TaskEvent, scribe: &Scribe<'_>) -> Published {
    let (task_id, tenant_id) = (task.id.clone(), scribe.tenant.clone());
    let aggregate_version = u64::try_from(task.version).ok();
    match event {
        TaskEvent::Created => Published::new(&TaskCreatedV1 {
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
            Published::new(&TaskAssignedV1 { task_id, tenant_id, staff_id: to.clone(), aggregate_version })
        }
        TaskEvent::Reassigned { from, to, reason } => Published::new(&TaskReassignedV1 {
            task_id,
            tenant_id,
            previous_staff_id: from.clone(),
            staff_id: to.clone(),
            reason: *reason,
            aggregate_version,
        }),
        TaskEvent::Started { by, at } => Published::new(&TaskStartedV1 {
            task_id,
            tenant_id,
            staff_id: by.clone(),
            started_at: *at,
            aggregate_version,
        }),
        TaskEvent::Paused { by, at, reason, note } => Published::new(&TaskPausedV1 {
            task_id,
            tenant_id,
            staff_id: by.clone(),
            paused_at: *at,
            reason: *reason,
            note: note.clone(),
            aggregate_version,
        }),
        TaskEvent::Resumed { by, at } => Published::new(&TaskResumedV1 {
            task_id,
            tenant_id,
            staff_id: by.clone(),
            resumed_at: *at,
            aggregate_version,
        }),
        TaskEvent::Completed { by, at, report } => Published::new(&TaskCompletedV1 {
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
        TaskEvent::Failed { by, reason, note } => Published::new(&TaskFailedV1 {
            task_id,
            tenant_id,
            staff_id: by.clone(),
            reason: *reason,
            note: note.clone(),
            aggregate_version,
        }),
        TaskEvent::Cancelled { reason, by } => Published::new(&TaskCancelledV1 {
            task_id,
            tenant_id,
            reason: reason.clone(),
            cancelled_by: Actor::clone(by),
            aggregate_version,
        }),
        TaskEvent::PriorityChanged { from, to, reason, at, by } => Published::new(&TaskPriorityChangedV1 {
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
