//! What is due by itself, for whom and when.

use contracts::ids::{ReservationId, TenantId};
use contracts::time::Timestamp;
use platform::database::{Columns, DbRole, Fault};
use platform::{Db, UnitOfWork, params, statements};

contracts::closed_words! {
    /// What happens by itself.
    TimerKind {
        /// A hold ends.
        HoldExpiry = "hold_expiry",
        /// A guest has not come.
        NoShow = "no_show",
    }
}

statements! {
    SET = "sql/timer_set.sql" (text, text, timestamptz) -> &[];
    CLEAR = "sql/timer_clear.sql" (text, text) -> &[];
}

/// Across tenants, and nothing but whom to ask: for the operator's role.
const DUE: &str = "SELECT tenant_id, reservation_id FROM reservation.timers WHERE kind = $1 AND due_at <= $2 ORDER BY due_at LIMIT $3";

pub fn set(uow: &mut UnitOfWork, reservation: &ReservationId, kind: TimerKind, due_at: Timestamp) {
    uow.project(&SET, params![reservation.clone(), kind, due_at]);
}

pub fn clear(uow: &mut UnitOfWork, reservation: &ReservationId, kind: TimerKind) {
    uow.project(&CLEAR, params![reservation.clone(), kind]);
}

/// Whose time has come.
pub async fn due(db: &Db, kind: TimerKind, now: Timestamp, most: i64) -> Result<Vec<(TenantId, ReservationId)>, Fault> {
    let operator = db.connect_as(DbRole::Operator).await?;
    let unexpected = |detail: String| Fault::Unexpected { place: "timers".to_owned(), detail };
    let rows = operator.query(DUE, &[&kind, &now, &most]).await.map_err(|error| unexpected(error.to_string()))?;
    let one = |row: &tokio_postgres::Row| Ok((row.read("tenant_id")?, row.read("reservation_id")?));
    rows.iter()
        .map(one)
        .collect::<Result<_, platform::database::ImpossibleRow>>()
        .map_err(|row| unexpected(row.to_string()))
}
