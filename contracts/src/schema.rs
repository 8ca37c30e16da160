//! From types to schemas: JSON Schema, draft 2020-12, self-contained and open.

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

use crate::catalogue::{Entry, Status};
use crate::forms::SCHEMA_HOST;
use crate::payload::Payload;
use crate::subject::Subject;

/// The schema of a type as it derives. Where we publish, it says what we write; where we only read, what we need.
pub(crate) fn raw<P: Payload>(status: Status) -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let settings = match status {
        Status::Specified | Status::Designed => settings.for_serialize(),
        Status::Assumed => settings.for_deserialize(),
    };
    settings.into_generator().into_root_schema_for::<P>().to_value()
}

/// The schema as it is published: with its address, what the catalogue knows, and without what only Rust cares for.
pub(crate) fn annotated(entry: &Entry, mut raw: Value) -> Value {
    without_rust(&mut raw);
    if entry.status != Status::Assumed {
        // What we leave out when there is nothing to say, we never write as null.
        absent_instead_of_null(&mut raw);
    }
    spelled_as_in(entry.context(), &mut raw);
    let mut fields = match raw {
        Value::Object(fields) => fields,
        other => Map::from_iter([("const".to_owned(), other)]),
    };
    let told = fields.remove("description").and_then(|text| text.as_str().map(str::to_owned)).unwrap_or_default();
    let id = Subject::parse(entry.subject).map(|subject| subject.schema_uri(SCHEMA_HOST)).unwrap_or_default();
    if let Some(properties) = fields.get_mut("properties").and_then(Value::as_object_mut) {
        for field in entry.pii {
            if let Some(field) = properties.get_mut(*field).and_then(Value::as_object_mut) {
                field.insert("x-melmastoon-pii".to_owned(), Value::Bool(true));
            }
        }
    }
    let mut schema = Map::new();
    schema.insert("$schema".into(), fields.remove("$schema").unwrap_or_default());
    schema.insert("$id".into(), id.into());
    schema.insert("title".into(), fields.remove("title").unwrap_or_default());
    schema.insert(
        "description".into(),
        format!("{told} The whole event, envelope included, has at most 256 KiB; unknown fields pass.").into(),
    );
    schema.insert(
        "$comment".into(),
        "Generated from the Rust types by `cargo run -p melmastoon-contracts --bin contracts-generate`; do not edit."
            .into(),
    );
    schema.insert("x-melmastoon-subject".into(), entry.subject.into());
    schema.insert("x-melmastoon-status".into(), entry.status.as_str().into());
    schema.append(&mut fields);
    Value::Object(schema)
}

/// Names of integer types and default values mean nothing outside; what such an integer can hold does.
pub(crate) fn without_rust(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            let width = match fields.get("format").and_then(Value::as_str) {
                Some("date-time" | "date") => None,
                // A field may itself be called `format`; then it is an object and no text.
                format => format.map(str::to_owned),
            };
            if let Some(width) = width {
                fields.remove("format");
                if width == "uint32" {
                    fields.entry("maximum").or_insert(u32::MAX.into());
                }
            }
            if fields.contains_key("type") || fields.contains_key("enum") {
                fields.remove("default");
            }
            fields.values_mut().for_each(without_rust);
        }
        Value::Array(items) => items.iter_mut().for_each(without_rust),
        _ => {}
    }
}

fn absent_instead_of_null(schema: &mut Value) {
    let Some(fields) = schema.as_object_mut() else { return };
    let required = fields.get("required").cloned().unwrap_or_default();
    let is_required = |name: &str| required.as_array().is_some_and(|names| names.iter().any(|known| known == name));
    if let Some(properties) = fields.get_mut("properties").and_then(Value::as_object_mut) {
        for (name, property) in properties.iter_mut() {
            if !is_required(name) {
                without_null(property);
            }
            absent_instead_of_null(property);
        }
    }
    if let Some(items) = fields.get_mut("items") {
        absent_instead_of_null(items);
    }
}

fn without_null(property: &mut Value) {
    let Some(fields) = property.as_object_mut() else { return };
    if let Some(Value::Array(words)) = fields.get_mut("enum") {
        words.retain(|word| !word.is_null());
    }
    match fields.get_mut("type") {
        Some(Value::Array(names)) if names.len() == 2 => {
            let kept = names.iter().find(|name| *name != "null").cloned().unwrap_or_default();
            fields.insert("type".to_owned(), kept);
        }
        _ => {}
    }
    // A nested type that may be absent comes as a choice between it and null.
    if let Some(Value::Array(choices)) = fields.get("anyOf") {
        let kept = choices.iter().find(|choice| choice["type"] != "null").and_then(Value::as_object).cloned();
        fields.remove("anyOf");
        for (keyword, wanted) in kept.into_iter().flatten() {
            fields.entry(keyword).or_insert(wanted);
        }
    }
}

/// Reservation and staff write properties as `ppt_`, staff writes tenants as `ten_`: the schema shows it so.
fn spelled_as_in(context: &str, schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            let spelled = match (context, fields.get("x-melmastoon-prefix").and_then(Value::as_str)) {
                ("staff", Some("tnt")) => Some(("tnt", "ten")),
                ("staff" | "reservation", Some("prp")) => Some(("prp", "ppt")),
                _ => None,
            };
            if let Some((from, to)) = spelled {
                fields.insert("x-melmastoon-prefix".to_owned(), to.into());
                if let Some(told) = fields.get("description").and_then(Value::as_str) {
                    let told = told.replace(&format!("`{from}_"), &format!("`{to}_"));
                    fields.insert("description".to_owned(), told.into());
                }
            }
            fields.values_mut().for_each(|value| spelled_as_in(context, value));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| spelled_as_in(context, item)),
        _ => {}
    }
}
