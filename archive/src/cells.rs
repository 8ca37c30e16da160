//! What a column holds: as PostgreSQL sends it, as Parquet keeps it, and back.

use std::ops::Range;

use bytes::{BufMut as _, Bytes, BytesMut};
use parquet::basic::{LogicalType, Repetition, TimeUnit, Type as Physical};
use parquet::data_type::ByteArray;
use parquet::schema::types::Type as ParquetType;
use ring::digest::{Context, SHA256};
use serde::{Deserialize, Serialize};
use tokio_postgres::types::Type as PostgresType;

/// From PostgreSQL's first moment (2000) to everybody else's (1970), in microseconds and in days.
const EPOCH_MICROS: i64 = 946_684_800_000_000;
const EPOCH_DAYS: i32 = 10_957;

/// What kind of values a column has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    Text,
    Json,
    /// A list of words, kept as a JSON array: every reader of the files understands that.
    Words,
    Moment,
    Day,
    Int,
    Long,
    Truth,
}

/// The values of a column in one row group.
#[derive(Debug)]
pub(crate) enum Values {
    Texts(Vec<ByteArray>),
    Ints(Vec<i32>),
    Longs(Vec<i64>),
    Truths(Vec<bool>),
}

impl Kind {
    pub(crate) fn of(kind: &PostgresType) -> Option<Self> {
        Some(match *kind {
            PostgresType::TEXT | PostgresType::VARCHAR => Self::Text,
            PostgresType::JSONB => Self::Json,
            PostgresType::TEXT_ARRAY => Self::Words,
            PostgresType::TIMESTAMPTZ => Self::Moment,
            PostgresType::DATE => Self::Day,
            PostgresType::INT4 => Self::Int,
            PostgresType::INT8 => Self::Long,
            PostgresType::BOOL => Self::Truth,
            _ => return None,
        })
    }

    /// The column as Parquet describes it. Every column may be empty: a column that a later release adds is, in the older files.
    pub(crate) fn column(self, name: &str) -> Result<ParquetType, parquet::errors::ParquetError> {
        let (physical, logical) = match self {
            Self::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            Self::Json | Self::Words => (Physical::BYTE_ARRAY, Some(LogicalType::Json)),
            Self::Moment => {
                let unit = TimeUnit::MICROS;
                (Physical::INT64, Some(LogicalType::timestamp(true, unit)))
            }
            Self::Day => (Physical::INT32, Some(LogicalType::Date)),
            Self::Int => (Physical::INT32, None),
            Self::Long => (Physical::INT64, None),
            Self::Truth => (Physical::BOOLEAN, None),
        };
        ParquetType::primitive_type_builder(name, physical)
            .with_repetition(Repetition::OPTIONAL)
            .with_logical_type(logical)
            .build()
    }

    pub(crate) fn no_values(self, room_for: usize) -> Values {
        match self {
            Self::Text | Self::Json | Self::Words => Values::Texts(Vec::with_capacity(room_for)),
            Self::Day | Self::Int => Values::Ints(Vec::with_capacity(room_for)),
            Self::Moment | Self::Long => Values::Longs(Vec::with_capacity(room_for)),
            Self::Truth => Values::Truths(Vec::with_capacity(room_for)),
        }
    }

    /// Adds a value that PostgreSQL sent: what of a row's bytes it is. None: it is not what this kind looks like.
    pub(crate) fn read(self, row: &Bytes, at: Range<usize>, into: &mut Values) -> Option<()> {
        let field = row.get(at.clone())?;
        match (self, into) {
            (Self::Text, Values::Texts(values)) => values.push(row.slice(at).into()),
            // The first byte is the version of the form.
            (Self::Json, Values::Texts(values)) => {
                values.push((*field.first()? == 1).then(|| row.slice(at.start + 1..at.end))?.into());
            }
            (Self::Words, Values::Texts(values)) => values.push(words_as_json(field)?.into()),
            (Self::Moment, Values::Longs(values)) => {
                let micros = i64::from_be_bytes(field.try_into().ok()?);
                values.push(micros.checked_add(EPOCH_MICROS)?);
            }
            (Self::Day, Values::Ints(values)) => {
                values.push(i32::from_be_bytes(field.try_into().ok()?).checked_add(EPOCH_DAYS)?);
            }
            (Self::Int, Values::Ints(values)) => values.push(i32::from_be_bytes(field.try_into().ok()?)),
            (Self::Long, Values::Longs(values)) => values.push(i64::from_be_bytes(field.try_into().ok()?)),
            (Self::Truth, Values::Truths(values)) => values.push(*field.first()? != 0),
            _ => return None,
        }
        Some(())
    }

    /// Writes the value at `index` as PostgreSQL reads it.
    pub(crate) fn write(self, values: &Values, index: usize, out: &mut BytesMut) -> Option<()> {
        match (self, values) {
            (Self::Text, Values::Texts(values)) => out.put_slice(values.get(index)?.data()),
            (Self::Json, Values::Texts(values)) => {
                out.put_u8(1);
                out.put_slice(values.get(index)?.data());
            }
            (Self::Words, Values::Texts(values)) => words_from_json(values.get(index)?.data(), out)?,
            (Self::Moment, Values::Longs(values)) => out.put_i64(values.get(index)?.checked_sub(EPOCH_MICROS)?),
            (Self::Day, Values::Ints(values)) => out.put_i32(values.get(index)?.checked_sub(EPOCH_DAYS)?),
            (Self::Int, Values::Ints(values)) => out.put_i32(*values.get(index)?),
            (Self::Long, Values::Longs(values)) => out.put_i64(*values.get(index)?),
            (Self::Truth, Values::Truths(values)) => out.put_u8(u8::from(*values.get(index)?)),
            _ => return None,
        }
        Some(())
    }
}

