//! What somebody in the house has to look at, over HTTP.

use axum::Json;
use axum::extract::State;
use contracts::ids::AlertId;
use platform::UnitOfWork;
use platform::http::{Answer, Changed, Command, Id, OneProperty, Page, Paging, Problem, Query, Since, Who};
use schemars::JsonSchema;
use serde::Deserialize;

use super::bodies;
use crate::application::alerts as stories;
use crate::application::views::{AlertResource, AlertStatus};
use crate::infrastructure::alerts;
use crate::presentation::FrontOffice;
use crate::{ReservationError, SCHEMA};

#[derive(Deserialize, JsonSchema)]
pub(super) struct AlertQuery {
    /// Without it, all.
    status: Option<AlertStatus>,
}

pub(super) async fn list(
    State(office): State<FrontOffice>,
    Who(caller): Who,
    OneProperty(property): OneProperty,
    paging: Paging,
    since: Since,
    Query(query): Query<AlertQuery>,
) -> Result<Json<Page<AlertResource>>, Problem> {
    let open = query.status.map(|status| status == AlertStatus::Open);
    let look =
        async |uow: &mut UnitOfWork| alerts::list(uow, &property, open, paging.after.as_deref(), paging.rows()).await;
    let found = office.db.read(&SCHEMA, &caller.tenant, look).await?;
    let items = found.into_iter().map(AlertResource::from).collect();
    let page = Page::cut(items, paging.limit, |one: &AlertResource| one.alert_id.to_string());
    Ok(Json(page.since(&since, |one| one.resolved_at.unwrap_or(one.raised_at))))
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct ResolveAlert {
    note: Option<String>,
}

pub(super) async fn resolve(
    State(office): State<FrontOffice>,
    Id(id): Id<AlertId>,
    command: Command<ResolveAlert>,
) -> Answer<Changed<AlertResource>> {
    let story = async |uow: &mut UnitOfWork| {
        let note = bodies::word("note", command.body.note.clone(), 2_000)?;
        let by = bodies::actor(&command.caller, None)?;
        let who = (&*command.caller, by);
        let resolved = stories::resolve(uow, who, command.if_match.as_ref(), &id, note).await?;
        let version = resolved.version;
        Ok::<_, ReservationError>(Changed::new(&AlertResource::from(resolved), version))
    };
    command.run(&office.db, &SCHEMA, story).await
}
