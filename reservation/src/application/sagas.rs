//! What others tell of money, rooms and keys becomes a fact beside the reservation; then the reservation says what follows.

use contracts::actor::Actor;
use contracts::external::{
    AllocationCommittedV1, AllocationFailedV1, KeyCredentialFailedV1, KeyCredentialIssuedV1, TransactionCapturedV1,
    TransactionFailedV1, TransactionRefundedV1,
};
use contracts::ids::{ReservationId, RoomId};
use contracts::reservation::AlertKind;
use contracts::values::{Currency, Micros};
use platform::bus::NotApplied;
use platform::{Refusal, UnitOfWork};

use super::booking::House;
use super::stays::conclude;
use super::{alerts, settings};
use crate::ReservationError;
use crate::domain::advance::advance;
use crate::domain::alerts::Matter;
use crate::domain::decisions::Moment;
use crate::domain::facts::Fact;
use crate::domain::money::Money;
use crate::domain::reservation::{Reservation, exchanged};
use crate::infrastructure::reservations::{self, AtHand};

/// Who acts when nobody does.
pub(super) const ACTOR: &str = "sys_reservation";

pub(super) fn ourselves() -> Actor {
    Actor::system(ACTOR)
}

/// Takes note of a fact, once, and lets the reservation decide what follows.
async fn hear(
    uow: &mut UnitOfWork,
    id: &ReservationId,
    (key, event): (&str, &str),
    fact: impl FnOnce(&Reservation) -> Result<Option<Fact>, ReservationError>,
) -> Result<Heard, NotApplied> {
    let Some(AtHand { mut reservation, house, .. }) = reservations::lock_at_hand(uow, id).await? else {
        return Err(NotApplied::never("RESERVATION_UNKNOWN", format!("there is no reservation {id}")));
    };
    let Some(fact) = fact(&reservation)? else { return Ok(Heard::uncounted(reservation)) };
    if !reservation.facts.note(key, fact.clone()) {
        return Ok(Heard::before(reservation));
    }
    let now = uow.now();
    reservations::note(uow, id, key, &fact, now);
    let house = House::known(uow, house)?;
    let by = ourselves();
    let moment = Moment { now, by: &by, house: &house.time };
    let modification = uow.next_id::<ReservationId>().as_str()[4..].to_owned();
    let followed = advance(reservation.clone(), &moment, event, &modification).map_err(ReservationError::from)?;
    let changed = followed.is_some();
    let reservation = match followed {
        Some(decided) => {
            let after = conclude(uow, &reservation, decided, &house).await?;
            alerts::notice_cash(uow, &reservation, &after).await?;
            after
        }
        None => reservation,
    };
    Ok(Heard { reservation, is_new: true, counted: true, changed })
}

/// What became of something that was told.
struct Heard {
    reservation: Reservation,
    /// Nobody had told it before.
    is_new: bool,
    /// It could be understood.
    counted: bool,
    /// The reservation changed because of it.
    changed: bool,
}

impl Heard {
    fn before(reservation: Reservation) -> Self {
        Self { reservation, is_new: false, counted: true, changed: false }
    }

    fn uncounted(reservation: Reservation) -> Self {
        Self { reservation, is_new: true, counted: false, changed: false }
    }

    /// Somebody in the house has to look at it.
    async fn alert(&self, uow: &mut UnitOfWork, kind: AlertKind, room: Option<RoomId>) -> Result<(), NotApplied> {
        settings::reside(uow, Some(&self.reservation.property_id)).await?;
        let matter = Matter {
            property_id: self.reservation.property_id.clone(),
            kind,
            reservation_id: Some(self.reservation.id.clone()),
            room_id: room,
            suggested_room_id: None,
        };
        alerts::raise(uow, matter).await?;
        Ok(())
    }
}

/// An amount in the reservation's own currency; `None` where nobody knows the rate of exchange.
fn in_its_currency(
    reservation: &Reservation,
    amount: Micros,
    currency: Option<Currency>,
) -> Result<Option<Money>, ReservationError> {
    let amount = Money::said(amount)?;
    if amount < Money::ZERO {
        // What goes the other way has a subject of its own.
        return Err(Refusal::invalid("amountMicro", "not below zero").into());
    }
    match currency {
        Some(other) if other != reservation.currency => {
            // Not counted, and somebody in the house has to look.
            let known = reservation.fx.as_ref().and_then(|fx| exchanged(amount, other, reservation.currency, fx));
            Ok(known.and_then(|amount| amount.as_said().ok()))
        }
        _ => Ok(Some(amount)),
    }
}

