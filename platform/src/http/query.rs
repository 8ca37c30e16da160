//! Query strings: typed, bounded, and clear about what was wrong.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Problem;

const DEFAULT_LIMIT: i64 = 50;
const MOST: i64 = 1_000;

/// A query string read into a type.
#[derive(Clone, Debug)]
pub struct Query<T>(pub T);

impl<S: Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let text = parts.uri.query().unwrap_or_default();
        if text.to_ascii_lowercase().contains("%00") {
            return Err(Problem::malformed("the query has a NUL character in it"));
        }
        axum::extract::Query::<T>::try_from_uri(&parts.uri)
            .map(|query| Self(query.0))
            .map_err(|rejection| Problem::malformed(format!("query: {}", rejection.body_text())))
    }
}

/// A page of a list.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Page<T> {
    pub items: Vec<T>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

impl<T> Page<T> {
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

/// A list of words with commas between them, each of which has to be known.
pub fn words_of(field: &str, asked: Option<&str>, known: &[&str]) -> Result<Option<Vec<String>>, Problem> {
    let Some(text) = asked else { return Ok(None) };
    let words: Vec<String> = text.split(',').map(|word| word.trim().to_owned()).collect();
    match words.iter().find(|word| !known.contains(&word.as_str())) {
        Some(unknown) => Err(Problem::invalid(field, format!("{unknown} is not one of {}", known.join(", ")))),
        None => Ok(Some(words)),
    }
}

/// What a cursor of ours says, or a problem for anything else.
pub fn cursor_of(asked: Option<&str>) -> Result<Option<String>, Problem> {
    let Some(text) = asked else { return Ok(None) };
    let read = BASE64.decode(text).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    match read.as_deref().and_then(|text| text.strip_prefix("1:")) {
        Some(key) if key.len() <= 128 && key.bytes().all(|b| b.is_ascii_graphic()) => Ok(Some(key.to_owned())),
        _ => Err(Problem::invalid("cursor", "take it from `nextCursor` of the page before, unchanged")),
    }
}
