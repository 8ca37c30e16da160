//! Rows as a context reads them: what cannot be is refused by name, never patched.

use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use fallible_iterator::FallibleIterator as _;
use postgres_protocol::message::backend::DataRowBody;
use tokio_postgres::types::{FromSql, Type, WrongType};

/// A column of an answer.
#[derive(Debug)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) kind: Type,
}

/// One row of an answer. Its values stay where they came in and are read when they are asked for.
pub struct Row {
    columns: Arc<[Column]>,
    bytes: Bytes,
    values: Vec<Option<Range<usize>>>,
    /// Where the next column is looked for first: columns are mostly read in their order.
    next: AtomicUsize,
}

impl std::fmt::Debug for Row {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Names only: values may be somebody's own affair.
        out.debug_list().entries(self.columns.iter().map(|column| &column.name)).finish()
    }
}

/// Why a value cannot be had.
pub type Unreadable = Box<dyn std::error::Error + Sync + Send>;

/// A column, by its name or by its number from 0.
pub trait Place: Copy {
    fn find(self, row: &Row) -> Option<usize>;
}

impl Place for usize {
    fn find(self, row: &Row) -> Option<usize> {
        (self < row.columns.len()).then_some(self)
    }
}

impl Place for &str {
    fn find(self, row: &Row) -> Option<usize> {
        let first = row.next.load(Ordering::Relaxed).min(row.columns.len());
        let is_it = |at: &usize| row.columns[*at].name == self;
        let found = (first..row.columns.len()).find(is_it).or_else(|| (0..first).find(is_it))?;
        row.next.store(found + 1, Ordering::Relaxed);
        Some(found)
    }
}

impl Row {
    pub(super) fn new(columns: Arc<[Column]>, body: &DataRowBody) -> io::Result<Self> {
        let mut values = Vec::with_capacity(columns.len());
        let mut ranges = body.ranges();
        while let Some(range) = ranges.next()? {
            values.push(range);
        }
        if values.len() != columns.len() {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "a row has other columns than it was said to have"));
        }
        Ok(Self { columns, bytes: body.buffer_bytes().clone(), values, next: AtomicUsize::new(0) })
    }

    /// The value of a column. Err: it is not there, is NULL where it must not be, or cannot be read as this type.
    pub fn try_get<'a, I: Place, T: FromSql<'a>>(&'a self, column: I) -> Result<T, Unreadable> {
        let at = column.find(self).ok_or("there is no such column")?;
        let kind = &self.columns[at].kind;
        if !T::accepts(kind) {
            return Err(Box::new(WrongType::new::<T>(kind.clone())));
        }
        T::from_sql_nullable(kind, self.values[at].clone().map(|range| &self.bytes[range]))
    }

    /// The value of a column that is there and of this type, as the test of the statements shows.
    pub fn get<'a, I: Place, T: FromSql<'a>>(&'a self, column: I) -> T {
        match self.try_get(column) {
            Ok(value) => value,
            Err(why) => panic!("a column of {self:?}: {why}"),
        }
    }
}

/// A stored row that no aggregate can be made of: somebody changed the database behind our back, or we have a defect.
#[derive(Debug, thiserror::Error)]
#[error("a stored row cannot be: {0}")]
pub struct ImpossibleRow(pub String);

/// Columns by name and type.
pub trait Columns {
    /// The value of a column. `Err`: the column is not there, is NULL where it must not be, or its value cannot be read; the
    /// error names row, column and reason.
    fn read<'a, T: FromSql<'a>>(&'a self, column: &str) -> Result<T, ImpossibleRow>;

    /// The refusal of this row for a reason of the domain's own.
    fn impossible(&self, why: impl std::fmt::Display) -> ImpossibleRow {
        // Most rows have an id, and a row without a name is hard to find.
        let name = ["id", "room_id", "staff_id"].iter().find_map(|key| self.name(key));
        ImpossibleRow(format!("{}: {why}", name.unwrap_or("a row")))
    }

    /// The text in a column, where there is one.
    fn name(&self, column: &str) -> Option<&str>;
}

impl Columns for Row {
    fn read<'a, T: FromSql<'a>>(&'a self, column: &str) -> Result<T, ImpossibleRow> {
        self.try_get(column).map_err(|error| self.impossible(format!("{column}: {error}")))
    }

    fn name(&self, column: &str) -> Option<&str> {
        self.try_get(column).ok()
    }
}

impl Columns for tokio_postgres::Row {
    fn read<'a, T: FromSql<'a>>(&'a self, column: &str) -> Result<T, ImpossibleRow> {
        self.try_get(column).map_err(|error| {
            let reason = std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
            self.impossible(format!("{column}: {reason}"))
        })
    }

    fn name(&self, column: &str) -> Option<&str> {
        self.try_get(column).ok()
    }
}
