//! Checklists over HTTP: versions are published and never changed.

use axum::extract::State;
use contracts::housekeeping::TaskKind;
use contracts::ids::ChecklistId;
use platform::http::{Answer, Command, Created, Id, Problem, Tagged, Who};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::application::checklists as stories;
use crate::application::views::ChecklistResource;
use crate::domain::checklist::ChecklistItem;
use crate::presentation::Housekeeping;
use crate::{HousekeepingError, SCHEMA};

#[derive(Deserialize, JsonSchema)]
pub(super) struct PublishChecklist {
    kind: TaskKind,
    items: Vec<ChecklistItem>,
}

pub(super) async fn show(
    State(hk): State<Housekeeping>,
    Who(caller): Who,
    Id(id): Id<ChecklistId>,
) -> Result<Tagged<ChecklistResource>, Problem> {
    let look = async |uow: &mut _| hk.profiles.checklist(uow, &id).await;
    let list = hk.db.read(&SCHEMA, &caller.tenant, look).await?;
    Ok(Tagged::new(&ChecklistResource::from(&*list).of(&caller.tenant), list.version))
}

pub(super) async fn publish(
    State(hk): State<Housekeeping>,
    command: Command<PublishChecklist>,
) -> Answer<Created<ChecklistResource>> {
    let PublishChecklist { kind, items } = &command.body;
    let story = async |uow: &mut _| {
        let list = stories::publish(uow, command.if_match.as_ref(), *kind, items.clone()).await?;
        let place = format!("/housekeeping/v1/checklists/{}", list.id);
        let resource = ChecklistResource::from(&list).of(&command.caller.tenant);
        Ok::<_, HousekeepingError>(Created::new(&resource, list.version, place))
    };
    let answer = command.run(&hk.db, &SCHEMA, story).await;
    hk.profiles.forget(&command.caller.tenant);
    answer
}
