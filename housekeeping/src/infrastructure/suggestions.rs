//! Suggestions: rows and back. They are kept, and not told: what is approved of them is told by the tasks.

use contracts::ids::{PropertyId, SuggestionId};
use platform::database::Row;
use platform::database::{Change, Columns, Json, RowChange, Scribe, Stored, Told};
use platform::{UnitOfWork, columns, params, statements};
use serde_json::json;

use crate::HousekeepingError;
use crate::domain::suggestion::{Proposal, Scope, Suggestion, SuggestionEvent, SuggestionStatus};

pub(super) const SUGGESTION: &[(&str, &str)] = columns![
    id: text, property_id: text, shift_id: text, status: text, source: text, note: text, model_version: text,
    generated_at: timestamptz, rows: jsonb, unassigned: jsonb, moved: jsonb, decided_by: jsonb, decided_at: timestamptz,
    version: int4,
];

statements! {
    TURN = "sql/suggestion_turn.sql" (text) -> &[];
    PENDING = "sql/suggestion_pending.sql" (text, text) -> SUGGESTION;
    INSERT = "sql/suggestion_insert.sql" (text, text, text, text, text, text, text, timestamptz, jsonb, jsonb, jsonb,
        jsonb, timestamptz, int4) -> &[];
    UPDATE = "sql/suggestion_update.sql" (text, int4, int4, text, jsonb, jsonb, timestamptz) -> &[];
    FIND = "sql/suggestion_find.sql" (text) -> SUGGESTION;
    LOCK = "sql/suggestion_lock.sql" (text) -> SUGGESTION;
    LIST = "sql/suggestion_list.sql" (_text, _text, text, int8) -> SUGGESTION;
}

/// Those that wait for a decision on the same people, locked. Until this unit of work ends nobody else can add one.
pub async fn lock_pending(uow: &mut UnitOfWork, scope: &Scope) -> Result<Vec<Suggestion>, HousekeepingError> {
    // One after the other: the second must see what was committed while the first waited.
    uow.read(&TURN, &[&scope.property_id]).await?;
    uow.read(&PENDING, &[&scope.property_id, &scope.shift_id]).await?.iter().map(suggestion_of).collect()
}

pub async fn find(uow: &mut UnitOfWork, id: &SuggestionId) -> Result<Option<Suggestion>, HousekeepingError> {
    uow.read_one(&FIND, &[id]).await?.map(|row| suggestion_of(&row)).transpose()
}

pub async fn lock(uow: &mut UnitOfWork, id: &SuggestionId) -> Result<Option<Suggestion>, HousekeepingError> {
    uow.read_one(&LOCK, &[id]).await?.map(|row| suggestion_of(&row)).transpose()
}

/// Newest first.
pub async fn list(
    uow: &mut UnitOfWork,
    properties: Option<&[PropertyId]>,
    statuses: Option<&[SuggestionStatus]>,
    before: Option<&str>,
    limit: i64,
) -> Result<Vec<Suggestion>, HousekeepingError> {
    uow.read(&LIST, &[&properties, &statuses, &before, &limit]).await?.iter().map(suggestion_of).collect()
}

pub(crate) fn suggestion_of(row: &Row) -> Result<Suggestion, HousekeepingError> {
    let (Json(rows), Json(unassigned), Json(moved)) = (row.read("rows")?, row.read("unassigned")?, row.read("moved")?);
    Ok(Suggestion {
        id: row.read("id")?,
        scope: Scope { property_id: row.read("property_id")?, shift_id: row.read("shift_id")? },
        status: row.read("status")?,
        generated_at: row.read("generated_at")?,
        proposal: Proposal {
            source: row.read("source")?,
            note: row.read("note")?,
            model_version: row.read("model_version")?,
            rows,
            unassigned,
            moved,
        },
        decided_by: row.read("decided_by")?,
        decided_at: row.read("decided_at")?,
        version: row.read("version")?,
    })
}

impl Stored for Suggestion {
    const KIND: &'static str = "suggestion";

    fn aggregate_id(&self) -> String {
        self.id.to_string()
    }

    fn property_id(&self) -> Option<&PropertyId> {
        Some(&self.scope.property_id)
    }

    fn rows(&self, change: &Change<'_, SuggestionEvent>, _: &Scribe<'_>) -> Vec<RowChange> {
        let Self { id, scope, status, generated_at, proposal, decided_by, decided_at, version } = self.clone();
        let row = match change.from {
            None => RowChange::new(
                &INSERT,
                params![
                    id,
                    scope.property_id,
                    scope.shift_id,
                    status,
                    proposal.source,
                    proposal.note,
                    proposal.model_version,
                    generated_at,
                    Json(proposal.rows),
                    Json(proposal.unassigned),
                    Json(proposal.moved),
                    decided_by,
                    decided_at,
                    version,
                ],
            ),
            Some(from) => {
                let params = params![id, from, version, status, Json(proposal.rows), decided_by, decided_at];
                RowChange::new(&UPDATE, params)
            }
        };
        vec![row]
    }

    fn tell(&self, event: &SuggestionEvent, version: i32, _: &Scribe<'_>) -> Told {
        let name = match event {
            SuggestionEvent::Made => "housekeeping.suggestion.made",
            SuggestionEvent::DecidedOn => "housekeeping.suggestion.decided",
            SuggestionEvent::Superseded => "housekeeping.suggestion.superseded",
        };
        let rows = &self.proposal.rows;
        let outcomes: Vec<_> =
            rows.iter().map(|row| json!({ "taskId": row.task_id, "outcome": row.outcome.word() })).collect();
        Told::nobody(name, &json!({ "status": self.status, "rows": outcomes, "aggregateVersion": version }))
    }
}
