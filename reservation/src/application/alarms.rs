//! When something happens to a reservation by itself. Timers are set from what the reservation is, so that whoever changes it need
//! not think of them, and are judged anew when they are due.

use contracts::time::Timestamp;
use platform::UnitOfWork;

use super::booking::House;
use crate::domain::reservation::Reservation;
use crate::domain::reservation::ReservationStatus::{Confirmed, Held};
use crate::domain::settings::Settings;
use crate::domain::stay::days_between;
use crate::infrastructure::timers::{self, TimerKind};

const HOUR: i64 = 3_600;
const DAY: i64 = 24 * HOUR;
const ALL: [TimerKind; 3] = [TimerKind::HoldExpiry, TimerKind::NoShow, TimerKind::Overstay];

/// When this is due, by the rules that are in force now. `None`: not at all. Whoever was brought back gets the whole grace again,
/// from then on; `counted_from` is when, as the timer remembers it.
pub(super) fn due_at(
    kind: TimerKind,
    reservation: &Reservation,
    house: &House,
    counted_from: Option<Timestamp>,
) -> Option<Timestamp> {
    match kind {
        TimerKind::HoldExpiry => (reservation.status == Held).then_some(reservation.hold.expires_at),
        TimerKind::NoShow => {
            let awaited = reservation.status == Confirmed && house.settings.auto_no_show;
            let begins = house.time.check_in_at(reservation.stay.start());
            let expected = reservation.expected_arrival_at.map_or(begins, |expected| expected.max(begins));
            let brought_back = counted_from.max(reservation.brought_back_at);
            let from = brought_back.map_or(expected, |from| from.max(expected));
            awaited.then(|| from.plus_seconds(i64::from(house.settings.no_show_grace_hours) * HOUR))
        }
        TimerKind::Overstay => overstays(reservation, house).next(),
    }
}

/// When it is told that a guest has not left: from check-out time and the grace on, every 24 hours, once a hotel's day; never for a time
/// before the guest came.
pub(super) fn overstays(reservation: &Reservation, house: &House) -> impl Iterator<Item = Timestamp> {
    let grace = i64::from(house.settings.overstay_grace_hours) * HOUR;
    let first = house.time.check_out_at(reservation.stay.end()).plus_seconds(grace);
    let mut told = reservation.overstay_told;
    let skipped = told.map_or(0, |told| i64::from(days_between(reservation.stay.end(), told)).max(1) - 1);
    let is_later = move |at: &Timestamp| {
        let day = house.time.hotel_date(*at);
        let is_later = told.is_none_or(|told| day > told);
        told = told.max(Some(day));
        is_later
    };
    let came = reservation.checked_in_at;
    let was_here = move |at: &Timestamp| came.is_none_or(|came| *at > came);
    let moments = (skipped..).map(move |days| first.plus_seconds(days * DAY)).filter(was_here).filter(is_later);
    reservation.status.is_in_house().then_some(moments).into_iter().flatten()
}

/// Whether what is due by itself is due at another time where a house works like this instead. All that `due_at` reads of the settings.
pub(super) fn differ(before: &Settings, after: &Settings) -> bool {
    let hours = |one: &Settings| {
        let clock = (one.timezone.clone(), one.check_in_time, one.check_out_time, one.day_roll_time);
        (clock, one.auto_no_show, one.no_show_grace_hours, one.overstay_grace_hours)
    };
    hours(before) != hours(after)
}

/// Sets what is due by itself after a change, and takes away what is not any more.
pub(super) fn set(uow: &mut UnitOfWork, before: &Reservation, after: &Reservation, house: &House) {
    let what_counts =
        |one: &Reservation| (one.status, one.stay, one.expected_arrival_at, one.overstay_told, one.hold.expires_at);
    if what_counts(before) == what_counts(after) {
        return;
    }
    // At most one of them is due at a time: it is held, awaited, or here.
    let (mut next, mut idle) = (None, Vec::new());
    for kind in ALL {
        let counted_from = after.brought_back_at.filter(|_| kind == TimerKind::NoShow);
        match due_at(kind, after, house, counted_from) {
            Some(due_at) if next.is_none() => next = Some((kind, due_at, counted_from)),
            _ => idle.push(kind),
        }
    }
    match next {
        Some(next) => timers::turn(uow, &after.id, next, idle),
        None => timers::clear(uow, &after.id, idle),
    }
}
