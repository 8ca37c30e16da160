//! Suggestions over HTTP: ask for one, look at them, decide.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use contracts::ids::{PropertyId, ShiftId, StaffId, SuggestionId, TaskId};
use platform::http::{Command, Filling, Id, Page, Problem, Query, Reply, Who, cursor_of, words_of};
use serde::Deserialize;

use super::tasks::properties;
use crate::application::routing::{self, Decision, Look};
use crate::application::views::SuggestionResource;
use crate::domain::suggestion::{Suggestion, SuggestionStatus};
use crate::infrastructure::planning::Consequences;
use crate::infrastructure::suggestions;
use crate::presentation::Housekeeping;
use crate::{HousekeepingError, SCHEMA};

/// More rows than any plan has.
const MOST_ROWS: usize = 5_000;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Suggest {
    property_id: PropertyId,
    shift_id: Option<ShiftId>,
}

/// Looks at the house, gives the connection back, plans, and keeps the plan in a unit of work of its own.
pub(super) async fn suggest(State(state): State<Housekeeping>, command: Command<Suggest>) -> Response {
    let look = match look(&state, &command).await {
        Ok(look) => look,
        Err(response) => return response,
    };
    let proposal = routing::ask(&*state.routing, &look).await;
    let mut uow = match command.begin(&state.db, &SCHEMA).await {
        Ok(uow) => uow,
        Err(problem) => return problem.into_response(),
    };
    let outcome: Result<Reply, HousekeepingError> = async {
        let suggestion = routing::keep(&mut uow, &look, proposal).await?;
        let location = format!("/housekeeping/v1/routing/suggestions/{}", suggestion.id);
        Ok(Reply::created(&SuggestionResource::from(&suggestion), Some(suggestion.version), location))
    }
    .await;
    command.finish(&state.db, &SCHEMA, uow, outcome).await
}

/// A key that has its answer already is answered here, before anything is planned.
async fn look(state: &Housekeeping, command: &Command<Suggest>) -> Result<Look, Response> {
    let mut uow = command.begin(&state.db, &SCHEMA).await.map_err(IntoResponse::into_response)?;
    let Suggest { property_id, shift_id } = &command.body;
    match routing::look(&mut uow, &state.profiles, &command.caller, property_id, shift_id.as_ref()).await {
        Ok(look) => match uow.rollback().await {
            Ok(()) => Ok(look),
            Err(fault) => Err(Problem::from(fault).into_response()),
        },
        Err(error) => Err(command.finish(&state.db, &SCHEMA, uow, Err(error)).await),
    }
}

#[derive(Deserialize)]
pub(super) struct WhatIf {
    #[serde(rename = "propertyId")]
    property: PropertyId,
    #[serde(rename = "taskId")]
    task: TaskId,
    #[serde(rename = "staffId")]
    staff: StaffId,
}

/// A question and not a change: nothing is kept, and a key is not looked at.
pub(super) async fn what_if(
    State(state): State<Housekeeping>,
    command: Command<WhatIf>,
) -> Result<Json<Consequences>, Problem> {
    let WhatIf { property, task, staff } = command.body;
    let mut uow = state.db.begin_for(&SCHEMA, &command.caller.tenant).await?;
    let look = routing::look(&mut uow, &state.profiles, &command.caller, &property, None).await?;
    uow.rollback().await?;
    Ok(Json(routing::weigh(look, task, staff).await?))
}

#[derive(Deserialize)]
pub(super) struct Rows {
    rows: Option<Vec<TaskId>>,
}

impl Rows {
    fn named(&self) -> Result<Option<&[TaskId]>, HousekeepingError> {
        match self.rows.as_deref() {
            Some([]) => Err(HousekeepingError::Invalid {
                field: "rows",
                rule: "name at least one task, or leave it out to mean all that wait".to_owned(),
            }),
            Some(rows) if rows.len() > MOST_ROWS => {
                Err(HousekeepingError::Invalid { field: "rows", rule: format!("at most {MOST_ROWS} tasks") })
            }
            other => Ok(other),
        }
    }
}

/// The frame of a decision: begin, decide, finish.
macro_rules! on_suggestion {
    ($state:ident, $command:ident, $id:ident, $decide:path) => {{
        let mut uow = match $command.begin(&$state.db, &SCHEMA).await {
            Ok(uow) => uow,
            Err(problem) => return problem.into_response(),
        };
        let outcome: Result<Reply, HousekeepingError> = async {
            let decision = Decision {
                suggestion: &$id,
                caller: &$command.caller,
                if_match: $command.if_match.as_ref(),
                rows: $command.body.named()?,
            };
            Ok(reply(&$decide(&mut uow, decision).await?))
        }
        .await;
        $command.finish(&$state.db, &SCHEMA, uow, outcome).await
    }};
}

fn reply(suggestion: &Suggestion) -> Reply {
    Reply::ok(&SuggestionResource::from(suggestion), suggestion.version)
}

pub(super) async fn approve(
    State(state): State<Housekeeping>,
    Id(id): Id<SuggestionId>,
    command: Command<Rows>,
) -> Response {
    on_suggestion!(state, command, id, routing::approve)
}

pub(super) async fn reject(
    State(state): State<Housekeeping>,
    Id(id): Id<SuggestionId>,
    command: Command<Rows>,
) -> Response {
    on_suggestion!(state, command, id, routing::reject)
}

pub(super) async fn show(
    State(state): State<Housekeeping>,
    Who(caller): Who,
    Id(id): Id<SuggestionId>,
) -> Result<Response, Problem> {
    let mut uow = state.db.begin_for(&SCHEMA, &caller.tenant).await?;
    let found = suggestions::find(&mut uow, &id).await?;
    uow.rollback().await?;
    let suggestion = found.filter(|suggestion| caller.properties.include(&suggestion.scope.property_id));
    let suggestion = suggestion.ok_or(HousekeepingError::NotFound("suggestion"))?;
    Ok(reply(&suggestion).into_response())
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ListQuery {
    property_id: Option<String>,
    status: Option<String>,
    limit: Option<String>,
    cursor: Option<String>,
}

/// Newest first.
pub(super) async fn list(
    State(state): State<Housekeeping>,
    Who(caller): Who,
    Query(query): Query<ListQuery>,
) -> Result<Json<Page<SuggestionResource>>, Problem> {
    let limit = Page::<()>::limit(query.limit.as_deref())?;
    let properties = properties(query.property_id.as_deref(), &caller)?;
    let known: Vec<_> = SuggestionStatus::ALL.iter().map(|status| status.as_str()).collect();
    let statuses = words_of("status", query.status.as_deref(), &known)?;
    let mut before = cursor_of(query.cursor.as_deref())?;
    let mut uow = state.db.begin_for(&SCHEMA, &caller.tenant).await?;
    let mut filling = Filling::<SuggestionResource>::new(limit);
    while let Some(step) = filling.step() {
        before = filling.last().map(|one| one.id.clone()).or(before);
        let found =
            suggestions::list(&mut uow, properties.as_deref(), statuses.as_deref(), before.as_deref(), step).await?;
        filling.add(found.iter().map(SuggestionResource::from).collect());
    }
    uow.rollback().await?;
    Ok(Json(filling.page(|one| one.id.clone())))
}
