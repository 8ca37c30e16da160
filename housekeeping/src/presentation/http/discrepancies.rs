//! What was seen in rooms, over HTTP.

use axum::Json;
use axum::extract::State;
use contracts::ids::{DiscrepancyId, RoomId};
use platform::http::{
    Answer, Changed, Command, Id, OneProperty, Page, Paging, Problem, PropertyScope, Query, Since, Who,
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::bodies::{self, Observe, Resolve};
use crate::application::discrepancies as stories;
use crate::application::views::{DiscrepancyResource, ObservationResource};
use crate::infrastructure::discrepancies;
use crate::presentation::Housekeeping;
use crate::{HousekeepingError, SCHEMA};

pub(super) async fn observe(
    State(hk): State<Housekeeping>,
    houses: PropertyScope,
    Id(id): Id<RoomId>,
    command: Command<Observe>,
) -> Answer<Changed<ObservationResource>> {
    let Observe { observed, note } = &command.body;
    let story = async |uow: &mut _| {
        let note = bodies::note("note", note.clone())?;
        let seen = stories::observe(uow, &houses, command.if_match.as_ref(), &id, *observed, note).await?;
        let resource = ObservationResource {
            room_id: id.clone(),
            observed: seen.observed,
            recorded: seen.recorded,
            discrepancy: seen
                .discrepancy
                .as_ref()
                .map(|found| DiscrepancyResource::from(found).of(&command.caller.tenant)),
        };
        Ok::<_, HousekeepingError>(Changed::unversioned(&resource))
    };
    command.run(&hk.db, &SCHEMA, story).await
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct DiscrepancyQuery {
    /// `true`: only those that wait for an answer; `false`: only those that have one.
    open: Option<bool>,
}

/// Newest first.
pub(super) async fn list(
    State(hk): State<Housekeeping>,
    Who(caller): Who,
    OneProperty(property): OneProperty,
    paging: Paging,
    since: Since,
    Query(query): Query<DiscrepancyQuery>,
) -> Result<Json<Page<DiscrepancyResource>>, Problem> {
    let look = async |uow: &mut _| {
        discrepancies::list(uow, &property, query.open, paging.after.as_deref(), paging.rows()).await
    };
    let found = hk.db.read(&SCHEMA, &caller.tenant, look).await?;
    let items = found.iter().map(|one| DiscrepancyResource::from(one).of(&caller.tenant)).collect();
    let page = Page::cut(items, paging.limit, |one: &DiscrepancyResource| one.id.to_string());
    Ok(Json(page.since(&since, |one| one.resolved_at.unwrap_or(one.observed_at))))
}

pub(super) async fn resolve(
    State(hk): State<Housekeeping>,
    Id(id): Id<DiscrepancyId>,
    command: Command<Resolve>,
) -> Answer<Changed<DiscrepancyResource>> {
    let Resolve { resolution, note } = &command.body;
    let story = async |uow: &mut _| {
        let note = bodies::note("note", note.clone())?;
        let if_match = command.if_match.as_ref();
        let resolved = stories::resolve(uow, &command.caller, if_match, &id, *resolution, note).await?;
        let resource = DiscrepancyResource::from(&resolved).of(&command.caller.tenant);
        Ok::<_, HousekeepingError>(Changed::new(&resource, resolved.version))
    };
    command.run(&hk.db, &SCHEMA, story).await
}
