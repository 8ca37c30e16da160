//! What is kept of PINs and of those who try them.

use contracts::ids::StaffId;
use contracts::time::Timestamp;
use platform::database::{Columns, Read, RowChange};
use platform::{UnitOfWork, columns, params, statements};

use crate::StaffError;
use crate::domain::pin::{Counted, PinHash, Tries, Trust};

statements! {
    COUNT = "sql/pin_count.sql" (_text, _int4, _int4, timestamptz)
        -> columns![scope: text, failures: int4, shut_until: timestamptz];
    KNOWN = "sql/pin_known.sql" (text, text, timestamptz)
        -> columns![id: text, hash: text, person_known: bool, tenant_known: bool];
    KEPT = "sql/pin_kept.sql" (text) -> columns![hash: text];
    CLEAR = "sql/pin_clear.sql" (_text, text) -> &[];
    LIFT = "sql/pin_lift.sql" (text) -> &[];
    TAKEN = "sql/pin_taken.sql" (text, text, timestamptz) -> &[];
    PUT = "sql/pin_put.sql" (text, text, timestamptz) -> &[];
    REMOVE = "sql/pin_remove.sql" (text) -> &[];
    FORGET_SOURCES = "sql/pin_forget_sources.sql" (text) -> &[];
}

/// A place is known for so long after a PIN was taken there.
const KNOWN_SECONDS: i64 = 30 * 24 * 60 * 60;

/// What is known when somebody tries a PIN.
#[derive(Clone, Debug)]
pub struct Tried {
    pub tries: Vec<Tries>,
    pub trust: Trust,
    /// Whose code it is, and what is kept of the PIN, where there is anything to compare with.
    pub person: Option<(StaffId, PinHash)>,
}

/// Counts a try, and finds what there is to judge it by.
pub async fn count(uow: &mut UnitOfWork, code: &str, source: &str) -> Result<Tried, StaffError> {
    let now = uow.now();
    let scopes: Vec<String> = Counted::ALL.iter().map(|one| one.scope(code, source)).collect();
    let (most, spans): (Vec<i32>, Vec<i32>) = Counted::ALL.iter().map(|one| one.limit()).unzip();
    let known_since = now.plus_seconds(-KNOWN_SECONDS);
    let [counted, known] = uow
        .read_together([
            Read { sql: &COUNT, params: &[&scopes, &most, &spans, &now] },
            Read { sql: &KNOWN, params: &[&code, &source, &known_since] },
        ])
        .await?;
    let mut tries = Vec::with_capacity(counted.len());
    for row in &counted {
        let scope: String = row.read("scope")?;
        if let Some(at) = scopes.iter().position(|one| *one == scope) {
            let (failures, shut_until) = (row.read("failures")?, row.read("shut_until")?);
            tries.push(Tries { counted: Counted::ALL[at], failures, shut_until });
        }
    }
    let Some(row) = known.first() else { return Ok(Tried { tries, trust: Trust::default(), person: None }) };
    let person = match (row.read::<Option<StaffId>>("id")?, row.read::<Option<String>>("hash")?) {
        (Some(staff), Some(hash)) => Some((staff, PinHash(hash))),
        _ => None,
    };
    let trust = Trust { person: row.read("person_known")?, tenant: row.read("tenant_known")? };
    Ok(Tried { tries, trust, person })
}

/// What is kept of a person's PIN now.
pub async fn kept(uow: &mut UnitOfWork, staff: &StaffId) -> Result<Option<PinHash>, StaffError> {
    let row = uow.read_one(&KEPT, &[staff]).await?;
    Ok(row.map(|row| row.read("hash")).transpose()?.map(PinHash))
}

/// The PIN was right: it was no failure, and the source is known from here on.
pub fn taken(uow: &mut UnitOfWork, staff: &StaffId, code: &str, source: &str) {
    let scopes: Vec<String> = Counted::ALL.iter().map(|one| one.scope(code, source)).collect();
    uow.project(&CLEAR, params![scopes, Counted::CodeHere.scope(code, source)]);
    let now = uow.now();
    uow.project(&TAKEN, params![source.to_owned(), staff.clone(), now]);
}

/// Nobody could look at the PIN: it is as if it had not been tried.
pub fn not_judged(uow: &mut UnitOfWork, code: &str, source: &str) {
    let scopes: Vec<String> = Counted::ALL.iter().map(|one| one.scope(code, source)).collect();
    // None of them begins anew.
    uow.project(&CLEAR, params![scopes, String::new()]);
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
