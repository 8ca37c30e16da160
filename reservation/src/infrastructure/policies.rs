//! Cancellation policies, version by version.

use contracts::ids::PropertyId;
use platform::database::Row;
use platform::database::{Change, Columns, Json, RowChange, Scribe, Stored, Told};
use platform::{UnitOfWork, columns, params, statements};

use crate::ReservationError;
use crate::domain::policy::{KeptPolicy, Policy, PolicyMade};

statements! {
    LIST = "sql/policy_list.sql" () -> columns![policy: jsonb];
    FIND = "sql/policy_find.sql" (text) -> columns![policy: jsonb];
    INSERT = "sql/policy_insert.sql" (text, jsonb, timestamptz) -> &[];
}

/// All versions, oldest first. The one that every tenant has stands first, unless the tenant has made another of that name.
pub async fn list(uow: &mut UnitOfWork) -> Result<Vec<Policy>, ReservationError> {
    let rows = uow.read(&LIST, &[]).await?;
    let all = rows.iter().map(|row| policy_of(row, "policy"));
    Ok(with_the_usual(all.collect::<Result<_, _>>()?))
}

pub(super) fn policy_of(row: &Row, column: &str) -> Result<Policy, ReservationError> {
    let Json(policy) = row.read(column)?;
    Ok(policy)
}

/// With the one that every tenant has.
pub(super) fn with_the_usual(mut all: Vec<Policy>) -> Vec<Policy> {
    let usual = Policy::flexible_24h();
    if all.iter().all(|policy| policy.version != usual.version) {
        all.insert(0, usual);
    }
    all
}

pub async fn find(uow: &mut UnitOfWork, version: &str) -> Result<Option<Policy>, ReservationError> {
    if let Some(row) = uow.read_one(&FIND, &[&version]).await? {
        return Ok(Some(policy_of(&row, "policy")?));
    }
    Ok(Some(Policy::flexible_24h()).filter(|usual| usual.version == version))
}

impl Stored for KeptPolicy {
    const KIND: &'static str = "cancellation_policy";

    fn aggregate_id(&self) -> String {
        self.policy.version.clone()
    }

    fn property_id(&self) -> Option<&PropertyId> {
        None
    }

    fn rows(&self, _: &Change<'_, PolicyMade>, scribe: &Scribe<'_>) -> Vec<RowChange> {
        vec![RowChange::new(&INSERT, params![self.policy.version.clone(), Json(self.policy.clone()), scribe.now])]
    }

    fn tell(&self, _: &PolicyMade, _: i32, _: &Scribe<'_>) -> Told {
        Told::nobody("reservation.cancellation_policy.made", &self.policy)
    }
}
