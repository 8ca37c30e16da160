//! What was archived and how far each month has come: `bus.archives`.

use jiff::civil::Date;
use platform::database::Columns as _;
use serde::Serialize;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use crate::error::ArchiveError;
use crate::months::Month;

/// How far a tenant's month of a table has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// In the store, not yet read back.
    Written,
    /// Read back and compared; the rows are still in the database.
    Proven,
    /// Some of its rows have left the database, and not all.
    Removing,
    /// In the archive alone.
    Removed,
}

impl State {
    fn word(self) -> &'static str {
        match self {
            Self::Written => "written",
            Self::Proven => "proven",
            Self::Removing => "removing",
            Self::Removed => "removed",
        }
    }

    fn parse(word: &str) -> Option<Self> {
        [Self::Written, Self::Proven, Self::Removing, Self::Removed].into_iter().find(|state| state.word() == word)
    }
}

/// One line of the ledger.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Archived {
    pub context: String,
    pub table: String,
    pub tenant_id: String,
    #[serde(serialize_with = "as_text")]
    pub month: Month,
    pub path: String,
    pub rows: i64,
    pub bytes: i64,
    pub sha256: String,
    pub values_sha256: String,
    /// The sum over all rows as PostgreSQL takes it, as text: it has more digits than any number here.
    pub row_sum: String,
    /// The first file of the month is 1; rows that came later, for a month that had gone, are in files of their own.
    pub part: i32,
    pub state: State,
    /// While it is removed: how many rows are still in the database, and the sum over them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows_left: Option<i64>,
    #[serde(skip)]
    pub(crate) sum_left: Option<String>,
}

/// Rows that are still in the database, and the sum over their marks. The sum of a few lines is larger than any number of PostgreSQL's own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Left {
    pub(crate) rows: i64,
    pub(crate) sum: i128,
}

impl Left {
    pub(crate) fn and(self, other: Self) -> Self {
        Self { rows: self.rows + other.rows, sum: self.sum + other.sum }
    }

    pub(crate) fn without(self, gone: Self) -> Self {
        Self { rows: self.rows - gone.rows, sum: self.sum - gone.sum }
    }
}

