//! For how long what every context has alike is kept, and its end.
//!
//! The spans are policies of the database (`bus.keep_for_a_time`): the operator's role sees a row only once its time is over, by
//! the moment that the purge names from the clock port. Without a moment it sees none, so a mistake here removes nothing
//! that is still needed.

use tokio_postgres::{Client, Transaction};

use crate::Db;
use crate::database::{DbRole, Fault};
use crate::ticks::Deed;

/// What of a context is kept for a time.
#[derive(Clone, Copy, Debug)]
pub struct KeptForATime<'a> {
    pub schema: &'a str,
    /// The catalogue's for the context.
    pub dead_letter_days: u32,
    /// The context's own tables that have a policy for the operator too.
    pub also: &'a [&'a str],
}

/// A table whose old months go to the archive. The context's migration gives the operator the rows (`bus.archive_after`) with
/// the same term.
#[derive(Clone, Copy, Debug)]
pub struct ArchivedTable {
    pub context: &'static str,
    pub table: &'static str,
    /// The column that says in which month a row belongs.
    pub since: &'static str,
    pub kept: Kept,
    /// Rows of which this is true are still worked with: their month waits.
    pub open_while: Option<&'static str>,
    /// The functions that drop a month's partition, once it has been found unchanged, and make it again.
    pub partitions: Option<MonthlyPartitions>,
}

/// For how long rows stay in the database.
#[derive(Clone, Copy, Debug)]
pub enum Kept {
    Months(i32),
    Days(i32),
}

#[derive(Clone, Copy, Debug)]
pub struct MonthlyPartitions {
    /// `(month DATE, rows BIGINT, row_sum NUMERIC) RETURNS BOOLEAN`: false when the month is not what it was.
    pub drop: &'static str,
    /// `(month DATE)`.
    pub make: &'static str,
}

/// Removes what a context has kept long enough. Returns how many rows went. Dead letters that nobody has looked after go as
/// well, and are told of.
pub async fn purge(db: &Db, kept: KeptForATime<'_>) -> Result<u64, Fault> {
    let mut operator = db.connect_as(DbRole::Operator).await?;
    let mut removed = 0;
    for table in ["outbox", "inbox", "idempotency_keys"].iter().chain(kept.also) {
        removed += remove(db, &mut operator, &format!("{}.{table}", kept.schema)).await?;
    }
    let (gone, unresolved) = remove_dead_letters(db, &mut operator, kept).await?;
    if unresolved > 0 {
        let (context, days) = (kept.schema, kept.dead_letter_days);
        tracing::warn!(context, days, unresolved, "dead letters were removed that nobody had replayed or discarded");
        metrics::counter!("melmastoon_dead_letters_lost_total", "context" => context.to_owned()).increment(unresolved);
    }
    Ok(removed + gone)
}

/// Removes what has been in the log of the bus long enough.
pub async fn purge_log(db: &Db) -> Result<u64, Fault> {
    let mut operator = db.connect_as(DbRole::Operator).await?;
    remove(db, &mut operator, "bus.event_log").await
}

/// The log's share of the hourly maintenance.
pub async fn keep_the_log_short(db: Db) -> Deed {
    let removed = purge_log(&db).await?;
    Ok((removed > 0).then(|| format!("{removed} events removed")))
}

/// A transaction for each table, so that a long removal holds nothing else.
async fn remove(db: &Db, operator: &mut Client, table: &str) -> Result<u64, Fault> {
    let transaction = at_this_moment(db, operator).await?;
    let removed = transaction.execute(&format!("DELETE FROM {table}"), &[]).await.map_err(|error| fault(&error))?;
    transaction.commit().await.map_err(|error| fault(&error))?;
    Ok(removed)
}

/// How many went, and how many of them were still open.
async fn remove_dead_letters(db: &Db, operator: &mut Client, kept: KeptForATime<'_>) -> Result<(u64, u64), Fault> {
    let transaction = at_this_moment(db, operator).await?;
    let oldest = db.clock().now().plus_seconds(-i64::from(kept.dead_letter_days) * 24 * 60 * 60).jiff();
    let sql = format!(
        "WITH gone AS (DELETE FROM {}.dead_letters WHERE coalesce(resolved_at, failed_at) < $1 RETURNING state)
         SELECT count(*), count(*) FILTER (WHERE state = 'open') FROM gone",
        kept.schema
    );
    let row = transaction.query_one(&sql, &[&oldest]).await.map_err(|error| fault(&error))?;
    transaction.commit().await.map_err(|error| fault(&error))?;
    let count = |at: usize| u64::try_from(row.get::<_, i64>(at)).unwrap_or(0);
    Ok((count(0), count(1)))
}

async fn at_this_moment<'a>(db: &Db, operator: &'a mut Client) -> Result<Transaction<'a>, Fault> {
    let transaction = operator.transaction().await.map_err(|error| fault(&error))?;
    let now = db.clock().now().to_string();
    transaction.execute("SELECT set_config('app.now', $1, true)", &[&now]).await.map_err(|error| fault(&error))?;
    Ok(transaction)
}

fn fault(error: &tokio_postgres::Error) -> Fault {
    Fault::from_postgres("retention", error)
}
