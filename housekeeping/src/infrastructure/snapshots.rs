//! Boards as they were composed last, and whether they still hold.

use contracts::ids::PropertyId;
use contracts::time::Timestamp;
use platform::database::Columns;
use platform::database::Row;
use platform::{UnitOfWork, columns, params, statements};

use crate::HousekeepingError;

statements! {
    SEEN = "sql/snapshot_seen.sql" () -> columns![seen: text];
    FIND = "sql/snapshot_find.sql" (text, timestamptz, _text)
        -> columns![etag: text, generated_at: timestamptz, document: text];
    KEEP = "sql/snapshot_keep.sql" (text, text, text, text, timestamptz, timestamptz, timestamptz) -> &[];
    DUE = "sql/snapshot_due.sql" (timestamptz) -> columns![property_id: text];
}

/// A board that still holds.
#[derive(Clone, Debug)]
pub struct Snapshot {
    pub etag: String,
    pub generated_at: Timestamp,
    /// `None`: it is one of those that are known.
    pub document: Option<String>,
}

/// The board as it was composed last, if it is still so. One question to two indexes, however large the house is.
pub async fn find(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    known_etags: &[&str],
) -> Result<Option<Snapshot>, HousekeepingError> {
    let now = uow.now();
    let snapshot_of = |row: &Row| {
        Ok(Snapshot {
            etag: row.read("etag")?,
            generated_at: row.read("generated_at")?,
            document: row.read("document")?,
        })
    };
    uow.read_one(&FIND, &[property, &now, &known_etags]).await?.as_ref().map(snapshot_of).transpose()
}

/// A board as it is kept.
#[derive(Debug)]
pub struct Composed<'a> {
    pub property: &'a PropertyId,
    pub etag: &'a str,
    pub document: String,
    /// What the database had committed when it was read.
    pub seen: String,
    pub generated_at: Timestamp,
    pub steady_until: Timestamp,
    /// Whether somebody asked for it.
    pub asked: bool,
}

pub fn keep(uow: &mut UnitOfWork, composed: Composed<'_>) {
    let Composed { property, etag, document, seen, generated_at, steady_until, asked } = composed;
    let asked_at = asked.then_some(generated_at);
    let (property, etag) = (property.clone(), etag.to_owned());
    uow.project(&KEEP, params![property, etag, document, seen, generated_at, steady_until, asked_at]);
}

/// Boards that somebody looks at and that were composed a minute ago or earlier.
pub async fn due(uow: &mut UnitOfWork) -> Result<Vec<PropertyId>, HousekeepingError> {
    let now = uow.now();
    uow.read(&DUE, &[&now]).await?.iter().map(|row| Ok(row.read("property_id")?)).collect()
}
