//! Wishes to change places over HTTP.

use axum::Json;
use axum::extract::State;
use contracts::ids::{AssignmentId, StaffId, SwapRequestId};
use platform::UnitOfWork;
use platform::http::{
    Answer, Changed, Command, Created, Id, NoBody, Page, Paging, Problem, PropertyScope, Query, Since, Tagged, Who,
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::checks;
use crate::application::clock::visible;
use crate::application::planning_views::SwapRequestResource;
use crate::application::swap_requests as stories;
use crate::domain::swap_request::SwapAnswer;
use crate::infrastructure::swap_requests;
use crate::presentation::Staff;
use crate::{SCHEMA, StaffError};

#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ProposeSwap {
    /// One's own place.
    pub left_assignment_id: AssignmentId,
    /// The place one wants instead.
    pub right_assignment_id: AssignmentId,
    pub note: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SwapQuery {
    /// Of whom; leaders may ask for anybody's, others for their own.
    staff_id: Option<StaffId>,
}

pub(super) async fn propose(
    State(staff): State<Staff>,
    command: Command<ProposeSwap>,
) -> Answer<Created<SwapRequestResource>> {
    let story = async |uow: &mut UnitOfWork| {
        let ProposeSwap { left_assignment_id, right_assignment_id, note } = command.body.clone();
        let places = (&left_assignment_id, &right_assignment_id);
        let request = stories::propose(uow, &command.caller, places, checks::note("note", note)?).await?;
        let location = format!("/staff/v1/shifts/swap-requests/{}", request.id);
        let shown = SwapRequestResource::of(&request, true, &command.caller.tenant, None);
        Ok::<_, StaffError>(Created::new(&shown, request.version, location))
    };
    command.run(&staff.db, &SCHEMA, story).await
}

pub(super) async fn list(
    State(staff): State<Staff>,
    Who(caller): Who,
    PropertyScope(properties): PropertyScope,
    paging: Paging,
    since: Since,
    Query(query): Query<SwapQuery>,
) -> Result<Json<Page<SwapRequestResource>>, Problem> {
    let look = async |uow: &mut UnitOfWork| {
        let whose = visible(&caller, query.staff_id)?;
        let houses = properties.filter(|_| whose.is_none() || whose != caller.staff);
        swap_requests::list(uow, houses.as_deref(), whose.as_ref(), paging.after.as_deref(), paging.rows()).await
    };
    let found = staff.db.read(&SCHEMA, &caller.tenant, look).await?;
    let shown = |(request, stands): &(_, bool)| SwapRequestResource::of(request, *stands, &caller.tenant, None);
    let items = found.iter().map(shown).collect();
    let page = Page::cut(items, paging.limit, |one: &SwapRequestResource| one.swap_request_id.to_string());
    Ok(Json(page.since(&since, |one| one.updated_at)))
}

pub(super) async fn show(
    State(staff): State<Staff>,
    Who(caller): Who,
    Id(id): Id<SwapRequestId>,
) -> Result<Tagged<SwapRequestResource>, Problem> {
    let look = async |uow: &mut UnitOfWork| stories::look_up(uow, &caller, &id).await;
    let (request, stands) = staff.db.read(&SCHEMA, &caller.tenant, look).await?;
    Ok(Tagged::new(&SwapRequestResource::of(&request, stands, &caller.tenant, None), request.version))
}

async fn answer(
    staff: Staff,
    id: SwapRequestId,
    command: Command<NoBody>,
    answer: SwapAnswer,
) -> Answer<Changed<SwapRequestResource>> {
    let story = async |uow: &mut UnitOfWork| {
        let (request, said) = stories::answer(uow, &command.caller, command.if_match.as_ref(), &id, answer).await?;
        let warnings = (answer == SwapAnswer::Approve).then_some(said);
        let shown = SwapRequestResource::of(&request, true, &command.caller.tenant, warnings);
        Ok::<_, StaffError>(Changed::new(&shown, request.version))
    };
    command.run(&staff.db, &SCHEMA, story).await
}

pub(super) async fn accept(
    State(staff): State<Staff>,
    Id(id): Id<SwapRequestId>,
    command: Command<NoBody>,
) -> Answer<Changed<SwapRequestResource>> {
    answer(staff, id, command, SwapAnswer::Accept).await
}

pub(super) async fn decline(
    State(staff): State<Staff>,
    Id(id): Id<SwapRequestId>,
    command: Command<NoBody>,
) -> Answer<Changed<SwapRequestResource>> {
    answer(staff, id, command, SwapAnswer::Decline).await
}

pub(super) async fn withdraw(
    State(staff): State<Staff>,
    Id(id): Id<SwapRequestId>,
    command: Command<NoBody>,
) -> Answer<Changed<SwapRequestResource>> {
    answer(staff, id, command, SwapAnswer::Withdraw).await
}

pub(super) async fn approve(
    State(staff): State<Staff>,
    Id(id): Id<SwapRequestId>,
    command: Command<NoBody>,
) -> Answer<Changed<SwapRequestResource>> {
    answer(staff, id, command, SwapAnswer::Approve).await
}