/// What the lines of a tenant's month say is there.
pub(crate) fn left(lines: &[Archived]) -> Left {
    let of = |line: &Archived| Left {
        rows: line.rows_left.unwrap_or(line.rows),
        sum: line.sum_left.as_ref().unwrap_or(&line.row_sum).parse().unwrap_or(0),
    };
    lines.iter().map(of).fold(Left::default(), Left::and)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands fields over by reference")]
fn as_text<S: serde::Serializer>(month: &Month, out: S) -> Result<S::Ok, S::Error> {
    out.collect_str(month)
}

const LINES: &str = "SELECT context, table_name, tenant_id, month, path, rows, bytes, sha256, values_sha256, row_sum::TEXT AS row_sum, part, state, rows_left, sum_left::TEXT AS sum_left
                     FROM bus.archives";

impl Archived {
    fn read(row: &Row) -> Result<Self, ArchiveError> {
        let state: String = row.read("state")?;
        let month: Date = row.read("month")?;
        Ok(Self {
            context: row.read("context")?,
            table: row.read("table_name")?,
            tenant_id: row.read("tenant_id")?,
            month: Month::of(month),
            path: row.read("path")?,
            rows: row.read("rows")?,
            bytes: row.read("bytes")?,
            sha256: row.read("sha256")?,
            values_sha256: row.read("values_sha256")?,
            row_sum: row.read("row_sum")?,
            part: row.read("part")?,
            rows_left: row.read("rows_left")?,
            sum_left: row.read("sum_left")?,
            state: State::parse(&state)
                .ok_or_else(|| ArchiveError::Refused(format!("bus.archives has the state `{state}`")))?,
        })
    }
}

/// Every line that fits, the oldest month first.
pub(crate) async fn lines(
    client: &impl tokio_postgres::GenericClient,
    condition: &str,
    params: &[&(dyn ToSql + Sync)],
) -> Result<Vec<Archived>, ArchiveError> {
    let sql = format!("{LINES} WHERE {condition} ORDER BY month, context, table_name, tenant_id, part");
    client.query(&sql, params).await?.iter().map(Archived::read).collect()
}

/// Notes a file that was put away; one that is copied again takes the place of the former.
pub(crate) async fn note(
    client: &impl tokio_postgres::GenericClient,
    line: &Archived,
    at: jiff::Timestamp,
) -> Result<(), ArchiveError> {
    let sql = "INSERT INTO bus.archives (context, table_name, tenant_id, month, path, rows, bytes, sha256, values_sha256, row_sum, part, state, written_at)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::TEXT::NUMERIC, $11, 'written', $12)
               ON CONFLICT (context, table_name, tenant_id, month, part) DO UPDATE SET
                 path = excluded.path, rows = excluded.rows, bytes = excluded.bytes, sha256 = excluded.sha256,
                 values_sha256 = excluded.values_sha256, row_sum = excluded.row_sum, state = 'written',
                 written_at = excluded.written_at, proven_at = NULL, removed_at = NULL, rows_left = NULL, sum_left = NULL";
    let month = line.month.first_day();
    client
        .execute(
            sql,
            &[
                &line.context,
                &line.table,
                &line.tenant_id,
                &month,
                &line.path,
                &line.rows,
                &line.bytes,
                &line.sha256,
                &line.values_sha256,
                &line.row_sum,
                &line.part,
                &at,
            ],
        )
        .await?;
    Ok(())
}

/// A month has come one step further.
pub(crate) async fn advance(
    client: &impl tokio_postgres::GenericClient,
    line: &Archived,
    state: State,
    at: jiff::Timestamp,
) -> Result<(), ArchiveError> {
    let column = match state {
        State::Written => "written_at",
        State::Proven => "proven_at",
        State::Removing | State::Removed => "removed_at",
    };
    let sql = format!(
        "UPDATE bus.archives SET state = $6, {column} = $7, held_until = NULL, rows_left = NULL, sum_left = NULL
         WHERE context = $1 AND table_name = $2 AND tenant_id = $3 AND month = $4 AND part = $5"
    );
    let month = line.month.first_day();
    client
        .execute(&sql, &[&line.context, &line.table, &line.tenant_id, &month, &line.part, &state.word(), &at])
        .await?;
    Ok(())
}

/// Some rows of a month have gone: what is left is noted with its first line.
pub(crate) async fn leave(
    client: &impl tokio_postgres::GenericClient,
    lines: &[Archived],
    left: Left,
) -> Result<(), ArchiveError> {
    let sql =
        "UPDATE bus.archives SET state = 'removing', held_until = NULL, rows_left = $6, sum_left = $7::TEXT::NUMERIC
               WHERE context = $1 AND table_name = $2 AND tenant_id = $3 AND month = $4 AND part = $5";
    for (index, line) in lines.iter().enumerate() {
        let here = if index == 0 { left } else { Left::default() };
        let (month, sum) = (line.month.first_day(), here.sum.to_string());
        client
            .execute(sql, &[&line.context, &line.table, &line.tenant_id, &month, &line.part, &here.rows, &sum])
            .await?;
    }
    Ok(())
}

/// The rows are back in the database until a moment, with this sum.
pub(crate) async fn brought_back(
    client: &impl tokio_postgres::GenericClient,
    line: &Archived,
    row_sum: &str,
    held_until: jiff::Timestamp,
) -> Result<(), ArchiveError> {
    let sql =
        "UPDATE bus.archives SET state = 'proven', row_sum = $6::TEXT::NUMERIC, held_until = $7, removed_at = NULL
               WHERE context = $1 AND table_name = $2 AND tenant_id = $3 AND month = $4 AND part = $5";
    let month = line.month.first_day();
    client
        .execute(sql, &[&line.context, &line.table, &line.tenant_id, &month, &line.part, &row_sum, &held_until])
        .await?;
    Ok(())
}

/// A month that was changed after it was copied is copied again.
pub(crate) async fn forget(client: &impl tokio_postgres::GenericClient, line: &Archived) -> Result<(), ArchiveError> {
    let sql = "DELETE FROM bus.archives
               WHERE context = $1 AND table_name = $2 AND tenant_id = $3 AND month = $4 AND part = $5 AND state <> 'removed'";
    let month = line.month.first_day();
    client.execute(sql, &[&line.context, &line.table, &line.tenant_id, &month, &line.part]).await?;
    Ok(())
}
