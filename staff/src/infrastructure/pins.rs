//! What is kept of PINs and of those who try them.

use contracts::ids::StaffId;
use contracts::time::Timestamp;
use platform::database::{Columns, RowChange};
use platform::{Fault, UnitOfWork, columns, params, statements};
use tokio_postgres::types::ToSql;

use crate::StaffError;
use crate::domain::pin::{Counted, PinHash, Trust};

statements! {
    COUNT = "sql/pin_count.sql" (_text, _int4, _int4, _text, timestamptz, text, text, timestamptz)
        -> columns![id: text, hash: text, person_known: bool, tenant_known: bool, shut_until: timestamptz, counted: _text];
    SHUT = "sql/pin_shut.sql" (_text, timestamptz) -> columns![shut_until: timestamptz];
    KEPT = "sql/pin_kept.sql" (text) -> columns![hash: text];
    CLEAR = "sql/pin_clear.sql" (_text, text, timestamptz) -> &[];
    LIFT = "sql/pin_lift.sql" (text) -> &[];
    TAKEN = "sql/pin_taken.sql" (text, text, timestamptz) -> &[];
    PUT = "sql/pin_put.sql" (text, text, timestamptz) -> &[];
    REMOVE = "sql/pin_remove.sql" (text) -> &[];
    FORGET_SOURCES = "sql/pin_forget_sources.sql" (text) -> &[];
}

/// A place is known for so long after a PIN was taken there.
const KNOWN_SECONDS: i64 = 30 * 24 * 60 * 60;

/// A try that was counted, and what there is to judge it by.
#[derive(Clone, Debug)]
pub struct Tried {
    /// What it was counted under, and when: it is taken back by these.
    counted: Vec<String>,
    at: Timestamp,
    /// Whose code it is, and what is kept of the PIN, where there is anything to compare with.
    pub person: Option<(StaffId, PinHash)>,
}

/// What became of a try.
#[derive(Clone, Debug)]
pub enum Counting {
    Counted(Tried),
    /// It is not looked at before then, and nothing was counted that is to be kept.
    Shut(Timestamp),
}

/// Counts a try, and finds what there is to judge it by.
pub async fn count(uow: &mut UnitOfWork, code: &str, source: &str) -> Result<Counting, StaffError> {
    let now = uow.now();
    let scopes = Counted::ALL.map(|one| one.scope(code, source)).to_vec();
    let (most, spans): (Vec<i32>, Vec<i32>) = Counted::ALL.iter().map(|one| one.limit()).unzip();
    let spared = Counted::ALL.map(Counted::spared_by).to_vec();
    let known_since = now.plus_seconds(-KNOWN_SECONDS);
    let params: [&(dyn ToSql + Sync); 8] = [&scopes, &most, &spans, &spared, &now, &code, &source, &known_since];
    let Some(row) = uow.read_one(&COUNT, &params).await? else {
        let detail = "nothing was counted".to_owned();
        return Err(Fault::Unexpected { place: "pin_count".to_owned(), detail }.into());
    };
    if let Some(until) = row.read::<Option<Timestamp>>("shut_until")? {
        return Ok(Counting::Shut(until));
    }
    let trust = Trust { person: row.read("person_known")?, tenant: row.read("tenant_known")? };
    let counted: Vec<String> = row.read("counted")?;
    let owed = Counted::ALL.iter().zip(&scopes).filter(|(one, _)| !one.spares(trust));
    let shut: Vec<&String> = owed.map(|(_, scope)| scope).filter(|scope| !counted.contains(scope)).collect();
    if !shut.is_empty() {
        // Others were quicker since the statement began. Their rows are locked by it now, and say until when.
        let row = uow.read_one(&SHUT, &[&shut, &now]).await?;
        let until = row.map(|row| row.read::<Option<Timestamp>>("shut_until")).transpose()?.flatten();
        return Ok(Counting::Shut(until.unwrap_or(now)));
    }
    let person = match (row.read::<Option<StaffId>>("id")?, row.read::<Option<String>>("hash")?) {
        (Some(staff), Some(hash)) => Some((staff, PinHash(hash))),
        _ => None,
    };
    Ok(Counting::Counted(Tried { counted, at: now, person }))
}

/// What is kept of a person's PIN now.
pub async fn kept(uow: &mut UnitOfWork, staff: &StaffId) -> Result<Option<PinHash>, StaffError> {
    let row = uow.read_one(&KEPT, &[staff]).await?;
    Ok(row.map(|row| row.read("hash")).transpose()?.map(PinHash))
}

/// The PIN was right: it was no failure, and the source is known from here on.
pub fn taken(uow: &mut UnitOfWork, tried: &Tried, staff: &StaffId, code: &str, source: &str) {
    uow.project(&CLEAR, params![tried.counted.clone(), Counted::CodeHere.scope(code, source), tried.at]);
    let now = uow.now();
    uow.project(&TAKEN, params![source.to_owned(), staff.clone(), now]);
}

/// Nobody could look at the PIN: it is as if it had not been tried.
pub fn not_judged(uow: &mut UnitOfWork, tried: &Tried) {
    // None of them begins anew.
    uow.project(&CLEAR, params![tried.counted.clone(), String::new(), tried.at]);
}

/// The rows of a new PIN, or of none.
pub(super) fn put(staff: &StaffId, code: &str, hash: Option<&PinHash>, now: Timestamp) -> Vec<RowChange> {
    let kept = match hash {
        Some(PinHash(hash)) => RowChange::new(&PUT, params![staff.clone(), hash.clone(), now]),
        None => RowChange::new(&REMOVE, params![staff.clone()]),
    };
    vec![kept, RowChange::new(&LIFT, params![code.to_ascii_uppercase()])]
}

/// The row that takes away where somebody's PIN was taken.
pub(super) fn forget_sources(staff: &StaffId) -> RowChange {
    RowChange::new(&FORGET_SOURCES, params![staff.clone()])
}
