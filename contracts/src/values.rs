//! Values that are neither ids nor times: money, currencies, calendar days, times of day, exact decimals; and the ways
//! in which two of the contexts spell tenants and properties.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::ids::{PropertyId, TenantId};

/// An amount of money in millionths of its currency; a decimal string on the wire, never a float.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Micros(pub i128);

/// What an amount of money looks like on the wire.
pub const MICROS_PATTERN: &str = "^-?[0-9]{1,38}$";

impl Micros {
    /// Reads a signed decimal string.
    pub fn parse(text: &str) -> Result<Self, ValueError> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let plain = (1..=38).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
        match text.parse() {
            Ok(micros) if plain => Ok(Self(micros)),
            _ => Err(ValueError::new(text, "an amount in millionths, such as `120000000`")),
        }
    }
}

impl fmt::Display for Micros {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A currency by its three letters, such as `AFN`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Currency([u8; 3]);

impl Currency {
    /// Reads three upper-case letters.
    pub fn parse(text: &str) -> Result<Self, ValueError> {
        match <[u8; 3]>::try_from(text.as_bytes()) {
            Ok(letters) if letters.iter().all(u8::is_ascii_uppercase) => Ok(Self(letters)),
            _ => Err(ValueError::new(text, "a currency of three capital letters, such as `AFN`")),
        }
    }

    /// The three letters.
    pub fn as_str(&self) -> &str {
        // Only ASCII letters get in.
        std::str::from_utf8(&self.0).unwrap_or("XXX")
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A day of the calendar, without a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocalDate(pub jiff::civil::Date);

impl LocalDate {
    /// Reads `2026-04-25`.
    pub fn parse(text: &str) -> Result<Self, ValueError> {
        let expected = "a day such as `2026-04-25`";
        if text.len() != 10 || !text.starts_with(|first: char| first.is_ascii_digit()) {
            return Err(ValueError::new(text, expected));
        }
        text.parse().map(Self).map_err(|_| ValueError::new(text, expected))
    }
}

impl fmt::Display for LocalDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A time of day on the clock of the house, to the minute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocalTime(pub jiff::civil::Time);

impl LocalTime {
    /// Reads `06:00`; seconds may follow and are dropped.
    pub fn parse(text: &str) -> Result<Self, ValueError> {
        let expected = "a time of day such as `06:00`";
        let shaped = matches!(text.len(), 5 | 8) && text.as_bytes()[2] == b':';
        let read: Option<jiff::civil::Time> = if shaped { text.parse().ok() } else { None };
        let minute = read.and_then(|time| jiff::civil::Time::new(time.hour(), time.minute(), 0, 0).ok());
        minute.map(Self).ok_or_else(|| ValueError::new(text, expected))
    }
}

impl fmt::Display for LocalTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}:{:02}", self.0.hour(), self.0.minute())
    }
}

/// A text that is not the value it should be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{shown}` is not {expected}")]
pub struct ValueError {
    shown: String,
    expected: &'static str,
}

impl ValueError {
    fn new(text: &str, expected: &'static str) -> Self {
        Self { shown: text.chars().take(80).collect(), expected }
    }
}

struct TextVisitor<T> {
    read: fn(&str) -> Result<T, ValueError>,
    expected: &'static str,
}

impl<T> Visitor<'_> for TextVisitor<T> {
    type Value = T;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }
    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        (self.read)(text).map_err(E::custom)
    }
}

macro_rules! text_value {
    ($name:ident, $expected:literal, $schema:tt) => {
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(TextVisitor { read: Self::parse, expected: $expected })
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }
            fn inline_schema() -> bool {
                true
            }
            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!($schema)
            }
        }
    };
}

text_value!(Micros, "an amount in millionths, as a string such as `120000000`", {
    "type": "string",
    "pattern": MICROS_PATTERN,
    "description": "An amount of money in millionths of its currency.",
});
text_value!(Currency, "a currency such as `AFN`", {
    "type": "string",
    "pattern": "^[A-Z]{3}$",
    "description": "A currency by its three letters (ISO 4217).",
});
text_value!(LocalDate, "a day such as `2026-04-25`", {
    "type": "string",
    "format": "date",
    "description": "A day of the calendar of the house.",
});
text_value!(LocalTime, "a time of day such as `06:00`", {
    "type": "string",
    "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$",
    "description": "A time of day on the clock of the house.",
});

/// An exact decimal number; a JSON number on the wire, kept digit for digit.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Decimal(String);

impl Decimal {
    /// Reads a JSON number of at most 64 characters.
    pub fn parse(text: &str) -> Result<Self, ValueError> {
        let short = text.len() <= 64 && text.starts_with(|first: char| first.is_ascii_digit() || first == '-');
        match serde_json::from_str::<serde_json::Number>(text) {
            Ok(_) if short => Ok(Self(text.to_owned())),
            _ => Err(ValueError::new(text, "a number such as `42000.5`")),
        }
    }

    /// The digits as they came.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Serialize for Decimal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RawValue::from_string(self.0.clone()).map_err(serde::ser::Error::custom)?.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Decimal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Self::parse(raw.get()).map_err(de::Error::custom)
    }
}

impl JsonSchema for Decimal {
    fn schema_name() -> Cow<'static, str> {
        "Decimal".into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number", "description": "An exact decimal number." })
    }
}

/// Serializers for contexts whose documents spell tenants `ten_` and properties `ppt_`; the identity is what follows.
pub(crate) mod spelled {
    use super::{PropertyId, Serialize, Serializer, TenantId};

    fn respelled<S: Serializer>(text: &str, from: &str, to: &str, serializer: S) -> Result<S::Ok, S::Error> {
        match text.strip_prefix(from) {
            Some(rest) => serializer.collect_str(&format_args!("{to}{rest}")),
            None => serializer.serialize_str(text),
        }
    }

    pub(crate) fn ten<S: Serializer>(tenant: &TenantId, serializer: S) -> Result<S::Ok, S::Error> {
        respelled(tenant.as_str(), "tnt_", "ten_", serializer)
    }

    pub(crate) fn ppt<S: Serializer>(property: &PropertyId, serializer: S) -> Result<S::Ok, S::Error> {
        respelled(property.as_str(), "prp_", "ppt_", serializer)
    }

    struct Ppt<'a>(&'a PropertyId);
    impl Serialize for Ppt<'_> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            ppt(self.0, serializer)
        }
    }

    pub(crate) fn ppt_list<S: Serializer>(properties: &[PropertyId], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(properties.iter().map(Ppt))
    }

    #[expect(clippy::ref_option, reason = "serde hands over the field as it is")]
    pub(crate) fn ppt_list_if_any<S: Serializer>(
        properties: &Option<Vec<PropertyId>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match properties {
            Some(properties) => ppt_list(properties, serializer),
            None => serializer.serialize_none(),
        }
    }

    #[expect(clippy::ref_option, reason = "serde hands over the field as it is")]
    pub(crate) fn ppt_if_any<S: Serializer>(property: &Option<PropertyId>, serializer: S) -> Result<S::Ok, S::Error> {
        property.as_ref().map(Ppt).serialize(serializer)
    }
}
