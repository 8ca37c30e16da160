//! What a tenant and its houses have said about how they work.

use std::collections::BTreeMap;

use contracts::ids::PropertyId;
use contracts::time::Timestamp;
use platform::database::Row;
use platform::database::{Change, Columns, Json, RowChange, Scribe, Stored, Told};
use platform::{UnitOfWork, columns, params, statements};
use serde_json::json;

use crate::ReservationError;
use crate::domain::settings::{SaidSettings, Settings, SettingsChanged, in_force};

statements! {
    LOCK = "sql/settings_lock.sql" () -> &[];
    FIND = "sql/settings_find.sql" (text)
        -> columns![property_id: text, values: jsonb, said_at: jsonb, version: int4];
    HOUSES = "sql/settings_houses.sql" ()
        -> columns![property_id: text, values: jsonb, said_at: jsonb, version: int4];
    INSERT = "sql/settings_insert.sql" (text, jsonb, jsonb, int4, timestamptz) -> &[];
    UPDATE = "sql/settings_update.sql" (text, int4, int4, jsonb, jsonb, timestamptz) -> &[];
}

/// What the tenant says, and what this house says besides.
pub async fn said(
    uow: &mut UnitOfWork,
    property: Option<&PropertyId>,
) -> Result<(SaidSettings, SaidSettings), ReservationError> {
    let rows = uow.read(&FIND, &[&property.map_or("", PropertyId::as_str)]).await?;
    said_in(&rows, property)
}

fn said_in<'a>(
    rows: impl IntoIterator<Item = &'a Row>,
    property: Option<&PropertyId>,
) -> Result<(SaidSettings, SaidSettings), ReservationError> {
    let mut tenant = SaidSettings::default();
    let mut house = SaidSettings { property: property.cloned(), ..SaidSettings::default() };
    for row in rows {
        let said = said_of(row)?;
        if said.property.is_none() { tenant = said } else { house = said }
    }
    Ok((tenant, house))
}

/// What every house says that does something differently.
pub async fn houses(uow: &mut UnitOfWork) -> Result<Vec<SaidSettings>, ReservationError> {
    uow.read(&HOUSES, &[]).await?.iter().map(said_of).collect()
}

/// What is in force in a house, or for the tenant.
pub async fn load(uow: &mut UnitOfWork, property: Option<&PropertyId>) -> Result<(Settings, i32), ReservationError> {
    let (tenant, house) = said(uow, property).await?;
    let version = tenant.version + house.version;
    // What is stored was looked over when it was said.
    let settings = in_force(&tenant, Some(&house)).map_err(|bad| platform::database::ImpossibleRow(bad.to_string()))?;
    Ok((settings, version))
}

/// What is in force by these rows.
pub(super) fn in_force_of<'a>(
    rows: impl IntoIterator<Item = &'a Row>,
    property: Option<&PropertyId>,
) -> Result<Settings, ReservationError> {
    let (tenant, house) = said_in(rows, property)?;
    Ok(in_force(&tenant, Some(&house)).map_err(|bad| platform::database::ImpossibleRow(bad.to_string()))?)
}

/// For whoever is about to change them: until this unit of work ends nobody else can.
pub async fn lock(
    uow: &mut UnitOfWork,
    property: Option<&PropertyId>,
) -> Result<(SaidSettings, SaidSettings), ReservationError> {
    uow.read(&LOCK, &[]).await?;
    said(uow, property).await
}

fn said_of(row: &Row) -> Result<SaidSettings, ReservationError> {
    let property: String = row.read("property_id")?;
    let Json(values) = row.read("values")?;
    let Json(said_at): Json<BTreeMap<String, Timestamp>> = row.read("said_at")?;
    let property = if property.is_empty() {
        None
    } else {
        Some(PropertyId::parse(&property).map_err(|error| row.impossible(error))?)
    };
    Ok(SaidSettings { property, values, said_at, version: row.read("version")? })
}

impl Stored for SaidSettings {
    const KIND: &'static str = "settings";

    fn aggregate_id(&self) -> String {
        self.property.as_ref().map_or_else(|| "settings".to_owned(), |property| format!("settings of {property}"))
    }

    fn property_id(&self) -> Option<&PropertyId> {
        self.property.as_ref()
    }

    fn rows(&self, change: &Change<'_, SettingsChanged>, scribe: &Scribe<'_>) -> Vec<RowChange> {
        let property = self.property.as_ref().map_or(String::new(), |property| property.as_str().to_owned());
        let (values, said_at) = (Json(self.values.clone()), Json(self.said_at.clone()));
        vec![match change.from {
            None => RowChange::new(&INSERT, params![property, values, said_at, self.version, scribe.now]),
            Some(from) => RowChange::new(&UPDATE, params![property, from, self.version, values, said_at, scribe.now]),
        }]
    }

    fn tell(&self, event: &SettingsChanged, version: i32, _: &Scribe<'_>) -> Told {
        let detail = json!({ "before": event.before, "after": self.values, "aggregateVersion": version });
        Told::nobody("reservation.settings.changed", &detail)
    }
}
