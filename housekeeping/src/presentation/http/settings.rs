//! How a tenant works, and what its checklists say.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use contracts::housekeeping::TaskKind;
use platform::http::{Command, Page, Problem, Query, Reply, Who};
use serde::Deserialize;

use crate::application::views::ChecklistResource;
use crate::domain::settings::Settings;
use crate::infrastructure::settings;
use crate::presentation::Housekeeping;
use crate::{HousekeepingError, SCHEMA};

pub(super) async fn show(State(state): State<Housekeeping>, Who(caller): Who) -> Result<Response, Problem> {
    let mut uow = state.db.begin_for(&SCHEMA, &caller.tenant).await?;
    let (stored, _) = settings::load(&mut uow).await?;
    uow.rollback().await?;
    let (settings, version) = stored.unwrap_or_default();
    Ok(Reply::ok(&settings, version).into_response())
}

pub(super) async fn put(State(state): State<Housekeeping>, command: Command<Settings>) -> Response {
    let mut uow = match command.begin(&state.db, &SCHEMA).await {
        Ok(uow) => uow,
        Err(problem) => return problem.into_response(),
    };
    let outcome: Result<Reply, HousekeepingError> = async {
        if let Some((field, rule)) = command.body.fault() {
            return Err(HousekeepingError::Invalid { field, rule });
        }
        let version = settings::lock(&mut uow).await?.map_or(0, |(_, version)| version);
        if command.if_match.as_ref().is_some_and(|seen| !seen.fits(version)) {
            return Err(HousekeepingError::StaleVersion { current: version });
        }
        settings::put(&mut uow, &command.body);
        uow.touch_all_boards();
        Ok(Reply::ok(&command.body, version + 1))
    }
    .await;
    let response = command.finish(&state.db, &SCHEMA, uow, outcome).await;
    state.profiles.forget(&command.caller.tenant);
    response
}

#[derive(Deserialize)]
pub(super) struct ChecklistQuery {
    kind: Option<String>,
}

pub(super) async fn checklists(
    State(state): State<Housekeeping>,
    Who(caller): Who,
    Query(query): Query<ChecklistQuery>,
) -> Result<Json<Page<ChecklistResource>>, Problem> {
    let kind = query.kind.as_deref().map(|word| {
        TaskKind::from_word(word).ok_or_else(|| {
            let known: Vec<_> = TaskKind::ALL.iter().map(contracts::housekeeping::TaskKind::as_str).collect();
            Problem::invalid("kind", format!("one of {}", known.join(", ")))
        })
    });
    let kind = kind.transpose()?;
    let mut uow = state.db.begin_for(&SCHEMA, &caller.tenant).await?;
    let profile = state.profiles.of(&mut uow).await?;
    // A tenant that is seen for the first time keeps the defaults it is shown.
    uow.commit().await?;
    let lists = profile.checklists().iter().filter(|list| kind.is_none_or(|kind| list.kind == kind));
    Ok(Json(Page { items: lists.map(ChecklistResource::from).collect(), next_cursor: None }))
}
