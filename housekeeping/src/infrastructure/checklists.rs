//! Checklists: published once, read often.

use contracts::actor::Actor;
use contracts::housekeeping::TaskKind;
use contracts::ids::ChecklistId;
use platform::{UnitOfWork, columns, params, statements};
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

/// Queues a tenant's first checklists, one a kind.
pub fn open_defaults(uow: &mut UnitOfWork) -> Vec<Checklist> {
    let defaults: Vec<Checklist> = TaskKind::ALL
        .iter()
        .map(|kind| Checklist { id: uow.next_id(), kind: *kind, version: 1, items: default_items(*kind) })
        .collect();
    let items = |list: &Checklist| serde_json::to_string(&list.items).unwrap_or_else(|_| "[]".to_owned());
    let params = params![
        uow.context().tenant.as_str().to_owned(),
        uow.now().jiff(),
        super::rooms::actor_json(&Actor::system("sys_defaults")),
        defaults.iter().map(|list| list.id.as_str().to_owned()).collect::<Vec<_>>(),
        defaults.iter().map(|list| list.kind.as_str()).collect::<Vec<_>>(),
        defaults.iter().map(items).collect::<Vec<_>>(),
    ];
    uow.project(&OPEN, params);
    defaults
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
