//! Tasks over HTTP.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use contracts::housekeeping::{TaskKind, TaskPriority};
use contracts::ids::{PropertyId, RoomId, StaffId, TaskId};
use contracts::time::Timestamp;
use platform::auth::{Caller, Properties};
use platform::http::{Command, Filling, Id, NoBody, Page, Problem, Query, Reply, Who, cursor_of, words_of};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::bodies::{self, Assign, Cancel, Complete, CreateTask, Fail, Inspect, InspectionOutcome, Pause, Priority};
use crate::application::assignment::{self, NewTask};
use crate::application::cleaning::{self, Report};
use crate::application::views::{InspectionResource, TaskResource};
use crate::application::{TaskCommand, inspections};
use crate::domain::inspection::Verdict;
use crate::domain::task::Task;
use crate::infrastructure::tasks::{self, TaskFilter};
use crate::presentation::Housekeeping;
use crate::{HousekeepingError, SCHEMA};

const STATUSES: [&str; 8] =
    ["pending", "assigned", "in_progress", "paused", "completed", "failed", "cancelled", "requires_maintenance"];

/// The usual frame of a command on one task: begin, tell the story, finish.
macro_rules! on_task {
    ($state:ident, $command:ident, $id:ident, |$uow:ident, $task:ident| $story:expr) => {{
        let mut $uow = match $command.begin(&$state.db, &SCHEMA).await {
            Ok(uow) => uow,
            Err(problem) => return problem.into_response(),
        };
        let $task = TaskCommand { task: &$id, caller: &$command.caller, if_match: $command.if_match.as_ref() };
        let outcome: Result<Reply, HousekeepingError> = async { $story }.await;
        $command.finish(&$state.db, &SCHEMA, $uow, outcome).await
    }};
}

fn reply(task: &Task) -> Reply {
    Reply::ok(&TaskResource::from(task), task.version)
}

pub(super) async fn start(State(state): State<Housekeeping>, Id(id): Id<TaskId>, command: Command<NoBody>) -> Response {
    on_task!(state, command, id, |uow, task| Ok(reply(&cleaning::start(&mut uow, task).await?)))
}

pub(super) async fn resume(
    State(state): State<Housekeeping>,
    Id(id): Id<TaskId>,
    command: Command<NoBody>,
) -> Response {
    on_task!(state, command, id, |uow, task| Ok(reply(&cleaning::resume(&mut uow, task).await?)))
}

pub(super) async fn pause(State(state): State<Housekeeping>, Id(id): Id<TaskId>, command: Command<Pause>) -> Response {
    on_task!(state, command, id, |uow, task| {
        let note = bodies::note("note", command.body.note.clone())?;
        Ok(reply(&cleaning::pause(&mut uow, task, command.body.reason, note).await?))
    })
}

pub(super) async fn complete(
    State(state): State<Housekeeping>,
    Id(id): Id<TaskId>,
    command: Command<Complete>,
) -> Response {
    on_task!(state, command, id, |uow, task| {
        let body = &command.body;
        let report = Report {
            checklist_results: bodies::results("checklistResults", body.checklist_results.clone())?,
            linen: bodies::linen(body.linen)?,
            no_maintenance_found: body.no_maintenance_found,
        };
        Ok(reply(&cleaning::complete(&mut uow, &state.profiles, task, report).await?))
    })
}

pub(super) async fn fail(State(state): State<Housekeeping>, Id(id): Id<TaskId>, command: Command<Fail>) -> Response {
    on_task!(state, command, id, |uow, task| {
        let note = bodies::note("note", command.body.note.clone())?;
        let profile = state.profiles.of(&mut uow).await?;
        Ok(reply(&cleaning::fail(&mut uow, &profile, task, command.body.reason, note).await?))
    })
}

pub(super) async fn assign(
    State(state): State<Housekeeping>,
    Id(id): Id<TaskId>,
    command: Command<Assign>,
) -> Response {
    on_task!(state, command, id, |uow, task| {
        let Assign { staff_id, reason, force } = &command.body;
        Ok(reply(&assignment::assign(&mut uow, task, staff_id.clone(), *reason, *force).await?))
    })
}

