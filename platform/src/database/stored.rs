//! How an aggregate is kept: the seam between a pure domain and the tables.

use contracts::ids::{PropertyId, TenantId};
use contracts::payload::Payload;
use contracts::time::Timestamp;
use contracts::{AiProvenance, Metadata};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use super::Sql;
use super::unit_of_work::Param;
use crate::decided::Aggregate;

/// Implemented by a context's infrastructure for each of its aggregates.
pub trait Stored: Aggregate {
    /// `task`, `room`: the word in the audit.
    const KIND: &'static str;

    /// The identity that the audit keeps it under.
    fn aggregate_id(&self) -> String;

    fn property_id(&self) -> Option<&PropertyId>;

    /// The rows that make this decision lasting: the aggregate's own, and its history where it keeps one.
    fn rows(&self, change: &Change<'_, Self::Event>, scribe: &Scribe<'_>) -> Vec<RowChange>;

    /// The event as others hear it. Its version is its own: with several events in one decision each has the next one.
    fn tell(&self, event: &Self::Event, version: i32, scribe: &Scribe<'_>) -> Told;
}

/// What a decision did to an aggregate: from which version, by which events.
#[derive(Clone, Copy, Debug)]
pub struct Change<'a, E> {
    /// The version that was read and decided on; `None` where the aggregate comes into being.
    pub from: Option<i32>,
    pub events: &'a [E],
}

/// What is the same for everything written in one unit of work.
#[derive(Debug)]
pub struct Scribe<'a> {
    pub tenant: &'a TenantId,
    pub actor: &'a contracts::actor::Actor,
    pub now: Timestamp,
}

/// A row to be written with the decision that it comes from. Only [`super::UnitOfWork::save`] takes one. The tenant is
/// `$1` of every statement and is bound by the unit of work; the parameters are those from `$2` on.
#[derive(Debug)]
pub struct RowChange {
    pub(crate) sql: &'static Sql,
    pub(crate) params: Vec<Param>,
}

impl RowChange {
    pub fn new(sql: &'static Sql, params: Vec<Param>) -> Self {
        Self { sql, params }
    }
}

/// How an event is told: to everybody, on its subject; or to nobody, and then it stands in the audit alone.
#[derive(Debug)]
pub struct Told {
    pub(crate) subject: String,
    pub(crate) payload: Result<Box<RawValue>, String>,
    pub(crate) to_everybody: bool,
    pub(crate) metadata: Metadata,
}

impl Told {
    /// Published on the payload's subject, and kept in the audit.
    pub fn everybody<P: Payload>(payload: &P) -> Self {
        let payload = to_raw_value(payload).map_err(|error| error.to_string());
        Self { subject: P::SUBJECT.to_owned(), payload, to_everybody: true, metadata: Metadata::default() }
    }

    /// With the model that proposed it, in the envelope's metadata.
    #[must_use]
    pub fn proposed_by(mut self, provenance: AiProvenance) -> Self {
        self.metadata.ai_provenance = Some(provenance);
        self
    }

    /// Says in the envelope too that a device without a connection recorded it.
    #[must_use]
    pub fn from_offline_replay(mut self, offline: bool) -> Self {
        self.metadata.from_offline_replay = offline.then_some(true);
        self
    }

    /// A context's own affair: who did what and when is in the audit under this name, and nothing is published.
    pub fn nobody(name: &str, detail: &impl Serialize) -> Self {
        let payload = to_raw_value(detail).map_err(|error| error.to_string());
        Self { subject: name.to_owned(), payload, to_everybody: false, metadata: Metadata::default() }
    }
}
