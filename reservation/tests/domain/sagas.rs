//! Whatever order others tell things in, and however often: one state, the same events.

use contracts::reservation::CancelReason;
use reservation::domain::advance::advance;
use reservation::domain::decisions::Moment;
use reservation::domain::facts::Fact;
use reservation::domain::reservation::ReservationStatus::{Cancelled, CheckInStarted, CheckedIn, Confirmed, Expired};
use reservation::domain::reservation::{FolioLine, Reservation, ReservationEvent};

use crate::{desk, held, house, money, noon};

fn captured(intent: &str, event: &str, whole: i128) -> (String, Fact) {
    let fact =
        Fact::Captured { intent: intent.to_owned(), amount: money(whole), method: None, event: event.to_owned() };
    (event.to_owned(), fact)
}

/// Tells one fact after the other, as the stories do. Says what became of it, and what was told.
fn told(mut reservation: Reservation, facts: &[(String, Fact)]) -> (Reservation, Vec<&'static str>) {
    let (by, house) = (desk(), house());
    let moment = Moment { now: noon(22), by: &by, house: &house };
    let mut events = Vec::new();
    for (key, fact) in facts {
        if !reservation.facts.note(key, fact.clone()) {
            continue;
        }
        if let Some(decided) = advance(reservation.clone(), &moment, key, "m").unwrap() {
            events.extend(decided.events().iter().map(name));
            reservation = decided.state().clone();
        }
    }
    (reservation, events)
}

fn name(event: &ReservationEvent) -> &'static str {
    match event {
        ReservationEvent::Confirmed { .. } => "confirmed",
        ReservationEvent::Cancelled(_) => "cancelled",
        ReservationEvent::CheckedIn { .. } => "checked_in",
        ReservationEvent::Modified(_) => "modified",
        _ => "other",
    }
}

/// Every order of some things.
fn orders<T: Clone>(all: &[T]) -> Vec<Vec<T>> {
    if all.is_empty() {
        return vec![Vec::new()];
    }
    let mut found = Vec::new();
    for at in 0..all.len() {
        let mut rest = all.to_vec();
        let first = rest.remove(at);
        for mut order in orders(&rest) {
            order.insert(0, first.clone());
            found.push(order);
        }
    }
    found
}

/// Every order, with everything told twice: at once, and again at the end.
fn tellings(facts: &[(String, Fact)]) -> Vec<Vec<(String, Fact)>> {
    let mut all = orders(facts);
    for order in all.clone() {
        all.push(order.iter().flat_map(|one| [one.clone(), one.clone()]).collect());
        all.push(order.iter().chain(order.iter()).cloned().collect());
    }
    all
}

#[test]
fn a_booking_that_is_paid_in_parts_is_confirmed_once_in_whatever_order() {
    let committed = ("evt_c".to_owned(), Fact::AllocationCommitted { ids: vec!["alc_x".to_owned()] });
    let facts =
        [captured("pyi_1", "evt_1", 60), captured("pyi_1", "evt_2", 60), captured("pyi_2", "evt_3", 80), committed];
    for order in tellings(&facts) {
        let (reservation, events) = told(held(1, 2), &order);
        assert_eq!((reservation.status, &events[..]), (Confirmed, &["confirmed"][..]), "{order:?}");
        assert_eq!(reservation.balance().unwrap(), money(0));
        assert_eq!(reservation.facts.allocation_ids().len(), 1);
    }
}

#[test]
fn money_for_a_hold_that_is_over_goes_back_whatever_it_comes_with() {
    let facts = [
        captured("pyi_1", "evt_1", 120),
        captured("pyi_2", "evt_2", 80),
        ("evt_f".to_owned(), Fact::PaymentFailed { intent: "pyi_1".to_owned() }),
    ];
    for order in tellings(&facts) {
        let over = Reservation { status: Expired, ..held(1, 2) };
        let (reservation, events) = told(over, &order);
        assert_eq!((reservation.status, &events[..]), (Cancelled, &["cancelled", "cancelled"][..]), "{order:?}");
        assert_eq!(reservation.refunds_requested["pyi_1"], money(120));
        assert_eq!(reservation.refunds_requested["pyi_2"], money(80));
        assert_eq!(reservation.balance().unwrap(), money(0));
        assert_eq!(reservation.cancellation.unwrap().reason_code, CancelReason::PaymentFailed);
    }
}

