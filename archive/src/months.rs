//! Months, as the archive counts them: in UTC, since the partitions are.

use std::fmt;
use std::str::FromStr;

use contracts::time::Timestamp;
use jiff::civil::Date;

/// One month of one year.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Month(Date);

impl Month {
    pub fn of(date: Date) -> Self {
        Self(date.first_of_month())
    }

    pub fn containing(moment: Timestamp) -> Self {
        Self::of(moment.jiff().to_zoned(jiff::tz::TimeZone::UTC).date())
    }

    pub(crate) fn first_day(self) -> Date {
        self.0
    }

    pub(crate) fn next(self) -> Self {
        Self(self.0.last_of_month().tomorrow().unwrap_or(Date::MAX))
    }

    /// As PostgreSQL reads it.
    pub(crate) fn begins(self) -> String {
        format!("{} 00:00:00+00", self.0)
    }
}

impl fmt::Display for Month {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:04}-{:02}", self.0.year(), self.0.month())
    }
}

impl FromStr for Month {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let whole = format!("{text}-01");
        let date = whole.parse::<Date>().ok().filter(|date| Self(*date).to_string() == text);
        date.map(Self).ok_or_else(|| format!("`{text}` is no month: write it like 2025-03"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_is_written_as_it_is_read() {
        let month: Month = "2025-12".parse().expect("a month");
        assert_eq!(month.to_string(), "2025-12");
        assert_eq!(month.next().to_string(), "2026-01");
        assert_eq!(month.begins(), "2025-12-01 00:00:00+00");
        for wrong in ["2025-13", "2025-1", "2025-12-01", "", "25-12", "Hamal"] {
            assert!(wrong.parse::<Month>().is_err(), "{wrong}");
        }
    }
}
