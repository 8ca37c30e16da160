//! Subjects: `melmastoon.<context>[.<aggregate>].<verb>.v<n>`, the name of a kind of event.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Verbs that are not in the past tense, and stay as they are because people in hotels say them so.
pub const VERBS_NOT_IN_PAST_TENSE: [&str; 8] = [
    "low_stock_alert",
    "no_show",
    "early_checkout",
    "housekeeping_routing",
    "shift_optimization",
    "requires_maintenance",
    "in",
    "out",
];

/// The name of a kind of event, in its canonical spelling.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Subject {
    text: Arc<str>,
    /// Where the verb begins and ends, and where the context ends; the text never changes, so they hold.
    context_end: u16,
    verb_start: u16,
    verb_end: u16,
    version: u32,
}

/// A text that is no subject.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{shown}` is no subject: `melmastoon.<context>[.<aggregate>].<verb>.v<n>` is needed, such as `melmastoon.reservation.checked_out.v1`"
)]
pub struct SubjectError {
    shown: String,
}

const ROOT: &str = "melmastoon.";
const LONGEST: usize = 200;

impl Subject {
    /// Reads a full subject; `melmastoon.ai.` becomes `melmastoon.ai_orchestrator.`.
    pub fn parse(text: &str) -> Result<Self, SubjectError> {
        let refused = || SubjectError { shown: text.chars().take(120).collect() };
        if text.len() > LONGEST {
            return Err(refused());
        }
        let text: Arc<str> = match text.strip_prefix("melmastoon.ai.") {
            Some(rest) => format!("melmastoon.ai_orchestrator.{rest}").into(),
            None => text.into(),
        };
        Self::split(&text).ok_or_else(refused)
    }

    /// Reads what stands behind `/internal/events/`: a full subject, or the short form `reservation.checked-out`.
    pub fn from_push_path(path: &str) -> Result<Self, SubjectError> {
        if path.starts_with(ROOT) {
            return Self::parse(path);
        }
        let has_version = path.rsplit('.').next().is_some_and(|last| version_number(last).is_some());
        let version = if has_version { "" } else { ".v1" };
        Self::parse(&format!("{ROOT}{}{version}", path.replace('-', "_")))
            .map_err(|_| SubjectError { shown: path.chars().take(120).collect() })
    }

    fn split(text: &Arc<str>) -> Option<Self> {
        let mut parts = text.split('.');
        let root = parts.next()?;
        let words: Vec<&str> = parts.collect();
        let (version, words) = words.split_last()?;
        let version = version_number(version)?;
        let ([context, verb] | [context, _, verb]) = words else { return None };
        if root != "melmastoon" || !words.iter().all(|word| is_word(word)) {
            return None;
        }
        // All fit: a subject has at most 200 characters.
        let verb_end = u16::try_from(text.rfind('.')?).ok()?;
        let verb_start = verb_end - u16::try_from(verb.len()).ok()?;
        let context_end = u16::try_from(ROOT.len() + context.len()).ok()?;
        Some(Self { text: text.clone(), context_end, verb_start, verb_end, version })
    }

    /// The whole subject.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Who publishes it: `reservation`.
    pub fn context(&self) -> &str {
        &self.text[ROOT.len()..usize::from(self.context_end)]
    }

    /// What it is about: `task`; none where the context itself is the thing, as in `reservation.held`.
    pub fn aggregate(&self) -> Option<&str> {
        self.text.get(usize::from(self.context_end) + 1..usize::from(self.verb_start).saturating_sub(1))
    }

    /// What happened: `checked_out`.
    pub fn verb(&self) -> &str {
        &self.text[usize::from(self.verb_start)..usize::from(self.verb_end)]
    }

    /// Which form of the payload.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// The subject without its version: what two versions of one event share.
    pub fn without_version(&self) -> &str {
        &self.text[..usize::from(self.verb_end)]
    }

    /// Where the schema of the payload is published, below `host` (such as `https://schemas.melmastoon.io`).
    pub fn schema_uri(&self, host: &str) -> String {
        let host = host.trim_end_matches('/');
        let (context, verb, version) = (self.context(), self.verb(), self.version);
        match self.aggregate() {
            Some(aggregate) => format!("{host}/{context}/{aggregate}/{verb}/v{version}.json"),
            None => format!("{host}/{context}/{verb}/v{version}.json"),
        }
    }
}

fn is_word(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_lowercase())
        && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

fn version_number(part: &str) -> Option<u32> {
    let digits = part.strip_prefix('v')?;
    let plain =
        (1..=4).contains(&digits.len()) && !digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit());
    if plain { digits.parse().ok() } else { None }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl fmt::Debug for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl AsRef<str> for Subject {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl FromStr for Subject {
    type Err = SubjectError;
    fn from_str(text: &str) -> Result<Self, SubjectError> {
        Self::parse(text)
    }
}

impl Serialize for Subject {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl<'de> Deserialize<'de> for Subject {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct SubjectVisitor;
        impl Visitor<'_> for SubjectVisitor {
            type Value = Subject;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a subject such as `melmastoon.reservation.checked_out.v1`")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Subject, E> {
                Subject::parse(text).map_err(E::custom)
            }
        }
        deserializer.deserialize_str(SubjectVisitor)
    }
}
