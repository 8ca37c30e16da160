//! The end of a day, over HTTP.

use axum::Json;
use axum::extract::State;
use contracts::actor::Actor;
use contracts::ids::PropertyId;
use contracts::time::Timestamp;
use contracts::values::LocalDate;
use platform::UnitOfWork;
use platform::http::{Answer, Command, Created, OneProperty, Problem, Query, Who};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::bodies;
use crate::application::{closing, ticks};
use crate::domain::closing::{DayClose, Figures};
use crate::presentation::FrontOffice;
use crate::{ReservationError, SCHEMA};

/// A day of a house: its figures, and whether they stand.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "DayClose")]
pub(super) struct DayResource {
    property_id: PropertyId,
    date: LocalDate,
    #[serde(flatten)]
    figures: Figures,
    /// Absent while nobody has closed it: then the figures are those of this moment.
    #[serde(skip_serializing_if = "Option::is_none")]
    closed_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    closed_by: Option<Actor>,
}

impl DayResource {
    fn of(property_id: PropertyId, date: LocalDate, figures: Figures, closed: Option<DayClose>) -> Self {
        let (closed_at, closed_by) = closed.map(|one| (one.closed_at, one.closed_by)).unzip();
        Self { property_id, date, figures, closed_at, closed_by }
    }
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct WhichDay {
    date: LocalDate,
}

pub(super) async fn show(
    State(office): State<FrontOffice>,
    Who(caller): Who,
    OneProperty(property): OneProperty,
    Query(which): Query<WhichDay>,
) -> Result<Json<DayResource>, Problem> {
    let look = async |uow: &mut UnitOfWork| closing::look_at(uow, &property, which.date.0).await;
    let (figures, closed) = office.db.read(&SCHEMA, &caller.tenant, look).await?;
    Ok(Json(DayResource::of(property, which.date, figures, closed)))
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CloseDay {
    property_id: PropertyId,
    date: LocalDate,
}

pub(super) async fn close(
    State(office): State<FrontOffice>,
    command: Command<CloseDay>,
) -> Answer<Created<DayResource>> {
    let CloseDay { property_id, date } = &command.body;
    // What is due by now belongs to the day. Each in a unit of work of its own: whatever becomes of them, the day can be closed.
    if command.caller.properties.include(property_id) {
        ticks::catch_up(&office.db, &command.caller.tenant).await;
    }
    let story = async |uow: &mut UnitOfWork| {
        command.caller.within(property_id)?;
        let by = bodies::actor(&command.caller, None)?;
        let closed = closing::close(uow, property_id, date.0, by).await?;
        let location = format!("/reservation/v1/day-close?propertyId={property_id}&date={date}");
        let resource = DayResource::of(property_id.clone(), *date, closed.figures.clone(), Some(closed));
        Ok::<_, ReservationError>(Created::new(&resource, 1, location))
    };
    command.run(&office.db, &SCHEMA, story).await
}
