//! Every order in which others can tell a saga's events, once and more than once, ends in one state and tells the same.

use std::collections::BTreeMap;

use reservation::domain::advance::advance;
use reservation::domain::decisions::{Moment, RoomMove};
use reservation::domain::facts::Fact;
use reservation::domain::money::Money;
use reservation::domain::reservation::ReservationStatus::{
    self, Cancelled, CheckInStarted, CheckedIn, Confirmed, Expired, Held,
};
use reservation::domain::reservation::{Reservation, ReservationEvent};

use crate::{desk, held, house, money, noon};

type Telling = (&'static str, Fact);

fn captured(event: &'static str, intent: &str, whole: i128) -> Telling {
    let (intent, amount, event_id) = (intent.to_owned(), money(whole), event.to_owned());
    (event, Fact::Captured { intent, amount, method: None, event: event_id })
}

fn refunded(event: &'static str, intent: &str, whole: i128) -> Telling {
    (event, Fact::Refunded { intent: intent.to_owned(), amount: money(whole) })
}

fn key(event: &'static str, room: &str) -> Telling {
    (event, Fact::KeyIssued { key: event.to_owned(), room: contracts::ids::RoomId::parse(room).ok() })
}

fn committed() -> Telling {
    ("evt_committed", Fact::AllocationCommitted { ids: vec!["alc_x".to_owned(), "alc_y".to_owned()] })
}

/// What is the same whatever the order: where it stands, and whose money and rooms are where.
#[derive(Clone, Debug, PartialEq)]
struct State {
    status: ReservationStatus,
    reason: Option<String>,
    captured: Money,
    refunded: Money,
    given_back: Money,
    asked_back: BTreeMap<String, Money>,
    balance: Money,
    allocations: Vec<String>,
    allocations_given_back: Vec<String>,
    keys: Vec<String>,
    active: usize,
}

fn state(reservation: &Reservation) -> State {
    let sorted = |mut all: Vec<String>| {
        all.sort();
        all
    };
    State {
        status: reservation.status,
        reason: reservation.cancellation.as_ref().map(|one| one.reason_code.to_string()),
        captured: reservation.facts.captured_sum().unwrap(),
        refunded: reservation.facts.refunded_sum().unwrap(),
        given_back: reservation.given_back().unwrap(),
        asked_back: reservation.refunds_requested.clone(),
        balance: reservation.balance().unwrap(),
        allocations: sorted(reservation.facts.allocation_ids()),
        allocations_given_back: sorted(reservation.allocations_given_back.clone()),
        keys: sorted(reservation.facts.keys()),
        active: reservation.active_items().count(),
    }
}

fn name(event: &ReservationEvent) -> &'static str {
    match event {
        ReservationEvent::Confirmed { .. } => "confirmed",
        ReservationEvent::Cancelled(_) => "cancelled",
        ReservationEvent::HoldExpired { .. } => "hold_expired",
        ReservationEvent::CheckInStarted { .. } => "check_in_started",
        ReservationEvent::CheckedIn { .. } => "checked_in",
        ReservationEvent::Modified(_) => "modified",
        _ => "other",
    }
}

/// A reservation that is told things, one after the other, as the stories do.
struct Saga {
    reservation: Reservation,
    events: Vec<&'static str>,
}

impl Saga {
    fn of(reservation: Reservation) -> Self {
        Self { reservation, events: Vec::new() }
    }

    fn hear(&mut self, (key, fact): &Telling) {
        let fact = self.reservation.filed(fact.clone());
        if !self.reservation.facts.note(key, fact) {
            return;
        }
        let (by, house) = (desk(), house());
        let moment = Moment { now: noon(22), by: &by, house: &house };
        if let Some(decided) = advance(self.reservation.clone(), &moment, key, "m").unwrap() {
            self.take(&decided);
        }
        self.money_is_sound();
    }

    fn take(&mut self, decided: &platform::Decided<Reservation>) {
        self.events.extend(decided.events().iter().map(name));
        self.reservation = decided.state().clone();
    }

    /// The time of the hold is over, if it is still one.
    fn time_is_up(&mut self) {
        if self.reservation.status == Held {
            let (by, house) = (desk(), house());
            let moment = Moment { now: noon(22), by: &by, house: &house };
            let decided = self.reservation.clone().expire(&moment).unwrap();
            self.take(&decided);
        }
        self.money_is_sound();
    }

    /// The guest stands at the desk.
    fn arrives(&mut self) {
        let (by, house) = (desk(), house());
        let moment = Moment { now: noon(22), by: &by, house: &house };
        let decided = self.reservation.clone().start_check_in(&moment).unwrap();
        self.take(&decided);
        if self.reservation.status == CheckInStarted
            && let Some(decided) = advance(self.reservation.clone(), &moment, "", "m").unwrap()
        {
            self.take(&decided);
        }
    }

