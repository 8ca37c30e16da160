//! Rows as a context reads them: what cannot be is refused by name, never patched.

use tokio_postgres::Row;
use tokio_postgres::types::FromSql;

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
    fn impossible(&self, why: impl std::fmt::Display) -> ImpossibleRow;
}

impl Columns for Row {
    fn read<'a, T: FromSql<'a>>(&'a self, column: &str) -> Result<T, ImpossibleRow> {
        self.try_get(column).map_err(|error| {
            let reason = std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
            self.impossible(format!("{column}: {reason}"))
        })
    }

    fn impossible(&self, why: impl std::fmt::Display) -> ImpossibleRow {
        // Most rows have an id, and a row without a name is hard to find.
        let name = ["id", "room_id", "staff_id"].iter().find_map(|key| self.try_get::<_, &str>(key).ok());
        ImpossibleRow(format!("{}: {why}", name.unwrap_or("a row")))
    }
}
