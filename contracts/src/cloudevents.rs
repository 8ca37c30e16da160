//! The same events as `CloudEvents` 1.0, structured mode (`application/cloudevents+json`).
//!
//! `type` is the subject, `source` the context, `subject` the thing it is about, `dataschema` the payload's schema;
//! the tenant and everything else of the envelope travel as extension attributes. Nothing is lost either way.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::actor::{Actor, ActorKind};
use crate::catalogue;
use crate::envelope::{AiProvenance, AiSource, Envelope, Metadata, RetentionClass};
use crate::fault::{Identity, MAX_EVENT_BYTES, ReadError, ReadErrorKind, WriteError, read_typed};
use crate::forms::SCHEMA_HOST;
use crate::ids::{EventId, TenantId};
use crate::subject::Subject;
use crate::time::Timestamp;

/// The media type of structured mode.
pub const MEDIA_TYPE: &str = "application/cloudevents+json";

/// Attribute names are lower case without separators, as the specification demands.
#[derive(Serialize, Deserialize)]
struct CloudEvent<'a> {
    specversion: String,
    id: EventId,
    #[serde(rename = "type")]
    kind: Subject,
    source: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<String>,
    time: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    datacontenttype: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dataschema: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tenantid: Option<TenantId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    producer: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    actortype: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    actorid: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    correlationid: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    causationid: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    traceparent: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    idempotencykey: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    partitionkey: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retentionclass: Option<RetentionClass>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dataresidency: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fromofflinereplay: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fromdlqreplay: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outboxid: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    aisource: Option<AiSource>,
    #[serde(skip_serializing_if = "Option::is_none")]
    aimodel: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    aiprompthash: Option<String>,
    #[serde(borrow)]
    data: &'a RawValue,
}

/// Writes an event as a `CloudEvent`.
pub fn write(envelope: &Envelope) -> Result<Vec<u8>, WriteError> {
    let not_json = |fault: serde_json::Error| WriteError::NotJson { detail: fault.to_string() };
    let bytes = serde_json::to_vec(&from_envelope(envelope)).map_err(not_json)?;
    if bytes.len() > MAX_EVENT_BYTES { Err(WriteError::TooLarge { bytes: bytes.len() }) } else { Ok(bytes) }
}

/// The event as a `CloudEvent`, as a JSON value, whatever its size.
pub fn to_value(envelope: &Envelope) -> serde_json::Value {
    // Strings, and a payload that is JSON already: nothing here can fail to be a value.
    serde_json::to_value(from_envelope(envelope)).unwrap_or_default()
}

fn from_envelope(envelope: &Envelope) -> CloudEvent<'_> {
    let Metadata {
        retention_class,
        data_residency,
        from_offline_replay,
        from_dlq_replay,
        ai_provenance,
        ordering_key,
        outbox_id,
    } = envelope.metadata.clone();
    let about = catalogue::find(envelope.subject.as_str())
        .and_then(|entry| entry.ordering_key(&envelope.tenant_id, &envelope.payload))
        .and_then(|key| key.split_once(':').map(|(_, id)| id.to_owned()));
    CloudEvent {
        specversion: "1.0".to_owned(),
        id: envelope.id.clone(),
        kind: envelope.subject.clone(),
        source: format!("/melmastoon/{}", envelope.subject.context()),
        subject: about,
        time: envelope.occurred_at,
        datacontenttype: Some("application/json".to_owned()),
        dataschema: Some(envelope.subject.schema_uri(SCHEMA_HOST)),
        tenantid: Some(envelope.tenant_id.clone()),
        producer: (!envelope.producer.is_empty()).then(|| envelope.producer.clone()),
        actortype: envelope.actor.as_ref().map(|actor| actor.kind.as_str().to_owned()),
        actorid: envelope.actor.as_ref().map(|actor| actor.id.clone()),
        correlationid: envelope.correlation_id.clone(),
        causationid: envelope.causation_id.clone(),
        traceparent: envelope.traceparent.clone(),
        idempotencykey: envelope.idempotency_key.clone(),
        partitionkey: ordering_key,
        retentionclass: retention_class,
        dataresidency: data_residency,
        fromofflinereplay: from_offline_replay,
        fromdlqreplay: from_dlq_replay,
        outboxid: outbox_id,
        aisource: ai_provenance.as_ref().map(|ai| ai.source.clone()),
        aimodel: ai_provenance.as_ref().map(|ai| ai.model.clone()),
        aiprompthash: ai_provenance.map(|ai| ai.prompt_hash),
        data: &envelope.payload,
    }
}

/// Reads a `CloudEvent`. The tenant may also be told by the payload alone.
pub fn read(bytes: &[u8]) -> Result<Envelope, ReadError> {
    let json = Envelope::readable_json(bytes)?;
    let refused = |pointer: &str, detail: String| {
        let identity = Identity::salvaged_from_cloud_event(bytes);
        ReadError::new(ReadErrorKind::Unreadable { pointer: pointer.to_owned(), detail }, identity)
    };
    let event: CloudEvent<'_> = read_typed(json).map_err(|(pointer, detail)| refused(&pointer, detail))?;
    if event.specversion != "1.0" {
        return Err(refused(
            "/specversion",
            format!("version `{}` of CloudEvents is not known here, `1.0` is", event.specversion),
        ));
    }
    if !event.data.get().starts_with('{') {
        return Err(refused("/data", "a payload is a JSON object".to_owned()));
    }
    let tenant_id = match event.tenantid {
        Some(tenant) => tenant,
        None => tenant_of(event.data)
            .ok_or_else(|| refused("/tenantid", "no tenant is named, here or in the payload".to_owned()))?,
    };
    let ai_provenance = match (event.aisource, event.aimodel, event.aiprompthash) {
        (Some(source), Some(model), Some(prompt_hash)) => Some(AiProvenance { source, model, prompt_hash }),
        _ => None,
    };
    let actor = event.actorid.map(|id| match event.actortype {
        Some(kind) => Actor { kind: ActorKind::from_word(&kind), id },
        None => Actor::from_bare_id(id),
    });
    Ok(Envelope {
        id: event.id,
        subject: event.kind,
        tenant_id,
        occurred_at: event.time,
        producer: event.producer.unwrap_or_default(),
        actor,
        correlation_id: event.correlationid,
        causation_id: event.causationid,
        traceparent: event.traceparent,
        idempotency_key: event.idempotencykey,
        metadata: Metadata {
            retention_class: event.retentionclass,
            data_residency: event.dataresidency,
            from_offline_replay: event.fromofflinereplay,
            from_dlq_replay: event.fromdlqreplay,
            ai_provenance,
            ordering_key: event.partitionkey,
            outbox_id: event.outboxid,
        },
        payload: event.data.to_owned(),
    })
}

fn tenant_of(payload: &RawValue) -> Option<TenantId> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Named {
        tenant_id: TenantId,
    }
    serde_json::from_str::<Named>(payload.get()).ok().map(|named| named.tenant_id)
}
