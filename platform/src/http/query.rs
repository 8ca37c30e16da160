//! Query strings: typed, bounded, and clear about what was wrong.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use contracts::time::Timestamp;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::Problem;
use super::describe::{Describe, Operation};

const DEFAULT_LIMIT: i64 = 50;
const MOST: i64 = 1_000;

/// A query string read into a type.
#[derive(Clone, Debug)]
pub struct Query<T>(pub T);

impl<S: Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        read(parts).map(Self)
    }
}

impl<T: JsonSchema> Describe for Query<T> {
    fn describe(operation: &mut Operation<'_>) {
        operation.takes_query::<T>();
    }
}

fn read<T: DeserializeOwned>(parts: &Parts) -> Result<T, Problem> {
    let text = parts.uri.query().unwrap_or_default();
    if text.to_ascii_lowercase().contains("%00") {
        return Err(Problem::malformed("the query has a NUL character in it"));
    }
    axum::extract::Query::<T>::try_from_uri(&parts.uri)
        .map(|query| query.0)
        .map_err(|rejection| unreadable(&rejection.body_text()))
}

/// The framework says `Failed to deserialize query string: field: why`; the caller is told the field and the why.
fn unreadable(sentence: &str) -> Problem {
    let rest = sentence.split_once("query string: ").map_or(sentence, |(_, rest)| rest);
    match rest.split_once(": ") {
        Some((field, why)) if field.bytes().all(|byte| byte.is_ascii_alphanumeric()) => Problem::invalid(field, why),
        _ => Problem::malformed(format!("query: {rest}")),
    }
}

/// One value of the query, for extractors that share it with others.
pub(super) fn value_of(parts: &Parts, name: &str) -> Result<Option<String>, Problem> {
    let all: Vec<(String, String)> = read(parts)?;
    let mut values = all.into_iter().filter(|(key, _)| key == name).map(|(_, value)| value);
    match (values.next(), values.next()) {
        (Some(_), Some(_)) => Err(Problem::invalid(name, "is there twice")),
        (value, _) => Ok(value),
    }
}

/// Where a page begins and how long it may be: `?limit=&cursor=`.
#[derive(Clone, Debug)]
pub struct Paging {
    pub limit: i64,
    /// What the page before ended with.
    pub after: Option<String>,
}

impl Paging {
    /// How many rows to read: one more than is shown, which tells whether there is a next page.
    pub fn rows(&self) -> i64 {
        self.limit + 1
    }
}

impl<S: Sync> FromRequestParts<S> for Paging {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let limit = Page::<()>::limit(value_of(parts, "limit")?.as_deref())?;
        let after = cursor_of(value_of(parts, "cursor")?.as_deref())?;
        Ok(Self { limit, after })
    }
}

impl Describe for Paging {
    fn describe(operation: &mut Operation<'_>) {
        let limit = json!({ "type": "integer", "minimum": 1, "default": DEFAULT_LIMIT });
        operation.query("limit", limit, Some(json!("The longest page; more than 1000 is 1000.")), false);
        let cursor = json!({ "type": "string", "maxLength": 200 });
        operation.query("cursor", cursor, Some(json!("`nextCursor` of the page before, unchanged.")), false);
    }
}

/// A page of a list.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "PageOf{T}")]
pub struct Page<T> {
    pub items: Vec<T>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

impl<T> Page<T> {
    /// Everything there is, on one page.
    pub fn whole(items: Vec<T>) -> Self {
        Self { items, next_cursor: None }
    }

    /// Cuts the one row too many that tells there is more, and names where the next page begins.
    pub fn cut(mut items: Vec<T>, limit: i64, key: impl Fn(&T) -> String) -> Self {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let more = items.len() > limit;
        items.truncate(limit);
        let next_cursor = if more { items.last().map(|last| BASE64.encode(format!("1:{}", key(last)))) } else { None };
        Self { items, next_cursor }
    }

    /// The page size asked for: 50 by default, never above 1,000.
    pub fn limit(asked: Option<&str>) -> Result<i64, Problem> {
        let Some(text) = asked else { return Ok(DEFAULT_LIMIT) };
        match text.parse::<i64>() {
            Ok(number) if number >= 1 => Ok(number.min(MOST)),
            _ => Err(Problem::invalid("limit", format!("a whole number from 1 to {MOST}"))),
        }
    }
}

/// Words with commas between them, such as `?status=pending,assigned`, each of which has to be known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words<W>(pub Vec<W>);

impl<'de, W: std::str::FromStr<Err: std::fmt::Display>> Deserialize<'de> for Words<W> {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        let words = text.split(',').map(|word| word.trim().parse::<W>());
        words.collect::<Result<_, _>>().map(Self).map_err(serde::de::Error::custom)
    }
}

impl<W: JsonSchema> JsonSchema for Words<W> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("Words_of_{}", W::schema_name()).into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let word = W::json_schema(generator);
        let words = word.as_value()["enum"].as_array().cloned().unwrap_or_default();
        let words: Vec<&str> = words.iter().filter_map(|word| word.as_str()).collect();
        let one = words.join("|");
        schemars::json_schema!({ "type": "string", "pattern": format!("^({one})( *, *({one}))*$") })
    }
}

/// What a cursor of ours says, or a problem for anything else.
fn cursor_of(asked: Option<&str>) -> Result<Option<String>, Problem> {
    let Some(text) = asked else { return Ok(None) };
    let read = BASE64.decode(text).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    match read.as_deref().and_then(|text| text.strip_prefix("1:")) {
        Some(key) if key.len() <= 128 && key.bytes().all(|b| b.is_ascii_graphic()) => Ok(Some(key.to_owned())),
        _ => Err(Problem::invalid("cursor", "take it from `nextCursor` of the page before, unchanged")),
    }
}

/// A moment in the query, for extractors and filters that share it: `?updatedSince=`.
pub fn moment(field: &str, text: Option<&str>) -> Result<Option<Timestamp>, Problem> {
    text.map(|text| Timestamp::parse(text).map_err(|_| Problem::invalid(field, "a time such as 2026-04-22T11:05:00Z")))
        .transpose()
}
