//! How each context writes its envelope.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::actor::{Actor, ActorKind};
use crate::envelope::{Envelope, Metadata};
use crate::fault::{MAX_EVENT_BYTES, WriteError};
use crate::ids::EventId;
use crate::subject::Subject;
use crate::time::Timestamp;

/// Where schemas are published unless a house says otherwise.
pub const SCHEMA_HOST: &str = "https://schemas.melmastoon.io";

/// Whose way of writing the envelope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// Flat: `id, subject, producer, actor`.
    Housekeeping,
    /// `eventId, eventType, schemaUri, producedBy, actorId, metadata`; tenants are `ten_`.
    Staff,
    /// As staff, with `producedBy: {service}`; tenants are `tnt_`.
    Reservation,
}

impl Form {
    /// The form in which a context writes; who has none of its own writes the flat one.
    pub fn of_context(context: &str) -> Self {
        match context {
            "staff" => Self::Staff,
            "reservation" => Self::Reservation,
            _ => Self::Housekeeping,
        }
    }
}

impl Envelope {
    /// Writes the event as JSON in the given form; more than 256 KiB is refused.
    pub fn write(&self, form: Form) -> Result<Vec<u8>, WriteError> {
        self.write_for(form, SCHEMA_HOST)
    }

    /// As [`Envelope::write`], for a house that publishes its schemas elsewhere.
    pub fn write_for(&self, form: Form, schema_host: &str) -> Result<Vec<u8>, WriteError> {
        let bytes = self.bytes(form, schema_host, Some(&self.payload))?;
        if bytes.len() > MAX_EVENT_BYTES {
            return Err(WriteError::TooLarge { bytes: bytes.len() });
        }
        Ok(bytes)
    }

    /// All of it but the payload, for whoever keeps that beside it.
    pub fn write_head(&self, form: Form) -> Result<Vec<u8>, WriteError> {
        self.bytes(form, SCHEMA_HOST, None)
    }

    fn bytes(&self, form: Form, schema_host: &str, payload: Option<&RawValue>) -> Result<Vec<u8>, WriteError> {
        let bytes = match form {
            Form::Housekeeping => serde_json::to_vec(&Flat { payload, ..self.flat() }),
            Form::Staff | Form::Reservation => {
                serde_json::to_vec(&Nested { payload, ..self.nested(form, schema_host) })
            }
        };
        bytes.map_err(|fault| WriteError::NotJson { detail: fault.to_string() })
    }

    /// The event as a JSON value in the given form, whatever its size.
    pub fn to_value(&self, form: Form) -> serde_json::Value {
        let value = match form {
            Form::Housekeeping => serde_json::to_value(self.flat()),
            Form::Staff | Form::Reservation => serde_json::to_value(self.nested(form, SCHEMA_HOST)),
        };
        // Strings, numbers and a payload that is JSON already: nothing in an envelope can fail to be a value.
        value.unwrap_or_default()
    }

    fn flat(&self) -> Flat<'_> {
        Flat {
            spec_version: "1.0",
            id: &self.id,
            subject: &self.subject,
            tenant_id: self.tenant_id.as_str(),
            occurred_at: self.occurred_at,
            producer: &self.producer,
            traceparent: self.traceparent.as_deref(),
            actor: self.actor.as_ref(),
            correlation_id: self.correlation_id.as_deref(),
            causation_id: self.causation_id.as_deref(),
            idempotency_key: self.idempotency_key.as_deref(),
            metadata: (self.metadata != Metadata::default()).then_some(&self.metadata),
            payload: Some(&self.payload),
        }
    }

    fn nested(&self, form: Form, schema_host: &str) -> Nested<'_> {
        let bare = self.actor.as_ref().is_none_or(|actor| actor.kind == ActorKind::suggested_by(&actor.id));
        Nested {
            event_id: &self.id,
            event_type: &self.subject,
            event_version: self.subject.version(),
            schema_uri: self.subject.schema_uri(schema_host),
            tenant_id: match (form, self.tenant_id.as_str().strip_prefix("tnt_")) {
                (Form::Staff, Some(rest)) => format!("ten_{rest}").into(),
                _ => self.tenant_id.as_str().into(),
            },
            correlation_id: self.correlation_id.as_deref(),
            causation_id: self.causation_id.as_deref(),
            actor_id: self.actor.as_ref().map(|actor| match (form, actor.id.as_str()) {
                // Who acts where nobody does, in the words of the document of staff.
                (Form::Staff, "sys_melmastoon") => "system_auto",
                (_, id) => id,
            }),
            // The id alone tells the kind in nearly every case; where it does not, the whole actor is said too.
            actor: self.actor.as_ref().filter(|_| !bare),
            occurred_at: self.occurred_at,
            produced_by: match form {
                Form::Reservation => Producer::Service { service: &self.producer },
                _ => Producer::Name(&self.producer),
            },
            traceparent: self.traceparent.as_deref(),
            idempotency_key: self.idempotency_key.as_deref(),
            payload: Some(&self.payload),
            metadata: &self.metadata,
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Flat<'a> {
    spec_version: &'static str,
    id: &'a EventId,
    subject: &'a Subject,
    tenant_id: &'a str,
    occurred_at: Timestamp,
    producer: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    traceparent: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    actor: Option<&'a Actor>,
    #[serde(skip_serializing_if = "Option::is_none")]
    correlation_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    causation_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    idempotency_key: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<&'a Metadata>,
    #[serde(skip_serializing_if = "Option::is_none")]
    payload: Option<&'a RawValue>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Nested<'a> {
    event_id: &'a EventId,
    event_type: &'a Subject,
    event_version: u32,
    schema_uri: String,
    tenant_id: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    correlation_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    causation_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    actor_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    actor: Option<&'a Actor>,
    occurred_at: Timestamp,
    produced_by: Producer<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    traceparent: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    idempotency_key: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    payload: Option<&'a RawValue>,
    metadata: &'a Metadata,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Producer<'a> {
    Name(&'a str),
    Service { service: &'a str },
}
