//! What is due by itself, for whom and when.

use contracts::ids::{PropertyId, ReservationId, TenantId};
use contracts::time::Timestamp;
use platform::database::{Columns, Fault};
use platform::{Db, UnitOfWork, columns, params, statements};

use crate::ReservationError;

contracts::closed_words! {
    /// What happens by itself.
    TimerKind {
        /// A hold ends.
        HoldExpiry = "hold_expiry",
        /// A guest has not come.
        NoShow = "no_show",
        /// A guest has not left.
        Overstay = "overstay",
    }
}

statements! {
    SET = "sql/timer_set.sql" (text, text, timestamptz, timestamptz) -> &[];
    NEW = "sql/timer_new.sql" (text, text, timestamptz) -> &[];
    TURN = "sql/timer_turn.sql" (text, text, timestamptz, timestamptz, _text) -> &[];
    CLEAR = "sql/timer_clear.sql" (text, _text) -> &[];
    DUE = "sql/timer_due.sql" (text, timestamptz, text, int8) -> columns![reservation_id: text, counted_from: timestamptz];
    LOOK_AGAIN = "sql/timer_look_again.sql" (text, timestamptz) -> &[];
}

pub fn set(
    uow: &mut UnitOfWork,
    reservation: &ReservationId,
    kind: TimerKind,
    due_at: Timestamp,
    counted_from: Option<Timestamp>,
) {
    uow.project(&SET, params![reservation.clone(), kind, due_at, counted_from]);
}

/// The first of a reservation that begins with it.
pub fn begin(uow: &mut UnitOfWork, reservation: &ReservationId, kind: TimerKind, due_at: Timestamp) {
    uow.project(&NEW, params![reservation.clone(), kind, due_at]);
}

/// The one that is due from now on, and those that are not any more.
pub fn turn(
    uow: &mut UnitOfWork,
    reservation: &ReservationId,
    (kind, due_at, counted_from): (TimerKind, Timestamp, Option<Timestamp>),
    idle: Vec<TimerKind>,
) {
    uow.project(&TURN, params![reservation.clone(), kind, due_at, counted_from, idle]);
}

pub fn clear(uow: &mut UnitOfWork, reservation: &ReservationId, kinds: Vec<TimerKind>) {
    uow.project(&CLEAR, params![reservation.clone(), kinds]);
}

/// The tenants that have a timer of this kind due: one question, however many tenants there are, over a connection that stays.
pub async fn tenants(db: &Db, kind: TimerKind) -> Result<Vec<TenantId>, Fault> {
    let fault = |error: tokio_postgres::Error| Fault::from_postgres("timers", &error);
    let operator = db.operator().await?;
    let asks = operator.prepare_cached("SELECT reservation.tenants_with_timers_due($1, $2)").await.map_err(fault)?;
    let rows = operator.query(&asks, &[&kind, &db.clock().now()]).await.map_err(fault)?;
    rows.iter().map(|row| row.try_get(0).map_err(fault)).collect()
}

/// A timer whose time has come.
#[derive(Clone, Debug)]
pub struct Due {
    pub reservation: ReservationId,
    pub counted_from: Option<Timestamp>,
}

/// The next few of a tenant, in the order of their ids.
pub async fn due(uow: &mut UnitOfWork, kind: TimerKind, after: &str, most: i64) -> Result<Vec<Due>, ReservationError> {
    let now = uow.now();
    let rows = uow.read(&DUE, &[&kind, &now, &after, &most]).await?;
    let due_of = |row: &platform::database::Row| {
        Ok(Due { reservation: row.read("reservation_id")?, counted_from: row.read("counted_from")? })
    };
    rows.iter().map(due_of).collect()
}

/// Whoever is awaited, and whoever is there, is looked at again: in one house, or in all of the tenant's.
pub fn look_again(uow: &mut UnitOfWork, property: Option<&PropertyId>) {
    let now = uow.now();
    uow.project(&LOOK_AGAIN, params![property.cloned(), now]);
}
