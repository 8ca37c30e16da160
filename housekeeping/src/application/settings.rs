//! A manager changes how the hotel works.

use platform::http::IfMatch;
use platform::{Refusal, UnitOfWork};

use crate::HousekeepingError;
use crate::domain::settings::{SettingsChange, TenantSettings};
use crate::infrastructure::settings;

/// Only what is named changes; who did it, and what it was before, is in the audit.
pub async fn change(
    uow: &mut UnitOfWork,
    if_match: Option<&IfMatch>,
    to: SettingsChange,
) -> Result<TenantSettings, HousekeepingError> {
    let present = settings::lock(uow).await?;
    IfMatch::check(if_match, present.version)?;
    let wanted = present.settings.clone().with(to);
    if let Some((field, rule)) = wanted.fault() {
        return Err(Refusal::invalid(field, rule).into());
    }
    // What nobody has changed has no new version.
    if wanted == present.settings {
        return Ok(present);
    }
    uow.touch_all_boards();
    settings::tell_every_process(uow);
    Ok(uow.save(present.change(wanted)))
}
