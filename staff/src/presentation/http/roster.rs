//! Rosters, presence, one's own affairs and timesheets over HTTP.

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use contracts::ids::StaffId;
use contracts::values::LocalDate;
use platform::auth::Caller;
use platform::http::{
    Describe, NoSince, OneProperty, Operation, Page, Problem, PropertyScope, Query, Since, Tagged, Who, WholeList,
};
use platform::{Refusal, UnitOfWork};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::application::clock::visible;
use crate::application::leave;
use crate::application::roster::{self as stories, OnNow, Roster};
use crate::application::shift_views::ShiftResource;
use crate::application::shifts::attended_all;
use crate::application::timesheet::{self, TimesheetFilter, TimesheetRow};
use crate::application::views::PersonResource;
use crate::application::{day_of, is_manager, own_id};
use crate::domain::leave::Days;
use crate::infrastructure::rosters::RosterKey;
use crate::infrastructure::shifts::{self, ShiftFilter};
use crate::infrastructure::{people, settings};
use crate::presentation::Staff;
use crate::{SCHEMA, StaffError};

#[derive(Deserialize, JsonSchema)]
pub(super) struct RosterQuery {
    /// The first of seven days; today, where none is named.
    from: Option<LocalDate>,
}

/// A roster as it was composed, now or a while ago.
pub(super) struct RosterAnswer(Bytes);

impl IntoResponse for RosterAnswer {
    fn into_response(self) -> Response {
        ([(header::CONTENT_TYPE, "application/json")], self.0).into_response()
    }
}

impl Describe for RosterAnswer {
    fn describe(operation: &mut Operation<'_>) {
        Json::<Roster>::describe(operation);
    }
}

pub(super) async fn roster(
    State(staff): State<Staff>,
    Who(caller): Who,
    OneProperty(house): OneProperty,
    Query(query): Query<RosterQuery>,
) -> Result<RosterAnswer, Problem> {
    let look = async |uow: &mut UnitOfWork| {
        let from = match query.from {
            Some(day) => day,
            None => day_of(uow.now(), &settings::in_force(uow, &house).await?),
        };
        stories::show(uow, &staff.rosters, RosterKey { tenant: caller.tenant.clone(), house, from }).await
    };
    Ok(RosterAnswer(Bytes::from_owner(staff.db.read(&SCHEMA, &caller.tenant, look).await?)))
}

pub(super) async fn on_now(
    State(staff): State<Staff>,
    Who(caller): Who,
    OneProperty(house): OneProperty,
    WholeList(paging): WholeList,
    _: NoSince,
) -> Result<Json<Page<OnNow>>, Problem> {
    let look = async |uow: &mut UnitOfWork| stories::on_now(uow, &house).await;
    let there = staff.db.read(&SCHEMA, &caller.tenant, look).await?;
    Ok(Json(Page::of(there, &paging, |one| one.staff_id.to_string())?))
}

pub(super) async fn me(State(staff): State<Staff>, Who(caller): Who) -> Result<Tagged<PersonResource>, Problem> {
    let look = async |uow: &mut UnitOfWork| {
        let own = own_id(&caller)?;
        let person = people::find(uow, &own).await?.ok_or(Refusal::NotFound("person"))?;
        let away = leave::is_on_leave(uow, &person).await?;
        Ok::<_, StaffError>((person, away))
    };
    let (person, away) = staff.db.read(&SCHEMA, &caller.tenant, look).await?;
    Ok(Tagged::new(&PersonResource::of(&person, &caller).away(&person, away), person.version))
}

/// As far ahead as shifts are planned.
const MOST_OWN_DAYS: i32 = 366;

#[derive(Clone, Copy, Deserialize, JsonSchema)]
pub(super) struct DaysQuery {
    /// The first day.
    from: LocalDate,
    /// The last day.
    to: LocalDate,
}

