//! The REST interface described by OpenAPI 3.1, made of the very routes that serve.

use std::collections::BTreeMap;

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use super::describe::Operation;
use super::{ProblemKind, RouteSpec};
use crate::refusal;

/// Problems that any route may answer with, before its handler is asked.
const EVERYWHERE: &[ProblemKind] = &[
    ProblemKind::new(400, "MALFORMED_REQUEST", "The request cannot be read"),
    ProblemKind::new(401, "UNAUTHENTICATED", "Not signed in"),
    ProblemKind::new(403, "FORBIDDEN", "Not allowed"),
    ProblemKind::new(403, "CROSS_ORIGIN", "Not from one of our pages"),
    ProblemKind::new(404, "NOT_FOUND", "Not found"),
    ProblemKind::new(405, "METHOD_NOT_ALLOWED", "Method not allowed"),
    ProblemKind::new(429, "RATE_LIMITED", "Too many requests"),
    ProblemKind::new(500, "INTERNAL", "Something went wrong"),
    ProblemKind::new(503, "UNAVAILABLE", "Not available"),
    ProblemKind::new(503, "BUSY", "Busy"),
    ProblemKind::new(503, "TIMEOUT", "It took too long"),
    ProblemKind::new(503, "KEYS_UNAVAILABLE", "Not available"),
];

/// Problems that any change may answer with.
const OF_CHANGES: &[ProblemKind] = &[
    ProblemKind::new(400, "IDEMPOTENCY_KEY_REQUIRED", "An idempotency key is required"),
    ProblemKind::new(409, "IDEMPOTENCY_KEY_IN_FLIGHT", "Still running"),
    ProblemKind::new(409, "CONFLICT", "Conflict"),
    ProblemKind::new(409, "DUPLICATE", "There is one already"),
    ProblemKind::new(413, "BODY_TOO_LARGE", "The body is too large"),
    ProblemKind::new(413, "EVENT_TOO_LARGE", "Too large"),
    ProblemKind::new(415, "UNSUPPORTED_MEDIA_TYPE", "Unsupported media type"),
    ProblemKind::new(422, "IDEMPOTENCY_KEY_REUSED", "The idempotency key was used for another request"),
];

/// The document. `examples` has a request and an answer for each route, by `METHOD path`, as they really were.
pub fn document(version: &str, specs: &[RouteSpec], examples: &Value) -> Value {
    let mut settings = SchemaSettings::draft2020_12();
    settings.definitions_path = "/components/schemas".into();
    settings.meta_schema = None;
    let mut generator = settings.into_generator();
    let mut paths: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
    for spec in specs {
        let mut operation = Operation::new(&spec.path, &mut generator);
        (spec.describe)(&mut operation);
        let mut described = operation.finish();
        complete(&mut described, spec, &examples[format!("{} {}", spec.method, spec.path)]);
        let method = spec.method.as_str().to_ascii_lowercase();
        paths.entry(&spec.path).or_default().insert(method, Value::Object(described));
    }
    link(&mut paths, specs);
    let mut schemas: Map<String, Value> = generator.take_definitions(true);
    schemas.insert("Problem".to_owned(), problem_schema());
    let headers: Map<String, Value> = HEADERS
        .iter()
        .map(|(name, kind, about)| ((*name).to_owned(), json!({ "description": about, "schema": { "type": kind } })))
        .collect();
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Melmastoon",
            "version": version,
            "summary": "Hotel operations: rooms, tasks, people, reservations.",
            "description": "JSON in camelCase. Lists have `items` and `nextCursor`. Every refusal is `application/problem+json` with a stable `code`. \
                The events of the same services are described at `/asyncapi.json`.",
            "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" },
        },
        "servers": [{ "url": "/" }],
        "security": [{ "bearer": [] }],
        "paths": paths,
        "components": {
            "securitySchemes": { "bearer": { "type": "http", "scheme": "bearer", "bearerFormat": "JWT" } },
            "headers": headers,
            "schemas": schemas,
        },
    })
}

/// What a route creates can be used with the routes below it: a tool can follow from one to the other.
fn link(paths: &mut BTreeMap<&str, Map<String, Value>>, specs: &[RouteSpec]) {
    for spec in specs {
        let method = spec.method.as_str().to_ascii_lowercase();
        let Some(created) = paths.get_mut(spec.path.as_str()).and_then(|methods| methods.get_mut(&method)) else {
            continue;
        };
        let Some(created) = created["responses"].get_mut("201") else { continue };
        let below = format!("{}/{{", spec.path);
        for other in specs.iter().filter(|other| other.path.starts_with(&below) && other.path.matches('{').count() == 1)
        {
            let name = other.path[below.len()..].split('}').next().unwrap_or_default();
            let id = operation_id(other);
            created["links"][&id] = json!({ "operationId": id, "parameters": { name: "$response.body#/id" } });
        }
    }
}