impl Values {
    /// Adds all of them to a checksum, so that a file that was read back can be held against what was written.
    pub(crate) fn count_into(&self, sum: &mut Tally) {
        match self {
            Self::Texts(values) => {
                for value in values {
                    sum.add(&(value.len() as u64).to_be_bytes());
                    sum.add(value.data());
                }
            }
            Self::Ints(values) => values.iter().for_each(|value| sum.add(&value.to_be_bytes())),
            Self::Longs(values) => values.iter().for_each(|value| sum.add(&value.to_be_bytes())),
            Self::Truths(values) => values.iter().for_each(|value| sum.add(&[u8::from(*value)])),
        }
    }

    pub(crate) fn clear(&mut self) {
        match self {
            Self::Texts(values) => values.clear(),
            Self::Ints(values) => values.clear(),
            Self::Longs(values) => values.clear(),
            Self::Truths(values) => values.clear(),
        }
    }
}

/// A checksum that is fed in large pieces: a call for each value would cost more than the sum.
pub(crate) struct Tally {
    sum: Context,
    waiting: Vec<u8>,
}

impl std::fmt::Debug for Tally {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Tally").finish_non_exhaustive()
    }
}

impl Tally {
    const PIECE: usize = 64 * 1024;

    pub(crate) fn new() -> Self {
        Self { sum: Context::new(&SHA256), waiting: Vec::with_capacity(Self::PIECE) }
    }

    pub(crate) fn add(&mut self, bytes: &[u8]) {
        if self.waiting.len() + bytes.len() > Self::PIECE {
            self.sum.update(&self.waiting);
            self.waiting.clear();
        }
        if bytes.len() > Self::PIECE {
            self.sum.update(bytes);
        } else {
            self.waiting.extend_from_slice(bytes);
        }
    }

    pub(crate) fn end(mut self) -> Context {
        self.sum.update(&self.waiting);
        self.sum
    }
}

/// A list with one dimension, as PostgreSQL sends it: dimensions, whether some are empty, their type, how many, the first's
/// number; then each with its length.
fn words_as_json(field: &[u8]) -> Option<Vec<u8>> {
    let mut rest = field;
    let mut number = || -> Option<i32> {
        let (head, tail) = rest.split_first_chunk::<4>()?;
        rest = tail;
        Some(i32::from_be_bytes(*head))
    };
    let (dimensions, _, _) = (number()?, number()?, number()?);
    let count = match dimensions {
        0 => 0,
        1 => {
            let count = usize::try_from(number()?).ok()?;
            number()?;
            count
        }
        _ => return None,
    };
    let mut words: Vec<Option<&str>> = Vec::new();
    for _ in 0..count {
        let (head, tail) = rest.split_first_chunk::<4>()?;
        rest = tail;
        match usize::try_from(i32::from_be_bytes(*head)) {
            Err(_) => words.push(None),
            Ok(length) => {
                let (word, tail) = rest.split_at_checked(length)?;
                rest = tail;
                words.push(Some(std::str::from_utf8(word).ok()?));
            }
        }
    }
    serde_json::to_vec(&words).ok()
}

fn words_from_json(json: &[u8], out: &mut BytesMut) -> Option<()> {
    let words: Vec<Option<String>> = serde_json::from_slice(json).ok()?;
    out.put_i32(i32::from(!words.is_empty()));
    out.put_i32(i32::from(words.iter().any(Option::is_none)));
    out.put_u32(PostgresType::TEXT.oid());
    if words.is_empty() {
        return Some(());
    }
    out.put_i32(i32::try_from(words.len()).ok()?);
    out.put_i32(1);
    for word in words {
        match word {
            None => out.put_i32(-1),
            Some(word) => {
                out.put_i32(i32::try_from(word.len()).ok()?);
                out.put_slice(word.as_bytes());
            }
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn words_come_back_as_they_were(words in proptest::collection::vec(proptest::option::of(".{0,12}"), 0..8)) {
            let json = serde_json::to_vec(&words).expect("JSON");
            let mut sent = BytesMut::new();
            words_from_json(&json, &mut sent).expect("a list");
            prop_assert_eq!(words_as_json(&sent).expect("a list"), json);
        }

        #[test]
        fn whatever_is_sent_is_read_or_refused_and_never_crashes(field in proptest::collection::vec(any::<u8>(), 0..64)) {
            let field = Bytes::from(field);
            let kinds = [Kind::Text, Kind::Json, Kind::Words, Kind::Moment, Kind::Day, Kind::Int, Kind::Long, Kind::Truth];
            for kind in kinds {
                let mut values = kind.no_values(1);
                if kind.read(&field, 0..field.len(), &mut values).is_some() {
                    let mut back = BytesMut::new();
                    prop_assert!(kind.write(&values, 0, &mut back).is_some());
                    if !matches!(kind, Kind::Words | Kind::Truth) {
                        prop_assert_eq!(&back[..], &field[..]);
                    }
                }
            }
        }
    }
}