#[test]
fn of_two_that_contradict_each_other_the_first_decides_and_what_the_other_brought_is_given_back() {
    let paid = captured("pyi_1", "evt_1", 200);
    let failed = ("evt_f".to_owned(), Fact::PaymentFailed { intent: "pyi_1".to_owned() });
    let (kept, events) = told(held(1, 2), &[paid.clone(), failed.clone()]);
    assert_eq!((kept.status, &events[..]), (Confirmed, &["confirmed"][..]));
    let (lost, events) = told(held(1, 2), &[failed, paid.clone()]);
    assert_eq!((lost.status, &events[..]), (Cancelled, &["cancelled", "cancelled"][..]));
    assert_eq!(lost.refunds_requested["pyi_1"], money(200));
    let (yes, no) = (
        ("evt_y".to_owned(), Fact::AllocationCommitted { ids: Vec::new() }),
        ("evt_n".to_owned(), Fact::AllocationFailed { reason: None }),
    );
    assert_eq!(told(held(1, 2), &[yes.clone(), no.clone(), paid.clone()]).0.status, Confirmed);
    assert_eq!(told(held(1, 2), &[no, yes, paid]).0.status, Cancelled);
}

#[test]
fn somebody_elses_failed_payment_does_no_harm() {
    let other = ("evt_f".to_owned(), Fact::PaymentFailed { intent: "pyi_OTHER".to_owned() });
    let (reservation, events) = told(held(1, 2), &[other, captured("pyi_1", "evt_1", 100)]);
    assert_eq!((reservation.status, &events[..]), (Confirmed, &["confirmed"][..]));
}

#[test]
fn keys_in_any_order_complete_a_check_in_once_every_room_has_one() {
    let key = |id: &str, room: Option<&str>| {
        let room = room.map(|room| contracts::ids::RoomId::parse(room).unwrap());
        (id.to_owned(), Fact::KeyIssued { key: id.to_owned(), room })
    };
    let failed = ("evt_f".to_owned(), Fact::KeyFailed { room: None });
    let facts = [key("key_a", Some("rom_0")), key("key_b", None), key("key_c", Some("rom_ELSEWHERE")), failed];
    for order in tellings(&facts) {
        let started = Reservation { status: CheckInStarted, check_in_by: Some(desk()), ..held(2, 2) };
        let (reservation, events) = told(started, &order);
        assert_eq!((reservation.status, &events[..]), (CheckedIn, &["checked_in"][..]), "{order:?}");
    }
    let started = Reservation { status: CheckInStarted, ..held(2, 2) };
    assert_eq!(told(started, &facts[..1]).0.status, CheckInStarted);
}

#[test]
fn a_refund_in_the_middle_of_a_stay_is_told_once() {
    let there = Reservation { status: CheckedIn, ..held(1, 2) };
    let refund = ("t_1".to_owned(), Fact::Refunded { intent: "pyi_1".to_owned(), amount: money(30) });
    let facts = [captured("pyi_1", "evt_1", 200), refund.clone(), refund];
    let (reservation, events) = told(there, &facts);
    assert_eq!((events, reservation.refunded_told), (vec!["modified"], money(30)));
    assert_eq!(reservation.balance().unwrap(), money(30));
}

#[test]
fn who_ended_and_has_money_at_the_desk_is_told_of_once() {
    let line = |kind: &str, whole| FolioLine { kind: kind.to_owned(), amount: money(whole), at: noon(20) };
    let mut over = Reservation {
        status: Cancelled,
        charges: vec![line("penalty", 100)],
        desk_payments: vec![line("payment_cash_on_arrival", 300)],
        ..held(1, 4)
    };
    over.items[0].active = false;
    let refund = |key: &str| {
        let fact = Fact::Refunded { intent: "pyi_1".to_owned(), amount: money(50) };
        (key.to_owned(), fact)
    };
    let failed = ("evt_f".to_owned(), Fact::KeyFailed { room: None });
    let (reservation, events) = told(over, &[captured("pyi_1", "evt_1", 100), refund("t_1"), refund("t_2"), failed]);
    assert_eq!(events, ["cancelled"], "once, with what the card brought");
    assert_eq!(reservation.refunds_requested["pyi_1"], money(100));
    assert_eq!(reservation.balance().unwrap(), money(-200), "what was paid at the desk goes back at the desk");
}
