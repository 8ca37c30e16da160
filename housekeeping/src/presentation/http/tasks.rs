//! Tasks over HTTP.

use axum::Json;
use axum::extract::State;
use contracts::housekeeping::{TaskKind, TaskPriority};
use contracts::ids::{InspectionId, RoomId, StaffId, TaskId};
use contracts::time::Timestamp;
use platform::http::{
    Answer, Changed, Command, Created, Id, Page, Paging, Problem, PropertyScope, Query, Since, Tagged, TwoIds, Who,
    WholeList, Words,
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::bodies::{
    self, Assign, Attempt, Cancel, Complete, CreateTask, Escalate, Fail, Inspect, Pause, Priority, RequireMaintenance,
    Step,
};
use crate::application::assignment::{self, NewTask};
use crate::application::cleaning::{self, Report};
use crate::application::inspections::{self, Look};
use crate::application::stats::{self, When};
use crate::application::views::{InspectionOutcome, InspectionResource, TaskHistoryItem, TaskResource};
use crate::application::{TaskCommand, look_up_task, maintenance};
use crate::domain::inspection::Verdict;
use crate::domain::task::{Task, TaskStatus};
use crate::infrastructure::tasks::{self, TaskFilter};
use crate::presentation::Housekeeping;
use crate::{HousekeepingError, SCHEMA};

type TaskAnswer = Answer<Changed<TaskResource>>;

pub(super) fn on<'a, T>(command: &'a Command<T>, task: &'a TaskId) -> TaskCommand<'a> {
    TaskCommand { task, caller: &command.caller, if_match: command.if_match.as_ref(), at: None }
}

/// The same, done at the time that the device says.
fn done_at<'a, T>(command: &'a Command<T>, task: &'a TaskId, at: Option<Timestamp>) -> TaskCommand<'a> {
    TaskCommand { at, ..on(command, task) }
}

#[expect(clippy::needless_pass_by_value, reason = "what a story gives is taken as it comes")]
pub(super) fn changed<T>(command: &Command<T>, task: Task) -> Changed<TaskResource> {
    Changed::new(&TaskResource::from(&task).of(&command.caller.tenant), task.version)
}

pub(super) async fn start(State(hk): State<Housekeeping>, Id(id): Id<TaskId>, command: Command<Step>) -> TaskAnswer {
    let step = done_at(&command, &id, command.body.at);
    command.run(&hk.db, &SCHEMA, async |uow| cleaning::start(uow, step).await.map(|task| changed(&command, task))).await
}

pub(super) async fn resume(State(hk): State<Housekeeping>, Id(id): Id<TaskId>, command: Command<Step>) -> TaskAnswer {
    let step = done_at(&command, &id, command.body.at);
    command
        .run(&hk.db, &SCHEMA, async |uow| cleaning::resume(uow, step).await.map(|task| changed(&command, task)))
        .await
}

pub(super) async fn pause(State(hk): State<Housekeeping>, Id(id): Id<TaskId>, command: Command<Pause>) -> TaskAnswer {
    let Pause { reason, note, at } = &command.body;
    let story = async |uow: &mut _| {
        let note = bodies::note("note", note.clone())?;
        cleaning::pause(uow, done_at(&command, &id, *at), *reason, note).await.map(|task| changed(&command, task))
    };
    command.run(&hk.db, &SCHEMA, story).await
}

pub(super) async fn complete(
    State(hk): State<Housekeeping>,
    Id(id): Id<TaskId>,
    command: Command<Complete>,
) -> TaskAnswer {
    let Complete { checklist_results, linen, no_maintenance_found, at } = &command.body;
    let story = async |uow: &mut _| {
        let report = Report {
            checklist_results: bodies::results("checklistResults", checklist_results.clone())?,
            linen: bodies::linen(*linen)?,
            no_maintenance_found: *no_maintenance_found,
        };
        cleaning::complete(uow, &hk.profiles, done_at(&command, &id, *at), report)
            .await
            .map(|task| changed(&command, task))
    };
    command.run(&hk.db, &SCHEMA, story).await
}

pub(super) async fn fail(State(hk): State<Housekeeping>, Id(id): Id<TaskId>, command: Command<Fail>) -> TaskAnswer {
    let Fail { reason, note, at } = &command.body;
    let story = async |uow: &mut _| {
        let note = bodies::note("note", note.clone())?;
        cleaning::fail(uow, &hk.profiles, done_at(&command, &id, *at), *reason, note)
            .await
            .map(|task| changed(&command, task))
    };
    command.run(&hk.db, &SCHEMA, story).await
}

pub(super) async fn assign(State(hk): State<Housekeeping>, Id(id): Id<TaskId>, command: Command<Assign>) -> TaskAnswer {
    let Assign { staff_id, reason, force } = &command.body;
    let story = async |uow: &mut _| {
        assignment::assign(uow, on(&command, &id), staff_id.clone(), *reason, *force)
            .await
            .map(|task| changed(&command, task))
    };
    command.run(&hk.db, &SCHEMA, story).await
}

pub(super) async fn cancel(State(hk): State<Housekeeping>, Id(id): Id<TaskId>, command: Command<Cancel>) -> TaskAnswer {
    let story = async |uow: &mut _| {
        let reason = bodies::reason("reason", Some(command.body.reason.clone()))?;
        assignment::cancel(uow, on(&command, &id), reason).await.map(|task| changed(&command, task))
    };
    command.run(&hk.db, &SCHEMA, story).await
}

pub(super) async fn require_maintenance(
    State(hk): State<Housekeeping>,
    Id(id): Id<TaskId>,
    command: Command<RequireMaintenance>,
) -> TaskAnswer {
    let RequireMaintenance { issue, outcome, at } = &command.body;
    let story = async |uow: &mut _| {
        let issue = bodies::issue(issue.clone())?;
        maintenance::require(uow, done_at(&command, &id, *at), issue, *outcome)
            .await
            .map(|task| changed(&command, task))
    };
    command.run(&hk.db, &SCHEMA, story).await
}

pub(super) async fn escalate(
    State(hk): State<Housekeeping>,
    Id(id): Id<TaskId>,
    command: Command<Escalate>,
) -> TaskAnswer {
    let Escalate { to, reason } = &command.body;
    let story = async |uow: &mut _| {
        let to = bodies::target(to.clone())?;
        let reason = bodies::reason("reason", Some(reason.clone()))?;
        assignment::escalate(uow, on(&command, &id), to, reason).await.map(|task| changed(&command, task))
    };
    command.run(&hk.db, &SCHEMA, story).await
}

pub(super) async fn attempt(
    State(hk): State<Housekeeping>,
    Id(id): Id<TaskId>,
    command: Command<Attempt>,
) -> TaskAnswer {
    let Attempt { reason, come_back_at } = &command.body;
    let story = async |uow: &mut _| {
        cleaning::attempt(uow, on(&command, &id), *reason, *come_back_at).await.map(|task| changed(&command, task))
    };
    command.run(&hk.db, &SCHEMA, story).await
}

pub(super) async fn priority(
    State(hk): State<Housekeeping>,
    Id(id): Id<TaskId>,
    command: Command<Priority>,
) -> TaskAnswer {
    let to = command.body.priority;
    let story = async |uow: &mut _| {
        assignment::change_priority(uow, on(&command, &id), to).await.map(|task| changed(&command, task))
    };
    command.run(&hk.db, &SCHEMA, story).await
}

pub(super) async fn inspect(
    State(hk): State<Housekeeping>,
    Id(id): Id<TaskId>,
    command: Command<Inspect>,
) -> Answer<Created<InspectionResource>> {
    let Inspect { outcome, results, reason, failed_item_keys, checklist_id } = &command.body;
    let story = async |uow: &mut _| {
        let reason = || bodies::reason("reason", reason.clone());
        let verdict = match outcome {
            InspectionOutcome::Pass => Verdict::Passed,
            InspectionOutcome::Fail => Verdict::Failed {
                reason: reason()?,
                failed_item_keys: bodies::item_keys("failedItemKeys", failed_item_keys.clone().unwrap_or_default())?,
            },
            InspectionOutcome::Waived => Verdict::Waived { reason: reason()?, by: command.caller.actor() },
        };
        let results = bodies::results("results", results.clone())?;
        let look = Look { checklist: checklist_id.as_ref(), results, verdict };
        let held = inspections::inspect(uow, &hk.profiles, on(&command, &id), look).await?;
        // One that was waived was not held: what there is to look at is the task.
        let location = match held.verdict {
            Verdict::Waived { .. } => format!("/housekeeping/v1/tasks/{id}"),
            _ => format!("/housekeeping/v1/tasks/{id}/inspections/{}", held.id),
        };
        let resource = InspectionResource::from(&held).of(&command.caller.tenant);
        Ok::<_, HousekeepingError>(Created::new(&resource, held.version, location))
    };
    command.run(&hk.db, &SCHEMA, story).await
}

pub(super) async fn show_inspection(
    State(hk): State<Housekeeping>,
    Who(caller): Who,
    TwoIds(task, id): TwoIds<TaskId, InspectionId>,
) -> Result<Tagged<InspectionResource>, Problem> {
    let look = async |uow: &mut _| inspections::look_up(uow, &caller, &task, &id).await;
    let held = hk.db.read(&SCHEMA, &caller.tenant, look).await?;
    Ok(Tagged::new(&InspectionResource::from(&held).of(&caller.tenant), held.version))
}

pub(super) async fn create(
    State(hk): State<Housekeeping>,
    command: Command<CreateTask>,
) -> Answer<Created<TaskResource>> {
    let body = &command.body;
    let story = async |uow: &mut _| {
        let new = NewTask {
            property_id: body.property_id.clone(),
            room_id: body.room_id.clone(),
            kind: body.kind,
            priority: body.priority.unwrap_or(TaskPriority::Normal),
            scheduled_for: body.scheduled_for,
            reservation_id: body.reservation_id.clone(),
            note: bodies::note("note", body.note.clone())?,
        };
        let task = assignment::open_task(uow, &hk.profiles, &command.caller, new).await?;
        let location = format!("/housekeeping/v1/tasks/{}", task.id);
        let resource = TaskResource::from(&task).of(&command.caller.tenant);
        Ok::<_, HousekeepingError>(Created::new(&resource, task.version, location))
    };
    command.run(&hk.db, &SCHEMA, story).await
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct TaskQuery {
    /// Tasks in this room.
    room_id: Option<RoomId>,
    /// Tasks that are one of these, with commas between them.
    status: Option<Words<TaskStatus>>,
    assignee_staff_id: Option<StaffId>,
    kind: Option<TaskKind>,
    /// Tasks that are due at this moment, or on this day of the hotel.
    scheduled_for: Option<When>,
    /// Tasks that are due at this moment or later.
    scheduled_from: Option<Timestamp>,
}

pub(super) async fn list(
    State(hk): State<Housekeeping>,
    Who(caller): Who,
    PropertyScope(properties): PropertyScope,
    paging: Paging,
    since: Since,
    Query(query): Query<TaskQuery>,
) -> Result<Json<Page<TaskResource>>, Problem> {
    let mut filter = TaskFilter {
        properties,
        room: query.room_id,
        statuses: query.status.map(|Words(words)| words),
        assignee: query.assignee_staff_id,
        kind: query.kind,
        updated_since: since.0,
        scheduled_from: query.scheduled_from,
        scheduled_until: None,
        after: paging.after.clone(),
    };
    let look = async |uow: &mut _| {
        if let Some(when) = query.scheduled_for {
            let (from, until) = stats::window(uow, "scheduledFor", when).await?;
            filter.scheduled_from = filter.scheduled_from.max(Some(from));
            filter.scheduled_until = Some(until);
        }
        let mut filling = paging.filling::<TaskResource>();
        while let Some(step) = filling.step() {
            filter.after = filling.last().map(|task| task.id.to_string()).or(filter.after.take());
            let found = tasks::list(uow, &filter, step).await?;
            filling.add(found.iter().map(|task| TaskResource::from(task).of(&caller.tenant)).collect());
        }
        Ok::<_, HousekeepingError>(filling.page(|task| task.id.to_string()))
    };
    Ok(Json(hk.db.read(&SCHEMA, &caller.tenant, look).await?))
}

pub(super) async fn show(
    State(hk): State<Housekeeping>,
    Who(caller): Who,
    Id(id): Id<TaskId>,
) -> Result<Tagged<TaskResource>, Problem> {
    let task = hk.db.read(&SCHEMA, &caller.tenant, async |uow| look_up_task(uow, &caller, &id).await).await?;
    Ok(Tagged::new(&TaskResource::from(&task).of(&caller.tenant), task.version))
}

pub(super) async fn history(
    State(hk): State<Housekeeping>,
    Who(caller): Who,
    Id(id): Id<TaskId>,
    WholeList(paging): WholeList,
    since: Since,
) -> Result<Json<Page<TaskHistoryItem>>, Problem> {
    let look = async |uow: &mut _| {
        look_up_task(uow, &caller, &id).await?;
        tasks::history(uow, &id).await
    };
    let steps = hk.db.read(&SCHEMA, &caller.tenant, look).await?;
    let steps = steps.into_iter().filter(|step| since.keeps(step.at)).map(TaskHistoryItem::from);
    Ok(Json(Page::of(steps.collect(), &paging, |step| step.event_id.clone())?))
}
