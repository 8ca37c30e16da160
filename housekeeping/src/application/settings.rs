//! A manager changes how the hotel works.

use platform::http::IfMatch;
use platform::{Refusal, UnitOfWork};

use crate::HousekeepingError;
use crate::domain::settings::{Settings, TenantSettings};
use crate::infrastructure::settings;

/// Takes the place of all settings at once; who did it, and what they were before, is in the audit.
pub async fn change(
    uow: &mut UnitOfWork,
    if_match: Option<&IfMatch>,
    to: Settings,
) -> Result<TenantSettings, HousekeepingError> {
    if let Some((field, rule)) = to.fault() {
        return Err(Refusal::invalid(field, rule).into());
    }
    let present = settings::lock(uow).await?;
    IfMatch::check(if_match, present.version)?;
    uow.touch_all_boards();
    settings::tell_every_process(uow);
    Ok(uow.save(present.change(to)))
}
