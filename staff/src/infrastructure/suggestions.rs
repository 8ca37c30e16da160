//! Suggestions of a program: rows and back. They are kept, and not told: what is approved of them is told by the shifts.

use contracts::ids::{PropertyId, StaffId, SuggestionId};
use contracts::time::Timestamp;
use platform::database::Row;
use platform::database::{Change, Columns, Json, RowChange, Scribe, Stored, Told};
use platform::{UnitOfWork, columns, params, statements};
use serde_json::json;

use crate::StaffError;
use crate::domain::suggestion::{ShiftSuggestion, SuggestionEvent, SuggestionStatus};

const SUGGESTION: &[(&str, &str)] = columns![
    id: text, property_id: text, status: text, generated_at: timestamptz, model_version: text, provenance: jsonb,
    rows: jsonb, decided_by: jsonb, decided_at: timestamptz, version: int4,
];

statements! {
    TURN = "sql/suggestion_turn.sql" (text) -> &[];
    PENDING = "sql/suggestion_pending.sql" (text) -> SUGGESTION;
    INSERT = "sql/suggestion_insert.sql" (text, text, text, timestamptz, text, jsonb, jsonb, int4) -> &[];
    UPDATE = "sql/suggestion_update.sql" (text, int4, int4, text, jsonb, jsonb, timestamptz) -> &[];
    OF_PERSON = "sql/export_suggestions.sql" (text, int8) -> SUGGESTION;
    FIND = "sql/suggestion_find.sql" (text) -> SUGGESTION;
    LOCK = "sql/suggestion_lock.sql" (text) -> SUGGESTION;
    LIST = "sql/suggestion_list.sql" (_text, _text, timestamptz, text, int8) -> SUGGESTION;
}

/// Those of a house that wait for a decision, locked. Until this unit of work ends nobody else can add one.
pub async fn lock_pending(uow: &mut UnitOfWork, house: &PropertyId) -> Result<Vec<ShiftSuggestion>, StaffError> {
    // One after the other: the second must see what was committed while the first waited.
    uow.read(&TURN, &[house]).await?;
    uow.read(&PENDING, &[house]).await?.iter().map(suggestion_of).collect()
}

pub async fn find(uow: &mut UnitOfWork, id: &SuggestionId) -> Result<Option<ShiftSuggestion>, StaffError> {
    uow.read_one(&FIND, &[id]).await?.as_ref().map(suggestion_of).transpose()
}

pub async fn lock(uow: &mut UnitOfWork, id: &SuggestionId) -> Result<Option<ShiftSuggestion>, StaffError> {
    uow.read_one(&LOCK, &[id]).await?.as_ref().map(suggestion_of).transpose()
}

/// Those that propose somebody, newest first.
pub async fn of_person(uow: &mut UnitOfWork, staff: &StaffId, limit: i64) -> Result<Vec<ShiftSuggestion>, StaffError> {
    uow.read(&OF_PERSON, &[staff, &limit]).await?.iter().map(suggestion_of).collect()
}

/// Newest first.
pub async fn list(
    uow: &mut UnitOfWork,
    properties: Option<&[PropertyId]>,
    statuses: Option<&[SuggestionStatus]>,
    before: Option<(Timestamp, String)>,
    limit: i64,
) -> Result<Vec<ShiftSuggestion>, StaffError> {
    let (at, id) = (before.as_ref().map(|before| before.0), before.map(|before| before.1));
    uow.read(&LIST, &[&properties, &statuses, &at, &id, &limit]).await?.iter().map(suggestion_of).collect()
}

fn suggestion_of(row: &Row) -> Result<ShiftSuggestion, StaffError> {
    let (Json(rows), Json(provenance)) = (row.read("rows")?, row.read("provenance")?);
    Ok(ShiftSuggestion {
        id: row.read("id")?,
        property_id: row.read("property_id")?,
        status: row.read("status")?,
        generated_at: row.read("generated_at")?,
        model_version: row.read("model_version")?,
        provenance,
        rows,
        decided_by: row.read("decided_by")?,
        decided_at: row.read("decided_at")?,
        version: row.read("version")?,
    })
}

impl Stored for ShiftSuggestion {
    const KIND: &'static str = "shift_suggestion";

    fn aggregate_id(&self) -> String {
        self.id.to_string()
    }

    fn property_id(&self) -> Option<&PropertyId> {
        Some(&self.property_id)
    }

    fn rows(&self, change: &Change<'_, SuggestionEvent>, _: &Scribe<'_>) -> Vec<RowChange> {
        let this = self.clone();
        vec![match change.from {
            None => RowChange::new(
                &INSERT,
                params![
                    this.id,
                    this.property_id,
                    this.status,
                    this.generated_at,
                    this.model_version,
                    Json(this.provenance),
                    Json(this.rows),
                    this.version,
                ],
            ),
            Some(from) => RowChange::new(
                &UPDATE,
                params![this.id, from, this.version, this.status, Json(this.rows), this.decided_by, this.decided_at],
            ),
        }]
    }

    fn tell(&self, event: &SuggestionEvent, version: i32, _: &Scribe<'_>) -> Told {
        let name = match event {
            SuggestionEvent::Made => "staff.suggestion.made",
            SuggestionEvent::DecidedOn => "staff.suggestion.decided",
            SuggestionEvent::Superseded => "staff.suggestion.superseded",
            SuggestionEvent::Expired => "staff.suggestion.expired",
        };
        let outcome = |row: &crate::domain::suggestion::ProposedRow| json!({ "shiftId": row.shift_id, "staffId": row.staff_id, "outcome": row.outcome.word() });
        let rows: Vec<_> = self.rows.iter().map(outcome).collect();
        Told::nobody(name, &json!({ "status": self.status, "rows": rows, "aggregateVersion": version }))
    }
}
