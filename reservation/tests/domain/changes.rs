//! What may be changed in which state, where a person may put a reservation, and that the money adds up whatever is changed.

use contracts::reservation::{Channel, Occupants};
use jiff::civil::Date;
use platform::Decided;
use proptest::prelude::*;
use reservation::domain::decisions::{Cancel, Moment, NewProfile, OVERRIDES, RoomMove, StayError};
use reservation::domain::facts::Fact;
use reservation::domain::money::Money;
use reservation::domain::reservation::ReservationStatus::{self, CheckInStarted, CheckedIn, Confirmed, Held};
use reservation::domain::reservation::{Item, Reservation, ReservationEvent};
use reservation::domain::stay::Stay;

use crate::{april, desk, held, house, money, noon};

const TYPES: [&str; 8] = ["dates", "room", "added", "removed", "guests", "rate", "profile", "channel"];

fn change(reservation: Reservation, what: &str, end: i8, day: i8) -> Result<Decided<Reservation>, StayError> {
    let (by, house) = (desk(), house());
    let moment = Moment { now: noon(day), by: &by, house: &house };
    let price = |_: &Item, _: Date| Some(money(150));
    let start = reservation.stay.start();
    match what {
        "dates" => {
            let to = Stay::new(start, april(end)).ok_or(StayError::StayInvalid("none"))?;
            reservation.change_dates(to, &price, "m", &moment)
        }
        "room" => {
            let to = RoomMove {
                item: "item0".to_owned(),
                to: contracts::ids::RoomId::parse("rom_9").ok(),
                allocation: "alc_9".to_owned(),
            };
            reservation.change_room(to, "m", &moment)
        }
        "added" => {
            let item = Item { id: format!("item{}", reservation.items.len()), ..reservation.items[0].clone() };
            reservation.add_room(item, "m", &moment)
        }
        "removed" => {
            let last = reservation.active_items().last().map(|item| item.id.clone()).into_iter().collect::<Vec<_>>();
            let cancel = Cancel {
                reason_code: contracts::reservation::CancelReason::StaffCancelled,
                reason: "so".to_owned(),
                items: Some(&last),
                waive_penalty: false,
                cause: None,
                modification: "m".to_owned(),
            };
            reservation.remove_room(&cancel, &moment)
        }
        "guests" => {
            reservation.change_guest_count("item0", Occupants { adults: 1, children: 0, infants: 0 }, "m", &moment)
        }
        "rate" => reservation.change_rate("item0", money(i128::from(end)), "m", &moment),
        "profile" => {
            let new = NewProfile { guest: reservation.guest.clone(), fields: vec!["name"], expected_arrival_at: None };
            reservation.update_profile(new, "m", &moment)
        }
        "channel" => reservation.correct_channel((Channel::Ota, None), "m", &moment),
        other => panic!("{other}"),
    }
}

#[test]
fn every_change_is_allowed_in_its_states_and_nowhere_else() {
    for from in ReservationStatus::ALL {
        for what in TYPES {
            let allowed = match (*from, what) {
                // A room that breaks is lost by whoever only holds it, too.
                (Held, "profile" | "channel" | "room") | (Confirmed | CheckInStarted, _) => true,
                (CheckedIn, what) => what != "removed",
                _ => false,
            };
            let outcome = change(Reservation { status: *from, ..held(2, 3) }, what, 27, 22);
            match (allowed, outcome) {
                (true, Ok(decided)) => assert_eq!(decided.state().status, *from, "{from} {what}"),
                (false, Err(StayError::Illegal { from: named, .. })) => assert_eq!(named, *from),
                (_, outcome) => panic!("{from} {what}: {outcome:?}"),
            }
        }
    }
}

#[test]
fn a_person_puts_a_reservation_where_the_table_says_and_nowhere_else() {
    let (by, house) = (desk(), house());
    let moment = Moment { now: noon(22), by: &by, house: &house };
    for from in ReservationStatus::ALL {
        for to in ReservationStatus::ALL {
            let mut reservation = Reservation { status: *from, ..held(1, 3) };
            (reservation.checked_in_at, reservation.checked_out_at) = (Some(noon(22)), Some(noon(22)));
            let known = OVERRIDES.iter().any(|(one, other, _)| one == from && other == to);
            let before = reservation.items.clone();
            match reservation.put((*to, "so".to_owned()), &before, "m", &moment) {
                Ok(decided) => {
                    assert!(known, "{from} -> {to}");
                    assert_eq!((decided.state().status, decided.events().len()), (*to, 1));
                }
                Err(StayError::Illegal { .. }) => assert!(!known, "{from} -> {to}"),
                Err(other) => panic!("{from} -> {to}: {other}"),
            }
        }
    }
}

proptest! {
    #[test]
    fn whatever_is_changed_the_bill_adds_up_and_no_more_is_asked_back_than_came(
        rooms in 1_usize..3, nights in 1_i8..5, paid in 0_i128..1_500,
        steps in prop::collection::vec((0_usize..TYPES.len(), 23_i8..29), 1..10),
    ) {
        let mut reservation = Reservation { status: Confirmed, ..held(rooms, nights) };
        reservation.method = Some(contracts::reservation::PaymentMethod::Card);
        let fact = Fact::Captured { intent: "pyi_1".to_owned(), amount: money(paid), method: None, event: "evt_1".to_owned() };
        reservation.facts.note("t", fact);
        let mut asked = Money::ZERO;
        for (step, end) in steps {
            let before = reservation.clone();
            let Ok(decided) = change(before.clone(), TYPES[step], end, 21) else { continue };
            reservation = decided.state().clone();
            let charged = reservation.charged().unwrap();
            let recount = reservation.totals().unwrap().grand.plus(charged).unwrap()
                .minus(money(paid)).unwrap().plus(reservation.given_back().unwrap()).unwrap();
            prop_assert_eq!(reservation.balance().unwrap(), recount);
            prop_assert!(reservation.given_back().unwrap() <= money(paid));
            let mut delta = Money::ZERO;
            for event in decided.events() {
                if let ReservationEvent::Modified(told) = event {
                    prop_assert_eq!(&told.id, "m");
                    delta = delta.plus(told.price_delta).unwrap();
                    let charge = told.money.as_ref().filter(|one| one.direction == contracts::reservation::MoneyDirection::Charge);
                    if let Some(request) = charge {
                        asked = asked.plus(Money::try_from(request.amount_micro).unwrap()).unwrap();
                        prop_assert!(Money::try_from(request.amount_micro).unwrap() <= reservation.balance().unwrap(), "no more is asked for than is due");
                    }
                }
            }
            let grew = reservation.totals().unwrap().grand.minus(before.totals().unwrap().grand).unwrap();
            prop_assert_eq!(delta, grew, "what it costs more or less is told");
            for item in reservation.active_items() {
                prop_assert_eq!(item.nightly_rates.len(), usize::try_from(reservation.stay.nights()).unwrap());
            }
        }
    }
}
