//! The day's curve of ready rooms over HTTP.

use axum::Json;
use axum::extract::State;
use jiff::civil::Date;
use platform::http::{OneProperty, Problem, Query, Who};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::SCHEMA;
use crate::application::room_day::{self, ReadinessStats};
use crate::presentation::Housekeeping;

#[derive(Deserialize, JsonSchema)]
pub(super) struct DayQuery {
    /// A day of the hotel's calendar; today when absent.
    #[schemars(with = "Option<String>", regex(pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"))]
    date: Option<Date>,
}

pub(super) async fn show(
    State(hk): State<Housekeeping>,
    Who(caller): Who,
    OneProperty(property): OneProperty,
    Query(query): Query<DayQuery>,
) -> Result<Json<ReadinessStats>, Problem> {
    let look = async |uow: &mut _| room_day::show(uow, &property, query.date).await;
    Ok(Json(hk.db.read(&SCHEMA, &caller.tenant, look).await?))
}
