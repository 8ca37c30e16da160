//! The catalogue: one table of every subject, from which topics, consumers, schemas, documentation and metric labels follow.

mod entry;
mod external;
mod housekeeping;
mod reservation;
mod staff;

use std::collections::HashMap;
use std::sync::LazyLock;

pub use entry::{Context, Delivery, Entry, Ordering, Retention, Status};

use crate::fault::ReadErrorKind;
use crate::subject::Subject;

static BY_SUBJECT: LazyLock<HashMap<&'static str, &'static Entry>> =
    LazyLock::new(|| all().map(|entry| (entry.subject, entry)).collect());

/// Every subject: what the three contexts publish, then what they read from others.
pub fn all() -> impl Iterator<Item = &'static Entry> {
    housekeeping::PUBLISHED.iter().chain(reservation::PUBLISHED).chain(staff::PUBLISHED).chain(external::READ)
}

/// The entry of a subject, in its canonical spelling.
pub fn find(subject: &str) -> Option<&'static Entry> {
    BY_SUBJECT.get(subject).copied()
}

/// The entry of a subject, or why there is none: the version is not known, or the subject is not.
pub fn get(subject: &Subject) -> Result<&'static Entry, ReadErrorKind> {
    find(subject.as_str()).ok_or_else(|| {
        let known_otherwise = all().any(|entry| entry.name_without_version() == subject.without_version());
        if known_otherwise {
            ReadErrorKind::UnknownVersion { subject: subject.without_version().to_owned(), version: subject.version() }
        } else {
            ReadErrorKind::UnknownSubject { subject: subject.to_string() }
        }
    })
}

/// What a context publishes.
pub fn published_by(context: Context) -> impl Iterator<Item = &'static Entry> {
    all().filter(move |entry| entry.context() == context.as_str())
}

/// What a context reads: one consumer for each.
pub fn read_by(context: Context) -> impl Iterator<Item = &'static Entry> {
    all().filter(move |entry| entry.consumers.contains(&context.service()))
}
