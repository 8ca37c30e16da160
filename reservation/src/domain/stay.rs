//! Nights, and the days of a house: a stay is `[start, end)`, and the hotel's day begins when the night is over.

use std::num::NonZeroU32;

use contracts::reservation::StayWindow;
use contracts::time::Timestamp;
use contracts::values::LocalDate;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

use super::settings::Settings;

/// The longest stay.
pub const MOST_NIGHTS: u32 = 365;
/// So far ahead a stay may begin.
pub const DAYS_AHEAD: i32 = 730;

/// The nights of a stay: from the evening of `start` to the morning of `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Stay {
    start: Date,
    end: Date,
}

impl Stay {
    /// At least a night; at most a year.
    pub fn new(start: Date, end: Date) -> Option<Self> {
        let stay = Self { start, end };
        (1..=MOST_NIGHTS).contains(&u32::try_from(days_between(start, end)).unwrap_or(0)).then_some(stay)
    }

    pub fn start(&self) -> Date {
        self.start
    }

    pub fn end(&self) -> Date {
        self.end
    }

    pub fn nights(&self) -> u32 {
        u32::try_from(days_between(self.start, self.end)).unwrap_or(0)
    }

    /// Every night, by the date of its evening.
    pub fn dates(&self) -> impl Iterator<Item = Date> + use<> {
        dates(self.start, self.end)
    }

    pub fn overlaps(&self, from: Date, to: Option<Date>) -> bool {
        self.end > from && to.is_none_or(|to| self.start < to)
    }

    /// As others are told.
    pub fn window(&self) -> StayWindow {
        let nights = NonZeroU32::new(self.nights()).unwrap_or(NonZeroU32::MIN);
        StayWindow { start: LocalDate(self.start), end: LocalDate(self.end), nights }
    }
}

/// The dates in `[from, to)`.
pub fn dates(from: Date, to: Date) -> impl Iterator<Item = Date> {
    std::iter::successors(Some(from), |day| day.tomorrow().ok()).take_while(move |day| *day < to)
}

pub fn days_between(from: Date, to: Date) -> i32 {
    (to - from).get_days()
}

/// The clock on the wall of a house.
#[derive(Clone, Debug)]
pub struct HouseTime {
    zone: TimeZone,
    check_in: jiff::civil::Time,
    check_out: jiff::civil::Time,
    day_roll: jiff::civil::Time,
}

impl HouseTime {
    pub fn of(settings: &Settings) -> Self {
        Self {
            // A zone that the database does not have was refused when it was set.
            zone: TimeZone::get(&settings.timezone).unwrap_or(TimeZone::UTC),
            check_in: settings.check_in_time.0,
            check_out: settings.check_out_time.0,
            day_roll: settings.day_roll_time.0,
        }
    }

    /// The date that whoever comes now belongs to: before the day rolls it is still last evening's. By the moment and not by what the clock
    /// shows: where it is put back over the hour in which the day rolls, the day has rolled.
    pub fn hotel_date(&self, now: Timestamp) -> Date {
        let today = self.local_date(now);
        if now < self.day_begins(today) { today.yesterday().unwrap_or(today) } else { today }
    }

    pub fn local_date(&self, at: Timestamp) -> Date {
        at.jiff().to_zoned(self.zone.clone()).date()
    }

    /// Whether the moment is after check-in time on its own day.
    pub fn is_after_check_in_time(&self, at: Timestamp) -> bool {
        at.jiff().to_zoned(self.zone.clone()).time() > self.check_in
    }

    /// The nights on which a room cannot be used: the night of the last day is lost only where the room comes back after check-in
    /// time. No `to`: until further notice.
    pub fn blocked_nights(&self, from: Timestamp, until: Option<Timestamp>) -> (Date, Option<Date>) {
        let to = until.map(|until| {
            let day = self.local_date(until);
            if self.is_after_check_in_time(until) { day.tomorrow().unwrap_or(day) } else { day }
        });
        (self.local_date(from), to)
    }

    /// Whether somebody has slept in nights until a day that were given back at a moment: not where the guest came after them, and not where
    /// they were still ahead.
    pub fn were_slept_in(&self, ends: Date, came: Option<Timestamp>, given_back: Timestamp) -> bool {
        came.is_some_and(|came| self.hotel_date(came) < ends) && ends <= self.hotel_date(given_back)
    }

    /// When a hotel's day begins.
    pub fn day_begins(&self, day: Date) -> Timestamp {
        self.moment(day, self.day_roll)
    }

    pub fn check_in_at(&self, day: Date) -> Timestamp {
        self.moment(day, self.check_in)
    }

    pub fn check_out_at(&self, day: Date) -> Timestamp {
        self.moment(day, self.check_out)
    }

    fn moment(&self, day: Date, time: jiff::civil::Time) -> Timestamp {
        // A time that a clock change leaves out is taken as the moment after it.
        let zoned = self.zone.to_ambiguous_zoned(day.to_datetime(time)).compatible();
        zoned.map_or(Timestamp::from_millis(0), |zoned| Timestamp::from_jiff(zoned.timestamp()))
    }
}
