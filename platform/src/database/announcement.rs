//! An event on its way into outbox and audit.

use std::borrow::Cow;

use contracts::ids::EventId;
use contracts::subject::Subject;
use contracts::time::Timestamp;
use contracts::{Envelope, Form, MAX_EVENT_BYTES, Metadata, RetentionClass, WriteError};
use serde_json::value::RawValue;

use super::together::Write;
use super::unit_of_work::Param;
use super::{Deed, Fault, Schema, Stored, Told};
use crate::{RequestContext, params};

/// An event that a unit of work owes, ready for outbox and audit.
#[derive(Debug)]
pub(super) struct Announcement {
    id: EventId,
    subject: String,
    payload: String,
    meta: String,
    ordering_key: String,
    to_everybody: bool,
    property: Option<String>,
    kind: &'static str,
    aggregate: String,
}

impl Announcement {
    /// For the audit alone.
    pub(super) fn of_deed(id: EventId, deed: Deed) -> Self {
        Self {
            id,
            subject: deed.name.to_owned(),
            payload: deed.detail.to_string(),
            meta: "{}".to_owned(),
            ordering_key: String::new(),
            to_everybody: false,
            property: None,
            kind: deed.kind,
            aggregate: deed.id,
        }
    }

    /// Checks the payload against its schema and writes the envelope around it. What nobody is told has neither: it is for
    /// the audit alone.
    pub(super) fn new<A: Stored>(
        id: EventId,
        schema: &Schema,
        context: &RequestContext,
        (now, replayed): (Timestamp, bool),
        state: &A,
        told: Told,
        residency: Option<&str>,
    ) -> Result<Self, Fault> {
        let Told { subject, payload, to_everybody, metadata } = told;
        let unexpected = |detail: String| Fault::Unexpected { place: subject.clone(), detail };
        let payload = payload.map_err(unexpected)?;
        let mut announcement = Self {
            id,
            subject: subject.clone(),
            payload: String::new(),
            meta: "{}".to_owned(),
            ordering_key: String::new(),
            to_everybody,
            property: state.property_id().map(|property| property.as_str().to_owned()),
            kind: A::KIND,
            aggregate: state.aggregate_id(),
        };
        if to_everybody {
            contracts::validate_written(&subject, &payload).map_err(|error| match error {
                WriteError::TooLarge { bytes } => Fault::EventTooLarge { size: bytes, limit: MAX_EVENT_BYTES },
                other => unexpected(other.to_string()),
            })?;
            let entry =
                contracts::catalogue::find(&subject).ok_or_else(|| unexpected("is in no catalogue".to_owned()))?;
            announcement.ordering_key = entry
                .ordering_key(&context.tenant, &payload)
                .ok_or_else(|| unexpected("the payload lacks the field that orders it".to_owned()))?;
            let mut metadata = announcement.metadata(schema, metadata, entry.retention.class.clone(), residency);
            metadata.from_offline_replay = replayed.then_some(true).or(metadata.from_offline_replay);
            announcement.meta = announcement.envelope(schema, context, metadata, now).map_err(unexpected)?;
        }
        payload.get().clone_into(&mut announcement.payload);
        Ok(announcement)
    }

    /// How to keep, route and judge it, in the forms that say so.
    fn metadata(&self, schema: &Schema, told: Metadata, class: RetentionClass, residency: Option<&str>) -> Metadata {
        let ordering_key = Some(self.ordering_key.clone());
        match schema.form {
            Form::Housekeeping => Metadata::default(),
            Form::Reservation => {
                let data_residency = residency.map(str::to_owned);
                Metadata { ordering_key, retention_class: Some(class), data_residency, ..told }
            }
            Form::Staff => Metadata { ordering_key, retention_class: Some(class), ..told },
        }
    }

    fn envelope(
        &self,
        schema: &Schema,
        context: &RequestContext,
        metadata: Metadata,
        now: Timestamp,
    ) -> Result<String, String> {
        // The payload has a column of its own, and is left out here.
        let envelope = Envelope {
            id: self.id.clone(),
            subject: Subject::parse(&self.subject).map_err(|error| error.to_string())?,
            tenant_id: context.tenant.clone(),
            occurred_at: now,
            producer: schema.producer.clone(),
            actor: Some(context.actor.clone()),
            correlation_id: Some(context.correlation_id.clone()),
            causation_id: context.causation_id.clone(),
            traceparent: Some(context.traceparent.clone()),
            idempotency_key: None,
            metadata,
            payload: RawValue::from_string("{}".to_owned()).map_err(|error| error.to_string())?,
        };
        let meta = envelope.write_head(schema.form).map_err(|error| error.to_string())?;
        String::from_utf8(meta).map_err(|error| error.to_string())
    }
}

/// So many events a statement of their own, with the rows spelt out: PostgreSQL takes these in two thirds of the time of rows that it has
/// to unpack first. Few transactions owe more.
pub(super) const FEW: usize = 4;

