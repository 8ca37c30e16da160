//! How an aggregate is kept: the seam between a pure domain and the tables.

use contracts::ids::{PropertyId, TenantId};
use contracts::payload::Payload;
use contracts::time::Timestamp;
use serde_json::value::{RawValue, to_raw_value};

use super::Sql;
use super::unit_of_work::Param;
use crate::decided::Aggregate;

/// Implemented by a context's infrastructure for each of its aggregates.
pub trait Stored: Aggregate {
    /// `task`, `room`: the word in the audit and in the ordering key.
    const KIND: &'static str;

    /// The identity that events of this aggregate are ordered by.
    fn aggregate_id(&self) -> String;

    fn property_id(&self) -> Option<&PropertyId>;

    /// The rows that make this decision lasting: the aggregate's own, and its history where it keeps one.
    fn rows(&self, events: &[Self::Event], scribe: &Scribe<'_>) -> Vec<RowChange>;

    /// The event as the world hears it.
    fn publish(&self, event: &Self::Event, scribe: &Scribe<'_>) -> Published;
}

/// What is the same for everything written in one unit of work.
#[derive(Debug)]
pub struct Scribe<'a> {
    pub tenant: &'a TenantId,
    pub actor: &'a contracts::actor::Actor,
    pub now: Timestamp,
}

/// A row to be written with the decision that it comes from. Only [`super::UnitOfWork::save`] takes one.
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

/// An event in its wire form.
#[derive(Debug)]
pub struct Published {
    pub(crate) subject: &'static str,
    pub(crate) payload: Result<Box<RawValue>, String>,
}

impl Published {
    pub fn new<P: Payload>(payload: &P) -> Self {
        Self { subject: P::SUBJECT, payload: to_raw_value(payload).map_err(|error| error.to_string()) }
    }
}
