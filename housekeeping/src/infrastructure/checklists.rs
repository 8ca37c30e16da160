//! Checklists: published once, read often.

use contracts::actor::Actor;
use contracts::housekeeping::TaskKind;
use contracts::ids::ChecklistId;
use platform::{UnitOfWork, columns, statements};
use tokio_postgres::Row;

use crate::HousekeepingError;
use crate::domain::checklist::{Checklist, default_items};

const CHECKLIST: &[(&str, &str)] = columns![id: text, kind: text, version: int4, items: text];

statements! {
    CURRENT = "sql/checklist_current.sql" (text) -> CHECKLIST;
    GET = "sql/checklist_get.sql" (text, text) -> CHECKLIST;
    OPEN = "sql/checklist_open.sql" (text, timestamptz, text, _text, _text, _text) -> &[];
}

pub async fn get(uow: &mut UnitOfWork, id: &ChecklistId) -> Result<Checklist, HousekeepingError> {
    let tenant = uow.context().tenant.clone();
    let row = uow.read_one(&GET, &[&tenant.as_str(), &id.as_str()]).await?;
    row.map(|row| checklist_of(&row)).transpose()?.ok_or(HousekeepingError::NotFound("checklist"))
}

/// A tenant's first checklists, one a kind. Of two that come at once the second waits and gets what the first has opened.
pub async fn open_defaults(uow: &mut UnitOfWork) -> Result<Vec<Checklist>, HousekeepingError> {
    let (mut ids, mut kinds, mut items) = (Vec::new(), Vec::new(), Vec::new());
    for kind in TaskKind::ALL {
        ids.push(uow.next_id::<ChecklistId>().as_str().to_owned());
        kinds.push(kind.as_str());
        items.push(serde_json::to_string(&default_items(*kind)).unwrap_or_else(|_| "[]".to_owned()));
    }
    let (tenant, now) = (uow.context().tenant.clone(), uow.now().jiff());
    let by = super::rooms::actor_json(&Actor::system("sys_defaults"));
    uow.read(&OPEN, &[&tenant.as_str(), &now, &by, &ids, &kinds, &items]).await?;
    uow.read(&CURRENT, &[&tenant.as_str()]).await?.iter().map(checklist_of).collect()
}

pub(crate) fn checklist_of(row: &Row) -> Result<Checklist, HousekeepingError> {
    let id: &str = row.get("id");
    let impossible = |what: &str| HousekeepingError::ImpossibleRow(format!("{id}: {what}"));
    Ok(Checklist {
        kind: TaskKind::from_word(row.get("kind")).ok_or_else(|| impossible("kind"))?,
        version: row.get("version"),
        items: serde_json::from_str(row.get("items")).map_err(|_| impossible("items"))?,
        id: ChecklistId::parse(id).map_err(|_| impossible("id"))?,
    })
}
