//! Whether a value fits one of our schemas: what is checked of everything written while the software is built and tested.
//!
//! It knows the keywords our schemas use and no others; a test holds it against an independent validator. A general
//! validator would cost a minute of compile time in every crate that writes an event.

use serde_json::Value;

use crate::fault::SchemaFault;
use crate::ids;
use crate::time::Timestamp;
use crate::values::{Currency, LocalDate, LocalTime, MICROS_PATTERN, Micros};

/// Keywords that tell something to people and change nothing.
const TELLING: [&str; 9] = [
    "$schema",
    "$id",
    "$comment",
    "title",
    "description",
    "x-melmastoon-subject",
    "x-melmastoon-status",
    "x-melmastoon-prefix",
    "x-melmastoon-pii",
];

/// The first place at which a value does not fit a schema.
pub(crate) fn first_misfit(schema: &Value, value: &Value) -> Result<(), SchemaFault> {
    fit(schema, value, &mut String::new()).map_err(|(pointer, detail)| SchemaFault { pointer, detail })
}

type Misfit = (String, String);

fn fit(schema: &Value, value: &Value, at: &mut String) -> Result<(), Misfit> {
    let keywords = match schema {
        Value::Object(keywords) => keywords,
        Value::Bool(true) => return Ok(()),
        other => return Err((at.clone(), format!("the schema `{other}` lets nothing pass"))),
    };
    for (keyword, wanted) in keywords {
        let fits = match keyword.as_str() {
            "type" => has_type(wanted, value),
            "enum" => wanted.as_array().is_some_and(|words| words.contains(value)),
            "const" => wanted == value,
            "pattern" => value.as_str().is_none_or(|text| matches_pattern(wanted.as_str().unwrap_or_default(), text)),
            "format" => value.as_str().is_none_or(|text| has_format(wanted.as_str().unwrap_or_default(), text)),
            "minimum" => value.as_f64().is_none_or(|number| wanted.as_f64().is_some_and(|least| number >= least)),
            "maximum" => value.as_f64().is_none_or(|number| wanted.as_f64().is_some_and(|most| number <= most)),
            "maxLength" => value
                .as_str()
                .is_none_or(|text| wanted.as_u64().is_some_and(|most| text.chars().count() as u64 <= most)),
            "anyOf" => {
                wanted.as_array().is_some_and(|choices| choices.iter().any(|choice| fit(choice, value, at).is_ok()))
            }
            "required" => {
                require(wanted, value, at)?;
                true
            }
            "properties" => {
                each_property(wanted, value, at)?;
                true
            }
            "items" => {
                each_item(wanted, value, at)?;
                true
            }
            "additionalProperties" => wanted == &Value::Bool(true),
            told if TELLING.contains(&told) => true,
            unknown => {
                return Err((at.clone(), format!("the schema has the keyword `{unknown}`, which is not known here")));
            }
        };
        if !fits {
            return Err((at.clone(), format!("`{}` does not fit `{keyword}: {wanted}`", shown(value))));
        }
    }
    Ok(())
}

fn shown(value: &Value) -> String {
    value.to_string().chars().take(80).collect()
}

fn has_type(wanted: &Value, value: &Value) -> bool {
    let is = |name: &str| match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "null" => value.is_null(),
        _ => false,
    };
    match wanted {
        Value::String(name) => is(name),
        Value::Array(names) => names.iter().filter_map(Value::as_str).any(is),
        _ => false,
    }
}

/// The patterns our schemas use, each with the reader that enforces it.
pub(crate) fn matches_pattern(pattern: &str, text: &str) -> bool {
    match pattern {
        ids::READER_PATTERN => ids::is_readable(text),
        MICROS_PATTERN => Micros::parse(text).is_ok(),
        "^[0-9]+$" => !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()),
        "^[A-Z]{3}$" => Currency::parse(text).is_ok(),
        "^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$" => LocalTime::parse(text).is_ok(),
        "^GM-[A-Z0-9]{6,8}$" => text.strip_prefix("GM-").is_some_and(|code| {
            (6..=8).contains(&code.len()) && code.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
        }),
        _ => false,
    }
}

fn has_format(format: &str, text: &str) -> bool {
    match format {
        "date-time" => Timestamp::parse(text).is_ok(),
        "date" => LocalDate::parse(text).is_ok(),
        _ => false,
    }
}

fn require(wanted: &Value, value: &Value, at: &str) -> Result<(), Misfit> {
    let (Some(names), Some(object)) = (wanted.as_array(), value.as_object()) else { return Ok(()) };
    match names.iter().filter_map(Value::as_str).find(|name| !object.contains_key(*name)) {
        Some(missing) => Err((format!("{at}/{missing}"), format!("the field `{missing}` is missing"))),
        None => Ok(()),
    }
}

fn each_property(wanted: &Value, value: &Value, at: &mut String) -> Result<(), Misfit> {
    let (Some(properties), Some(object)) = (wanted.as_object(), value.as_object()) else { return Ok(()) };
    for (name, schema) in properties {
        if let Some(found) = object.get(name) {
            below(at, name, |at| fit(schema, found, at))?;
        }
    }
    Ok(())
}

fn each_item(schema: &Value, value: &Value, at: &mut String) -> Result<(), Misfit> {
    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
        below(at, &index.to_string(), |at| fit(schema, item, at))?;
    }
    Ok(())
}

fn below(at: &mut String, step: &str, then: impl FnOnce(&mut String) -> Result<(), Misfit>) -> Result<(), Misfit> {
    let length = at.len();
    at.push('/');
    at.push_str(step);
    let outcome = then(at);
    at.truncate(length);
    outcome
}
