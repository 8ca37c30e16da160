//! Examples: a payload that fits a schema, with values a person recognises, the same on every run.

use serde_json::{Map, Value, json};
use ulid::Ulid;

/// 2026-04-22T11:05:11.451Z, an ordinary morning.
const MORNING_MILLIS: u64 = 1_776_855_911_451;

/// A value that fits the schema.
pub(crate) fn fitting(schema: &Value) -> Value {
    value_for(schema, "")
}

fn value_for(schema: &Value, field: &str) -> Value {
    if let Some(words) = schema.get("enum").and_then(Value::as_array) {
        return words.first().cloned().unwrap_or_default();
    }
    if let Some(only) = schema.get("const") {
        return only.clone();
    }
    if let Some(first) = schema.get("anyOf").and_then(Value::as_array).and_then(|choices| choices.first()) {
        return value_for(first, field);
    }
    match first_type(schema) {
        Some("object") => object_for(schema, field),
        Some("array") => json!([schema.get("items").map_or(Value::Null, |items| value_for(items, field))]),
        Some("boolean") => {
            Value::Bool(matches!(field, "checked" | "hasEmail" | "pinSet" | "settled" | "matchedScheduledShift"))
        }
        Some("integer") => integer_for(schema, field),
        Some("number") => {
            if field == "rate" {
                json!(70.25)
            } else {
                json!(0.82)
            }
        }
        Some("string") => text_for(schema, field).into(),
        _ => Value::Null,
    }
}

fn first_type(schema: &Value) -> Option<&str> {
    match schema.get("type")? {
        Value::String(name) => Some(name),
        Value::Array(names) => names.first()?.as_str(),
        _ => None,
    }
}

fn object_for(schema: &Value, field: &str) -> Value {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        // Open objects: the one place where the contract leaves the fields to the kind of change.
        return match field {
            "before" => json!({ "nightlyRateMicro": "5500000000" }),
            "after" => json!({ "nightlyRateMicro": "4900000000" }),
            _ => json!({ "inspectionRequired": true }),
        };
    };
    let filled: Map<String, Value> =
        properties.iter().map(|(name, property)| (name.clone(), value_for(property, name))).collect();
    Value::Object(filled)
}

fn integer_for(schema: &Value, field: &str) -> Value {
    let usual: i64 = match field {
        "overstayedNights" | "infants" | "attachmentCount" | "headcountClockedIn" | "previousVersion" => 0,
        "adults" | "primaryClockedInCount" | "futureAssignmentsUnassigned" => 2,
        "nights" => 3,
        "primaryHeadcount" | "headcountRequired" => 4,
        "checklistVersion" => 7,
        "onHand" => 12,
        "lowWatermark" => 20,
        "durationMinutes" => 48,
        "totalBreakMinutes" => 60,
        "ttlSeconds" | "windowStartsInSeconds" => 600,
        "capacityMinutes" => 420,
        "totalActualMinutes" => 481,
        "pendingMinutes" => 610,
        _ => 1,
    };
    let least = schema.get("minimum").and_then(Value::as_i64).unwrap_or(usual);
    json!(usual.max(least))
}

fn text_for(schema: &Value, field: &str) -> String {
    if let Some(prefix) = schema.get("x-melmastoon-prefix").and_then(Value::as_str) {
        return format!("{prefix}_{}", ulid_for(field));
    }
    match schema.get("format").and_then(Value::as_str) {
        Some("date-time") => return time_for(field).to_owned(),
        Some("date") => {
            let later = matches!(field, "end" | "to" | "expiresAt");
            return if later { "2026-04-25" } else { "2026-04-22" }.to_owned();
        }
        _ => {}
    }
    match field {
        "currency" | "tenantCurrency" | "quote" => "AFN",
        "base" => "USD",
        "startLocal" => "06:00",
        "endLocal" => "14:00",
        "tz" => "Asia/Kabul",
        "localeHint" | "locale" | "languages" => "ps-AF",
        "reservationCode" => "GM-9F4K2C",
        "type" => "user",
        "id" => "usr_01J0ABCDEFGHJKMNPQRSTVWXYZ",
        "itemKey" | "failedItemKeys" | "added" => "bathroom.towels",
        "removed" => "desk.ashtray",
        "modified" => "bed.linen",
        "category" => "plumbing",
        "description" => "The tap in the bathroom drips",
        "bodyExcerpt" => "Room 304: the air conditioner is noisy, maintenance knows",
        "claimantName" => "Zarghuna Ahmadi",
        "claimantPhone" => "+93 70 000 0000",
        "givenName" => "Bilal",
        "familyName" => "Khan",
        "staffCode" => "GM-DOH-FD-014",
        "line" => "bath_towel",
        "requestedMods" | "tags" => "mid_stay_clean",
        "skills" => "deep_clean",
        "changedFields" => "languages",
        "changedKeys" => "inspectionRequired",
        "roles" => "housekeeper",
        "freeText" => "Fresh towels on the second day, please",
        "reason" => "As agreed with the guest",
        "reasoning" => "Same floor, and free at that time",
        "decisionNote" => "Approved; somebody is on standby",
        "note" => "The guest left a note of thanks",
        "modelVersion" | "model" => "planner-2",
        "source" => "pricing_service",
        "number" => "304",
        "floor" => "3",
        "section" => "east",
        "ref" | "policyAppliedRef" => "flexible-24h",
        "grandTotalMicro" => "16500000000",
        "priceDeltaMicro" => "-1800000000",
        "finalBalanceMicro" => "0",
        name if name.ends_with("Micro") => "5500000000",
        "email" | "phone" | "promptHash" => "5f2c1d0e9b8a77665544332211009f8e",
        name if name.ends_with("Id") || name.ends_with("Ids") || name == "itemsCancelled" => {
            return ulid_for(name).to_string();
        }
        _ => "as agreed",
    }
    .to_owned()
}

fn time_for(field: &str) -> &'static str {
    match field {
        "endUtc" => "2026-04-22T19:05:11.451Z",
        "expiresAt" => "2026-04-22T11:15:11.451Z",
        "until" | "expectedUntil" => "2026-04-23T09:00:00.000Z",
        "scheduledFor" => "2026-04-22T11:30:00.000Z",
        _ => "2026-04-22T11:05:11.451Z",
    }
}

/// The same field gives the same ULID everywhere, so that examples can be read together.
fn ulid_for(field: &str) -> Ulid {
    let field = field.trim_end_matches('s');
    // FNV-1a: short, and stable where the standard hasher promises nothing.
    let mixed = field
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    Ulid::from_parts(MORNING_MILLIS, u128::from(mixed) << 16)
}
