//! What the front office keeps of a member of the staff, over HTTP.

use axum::Json;
use axum::extract::State;
use contracts::ids::StaffId;
use platform::UnitOfWork;
use platform::http::{Problem, Query, Who};
use platform::personal::PersonalDataResource;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::SCHEMA;
use crate::application::personal;
use crate::presentation::FrontOffice;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PersonQuery {
    /// The member of the staff.
    staff_id: StaffId,
}

pub(super) async fn export(
    State(office): State<FrontOffice>,
    Who(caller): Who,
    Query(PersonQuery { staff_id }): Query<PersonQuery>,
) -> Result<Json<PersonalDataResource>, Problem> {
    let look = async |uow: &mut UnitOfWork| personal::export(uow, &caller, &staff_id).await;
    let found = office.db.read(&SCHEMA, &caller.tenant, look).await?;
    office.db.keep_on_record(&SCHEMA, &caller.tenant, caller.actor(), vec![personal::exported(&staff_id)]).await?;
    Ok(Json(found))
}
