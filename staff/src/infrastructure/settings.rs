//! Settings: what differs from the defaults, for the tenant and for a house.

use contracts::ids::PropertyId;
use platform::database::Row;
use platform::database::{Change, Columns, Json, RowChange, Scribe, Stored, Told};
use platform::{UnitOfWork, columns, params, statements};
use serde_json::json;

use crate::StaffError;
use crate::domain::settings::{KeptSettings, Settings, SettingsChanged};

statements! {
    LOCK = "sql/settings_lock.sql" () -> &[];
    FIND = "sql/settings_find.sql" (text) -> columns![property_id: text, settings: jsonb, version: int4];
    AT_HOME = "sql/settings_at_home.sql" (text) -> columns![property_id: text, settings: jsonb, version: int4];
    INSERT = "sql/settings_insert.sql" (text, jsonb, int4, timestamptz) -> &[];
    UPDATE = "sql/settings_update.sql" (text, int4, int4, jsonb, timestamptz) -> &[];
}

/// What is in force in a house, or for the tenant, and what is kept for just that.
pub async fn load(uow: &mut UnitOfWork, property: Option<&PropertyId>) -> Result<(Settings, KeptSettings), StaffError> {
    of_rows(property, &uow.read(&FIND, &[&property]).await?)
}

pub(super) fn of_rows(property: Option<&PropertyId>, rows: &[Row]) -> Result<(Settings, KeptSettings), StaffError> {
    let mut in_force = Settings::default();
    let mut own = KeptSettings { property_id: property.cloned(), ..KeptSettings::default() };
    for row in rows {
        let kept = kept_of(row)?;
        in_force = in_force.with(&kept.change);
        if kept.property_id.as_ref() == property {
            own = kept;
        }
    }
    Ok((in_force, own))
}

/// The settings in force in a house.
pub async fn in_force(uow: &mut UnitOfWork, property: &PropertyId) -> Result<Settings, StaffError> {
    Ok(load(uow, Some(property)).await?.0)
}

/// The settings, for whoever is about to change them: until this unit of work ends nobody else can.
pub async fn lock(uow: &mut UnitOfWork, property: Option<&PropertyId>) -> Result<(Settings, KeptSettings), StaffError> {
    uow.read(&LOCK, &[]).await?;
    load(uow, property).await
}

fn kept_of(row: &Row) -> Result<KeptSettings, StaffError> {
    let property: String = row.read("property_id")?;
    let property_id = if property.is_empty() {
        None
    } else {
        Some(PropertyId::parse(&property).map_err(|error| row.impossible(error))?)
    };
    let Json(change) = row.read("settings")?;
    Ok(KeptSettings { property_id, change, version: row.read("version")? })
}

impl Stored for KeptSettings {
    const KIND: &'static str = "settings";

    fn aggregate_id(&self) -> String {
        self.property_id.as_ref().map_or_else(|| "settings".to_owned(), ToString::to_string)
    }

    fn property_id(&self) -> Option<&PropertyId> {
        self.property_id.as_ref()
    }

    fn rows(&self, change: &Change<'_, SettingsChanged>, scribe: &Scribe<'_>) -> Vec<RowChange> {
        let (property, settings) = (self.property_id.clone(), Json(self.change.clone()));
        vec![match change.from {
            None => RowChange::new(&INSERT, params![property, settings, self.version, scribe.now]),
            Some(from) => RowChange::new(&UPDATE, params![property, from, self.version, settings, scribe.now]),
        }]
    }

    fn tell(&self, event: &SettingsChanged, version: i32, _: &Scribe<'_>) -> Told {
        let detail = json!({ "before": event.before, "after": self.change, "aggregateVersion": version });
        Told::nobody("staff.settings.changed", &detail)
    }
}
