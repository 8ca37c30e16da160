//! PINs: what is too easy to guess, and how many tries there are.

use std::collections::VecDeque;
use std::fmt;

use contracts::time::Timestamp;
use schemars::JsonSchema;
use serde::de::{MapAccess, SeqAccess, Visitor};
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
        // Anything: the words of others for what they did not expect would show it, and those for what is not there would be lost.
        from.deserialize_any(Typed)
    }
}

/// Takes text for a PIN, and tells of all else alike.
struct Typed;

fn no_pin<E: serde::de::Error>() -> E {
    E::custom("digits between quotation marks")
}

impl<'de> Visitor<'de> for Typed {
    type Value = Pin;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("digits between quotation marks")
    }
    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Pin, E> {
        if text.len() <= LONGEST_TRIED { Ok(Pin::new(text)) } else { Err(no_pin()) }
    }
    fn visit_bool<E: serde::de::Error>(self, _: bool) -> Result<Pin, E> {
        Err(no_pin())
    }
    fn visit_i64<E: serde::de::Error>(self, _: i64) -> Result<Pin, E> {
        Err(no_pin())
    }
    fn visit_u64<E: serde::de::Error>(self, _: u64) -> Result<Pin, E> {
        Err(no_pin())
    }
    fn visit_f64<E: serde::de::Error>(self, _: f64) -> Result<Pin, E> {
        Err(no_pin())
    }
    fn visit_unit<E: serde::de::Error>(self) -> Result<Pin, E> {
        Err(no_pin())
    }
    fn visit_seq<A: SeqAccess<'de>>(self, _: A) -> Result<Pin, A::Error> {
        Err(no_pin())
    }
    fn visit_map<A: MapAccess<'de>>(self, _: A) -> Result<Pin, A::Error> {
        Err(no_pin())
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

    /// How many failures are judged in any so many seconds; with the last of them it is shut for as long.
    pub fn limit(self) -> (i32, i32) {
        match self {
            Self::CodeHere => (5, 15 * MINUTES),
            Self::Code => (20, 24 * HOURS),
            Self::Here => (100, 15 * MINUTES),
            Self::Tenant => (300, HOURS),
        }
    }

    /// Whose PIN, taken at a source lately, keeps that source from being shut by it: strangers shut nobody out where that person is known.
    pub fn spared_by(self) -> &'static str {
        match self {
            Self::CodeHere | Self::Here => "nobody",
            Self::Code => "person",
            Self::Tenant => "tenant",
        }
    }

    /// Whether a source that is trusted so is not shut by it.
    pub fn spares(self, trust: Trust) -> bool {
        match self {
            Self::CodeHere | Self::Here => false,
            Self::Code => trust.person,
            Self::Tenant => trust.tenant,
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

/// Whether PINs of the person, or of anybody of the tenant, were taken at this source lately.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trust {
    pub person: bool,
    pub tenant: bool,
}

/// The failures that still count, each for as long as it says, and until when it is shut. However the tries fall, no more than may be are
/// judged in any time as long as that, and no more are remembered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Failures {
    at: VecDeque<Timestamp>,
    shut_until: Option<Timestamp>,
}

impl Failures {
    /// Counts a try, unless it is shut: then until when.
    pub fn count(&mut self, counted: Counted, now: Timestamp) -> Result<(), Timestamp> {
        if let Some(until) = self.shut_until.filter(|until| now < *until) {
            return Err(until);
        }
        let (most, seconds) = counted.limit();
        let span = i64::from(seconds);
        self.at.retain(|at| now < at.plus_seconds(span));
        self.at.push_back(now);
        let full = self.at.len() >= usize::try_from(most).unwrap_or(0);
        self.shut_until = self.at.iter().max().filter(|_| full).map(|last| last.plus_seconds(span));
        Ok(())
    }

    /// The try of that moment was no failure.
    pub fn take_back(&mut self, counted: Counted, tried: Timestamp) {
        if let Some(place) = self.at.iter().position(|at| *at == tried) {
            self.at.remove(place);
        }
        if self.at.len() < usize::try_from(counted.limit().0).unwrap_or(0) {
            self.shut_until = None;
        }
    }

    /// Whether nothing in it counts any more.
    pub fn is_over(&self, counted: Counted, now: Timestamp) -> bool {
        let span = i64::from(counted.limit().1);
        self.at.iter().all(|at| at.plus_seconds(span) <= now) && self.shut_until.is_none_or(|until| until <= now)
    }

    pub fn len(&self) -> usize {
        self.at.len()
    }

    pub fn is_empty(&self) -> bool {
        self.at.is_empty()
    }
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
        for json in
            ["748291", "-748291", "7.48291", "[7,4]", r#"{"7":4}"#, "null", "true", &format!("\"{}\"", "7".repeat(65))]
        {
            let error = serde_json::from_str::<Pin>(json).unwrap_err().to_string();
            assert!(error.starts_with("digits between quotation marks"), "{error}");
        }
    }

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_millis(1_800_000_000_000).plus_seconds(seconds)
    }

    #[test]
    fn across_an_edge_no_more_are_judged_than_within() {
        let mut failures = Failures::default();
        let mut tries = |seconds| failures.count(Counted::CodeHere, at(seconds));
        for seconds in [0, 898, 898, 899] {
            assert_eq!(tries(seconds), Ok(()));
        }
        // The first is over, and counts no more; the other three do.
        assert_eq!((tries(900), tries(900)), (Ok(()), Ok(())));
        assert_eq!((tries(900), tries(1_799)), (Err(at(1_800)), Err(at(1_800))));
        for _ in 0..5 {
            assert_eq!(tries(1_800), Ok(()));
        }
        assert_eq!(tries(1_800), Err(at(2_700)));
    }

    #[test]
    fn what_was_no_failure_opens_what_it_shut() {
        let mut failures = Failures::default();
        for seconds in 0..5 {
            failures.count(Counted::CodeHere, at(seconds)).unwrap();
        }
        failures.take_back(Counted::CodeHere, at(2));
        assert_eq!(failures.count(Counted::CodeHere, at(5)), Ok(()));
        assert_eq!(failures.count(Counted::CodeHere, at(6)), Err(at(905)));
        assert!(!failures.is_over(Counted::CodeHere, at(904)) && failures.is_over(Counted::CodeHere, at(905)));
    }
}
