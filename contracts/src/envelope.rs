//! The envelope around every payload: one type inside, three forms on the wire.
//!
//! Each context writes the form of its own document; everybody reads all of them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::actor::Actor;
use crate::fault::{Identity, MAX_EVENT_BYTES, ReadError, ReadErrorKind, read_typed};
use crate::ids::{EventId, TenantId};
use crate::payload::Payload;
use crate::subject::Subject;
use crate::time::Timestamp;
use crate::words::open_words;

/// An event as it travels: what happened, to whom it belongs, who caused it, and the payload, not yet looked into.
#[derive(Debug, Clone)]
pub struct Envelope {
    /// The event's own id: the same on every delivery.
    pub id: EventId,
    /// What kind of event it is.
    pub subject: Subject,
    /// To whom it belongs.
    pub tenant_id: TenantId,
    /// When it happened.
    pub occurred_at: Timestamp,
    /// Which service wrote it, such as `housekeeping-service@1.4.2`.
    pub producer: String,
    /// Who did it, where anybody is named.
    pub actor: Option<Actor>,
    /// What ties together everything that one request set in motion.
    pub correlation_id: Option<String>,
    /// The event that caused this one.
    pub causation_id: Option<String>,
    /// The W3C trace that it belongs to.
    pub traceparent: Option<String>,
    /// The key of the request that led to it, where the producer tells.
    pub idempotency_key: Option<String>,
    /// How to keep, route and judge it.
    pub metadata: Metadata,
    /// The body, as it came.
    pub payload: Box<RawValue>,
}

impl PartialEq for Envelope {
    fn eq(&self, other: &Self) -> bool {
        let same_body = self.payload.get() == other.payload.get();
        same_body
            && self.id == other.id
            && self.subject == other.subject
            && self.tenant_id == other.tenant_id
            && self.occurred_at == other.occurred_at
            && self.producer == other.producer
            && self.actor == other.actor
            && self.correlation_id == other.correlation_id
            && self.causation_id == other.causation_id
            && self.traceparent == other.traceparent
            && self.idempotency_key == other.idempotency_key
            && self.metadata == other.metadata
    }
}

open_words! {
    /// How long and how carefully an event is kept.
    RetentionClass {
        /// Kept as long as operations need it.
        Standard = "standard",
        /// Kept for the auditor.
        Audit = "audit",
        /// Holds personal data.
        Pii = "pii",
        /// Needed for the running of the house: 90 days or a year.
        Operational = "operational",
        /// Needed by law: seven years.
        Regulated = "regulated",
    }
}

/// How to keep, route and judge an event. All of it is optional.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Metadata {
    /// How long and how carefully it is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retention_class: Option<RetentionClass>,
    /// Where its data may lie, such as `gcp-me-central1`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data_residency: Option<String>,
    /// It was recorded on a device without a connection and sent later.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_offline_replay: Option<bool>,
    /// An operator sent it again out of the dead letters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_dlq_replay: Option<bool>,
    /// Which model had a part in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ai_provenance: Option<AiProvenance>,
    /// Events with the same key are delivered in order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ordering_key: Option<String>,
    /// Its place in the producer's outbox.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outbox_id: Option<String>,
}

open_words! {
    /// Where a model ran.
    AiSource {
        /// In a data centre.
        Cloud = "cloud",
        /// On the device.
        Edge = "edge",
    }
}

/// Which model had a part in an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AiProvenance {
    /// Where the model ran.
    pub source: AiSource,
    /// Its name and version.
    pub model: String,
    /// A hash of what it was asked.
    pub prompt_hash: String,
}

impl Envelope {
    /// Reads any of the three forms, keys in any order; unknown fields pass.
    pub fn read(bytes: &[u8]) -> Result<Self, ReadError> {
        let json = Self::readable_json(bytes)?;
        let refused = |pointer: String, detail: String| {
            ReadError::new(ReadErrorKind::Unreadable { pointer, detail }, Identity::salvaged_from(bytes))
        };
        let wire: WireEnvelope<'_> = read_typed(json).map_err(|(pointer, detail)| match json_fault(json) {
            Some(detail) => ReadError::new(ReadErrorKind::NotJson { detail }, Identity::default()),
            None => refused(pointer, detail),
        })?;
        wire.into_envelope().map_err(|(pointer, detail)| refused(pointer.to_owned(), detail.to_owned()))
    }

    /// The text of something that is not too large, is UTF-8, and can be stored once it is read.
    pub(crate) fn readable_json(bytes: &[u8]) -> Result<&str, ReadError> {
        if bytes.len() > MAX_EVENT_BYTES {
            return Err(ReadError::new(ReadErrorKind::TooLarge { bytes: bytes.len() }, Identity::default()));
        }
        let json = std::str::from_utf8(bytes).map_err(|fault| {
            ReadError::new(ReadErrorKind::NotJson { detail: fault.to_string() }, Identity::default())
        })?;
        match unstorable(json) {
            Some(detail) => {
                let kind = ReadErrorKind::Unreadable { pointer: String::new(), detail };
                Err(ReadError::new(kind, Identity::salvaged_from(bytes)))
            }
            None => Ok(json),
        }
    }

    /// The typed body. The subject must be the type's own, and the body must name the envelope's tenant.
    pub fn payload<P: Payload>(&self) -> Result<P, ReadError> {
        if self.subject.as_str() != P::SUBJECT {
            return Err(self.refuse(self.wrong_subject(P::SUBJECT)));
        }
        let payload: P = read_typed(self.payload.get())
            .map_err(|(pointer, detail)| self.refuse(ReadErrorKind::SchemaMismatch { pointer, detail }))?;
        match payload.tenant_id() {
            Some(tenant) if *tenant == self.tenant_id => Ok(payload),
            Some(tenant) => Err(self.refuse(self.wrong_tenant(tenant))),
            None => self.check_named_tenant().map(|()| payload),
        }
    }

    /// For types that do not tell their tenant: looks into the JSON. A body that names none is taken at the envelope's word.
    fn check_named_tenant(&self) -> Result<(), ReadError> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Named {
            tenant_id: Option<TenantId>,
        }
        let named: Named = read_typed(self.payload.get())
            .map_err(|(pointer, detail)| self.refuse(ReadErrorKind::SchemaMismatch { pointer, detail }))?;
        match named.tenant_id {
            Some(tenant) if tenant != self.tenant_id => Err(self.refuse(self.wrong_tenant(&tenant))),
            _ => Ok(()),
        }
    }

    pub(crate) fn wrong_tenant(&self, payload: &TenantId) -> ReadErrorKind {
        ReadErrorKind::TenantMismatch { envelope: self.tenant_id.to_string(), payload: payload.to_string() }
    }

    fn wrong_subject(&self, expected: &str) -> ReadErrorKind {
        match Subject::parse(expected) {
            Ok(expected) if expected.without_version() == self.subject.without_version() => {
                ReadErrorKind::UnknownVersion {
                    subject: self.subject.without_version().to_owned(),
                    version: self.subject.version(),
                }
            }
            _ => ReadErrorKind::UnknownSubject { subject: self.subject.to_string() },
        }
    }

    /// An error about this event: everything about its identity is known.
    pub(crate) fn refuse(&self, kind: ReadErrorKind) -> ReadError {
        let identity = Identity {
            event_id: Some(self.id.clone()),
            called: None,
            subject: Some(self.subject.clone()),
            tenant_id: Some(self.tenant_id.clone()),
        };
        ReadError::new(kind, identity)
    }
}

