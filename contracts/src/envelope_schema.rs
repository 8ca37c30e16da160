//! The schemas of the envelope, one for each form.

use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

use crate::envelope::Metadata;
use crate::forms::{Form, SCHEMA_HOST};
use crate::ids::READER_PATTERN;
use crate::schema::without_rust;

/// The schema of the envelope in a form, around any payload.
pub(crate) fn schema(form: Form) -> Value {
    let id = json!({ "type": "string", "pattern": "^(evt_[0-9A-Za-z_]{1,64}|[0-7][0-9A-HJKMNP-TV-Z]{25})$", "description": "The event's own id: the same on every delivery." });
    let subject = json!({ "type": "string", "pattern": "^melmastoon(\\.[a-z][a-z0-9_]*){2,3}\\.v[1-9][0-9]{0,3}$", "description": "What kind of event it is." });
    let tenant = json!({ "type": "string", "pattern": READER_PATTERN, "description": "To whom it belongs." });
    let time = json!({ "type": "string", "format": "date-time", "description": "When it happened." });
    let text = |told: &str| json!({ "type": "string", "description": told });
    let actor = json!({
        "type": "object",
        "required": ["type", "id"],
        "properties": { "type": text("What kind of party acted."), "id": text("Which one.") },
        "description": "Who did it.",
    });
    let mut metadata = SchemaSettings::draft2020_12()
        .for_serialize()
        .with(|settings| settings.inline_subschemas = true)
        .into_generator()
        .into_root_schema_for::<Metadata>()
        .to_value();
    without_rust(&mut metadata);
    if let Some(fields) = metadata.as_object_mut() {
        fields.remove("$schema");
    }
    let payload = json!({ "type": "object", "description": "The body; its own schema is found by the subject." });
    let shared = json!({
        "tenantId": tenant, "occurredAt": time, "correlationId": text("What ties together everything one request set in motion."),
        "causationId": text("The event that caused this one."), "traceparent": text("The W3C trace it belongs to."),
        "idempotencyKey": text("The key of the request that led to it."), "actor": actor, "metadata": metadata, "payload": payload,
    });
    let (name, required, own) = match form {
        Form::Housekeeping => (
            "housekeeping",
            json!(["specVersion", "id", "subject", "tenantId", "occurredAt", "producer", "payload"]),
            json!({ "specVersion": { "const": "1.0", "description": "The version of this envelope." }, "id": id, "subject": subject,
                    "producer": text("Which service wrote it, and in which version.") }),
        ),
        Form::Staff | Form::Reservation => {
            let produced_by = if form == Form::Staff {
                text("Which service wrote it.")
            } else {
                json!({ "type": "object", "required": ["service"], "properties": { "service": text("Which service wrote it.") }, "description": "Who wrote it." })
            };
            (
                if form == Form::Staff { "staff" } else { "reservation" },
                json!([
                    "eventId",
                    "eventType",
                    "eventVersion",
                    "schemaUri",
                    "tenantId",
                    "occurredAt",
                    "producedBy",
                    "payload",
                    "metadata"
                ]),
                json!({ "eventId": id, "eventType": subject, "eventVersion": { "type": "integer", "minimum": 1, "description": "The version in the subject." },
                        "schemaUri": { "type": "string", "format": "uri", "description": "Where the schema of the payload is." },
                        "actorId": text("Who did it."), "producedBy": produced_by }),
            )
        }
    };
    let mut properties = own.as_object().cloned().unwrap_or_default();
    properties.extend(shared.as_object().cloned().unwrap_or_default());
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": format!("{SCHEMA_HOST}/envelope/{name}/v1.json"),
        "title": format!("Envelope as {name} writes it"),
        "description": "What stands around every payload. At most 256 KiB with it; unknown fields pass.",
        "type": "object",
        "required": required,
        "properties": properties,
    })
}
