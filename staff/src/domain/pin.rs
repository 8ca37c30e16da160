//! PINs: what is too easy to guess, and how many tries there are.

use std::fmt;

use contracts::time::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};

/// The longest PIN that is taken.
const LONGEST: usize = 12;
/// The longest text that is looked at: longer ones cannot be anybody's.
const LONGEST_TRIED: usize = 64;

/// What somebody typed. It is in no log and in no answer.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pin(String);

impl fmt::Debug for Pin {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Pin(…)")
    }
}

impl Pin {
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    pub fn digits(&self) -> &str {
        &self.0
    }

    /// Why it will not do as a new PIN, if it will not.
    pub fn weakness(&self, shortest: u32) -> Option<String> {
        let digits = self.0.as_bytes();
        let shortest = usize::try_from(shortest).unwrap_or(LONGEST).min(LONGEST);
        if !(shortest..=LONGEST).contains(&digits.len()) || !digits.iter().all(u8::is_ascii_digit) {
            return Some(format!("{shortest} to {LONGEST} digits"));
        }
        let steps = |by: u8| digits.windows(2).all(|two| (two[0] - b'0' + by) % 10 == two[1] - b'0');
        if steps(0) {
            return Some("more than one digit again and again".to_owned());
        }
        (steps(1) || steps(9)).then(|| "no digits in a row, such as 123456".to_owned())
    }
}

impl<'de> Deserialize<'de> for Pin {
    /// Whatever is wrong with it is said without showing it.
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let hidden = |_| serde::de::Error::custom("digits between quotation marks");
        let text = Option::<String>::deserialize(from).map_err(hidden)?;
        match text {
            Some(text) if text.len() <= LONGEST_TRIED => Ok(Self(text)),
            _ => Err(serde::de::Error::custom("digits between quotation marks")),
        }
    }
}

impl JsonSchema for Pin {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Pin".into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "writeOnly": true, "pattern": "^[0-9]{4,12}$" })
    }
}

/// What is kept of a PIN.
#[derive(Clone, PartialEq, Eq)]
pub struct PinHash(pub String);

impl fmt::Debug for PinHash {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("PinHash(…)")
    }
}

const MINUTES: i32 = 60;
const HOURS: i32 = 60 * MINUTES;

/// What failures are counted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// One code at one source: whoever guesses.
    CodeHere,
    /// One code, wherever from.
    Code,
    /// All codes at one source.
    Here,
    /// Everything.
    Tenant,
}

impl Counted {
    pub const ALL: [Self; 4] = [Self::CodeHere, Self::Code, Self::Here, Self::Tenant];

    /// How many failures are judged in how many seconds; then it is shut for as long.
    pub fn limit(self) -> (i32, i32) {
        match self {
            Self::CodeHere => (5, 15 * MINUTES),
            Self::Code => (20, 24 * HOURS),
            Self::Here => (100, 15 * MINUTES),
            Self::Tenant => (300, HOURS),
        }
    }

    /// The name it is counted under.
    pub fn scope(self, code: &str, source: &str) -> String {
        match self {
            Self::CodeHere => format!("at {code} {source}"),
            Self::Code => format!("code {code}"),
            Self::Here => format!("source {source}"),
            Self::Tenant => "tenant".to_owned(),
        }
    }
}

/// How often it was tried, this time included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tries {
    pub counted: Counted,
    pub failures: i32,
    pub shut_until: Option<Timestamp>,
}

/// Whether PINs of the person, or of anybody of the tenant, were taken at this source lately.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trust {
    pub person: bool,
    pub tenant: bool,
}

/// Until when a try is not looked at. Strangers shut nobody out where that person is known.
pub fn shut_until(tries: &[Tries], trust: Trust) -> Option<Timestamp> {
    let shuts = |one: &&Tries| {
        let (most, _) = one.counted.limit();
        let spared = match one.counted {
            Counted::CodeHere | Counted::Here => false,
            Counted::Code => trust.person,
            Counted::Tenant => trust.tenant,
        };
        one.failures > most && !spared
    };
    tries.iter().filter(shuts).filter_map(|one| one.shut_until).max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_easy_to_guess_is_weak() {
        let weak = |text: &str| Pin::new(text).weakness(6).is_some();
        for text in ["12345", "123456", "654321", "890123", "000000", "1234567890123", "12345a", "", "１２３４５６"]
        {
            assert!(weak(text), "{text}");
        }
        for text in ["748291", "112233", "123457", "999998", "748291748291"] {
            assert!(!weak(text), "{text}");
        }
        assert!(Pin::new("7482").weakness(4).is_none());
    }

    #[test]
    fn a_pin_shows_itself_nowhere() {
        assert_eq!(format!("{:?} {:?}", Pin::new("748291"), PinHash("x".to_owned())), "Pin(…) PinHash(…)");
        for json in ["748291", "[7,4]", "null", "true", &format!("\"{}\"", "7".repeat(65))] {
            let error = serde_json::from_str::<Pin>(json).unwrap_err().to_string();
            assert!(error.starts_with("digits between quotation marks"), "{error}");
        }
    }
}
