//! Lost and found over HTTP. Bodies that name a guest cannot be printed.

use axum::Json;
use axum::extract::State;
use contracts::housekeeping::DisposalMethod;
use contracts::ids::{LostItemId, PropertyId, ReservationId, RoomId};
use platform::Refusal;
use platform::http::{
    Answer, Changed, Command, Created, Id, NoBody, NoSince, Page, Paging, Problem, PropertyScope, Query, Tagged, Who,
    Words,
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::bodies;
use crate::application::lost_and_found::{self as stories, ItemCommand};
use crate::application::stock_views::LostItemResource;
use crate::domain::lost_item::{Find, LostItem, LostItemStatus};
use crate::infrastructure::lost_items;
use crate::presentation::Housekeeping;
use crate::{HousekeepingError, SCHEMA};

const MOST_PHOTOS: usize = 20;

type ItemAnswer = Answer<Changed<LostItemResource>>;

#[derive(Deserialize, JsonSchema)]
pub(super) struct ItemQuery {
    status: Option<Words<LostItemStatus>>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct RecordItem {
    property_id: PropertyId,
    room_id: RoomId,
    description: String,
    photo_media_ids: Option<Vec<String>>,
    storage_location: Option<String>,
    reservation_id: Option<ReservationId>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct MatchItem {
    claimant_name: String,
    claimant_phone: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct DisposeItem {
    method: DisposalMethod,
    note: Option<String>,
}

fn on<'a, T>(command: &'a Command<T>, item: &'a LostItemId) -> ItemCommand<'a> {
    ItemCommand { item, caller: &command.caller, if_match: command.if_match.as_ref() }
}

fn changed<T>(command: &Command<T>, item: &LostItem) -> Changed<LostItemResource> {
    Changed::new(&LostItemResource::from(item).of(&command.caller.tenant), item.version)
}

fn photos(ids: Option<Vec<String>>) -> Result<Option<Vec<String>>, Refusal> {
    let field = "photoMediaIds";
    match &ids {
        Some(list) if list.len() > MOST_PHOTOS => Err(Refusal::invalid(field, format!("at most {MOST_PHOTOS}"))),
        Some(list) if list.iter().any(|id| id.is_empty() || id.len() > 200) => {
            Err(Refusal::invalid(field, "each has 1 to 200 characters"))
        }
        _ => Ok(ids),
    }
}

pub(super) async fn list(
    State(hk): State<Housekeeping>,
    Who(caller): Who,
    PropertyScope(properties): PropertyScope,
    paging: Paging,
    _: NoSince,
    Query(query): Query<ItemQuery>,
) -> Result<Json<Page<LostItemResource>>, Problem> {
    let statuses = query.status.map(|Words(statuses)| statuses);
    let look = async |uow: &mut _| {
        let (properties, statuses) = (properties.as_deref(), statuses.as_deref());
        lost_items::list(uow, properties, statuses, paging.after.as_deref(), paging.rows()).await
    };
    let found = hk.db.read(&SCHEMA, &caller.tenant, look).await?;
    let items = found.iter().map(|item| LostItemResource::from(item).of(&caller.tenant)).collect();
    Ok(Json(Page::cut(items, paging.limit, |item: &LostItemResource| item.id.to_string())))
}

pub(super) async fn show(
    State(hk): State<Housekeeping>,
    Who(caller): Who,
    Id(id): Id<LostItemId>,
) -> Result<Tagged<LostItemResource>, Problem> {
    let item = hk.db.read(&SCHEMA, &caller.tenant, async |uow| stories::look_up(uow, &caller, &id).await).await?;
    Ok(Tagged::new(&LostItemResource::from(&item).of(&caller.tenant), item.version))
}

pub(super) async fn record(
    State(hk): State<Housekeeping>,
    command: Command<RecordItem>,
) -> Answer<Created<LostItemResource>> {
    let body = &command.body;
    let story = async |uow: &mut _| {
        let find = Find {
            property_id: body.property_id.clone(),
            room_id: body.room_id.clone(),
            reservation_id: body.reservation_id.clone(),
            description: bodies::name("description", body.description.clone(), 2_000)?,
            photo_media_ids: photos(body.photo_media_ids.clone())?,
            storage_location: bodies::optional_name("storageLocation", body.storage_location.clone(), 200)?,
            finder: command.caller.as_staff()?,
        };
        let item = stories::record(uow, &command.caller, find).await?;
        let place = format!("/housekeeping/v1/lost-and-found/{}", item.id);
        let resource = LostItemResource::from(&item).of(&command.caller.tenant);
        Ok::<_, HousekeepingError>(Created::new(&resource, item.version, place))
    };
    command.run(&hk.db, &SCHEMA, story).await
}

pub(super) async fn claim(
    State(hk): State<Housekeeping>,
    Id(id): Id<LostItemId>,
    command: Command<MatchItem>,
) -> ItemAnswer {
    let MatchItem { claimant_name, claimant_phone } = &command.body;
    let story = async |uow: &mut _| {
        let name = bodies::name("claimantName", claimant_name.clone(), 200)?;
        let phone = bodies::optional_name("claimantPhone", claimant_phone.clone(), 50)?;
        Ok::<_, HousekeepingError>(changed(&command, &stories::claim(uow, on(&command, &id), name, phone).await?))
    };
    command.run(&hk.db, &SCHEMA, story).await
}

pub(super) async fn give_back(
    State(hk): State<Housekeeping>,
    Id(id): Id<LostItemId>,
    command: Command<NoBody>,
) -> ItemAnswer {
    command
        .run(&hk.db, &SCHEMA, async |uow| {
            Ok::<_, HousekeepingError>(changed(&command, &stories::give_back(uow, on(&command, &id)).await?))
        })
        .await
}

pub(super) async fn dispose(
    State(hk): State<Housekeeping>,
    Id(id): Id<LostItemId>,
    command: Command<DisposeItem>,
) -> ItemAnswer {
    let DisposeItem { method, note } = &command.body;
    let story = async |uow: &mut _| {
        let note = bodies::note("note", note.clone())?;
        Ok::<_, HousekeepingError>(changed(&command, &stories::dispose(uow, on(&command, &id), *method, note).await?))
    };
    command.run(&hk.db, &SCHEMA, story).await
}
