//! A tenant's settings and current checklists, read together and remembered for a minute.

use platform::database::Read;
use platform::{UnitOfWork, columns, params, statements};

use super::checklists;
use crate::HousekeepingError;
use crate::domain::checklist::Checklist;
use crate::domain::settings::Settings;

statements! {
    LOCK = "sql/settings_lock.sql" (text) -> &[];
    FIND = "sql/settings_find.sql" (text) -> columns![settings: text, version: int4];
    PUT = "sql/settings_put.sql" (text, text, timestamptz) -> &[];
}

/// What is stored for a tenant: settings with their version if there are any, and the current checklists.
pub async fn load(uow: &mut UnitOfWork) -> Result<(Option<(Settings, i32)>, Vec<Checklist>), HousekeepingError> {
    let tenant = uow.context().tenant.clone();
    let tenant = tenant.as_str();
    let [settings, lists] = uow
        .read_together([
            Read { sql: &FIND, params: &[&tenant] },
            Read { sql: &checklists::CURRENT, params: &[&tenant] },
        ])
        .await?;
    let settings = settings
        .first()
        .map(|row| {
            serde_json::from_str(row.get("settings"))
                .map(|settings| (settings, row.get("version")))
                .map_err(|error| HousekeepingError::ImpossibleRow(format!("settings of {tenant}: {error}")))
        })
        .transpose()?;
    let lists = lists.iter().map(checklists::checklist_of).collect::<Result<_, _>>()?;
    Ok((settings, lists))
}

/// What is stored of the settings, for whoever is about to change it: until this unit of work ends nobody else can.
pub async fn lock(uow: &mut UnitOfWork) -> Result<Option<(Settings, i32)>, HousekeepingError> {
    let tenant = uow.context().tenant.clone();
    uow.read(&LOCK, &[&tenant.as_str()]).await?;
    Ok(load(uow).await?.0)
}

pub fn put(uow: &mut UnitOfWork, settings: &Settings) {
    let params = params![
        uow.context().tenant.as_str().to_owned(),
        serde_json::to_string(settings).unwrap_or_else(|_| "{}".to_owned()),
        uow.now().jiff(),
    ];
    uow.project(&PUT, params);
}
