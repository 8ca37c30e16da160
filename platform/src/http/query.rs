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
/// No page is longer than this, however many rows were asked for; a single row is given whatever its size.
pub const PAGE_BYTES: usize = 4 * 1024 * 1024;
/// The first look at a list: from these rows it is known how many more a page can hold.
const FIRST_STEP: i64 = 100;
const SINCE: &str = "updatedSince";

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
        (Some(_), Some(_)) => Err(Problem::malformed(format!("query: duplicate field `{name}`"))),
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

    /// What the page before ended with, where that is a number.
    pub fn place(&self) -> Result<Option<i64>, Problem> {
        let place = self.after.as_deref().map(str::parse).transpose();
        place.map_err(|_| Problem::invalid("cursor", "take it from `nextCursor` of the page before, unchanged"))
    }

    /// A page of what may be large: read it in steps, so that little more is read than it may hold.
    pub fn filling<T: Serialize>(&self) -> Filling<T> {
        Filling { items: Vec::new(), bytes: 0, limit: self.limit, step: FIRST_STEP.min(self.limit + 1) }
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
        describe_cursor(operation);
    }
}

fn describe_cursor(operation: &mut Operation<'_>) {
    let cursor = json!({ "type": "string", "maxLength": 200 });
    operation.query("cursor", cursor, Some(json!("`nextCursor` of the page before, unchanged.")), false);
}

/// How many rows were asked for, however large the number: never above 1,000.
fn limit_of(text: &str) -> Result<i64, Problem> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number || text.bytes().all(|byte| byte == b'0') {
        return Err(Problem::invalid("limit", format!("a whole number from 1 to {MOST}")));
    }
    // More digits than a number holds are more than the most.
    Ok(text.parse::<i64>().map_or(MOST, |number| number.min(MOST)))
}

/// Paging of a list that is short by nature and read at once: all of it where no limit is asked for.
#[derive(Clone, Debug)]
pub struct WholeList(pub Paging);

impl<S: Sync> FromRequestParts<S> for WholeList {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let limit = value_of(parts, "limit")?.as_deref().map_or(Ok(i64::MAX), limit_of)?;
        let after = cursor_of(value_of(parts, "cursor")?.as_deref())?;
        Ok(Self(Paging { limit, after }))
    }
}

impl Describe for WholeList {
    fn describe(operation: &mut Operation<'_>) {
        let limit = json!({ "type": "integer", "minimum": 1 });
        let words = "The longest page; more than 1000 is 1000. All of it, where none is named.";
        operation.query("limit", limit, Some(json!(words)), false);
        describe_cursor(operation);
    }
}

/// `?updatedSince=`, for lists whose items know when they changed. A list either takes this or refuses it ([`NoSince`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Since(pub Option<Timestamp>);

impl Since {
    /// Whether something that changed at this moment is asked for.
    pub fn keeps(&self, changed_at: Timestamp) -> bool {
        self.0.is_none_or(|since| changed_at >= since)
    }
}

impl<S: Sync> FromRequestParts<S> for Since {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let Some(text) = value_of(parts, SINCE)? else { return Ok(Self(None)) };
        let since = Timestamp::parse(&text).map_err(|error| Problem::invalid(SINCE, error.to_string()))?;
        Ok(Self(Some(since)))
    }
}

impl Describe for Since {
    fn describe(operation: &mut Operation<'_>) {
        let time = json!({ "type": "string", "format": "date-time" });
        operation.query(SINCE, time, Some(json!("What changed at this moment or later.")), false);
    }
}

/// A list whose items do not know when they changed: whoever asks for what changed is told so, instead of being given everything.
#[derive(Clone, Copy, Debug)]
pub struct NoSince;

impl<S: Sync> FromRequestParts<S> for NoSince {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        match value_of(parts, SINCE)? {
            None => Ok(Self),
            Some(_) => Err(Problem::invalid(SINCE, "this list does not know when its items changed; ask without it")),
        }
    }
}

impl Describe for NoSince {
    fn describe(_: &mut Operation<'_>) {}
}

/// A page of a list.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "PageOf{T}")]
pub struct Page<T> {
    pub items: Vec<T>,
    /// Where the next page begins; null where there is none.
    pub next_cursor: Option<String>,
}

impl<T> Page<T> {
    /// A page of a list that is read at once: what stands behind the cursor's item, in the list's own order.
    pub fn of(mut items: Vec<T>, paging: &Paging, key: impl Fn(&T) -> String) -> Result<Self, Problem>
    where
        T: Serialize,
    {
        if let Some(after) = &paging.after {
            let at = items.iter().position(|item| key(item) == *after).ok_or_else(|| {
                Problem::invalid("cursor", "what the page before ended with is not in the list; begin it anew")
            })?;
            items.drain(..=at);
        }
        Ok(Self::cut(items, paging.limit, key))
    }

    /// Without what has not changed since then. The page is shorter by it, and the next one begins where it would have begun.
    #[must_use]
    pub fn since(mut self, since: &Since, changed_at: impl Fn(&T) -> Timestamp) -> Self {
        self.items.retain(|item| since.keeps(changed_at(item)));
        self
    }

    /// Cuts the one row too many that tells there is more, and names where the next page begins.
    /// A page that would be too long ends earlier.
    pub fn cut(mut items: Vec<T>, limit: i64, key: impl Fn(&T) -> String) -> Self
    where
        T: Serialize,
    {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let more = items.len() > limit;
        items.truncate(limit);
        let more = within_bytes(&mut items, written_size) || more;
        let next_cursor = if more { items.last().map(|last| BASE64.encode(format!("1:{}", key(last)))) } else { None };
        Self { items, next_cursor }
    }

