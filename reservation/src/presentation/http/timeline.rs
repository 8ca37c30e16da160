//! The chart of a house over HTTP, and that it is as it was.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use contracts::values::LocalDate;
use platform::UnitOfWork;
use platform::http::{Describe, OneProperty, Operation, Problem, Query, Who};
use schemars::JsonSchema;
use serde::Deserialize;

use super::bodies;
use crate::SCHEMA;
use crate::application::views::Timeline;
use crate::infrastructure::{guests, timeline};
use crate::presentation::FrontOffice;

/// So many days fit on a chart.
const MOST_DAYS: i32 = 62;

#[derive(Deserialize, JsonSchema)]
pub(super) struct ChartQuery {
    from: LocalDate,
    /// At most 62 days later.
    to: LocalDate,
}

/// The chart, or that it is as it was.
pub(super) struct ChartAnswer(Response);

impl IntoResponse for ChartAnswer {
    fn into_response(self) -> Response {
        self.0
    }
}

impl Describe for ChartAnswer {
    fn describe(operation: &mut Operation<'_>) {
        operation.header("If-None-Match", "^\"[0-9a-f]{64}\"$", "The `ETag` of the chart that the caller has.");
        operation.answers::<Timeline>(200, "The chart, now.");
        operation.answer_header(200, "ETag", "What the chart says, for `If-None-Match`.");
        operation.answers_nothing(304, "The chart is as the caller has it.");
    }
}

pub(super) async fn show(
    State(office): State<FrontOffice>,
    Who(caller): Who,
    OneProperty(property): OneProperty,
    Query(query): Query<ChartQuery>,
    headers: HeaderMap,
) -> Result<ChartAnswer, Problem> {
    let look = async |uow: &mut UnitOfWork| {
        let nights = bodies::nights(query.from, query.to, MOST_DAYS)?;
        timeline::chart(uow, &property, nights).await
    };
    let chart = office.db.read(&SCHEMA, &caller.tenant, look).await?;
    let chart = Timeline::of(property, (query.from, query.to), chart);
    let text = serde_json::to_string(&chart).unwrap_or_default();
    let etag = format!("\"{}\"", guests::hash("", &text));
    let seen = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let is_seen = seen.split(',').any(|one| one.trim().trim_start_matches("W/") == etag);
    let mut response = if is_seen { StatusCode::NOT_MODIFIED.into_response() } else { Json(chart).into_response() };
    if let Ok(etag) = HeaderValue::from_str(&etag) {
        response.headers_mut().insert(header::ETAG, etag);
    }
    Ok(ChartAnswer(response))
}
