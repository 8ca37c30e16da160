//! Checklists: published once, read often.

use contracts::actor::Actor;
use contracts::housekeeping::TaskKind;
use contracts::ids::ChecklistId;
use platform::database::{Columns, Json};
use platform::{Refusal, UnitOfWork, columns, statements};
use tokio_postgres::Row;

use crate::HousekeepingError;
use crate::domain::checklist::{Checklist, default_items};

const CHECKLIST: &[(&str, &str)] = columns![id: text, kind: text, version: int4, items: jsonb];

statements! {
    CURRENT = "sql/checklist_current.sql" () -> CHECKLIST;
    GET = "sql/checklist_get.sql" (text) -> CHECKLIST;
    OPEN = "sql/checklist_open.sql" (timestamptz, jsonb, _text, _text, _jsonb) -> &[];
}

pub async fn get(uow: &mut UnitOfWork, id: &ChecklistId) -> Result<Checklist, HousekeepingError> {
    let row = uow.read_one(&GET, &[id]).await?;
    Ok(row.map(|row| checklist_of(&row)).transpose()?.ok_or(Refusal::NotFound("checklist"))?)
}

/// A tenant's first checklists, one a kind. Of two that come at once the second waits and gets what the first has opened.
pub async fn open_defaults(uow: &mut UnitOfWork) -> Result<Vec<Checklist>, HousekeepingError> {
    let (mut ids, mut kinds, mut items) = (Vec::new(), Vec::new(), Vec::new());
    for kind in TaskKind::ALL {
        ids.push(uow.next_id::<ChecklistId>());
        kinds.push(*kind);
        items.push(Json(default_items(*kind)));
    }
    let (now, by) = (uow.now(), Actor::system("sys_defaults"));
    uow.read(&OPEN, &[&now, &by, &ids, &kinds, &items]).await?;
    uow.read(&CURRENT, &[]).await?.iter().map(checklist_of).collect()
}

pub(crate) fn checklist_of(row: &Row) -> Result<Checklist, HousekeepingError> {
    let Json(items) = row.read("items")?;
    Ok(Checklist { id: row.read("id")?, kind: row.read("kind")?, version: row.read("version")?, items })
}