/// Why a text is no JSON object, if it is none.
fn json_fault(json: &str) -> Option<String> {
    serde_json::from_str::<std::collections::BTreeMap<String, &RawValue>>(json).err().map(|fault| fault.to_string())
}

/// How deep objects and lists may be nested; no payload of ours comes near, and stores have limits of their own.
const DEEPEST: usize = 64;

/// What is JSON and yet cannot be kept: a NUL character, which no text column takes, and nesting without end.
pub(crate) fn unstorable(json: &str) -> Option<String> {
    let bytes = json.as_bytes();
    let has_nul = memchr::memmem::find_iter(bytes, br"\u0000").any(|at| {
        // `\\u0000` is a backslash and five characters; only an odd run of backslashes makes it a NUL.
        bytes[..=at].iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1
    });
    if has_nul {
        return Some("it holds a NUL character (`\\u0000`), which no text may".to_owned());
    }
    let opened = bytes.iter().filter(|byte| matches!(byte, b'[' | b'{')).count();
    (opened > DEEPEST && nesting(bytes) > DEEPEST).then(|| format!("it is nested more than {DEEPEST} deep"))
}

fn nesting(bytes: &[u8]) -> usize {
    let (mut depth, mut deepest, mut in_text, mut escaped) = (0_usize, 0, false, false);
    for byte in bytes {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            b'[' | b'{' if !in_text => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' if !in_text => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// Every field of every form. Two names for one thing may both be present as long as they agree.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireEnvelope<'a> {
    id: Option<EventId>,
    event_id: Option<EventId>,
    subject: Option<Subject>,
    event_type: Option<Subject>,
    tenant_id: TenantId,
    occurred_at: Timestamp,
    producer: Option<String>,
    produced_by: Option<ProducedBy>,
    actor: Option<Actor>,
    actor_id: Option<String>,
    correlation_id: Option<String>,
    causation_id: Option<String>,
    causation_event_id: Option<String>,
    traceparent: Option<String>,
    idempotency_key: Option<String>,
    metadata: Option<Metadata>,
    #[serde(borrow)]
    payload: &'a RawValue,
}

/// `producedBy` is a name in one form and an object in another.
#[derive(Deserialize)]
#[serde(untagged)]
enum ProducedBy {
    Name(String),
    Object { service: String },
}

impl WireEnvelope<'_> {
    fn into_envelope(self) -> Result<Envelope, (&'static str, &'static str)> {
        let id = one_of(self.id, self.event_id, ("/id", "`id` and `eventId` differ"))?
            .ok_or(("", "an event has an `id` or an `eventId`"))?;
        let subject = one_of(self.subject, self.event_type, ("/subject", "`subject` and `eventType` differ"))?
            .ok_or(("", "an event has a `subject` or an `eventType`"))?;
        let produced_by = self.produced_by.map(|by| match by {
            ProducedBy::Name(name) | ProducedBy::Object { service: name } => name,
        });
        if !self.payload.get().starts_with('{') {
            return Err(("/payload", "a payload is a JSON object"));
        }
        Ok(Envelope {
            id,
            subject,
            tenant_id: self.tenant_id,
            occurred_at: self.occurred_at,
            producer: self.producer.or(produced_by).unwrap_or_default(),
            actor: self.actor.or_else(|| self.actor_id.map(Actor::from_bare_id)),
            correlation_id: self.correlation_id,
            causation_id: self.causation_id.or(self.causation_event_id),
            traceparent: self.traceparent,
            idempotency_key: self.idempotency_key,
            metadata: self.metadata.unwrap_or_default(),
            payload: self.payload.to_owned(),
        })
    }
}

fn one_of<T: PartialEq>(
    first: Option<T>,
    second: Option<T>,
    clash: (&'static str, &'static str),
) -> Result<Option<T>, (&'static str, &'static str)> {
    match (first, second) {
        (Some(first), Some(second)) if first != second => Err(clash),
        (first, second) => Ok(first.or(second)),
    }
}
