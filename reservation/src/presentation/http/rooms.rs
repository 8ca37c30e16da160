//! Rooms, room types and prices over HTTP.

use axum::Json;
use axum::extract::State;
use contracts::ids::{RoomId, RoomTypeId};
use platform::http::{Answer, Command, Done, Id, NoSince, OneProperty, Page, Paging, Problem, Who, WholeList};

use super::bodies::{self, PutRates, PutRoom, PutRoomType, PutSellLimits};
use super::put::Put;
use crate::application::rooms as stories;
use crate::application::views::{RoomTypeResource, SoldRoomResource};
use crate::domain::rooms::{RoomWords, TypeWords};
use crate::infrastructure::rooms;
use crate::presentation::FrontOffice;
use crate::{ReservationError, SCHEMA};

pub(super) async fn list_types(
    State(office): State<FrontOffice>,
    Who(caller): Who,
    OneProperty(property): OneProperty,
    WholeList(paging): WholeList,
    _: NoSince,
) -> Result<Json<Page<RoomTypeResource>>, Problem> {
    let look = async |uow: &mut _| rooms::list_types(uow, &property).await;
    let found = office.db.read(&SCHEMA, &caller.tenant, look).await?;
    let found = found.iter().map(RoomTypeResource::from).collect();
    Ok(Json(Page::of(found, &paging, |one: &RoomTypeResource| one.room_type_id.to_string())?))
}

pub(super) async fn list(
    State(office): State<FrontOffice>,
    Who(caller): Who,
    OneProperty(property): OneProperty,
    paging: Paging,
    _: NoSince,
) -> Result<Json<Page<SoldRoomResource>>, Problem> {
    let look = async |uow: &mut _| rooms::list(uow, &property, paging.after.as_deref(), paging.rows()).await;
    let found = office.db.read(&SCHEMA, &caller.tenant, look).await?;
    let items = found.iter().map(SoldRoomResource::from).collect();
    Ok(Json(Page::cut(items, paging.limit, |room: &SoldRoomResource| room.room_id.to_string())))
}

pub(super) async fn put_type(
    State(office): State<FrontOffice>,
    Id(id): Id<RoomTypeId>,
    command: Command<PutRoomType>,
) -> Answer<Put<RoomTypeResource>> {
    let body = &command.body;
    let story = async |uow: &mut _| {
        if body.max_occupancy.is_some_and(|most| !(1..=100).contains(&most)) {
            return Err(platform::Refusal::invalid("maxOccupancy", "from 1 to 100").into());
        }
        let words = TypeWords {
            name: bodies::word("name", body.name.clone(), 100)?,
            max_occupancy: body.max_occupancy,
            base_rate: body.base_rate_micro.map(|rate| bodies::price("baseRateMicro", rate)).transpose()?,
            overbooking: bodies::overbooking(body.overbooking)?,
        };
        let of = (&id, &body.property_id);
        let described = stories::describe_type(uow, &command.caller, command.if_match.as_ref(), of, words).await?;
        let resource = RoomTypeResource::from(&described.thing);
        let location = format!("/reservation/v1/room-types?propertyId={}", body.property_id);
        Ok::<_, ReservationError>(Put::new(&resource, described.thing.version, location, described.is_new))
    };
    command.run(&office.db, &SCHEMA, story).await
}

pub(super) async fn put_room(
    State(office): State<FrontOffice>,
    Id(id): Id<RoomId>,
    command: Command<PutRoom>,
) -> Answer<Put<SoldRoomResource>> {
    let body = &command.body;
    let story = async |uow: &mut _| {
        let words = RoomWords {
            room_type_id: body.room_type_id.clone(),
            number: bodies::word("number", body.number.clone(), 20)?,
            floor: bodies::word("floor", body.floor.clone(), 20)?,
            archived: body.archived,
        };
        let of = (&id, &body.property_id);
        let described = stories::describe_room(uow, &command.caller, command.if_match.as_ref(), of, words).await?;
        let resource = SoldRoomResource::from(&described.thing);
        let location = format!("/reservation/v1/rooms?propertyId={}", body.property_id);
        Ok::<_, ReservationError>(Put::new(&resource, described.thing.version, location, described.is_new))
    };
    command.run(&office.db, &SCHEMA, story).await
}

pub(super) async fn put_rates(
    State(office): State<FrontOffice>,
    Id(id): Id<RoomTypeId>,
    command: Command<PutRates>,
) -> Answer<Done> {
    let PutRates { from, to, rate_micro } = &command.body;
    let story = async |uow: &mut _| {
        let nights = bodies::priced_nights(*from, *to)?;
        let by = (&*command.caller, command.if_match.as_ref());
        let rate = bodies::price("rateMicro", *rate_micro)?;
        stories::set_rates(uow, by, &id, nights, rate).await?;
        Ok::<_, ReservationError>(Done::new())
    };
    command.run(&office.db, &SCHEMA, story).await
}

pub(super) async fn put_sell_limits(
    State(office): State<FrontOffice>,
    Id(id): Id<RoomTypeId>,
    command: Command<PutSellLimits>,
) -> Answer<Done> {
    let PutSellLimits { from, to, overbooking } = &command.body;
    let story = async |uow: &mut _| {
        let nights = bodies::priced_nights(*from, *to)?;
        let by = (&*command.caller, command.if_match.as_ref());
        bodies::overbooking(Some(*overbooking))?;
        stories::set_sell_limits(uow, by, &id, nights, *overbooking).await?;
        Ok::<_, ReservationError>(Done::new())
    };
    command.run(&office.db, &SCHEMA, story).await
}