    /// Never is more asked back of a payment than it brought.
    fn money_is_sound(&self) {
        for (intent, asked) in &self.reservation.refunds_requested {
            let brought = self.reservation.facts.captured_of(intent).unwrap();
            assert!(*asked <= brought, "{intent}: {asked} asked back of {brought}");
        }
    }

    fn outcome(mut self) -> (State, Vec<&'static str>) {
        self.events.sort_unstable();
        (state(&self.reservation), self.events)
    }
}

/// Calls with every order of these, each as often as it says.
fn every_order(counts: &mut [usize], order: &mut Vec<usize>, told: &mut dyn FnMut(&[usize])) {
    if counts.iter().all(|left| *left == 0) {
        return told(order);
    }
    for at in 0..counts.len() {
        if counts[at] > 0 {
            counts[at] -= 1;
            order.push(at);
            every_order(counts, order, told);
            order.pop();
            counts[at] += 1;
        }
    }
}

/// Every order of so many things, each once; every order with any one of them told twice; and, of up to four, every order in which all
/// are told twice.
fn once_and_twice(things: usize, told: &mut dyn FnMut(&[usize])) -> usize {
    let mut tellings = vec![vec![1; things]];
    tellings.extend((0..things).map(|again| (0..things).map(|at| if at == again { 2 } else { 1 }).collect()));
    if things <= 4 {
        tellings.push(vec![2; things]);
    }
    let mut cases = 0;
    for mut counts in tellings {
        every_order(&mut counts, &mut Vec::new(), &mut |order| {
            cases += 1;
            told(order);
        });
    }
    cases
}

fn external() -> Reservation {
    let mut reservation = Reservation { external_inventory: true, ..held(2, 2) };
    reservation.items.iter_mut().for_each(|item| {
        item.place.iter_mut().for_each(|place| place.pinned = true);
    });
    reservation
}

