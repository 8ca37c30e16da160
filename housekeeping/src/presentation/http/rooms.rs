//! Rooms over HTTP.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use contracts::housekeeping::RoomStatusCause;
use contracts::ids::RoomId;
use contracts::time::Timestamp;
use platform::http::{Command, Id, Page, Problem, Query, Reply, Who, cursor_of};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::bodies::{self, OverrideStatus};
use super::tasks::property;
use crate::application::views::RoomResource;
use crate::domain::room::Flip;
use crate::infrastructure::rooms::{self, DescribedRoom};
use crate::presentation::Housekeeping;
use crate::{HousekeepingError, SCHEMA};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RoomsQuery {
    property_id: Option<String>,
    limit: Option<String>,
    cursor: Option<String>,
}

pub(super) async fn list(
    State(state): State<Housekeeping>,
    Who(caller): Who,
    Query(query): Query<RoomsQuery>,
) -> Result<Json<Page<RoomResource>>, Problem> {
    let limit = Page::<()>::limit(query.limit.as_deref())?;
    let after = cursor_of(query.cursor.as_deref())?;
    let asked = query.property_id.ok_or_else(|| Problem::invalid("propertyId", "is required"))?;
    let property = property(&asked, &caller)?;
    let mut uow = state.db.begin_for(&SCHEMA, &caller.tenant).await?;
    let found = rooms::list(&mut uow, &property, after.as_deref(), limit + 1).await?;
    uow.rollback().await?;
    let items = found.iter().map(RoomResource::from).collect();
    Ok(Json(Page::cut(items, limit, |room: &RoomResource| room.room_id.clone())))
}

pub(super) async fn show(
    State(state): State<Housekeeping>,
    Who(caller): Who,
    Id(id): Id<RoomId>,
) -> Result<Response, Problem> {
    let mut uow = state.db.begin_for(&SCHEMA, &caller.tenant).await?;
    let found = rooms::find(&mut uow, &id).await?;
    uow.rollback().await?;
    let room = seen(found, &caller)?;
    Ok(Reply::ok(&RoomResource::from(&room), room.room.version).into_response())
}

fn seen(found: Option<DescribedRoom>, caller: &platform::auth::Caller) -> Result<DescribedRoom, HousekeepingError> {
    found.filter(|found| caller.properties.include(&found.room.property_id)).ok_or(HousekeepingError::NotFound("room"))
}

#[derive(Deserialize)]
pub(super) struct HistoryQuery {
    at: Option<String>,
    limit: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RoomHistoryItem {
    previous_status: String,
    status: String,
    cause: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    task_id: Option<String>,
    at: Timestamp,
    actor: Box<RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

pub(super) async fn history(
    State(state): State<Housekeeping>,
    Who(caller): Who,
    Id(id): Id<RoomId>,
    Query(query): Query<HistoryQuery>,
) -> Result<Json<Page<RoomHistoryItem>>, Problem> {
    let limit = Page::<()>::limit(query.limit.as_deref())?;
    let until = query.at.as_deref().map(Timestamp::parse).transpose();
    let until = until.map_err(|_| Problem::invalid("at", "a time such as 2026-04-22T11:05:00Z"))?;
    let mut uow = state.db.begin_for(&SCHEMA, &caller.tenant).await?;
    let room = seen(rooms::find(&mut uow, &id).await?, &caller)?;
    let rows = rooms::history(&mut uow, &room.room, until, limit).await?;
    uow.rollback().await?;
    let items = rows.iter().map(|row| RoomHistoryItem {
        previous_status: row.get("previous_status"),
        status: row.get("status"),
        cause: row.get("cause"),
        task_id: row.get("task_id"),
        at: Timestamp::from_jiff(row.get("flipped_at")),
        actor: RawValue::from_string(row.get("flipped_by")).unwrap_or_else(|_| RawValue::NULL.to_owned()),
        note: row.get("note"),
    });
    Ok(Json(Page { items: items.collect(), next_cursor: None }))
}

/// A supervisor knows better than the list of transitions; the history keeps who and why.
pub(super) async fn override_status(
    State(state): State<Housekeeping>,
    Id(id): Id<RoomId>,
    command: Command<OverrideStatus>,
) -> Response {
    let mut uow = match command.begin(&state.db, &SCHEMA).await {
        Ok(uow) => uow,
        Err(problem) => return problem.into_response(),
    };
    let outcome: Result<Reply, HousekeepingError> = async {
        let note = bodies::note("note", command.body.note.clone())?;
        let mut described = seen(rooms::find(&mut uow, &id).await?, &command.caller)?;
        let ids = std::slice::from_ref(&id);
        let locked = rooms::lock(&mut uow, &described.room.property_id, ids).await?;
        let room = locked.into_iter().next().ok_or(HousekeepingError::NotFound("room"))?;
        if command.if_match.as_ref().is_some_and(|seen| !seen.fits(room.version)) {
            return Err(HousekeepingError::StaleVersion { current: room.version });
        }
        let (now, by) = (uow.now(), uow.context().actor.clone());
        let flip = Flip { cause: RoomStatusCause::ManualOverride, task: None, by: &by, now };
        described.room = match room.clone().override_status(command.body.status, note, &flip)? {
            Some(decided) => uow.save(decided),
            None => room,
        };
        Ok(Reply::ok(&RoomResource::from(&described), described.room.version))
    }
    .await;
    command.finish(&state.db, &SCHEMA, uow, outcome).await
}