    /// The page size asked for: 50 by default, never above 1,000.
    pub fn limit(asked: Option<&str>) -> Result<i64, Problem> {
        asked.map_or(Ok(DEFAULT_LIMIT), limit_of)
    }
}

/// A page that is read step by step.
#[derive(Debug)]
pub struct Filling<T> {
    items: Vec<T>,
    bytes: usize,
    limit: i64,
    /// How many rows to read next, the one included that tells there is more.
    step: i64,
}

impl<T: Serialize> Filling<T> {
    /// How many rows to read next, behind the last one read; `None` when the page is full or the list has ended.
    pub fn step(&self) -> Option<i64> {
        (self.step > 0).then_some(self.step)
    }

    /// The row behind which to read on.
    pub fn last(&self) -> Option<&T> {
        self.items.last()
    }

    /// Takes what was read.
    pub fn add(&mut self, found: Vec<T>) {
        let ended = i64::try_from(found.len()).unwrap_or(i64::MAX) < self.step;
        self.bytes += found.iter().map(written_size).sum::<usize>();
        self.items.extend(found);
        let missing = (self.limit + 1).saturating_sub(i64::try_from(self.items.len()).unwrap_or(i64::MAX));
        self.step = match PAGE_BYTES.checked_sub(self.bytes) {
            Some(left) if !ended => {
                // As many as will fit if they are like those before.
                let each = (self.bytes / self.items.len().max(1)).max(1);
                i64::try_from(left / each + 1).unwrap_or(i64::MAX).min(missing)
            }
            _ => 0,
        };
    }

    pub fn page(self, key: impl Fn(&T) -> String) -> Page<T> {
        Page::cut(self.items, self.limit, key)
    }
}

/// Ends a list where it would go over the bytes of a page; one item stays, whatever its size. Says whether it was cut.
pub fn within_bytes<T>(items: &mut Vec<T>, size: impl Fn(&T) -> usize) -> bool {
    let mut bytes = 0;
    let fits = items.iter().take_while(|item| {
        bytes += size(item);
        bytes <= PAGE_BYTES
    });
    let kept = fits.count().max(1);
    let cut = items.len() > kept;
    items.truncate(kept);
    cut
}

/// How long an item is as JSON, with the comma behind it. Nothing is kept of it.
fn written_size<T: Serialize>(item: &T) -> usize {
    struct Count(usize);
    impl std::io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(1);
    // What cannot be written fails where the page is written.
    let _ = serde_json::to_writer(&mut count, item);
    count.0
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A list of texts of one size, read as a page; with how many rows were read.
    fn filled(size: usize, there: usize, limit: i64) -> (Page<String>, usize) {
        let mut filling = Paging { limit, after: None }.filling();
        let mut read = 0;
        while let Some(step) = filling.step() {
            let rows = usize::try_from(step).unwrap().min(there - read);
            read += rows;
            filling.add(vec!["x".repeat(size); rows]);
        }
        (filling.page(|text| text.len().to_string()), read)
    }

    #[test]
    fn a_page_of_small_rows_is_as_long_as_was_asked_for_and_says_whether_there_is_more() {
        for (there, items, more) in [(0, 0, false), (99, 99, false), (1_000, 1_000, false), (1_001, 1_000, true)] {
            let (page, read) = filled(10, there, 1_000);
            assert_eq!((page.items.len(), page.next_cursor.is_some()), (items, more), "{there}");
            assert!(read <= 1_001);
        }
    }

    #[test]
    fn a_page_of_large_rows_ends_at_its_bytes_and_little_more_is_read() {
        let (page, read) = filled(100_000, 5_000, 1_000);
        assert_eq!((page.items.len(), page.next_cursor.is_some()), (PAGE_BYTES / 100_003, true));
        assert!(read <= 100, "{read}");
        let (page, read) = filled(10_000, 5_000, 1_000);
        assert_eq!(page.items.len(), PAGE_BYTES / 10_003);
        assert!(read <= PAGE_BYTES / 10_003 + 2, "{read}");
    }

    #[test]
    fn a_limit_is_any_whole_number_above_zero_and_never_more_than_a_thousand() {
        for (text, limit) in [("1", 1), ("007", 7), ("1000", 1_000), ("1001", 1_000), (&"9".repeat(40), 1_000)] {
            assert_eq!(limit_of(text).ok(), Some(limit), "{text}");
        }
        for text in ["", "0", "000", "-1", "+1", "1.0", "many", " 1", "1e3"] {
            assert!(limit_of(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_list_that_is_read_at_once_is_cut_behind_the_cursors_item_and_the_last_page_says_so() {
        let page = |limit, after: Option<&str>| {
            let paging = Paging { limit, after: after.map(str::to_owned) };
            Page::of(vec!["c", "a", "b"], &paging, |item| (*item).to_owned())
        };
        let first = page(2, None).unwrap();
        assert_eq!((first.items, first.next_cursor.is_some()), (vec!["c", "a"], true));
        let second = page(2, Some("a")).unwrap();
        assert_eq!(serde_json::to_value(second).unwrap(), json!({ "items": ["b"], "nextCursor": null }));
        assert_eq!(page(i64::MAX, None).unwrap().items, ["c", "a", "b"]);
        assert!(page(2, Some("gone")).is_err());
    }

    #[test]
    fn a_row_that_is_larger_than_a_page_is_given_alone() {
        let (page, _) = filled(PAGE_BYTES + 1, 3, 50);
        assert_eq!((page.items.len(), page.next_cursor.is_some()), (1, true));
    }
}
