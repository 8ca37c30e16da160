//! Suggestions: rows and back. They are kept, and not told: what is approved of them is told by the tasks.

use contracts::actor::Actor;
use contracts::ids::{PropertyId, ShiftId, SuggestionId};
use contracts::time::Timestamp;
use platform::{UnitOfWork, columns, params, statements};
use serde::de::DeserializeOwned;
use tokio_postgres::Row;

use super::rooms::actor_json;
use crate::HousekeepingError;
use crate::domain::suggestion::{Proposal, Scope, Suggestion, SuggestionNote, SuggestionSource, SuggestionStatus};

pub(super) const SUGGESTION: &[(&str, &str)] = columns![
    id: text, property_id: text, shift_id: text, status: text, source: text, note: text, model_version: text,
    generated_at: timestamptz, rows: jsonb, unassigned: jsonb, moved: jsonb, decided_by: jsonb, decided_at: timestamptz,
    version: int4,
];

statements! {
    TURN = "sql/suggestion_turn.sql" (text, text) -> &[];
    PENDING = "sql/suggestion_pending.sql" (text, text, text) -> SUGGESTION;
    INSERT = "sql/suggestion_insert.sql" (text, text, text, text, text, text, text, text, timestamptz, text, text, text,
        text, timestamptz, int4) -> &[];
    UPDATE = "sql/suggestion_update.sql" (text, text, text, text, text, timestamptz, int4) -> &[];
    FIND = "sql/suggestion_find.sql" (text, text) -> SUGGESTION;
    LOCK = "sql/suggestion_lock.sql" (text, text) -> SUGGESTION;
    LIST = "sql/suggestion_list.sql" (text, _text, _text, text, int8) -> SUGGESTION;
}

/// Those that wait for a decision on the same people, locked. Until this unit of work ends nobody else can add one.
pub async fn lock_pending(uow: &mut UnitOfWork, scope: &Scope) -> Result<Vec<Suggestion>, HousekeepingError> {
    let tenant = uow.context().tenant.clone();
    let (tenant, property) = (tenant.as_str(), scope.property_id.as_str());
    let shift = scope.shift_id.as_ref().map(ShiftId::as_str);
    // One after the other: the second must see what was committed while the first waited.
    uow.read(&TURN, &[&tenant, &property]).await?;
    let rows = uow.read(&PENDING, &[&tenant, &property, &shift]).await?;
    rows.iter().map(suggestion_of).collect()
}

pub async fn find(uow: &mut UnitOfWork, id: &SuggestionId) -> Result<Option<Suggestion>, HousekeepingError> {
    one(uow, &FIND, id).await
}

pub async fn lock(uow: &mut UnitOfWork, id: &SuggestionId) -> Result<Option<Suggestion>, HousekeepingError> {
    one(uow, &LOCK, id).await
}

async fn one(
    uow: &mut UnitOfWork,
    sql: &'static platform::Sql,
    id: &SuggestionId,
) -> Result<Option<Suggestion>, HousekeepingError> {
    let tenant = uow.context().tenant.clone();
    let row = uow.read_one(sql, &[&tenant.as_str(), &id.as_str()]).await?;
    row.map(|row| suggestion_of(&row)).transpose()
}

/// Newest first.
pub async fn list(
    uow: &mut UnitOfWork,
    properties: Option<&[String]>,
    statuses: Option<&[String]>,
    before: Option<&str>,
    limit: i64,
) -> Result<Vec<Suggestion>, HousekeepingError> {
    let tenant = uow.context().tenant.clone();
    let rows = uow.read(&LIST, &[&tenant.as_str(), &properties, &statuses, &before, &limit]).await?;
    rows.iter().map(suggestion_of).collect()
}

pub fn insert(uow: &mut UnitOfWork, suggestion: &Suggestion) {
    let Suggestion { id, scope, status, generated_at, proposal, decided_by, decided_at, version } = suggestion;
    let params = params![
        id.as_str().to_owned(),
        uow.context().tenant.as_str().to_owned(),
        scope.property_id.as_str().to_owned(),
        scope.shift_id.as_ref().map(|shift| shift.as_str().to_owned()),
        status.as_str(),
        proposal.source.as_str(),
        proposal.note.map(SuggestionNote::as_str),
        proposal.model_version.clone(),
        generated_at.jiff(),
        list_json(&proposal.rows),
        list_json(&proposal.unassigned),
        list_json(&proposal.moved),
        decided_by.as_ref().map(actor_json),
        decided_at.map(Timestamp::jiff),
        *version,
    ];
    uow.project(&INSERT, params);
}

/// What was decided on a suggestion that is locked.
pub fn update(uow: &mut UnitOfWork, suggestion: &Suggestion) {
    let params = params![
        uow.context().tenant.as_str().to_owned(),
        suggestion.id.as_str().to_owned(),
        suggestion.status.as_str(),
        list_json(&suggestion.proposal.rows),
        suggestion.decided_by.as_ref().map(actor_json),
        suggestion.decided_at.map(Timestamp::jiff),
        suggestion.version,
    ];
    uow.project(&UPDATE, params);
}

fn list_json<T: serde::Serialize>(list: &[T]) -> String {
    serde_json::to_string(list).unwrap_or_else(|_| "[]".to_owned())
}

pub(crate) fn suggestion_of(row: &Row) -> Result<Suggestion, HousekeepingError> {
    let id: &str = row.get("id");
    let impossible = |what: &str| HousekeepingError::ImpossibleRow(format!("{id}: {what}"));
    let time = |column: &str| row.get::<_, Option<jiff::Timestamp>>(column).map(Timestamp::from_jiff);
    let note = row.get::<_, Option<&str>>("note").map(|word| SuggestionNote::from_word(word).ok_or(impossible("note")));
    let by = row.get::<_, Option<serde_json::Value>>("decided_by").map(serde_json::from_value::<Actor>);
    Ok(Suggestion {
        scope: Scope {
            property_id: PropertyId::parse(row.get("property_id")).map_err(|_| impossible("property_id"))?,
            shift_id: row.get::<_, Option<&str>>("shift_id").and_then(|text| ShiftId::parse(text).ok()),
        },
        status: SuggestionStatus::from_word(row.get("status")).ok_or_else(|| impossible("status"))?,
        generated_at: Timestamp::from_jiff(row.get("generated_at")),
        proposal: Proposal {
            source: SuggestionSource::from_word(row.get("source")).ok_or_else(|| impossible("source"))?,
            note: note.transpose()?,
            model_version: row.get("model_version"),
            rows: list_of(row, "rows").ok_or_else(|| impossible("rows"))?,
            unassigned: list_of(row, "unassigned").ok_or_else(|| impossible("unassigned"))?,
            moved: list_of(row, "moved").ok_or_else(|| impossible("moved"))?,
        },
        decided_by: by.transpose().map_err(|_| impossible("decided_by"))?,
        decided_at: time("decided_at"),
        version: row.get("version"),
        id: SuggestionId::parse(id).map_err(|_| impossible("id"))?,
    })
}

fn list_of<T: DeserializeOwned>(row: &Row, column: &str) -> Option<Vec<T>> {
    serde_json::from_value(row.get(column)).ok()
}
