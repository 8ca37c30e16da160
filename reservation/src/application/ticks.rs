//! What happens by itself with time: any replica may run it, one at a time does, and each is judged anew.

use contracts::ids::{ReservationId, TenantId};
use platform::ticks::Deed;
use platform::{Db, Fault, Refusal};

use super::booking::House;
use super::sagas::ourselves;
use super::stays::{conclude, no_show};
use crate::domain::decisions::Moment;
use crate::domain::reservation::ReservationStatus;
use crate::infrastructure::timers::{self, TimerKind};
use crate::infrastructure::{maintenance, reservations};
use crate::{ReservationError, SCHEMA};

/// So many of one kind at a time.
const AT_ONCE: i64 = 500;

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

async fn run(db: &Db, kind: TimerKind) -> Deed {
    let mut done = 0;
    for (tenant, reservation) in timers::due(db, kind, db.clock().now(), AT_ONCE).await? {
        match one(db, kind, &tenant, &reservation).await {
            Ok(()) => done += 1,
            Err(ReservationError::General(Refusal::Fault(fault))) => return Err(fault),
            // It is looked at again; the others go on.
            Err(error) => {
                tracing::error!(%tenant, %reservation, kind = kind.as_str(), %error, "a timer could not be run");
            }
        }
    }
    Ok((done > 0).then(|| format!("{done} done")))
}

async fn one(db: &Db, kind: TimerKind, tenant: &TenantId, id: &ReservationId) -> Result<(), ReservationError> {
    let mut uow = db.begin_for(&SCHEMA, tenant).await?;
    let outcome = judge(&mut uow, kind, id).await;
    let ended: Result<(), Fault> = match &outcome {
        Ok(()) => uow.commit().await,
        Err(_) => uow.rollback().await,
    };
    ended?;
    outcome
}

async fn judge(uow: &mut platform::UnitOfWork, kind: TimerKind, id: &ReservationId) -> Result<(), ReservationError> {
    let Some(reservation) = reservations::lock(uow, id).await? else {
        timers::clear(uow, id, kind);
        return Ok(());
    };
    let house = House::of(uow, &reservation.property_id).await?;
    let (now, by) = (uow.now(), ourselves());
    timers::clear(uow, id, kind);
    match (kind, reservation.status) {
        (TimerKind::HoldExpiry, ReservationStatus::Held) if now >= reservation.hold.expires_at => {
            let moment = Moment { now, by: &by, house: &house.time };
            let decided = reservation.clone().expire(&moment)?;
            conclude(uow, &reservation, decided, &house);
        }
        (TimerKind::NoShow, ReservationStatus::Confirmed) if house.settings.auto_no_show => {
            no_show(uow, &reservation, &by, None, &house)?;
        }
        _ => {}
    }
    Ok(())
}