fn complete(described: &mut Map<String, Value>, spec: &RouteSpec, example: &Value) {
    described.insert("operationId".to_owned(), operation_id(spec).into());
    described.insert("summary".to_owned(), spec.about.summary.into());
    described.insert("tags".to_owned(), json!([spec.context]));
    let roles: Vec<&str> = spec.roles.iter().map(|role| role.as_str()).collect();
    let whom = if roles.is_empty() { "Open to everybody.".to_owned() } else { format!("Roles: {}.", roles.join(", ")) };
    described.insert("description".to_owned(), whom.into());
    if roles.is_empty() {
        described.insert("security".to_owned(), json!([]));
    }
    described.insert("x-melmastoon-roles".to_owned(), json!(roles));
    if let Some(body) = described.get_mut("requestBody")
        && !example["request"].is_null()
    {
        body["content"]["application/json"]["example"] = example["request"].clone();
    }
    let Some(answers) = described.get_mut("responses").and_then(Value::as_object_mut) else { return };
    for (status, answer) in answers.iter_mut() {
        if example["status"].as_u64().is_some_and(|known| known.to_string() == *status)
            && !answer["content"]["application/json"].is_null()
        {
            answer["content"]["application/json"]["example"] = example["answer"].clone();
        }
        for name in HEADERS.map(|(name, ..)| name).iter().filter(|name| **name != RETRY_AFTER) {
            answer["headers"][name] = header_ref(name);
        }
    }
    for (status, codes) in problems_of(spec) {
        let status = status.to_string();
        let mut answer = json!({
            "description": title_of(codes.len()),
            "content": { "application/problem+json": { "schema": { "$ref": "#/components/schemas/Problem" } } },
            "x-melmastoon-codes": codes,
        });
        if matches!(status.as_str(), "409" | "429" | "503") {
            answer["headers"][RETRY_AFTER] = header_ref(RETRY_AFTER);
        }
        answers.insert(status, answer);
    }
}

const RETRY_AFTER: &str = "Retry-After";

/// Headers of answers, described once.
const HEADERS: [(&str, &str, &str); 5] = [
    ("RateLimit-Limit", "integer", "Requests a second."),
    ("RateLimit-Remaining", "integer", "What is left of them."),
    ("RateLimit-Reset", "integer", "Seconds until there are more."),
    ("X-Request-Id", "string", "The request's id, as sent or as given."),
    (RETRY_AFTER, "integer", "Seconds after which the same request may succeed."),
];

fn header_ref(name: &str) -> Value {
    json!({ "$ref": format!("#/components/headers/{name}") })
}

fn title_of(codes: usize) -> &'static str {
    if codes == 1 { "Refused, with this code." } else { "Refused, with one of these codes." }
}

/// Every code that a route may answer with, by status.
fn problems_of(spec: &RouteSpec) -> BTreeMap<u16, Vec<String>> {
    let context = spec.context.to_uppercase();
    let changes = !spec.method.is_safe();
    let platform = EVERYWHERE.iter().chain(OF_CHANGES.iter().filter(|_| changes)).map(|kind| (kind, "PLATFORM"));
    let own = refusal::GENERAL.iter().chain(spec.about.problems).map(|kind| (kind, context.as_str()));
    let mut found: BTreeMap<u16, Vec<String>> = BTreeMap::new();
    for (kind, owner) in own.chain(platform) {
        let codes = found.entry(kind.status).or_default();
        let code = kind.code(owner);
        if !codes.contains(&code) {
            codes.push(code);
        }
    }
    found
}

/// `housekeeping.tasks.start`, from where the handler stands.
fn operation_id(spec: &RouteSpec) -> String {
    let mut words = spec.handler.rsplit("::");
    let (name, module) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    format!("{}.{module}.{name}", spec.context)
}

fn problem_schema() -> Value {
    json!({
        "type": "object",
        "description": "RFC 9457. `detail` says what was wrong, where, and what to do.",
        "required": ["type", "title", "status", "code", "detail", "instance", "traceId"],
        "properties": {
            "type": { "type": "string", "format": "uri" },
            "title": { "type": "string" },
            "status": { "type": "integer" },
            "code": { "type": "string", "pattern": "^MELMASTOON\\.[A-Z]+\\.[A-Z_]+$" },
            "detail": { "type": "string" },
            "instance": { "type": "string" },
            "traceId": { "type": "string" },
        },
    })
}
