//! The life of a reservation: only the transitions that there are, each with its events, and the bill always adds up.

use contracts::reservation::{CancelReason, PaymentMethod};
use proptest::prelude::*;
use reservation::domain::decisions::{Cancel, Moment, StayError};
use reservation::domain::money::Money;
use reservation::domain::reservation::ReservationStatus::{
    self, Cancelled, CheckInStarted, CheckedIn, CheckedOut, CheckoutStarted, Confirmed, Expired, Held, NoShow,
};
use reservation::domain::reservation::{Reservation, ReservationEvent};

use crate::{desk, held, house, money, noon};

const ACTIONS: [&str; 9] =
    ["expire", "confirm", "cancel", "no_show", "start_in", "complete_in", "start_out", "early", "check_out"];

fn cancelling(reason_code: CancelReason) -> Cancel<'static> {
    Cancel {
        reason_code,
        reason: "so".to_owned(),
        items: None,
        waive_penalty: false,
        cause: None,
        modification: "m".to_owned(),
    }
}

fn act(reservation: Reservation, action: &str, day: i8) -> Result<platform::Decided<Reservation>, StayError> {
    let (by, house) = (desk(), house());
    // After check-in time.
    let moment = Moment { now: noon(day).plus_seconds(3 * 3_600), by: &by, house: &house };
    match action {
        "expire" => reservation.expire(&moment),
        "confirm" => reservation.confirm(Some(PaymentMethod::CashOnArrival), true, moment.now, None),
        "cancel" => reservation.cancel(&cancelling(CancelReason::GuestCancelled), &moment),
        "no_show" => reservation.call_no_show(&cancelling(CancelReason::NoShow), &moment),
        "start_in" => reservation.start_check_in(&moment),
        "complete_in" => reservation.complete_check_in(&moment),
        "start_out" => reservation.start_checkout(&moment),
        "early" => reservation.leave_early(None, &moment),
        "check_out" => reservation.check_out(None, true, "m", &moment),
        other => panic!("{other}"),
    }
}

/// The whole table: where each action leads from each state, on the day of arrival.
fn leads(from: ReservationStatus, action: &str) -> Option<ReservationStatus> {
    Some(match (from, action) {
        (Held, "expire") => Expired,
        (Held, "confirm") => Confirmed,
        (Held | Confirmed | CheckInStarted, "cancel") => Cancelled,
        (Confirmed, "no_show") => NoShow,
        (Confirmed, "start_in") => CheckInStarted,
        (Confirmed | CheckInStarted, "complete_in") => CheckedIn,
        (CheckedIn, "start_out" | "early") => CheckoutStarted,
        (CheckedIn | CheckoutStarted, "check_out") => CheckedOut,
        _ => return None,
    })
}

#[test]
fn the_table_of_transitions_is_walked_whole() {
    for from in ReservationStatus::ALL {
        for action in ACTIONS {
            let reservation = Reservation { status: *from, ..held(1, 2) };
            let outcome = act(reservation, action, 22);
            match (leads(*from, action), outcome) {
                (Some(to), Ok(decided)) => {
                    assert_eq!(decided.state().status, to, "{from} {action}");
                    let count = i32::try_from(decided.events().len()).unwrap();
                    assert_eq!(decided.state().version, 1 + count, "each event has its own version");
                }
                (None, Err(StayError::Illegal { from: named, .. })) => assert_eq!(named, *from),
                (expected, found) => panic!("{from} {action}: {found:?} instead of {expected:?}"),
            }
        }
    }
}

proptest! {
    #[test]
    fn whatever_is_done_the_bill_adds_up_and_no_step_is_skipped(
        rooms in 1_usize..4, nights in 1_i8..5, paid in 0_i128..2_000,
        steps in prop::collection::vec((0_usize..ACTIONS.len(), 0_i8..2), 1..12),
    ) {
        let mut reservation = held(rooms, nights);
        reservation.deposit_ppm = 0;
        let mut day = 22;
        let mut told: Vec<ReservationEvent> = Vec::new();
        if paid > 0 {
            let fact = reservation::domain::facts::Fact::Captured { intent: "pyi_1".to_owned(), amount: money(paid), method: None, event: "evt_1".to_owned() };
            reservation.facts.note("t", fact);
        }
        for (step, later) in steps {
            day += later;
            let before = reservation.status;
            let Ok(decided) = act(reservation.clone(), ACTIONS[step], day) else { continue };
            told.extend(decided.events().iter().cloned());
            reservation = decided.state().clone();
            prop_assert!(leads(before, ACTIONS[step]).is_some() || reservation.status == Cancelled);
            let totals = reservation.owed().unwrap();
            let recount = totals.grand.plus(reservation.charged().unwrap()).unwrap()
                .minus(money(paid)).unwrap().plus(reservation.given_back().unwrap()).unwrap();
            prop_assert_eq!(reservation.balance().unwrap(), recount);
            prop_assert!(reservation.given_back().unwrap() <= money(paid), "more is asked back than came");
            let price = money(100 * i128::from(nights) * i128::try_from(rooms).unwrap());
            prop_assert!(Money::ZERO <= reservation.charged().unwrap() && reservation.charged().unwrap() <= price);
        }
        let at = |wanted: fn(&ReservationEvent) -> bool| told.iter().position(wanted);
        let in_started = at(|event| matches!(event, ReservationEvent::CheckInStarted { .. }));
        let checked_in = at(|event| matches!(event, ReservationEvent::CheckedIn { .. }));
        let out_started = at(|event| matches!(event, ReservationEvent::CheckoutStarted { .. }));
        let checked_out = at(|event| matches!(event, ReservationEvent::CheckedOut { .. }));
        prop_assert!(checked_in.is_none() || in_started < checked_in && in_started.is_some());
        prop_assert!(checked_out.is_none() || out_started < checked_out && out_started.is_some());
    }
}
