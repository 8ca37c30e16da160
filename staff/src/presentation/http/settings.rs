//! How a hotel company and its houses work, over HTTP.

use axum::extract::State;
use contracts::ids::PropertyId;
use platform::http::{Answer, Changed, Command, Problem, Query, Tagged, Versioned, Who};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::application::settings as stories;
use crate::domain::settings::{Settings, SettingsChange};
use crate::infrastructure::settings;
use crate::presentation::Staff;
use crate::{SCHEMA, StaffError};

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SettingsQuery {
    /// One house; without it, the tenant's own.
    property_id: Option<PropertyId>,
}

pub(super) async fn show(
    State(staff): State<Staff>,
    Who(caller): Who,
    Query(query): Query<SettingsQuery>,
) -> Result<Tagged<Versioned<Settings>>, Problem> {
    let look = async |uow: &mut _| {
        if let Some(house) = &query.property_id {
            caller.within(house)?;
        }
        settings::load(uow, query.property_id.as_ref()).await
    };
    let (in_force, kept) = staff.db.read(&SCHEMA, &caller.tenant, look).await?;
    Ok(Tagged::new(&Versioned::new(in_force, kept.version), kept.version))
}

pub(super) async fn put(
    State(staff): State<Staff>,
    Query(query): Query<SettingsQuery>,
    command: Command<SettingsChange>,
) -> Answer<Changed<Versioned<Settings>>> {
    let story = async |uow: &mut _| {
        let house = query.property_id.as_ref();
        if let Some(house) = house {
            command.caller.within(house)?;
        }
        let (in_force, version) = stories::change(uow, command.if_match.as_ref(), house, command.body.clone()).await?;
        Ok::<_, StaffError>(Changed::new(&Versioned::new(in_force, version), version))
    };
    command.run(&staff.db, &SCHEMA, story).await
}
