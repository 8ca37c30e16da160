//! A manager puts a new version of a checklist in force. Tasks that are open keep the version they were opened with.

use contracts::housekeeping::TaskKind;
use platform::http::IfMatch;
use platform::{Refusal, UnitOfWork};

use crate::HousekeepingError;
use crate::domain::checklist::{Checklist, ChecklistItem, fault};
use crate::infrastructure::{checklists, settings};

/// The next version; `If-Match` names the one that the manager has seen.
pub async fn publish(
    uow: &mut UnitOfWork,
    if_match: Option<&IfMatch>,
    kind: TaskKind,
    items: Vec<ChecklistItem>,
) -> Result<Checklist, HousekeepingError> {
    if let Some(rule) = fault(&items) {
        return Err(Refusal::invalid("items", rule).into());
    }
    let present = checklists::lock_current(uow, kind).await?;
    IfMatch::check(if_match, present.version)?;
    let by = uow.context().actor.clone();
    settings::tell_every_process(uow);
    Ok(uow.save(present.succeed(uow.next_id(), items, by, uow.now())).checklist)
}