pub(super) async fn my_shifts(
    State(staff): State<Staff>,
    Who(caller): Who,
    WholeList(paging): WholeList,
    since: Since,
    Query(query): Query<DaysQuery>,
) -> Result<Json<Page<ShiftResource>>, Problem> {
    let look = async |uow: &mut UnitOfWork| {
        let own = own_id(&caller)?;
        let DaysQuery { from, to } = query;
        if (Days { from, to }).count() > MOST_OWN_DAYS {
            return Err(Refusal::invalid("to", format!("at most {MOST_OWN_DAYS} days in all")).into());
        }
        let filter = ShiftFilter { from: Some(from), to: Some(to), staff: Some(own), ..ShiftFilter::default() };
        // Nobody is in two places at a time: there are no more than the days have room for.
        let found = shifts::list(uow, &filter, i64::MAX).await?;
        attended_all(uow, found).await
    };
    let found = staff.db.read(&SCHEMA, &caller.tenant, look).await?;
    let now = staff.db.clock().now();
    let found = found.iter().filter(|(shift, _)| since.keeps(shift.updated_at));
    let items = found.map(|(shift, there)| ShiftResource::of(shift, there, &caller.tenant, now)).collect();
    Ok(Json(Page::of(items, &paging, |shift: &ShiftResource| shift.shift_id.to_string())?))
}

pub(super) async fn my_timesheet(
    State(staff): State<Staff>,
    Who(caller): Who,
    WholeList(paging): WholeList,
    _: NoSince,
    Query(query): Query<DaysQuery>,
) -> Result<Json<Page<TimesheetRow>>, Problem> {
    let look = async |uow: &mut UnitOfWork| {
        let own = own_id(&caller)?;
        let filter = TimesheetFilter { properties: None, staff: Some(own), from: query.from, to: query.to };
        timesheet::rows(uow, &filter).await
    };
    Ok(Json(Page::of(staff.db.read(&SCHEMA, &caller.tenant, look).await?, &paging, place)?))
}

/// A span is somebody's, in a house, from when they came.
fn place(row: &TimesheetRow) -> String {
    format!("{}/{}/{}", row.staff_id, row.property_id, row.came)
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct TimesheetQuery {
    /// Whose; leaders may ask for anybody's, others for their own.
    staff_id: Option<StaffId>,
    /// The first day.
    from: LocalDate,
    /// The last day; 62 at most.
    to: LocalDate,
}

async fn asked(
    uow: &mut UnitOfWork,
    caller: &Caller,
    scope: PropertyScope,
    query: TimesheetQuery,
) -> Result<Vec<TimesheetRow>, StaffError> {
    let staff = visible(caller, query.staff_id)?;
    let filter = TimesheetFilter { properties: scope.0, staff, from: query.from, to: query.to };
    timesheet::rows(uow, &filter).await
}

pub(super) async fn timesheets(
    State(staff): State<Staff>,
    Who(caller): Who,
    scope: PropertyScope,
    WholeList(paging): WholeList,
    _: NoSince,
    Query(query): Query<TimesheetQuery>,
) -> Result<Json<Page<TimesheetRow>>, Problem> {
    let look = async |uow: &mut UnitOfWork| asked(uow, &caller, scope, query).await;
    Ok(Json(Page::of(staff.db.read(&SCHEMA, &caller.tenant, look).await?, &paging, place)?))
}

/// A table for a spreadsheet.
pub(super) struct Csv(String);

impl IntoResponse for Csv {
    fn into_response(self) -> Response {
        let kind = HeaderValue::from_static("text/csv; charset=utf-8; header=present");
        ([(header::CONTENT_TYPE, kind)], self.0).into_response()
    }
}

impl Describe for Csv {
    fn describe(operation: &mut Operation<'_>) {
        operation.answers_as(200, "text/csv", "RFC 4180, with a header row.");
    }
}

pub(super) async fn export(
    State(staff): State<Staff>,
    Who(caller): Who,
    scope: PropertyScope,
    Query(query): Query<TimesheetQuery>,
) -> Result<Csv, Problem> {
    let look = async |uow: &mut UnitOfWork| {
        // A supervisor sees the rows, and exports only what is their own.
        let mut query = query;
        if !is_manager(&caller) {
            let own = own_id(&caller)?;
            if query.staff_id.as_ref().is_some_and(|asked| *asked != own) {
                return Err(StaffError::NotSelf { field: "staffId" });
            }
            query.staff_id = Some(own);
        }
        asked(uow, &caller, scope, query).await
    };
    Ok(Csv(timesheet::csv(&staff.db.read(&SCHEMA, &caller.tenant, look).await?)))
}