const AUDIT: &str = "INSERT INTO {schema}.audit_events
  (tenant_id, occurred_at, actor, aggregate_id, aggregate_kind, event_id, subject, payload)
VALUES ";
const OUTBOX: &str = "INSERT INTO {schema}.outbox
  (tenant_id, created_at, event_id, subject, payload, envelope_meta, ordering_key, property_id)
VALUES ";

/// The audit rows of so many events.
pub(super) fn audit_rows(count: usize) -> String {
    let row = |first: usize| {
        let [aggregate, kind, event, subject, payload] = std::array::from_fn(|at| first + at);
        format!("($1, $2, $3, ${aggregate}, ${kind}, ${event}, ${subject}, ${payload}::TEXT::JSONB)")
    };
    let rows: Vec<_> = (0..count).map(|number| row(4 + number * 5)).collect();
    format!("{AUDIT}{}", rows.join(", "))
}

/// The outbox rows of so many events.
pub(super) fn outbox_rows(count: usize) -> String {
    let row = |first: usize| {
        let [event, subject, payload, meta, key, property] = std::array::from_fn(|at| first + at);
        format!("($1, $2, ${event}, ${subject}, ${payload}::TEXT::JSONB, ${meta}::TEXT::JSONB, ${key}, ${property})")
    };
    let rows: Vec<_> = (0..count).map(|number| row(3 + number * 6)).collect();
    format!("{OUTBOX}{}", rows.join(", "))
}

/// One event, which is what most transactions owe: its audit row, and behind it its outbox row with the same payload, read once.
pub(super) const ONE: &str = "WITH kept AS (
  INSERT INTO {schema}.audit_events (tenant_id, occurred_at, actor, aggregate_id, aggregate_kind, event_id, subject, payload)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8::TEXT::JSONB)
  RETURNING payload
)
INSERT INTO {schema}.outbox (tenant_id, created_at, event_id, subject, payload, envelope_meta, ordering_key, property_id)
SELECT $1, $2, $6, $7, kept.payload, $9::TEXT::JSONB, $10, $11 FROM kept";

/// All of a transaction's events as the statements that write them, audit before outbox.
pub(super) fn writes(
    all: Vec<Announcement>,
    schema: &'static Schema,
    context: &RequestContext,
    now: Timestamp,
) -> Vec<Write> {
    let write = |text: &'static str, params| Write { place: "announce", text: Cow::Borrowed(text), params };
    let all = match <[Announcement; 1]>::try_from(all) {
        Ok([one]) if one.to_everybody => return vec![write(&schema.announce_one, alone(one, context, now))],
        Ok([one]) => vec![one],
        Err(all) => all,
    };
    let Some(audit) = all.len().checked_sub(1).and_then(|more| schema.audit_few.get(more)) else {
        return if all.is_empty() { vec![] } else { vec![write(&schema.announce_many, many(all, context, now))] };
    };
    let mut kept = params![now, context.actor.clone()];
    let mut owed = params![now];
    let mut told = 0;
    for one in all {
        kept.extend(params![one.aggregate, one.kind, one.id.clone(), one.subject.clone(), one.payload.clone()]);
        if one.to_everybody {
            told += 1;
            owed.extend(params![one.id, one.subject, one.payload, one.meta, one.ordering_key, one.property]);
        }
    }
    let mut writes = vec![write(audit, kept)];
    if told > 0 {
        writes.push(write(&schema.owe_few[told - 1], owed));
    }
    writes
}

/// The parameters of the statement for one that everybody is told.
fn alone(one: Announcement, context: &RequestContext, now: Timestamp) -> Vec<Param> {
    let Announcement { id, subject, payload, meta, ordering_key, property, kind, aggregate, .. } = one;
    params![now, context.actor.clone(), aggregate, kind, id, subject, payload, meta, ordering_key, property]
}

/// The parameters of the statement for any number of them.
fn many(all: Vec<Announcement>, context: &RequestContext, now: Timestamp) -> Vec<Param> {
    let (mut ids, mut properties, mut to_everybody) = (Vec::new(), Vec::new(), Vec::new());
    let mut texts: [Vec<String>; 4] = Default::default();
    let mut kinds = Vec::new();
    let mut aggregates = Vec::new();
    for one in all {
        ids.push(one.id);
        for (column, text) in texts.iter_mut().zip([one.subject, one.payload, one.meta, one.ordering_key]) {
            column.push(text);
        }
        properties.push(one.property);
        kinds.push(one.kind);
        aggregates.push(one.aggregate);
        to_everybody.push(one.to_everybody);
    }
    let [subjects, payloads, metas, keys] = texts;
    let actor = context.actor.clone();
    params![ids, subjects, payloads, metas, keys, properties, kinds, aggregates, now, actor, to_everybody]
}
