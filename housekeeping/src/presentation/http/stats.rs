//! Figures over HTTP.

use axum::Json;
use axum::extract::State;
use platform::http::{OneProperty, Problem, Query, Who};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::SCHEMA;
use crate::application::stats::{self, TurnoverStats, When};
use crate::presentation::Housekeeping;

#[derive(Deserialize, JsonSchema)]
pub(super) struct StatsQuery {
    /// A day of the hotel's calendar or a moment; a week before `to` when absent.
    from: Option<When>,
    /// A day, which is part of it, or a moment, which is not; now when absent.
    to: Option<When>,
}

pub(super) async fn turnover(
    State(hk): State<Housekeeping>,
    Who(caller): Who,
    OneProperty(property): OneProperty,
    Query(query): Query<StatsQuery>,
) -> Result<Json<TurnoverStats>, Problem> {
    let look = async |uow: &mut _| stats::turnover(uow, &property, query.from, query.to).await;
    Ok(Json(hk.db.read(&SCHEMA, &caller.tenant, look).await?))
}
