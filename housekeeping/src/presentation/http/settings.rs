//! How a tenant works, and what its checklists say.

use axum::Json;
use axum::extract::State;
use contracts::housekeeping::TaskKind;
use platform::http::{Answer, Changed, Command, Page, Problem, Query, Tagged, Who};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::application::settings as stories;
use crate::application::views::ChecklistResource;
use crate::domain::settings::Settings;
use crate::infrastructure::settings;
use crate::presentation::Housekeeping;
use crate::{HousekeepingError, SCHEMA};

pub(super) async fn show(State(hk): State<Housekeeping>, Who(caller): Who) -> Result<Tagged<Settings>, Problem> {
    let (stored, _) = hk.db.read(&SCHEMA, &caller.tenant, async |uow| settings::load(uow).await).await?;
    Ok(Tagged::new(&stored.settings, stored.version))
}

pub(super) async fn put(State(hk): State<Housekeeping>, command: Command<Settings>) -> Answer<Changed<Settings>> {
    let story = async |uow: &mut _| {
        let changed = stories::change(uow, command.if_match.as_ref(), command.body.clone()).await?;
        Ok::<_, HousekeepingError>(Changed::new(&changed.settings, changed.version))
    };
    let answer = command.run(&hk.db, &SCHEMA, story).await;
    hk.profiles.forget(&command.caller.tenant);
    answer
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct ChecklistQuery {
    kind: Option<TaskKind>,
}

pub(super) async fn checklists(
    State(hk): State<Housekeeping>,
    Who(caller): Who,
    Query(query): Query<ChecklistQuery>,
) -> Result<Json<Page<ChecklistResource>>, Problem> {
    let mut uow = hk.db.begin_for(&SCHEMA, &caller.tenant).await?;
    let profile = hk.profiles.of(&mut uow).await?;
    // A tenant that is seen for the first time keeps the defaults it is shown.
    uow.commit().await?;
    let lists = profile.checklists().iter().filter(|list| query.kind.is_none_or(|kind| list.kind == kind));
    Ok(Json(Page::whole(lists.map(ChecklistResource::from).collect())))
}
