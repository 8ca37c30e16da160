//! Suggestions over HTTP: ask for one, look at them, decide.

use axum::Json;
use axum::extract::State;
use contracts::ids::{PropertyId, ShiftId, StaffId, SuggestionId, TaskId};
use platform::Refusal;
use platform::http::{
    Answer, Changed, Command, Created, Id, Page, Paging, Problem, PropertyScope, Query, Since, Tagged, Who, Words,
};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::application::routing::{self, Decision};
use crate::application::views::SuggestionResource;
use crate::domain::suggestion::{Suggestion, SuggestionStatus};
use crate::infrastructure::planning::Consequences;
use crate::infrastructure::suggestions;
use crate::presentation::Housekeeping;
use crate::{HousekeepingError, SCHEMA};

/// More rows than any plan has.
const MOST_ROWS: usize = 5_000;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Suggest {
    property_id: PropertyId,
    shift_id: Option<ShiftId>,
}

/// Looks at the house, gives the connection back, plans, and keeps the plan in a unit of work of its own. A key that has its
/// answer already is answered before anything is planned.
pub(super) async fn suggest(
    State(hk): State<Housekeeping>,
    command: Command<Suggest>,
) -> Answer<Created<SuggestionResource>> {
    let Suggest { property_id, shift_id } = &command.body;
    let look =
        async |uow: &mut _| routing::look(uow, &hk.profiles, &command.caller, property_id, shift_id.as_ref()).await;
    let look = match command.look(&hk.db, &SCHEMA, look).await {
        Ok(look) => look,
        Err(answer) => return answer,
    };
    let proposal = routing::ask(&*hk.routing, &look).await;
    let keep = async |uow: &mut _| {
        let suggestion = routing::keep(uow, &look, proposal).await?;
        let location = format!("/housekeeping/v1/routing/suggestions/{}", suggestion.id);
        let resource = SuggestionResource::from(&suggestion).of(&command.caller.tenant);
        Ok::<_, HousekeepingError>(Created::new(&resource, suggestion.version, location))
    };
    command.run(&hk.db, &SCHEMA, keep).await
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_field_names, reason = "the names of the body")]
pub(super) struct WhatIf {
    property_id: PropertyId,
    task_id: TaskId,
    staff_id: StaffId,
}

/// A question and not a change: nothing is kept, and a key is not looked at.
pub(super) async fn what_if(
    State(hk): State<Housekeeping>,
    command: Command<WhatIf>,
) -> Result<Json<Consequences>, Problem> {
    let WhatIf { property_id, task_id, staff_id } = command.body;
    let look = async |uow: &mut _| routing::look(uow, &hk.profiles, &command.caller, &property_id, None).await;
    let look = hk.db.read(&SCHEMA, &command.caller.tenant, look).await?;
    Ok(Json(routing::weigh(look, task_id, staff_id).await?))
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct Rows {
    /// The tasks whose rows are decided on; all that wait, when it is left out.
    rows: Option<Vec<TaskId>>,
}

impl Rows {
    fn named(&self) -> Result<Option<&[TaskId]>, Refusal> {
        match self.rows.as_deref() {
            Some([]) => Err(Refusal::invalid("rows", "name at least one task, or leave it out to mean all that wait")),
            Some(rows) if rows.len() > MOST_ROWS => Err(Refusal::invalid("rows", format!("at most {MOST_ROWS} tasks"))),
            other => Ok(other),
        }
    }
}

fn on<'a>(command: &'a Command<Rows>, suggestion: &'a SuggestionId) -> Result<Decision<'a>, HousekeepingError> {
    let (caller, if_match, rows) = (&*command.caller, command.if_match.as_ref(), command.body.named()?);
    Ok(Decision { suggestion, caller, if_match, rows })
}

#[expect(clippy::needless_pass_by_value, reason = "what a story gives is taken as it comes")]
fn changed(command: &Command<Rows>, suggestion: Suggestion) -> Changed<SuggestionResource> {
    Changed::new(&SuggestionResource::from(&suggestion).of(&command.caller.tenant), suggestion.version)
}

pub(super) async fn approve(
    State(hk): State<Housekeeping>,
    Id(id): Id<SuggestionId>,
    command: Command<Rows>,
) -> Answer<Changed<SuggestionResource>> {
    let story =
        async |uow: &mut _| routing::approve(uow, on(&command, &id)?).await.map(|decided| changed(&command, decided));
    command.run(&hk.db, &SCHEMA, story).await
}

pub(super) async fn reject(
    State(hk): State<Housekeeping>,
    Id(id): Id<SuggestionId>,
    command: Command<Rows>,
) -> Answer<Changed<SuggestionResource>> {
    let story =
        async |uow: &mut _| routing::reject(uow, on(&command, &id)?).await.map(|decided| changed(&command, decided));
    command.run(&hk.db, &SCHEMA, story).await
}

pub(super) async fn show(
    State(hk): State<Housekeeping>,
    Who(caller): Who,
    Id(id): Id<SuggestionId>,
) -> Result<Tagged<SuggestionResource>, Problem> {
    let found = hk.db.read(&SCHEMA, &caller.tenant, async |uow| suggestions::find(uow, &id).await).await?;
    let seen = found.filter(|suggestion| caller.properties.include(&suggestion.scope.property_id));
    let suggestion = seen.ok_or(HousekeepingError::General(Refusal::NotFound("suggestion")))?;
    Ok(Tagged::new(&SuggestionResource::from(&suggestion).of(&caller.tenant), suggestion.version))
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct SuggestionQuery {
    /// Those that are one of these, with commas between them.
    status: Option<Words<SuggestionStatus>>,
}

/// Newest first.
pub(super) async fn list(
    State(hk): State<Housekeeping>,
    Who(caller): Who,
    PropertyScope(properties): PropertyScope,
    paging: Paging,
    since: Since,
    Query(query): Query<SuggestionQuery>,
) -> Result<Json<Page<SuggestionResource>>, Problem> {
    let statuses = query.status.map(|Words(words)| words);
    let look = async |uow: &mut _| {
        let (mut filling, mut before) = (paging.filling::<SuggestionResource>(), paging.after.clone());
        while let Some(step) = filling.step() {
            before = filling.last().map(|one| one.id.to_string()).or(before);
            let found =
                suggestions::list(uow, properties.as_deref(), statuses.as_deref(), before.as_deref(), step).await?;
            filling.add(found.iter().map(|one| SuggestionResource::from(one).of(&caller.tenant)).collect());
        }
        let page = filling.page(|one| one.id.to_string());
        Ok::<_, HousekeepingError>(page.since(&since, |one| one.decided_at.unwrap_or(one.generated_at)))
    };
    Ok(Json(hk.db.read(&SCHEMA, &caller.tenant, look).await?))
}
