//! What a route takes and answers, told by the very types that its handler is made of.
//!
//! A handler whose arguments or answer cannot describe themselves does not become a route: it does not compile.

use std::collections::{BTreeMap, VecDeque};
use std::future::Future;

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::{Problem, ProblemKind};

/// An argument or an answer of a handler that says what it adds to the route's description.
pub trait Describe {
    fn describe(operation: &mut Operation<'_>);
}

/// A handler whose every argument and answer describes itself. `T` is axum's own name of the arguments.
pub trait Described<T> {
    fn describe(operation: &mut Operation<'_>);
}

macro_rules! described {
    ($($argument:ident),*) => {
        impl<F, Answering, Answered, Via, $($argument,)*> Described<(Via, $($argument,)*)> for F
        where
            F: FnOnce($($argument,)*) -> Answering,
            Answering: Future<Output = Answered>,
            Answered: Describe,
            $($argument: Describe,)*
        {
            fn describe(operation: &mut Operation<'_>) {
                $($argument::describe(operation);)*
                Answered::describe(operation);
            }
        }
    };
}
described!(A);
described!(A, B);
described!(A, B, C);
described!(A, B, C, D);
described!(A, B, C, D, E);
described!(A, B, C, D, E, G);
described!(A, B, C, D, E, G, H);

/// What is said of a route besides its types: what it does, and which of its context's problems it answers with.
#[derive(Clone, Copy, Debug)]
pub struct About {
    pub summary: &'static str,
    pub problems: &'static [ProblemKind],
}

impl From<&'static str> for About {
    fn from(summary: &'static str) -> Self {
        Self { summary, problems: &[] }
    }
}

/// `about("Start a task", &[TASK_ILLEGAL_TRANSITION])`
pub const fn about(summary: &'static str, problems: &'static [ProblemKind]) -> About {
    About { summary, problems }
}

/// A route's description while it is made.
#[derive(Debug)]
pub struct Operation<'a> {
    generator: &'a mut SchemaGenerator,
    /// The names in the path that no argument has described yet.
    path_names: VecDeque<String>,
    parameters: Vec<Value>,
    body: Option<Value>,
    answers: BTreeMap<u16, Value>,
}

impl<'a> Operation<'a> {
    pub(super) fn new(path: &str, generator: &'a mut SchemaGenerator) -> Self {
        let names = path.split('{').skip(1).filter_map(|rest| rest.split('}').next());
        let path_names = names.map(str::to_owned).collect();
        Self { generator, path_names, parameters: Vec::new(), body: None, answers: BTreeMap::new() }
    }

    /// The next name in the path is of this type.
    pub fn takes_path<T: JsonSchema>(&mut self) {
        let name = self.path_names.pop_front().unwrap_or_else(|| "unnamed".to_owned());
        let schema = self.generator.subschema_for::<T>();
        self.parameters.push(json!({ "name": name, "in": "path", "required": true, "schema": schema }));
    }

    /// Every field of this type may stand in the query.
    pub fn takes_query<T: JsonSchema>(&mut self) {
        let schema = T::json_schema(self.generator);
        let schema = schema.as_value();
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let Some(fields) = schema["properties"].as_object() else { return };
        for (name, field) in fields {
            let mut field = field.clone();
            let description = field.as_object_mut().and_then(|members| members.remove("description"));
            self.query(name, field, description, required.contains(&name.as_str()));
        }
    }

    /// One value in the query.
    pub fn query(&mut self, name: &str, schema: Value, description: Option<Value>, required: bool) {
        let mut parameter =
            json!({ "name": name, "in": "query", "required": required, "schema": without_null(schema) });
        if let Some(description) = description {
            parameter["description"] = description;
        }
        self.parameters.push(parameter);
    }

    /// A header that may be sent, of this form.
    pub fn header(&mut self, name: &str, pattern: &str, description: &str) {
        let parameter = json!({
            "name": name, "in": "header", "required": false, "description": description,
            "schema": { "type": "string", "pattern": pattern },
        });
        self.parameters.push(parameter);
    }

