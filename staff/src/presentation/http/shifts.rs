//! Shifts over HTTP.

use axum::Json;
use axum::extract::State;
use contracts::ids::{AssignmentId, PositionId, ShiftId, StaffId};
use contracts::time::Timestamp;
use contracts::values::LocalDate;
use platform::http::{
    Answer, Changed, Command, Created, Done, Id, NoBody, Page, Paging, Problem, PropertyScope, Query, Since, Tagged,
    TwoIds, Who, Words,
};
use platform::{Refusal, UnitOfWork};
use schemars::JsonSchema;
use serde::Deserialize;

use super::checks;
use super::shift_bodies::{AssignStaff, CancelShift, ChangeShift, CreateShift, PromoteStandby, SwapPlaces};
use crate::application::shift_views::{GivenResource, ShiftResource, SwapResource};
use crate::application::shifts::{self as stories, NewShift, ShiftWish};
use crate::domain::shift::Shift;
use crate::domain::words::{PlaceRole, ShiftStatus};
use crate::infrastructure::shifts::{self, ShiftFilter};
use crate::presentation::Staff;
use crate::{SCHEMA, StaffError};

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ShiftQuery {
    /// The first day, on the clock of the house.
    from: Option<LocalDate>,
    /// The last day.
    to: Option<LocalDate>,
    position_id: Option<PositionId>,
    /// Shifts that are one of these, with commas between them.
    status: Option<Words<ShiftStatus>>,
    /// Shifts on which this person has a place.
    staff_id: Option<StaffId>,
}

/// A cursor of moment and id: `1776839400000.shf_…`.
pub(super) fn after(text: Option<&str>) -> Result<Option<(Timestamp, String)>, Refusal> {
    let Some(text) = text else { return Ok(None) };
    let read = text.split_once('.').and_then(|(millis, id)| Some((millis.parse().ok()?, id.to_owned())));
    let (millis, id) = read.ok_or_else(|| Refusal::invalid("cursor", "take it from `nextCursor`, unchanged"))?;
    Ok(Some((Timestamp::from_millis(millis), id)))
}

pub(super) fn cursor(at: Timestamp, id: &impl std::fmt::Display) -> String {
    format!("{}.{id}", at.as_millis())
}

pub(super) async fn list(
    State(staff): State<Staff>,
    Who(caller): Who,
    PropertyScope(properties): PropertyScope,
    paging: Paging,
    since: Since,
    Query(query): Query<ShiftQuery>,
) -> Result<Json<Page<ShiftResource>>, Problem> {
    let look = async |uow: &mut UnitOfWork| {
        let filter = ShiftFilter {
            properties,
            from: query.from,
            to: query.to,
            position: query.position_id,
            statuses: query.status.map(|Words(words)| words),
            staff: query.staff_id,
            after: after(paging.after.as_deref())?,
        };
        let found = shifts::list(uow, &filter, paging.rows()).await?;
        stories::attended_all(uow, found).await
    };
    let found = staff.db.read(&SCHEMA, &caller.tenant, look).await?;
    let now = staff.db.clock().now();
    let items = found.iter().map(|(shift, there)| ShiftResource::of(shift, there, &caller.tenant, now)).collect();
    let key = |shift: &ShiftResource| cursor(shift.window_utc.start_utc, &shift.shift_id);
    Ok(Json(Page::cut(items, paging.limit, key).since(&since, |shift| shift.updated_at)))
}

pub(super) async fn show(
    State(staff): State<Staff>,
    Who(caller): Who,
    Id(id): Id<ShiftId>,
) -> Result<Tagged<ShiftResource>, Problem> {
    let look = async |uow: &mut _| {
        let shift = stories::look_up(uow, &caller, &id).await?;
        stories::attended(uow, shift).await
    };
    let (shift, there) = staff.db.read(&SCHEMA, &caller.tenant, look).await?;
    let shown = ShiftResource::of(&shift, &there, &caller.tenant, staff.db.clock().now());
    Ok(Tagged::new(&shown, shift.version))
}

fn heads(field: &'static str, count: i32, least: i32) -> Result<i32, Refusal> {
    if (least..=500).contains(&count) {
        Ok(count)
    } else {
        Err(Refusal::invalid(field, format!("from {least} to 500")))
    }
}

fn rest(minutes: Option<i32>) -> Result<Option<i32>, Refusal> {
    match minutes {
        Some(minutes) if !(0..=1_440).contains(&minutes) => Err(Refusal::invalid("breakMinutes", "from 0 to 1440")),
        other => Ok(other),
    }
}

async fn shown<T>(uow: &mut UnitOfWork, command: &Command<T>, shift: Shift) -> Result<ShiftResource, StaffError> {
    let (shift, there) = stories::attended(uow, shift).await?;
    Ok(ShiftResource::of(&shift, &there, &command.caller.tenant, uow.now()))
}

