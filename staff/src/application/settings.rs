//! A manager changes how the hotel works, or how one of its houses differs.

use contracts::ids::PropertyId;
use platform::http::IfMatch;
use platform::{Refusal, UnitOfWork};

use crate::StaffError;
use crate::domain::settings::{Settings, SettingsChange};
use crate::infrastructure::settings;

/// Only what is named changes; who did it, and what it was before, is in the audit. Gives what is in force, and the version.
pub async fn change(
    uow: &mut UnitOfWork,
    if_match: Option<&IfMatch>,
    property: Option<&PropertyId>,
    to: SettingsChange,
) -> Result<(Settings, i32), StaffError> {
    let (present, kept) = settings::lock(uow, property).await?;
    IfMatch::check(if_match, kept.version)?;
    let wanted = present.with(&to);
    if let Some((field, rule)) = wanted.fault() {
        return Err(Refusal::invalid(field, rule).into());
    }
    let kept = uow.save(kept.change(to));
    Ok((wanted, kept.version))
}