    pub fn takes_body<T: JsonSchema>(&mut self) {
        let schema = self.generator.subschema_for::<T>();
        // A command without a body is the same as one with an empty object.
        let full = T::json_schema(self.generator);
        let needed = full.as_value()["required"].as_array().is_some_and(|fields| !fields.is_empty());
        self.body = Some(json!({ "required": needed, "content": { "application/json": { "schema": schema } } }));
    }

    /// A body that is no JSON.
    pub fn takes_bytes(&mut self, media_type: &str) {
        let content = json!({ media_type: { "schema": { "type": "string", "format": "binary" } } });
        self.body = Some(json!({ "required": true, "content": content }));
    }

    pub fn answers<T: JsonSchema>(&mut self, status: u16, description: &str) {
        let schema = self.generator.subschema_for::<T>();
        let content = json!({ "application/json": { "schema": schema } });
        self.answers.insert(status, json!({ "description": description, "content": content }));
    }

    pub fn answers_nothing(&mut self, status: u16, description: &str) {
        self.answers.insert(status, json!({ "description": description }));
    }

    pub fn answers_as(&mut self, status: u16, media_type: &str, description: &str) {
        let content = json!({ media_type: { "schema": { "type": "string" } } });
        self.answers.insert(status, json!({ "description": description, "content": content }));
    }

    /// The same answer in another form, for whoever asks for that.
    pub fn answers_also_as(&mut self, status: u16, media_type: &str) {
        if let Some(answer) = self.answers.get_mut(&status) {
            answer["content"][media_type] = json!({ "schema": { "type": "string" } });
        }
    }

    pub fn answer_header(&mut self, status: u16, name: &str, description: &str) {
        if let Some(answer) = self.answers.get_mut(&status) {
            answer["headers"][name] = json!({ "description": description, "schema": { "type": "string" } });
        }
    }

    pub(super) fn finish(self) -> Map<String, Value> {
        let mut done = Map::new();
        // A name in the path that no argument takes is a mistake that the document's test finds.
        if !self.parameters.is_empty() {
            done.insert("parameters".to_owned(), Value::Array(self.parameters));
        }
        if let Some(body) = self.body {
            done.insert("requestBody".to_owned(), body);
        }
        let answers: Map<String, Value> =
            self.answers.into_iter().map(|(status, answer)| (status.to_string(), answer)).collect();
        done.insert("responses".to_owned(), Value::Object(answers));
        done
    }
}

/// A query has no null: what is optional is left out.
fn without_null(mut schema: Value) -> Value {
    if let Some(kinds) = schema["type"].as_array() {
        let kinds: Vec<Value> = kinds.iter().filter(|kind| *kind != "null").cloned().collect();
        schema["type"] = if let [one] = &kinds[..] { one.clone() } else { Value::Array(kinds) };
    }
    if let Some(choices) = schema["anyOf"].as_array() {
        let choices: Vec<Value> = choices.iter().filter(|choice| choice["type"] != "null").cloned().collect();
        if let [one] = &choices[..] {
            return one.clone();
        }
        schema["anyOf"] = Value::Array(choices);
    }
    if let Some(words) = schema["enum"].as_array() {
        schema["enum"] = words.iter().filter(|word| !word.is_null()).cloned().collect();
    }
    schema
}

impl<S> Describe for State<S> {
    fn describe(_: &mut Operation<'_>) {}
}

impl Describe for HeaderMap {
    fn describe(_: &mut Operation<'_>) {}
}

impl Describe for Problem {
    fn describe(_: &mut Operation<'_>) {}
}

impl<T: Describe> Describe for Result<T, Problem> {
    fn describe(operation: &mut Operation<'_>) {
        T::describe(operation);
    }
}

impl<T: JsonSchema> Describe for Json<T> {
    fn describe(operation: &mut Operation<'_>) {
        operation.answers::<T>(200, "As asked.");
    }
}
