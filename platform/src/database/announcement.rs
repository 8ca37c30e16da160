//! An event on its way into outbox and audit.

use contracts::ids::EventId;
use contracts::subject::Subject;
use contracts::time::Timestamp;
use contracts::{Envelope, Form, MAX_EVENT_BYTES, Metadata, WriteError};
use serde_json::value::RawValue;

use super::unit_of_work::Param;
use super::{Fault, Schema, Stored};
use crate::{RequestContext, params};

/// An event that a unit of work owes, ready for outbox and audit.
#[derive(Debug)]
pub(super) struct Announcement {
    id: EventId,
    subject: &'static str,
    payload: String,
    meta: String,
    ordering_key: String,
    property: Option<String>,
    kind: &'static str,
    aggregate: String,
}

impl Announcement {
    /// Checks the payload against its schema and writes the envelope around it.
    pub(super) fn new<A: Stored>(
        id: EventId,
        schema: &Schema,
        context: &RequestContext,
        now: Timestamp,
        state: &A,
        (subject, payload): (&'static str, &RawValue),
    ) -> Result<Self, Fault> {
        let unexpected = |detail: String| Fault::Unexpected { place: subject.to_owned(), detail };
        contracts::validate_written(subject, payload).map_err(|error| match error {
            WriteError::TooLarge { bytes } => Fault::EventTooLarge { size: bytes, limit: MAX_EVENT_BYTES },
            other => unexpected(other.to_string()),
        })?;
        let aggregate = state.aggregate_id();
        let ordering_key = format!("{}:{aggregate}", context.tenant);
        // The payload has a column of its own; here it is only held open, and left out of what is stored.
        let envelope = Envelope {
            id: id.clone(),
            subject: Subject::parse(subject).map_err(|error| unexpected(error.to_string()))?,
            tenant_id: context.tenant.clone(),
            occurred_at: now,
            producer: schema.producer.clone(),
            actor: Some(context.actor.clone()),
            correlation_id: Some(context.correlation_id.clone()),
            causation_id: context.causation_id.clone(),
            traceparent: Some(context.traceparent.clone()),
            idempotency_key: None,
            metadata: match schema.form {
                Form::Housekeeping => Metadata::default(),
                Form::Staff | Form::Reservation => {
                    Metadata { ordering_key: Some(ordering_key.clone()), ..Metadata::default() }
                }
            },
            payload: RawValue::from_string("{}".to_owned()).map_err(|error| unexpected(error.to_string()))?,
        };
        let meta = envelope.write(schema.form).map_err(|error| unexpected(error.to_string()))?;
        let meta = String::from_utf8(meta).map_err(|error| unexpected(error.to_string()))?;
        let property = state.property_id().map(|property| property.as_str().to_owned());
        let payload = payload.get().to_owned();
        Ok(Self { id, subject, payload, meta, ordering_key, property, kind: A::KIND, aggregate })
    }
}

/// All of a transaction's events as the parameters of the statement that writes them.
pub(super) fn params(all: &[Announcement], context: &RequestContext, now: Timestamp) -> Vec<Param> {
    let texts = |pick: fn(&Announcement) -> String| -> Vec<String> { all.iter().map(pick).collect() };
    params![
        context.tenant.as_str().to_owned(),
        texts(|a| a.id.as_str().to_owned()),
        texts(|a| a.subject.to_owned()),
        texts(|a| a.payload.clone()),
        texts(|a| a.meta.clone()),
        texts(|a| a.ordering_key.clone()),
        all.iter().map(|a| a.property.clone()).collect::<Vec<Option<String>>>(),
        texts(|a| a.kind.to_owned()),
        texts(|a| a.aggregate.clone()),
        now.jiff(),
        serde_json::to_string(&context.actor).unwrap_or_else(|_| "{}".to_owned()),
    ]
}
