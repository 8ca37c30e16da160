//! Patterns of shifts over HTTP, and the shifts made of them.

use axum::Json;
use axum::extract::State;
use contracts::ids::{PositionId, PropertyId, ShiftPatternId};
use contracts::values::{LocalDate, LocalTime};
use platform::http::{
    Answer, Changed, Command, Created, Id, Page, Paging, Problem, PropertyScope, Query, Since, Tagged, Who,
};
use platform::{Refusal, UnitOfWork};
use schemars::JsonSchema;
use serde::Deserialize;

use super::bodies::named;
use super::checks;
use crate::application::patterns::{self as stories, MOST_DAYS, PatternWish};
use crate::application::planning_views::{GeneratedResource, PatternResource};
use crate::domain::leave::Days;
use crate::domain::pattern::{Assignee, Cycle, Recurrence, Template};
use crate::domain::words::Weekday;
use crate::infrastructure::patterns;
use crate::presentation::Staff;
use crate::{SCHEMA, StaffError};

const MOST_ASSIGNEES: usize = 100;

#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct AddPattern {
    pub property_id: PropertyId,
    pub position_id: PositionId,
    pub name: String,
    pub start_local: LocalTime,
    /// Not after the start: on the next day.
    pub end_local: LocalTime,
    /// This or `cycle`.
    pub days_of_week: Option<Vec<Weekday>>,
    pub cycle: Option<Cycle>,
    pub valid_from: LocalDate,
    /// The last day.
    pub valid_to: Option<LocalDate>,
    pub primary_headcount: i32,
    pub standby_headcount: Option<i32>,
    pub break_minutes: Option<i32>,
    #[serde(default)]
    pub assignees: Vec<Assignee>,
    pub active: Option<bool>,
}

#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChangePattern {
    pub position_id: Option<PositionId>,
    pub name: Option<String>,
    pub start_local: Option<LocalTime>,
    pub end_local: Option<LocalTime>,
    /// This or `cycle`.
    pub days_of_week: Option<Vec<Weekday>>,
    pub cycle: Option<Cycle>,
    pub valid_from: Option<LocalDate>,
    #[serde(default, deserialize_with = "named")]
    #[schemars(with = "Option<LocalDate>")]
    pub valid_to: Option<Option<LocalDate>>,
    pub primary_headcount: Option<i32>,
    pub standby_headcount: Option<i32>,
    #[serde(default, deserialize_with = "named")]
    #[schemars(with = "Option<i32>")]
    pub break_minutes: Option<Option<i32>>,
    pub assignees: Option<Vec<Assignee>>,
    pub active: Option<bool>,
}

#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct GenerateShifts {
    pub property_id: PropertyId,
    /// The first day.
    pub from: LocalDate,
    /// The last day; 62 at most.
    pub to: LocalDate,
    /// All of the house, where none is named.
    pub pattern_ids: Option<Vec<ShiftPatternId>>,
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct PatternQuery {
    /// Only those that are in use, or only those that are not.
    active: Option<bool>,
}

fn recurrence(days: Option<Vec<Weekday>>, cycle: Option<Cycle>) -> Result<Option<Recurrence>, Refusal> {
    match (days, cycle) {
        (Some(mut days), None) => {
            days.sort();
            days.dedup();
            Ok(Some(Recurrence::Weekly(days)))
        }
        (None, Some(cycle)) if cycle.on_days.len() <= 366 => Ok(Some(Recurrence::Cycle(cycle))),
        (None, None) => Ok(None),
        _ => Err(Refusal::invalid("daysOfWeek", "this or cycle, and not both")),
    }
}

fn assignees(list: Vec<Assignee>) -> Result<Vec<Assignee>, Refusal> {
    if list.len() > MOST_ASSIGNEES {
        return Err(Refusal::invalid("assignees", format!("at most {MOST_ASSIGNEES}")));
    }
    Ok(list)
}

