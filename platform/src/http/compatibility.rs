//! What a change of the REST interface would break for those who build on it. Additions are welcome, nothing else is.

use serde_json::{Map, Value};

/// Every promise of the old document that the new one does not keep, in words.
pub fn breaks(old: &Value, new: &Value) -> Vec<String> {
    let mut found = Vec::new();
    for (path, methods) in members(&old["paths"]) {
        for (method, before) in members(methods) {
            let place = format!("{} {path}", method.to_uppercase());
            let now = &new["paths"][path][method];
            if now.is_null() {
                found.push(format!("{place}: the route is gone"));
                continue;
            }
            operation(&place, (before, old), (now, new), &mut found);
        }
    }
    found
}

fn operation(place: &str, (before, old): (&Value, &Value), (now, new): (&Value, &Value), found: &mut Vec<String>) {
    for role in texts(&before["x-melmastoon-roles"]) {
        if !texts(&now["x-melmastoon-roles"]).contains(&role) {
            found.push(format!("{place}: {role} may not use it any more"));
        }
    }
    let named = |operation: &Value| -> Vec<(String, bool)> {
        let all = operation["parameters"].as_array().cloned().unwrap_or_default();
        let name = |one: &Value| {
            format!("{} {}", one["in"].as_str().unwrap_or_default(), one["name"].as_str().unwrap_or_default())
        };
        all.iter().map(|one| (name(one), one["required"] == true)).collect()
    };
    let (had, has) = (named(before), named(now));
    for (name, _) in had.iter().filter(|(name, _)| !has.iter().any(|(other, _)| other == name)) {
        found.push(format!("{place}: the parameter `{name}` is gone"));
    }
    for (name, _) in has.iter().filter(|(name, required)| *required && !had.contains(&(name.clone(), true))) {
        found.push(format!("{place}: the parameter `{name}` is required now"));
    }
    let body = |operation: &Value| operation["requestBody"]["content"]["application/json"]["schema"].clone();
    request(&format!("{place} body"), (&body(before), old), (&body(now), new), 0, found);
    for (status, answer) in members(&before["responses"]) {
        let after = &now["responses"][status];
        if after.is_null() {
            found.push(format!("{place}: it does not answer {status} any more"));
            continue;
        }
        for code in texts(&answer["x-melmastoon-codes"]) {
            if !texts(&after["x-melmastoon-codes"]).contains(&code) {
                found.push(format!("{place}: the code {code} is gone from {status}"));
            }
        }
        let content = |answer: &Value| answer["content"]["application/json"]["schema"].clone();
        response(&format!("{place} {status}"), (&content(answer), old), (&content(after), new), 0, found);
    }
}

/// Schemas are looked into this deep; one that refers to itself ends there.
const DEEP: usize = 8;

/// What callers send must still be taken: no new field is required, no field changes its type, no word is refused.
fn request(
    place: &str,
    (before, old): (&Value, &Value),
    (now, new): (&Value, &Value),
    depth: usize,
    found: &mut Vec<String>,
) {
    let (before, now) = (resolved(before, old), resolved(now, new));
    if before.is_null() || depth > DEEP {
        return;
    }
    for field in texts(&now["required"]).into_iter().filter(|field| !texts(&before["required"]).contains(field)) {
        found.push(format!("{place}: `{field}` is required now"));
    }
    let words = texts(&now["enum"]);
    for word in texts(&before["enum"]).into_iter().filter(|word| !words.is_empty() && !words.contains(word)) {
        found.push(format!("{place}: the word `{word}` is refused now"));
    }
    for (name, field) in members(&before["properties"]) {
        let after = &now["properties"][name];
        if after.is_null() {
            found.push(format!("{place}: `{name}` is not taken any more"));
        } else {
            same_type(&format!("{place}: `{name}`"), (field, old), (after, new), found);
            request(&format!("{place}.{name}"), (field, old), (after, new), depth + 1, found);
        }
    }
}

