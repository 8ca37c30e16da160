//! What follows from what others told: one function, asked after every fact, whatever came in whichever order.

use contracts::reservation::CancelReason;
use platform::Decided;

use super::decisions::{Cancel, Moment, StayError};
use super::reservation::Reservation;
use super::reservation::ReservationStatus::{
    Cancelled, CheckInStarted, CheckedIn, CheckoutStarted, Expired, Held, NoShow,
};

/// What the reservation does now that these are the facts. `None`: nothing follows. `cause` is the event that told the last one;
/// `modification` an id that is used if the change has to be told as one.
pub fn advance(
    reservation: Reservation,
    moment: &Moment<'_>,
    cause: &str,
    modification: &str,
) -> Result<Option<Decided<Reservation>>, StayError> {
    match reservation.status {
        Held => hold_on(reservation, moment, cause),
        Expired | Cancelled | NoShow => {
            // What was paid at the desk goes back at the desk: nobody is told of it again.
            if reservation.has_late_money()? {
                return reservation.give_back_late(moment, Some(cause.to_owned())).map(Some);
            }
            if !reservation.late_allocations().is_empty() {
                return Ok(Some(reservation.give_back_rooms(moment, Some(cause.to_owned()))));
            }
            Ok(None)
        }
        // A key that comes when the last night is over lets nobody in.
        CheckInStarted if !reservation.lacks_a_key() && !reservation.is_past(moment) => {
            // It is completed by whoever started it.
            let by = reservation.check_in_by.clone().unwrap_or_else(|| moment.by.clone());
            reservation.complete_check_in(&Moment { by: &by, ..moment.clone() }).map(Some)
        }
        CheckInStarted | CheckedIn | CheckoutStarted
            if reservation.facts.refunded_sum()? != reservation.refunded_told =>
        {
            reservation.tell_refunds(modification, moment).map(Some)
        }
        _ => Ok(None),
    }
}

fn hold_on(
    reservation: Reservation,
    moment: &Moment<'_>,
    cause: &str,
) -> Result<Option<Decided<Reservation>>, StayError> {
    let enough = reservation.has_paid_enough()?;
    let failed = |reason_code, reason: &str| Cancel {
        reason_code,
        reason: reason.to_owned(),
        items: None,
        waive_penalty: true,
        cause: Some(cause.to_owned()),
        modification: String::new(),
    };
    if reservation.facts.allocation_failed() {
        let cancel = failed(CancelReason::InventoryFailed, "the rooms could not be set aside");
        return reservation.cancel(&cancel, moment).map(Some);
    }
    if enough && reservation.facts.captured_sum()?.is_due() && reservation.is_allocated() {
        // The event that brought the money, which need not be the one that came last.
        let paid_by = reservation.facts.captured().last().map(|capture| capture.event.to_owned());
        return reservation.confirm(None, false, moment.now, paid_by).map(Some);
    }
    if !enough && reservation.facts.payment_failed(reservation.payment_intent.as_deref()) {
        let cancel = failed(CancelReason::PaymentFailed, "the payment failed");
        return reservation.cancel(&cancel, moment).map(Some);
    }
    Ok(None)
}
