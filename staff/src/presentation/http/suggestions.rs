//! Suggestions of a program over HTTP.

use axum::Json;
use axum::extract::State;
use contracts::ids::{ShiftId, StaffId, SuggestionId};
use platform::http::{
    Answer, Changed, Command, Id, Page, Paging, Problem, PropertyScope, Query, Since, Tagged, Who, Words,
};
use platform::{Refusal, UnitOfWork};
use schemars::JsonSchema;
use serde::Deserialize;

use super::shifts::{after, cursor};
use crate::application::planning_views::ShiftSuggestionResource;
use crate::application::suggestions::{self as stories, Named};
use crate::domain::suggestion::SuggestionStatus;
use crate::infrastructure::suggestions;
use crate::presentation::Staff;
use crate::{SCHEMA, StaffError};

const MOST_ROWS: usize = 1_000;

#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SuggestionRowName {
    pub shift_id: ShiftId,
    pub staff_id: StaffId,
}

#[derive(Clone, Deserialize, JsonSchema)]
pub(super) struct DecideSuggestion {
    /// All that wait, where none is named.
    pub rows: Option<Vec<SuggestionRowName>>,
}

impl DecideSuggestion {
    fn named(&self) -> Result<Named, Refusal> {
        match &self.rows {
            Some(rows) if rows.is_empty() || rows.len() > MOST_ROWS => {
                Err(Refusal::invalid("rows", format!("from 1 to {MOST_ROWS}; without it: all that wait")))
            }
            Some(rows) => Ok(Some(rows.iter().map(|row| (row.shift_id.clone(), row.staff_id.clone())).collect())),
            None => Ok(None),
        }
    }
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct SuggestionQuery {
    /// Suggestions that are one of these, with commas between them.
    status: Option<Words<SuggestionStatus>>,
}

pub(super) async fn list(
    State(staff): State<Staff>,
    Who(caller): Who,
    PropertyScope(properties): PropertyScope,
    paging: Paging,
    since: Since,
    Query(query): Query<SuggestionQuery>,
) -> Result<Json<Page<ShiftSuggestionResource>>, Problem> {
    let look = async |uow: &mut UnitOfWork| {
        let statuses = query.status.map(|Words(words)| words);
        let before = after(paging.after.as_deref())?;
        suggestions::list(uow, properties.as_deref(), statuses.as_deref(), before, paging.rows()).await
    };
    let found = staff.db.read(&SCHEMA, &caller.tenant, look).await?;
    let items = found.iter().map(|one| ShiftSuggestionResource::of(one, &caller.tenant)).collect();
    let key = |one: &ShiftSuggestionResource| cursor(one.generated_at, &one.suggestion_id);
    let page = Page::cut(items, paging.limit, key);
    Ok(Json(page.since(&since, |one| one.decided_at.unwrap_or(one.generated_at))))
}

pub(super) async fn show(
    State(staff): State<Staff>,
    Who(caller): Who,
    Id(id): Id<SuggestionId>,
) -> Result<Tagged<ShiftSuggestionResource>, Problem> {
    let look = async |uow: &mut UnitOfWork| stories::look_up(uow, &caller, &id).await;
    let found = staff.db.read(&SCHEMA, &caller.tenant, look).await?;
    Ok(Tagged::new(&ShiftSuggestionResource::of(&found, &caller.tenant), found.version))
}

pub(super) async fn approve(
    State(staff): State<Staff>,
    Id(id): Id<SuggestionId>,
    command: Command<DecideSuggestion>,
) -> Answer<Changed<ShiftSuggestionResource>> {
    let story = async |uow: &mut UnitOfWork| {
        let named = command.body.named()?;
        let decided = stories::approve(uow, &command.caller, (&id, command.if_match.as_ref()), named).await?;
        let shown = ShiftSuggestionResource::of(&decided, &command.caller.tenant);
        Ok::<_, StaffError>(Changed::new(&shown, decided.version))
    };
    command.run(&staff.db, &SCHEMA, story).await
}

pub(super) async fn reject(
    State(staff): State<Staff>,
    Id(id): Id<SuggestionId>,
    command: Command<DecideSuggestion>,
) -> Answer<Changed<ShiftSuggestionResource>> {
    let story = async |uow: &mut UnitOfWork| {
        let named = command.body.named()?;
        let decided = stories::reject(uow, &command.caller, (&id, command.if_match.as_ref()), named).await?;
        let shown = ShiftSuggestionResource::of(&decided, &command.caller.tenant);
        Ok::<_, StaffError>(Changed::new(&shown, decided.version))
    };
    command.run(&staff.db, &SCHEMA, story).await
}