/// What callers read must still be there: no field goes, none becomes optional, none changes its type.
fn response(
    place: &str,
    (before, old): (&Value, &Value),
    (now, new): (&Value, &Value),
    depth: usize,
    found: &mut Vec<String>,
) {
    let (before, now) = (resolved(before, old), resolved(now, new));
    if before.is_null() || depth > DEEP {
        return;
    }
    for field in texts(&before["required"]).into_iter().filter(|field| !texts(&now["required"]).contains(field)) {
        found.push(format!("{place}: `{field}` may be missing now"));
    }
    for (name, field) in members(&before["properties"]) {
        let after = &now["properties"][name];
        if after.is_null() {
            found.push(format!("{place}: `{name}` is gone"));
        } else {
            same_type(&format!("{place}: `{name}`"), (field, old), (after, new), found);
            response(&format!("{place}.{name}"), (field, old), (after, new), depth + 1, found);
        }
    }
    if !before["items"].is_null() {
        response(&format!("{place}[]"), (&before["items"], old), (&now["items"], new), depth + 1, found);
    }
}

fn same_type(place: &str, (before, old): (&Value, &Value), (now, new): (&Value, &Value), found: &mut Vec<String>) {
    let (before, now) = (&resolved(before, old)["type"], &resolved(now, new)["type"]);
    if !before.is_null() && before != now {
        found.push(format!("{place} was {before} and is {now}"));
    }
}

fn resolved<'a>(schema: &'a Value, document: &'a Value) -> &'a Value {
    match schema["$ref"].as_str().and_then(|name| name.strip_prefix('#')) {
        Some(pointer) => document.pointer(pointer).unwrap_or(schema),
        None => schema,
    }
}

fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flat_map(Map::iter)
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn document() -> Value {
        json!({
            "paths": { "/tasks/{id}/pause": { "post": {
                "x-melmastoon-roles": ["housekeeper", "supervisor"],
                "parameters": [{ "name": "id", "in": "path", "required": true }],
                "requestBody": { "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Pause" } } } },
                "responses": {
                    "200": { "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Task" } } } },
                    "409": { "x-melmastoon-codes": ["MELMASTOON.HOUSEKEEPING.TASK_ILLEGAL_TRANSITION"] },
                },
            } } },
            "components": { "schemas": {
                "Pause": { "required": ["reason"], "properties": { "reason": { "enum": ["break", "other"] }, "note": { "type": "string" } } },
                "Task": { "required": ["id"], "properties": { "id": { "type": "string" }, "note": { "type": "string" } } },
            } },
        })
    }

    fn after(change: impl FnOnce(&mut Value)) -> Vec<String> {
        let mut new = document();
        change(&mut new);
        breaks(&document(), &new)
    }

    #[test]
    fn what_is_added_breaks_nobody() {
        let found = after(|new| {
            new["paths"]["/rooms"] = json!({ "get": {} });
            new["components"]["schemas"]["Task"]["properties"]["kind"] = json!({ "type": "string" });
            new["components"]["schemas"]["Pause"]["properties"]["at"] = json!({ "type": "string" });
            new["components"]["schemas"]["Pause"]["properties"]["reason"]["enum"] = json!(["break", "other", "linen"]);
        });
        assert_eq!(found, Vec::<String>::new());
    }

    #[test]
    fn every_promise_that_is_not_kept_is_named() {
        let schema = "/components/schemas";
        let broken = [
            after(|new| new["paths"] = json!({})),
            after(|new| new["paths"]["/tasks/{id}/pause"]["post"]["x-melmastoon-roles"] = json!(["supervisor"])),
            after(|new| {
                new["paths"]["/tasks/{id}/pause"]["post"]["responses"]["409"]["x-melmastoon-codes"] = json!([]);
            }),
            after(|new| new["paths"]["/tasks/{id}/pause"]["post"]["parameters"] = json!([])),
            after(|new| *new.pointer_mut(&format!("{schema}/Pause/required")).unwrap() = json!(["reason", "note"])),
            after(|new| {
                *new.pointer_mut(&format!("{schema}/Pause/properties/reason/enum")).unwrap() = json!(["break"]);
            }),
            after(|new| {
                *new.pointer_mut(&format!("{schema}/Task/properties/note")).unwrap() = json!({ "type": "integer" });
            }),
            after(|new| *new.pointer_mut(&format!("{schema}/Task/required")).unwrap() = json!([])),
            after(|new| {
                new.pointer_mut(&format!("{schema}/Task/properties")).unwrap().as_object_mut().unwrap().remove("note");
            }),
        ];
        for found in broken {
            assert_eq!(found.len(), 1, "{found:?}");
        }
    }
}
