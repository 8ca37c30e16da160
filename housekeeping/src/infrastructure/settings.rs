//! A tenant's settings and current checklists, read together and remembered for a minute.

use contracts::ids::PropertyId;
use platform::database::Row;
use platform::database::{Change, Columns, Json, Read, RowChange, Scribe, Stored, Told};
use platform::{UnitOfWork, columns, params, statements};
use serde_json::json;

use super::checklists;
use crate::HousekeepingError;
use crate::domain::checklist::Checklist;
use crate::domain::settings::{SettingsChanged, TenantSettings};

statements! {
    LOCK = "sql/settings_lock.sql" () -> &[];
    FIND = "sql/settings_find.sql" () -> columns![settings: jsonb, version: int4];
    TELL = "sql/settings_tell.sql" () -> &[];
    INSERT = "sql/settings_insert.sql" (jsonb, int4, timestamptz) -> &[];
    UPDATE = "sql/settings_update.sql" (int4, int4, jsonb, timestamptz) -> &[];
}

/// Where it is said that a tenant's settings or checklists have changed.
pub const CHANNEL: &str = "housekeeping_settings";

/// Says so to every process, with the commit: what they remember of the tenant is no longer so.
pub fn tell_every_process(uow: &mut UnitOfWork) {
    uow.project(&TELL, params![]);
}

/// How a tenant works, defaults where nothing is stored, and its current checklists.
pub async fn load(uow: &mut UnitOfWork) -> Result<(TenantSettings, Vec<Checklist>), HousekeepingError> {
    let [settings, lists] =
        uow.read_together([Read { sql: &FIND, params: &[] }, Read { sql: &checklists::CURRENT, params: &[] }]).await?;
    let lists = lists.iter().map(checklists::checklist_of).collect::<Result<_, _>>()?;
    Ok((settings.first().map(settings_of).transpose()?.unwrap_or_default(), lists))
}

/// The settings, for whoever is about to change them: until this unit of work ends nobody else can.
pub async fn lock(uow: &mut UnitOfWork) -> Result<TenantSettings, HousekeepingError> {
    uow.read(&LOCK, &[]).await?;
    Ok(uow.read_one(&FIND, &[]).await?.as_ref().map(settings_of).transpose()?.unwrap_or_default())
}

pub(super) fn settings_of(row: &Row) -> Result<TenantSettings, HousekeepingError> {
    let Json(settings) = row.read("settings")?;
    Ok(TenantSettings { settings, version: row.read("version")? })
}

impl Stored for TenantSettings {
    const KIND: &'static str = "settings";

    fn aggregate_id(&self) -> String {
        "settings".to_owned()
    }

    fn property_id(&self) -> Option<&PropertyId> {
        None
    }

    fn rows(&self, change: &Change<'_, SettingsChanged>, scribe: &Scribe<'_>) -> Vec<RowChange> {
        let settings = Json(self.settings.clone());
        vec![match change.from {
            None => RowChange::new(&INSERT, params![settings, self.version, scribe.now]),
            Some(from) => RowChange::new(&UPDATE, params![from, self.version, settings, scribe.now]),
        }]
    }

    fn tell(&self, event: &SettingsChanged, version: i32, _: &Scribe<'_>) -> Told {
        let detail = json!({ "before": event.before, "after": self.settings, "aggregateVersion": version });
        Told::nobody("housekeeping.settings.changed", &detail)
    }
}
