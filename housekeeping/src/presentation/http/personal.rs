//! What is kept of a person, over HTTP.

use axum::Json;
use axum::extract::State;
use contracts::ids::{ReservationId, StaffId};
use platform::Refusal;
use platform::http::{Problem, Query, Who, Words};
use platform::personal::PersonalDataResource;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::application::personal::{self, Person};
use crate::presentation::Housekeeping;
use crate::{HousekeepingError, SCHEMA};

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PersonQuery {
    /// A member of the staff.
    staff_id: Option<StaffId>,
    /// A guest, by what they booked.
    reservation_id: Option<Words<ReservationId>>,
}

pub(super) async fn export(
    State(hk): State<Housekeeping>,
    Who(caller): Who,
    Query(query): Query<PersonQuery>,
) -> Result<Json<PersonalDataResource>, Problem> {
    let person = match (query.staff_id, query.reservation_id) {
        (Some(staff), None) => Person::Staff(staff),
        (None, Some(Words(reservations))) => Person::Guest(reservations),
        _ => {
            let refused = Refusal::invalid("staffId", "either staffId or reservationId has to be named");
            return Err(HousekeepingError::from(refused).into());
        }
    };
    let look = async |uow: &mut _| personal::export(uow, &caller, &person).await;
    let found = hk.db.read(&SCHEMA, &caller.tenant, look).await?;
    hk.db.keep_on_record(&SCHEMA, &caller.tenant, caller.actor(), personal::exported(&person)).await?;
    Ok(Json(found))
}
