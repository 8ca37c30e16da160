//! Who is signed in, as our pages need to know it.

use std::collections::BTreeMap;

use contracts::ids::{PropertyId, StaffId};
use contracts::time::Timestamp;
use housekeeping::infrastructure::people;
use housekeeping::{HousekeepingError, SCHEMA};
use platform::Db;
use platform::auth::{Caller, Properties, Role};
use platform::http::Problem;
use reservation::ReservationError;
use reservation::domain::settings::SaidSettings;
use serde::Serialize;

/// What `/web/session` answers.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Session {
    tenant_id: String,
    user_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    staff_id: Option<StaffId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    display_name: Option<String>,
    roles: Vec<&'static str>,
    /// Ids, or `*` alone.
    properties: Vec<String>,
    /// For whoever may be in all of them: which those are.
    #[serde(skip_serializing_if = "Option::is_none")]
    houses: Option<Vec<PropertyId>>,
    /// What those of them are called that have a name.
    house_names: BTreeMap<PropertyId, String>,
    /// The house to begin with.
    #[serde(skip_serializing_if = "Option::is_none")]
    property_id: Option<PropertyId>,
    timezone: String,
    language: String,
    expires_at: Timestamp,
}

pub(super) async fn tell(db: &Db, caller: &Caller) -> Result<Session, Problem> {
    let look = async |uow: &mut _| people::acquaint(uow, caller.staff.as_ref()).await;
    let known = db.read::<_, HousekeepingError, _>(&SCHEMA, &caller.tenant, look).await?;
    let house_names = named(db, caller).await?;
    let (properties, houses, first) = match &caller.properties {
        Properties::All => (vec!["*".to_owned()], Some(known.houses.clone()), known.houses.first().cloned()),
        Properties::Only(list) => (list.iter().map(|id| id.as_str().to_owned()).collect(), None, list.first().cloned()),
    };
    Ok(Session {
        tenant_id: caller.tenant.as_str().to_owned(),
        user_id: caller.subject.clone(),
        staff_id: caller.staff.clone(),
        display_name: known.display_name,
        roles: caller.roles.iter().map(Role::as_str).collect(),
        properties,
        houses,
        house_names,
        property_id: first,
        timezone: known.timezone,
        language: known.language,
        expires_at: Timestamp::from_millis(caller.expires_at.saturating_mul(1_000)),
    })
}

/// The names of the caller's houses, as the front office knows them.
async fn named(db: &Db, caller: &Caller) -> Result<BTreeMap<PropertyId, String>, Problem> {
    let look = async |uow: &mut _| reservation::infrastructure::settings::houses(uow).await;
    let said = db.read::<_, ReservationError, _>(&reservation::SCHEMA, &caller.tenant, look).await?;
    let name = |one: SaidSettings| Some((one.property?, one.values.get("houseName")?.as_str()?.to_owned()));
    Ok(said.into_iter().filter_map(name).filter(|(house, _)| caller.properties.include(house)).collect())
}
