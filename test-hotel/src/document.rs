//! Every answer that any test gets is held against the OpenAPI document: its status, its code, its body.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

use axum::http::Method;
use jsonschema::Validator;
use serde_json::Value;
use server::app::App;

use crate::Answer;

type Known = HashMap<(String, u16), Option<Arc<Validator>>>;

/// The template of a path, as the routes have it.
pub(crate) fn template_of(app: &App, method: &Method, path: &str) -> Option<String> {
    let path = path.split('?').next().unwrap_or_default();
    let fits = |template: &str| {
        let (have, want): (Vec<_>, Vec<_>) = (path.split('/').collect(), template.split('/').collect());
        have.len() == want.len() && have.iter().zip(&want).all(|(have, want)| want.starts_with('{') || have == want)
    };
    // A path without names goes before one with them, as in the router.
    let mut found: Vec<_> = app.routes.iter().filter(|route| route.method == *method && fits(&route.path)).collect();
    found.sort_by_key(|route| route.path.matches('{').count());
    found.first().map(|route| route.path.clone())
}

/// Panics where the answer is none that the document promises.
pub(crate) fn fits(app: &App, method: &Method, path: &str, answer: &Answer) {
    let Some(template) = template_of(app, method, path) else { return };
    let operation = &app.openapi["paths"][&template][method.as_str().to_lowercase()];
    let promised = &operation["responses"][answer.status.to_string()];
    assert!(!promised.is_null(), "{method} {template} does not promise {}: {}", answer.status, answer.text);
    if answer.status >= 400 {
        let codes = promised["x-melmastoon-codes"].as_array().expect("codes");
        assert!(
            codes.iter().any(|code| code == answer.code()),
            "{method} {template} does not promise {}",
            answer.code()
        );
        return;
    }
    let form = answer.header("content-type").and_then(|kind| kind.split(';').next()).unwrap_or_default();
    if form == "text/csv" {
        assert!(!promised["content"][form].is_null(), "{method} {template} does not promise {form}");
        return;
    }
    if let Some(validator) = validator_of(app, &format!("{method} {template}"), answer.status, promised)
        && let Err(error) = validator.validate(&answer.body)
    {
        panic!("{method} {template}: {error} at {}: {}", error.instance_path(), answer.text);
    }
}

fn validator_of(app: &App, operation: &str, status: u16, promised: &Value) -> Option<Arc<Validator>> {
    static KNOWN: LazyLock<Mutex<Known>> = LazyLock::new(Mutex::default);
    let mut known = KNOWN.lock().unwrap();
    let entry = known.entry((operation.to_owned(), status)).or_insert_with(|| {
        let mut schema = promised["content"]["application/json"].get("schema")?.clone();
        schema["components"] = app.openapi["components"].clone();
        Some(Arc::new(jsonschema::draft202012::new(&schema).expect("a schema")))
    });
    entry.clone()
}