pub(super) async fn cancel(
    State(state): State<Housekeeping>,
    Id(id): Id<TaskId>,
    command: Command<Cancel>,
) -> Response {
    on_task!(state, command, id, |uow, task| {
        let reason = bodies::reason("reason", Some(command.body.reason.clone()))?;
        Ok(reply(&assignment::cancel(&mut uow, task, reason).await?))
    })
}

pub(super) async fn priority(
    State(state): State<Housekeeping>,
    Id(id): Id<TaskId>,
    command: Command<Priority>,
) -> Response {
    on_task!(state, command, id, |uow, task| {
        Ok(reply(&assignment::change_priority(&mut uow, task, command.body.priority).await?))
    })
}

pub(super) async fn inspect(
    State(state): State<Housekeeping>,
    Id(id): Id<TaskId>,
    command: Command<Inspect>,
) -> Response {
    on_task!(state, command, id, |uow, task| {
        let body = &command.body;
        let verdict = match body.outcome {
            InspectionOutcome::Pass => Verdict::Passed,
            InspectionOutcome::Fail => Verdict::Failed {
                reason: bodies::reason("reason", body.reason.clone())?,
                failed_item_keys: body.failed_item_keys.clone().unwrap_or_default().into_iter().take(200).collect(),
            },
            InspectionOutcome::Waived => {
                Verdict::Waived { reason: bodies::reason("reason", body.reason.clone())?, by: command.caller.actor() }
            }
        };
        let results = bodies::results("results", body.results.clone())?;
        let profile = state.profiles.of(&mut uow).await?;
        let held = inspections::inspect(&mut uow, &profile, task, results, verdict).await?;
        let location = format!("/housekeeping/v1/tasks/{id}/inspections/{}", held.id);
        Ok(Reply::created(&InspectionResource::from(&held), None, location))
    })
}

