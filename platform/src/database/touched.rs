//! Boards that show something else after a commit, though no event tells it.

use std::collections::BTreeSet;

use contracts::ids::{EventId, PropertyId};
use contracts::time::Timestamp;

use super::unit_of_work::Param;
use crate::params;

/// Each board once, however often it was touched.
#[derive(Debug, Default)]
pub(super) struct Touched {
    all: bool,
    properties: BTreeSet<PropertyId>,
}

impl Touched {
    pub(super) fn one(&mut self, property: &PropertyId) {
        self.properties.insert(property.clone());
    }

    pub(super) fn all(&mut self) {
        self.all = true;
    }

    pub(super) fn any(&self) -> bool {
        self.all || !self.properties.is_empty()
    }

    /// The parameters of the statement that owes them to the log. All boards of a tenant are one row.
    pub(super) fn params(&self, now: Timestamp, id: impl Fn() -> EventId) -> Vec<Param> {
        let properties: Vec<Option<PropertyId>> =
            if self.all { vec![None] } else { self.properties.iter().cloned().map(Some).collect() };
        let ids: Vec<EventId> = properties.iter().map(|_| id()).collect();
        params![now, ids, properties]
    }
}