pub(super) async fn list(
    State(staff): State<Staff>,
    Who(caller): Who,
    PropertyScope(properties): PropertyScope,
    paging: Paging,
    since: Since,
    Query(query): Query<PatternQuery>,
) -> Result<Json<Page<PatternResource>>, Problem> {
    let look = async |uow: &mut UnitOfWork| {
        patterns::list(uow, properties.as_deref(), query.active, paging.after.as_deref(), paging.rows()).await
    };
    let found = staff.db.read(&SCHEMA, &caller.tenant, look).await?;
    let items = found.iter().map(|pattern| PatternResource::of(pattern, &caller.tenant)).collect();
    let page = Page::cut(items, paging.limit, |pattern: &PatternResource| pattern.pattern_id.to_string());
    Ok(Json(page.since(&since, |pattern| pattern.updated_at)))
}

pub(super) async fn show(
    State(staff): State<Staff>,
    Who(caller): Who,
    Id(id): Id<ShiftPatternId>,
) -> Result<Tagged<PatternResource>, Problem> {
    let look = async |uow: &mut UnitOfWork| stories::look_up(uow, &caller, &id).await;
    let pattern = staff.db.read(&SCHEMA, &caller.tenant, look).await?;
    Ok(Tagged::new(&PatternResource::of(&pattern, &caller.tenant), pattern.version))
}

pub(super) async fn add(State(staff): State<Staff>, command: Command<AddPattern>) -> Answer<Created<PatternResource>> {
    let story = async |uow: &mut UnitOfWork| {
        let body = command.body.clone();
        let wanted = recurrence(body.days_of_week, body.cycle)?;
        let template = Template {
            position_id: body.position_id,
            name: checks::name("name", body.name)?,
            start_local: body.start_local,
            end_local: body.end_local,
            recurrence: wanted.ok_or_else(|| Refusal::invalid("daysOfWeek", "this or cycle"))?,
            valid_from: body.valid_from,
            valid_to: body.valid_to,
            primary_headcount: body.primary_headcount,
            standby_headcount: body.standby_headcount.unwrap_or(0),
            break_minutes: body.break_minutes,
            assignees: assignees(body.assignees)?,
            active: body.active.unwrap_or(true),
        };
        let pattern = stories::add(uow, &command.caller, body.property_id, template).await?;
        let location = format!("/staff/v1/shift-patterns/{}", pattern.id);
        let shown = PatternResource::of(&pattern, &command.caller.tenant);
        Ok::<_, StaffError>(Created::new(&shown, pattern.version, location))
    };
    command.run(&staff.db, &SCHEMA, story).await
}

pub(super) async fn change(
    State(staff): State<Staff>,
    Id(id): Id<ShiftPatternId>,
    command: Command<ChangePattern>,
) -> Answer<Changed<PatternResource>> {
    let story = async |uow: &mut UnitOfWork| {
        let body = command.body.clone();
        let wish = PatternWish {
            position_id: body.position_id,
            name: body.name.map(|name| checks::name("name", name)).transpose()?,
            start_local: body.start_local,
            end_local: body.end_local,
            recurrence: recurrence(body.days_of_week, body.cycle)?,
            valid_from: body.valid_from,
            valid_to: body.valid_to,
            primary_headcount: body.primary_headcount,
            standby_headcount: body.standby_headcount,
            break_minutes: body.break_minutes,
            assignees: body.assignees.map(assignees).transpose()?,
            active: body.active,
        };
        let pattern = stories::change(uow, &command.caller, command.if_match.as_ref(), &id, wish).await?;
        let shown = PatternResource::of(&pattern, &command.caller.tenant);
        Ok::<_, StaffError>(Changed::new(&shown, pattern.version))
    };
    command.run(&staff.db, &SCHEMA, story).await
}

pub(super) async fn generate(
    State(staff): State<Staff>,
    command: Command<GenerateShifts>,
) -> Answer<Changed<GeneratedResource>> {
    let story = async |uow: &mut UnitOfWork| {
        let GenerateShifts { property_id, from, to, pattern_ids } = &command.body;
        command.caller.within(property_id)?;
        let days = Days { from: *from, to: *to };
        if !(1..=MOST_DAYS).contains(&days.count()) {
            let rule = format!("not before from, and at most {MOST_DAYS} days in all");
            return Err(Refusal::invalid("to", rule).into());
        }
        let made = stories::generate(uow, property_id, days, pattern_ids.as_deref()).await?;
        Ok::<_, StaffError>(Changed::unversioned(&GeneratedResource::from(made)))
    };
    command.run(&staff.db, &SCHEMA, story).await
}