pub(super) async fn create(State(state): State<Housekeeping>, command: Command<CreateTask>) -> Response {
    let mut uow = match command.begin(&state.db, &SCHEMA).await {
        Ok(uow) => uow,
        Err(problem) => return problem.into_response(),
    };
    let outcome: Result<Reply, HousekeepingError> = async {
        let body = &command.body;
        let new = NewTask {
            property_id: body.property_id.clone(),
            room_id: body.room_id.clone(),
            kind: body.kind,
            priority: body.priority.unwrap_or(TaskPriority::Normal),
            scheduled_for: body.scheduled_for,
            reservation_id: body.reservation_id.clone(),
            note: bodies::note("note", body.note.clone())?,
        };
        let profile = state.profiles.of(&mut uow).await?;
        let task = assignment::open_task(&mut uow, &profile, &command.caller, new).await?;
        let location = format!("/housekeeping/v1/tasks/{}", task.id);
        Ok(Reply::created(&TaskResource::from(&task), Some(task.version), location))
    }
    .await;
    command.finish(&state.db, &SCHEMA, uow, outcome).await
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ListQuery {
    property_id: Option<String>,
    room_id: Option<String>,
    status: Option<String>,
    assignee_staff_id: Option<String>,
    kind: Option<String>,
    scheduled_for: Option<String>,
    updated_since: Option<String>,
    limit: Option<String>,
    cursor: Option<String>,
}

pub(super) async fn list(
    State(state): State<Housekeeping>,
    Who(caller): Who,
    Query(query): Query<ListQuery>,
) -> Result<Json<Page<TaskResource>>, Problem> {
    let limit = Page::<()>::limit(query.limit.as_deref())?;
    let mut filter = filter_of(&query, &caller)?;
    let mut uow = state.db.begin_for(&SCHEMA, &caller.tenant).await?;
    let mut filling = Filling::<TaskResource>::new(limit);
    while let Some(step) = filling.step() {
        filter.after = filling.last().map(|task| task.id.clone()).or(filter.after);
        let found = tasks::list(&mut uow, &filter, step).await?;
        filling.add(found.iter().map(TaskResource::from).collect());
    }
    uow.rollback().await?;
    Ok(Json(filling.page(|task| task.id.clone())))
}

fn filter_of(query: &ListQuery, caller: &Caller) -> Result<TaskFilter, Problem> {
    let time = |field: &str, text: &Option<String>| {
        text.as_deref()
            .map(|text| {
                Timestamp::parse(text).map_err(|_| Problem::invalid(field, "a time such as 2026-04-22T11:05:00Z"))
            })
            .transpose()
    };
    let id = |field: &str, text: &Option<String>, fits: fn(&str) -> bool| match text {
        Some(text) if !fits(text) => Err(Problem::invalid(field, "an id such as rom_01J0ABCDEFGHJKMNPQRSTVWXYZ")),
        other => Ok(other.clone()),
    };
    if let Some(kind) = query.kind.as_deref()
        && TaskKind::from_word(kind).is_none()
    {
        let known: Vec<_> = TaskKind::ALL.iter().map(contracts::housekeeping::TaskKind::as_str).collect();
        return Err(Problem::invalid("kind", format!("one of {}", known.join(", "))));
    }
    Ok(TaskFilter {
        properties: properties(query.property_id.as_deref(), caller)?,
        room: id("roomId", &query.room_id, |text| RoomId::parse(text).is_ok())?,
        statuses: words_of("status", query.status.as_deref(), &STATUSES)?,
        assignee: id("assigneeStaffId", &query.assignee_staff_id, |text| StaffId::parse(text).is_ok())?,
        kind: query.kind.clone(),
        updated_since: time("updatedSince", &query.updated_since)?,
        scheduled_from: time("scheduledFor", &query.scheduled_for)?,
        after: cursor_of(query.cursor.as_deref())?,
    })
}

/// The properties a list is about: the one asked for, or all that the token speaks for.
pub(super) fn properties(asked: Option<&str>, caller: &Caller) -> Result<Option<Vec<String>>, Problem> {
    if let Some(text) = asked {
        return Ok(Some(vec![property(text, caller)?.as_str().to_owned()]));
    }
    Ok(match &caller.properties {
        Properties::All => None,
        Properties::Only(list) => Some(list.iter().map(|id| id.as_str().to_owned()).collect()),
    })
}

/// A property that the caller may look at.
pub(super) fn property(text: &str, caller: &Caller) -> Result<PropertyId, Problem> {
    let id = PropertyId::parse(text)
        .map_err(|_| Problem::invalid("propertyId", "an id such as prp_01J0ABCDEFGHJKMNPQRSTVWXYZ"))?;
    if caller.properties.include(&id) { Ok(id) } else { Err(HousekeepingError::ForeignProperty.into()) }
}

pub(super) async fn show(
    State(state): State<Housekeeping>,
    Who(caller): Who,
    Id(id): Id<TaskId>,
) -> Result<Response, Problem> {
    let mut uow = state.db.begin_for(&SCHEMA, &caller.tenant).await?;
    let found = tasks::find(&mut uow, &id).await?;
    uow.rollback().await?;
    let task = seen(found, &caller)?;
    Ok(reply(&task).into_response())
}

fn seen(found: Option<Task>, caller: &Caller) -> Result<Task, HousekeepingError> {
    found.filter(|task| caller.properties.include(&task.property_id)).ok_or(HousekeepingError::NotFound("task"))
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TaskHistoryItem {
    event_id: String,
    subject: String,
    at: Timestamp,
    actor: Box<RawValue>,
    payload: Box<RawValue>,
}

pub(super) async fn history(
    State(state): State<Housekeeping>,
    Who(caller): Who,
    Id(id): Id<TaskId>,
) -> Result<Response, Problem> {
    let mut uow = state.db.begin_for(&SCHEMA, &caller.tenant).await?;
    seen(tasks::find(&mut uow, &id).await?, &caller)?;
    let rows = tasks::history(&mut uow, &id).await?;
    uow.rollback().await?;
    let raw = |text: String| RawValue::from_string(text).unwrap_or_else(|_| RawValue::NULL.to_owned());
    let items = rows.iter().map(|row| TaskHistoryItem {
        event_id: row.get("event_id"),
        subject: row.get("subject"),
        at: Timestamp::from_jiff(row.get("occurred_at")),
        actor: raw(row.get("actor")),
        payload: raw(row.get("payload")),
    });
    let page = Page { items: items.collect(), next_cursor: None };
    let mut response = Json(page).into_response();
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}
