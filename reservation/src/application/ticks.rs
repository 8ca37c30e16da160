//! What happens by itself with time. Every process looks several times a second; what it finds due it locks, passing by what another
//! is at, and judges anew: it happens once, however many look.

use contracts::ids::{PropertyId, ReservationId, TenantId};
use futures_util::StreamExt;
use platform::ticks::Deed;
use platform::{Db, Fault, Refusal, UnitOfWork};

use super::booking::House;
use super::freed;
use super::overstays;
use super::sagas::ourselves;
use super::stays::{no_show, settle};
use super::{alarms, alerts};
use crate::domain::decisions::Moment;
use crate::domain::reservation::Reservation;
use crate::infrastructure::timers::{self, Due, TimerKind};
use crate::infrastructure::{maintenance, reservations};
use crate::{ReservationError, SCHEMA};

/// So many in one transaction.
const AT_ONCE: i64 = 50;
/// So many tenants side by side.
const TENANTS_AT_ONCE: usize = 4;
/// So long a timer waits for rooms that somebody else is at; then it is found due at the next look, a quarter of a second later.
const LONGEST_WAIT_MILLIS: u32 = 400;
/// What cannot be done now is tried again after so long, and not several times a second.
const AGAIN_AFTER_SECONDS: i64 = 600;

/// Rows whose time is over. Hourly.
pub async fn keep_up(db: Db) -> Deed {
    let removed = maintenance::purge(&db).await?;
    Ok((removed > 0).then(|| format!("{removed} rows removed")))
}

/// Holds whose time is over.
pub async fn expire_holds(db: Db) -> Deed {
    run(&db, TimerKind::HoldExpiry).await
}

/// Guests who have not come.
pub async fn call_no_shows(db: Db) -> Deed {
    run(&db, TimerKind::NoShow).await
}

/// Guests who have not left.
pub async fn notice_overstays(db: Db) -> Deed {
    run(&db, TimerKind::Overstay).await
}

async fn run(db: &Db, kind: TimerKind) -> Deed {
    let tenants = timers::tenants(db, kind).await?;
    let each = tenants.into_iter().map(|tenant| all_of(db.clone(), kind, tenant));
    let outcomes: Vec<Result<usize, Fault>> =
        futures_util::stream::iter(each).buffer_unordered(TENANTS_AT_ONCE).collect().await;
    let mut done = 0;
    for outcome in outcomes {
        done += outcome?;
    }
    Ok((done > 0).then(|| format!("{done} done")))
}

/// Everything of a tenant that is due now, before a day is closed. What fails is tried again by the clock.
pub async fn catch_up(db: &Db, tenant: &TenantId) {
    for kind in [TimerKind::HoldExpiry, TimerKind::NoShow, TimerKind::Overstay] {
        if let Err(fault) = all_of(db.clone(), kind, tenant.clone()).await {
            tracing::warn!(%tenant, kind = kind.as_str(), %fault, "not everything that was due is done");
        }
    }
}

/// Everything of a tenant that is due, some at a time.
async fn all_of(db: Db, kind: TimerKind, tenant: TenantId) -> Result<usize, Fault> {
    // Whoever stays longer moves others, who are read anew for the next one.
    let most = if kind == TimerKind::Overstay { 1 } else { AT_ONCE };
    let (mut done, mut after) = (0, String::new());
    loop {
        let batch = some_of(&db, kind, &tenant, &after, most).await?;
        done += batch.done;
        match batch.last {
            Some(last) if batch.found == most => last.as_str().clone_into(&mut after),
            _ => return Ok(done),
        }
    }
}

#[derive(Debug, Default)]
struct Batch {
    found: i64,
    done: usize,
    last: Option<ReservationId>,
}

async fn some_of(db: &Db, kind: TimerKind, tenant: &TenantId, after: &str, most: i64) -> Result<Batch, Fault> {
    let mut uow = begin(db, tenant).await?;
    let due = match timers::due(&mut uow, kind, after, most).await {
        Ok(due) => due,
        Err(error) => return Err(fault_of(error)),
    };
    let found = i64::try_from(due.len()).unwrap_or(i64::MAX);
    let last = due.last().map(|one| one.reservation.clone());
    let judged = match judge_all(&mut uow, kind, &due).await {
        Ok(done) => uow.commit().await.map(|()| done).map_err(ReservationError::from),
        Err(error) => uow.rollback().await.map_err(ReservationError::from).and(Err(error)),
    };
    match judged {
        Ok(done) => Ok(Batch { found, done, last }),
        Err(ReservationError::General(Refusal::Fault(fault @ (Fault::Unavailable(_) | Fault::Exhausted)))) => {
            Err(fault)
        }
        // One of them spoils it for the others: each by itself, and that one later.
        Err(_) if due.len() > 1 => {
            let mut done = 0;
            for one in &due {
                done += alone(db, kind, tenant, one).await?;
            }
            Ok(Batch { found, done, last })
        }
        Err(error) => {
            let Some(one) = due.first() else { return Err(fault_of(error)) };
            leave(db, kind, tenant, one, error).await?;
            Ok(Batch { found, done: 0, last })
        }
    }
}

