//! Checklists: published once, read often.

use contracts::actor::Actor;
use contracts::housekeeping::{ChecklistTemplateUpdatedV1, TaskKind};
use contracts::ids::{ChecklistId, PropertyId};
use platform::database::Row;
use platform::database::{Change, Columns, Json, Read, RowChange, Scribe, Stored, Told};
use platform::{Refusal, UnitOfWork, columns, params, statements};

use crate::HousekeepingError;
use crate::domain::checklist::{Checklist, Publication, Published, default_items};

const CHECKLIST: &[(&str, &str)] = columns![
    id: text, kind: text, version: int4, items: jsonb, published_at: timestamptz, published_by: jsonb
];

statements! {
    CURRENT = "sql/checklist_current.sql" () -> CHECKLIST;
    GET = "sql/checklist_get.sql" (text) -> CHECKLIST;
    LOCK = "sql/checklist_lock.sql" () -> &[];
    INSERT = "sql/checklist_insert.sql" (text, text, int4, jsonb, timestamptz, jsonb) -> &[];
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

/// The version in force, for whoever is about to publish the next: until this unit of work ends nobody else can.
pub async fn lock_current(uow: &mut UnitOfWork, kind: TaskKind) -> Result<Checklist, HousekeepingError> {
    let reads = [Read { sql: &LOCK, params: &[] }, Read { sql: &CURRENT, params: &[] }];
    let [_, rows] = uow.read_together(reads).await?;
    let lists: Vec<Checklist> = rows.iter().map(checklist_of).collect::<Result<_, _>>()?;
    let known = TaskKind::ALL.iter().all(|kind| lists.iter().any(|list| list.kind == *kind));
    let lists = if known { lists } else { open_defaults(uow).await? };
    Ok(lists.into_iter().find(|list| list.kind == kind).ok_or(Refusal::NotFound("checklist"))?)
}

impl Stored for Publication {
    const KIND: &'static str = "checklist";

    fn aggregate_id(&self) -> String {
        self.checklist.id.as_str().to_owned()
    }

    fn property_id(&self) -> Option<&PropertyId> {
        None
    }

    fn rows(&self, _: &Change<'_, Published>, _: &Scribe<'_>) -> Vec<RowChange> {
        let Checklist { id, kind, version, items, published_at, published_by } = self.checklist.clone();
        vec![RowChange::new(&INSERT, params![id, kind, version, Json(items), published_at, published_by])]
    }

    fn tell(&self, _: &Published, _: i32, scribe: &Scribe<'_>) -> Told {
        let number = |version: i32| u32::try_from(version).unwrap_or(0);
        Told::everybody(&ChecklistTemplateUpdatedV1 {
            checklist_id: self.checklist.id.clone(),
            tenant_id: scribe.tenant.clone(),
            kind: self.checklist.kind,
            version: number(self.checklist.version),
            previous_version: number(self.previous_version),
            published_by: self.checklist.published_by.clone(),
            published_at: self.checklist.published_at,
            diff: self.diff.clone(),
            aggregate_version: u64::try_from(self.checklist.version).ok(),
        })
    }
}

pub(crate) fn checklist_of(row: &Row) -> Result<Checklist, HousekeepingError> {
    let Json(items) = row.read("items")?;
    Ok(Checklist {
        id: row.read("id")?,
        kind: row.read("kind")?,
        version: row.read("version")?,
        items,
        published_at: row.read("published_at")?,
        published_by: row.read("published_by")?,
    })
}
