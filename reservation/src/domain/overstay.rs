//! Who should have left and has not: once a hotel's day it is told and charged, and the room is theirs for one more night.

use contracts::reservation::PolicyApplied;
use contracts::time::Timestamp;
use jiff::civil::Date;
use platform::Decided;

use super::decisions::{Moment, StayError};
use super::money::Money;
use super::placing::{Stock, Taken};
use super::reservation::{FolioLine, Reservation, ReservationEvent};
use super::stay::{Stay, days_between};

/// The line of a bill for a night that nobody had booked.
const OVERSTAY: &str = "overstay";

impl Reservation {
    /// The guest should have left by these moments, each on another day of the hotel: what nobody was there to tell in time is told and
    /// charged now, for the day that it was. `None`: it is not so, or was told.
    pub fn overstay(self, moments: &[Timestamp], moment: &Moment<'_>) -> Result<Option<Decided<Self>>, StayError> {
        let day = |at: Timestamp| moment.house.hotel_date(at);
        let is_news =
            |at: &&Timestamp| day(**at) >= self.stay.end() && self.overstay_told.is_none_or(|told| day(**at) > told);
        let news: Vec<Timestamp> = moments.iter().filter(is_news).copied().collect();
        if !self.status.is_in_house() {
            return Ok(None);
        }
        let Some((first, others)) = news.split_first() else { return Ok(None) };
        let mut decided = self.stay_too_long(*first, moment)?;
        for at in others {
            decided = decided.then(|reservation| reservation.stay_too_long(*at, moment))?;
        }
        Ok(Some(decided))
    }

    fn stay_too_long(mut self, at: Timestamp, moment: &Moment<'_>) -> Result<Decided<Self>, StayError> {
        let mut penalty = Money::ZERO;
        for item in self.active_items() {
            let last = item.all_rates().next_back().map_or(&[][..], std::slice::from_ref);
            penalty = penalty.plus(self.policy.overstay.of(last, self.currency)?)?;
        }
        if penalty.is_due() {
            self.charges.push(FolioLine { kind: OVERSTAY.to_owned(), amount: penalty, at });
            // Nobody could read a bill that is too large for one.
            self.balance()?;
        }
        let day = moment.house.hotel_date(at);
        self.overstay_told = Some(day);
        self.overstayed_nights = u32::try_from(days_between(self.stay.end(), day)).unwrap_or(0);
        let applied = PolicyApplied {
            reference: self.policy.reference(),
            refund_eligibility_micro: Some(Money::ZERO.micros()),
            penalty_micro: Some(penalty.micros()),
            currency: Some(self.currency),
        };
        let event = ReservationEvent::Overstayed { at, by: moment.by.clone(), applied };
        Ok(Decided::changed(self.touched(moment.now), event))
    }

    /// A guest who stayed too long books the nights after all: what was charged for having stayed in one of them is not owed
    /// besides its price.
    pub(super) fn pay_once_for_nights_now_booked(&mut self, was: Stay, moment: &Moment<'_>) {
        let now_booked = was.end()..self.stay.end();
        let night = |line: &FolioLine| moment.house.hotel_date(line.at);
        self.charges.retain(|line| line.kind != OVERSTAY || !now_booked.contains(&night(line)));
        if moment.house.hotel_date(moment.now) < self.stay.end() {
            self.overstayed_nights = 0;
        }
    }
}

/// Those who have the room next and cannot go elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InTheWay(pub Vec<String>);

impl Stock {
    /// Whoever is in a room keeps it until another day; those who have it then and were not told go elsewhere. Where one cannot,
    /// nothing is changed.
    pub fn grow(&mut self, allocation: &str, until: Date) -> Result<(), InTheWay> {
        let Some(own) = self.taken.iter().find(|taken| taken.allocation == allocation).cloned() else { return Ok(()) };
        let Some(stay) = Stay::new(own.stay.start(), until) else { return Err(InTheWay(Vec::new())) };
        if own.stay.end() >= until {
            return Ok(());
        }
        let before = self.taken.clone();
        let meets = |taken: &Taken| {
            taken.allocation != own.allocation
                && taken.room.is_some()
                && taken.room == own.room
                && taken.stay.overlaps(own.stay.end(), Some(until))
        };
        let next: Vec<Taken> = self.taken.iter().filter(|taken| meets(taken)).cloned().collect();
        let stuck: Vec<String> =
            next.iter().filter(|taken| !taken.movable).map(|taken| taken.allocation.clone()).collect();
        if !stuck.is_empty() {
            return Err(InTheWay(stuck));
        }
        self.taken.retain(|taken| taken.allocation != own.allocation && !meets(taken));
        self.taken.push(Taken { stay, movable: false, ..own.clone() });
        for one in next {
            if self.settle(Taken { room: None, ..one.clone() }).is_none() {
                self.taken = before;
                return Err(InTheWay(vec![one.allocation]));
            }
        }
        Ok(())
    }
}
