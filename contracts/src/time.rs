//! Points in time: UTC, to the millisecond, written one way and read in the ways the wire shows.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use jiff::Unit;
use jiff::tz::TimeZone;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// 0000-01-01T00:00:00Z: RFC 3339 has four digits for the year, so nothing earlier can be written.
const EARLIEST_MILLIS: i64 = -62_167_219_200_000;

/// A point in time in UTC, truncated to milliseconds, so that what is stored and what is sent are equal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(jiff::Timestamp);

/// A text that is no point in time.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{shown}` is no point in time: RFC 3339 with an offset is needed, such as `2026-04-22T11:05:11.451Z`")]
pub struct TimeError {
    shown: String,
}

impl Timestamp {
    /// The point in time so many milliseconds after 1970; what no calendar of four-digit years holds becomes its edge.
    pub fn from_millis(millis: i64) -> Self {
        let latest = jiff::Timestamp::MAX.as_millisecond();
        let held = millis.clamp(EARLIEST_MILLIS, latest);
        Self(jiff::Timestamp::from_millisecond(held).unwrap_or(jiff::Timestamp::UNIX_EPOCH))
    }

    /// Milliseconds since 1970.
    pub fn as_millis(self) -> i64 {
        self.0.as_millisecond()
    }

    /// Reads RFC 3339; the seconds may be missing, an offset is converted.
    pub fn parse(text: &str) -> Result<Self, TimeError> {
        let refused = || TimeError { shown: text.chars().take(80).collect() };
        if !has_the_shape_of_rfc_3339(text.as_bytes()) {
            return Err(refused());
        }
        let read: jiff::Timestamp = text.parse().map_err(|_| refused())?;
        // Truncation goes down, also before 1970, so that order is kept.
        let millis = read.as_nanosecond().div_euclid(1_000_000);
        match i64::try_from(millis) {
            Ok(millis) if millis >= EARLIEST_MILLIS => Ok(Self::from_millis(millis)),
            _ => Err(refused()),
        }
    }

    /// The same point in time for calendar arithmetic.
    pub fn jiff(self) -> jiff::Timestamp {
        self.0
    }

    /// The same point in time, truncated to milliseconds.
    pub fn from_jiff(time: jiff::Timestamp) -> Self {
        Self::from_millis(i64::try_from(time.as_nanosecond().div_euclid(1_000_000)).unwrap_or(i64::MAX))
    }

    /// So many seconds later, or earlier when negative.
    #[must_use]
    pub fn plus_seconds(self, seconds: i64) -> Self {
        Self::from_millis(self.as_millis().saturating_add(seconds.saturating_mul(1_000)))
    }

    /// Whole minutes from `earlier` to this; negative when `earlier` is the later one.
    pub fn minutes_since(self, earlier: Self) -> i64 {
        self.as_millis().saturating_sub(earlier.as_millis()).div_euclid(60_000)
    }
}

/// The parser behind this takes more than the contract shows (basic format, time zone names), and the schema says
/// `date-time`: what does not look like `YYYY-MM-DDTHH:MM…` with an offset is refused first.
fn has_the_shape_of_rfc_3339(text: &[u8]) -> bool {
    let shape = b"dddd-dd-ddTdd:dd";
    (shape.len() + 1..=40).contains(&text.len())
        && shape.iter().zip(text).all(|(expected, found)| match expected {
            b'd' => found.is_ascii_digit(),
            b'T' => matches!(found, b'T' | b't' | b' '),
            other => found == other,
        })
        && text[shape.len()..]
            .iter()
            .all(|byte| byte.is_ascii_digit() || matches!(byte, b':' | b'.' | b'+' | b'-' | b'Z' | b'z'))
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3}", self.0)
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Timestamp {
    type Err = TimeError;
    fn from_str(text: &str) -> Result<Self, TimeError> {
        Self::parse(text)
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TimeVisitor;
        impl Visitor<'_> for TimeVisitor {
            type Value = Timestamp;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a point in time such as `2026-04-22T11:05:11.451Z`")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Timestamp, E> {
                Timestamp::parse(text).map_err(E::custom)
            }
        }
        deserializer.deserialize_str(TimeVisitor)
    }
}

impl JsonSchema for Timestamp {
    fn schema_name() -> Cow<'static, str> {
        "Timestamp".into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "format": "date-time",
            "description": "A point in time in UTC, such as `2026-04-22T11:05:11.451Z`.",
        })
    }
}

impl Timestamp {
    /// The same point in time without its fraction of a second.
    #[must_use]
    pub fn to_whole_seconds(self) -> Self {
        self.0.round(jiff::TimestampRound::new().smallest(Unit::Second).mode(jiff::RoundMode::Floor)).map_or(self, Self)
    }
}

/// A zone by its name, such as `Asia/Kabul`. `Etc/Unknown` is a name without a clock: we would read it as UTC, and PostgreSQL refuses it.
pub fn zone(name: &str) -> Option<TimeZone> {
    TimeZone::get(name).ok().filter(|zone| !zone.is_unknown())
}
