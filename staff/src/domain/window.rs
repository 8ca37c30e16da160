//! From when to when: on the clock of the house, and in UTC.

use contracts::time::{Timestamp, zone};
use contracts::values::{LocalDate, LocalTime};
use jiff::civil::Time;

/// The time of a shift. Both forms are kept: the plan is made on the clock of the house, the clock is punched in UTC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    pub date: LocalDate,
    pub start_local: LocalTime,
    pub end_local: LocalTime,
    pub tz: String,
    pub starts_at: Timestamp,
    pub ends_at: Timestamp,
}

/// Why something is no window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WindowError {
    #[error("from 15 minutes to 24 hours")]
    Length,
    #[error("from 31 days ago to 366 days ahead")]
    TooFar,
    #[error("the clock of the house does not show these times on that day")]
    Empty,
    #[error("a zone of the IANA database, such as Asia/Kabul")]
    Zone,
}

const DAY_SECONDS: i64 = 24 * 60 * 60;

impl Window {
    /// On the clock of the house. An end that is not after the start is on the next day; equal is a whole day. In a gap the
    /// time is later by the gap, a doubled time is the earlier one (RFC 5545).
    pub fn local(date: LocalDate, start_local: LocalTime, end_local: LocalTime, tz: &str) -> Result<Self, WindowError> {
        let zone = zone(tz).ok_or(WindowError::Zone)?;
        let until = if end_local <= start_local { date.0.tomorrow().map_err(|_| WindowError::TooFar)? } else { date.0 };
        let minutes = (minute_of(end_local.0) - minute_of(start_local.0)).rem_euclid(24 * 60);
        if (1..15).contains(&minutes) {
            return Err(WindowError::Length);
        }
        let moment = |day: jiff::civil::Date, time: Time| {
            let zoned = day.to_datetime(time).to_zoned(zone.clone()).map_err(|_| WindowError::TooFar)?;
            Ok(Timestamp::from_jiff(zoned.timestamp()))
        };
        let (starts_at, ends_at) = (moment(date.0, start_local.0)?, moment(until, end_local.0)?);
        if ends_at <= starts_at {
            return Err(WindowError::Empty);
        }
        Ok(Self { date, start_local, end_local, tz: tz.to_owned(), starts_at, ends_at })
    }

    /// Given in UTC: the same window on the clock of the house.
    pub fn utc(starts_at: Timestamp, ends_at: Timestamp, tz: &str) -> Result<Self, WindowError> {
        let zone = zone(tz).ok_or(WindowError::Zone)?;
        let minutes = ends_at.minutes_since(starts_at);
        if !(15..=24 * 60).contains(&minutes) {
            return Err(WindowError::Length);
        }
        let local = |at: Timestamp| at.jiff().to_zoned(zone.clone()).datetime();
        let minute = |time: Time| LocalTime(Time::new(time.hour(), time.minute(), 0, 0).unwrap_or(time));
        let (start, end) = (local(starts_at), local(ends_at));
        Ok(Self {
            date: LocalDate(start.date()),
            start_local: minute(start.time()),
            end_local: minute(end.time()),
            tz: tz.to_owned(),
            starts_at,
            ends_at,
        })
    }

    /// Neither long past nor years ahead.
    pub fn within_reach(self, now: Timestamp) -> Result<Self, WindowError> {
        let (first, last) = (now.plus_seconds(-31 * DAY_SECONDS), now.plus_seconds(366 * DAY_SECONDS));
        if self.starts_at < first || self.starts_at > last { Err(WindowError::TooFar) } else { Ok(self) }
    }

    /// Touching is no overlap.
    pub fn overlaps(&self, starts_at: Timestamp, ends_at: Timestamp) -> bool {
        self.starts_at < ends_at && starts_at < self.ends_at
    }

    pub fn minutes(&self) -> i64 {
        self.ends_at.minutes_since(self.starts_at)
    }
}

fn minute_of(time: Time) -> i32 {
    i32::from(time.hour()) * 60 + i32::from(time.minute())
}
