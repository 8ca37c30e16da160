//! Settings and cancellation policies over HTTP.

use axum::Json;
use axum::extract::State;
use contracts::ids::PropertyId;
use platform::http::{
    Answer, Changed, Command, Created, NoSince, Page, Problem, Query, Tagged, Versioned, Who, WholeList,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::application::settings as stories;
use crate::domain::policy::Policy;
use crate::domain::settings::Settings;
use crate::infrastructure::{policies as kept, settings};
use crate::presentation::FrontOffice;
use crate::{ReservationError, SCHEMA};

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct WhichHouse {
    /// One house; without it, what the tenant says for all of them.
    property_id: Option<PropertyId>,
}

pub(super) async fn show(
    State(office): State<FrontOffice>,
    Who(caller): Who,
    Query(which): Query<WhichHouse>,
) -> Result<Tagged<Versioned<Settings>>, Problem> {
    let property = which.property_id.as_ref();
    let look = async |uow: &mut _| {
        if let Some(property) = property {
            caller.within(property)?;
        }
        settings::load(uow, property).await
    };
    let (in_force, version) = office.db.read(&SCHEMA, &caller.tenant, look).await?;
    Ok(Tagged::new(&Versioned::new(in_force, version), version))
}

pub(super) async fn put(
    State(office): State<FrontOffice>,
    Query(which): Query<WhichHouse>,
    command: Command<Map<String, Value>>,
) -> Answer<Changed<Versioned<Settings>>> {
    let property = which.property_id.as_ref();
    let story = async |uow: &mut _| {
        if let Some(property) = property {
            command.caller.within(property)?;
        }
        let mut named = command.body.clone();
        // What was read may come back as it was read; which version is meant, `If-Match` says.
        named.remove("version");
        let (in_force, version) = stories::change(uow, property, command.if_match.as_ref(), named).await?;
        Ok::<_, ReservationError>(Changed::new(&Versioned::new(in_force, version), version))
    };
    command.run(&office.db, &SCHEMA, story).await
}

pub(super) async fn policies(
    State(office): State<FrontOffice>,
    Who(caller): Who,
    WholeList(paging): WholeList,
    _: NoSince,
) -> Result<Json<Page<Policy>>, Problem> {
    let found = office.db.read(&SCHEMA, &caller.tenant, async |uow| kept::list(uow).await).await?;
    Ok(Json(Page::of(found, &paging, |policy| policy.version.clone())?))
}

pub(super) async fn make_policy(
    State(office): State<FrontOffice>,
    command: Command<Policy>,
) -> Answer<Created<Policy>> {
    let story = async |uow: &mut _| {
        let made = stories::make_policy(uow, command.body.clone()).await?;
        Ok::<_, ReservationError>(Created::new(&made, 1, "/reservation/v1/cancellation-policies".to_owned()))
    };
    command.run(&office.db, &SCHEMA, story).await
}
