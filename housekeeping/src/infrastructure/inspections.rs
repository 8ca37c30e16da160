//! Inspections that were held. A waived one leaves its trace in the audit, not here: it was not held.

use contracts::housekeeping::{InspectionFailedV1, InspectionPassedV1, InspectionWaivedV1};
use contracts::ids::{InspectionId, PropertyId};
use platform::database::{Change, Columns, Json, RowChange, Scribe, Stored, Told};
use platform::{UnitOfWork, columns, params, statements};

use super::estimates;
use crate::HousekeepingError;
use crate::domain::checklist::ChecklistReference;
use crate::domain::inspection::{Held, Inspection, Verdict};
use crate::domain::task::Task;

statements! {
    FIND = "sql/inspection_find.sql" (text, text) -> columns![
        id: text, inspector_staff_id: text, checklist_id: text, checklist_version: int4, results: jsonb, outcome: text,
        reason: text, failed_item_keys: _text, performed_at: timestamptz
    ];
    INSERT = "sql/inspection_insert.sql" (text, text, text, text, int4, jsonb, text, text, _text, timestamptz) -> &[];
}

/// One that was held of a task.
pub async fn find(
    uow: &mut UnitOfWork,
    task: &Task,
    id: &InspectionId,
) -> Result<Option<Inspection>, HousekeepingError> {
    let Some(row) = uow.read_one(&FIND, &[id, &task.id]).await? else { return Ok(None) };
    let (reason, keys): (Option<String>, Option<Vec<String>>) = (row.read("reason")?, row.read("failed_item_keys")?);
    let verdict = match (row.read::<String>("outcome")?.as_str(), reason) {
        ("pass", None) => Verdict::Passed,
        ("fail", Some(reason)) => Verdict::Failed { reason, failed_item_keys: keys.unwrap_or_default() },
        (outcome, _) => return Err(row.impossible(format!("an inspection with the outcome {outcome}")).into()),
    };
    let Json(results) = row.read("results")?;
    Ok(Some(Inspection {
        id: row.read("id")?,
        task_id: task.id.clone(),
        property_id: task.property_id.clone(),
        room_id: task.room_id.clone(),
        inspector: row.read("inspector_staff_id")?,
        checklist: ChecklistReference { id: row.read("checklist_id")?, version: row.read("checklist_version")? },
        results,
        verdict,
        performed_at: row.read("performed_at")?,
        version: 1,
    }))
}

impl Stored for Inspection {
    const KIND: &'static str = "inspection";

    fn aggregate_id(&self) -> String {
        self.id.as_str().to_owned()
    }

    fn property_id(&self) -> Option<&PropertyId> {
        Some(&self.property_id)
    }

    fn rows(&self, _: &Change<'_, Held>, _: &Scribe<'_>) -> Vec<RowChange> {
        let (outcome, reason, failed) = match &self.verdict {
            Verdict::Passed => ("pass", None, None),
            Verdict::Failed { reason, failed_item_keys } => {
                ("fail", Some(reason.clone()), Some(failed_item_keys.clone()))
            }
            Verdict::Waived { .. } => return Vec::new(),
        };
        let held = RowChange::new(
            &INSERT,
            params![
                self.id.clone(),
                self.task_id.clone(),
                self.inspector.clone(),
                self.checklist.id.clone(),
                self.checklist.version,
                Json(self.results.clone()),
                outcome,
                reason,
                failed,
                self.performed_at,
            ],
        );
        let waited = estimates::learn_wait(&self.property_id, &self.task_id, self.performed_at);
        std::iter::once(held).chain(waited).collect()
    }

    fn tell(&self, _: &Held, _: i32, scribe: &Scribe<'_>) -> Told {
        let checklist_version = u32::try_from(self.checklist.version).unwrap_or(0);
        match &self.verdict {
            Verdict::Passed => Told::everybody(&InspectionPassedV1 {
                inspection_id: self.id.clone(),
                tenant_id: scribe.tenant.clone(),
                task_id: self.task_id.clone(),
                room_id: self.room_id.clone(),
                inspector_staff_id: self.inspector.clone(),
                performed_at: self.performed_at,
                checklist_id: self.checklist.id.clone(),
                checklist_version,
                aggregate_version: Some(1),
            }),
            Verdict::Failed { reason, failed_item_keys } => Told::everybody(&InspectionFailedV1 {
                inspection_id: self.id.clone(),
                tenant_id: scribe.tenant.clone(),
                task_id: self.task_id.clone(),
                room_id: self.room_id.clone(),
                inspector_staff_id: self.inspector.clone(),
                performed_at: self.performed_at,
                checklist_id: self.checklist.id.clone(),
                checklist_version,
                reason: reason.clone(),
                failed_item_keys: failed_item_keys.clone(),
                aggregate_version: Some(1),
            }),
            Verdict::Waived { reason, by } => Told::everybody(&InspectionWaivedV1 {
                inspection_id: self.id.clone(),
                tenant_id: scribe.tenant.clone(),
                task_id: self.task_id.clone(),
                room_id: self.room_id.clone(),
                waived_by: by.clone(),
                waived_at: self.performed_at,
                reason: reason.clone(),
                aggregate_version: Some(1),
            }),
        }
    }
}