#[test]
fn rooms_money_and_a_key_before_the_guest_comes_lead_to_one_state_in_every_order() {
    let facts = [
        committed(),
        captured("evt_1", "pyi_1", 250),
        captured("evt_2", "pyi_2", 150),
        refunded("evt_3", "pyi_2", 30),
        key("key_0", "rom_0"),
    ];
    for begin in [held(2, 2), external()] {
        let mut one: Option<(State, Vec<&'static str>)> = None;
        let cases = once_and_twice(facts.len(), &mut |order| {
            let mut saga = Saga::of(begin.clone());
            for at in order {
                saga.hear(&facts[*at]);
            }
            assert_eq!(saga.reservation.status, Confirmed, "{order:?}");
            saga.arrives();
            saga.hear(&key("key_1", "rom_1"));
            let outcome = saga.outcome();
            assert_eq!(outcome, one.get_or_insert(outcome.clone()).clone(), "{order:?}");
        });
        let (state, events) = one.unwrap();
        assert_eq!((state.status, state.balance), (CheckedIn, money(30)));
        assert_eq!(events, ["check_in_started", "checked_in", "confirmed"]);
        assert_eq!(cases, 120 + 5 * 360);
        println!("{cases} orders, one state");
    }
}

#[test]
fn keys_and_refunds_while_the_guest_stands_at_the_desk_lead_to_one_state_in_every_order() {
    let facts = [
        key("key_0", "rom_0"),
        key("key_1", "rom_1"),
        refunded("evt_3", "pyi_1", 30),
        refunded("evt_4", "pyi_1", 20),
        captured("evt_5", "pyi_3", 10),
    ];
    let mut one: Option<(State, Vec<&'static str>)> = None;
    let cases = once_and_twice(facts.len(), &mut |order| {
        let mut saga = Saga::of(held(2, 2));
        saga.hear(&captured("evt_1", "pyi_1", 400));
        saga.arrives();
        for at in order {
            saga.hear(&facts[*at]);
        }
        let outcome = saga.outcome();
        assert_eq!(outcome, one.get_or_insert(outcome.clone()).clone(), "{order:?}");
    });
    let (state, events) = one.unwrap();
    assert_eq!((state.status, state.refunded), (CheckedIn, money(50)));
    assert_eq!(events, ["check_in_started", "checked_in", "confirmed", "modified", "modified"]);
    println!("{cases} orders, one state");
}

#[test]
fn a_hold_whose_time_is_up_in_the_middle_ends_in_one_of_two_states_and_never_keeps_money_or_rooms() {
    let facts = [
        committed(),
        captured("evt_1", "pyi_1", 150),
        captured("evt_2", "pyi_2", 120),
        ("evt_f", Fact::PaymentFailed { intent: "pyi_OTHER".to_owned() }),
    ];
    // The fifth thing is the time.
    let mut ends: BTreeMap<String, State> = BTreeMap::new();
    let mut cases = 0;
    for begin in [held(2, 2), external()] {
        cases += once_and_twice(facts.len() + 1, &mut |order| {
            let mut saga = Saga::of(begin.clone());
            for at in order {
                match facts.get(*at) {
                    Some(fact) => saga.hear(fact),
                    None => saga.time_is_up(),
                }
            }
            let mode = if saga.reservation.external_inventory { "external" } else { "embedded" };
            let (state, events) = saga.outcome();
            let confirmed = events.contains(&"confirmed");
            assert_ne!(confirmed, events.contains(&"hold_expired"), "{order:?} {events:?}");
            let end = format!("{mode} {}", state.status);
            assert_eq!(&state, ends.entry(end).or_insert_with(|| state.clone()), "{order:?}");
            if !confirmed {
                assert_eq!((state.balance, state.given_back), (money(0), money(270)), "all of it goes back: {order:?}");
                assert_eq!(state.allocations, state.allocations_given_back, "{order:?}");
            }
        });
    }
    let states: Vec<&str> = ends.keys().map(String::as_str).collect();
    assert_eq!(states, ["embedded cancelled", "embedded confirmed", "external cancelled", "external confirmed"]);
    assert_eq!(cases, 2 * (120 + 5 * 360));
    println!("{cases} orders, two states for each way of keeping the count");
}

#[test]
fn a_hold_without_money_expires_and_what_is_set_aside_late_is_given_back_in_every_order() {
    let facts = [
        committed(),
        ("evt_f", Fact::PaymentFailed { intent: "pyi_OTHER".to_owned() }),
        ("evt_k", Fact::KeyFailed { room: None }),
    ];
    let mut one: Option<State> = None;
    let cases = once_and_twice(facts.len() + 1, &mut |order| {
        let mut saga = Saga::of(external());
        for at in order {
            match facts.get(*at) {
                Some(fact) => saga.hear(fact),
                None => saga.time_is_up(),
            }
        }
        let (state, _) = saga.outcome();
        assert_eq!(&state, one.get_or_insert_with(|| state.clone()), "{order:?}");
    });
    let state = one.unwrap();
    assert_eq!((state.status, state.allocations_given_back.len()), (Expired, 2));
    println!("{cases} orders, one state");
}

#[test]
fn a_cancelled_booking_gives_back_whatever_still_comes_in_every_order() {
    let facts = [
        captured("evt_1", "pyi_1", 150),
        captured("evt_2", "pyi_2", 120),
        committed(),
        refunded("evt_3", "pyi_1", 40),
        key("key_0", "rom_0"),
    ];
    let mut one: Option<State> = None;
    let cases = once_and_twice(facts.len(), &mut |order| {
        let mut saga = Saga::of(held(2, 2));
        saga.hear(&("evt_n", Fact::AllocationFailed { reason: None }));
        assert_eq!(saga.reservation.status, Cancelled);
        for at in order {
            saga.hear(&facts[*at]);
        }
        let (state, _) = saga.outcome();
        assert_eq!(&state, one.get_or_insert_with(|| state.clone()), "{order:?}");
    });
    let state = one.unwrap();
    assert_eq!((state.balance, state.given_back, state.active), (money(0), money(270), 0));
    println!("{cases} orders, one state");
}

/// Somebody was told every room.
fn told_its_rooms(mut reservation: Reservation) -> Reservation {
    reservation.items.iter_mut().filter_map(|item| item.place.as_mut()).for_each(|place| place.pinned = true);
    reservation
}

fn unnamed_key(event: &'static str) -> Telling {
    (event, Fact::KeyIssued { key: event.to_owned(), room: None })
}

#[test]
fn keys_of_which_some_name_no_room_lead_to_one_state_in_every_order() {
    let facts = [
        unnamed_key("key_0"),
        key("key_1", "rom_1"),
        unnamed_key("key_2"),
        ("evt_k", Fact::KeyFailed { room: None }),
        captured("evt_5", "pyi_3", 10),
    ];
    for comes_first in [true, false] {
        let mut one: Option<(State, Vec<&'static str>)> = None;
        let cases = once_and_twice(facts.len(), &mut |order| {
            let mut saga = Saga::of(told_its_rooms(held(2, 2)));
            saga.hear(&captured("evt_1", "pyi_1", 400));
            if comes_first {
                saga.arrives();
            }
            for at in order {
                saga.hear(&facts[*at]);
            }
            if !comes_first {
                saga.arrives();
            }
            let outcome = saga.outcome();
            assert_eq!(outcome, one.get_or_insert(outcome.clone()).clone(), "{order:?}");
        });
        let (state, events) = one.unwrap();
        assert_eq!((state.status, &events[..]), (CheckedIn, &["check_in_started", "checked_in", "confirmed"][..]));
        println!("{cases} orders, one state");
    }
}

#[test]
fn a_key_that_names_no_room_does_not_count_when_the_guest_has_moved_out_of_the_room_it_was_for() {
    let moves = |saga: &mut Saga, item: &str| {
        let (by, house) = (desk(), house());
        let moment = Moment { now: noon(22), by: &by, house: &house };
        let room = contracts::ids::RoomId::parse("rom_9").ok();
        let to = RoomMove { item: item.to_owned(), to: room, allocation: "alc_9".to_owned() };
        let decided = saga.reservation.clone().change_room(to, "m", &moment).unwrap();
        saga.take(&decided);
    };
    // The only room, before the guest comes and after.
    for comes_first in [true, false] {
        let mut saga = Saga::of(told_its_rooms(held(1, 2)));
        saga.hear(&captured("evt_1", "pyi_1", 200));
        if comes_first {
            saga.arrives();
        }
        saga.hear(&unnamed_key("key_0"));
        assert!(!saga.reservation.lacks_a_key());
        moves(&mut saga, "item0");
        assert!(saga.reservation.lacks_a_key(), "the key opens the other room");
        if !comes_first {
            saga.arrives();
            assert_eq!(saga.reservation.status, CheckInStarted);
        }
    }
    // The one that had none.
    let mut saga = Saga::of(told_its_rooms(held(2, 2)));
    saga.hear(&captured("evt_1", "pyi_1", 400));
    saga.arrives();
    saga.hear(&key("key_0", "rom_0"));
    saga.hear(&unnamed_key("key_1"));
    assert_eq!(saga.reservation.status, CheckedIn);
    moves(&mut saga, "item1");
    assert!(saga.reservation.lacks_a_key());
    // Where nobody was told a room it may change without a word: the key is for whichever it becomes.
    let mut saga = Saga::of(held(1, 2));
    saga.hear(&captured("evt_1", "pyi_1", 200));
    saga.hear(&unnamed_key("key_0"));
    saga.reservation.items[0].place.as_mut().unwrap().room = contracts::ids::RoomId::parse("rom_9").ok();
    saga.arrives();
    assert_eq!(saga.reservation.status, CheckedIn);
    assert!(!saga.reservation.lacks_a_key());
    // From then on it is that room's.
    moves(&mut saga, "item0");
    assert!(saga.reservation.lacks_a_key(), "the key opens the room of before");
    saga.hear(&unnamed_key("key_1"));
    assert!(!saga.reservation.lacks_a_key());
    // Two keys for two rooms: one is left behind with the first, and the other goes on opening the second.
    let mut saga = Saga::of(told_its_rooms(held(2, 2)));
    saga.hear(&captured("evt_1", "pyi_1", 400));
    saga.hear(&unnamed_key("key_0"));
    saga.hear(&unnamed_key("key_1"));
    saga.arrives();
    assert_eq!(saga.reservation.status, CheckedIn);
    moves(&mut saga, "item0");
    assert!(saga.reservation.lacks_a_key());
    saga.hear(&unnamed_key("key_2"));
    assert!(!saga.reservation.lacks_a_key());
}

#[test]
fn a_check_in_that_was_left_unfinished_is_not_finished_when_the_stay_is_over() {
    let mut saga = Saga::of(held(1, 2));
    saga.hear(&captured("evt_1", "pyi_1", 200));
    saga.arrives();
    let (by, house) = (desk(), house());
    let moment = Moment { now: noon(24), by: &by, house: &house };
    let over = reservation::domain::decisions::StayError::StayOver { ended: crate::april(24) };
    assert_eq!(saga.reservation.may_check_in(&moment).unwrap_err(), over);
    assert_eq!(saga.reservation.clone().complete_check_in(&moment).map(|_| ()).unwrap_err(), over);
    let (_, fact) = key("key_0", "rom_0");
    saga.reservation.facts.note("key_0", fact);
    assert!(advance(saga.reservation.clone(), &moment, "evt_k", "m").unwrap().is_none(), "a key lets nobody in");
    let (_, fact) = refunded("evt_r", "pyi_1", 30);
    saga.reservation.facts.note("evt_r", fact);
    assert!(advance(saga.reservation.clone(), &moment, "evt_r", "m").unwrap().is_some(), "money is told as ever");
}
