//! How a tenant works, and what its checklists say.

use axum::Json;
use axum::extract::State;
use contracts::housekeeping::TaskKind;
use platform::http::{Answer, Changed, Command, Page, Problem, Query, Since, Tagged, Versioned, Who, WholeList};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::application::settings as stories;
use crate::application::views::ChecklistResource;
use crate::domain::settings::{Settings, SettingsChange};
use crate::infrastructure::settings;
use crate::presentation::Housekeeping;
use crate::{HousekeepingError, SCHEMA};

type SettingsResource = Versioned<Settings>;

pub(super) async fn show(
    State(hk): State<Housekeeping>,
    Who(caller): Who,
) -> Result<Tagged<SettingsResource>, Problem> {
    let (stored, _) = hk.db.read(&SCHEMA, &caller.tenant, async |uow| settings::load(uow).await).await?;
    Ok(Tagged::new(&Versioned::new(stored.settings, stored.version), stored.version))
}

pub(super) async fn put(
    State(hk): State<Housekeeping>,
    command: Command<SettingsChange>,
) -> Answer<Changed<SettingsResource>> {
    let story = async |uow: &mut _| {
        let changed = stories::change(uow, command.if_match.as_ref(), command.body.clone()).await?;
        let resource = Versioned::new(changed.settings, changed.version);
        Ok::<_, HousekeepingError>(Changed::new(&resource, changed.version))
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
    WholeList(paging): WholeList,
    since: Since,
    Query(query): Query<ChecklistQuery>,
) -> Result<Json<Page<ChecklistResource>>, Problem> {
    let mut uow = hk.db.begin_for(&SCHEMA, &caller.tenant).await?;
    let profile = hk.profiles.of(&mut uow).await?;
    // A tenant that is seen for the first time keeps the defaults it is shown.
    uow.commit().await?;
    let lists = profile.checklists().iter().filter(|list| query.kind.is_none_or(|kind| list.kind == kind));
    let lists = lists.filter(|list| since.keeps(list.published_at));
    let lists = lists.map(|list| ChecklistResource::from(list).of(&caller.tenant)).collect();
    Ok(Json(Page::of(lists, &paging, |list| list.id.to_string())?))
}
