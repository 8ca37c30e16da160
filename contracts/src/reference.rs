//! The catalogue for somebody who asks: lists, one subject in full, and a verdict on a file.

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::asyncapi::{ordering_key_in_words, told};
use crate::catalogue::{self, Entry};
use crate::cloudevents;
use crate::edge::fits_schema;
use crate::envelope::Envelope;
use crate::fault::{ReadError, ReadErrorKind};
use crate::subject::{Subject, SubjectError};

/// One line of the catalogue, in words.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Line {
    /// The subject.
    pub subject: &'static str,
    /// What it says.
    pub says: String,
    /// Where its shape comes from.
    pub status: &'static str,
    /// Who publishes it.
    pub producer: String,
    /// Who reads it.
    pub consumers: &'static [&'static str],
    /// How carefully it is kept.
    pub retention_class: String,
    /// For how many days.
    pub retention_days: u32,
    /// What keeps it in order.
    pub ordering_key: String,
    /// Where goes what could not be digested.
    pub dead_letter_topic: String,
    /// Fields that hold personal data.
    pub pii: &'static [&'static str],
}

impl From<&'static Entry> for Line {
    fn from(entry: &'static Entry) -> Self {
        Self {
            subject: entry.subject,
            says: told(entry),
            status: entry.status.as_str(),
            producer: entry.producer(),
            consumers: entry.consumers,
            retention_class: entry.retention.class.to_string(),
            retention_days: entry.retention.days,
            ordering_key: ordering_key_in_words(entry),
            dead_letter_topic: entry.dead_letter_topic(),
            pii: entry.pii,
        }
    }
}

/// The lines whose subject contains `part`; all of them when it is empty.
pub fn list(part: &str) -> Vec<Line> {
    catalogue::all().filter(|entry| entry.subject.contains(part)).map(Line::from).collect()
}

/// One subject in full.
#[derive(Debug, Clone, Serialize)]
pub struct Page {
    /// What the catalogue knows.
    #[serde(flatten)]
    pub line: Line,
    /// The schema of its payload.
    pub schema: Value,
    /// A payload that fits.
    pub example: Value,
}

/// Why a subject cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum LookupError {
    /// It is no subject.
    #[error(transparent)]
    NoSubject(#[from] SubjectError),
    /// It is not in the catalogue.
    #[error("{kind}{}", nearest.as_ref().map(|name| format!("; did you mean `{name}`?")).unwrap_or_default())]
    Unknown {
        /// What is unknown.
        kind: ReadErrorKind,
        /// The subject that looks most like it.
        nearest: Option<&'static str>,
    },
}

/// One subject in full, by its full name or its short form (`reservation.checked-out`).
pub fn show(name: &str) -> Result<Page, LookupError> {
    let subject = Subject::from_push_path(name)?;
    let entry = catalogue::get(&subject)
        .map_err(|kind| LookupError::Unknown { kind, nearest: nearest(subject.verb(), subject.context()) })?;
    Ok(Page { line: entry.into(), schema: entry.schema(), example: entry.example() })
}

fn nearest(verb: &str, context: &str) -> Option<&'static str> {
    let alike = |entry: &&Entry| usize::from(entry.context() == context) + 2 * usize::from(entry.verb() == verb);
    catalogue::all().max_by_key(alike).filter(|entry| alike(entry) > 0).map(|entry| entry.subject)
}

/// What was found in a file that is in order.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Verdict {
    /// What it is: `event`, `cloudevent` or `payload`.
    pub kind: &'static str,
    /// Its subject.
    pub subject: String,
    /// Its id, where it is an event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event_id: Option<String>,
    /// Why we would not write it so, although we read it; none when we would.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_as_written: Option<String>,
}

/// Judges a file: an event in any form, a `CloudEvent`, or, where the subject is told, a payload alone.
pub fn judge(bytes: &[u8], subject: Option<&Subject>) -> Result<Verdict, ReadError> {
    if let Some(subject) = subject {
        return judge_payload(bytes, subject);
    }
    let (kind, envelope) = match Envelope::read(bytes) {
        Ok(envelope) => ("event", envelope),
        // Only a CloudEvent has this key in lower case.
        Err(_) if memchr::memmem::find(bytes, b"\"specversion\"").is_some() => {
            ("cloudevent", cloudevents::read(bytes)?)
        }
        Err(fault) => return Err(fault),
    };
    let entry = envelope.validate()?;
    Ok(Verdict {
        kind,
        subject: entry.subject.to_owned(),
        event_id: Some(envelope.id.to_string()),
        not_as_written: fits_schema(entry.subject, &envelope.payload).err().map(|misfit| misfit.to_string()),
    })
}

fn judge_payload(bytes: &[u8], subject: &Subject) -> Result<Verdict, ReadError> {
    let refused = |kind| ReadError::about(kind, subject);
    let json = Envelope::readable_json(bytes)?;
    let payload: &RawValue =
        serde_json::from_str(json).map_err(|fault| refused(ReadErrorKind::NotJson { detail: fault.to_string() }))?;
    let entry = catalogue::get(subject).map_err(refused)?;
    entry
        .check(payload)
        .map_err(|fault| refused(ReadErrorKind::SchemaMismatch { pointer: fault.pointer, detail: fault.detail }))?;
    Ok(Verdict {
        kind: "payload",
        subject: entry.subject.to_owned(),
        event_id: None,
        not_as_written: fits_schema(entry.subject, payload).err().map(|misfit| misfit.to_string()),
    })
}