pub(super) async fn create(
    State(staff): State<Staff>,
    command: Command<CreateShift>,
) -> Answer<Created<ShiftResource>> {
    let story = async |uow: &mut UnitOfWork| {
        let body = command.body.clone();
        let new = NewShift {
            when: body.when()?,
            property_id: body.property_id,
            position_id: body.position_id,
            primary_headcount: heads("primaryHeadcount", body.primary_headcount.unwrap_or(1), 1)?,
            standby_headcount: heads("standbyHeadcount", body.standby_headcount.unwrap_or(0), 0)?,
            break_minutes: rest(body.break_minutes)?,
            note: checks::note("note", body.note)?,
        };
        let shift = stories::schedule(uow, &command.caller, new).await?;
        let (version, location) = (shift.version, format!("/staff/v1/shifts/{}", shift.id));
        Ok::<_, StaffError>(Created::new(&shown(uow, &command, shift).await?, version, location))
    };
    command.run(&staff.db, &SCHEMA, story).await
}

pub(super) async fn change(
    State(staff): State<Staff>,
    Id(id): Id<ShiftId>,
    command: Command<ChangeShift>,
) -> Answer<Changed<ShiftResource>> {
    let story = async |uow: &mut UnitOfWork| {
        let body = command.body.clone();
        let wish = ShiftWish {
            when: body.local_window.map(Into::into),
            primary_headcount: body.primary_headcount.map(|count| heads("primaryHeadcount", count, 1)).transpose()?,
            standby_headcount: body.standby_headcount.map(|count| heads("standbyHeadcount", count, 0)).transpose()?,
            note: body.note.map(|note| checks::note("note", note)).transpose()?,
        };
        let (shift, there) = stories::reschedule(uow, &command.caller, command.if_match.as_ref(), &id, wish).await?;
        let shown = ShiftResource::of(&shift, &there, &command.caller.tenant, uow.now());
        Ok::<_, StaffError>(Changed::new(&shown, shift.version))
    };
    command.run(&staff.db, &SCHEMA, story).await
}

pub(super) async fn cancel(
    State(staff): State<Staff>,
    Id(id): Id<ShiftId>,
    command: Command<CancelShift>,
) -> Answer<Changed<ShiftResource>> {
    let story = async |uow: &mut UnitOfWork| {
        let how = (command.body.force, checks::note("note", command.body.note.clone())?);
        let shift = stories::cancel(uow, &command.caller, command.if_match.as_ref(), &id, how).await?;
        let version = shift.version;
        Ok::<_, StaffError>(Changed::new(&shown(uow, &command, shift).await?, version))
    };
    command.run(&staff.db, &SCHEMA, story).await
}

pub(super) async fn assign(
    State(staff): State<Staff>,
    Id(id): Id<ShiftId>,
    command: Command<AssignStaff>,
) -> Answer<Created<GivenResource>> {
    let AssignStaff { staff_id, role, force } = &command.body;
    let story = async |uow: &mut UnitOfWork| {
        let whom = (staff_id, role.unwrap_or(PlaceRole::Primary), *force);
        let given = stories::assign(uow, &command.caller, (&id, command.if_match.as_ref()), whom).await?;
        let (version, location) = (given.place.version, format!("/staff/v1/shifts/{id}"));
        Ok::<_, StaffError>(Created::new(&GivenResource::from(given), version, location))
    };
    command.run(&staff.db, &SCHEMA, story).await
}

pub(super) async fn unassign(
    State(staff): State<Staff>,
    TwoIds(id, place): TwoIds<ShiftId, AssignmentId>,
    command: Command<NoBody>,
) -> Answer<Done> {
    let story = async |uow: &mut UnitOfWork| {
        stories::unassign(uow, &command.caller, command.if_match.as_ref(), &id, &place).await?;
        Ok::<_, StaffError>(Done::new())
    };
    command.run(&staff.db, &SCHEMA, story).await
}

pub(super) async fn promote(
    State(staff): State<Staff>,
    Id(id): Id<ShiftId>,
    command: Command<PromoteStandby>,
) -> Answer<Created<GivenResource>> {
    let PromoteStandby { assignment_id, force } = &command.body;
    let story = async |uow: &mut UnitOfWork| {
        let whom = (assignment_id.as_ref(), *force);
        let given = stories::promote(uow, &command.caller, (&id, command.if_match.as_ref()), whom).await?;
        let (version, location) = (given.place.version, format!("/staff/v1/shifts/{id}"));
        Ok::<_, StaffError>(Created::new(&GivenResource::from(given), version, location))
    };
    command.run(&staff.db, &SCHEMA, story).await
}

pub(super) async fn swap(State(staff): State<Staff>, command: Command<SwapPlaces>) -> Answer<Changed<SwapResource>> {
    let SwapPlaces { left_assignment_id, right_assignment_id } = &command.body;
    let story = async |uow: &mut UnitOfWork| {
        let swapped = stories::swap(uow, &command.caller, left_assignment_id, right_assignment_id).await?;
        Ok::<_, StaffError>(Changed::unversioned(&SwapResource::from(swapped)))
    };
    command.run(&staff.db, &SCHEMA, story).await
}
