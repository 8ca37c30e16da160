//! Linen over HTTP.

use axum::Json;
use axum::extract::State;
use contracts::ids::{LinenLineId, PropertyId, TaskId};
use platform::Refusal;
use platform::http::{Answer, Changed, Command, Created, Id, OneProperty, Page, Paging, Problem, Since, Tagged, Who};
use schemars::JsonSchema;
use serde::Deserialize;

use super::bodies;
use crate::application::linen::{self as stories, NewLine};
use crate::application::stock_views::{LinenLineResource, LinenMovementResource};
use crate::domain::linen::{Direction, Movement};
use crate::infrastructure::linen;
use crate::presentation::Housekeeping;
use crate::{HousekeepingError, SCHEMA};

/// Nobody moves or counts more at once.
const MOST_AT_ONCE: i32 = 100_000;

type LineAnswer = Answer<Changed<LinenLineResource>>;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct OpenLine {
    property_id: PropertyId,
    line: String,
    on_hand: i32,
    #[serde(default)]
    low_watermark: i32,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Move {
    /// Pieces; for an adjustment the difference, with its sign.
    count: i32,
    task_id: Option<TaskId>,
    note: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SetMark {
    /// Fewer than this are too few.
    low_watermark: i32,
}

fn counted(field: &'static str, count: i32, bounds: std::ops::RangeInclusive<i32>) -> Result<i32, Refusal> {
    let rule = || format!("a whole number from {} to {}", bounds.start(), bounds.end());
    if bounds.contains(&count) { Ok(count) } else { Err(Refusal::invalid(field, rule())) }
}

pub(super) async fn list(
    State(hk): State<Housekeeping>,
    Who(caller): Who,
    OneProperty(property): OneProperty,
    paging: Paging,
    since: Since,
) -> Result<Json<Page<LinenLineResource>>, Problem> {
    let look = async |uow: &mut _| linen::list(uow, &property, paging.after.as_deref(), paging.rows()).await;
    let found = hk.db.read(&SCHEMA, &caller.tenant, look).await?;
    let items = found.iter().map(|line| LinenLineResource::from(line).of(&caller.tenant)).collect();
    let page = Page::cut(items, paging.limit, |line: &LinenLineResource| line.id.to_string());
    Ok(Json(page.since(&since, |line| line.updated_at)))
}

pub(super) async fn show(
    State(hk): State<Housekeeping>,
    Who(caller): Who,
    Id(id): Id<LinenLineId>,
) -> Result<Tagged<LinenLineResource>, Problem> {
    let line = hk.db.read(&SCHEMA, &caller.tenant, async |uow| stories::look_up(uow, &caller, &id).await).await?;
    Ok(Tagged::new(&LinenLineResource::from(&line).of(&caller.tenant), line.version))
}

pub(super) async fn movements(
    State(hk): State<Housekeeping>,
    Who(caller): Who,
    Id(id): Id<LinenLineId>,
    paging: Paging,
) -> Result<Json<Page<LinenMovementResource>>, Problem> {
    let before = paging.place()?;
    let look = async |uow: &mut _| {
        stories::look_up(uow, &caller, &id).await?;
        linen::movements(uow, &id, before, paging.rows()).await
    };
    let found = hk.db.read(&SCHEMA, &caller.tenant, look).await?;
    let items = found.into_iter().map(|one| LinenMovementResource::of(&id, one)).collect();
    Ok(Json(Page::cut(items, paging.limit, |one: &LinenMovementResource| one.id.clone())))
}

pub(super) async fn set_mark(
    State(hk): State<Housekeeping>,
    Id(id): Id<LinenLineId>,
    command: Command<SetMark>,
) -> LineAnswer {
    let SetMark { low_watermark } = command.body;
    let story = async |uow: &mut _| {
        let mark = counted("lowWatermark", low_watermark, 0..=MOST_AT_ONCE)?;
        let line = stories::set_mark(uow, &command.caller, command.if_match.as_ref(), &id, mark).await?;
        let resource = LinenLineResource::from(&line).of(&command.caller.tenant);
        Ok::<_, HousekeepingError>(Changed::new(&resource, line.version))
    };
    command.run(&hk.db, &SCHEMA, story).await
}

pub(super) async fn open(
    State(hk): State<Housekeeping>,
    command: Command<OpenLine>,
) -> Answer<Created<LinenLineResource>> {
    let OpenLine { property_id, line, on_hand, low_watermark } = &command.body;
    let story = async |uow: &mut _| {
        let new = NewLine {
            property_id: property_id.clone(),
            line: bodies::name("line", line.clone(), 100)?,
            on_hand: counted("onHand", *on_hand, 0..=MOST_AT_ONCE)?,
            low_watermark: counted("lowWatermark", *low_watermark, 0..=MOST_AT_ONCE)?,
        };
        let line = stories::open_line(uow, &command.caller, new).await?;
        let place = format!("/housekeeping/v1/linen/{}", line.id);
        let resource = LinenLineResource::from(&line).of(&command.caller.tenant);
        Ok::<_, HousekeepingError>(Created::new(&resource, line.version, place))
    };
    command.run(&hk.db, &SCHEMA, story).await
}

async fn moved(hk: &Housekeeping, id: &LinenLineId, direction: Direction, command: &Command<Move>) -> LineAnswer {
    let Move { count, task_id, note } = &command.body;
    let story = async |uow: &mut _| {
        let count = match direction {
            Direction::Adjust if *count == 0 => return Err(Refusal::invalid("count", "a difference is not 0").into()),
            Direction::Adjust => counted("count", *count, -MOST_AT_ONCE..=MOST_AT_ONCE)?,
            Direction::Issue | Direction::Return => counted("count", *count, 1..=MOST_AT_ONCE)?,
        };
        let movement = Movement { direction, count, task: task_id.clone(), note: bodies::note("note", note.clone())? };
        let line = stories::move_linen(uow, &command.caller, command.if_match.as_ref(), id, movement).await?;
        let resource = LinenLineResource::from(&line).of(&command.caller.tenant);
        Ok::<_, HousekeepingError>(Changed::new(&resource, line.version))
    };
    command.run(&hk.db, &SCHEMA, story).await
}

pub(super) async fn issue(
    State(hk): State<Housekeeping>,
    Id(id): Id<LinenLineId>,
    command: Command<Move>,
) -> LineAnswer {
    moved(&hk, &id, Direction::Issue, &command).await
}

pub(super) async fn give_back(
    State(hk): State<Housekeeping>,
    Id(id): Id<LinenLineId>,
    command: Command<Move>,
) -> LineAnswer {
    moved(&hk, &id, Direction::Return, &command).await
}

pub(super) async fn adjust(
    State(hk): State<Housekeeping>,
    Id(id): Id<LinenLineId>,
    command: Command<Move>,
) -> LineAnswer {
    moved(&hk, &id, Direction::Adjust, &command).await
}
