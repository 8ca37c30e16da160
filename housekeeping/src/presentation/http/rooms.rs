//! Rooms over HTTP.

use axum::Json;
use axum::extract::State;
use contracts::ids::RoomId;
use contracts::time::Timestamp;
use platform::http::{
    Answer, Changed, Command, Id, OneProperty, Page, Paging, Problem, PropertyScope, Query, Since, Tagged, Who,
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::bodies::{self, OverrideStatus};
use crate::application::rooms as stories;
use crate::application::views::{LastCleaningView, LastInspectionView, RoomHistory, RoomHistoryItem, RoomResource};
use crate::infrastructure::rooms;
use crate::presentation::Housekeeping;
use crate::{HousekeepingError, SCHEMA};

pub(super) async fn list(
    State(hk): State<Housekeeping>,
    Who(caller): Who,
    OneProperty(property): OneProperty,
    paging: Paging,
    since: Since,
) -> Result<Json<Page<RoomResource>>, Problem> {
    let look = async |uow: &mut _| rooms::list(uow, &property, paging.after.as_deref(), paging.rows()).await;
    let found = hk.db.read(&SCHEMA, &caller.tenant, look).await?;
    let items = found.iter().map(|room| RoomResource::from(room).of(&caller.tenant)).collect();
    let page = Page::cut(items, paging.limit, |room: &RoomResource| room.room_id.to_string());
    Ok(Json(page.since(&since, |room| room.last_flipped_at)))
}

pub(super) async fn show(
    State(hk): State<Housekeeping>,
    Who(caller): Who,
    houses: PropertyScope,
    Id(id): Id<RoomId>,
) -> Result<Tagged<RoomResource>, Problem> {
    let look = async |uow: &mut _| {
        let room = stories::look_up(uow, &houses, &id).await?;
        let past = rooms::past(uow, &room.room).await?;
        Ok::<_, HousekeepingError>((room, past))
    };
    let (room, (cleaning, inspection)) = hk.db.read(&SCHEMA, &caller.tenant, look).await?;
    let mut resource = RoomResource::from(&room).of(&caller.tenant);
    resource.last_cleaning = cleaning.map(LastCleaningView::from);
    resource.last_inspection = inspection.map(LastInspectionView::from);
    Ok(Tagged::new(&resource, room.room.version))
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct HistoryQuery {
    /// What the room had been through by this moment, and how it was then.
    at: Option<Timestamp>,
}

pub(super) async fn history(
    State(hk): State<Housekeeping>,
    Who(caller): Who,
    houses: PropertyScope,
    Id(id): Id<RoomId>,
    paging: Paging,
    since: Since,
    Query(query): Query<HistoryQuery>,
) -> Result<Json<RoomHistory>, Problem> {
    let before = paging.place()?;
    let look = async |uow: &mut _| {
        let room = stories::look_up(uow, &houses, &id).await?.room;
        let status_at = match query.at {
            Some(at) => Some(rooms::status_at(uow, &room, at).await?),
            None => None,
        };
        let steps = rooms::history(uow, &room, query.at, before, paging.rows()).await?;
        Ok::<_, HousekeepingError>((steps, status_at))
    };
    let (steps, status_at) = hk.db.read(&SCHEMA, &caller.tenant, look).await?;
    let items = steps.into_iter().map(RoomHistoryItem::from).collect();
    let page = Page::cut(items, paging.limit, |step: &RoomHistoryItem| step.place.to_string());
    let page = page.since(&since, |step| step.at);
    let Page { items, next_cursor } = page;
    Ok(Json(RoomHistory { items, next_cursor, status_at }))
}

pub(super) async fn override_status(
    State(hk): State<Housekeeping>,
    houses: PropertyScope,
    Id(id): Id<RoomId>,
    command: Command<OverrideStatus>,
) -> Answer<Changed<RoomResource>> {
    let OverrideStatus { status, note } = &command.body;
    let story = async |uow: &mut _| {
        let note = bodies::note("note", note.clone())?;
        let if_match = command.if_match.as_ref();
        let room = stories::override_status(uow, &houses, if_match, &id, *status, note).await?;
        let resource = RoomResource::from(&room).of(&command.caller.tenant);
        Ok::<_, HousekeepingError>(Changed::new(&resource, room.room.version))
    };
    command.run(&hk.db, &SCHEMA, story).await
}