async fn alone(db: &Db, kind: TimerKind, tenant: &TenantId, due: &Due) -> Result<usize, Fault> {
    let mut uow = begin(db, tenant).await?;
    let judged = match judge_all(&mut uow, kind, std::slice::from_ref(due)).await {
        Ok(done) => uow.commit().await.map(|()| done).map_err(ReservationError::from),
        Err(error) => uow.rollback().await.map_err(ReservationError::from).and(Err(error)),
    };
    match judged {
        Ok(done) => Ok(done),
        Err(error) => leave(db, kind, tenant, due, error).await.map(|()| 0),
    }
}

/// What could not be done now. What passes stays due, for the next look; only what would fail in the same way again is put off.
async fn leave(db: &Db, kind: TimerKind, tenant: &TenantId, due: &Due, why: ReservationError) -> Result<(), Fault> {
    match why {
        // Somebody else was at the same rooms: nobody behind it has to wait for that.
        ReservationError::General(Refusal::Fault(Fault::Conflict)) => {
            tracing::warn!(%tenant, reservation = %due.reservation, kind = kind.as_str(), "a timer met another change");
            Ok(())
        }
        ReservationError::General(Refusal::Fault(fault)) if fault.is_transient() => Err(fault),
        other => put_off(db, kind, tenant, due, &other).await,
    }
}

/// A unit of work that waits for no lock for long: the other tenants' timers wait behind it.
async fn begin(db: &Db, tenant: &TenantId) -> Result<UnitOfWork, Fault> {
    let mut uow = db.begin_for(&SCHEMA, tenant).await?;
    uow.waits_at_most(LONGEST_WAIT_MILLIS);
    Ok(uow)
}

async fn put_off(db: &Db, kind: TimerKind, tenant: &TenantId, due: &Due, why: &ReservationError) -> Result<(), Fault> {
    tracing::error!(%tenant, reservation = %due.reservation, kind = kind.as_str(), error = %why, "a timer could not be run");
    let mut uow = db.begin_for(&SCHEMA, tenant).await?;
    let later = uow.now().plus_seconds(AGAIN_AFTER_SECONDS);
    timers::set(&mut uow, &due.reservation, kind, later, due.counted_from);
    uow.commit().await
}

fn fault_of(error: ReservationError) -> Fault {
    match error {
        ReservationError::General(Refusal::Fault(fault)) => fault,
        other => Fault::Unexpected { place: "timers".to_owned(), detail: other.to_string() },
    }
}

/// Judges those that nobody else is at, in one unit of work: reservations are locked first, then the types of all of them.
async fn judge_all(uow: &mut UnitOfWork, kind: TimerKind, due: &[Due]) -> Result<usize, ReservationError> {
    let ids: Vec<ReservationId> = due.iter().map(|one| one.reservation.clone()).collect();
    if ids.is_empty() {
        return Ok(0);
    }
    let mut found = reservations::lock_free(uow, &ids).await?;
    found.sort_by(|one, other| (&one.property_id, &one.id).cmp(&(&other.property_id, &other.id)));
    let mut done = 0;
    let mut houses: Vec<PropertyId> = found.iter().map(|one| one.property_id.clone()).collect();
    houses.dedup();
    // The types of all of them with the first question, in the order of their ids; house by house they would come out of order.
    let all: Vec<ReservationId> = found.iter().map(|one| one.id.clone()).collect();
    let mut waiting = Vec::new();
    for house in &houses {
        waiting.push(freed::lock(uow, house, &all).await?);
    }
    for (property, waiting) in houses.iter().zip(&waiting) {
        let house = House::of(uow, property).await?;
        let mut gone = Vec::new();
        for reservation in found.iter().filter(|one| one.property_id == *property) {
            let counted_from =
                due.iter().find(|one| one.reservation == reservation.id).and_then(|one| one.counted_from);
            match judge(uow, kind, reservation, &house, counted_from).await? {
                Judged::Done(freed) => {
                    done += 1;
                    gone.extend(freed);
                }
                Judged::NotNow => {}
            }
        }
        freed::seat_waiting(uow, property, waiting, &gone).await?;
    }
    Ok(done)
}

enum Judged {
    /// These allocations are given back.
    Done(Vec<String>),
    NotNow,
}

async fn judge(
    uow: &mut UnitOfWork,
    kind: TimerKind,
    reservation: &Reservation,
    house: &House,
    counted_from: Option<contracts::Timestamp>,
) -> Result<Judged, ReservationError> {
    let (now, by) = (uow.now(), ourselves());
    match alarms::due_at(kind, reservation, house, counted_from) {
        None => {
            timers::clear(uow, &reservation.id, vec![kind]);
            return Ok(Judged::NotNow);
        }
        Some(due) if due > now => {
            timers::set(uow, &reservation.id, kind, due, counted_from);
            return Ok(Judged::NotNow);
        }
        Some(_) => {}
    }
    let moment = Moment { now, by: &by, house: &house.time };
    let decided = match kind {
        TimerKind::HoldExpiry => reservation.clone().expire(&moment)?,
        TimerKind::NoShow => no_show(reservation.clone(), None, &moment)?,
        TimerKind::Overstay => {
            return overstays::notice(uow, reservation, &moment, house).await.map(|()| Judged::Done(Vec::new()));
        }
    };
    let (after, gone) = settle(uow, reservation, decided, house);
    alerts::notice_cash(uow, reservation, &after).await?;
    Ok(Judged::Done(gone))
}