pub async fn captured(uow: &mut UnitOfWork, told: TransactionCapturedV1, event: &str) -> Result<(), NotApplied> {
    let key = told.transaction_id.clone().unwrap_or_else(|| event.to_owned());
    let source = event.to_owned();
    let TransactionCapturedV1 { reservation_id, payment_intent_id: intent, amount_micro, currency, method, .. } = told;
    let heard = hear(uow, &reservation_id, (&key, event), |reservation| {
        let amount = match amount_micro {
            Some(amount) => in_its_currency(reservation, amount, currency)?,
            // Nothing said: all that is due. Where nothing is, nobody knows how much it was.
            None => Some(reservation.to_pay_by(&intent)?).filter(|due| due.is_due()),
        };
        Ok(amount.map(|amount| Fact::Captured { intent, amount, method, event: source }))
    })
    .await?;
    if !heard.counted {
        heard.alert(uow, AlertKind::PaymentMismatch, None).await?;
    }
    Ok(())
}

pub async fn payment_failed(uow: &mut UnitOfWork, told: TransactionFailedV1, event: &str) -> Result<(), NotApplied> {
    let key = told.transaction_id.unwrap_or_else(|| event.to_owned());
    let intent = told.payment_intent_id;
    hear(uow, &told.reservation_id, (&key, event), |_| Ok(Some(Fact::PaymentFailed { intent }))).await?;
    Ok(())
}

pub async fn refunded(uow: &mut UnitOfWork, told: TransactionRefundedV1, event: &str) -> Result<(), NotApplied> {
    let key = told.transaction_id.clone().unwrap_or_else(|| event.to_owned());
    let TransactionRefundedV1 { reservation_id, payment_intent_id: intent, amount_micro, currency, .. } = told;
    let heard = hear(uow, &reservation_id, (&key, event), |reservation| {
        let amount = in_its_currency(reservation, amount_micro, currency)?;
        Ok(amount.map(|amount| Fact::Refunded { intent, amount }))
    })
    .await?;
    if !heard.counted {
        heard.alert(uow, AlertKind::PaymentMismatch, None).await?;
    }
    Ok(())
}

pub async fn allocated(uow: &mut UnitOfWork, told: AllocationCommittedV1, event: &str) -> Result<(), NotApplied> {
    let ids = told.allocation_ids;
    hear(uow, &told.reservation_id, (event, event), |_| Ok(Some(Fact::AllocationCommitted { ids }))).await?;
    Ok(())
}

pub async fn allocation_failed(uow: &mut UnitOfWork, told: AllocationFailedV1, event: &str) -> Result<(), NotApplied> {
    let reason = told.reason;
    let heard =
        hear(uow, &told.reservation_id, (event, event), |_| Ok(Some(Fact::AllocationFailed { reason }))).await?;
    // A hold ends by it. Whoever was promised a room since, or before it was told twice, keeps it: somebody has to look.
    if heard.is_new && !heard.changed && !heard.reservation.status.is_over() {
        heard.alert(uow, AlertKind::AllocationFailed, None).await?;
    }
    Ok(())
}

pub async fn key_issued(uow: &mut UnitOfWork, told: KeyCredentialIssuedV1, event: &str) -> Result<(), NotApplied> {
    let (key, room) = (told.key_credential_id, told.room_id);
    let id = key.clone();
    let fact = Fact::KeyIssued { key, room };
    hear(uow, &told.reservation_id, (&id, event), |reservation| Ok(Some(reservation.filed(fact)))).await?;
    Ok(())
}

pub async fn key_failed(uow: &mut UnitOfWork, told: KeyCredentialFailedV1, event: &str) -> Result<(), NotApplied> {
    let room = told.room_id.clone();
    let heard = hear(uow, &told.reservation_id, (event, event), |_| Ok(Some(Fact::KeyFailed { room }))).await?;
    if heard.is_new && heard.reservation.needs_the_key(told.room_id.as_ref()) {
        heard.alert(uow, AlertKind::KeyFailed, told.room_id).await?;
    }
    Ok(())
}
