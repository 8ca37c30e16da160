//! Month by month, out of the database: see the crate's words on how nothing is lost.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::civil::Date;
use platform::Db;
use platform::database::DbRole;
use platform::retention::{self, ArchivedTable, Kept};
use serde::Serialize;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, IsolationLevel, Transaction};

use crate::error::{ArchiveError, file};
use crate::ledger::{self, Archived, State};
use crate::months::Month;
use crate::progress::{Doing, Progress, Watched, Watcher};
use crate::removing::Leaving;
use crate::store::Store;
use crate::{own_folder, parquet_file};

/// Where a month can be left by a process that ends; the next run goes on from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The file is written, on this machine alone.
    Copied,
    /// It lies in the store, and nobody has noted it.
    PutAway,
    Noted,
    Proven,
    /// With a pace: some of its rows have gone, and not all.
    RemovedAPart,
    Removed,
}

impl Step {
    /// Those that every month goes through.
    pub const ALL: [Self; 5] = [Self::Copied, Self::PutAway, Self::Noted, Self::Proven, Self::Removed];
}

/// With a pace, so many seconds of it are copied at once, and then waited for.
const SECONDS_A_SLICE: u32 = 5;

/// What a run did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Done {
    pub files: u64,
    pub rows: u64,
    pub bytes: u64,
    /// Rows that left the database.
    pub removed: u64,
    /// Months that wait, since something in them is still worked with or was changed meanwhile.
    pub waiting: u64,
}

/// See the module.
pub struct Archivist {
    pub(crate) db: Db,
    pub(crate) store: Store,
    pub(crate) tables: Vec<ArchivedTable>,
    pub(crate) spool: PathBuf,
    pub(crate) rows_a_second: Option<u32>,
    /// So many rows are copied in one transaction; `None`: all.
    pub(crate) rows_a_slice: Option<u32>,
    /// The newest migration of each context, for the manifests.
    versions: BTreeMap<&'static str, i32>,
    stops_after: Option<Step>,
    pub(crate) told: Box<dyn Fn(&str) + Send + Sync>,
    pub(crate) watcher: Watcher,
}

impl std::fmt::Debug for Archivist {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Archivist").field("store", &self.store).finish_non_exhaustive()
    }
}

impl Archivist {
    /// `spool` is a folder of this machine for the file at hand.
    pub fn new(db: Db, store: Store, tables: Vec<ArchivedTable>, spool: PathBuf) -> Self {
        Self {
            db,
            store,
            tables,
            spool,
            rows_a_second: None,
            rows_a_slice: None,
            versions: BTreeMap::new(),
            stops_after: None,
            told: Box::new(|_| ()),
            watcher: Arc::new(|_| ()),
        }
    }

    /// So many rows a second and no more. A few seconds' rows are copied at once, and then waited for.
    #[must_use]
    pub fn throttled(self, rows_a_second: Option<u32>) -> Self {
        let rows = rows_a_second.map(|rows| rows.saturating_mul(SECONDS_A_SLICE).max(1));
        Self { rows_a_second, ..self }.in_slices_of(rows)
    }

    /// So many rows in one transaction.
    #[must_use]
    pub fn in_slices_of(mut self, rows: Option<u32>) -> Self {
        self.rows_a_slice = rows;
        self
    }

    /// What the manifests say of the tables' form.
    #[must_use]
    pub fn of_schemas(mut self, versions: BTreeMap<&'static str, i32>) -> Self {
        self.versions = versions;
        self
    }

    /// Hears of every file.
    #[must_use]
    pub fn telling(mut self, told: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.told = Box::new(told);
        self
    }

    /// Hears how far a file has come, while it is copied, read back, removed or brought back.
    #[must_use]
    pub fn watched_by(mut self, watcher: impl Fn(Progress<'_>) + Send + Sync + 'static) -> Self {
        self.watcher = Arc::new(watcher);
        self
    }

    pub(crate) fn watched(&self, what: String, doing: Doing, of: i64) -> Watched {
        Watched { watcher: Arc::clone(&self.watcher), what, doing, of: u64::try_from(of).unwrap_or(0) }
    }

    /// For tests: ends after a step, as a killed process does.
    #[must_use]
    pub fn stopping_after(mut self, step: Option<Step>) -> Self {
        self.stops_after = step;
        self
    }

    /// Takes every month whose time is over.
    pub async fn run(&self) -> Result<Done, ArchiveError> {
        own_folder::make(&self.spool).map_err(file(self.spool.display().to_string()))?;
        let _alone = self.alone().await?;
        let mut operator = self.db.connect_as(DbRole::Operator).await?;
        let mut done = Done::default();
        for table in &self.tables {
            let before = done.removed;
            for month in self.months_of(&mut operator, table).await? {
                self.take(&mut operator, table, month, &mut done).await?;
            }
            retention::note(&operator, &table.job(), self.db.clock().now(), done.removed - before).await?;
        }
        metrics::counter!("melmastoon_archived_rows_total").increment(done.removed);
        metrics::counter!("melmastoon_archived_files_total").increment(done.files);
        #[expect(clippy::cast_precision_loss, reason = "a few months")]
        metrics::gauge!("melmastoon_archive_months_waiting").set(done.waiting as f64);
        Ok(done)
    }

    /// Nobody else is at the archive of this database while this connection is held: a command beside the tick would put the same
    /// months away, and note as written what the other has just removed. The lock is its session's, so it holds no snapshot; whoever
    /// has just ended gives it back a moment later, and is waited for that long.
    pub(crate) async fn alone(&self) -> Result<Client, ArchiveError> {
        let holder = self.db.connect_as(DbRole::Operator).await?;
        holder.batch_execute("SET lock_timeout = '2s'").await?;
        let lock = "SELECT pg_advisory_lock(hashtextextended('melmastoon.archive', 0))";
        match holder.query_one(lock, &[]).await {
            Ok(_) => Ok(holder),
            Err(error) if error.code() == Some(&SqlState::LOCK_NOT_AVAILABLE) => Err(ArchiveError::Busy),
            Err(error) => Err(error.into()),
        }
    }

    async fn take(
        &self,
        operator: &mut Client,
        table: &ArchivedTable,
        month: Month,
        done: &mut Done,
    ) -> Result<(), ArchiveError> {
        let name = format!("{}.{}", table.context, table.table);
        let tenants = {
            let look = self.at_this_moment(operator).await?;
            let sql = format!(
                "SELECT tenant_id, count(*) FILTER (WHERE {}), count(*) FROM {name} WHERE {} GROUP BY 1 ORDER BY 1",
                table.open_while.unwrap_or("false"),
                in_month(table, month)
            );
            let found = look.query(&sql, &[]).await?;
            look.commit().await?;
            let count: i64 = found.iter().map(|row| row.get::<_, i64>(1)).sum();
            if count > 0 {
                tracing::warn!(table = name, %month, count, "a month is not archived: rows in it are still open");
                (self.told)(&format!("{name} {month}: waits, {count} rows are still open"));
                done.waiting += 1;
                return Ok(());
            }
            found.iter().map(|row| (row.get(0), row.get(2))).collect::<Vec<(String, i64)>>()
        };
        let mut unproven = false;
        for (tenant, rows) in &tenants {
            let lines = self.lines(operator, table, month, tenant).await?;
            let line = if let Some(line) = lines.iter().find(|line| line.state != State::Removed) {
                line.clone()
            } else {
                let part = lines.last().map_or(1, |last| last.part + 1);
                self.put_away(operator, Leaving { table, month, tenant }, part, *rows, done).await?
            };
            if line.state == State::Written {
                match self.prove(&line).await {
                    Ok(()) => {}
                    // The rows are here: it is written anew by the next run, and nobody else's month waits for it.
                    Err(error) if error.is_of_the_file() => {
                        unproven = true;
                        self.write_again(operator, &line, &error, done).await?;
                        continue;
                    }
                    Err(error) => return Err(error),
                }
                ledger::advance(operator, &line, State::Proven, self.now()).await?;
                self.may_go_on(Step::Proven)?;
            }
            if table.partitions.is_none() {
                self.remove_rows(operator, &Leaving { table, month, tenant }, done).await?;
            }
        }
        // A month of all tenants goes once everybody's is proven.
        if table.partitions.is_some() && !unproven {
            let tenants: Vec<String> = tenants.into_iter().map(|(tenant, _)| tenant).collect();
            self.drop_partition(operator, table, month, &tenants, done).await?;
        }
        Ok(())
    }

    async fn write_again(
        &self,
        operator: &Client,
        line: &Archived,
        error: &ArchiveError,
        done: &mut Done,
    ) -> Result<(), ArchiveError> {
        tracing::error!(path = line.path, %error, "a file could not be proven: its rows stay, and the next run writes it again");
        (self.told)(&format!("{error}; its rows stay, and the next run writes it again"));
        done.waiting += 1;
        ledger::forget(operator, line).await
    }

    /// The months that are wholly over and have rows that nobody holds.
    async fn months_of(&self, operator: &mut Client, table: &ArchivedTable) -> Result<Vec<Month>, ArchiveError> {
        let today = self.db.clock().now().jiff().to_zoned(jiff::tz::TimeZone::UTC).date();
        let ArchivedTable { context, table: name, since, .. } = table;
        let old = match table.kept {
            Kept::Months(months) => over_before(since, today, jiff::Span::new().months(months)),
            Kept::Days(days) => over_before(since, today, jiff::Span::new().days(days)),
            // What is seen is over.
            Kept::AsTheTenantSays => format!("{since} IS NOT NULL"),
        };
        let only = table.only.unwrap_or("true");
        let sql = format!(
            "SELECT DISTINCT date_trunc('month', {since} AT TIME ZONE 'UTC')::DATE AS month FROM {context}.{name} t
             WHERE {old} AND {only} AND NOT EXISTS (
               SELECT FROM bus.archives a WHERE a.context = '{context}' AND a.table_name = '{name}'
                 AND a.month = date_trunc('month', {since} AT TIME ZONE 'UTC')::DATE AND a.held_until > bus.purge_moment())
             ORDER BY 1"
        );
        let look = self.at_this_moment(operator).await?;
        let months = look.query(&sql, &[]).await?.iter().map(|row| Month::of(row.get(0))).collect();
        look.commit().await?;
        Ok(months)
    }

    /// Copies a tenant's month into the store and notes it.
    async fn put_away(
        &self,
        operator: &mut Client,
        leaving: Leaving<'_>,
        part: i32,
        rows: i64,
        done: &mut Done,
    ) -> Result<Archived, ArchiveError> {
        let Leaving { table, month, tenant } = leaving;
        let local = self.spool.join(format!("{}.{}.{part}.parquet", table.context, table.table));
        let (content, row_sum) = self.copy(operator, &leaving, rows, &local).await?;
        self.may_go_on(Step::Copied)?;
        let path = format!("tenant={tenant}/month={month}/{}.{}.{part}.parquet", table.context, table.table);
        let (bytes, sha256) = self.store.put_file(&local, &path).await?;
        let line = Archived {
            context: table.context.to_owned(),
            table: table.table.to_owned(),
            tenant_id: tenant.to_owned(),
            month,
            path,
            rows: i64::try_from(content.rows).unwrap_or(i64::MAX),
            bytes: i64::try_from(bytes).unwrap_or(i64::MAX),
            sha256,
            values_sha256: content.values_sha256,
            row_sum,
            part,
            state: State::Written,
            rows_left: None,
            sum_left: None,
        };
        let schema_version = self.versions.get(table.context);
        let manifest = serde_json::json!({
            "format": 1, "file": line.path, "context": line.context, "table": line.table, "tenantId": line.tenant_id,
            "month": month.to_string(), "rows": line.rows, "bytes": line.bytes, "sha256": line.sha256,
            "valuesSha256": line.values_sha256, "schemaVersion": schema_version,
            "writtenAt": self.now().to_string(), "writtenBy": concat!("melmastoon ", env!("CARGO_PKG_VERSION")),
        });
        self.store.put(manifest.to_string().into_bytes(), &format!("{}.json", line.path)).await?;
        let _ = std::fs::remove_file(&local);
        self.may_go_on(Step::PutAway)?;
        ledger::note(operator, &line, self.now()).await?;
        self.may_go_on(Step::Noted)?;
        (self.told)(&format!("{}: {} rows, {bytes} bytes", line.path, line.rows));
        done.files += 1;
        done.rows += content.rows;
        done.bytes += bytes;
        Ok(line)
    }

    /// Reads a file back from the store, whole, and compares it with what was copied.
    pub(crate) async fn prove(&self, line: &Archived) -> Result<(), ArchiveError> {
        let fetched = self.fetched("proof")?;
        let local = fetched.path();
        let sha256 = self.store.fetch(&line.path, local).await?;
        if sha256 != line.sha256 {
            return Err(broken(&line.path, "its checksum is not the one that was noted"));
        }
        let read = local.to_path_buf();
        let watched = self.watched(line.path.clone(), Doing::ReadingBack, line.rows);
        let content = tokio::task::spawn_blocking(move || parquet_file::prove(&read, |rows| watched.come_to(rows)))
            .await
            .map_err(|_| broken(&line.path, "the reader ended"))??;
        if content.values_sha256 != line.values_sha256 || i64::try_from(content.rows).ok() != Some(line.rows) {
            return Err(broken(&line.path, "its values are not those that were copied"));
        }
        Ok(())
    }

    /// A place for a file that is fetched to be read, of this one reading alone: somebody may be looking through the archive beside a run.
    pub(crate) fn fetched(&self, what: &str) -> Result<Fetched, ArchiveError> {
        own_folder::make(&self.spool).map_err(file(self.spool.display().to_string()))?;
        let number = self.db.ids().ulid(self.db.clock().now());
        Ok(Fetched(self.spool.join(format!("{what}.{number}.parquet"))))
    }

    pub(crate) async fn lines(
        &self,
        operator: &Client,
        table: &ArchivedTable,
        month: Month,
        tenant: &str,
    ) -> Result<Vec<Archived>, ArchiveError> {
        let these = "context = $1 AND table_name = $2 AND month = $3 AND tenant_id = $4";
        ledger::lines(operator, these, &[&table.context, &table.table, &month.first_day(), &tenant]).await
    }

    pub(crate) fn now(&self) -> jiff::Timestamp {
        self.db.clock().now().jiff()
    }

    pub(crate) async fn at_this_moment<'a>(&self, operator: &'a mut Client) -> Result<Transaction<'a>, ArchiveError> {
        let transaction = operator.transaction().await?;
        set_moment(&transaction, &self.now().to_string()).await?;
        Ok(transaction)
    }

    /// Everything read in it is of one moment.
    pub(crate) async fn snapshot<'a>(&self, operator: &'a mut Client) -> Result<Transaction<'a>, ArchiveError> {
        let isolated = operator.build_transaction().isolation_level(IsolationLevel::RepeatableRead);
        let snapshot = isolated.read_only(true).start().await?;
        set_moment(&snapshot, &self.now().to_string()).await?;
        Ok(snapshot)
    }

    pub(crate) fn may_go_on(&self, step: Step) -> Result<(), ArchiveError> {
        if self.stops_after == Some(step) { Err(ArchiveError::Stopped(step)) } else { Ok(()) }
    }
}

/// A file that goes when whoever read it is done, however that ends.
pub(crate) struct Fetched(PathBuf);

impl Fetched {
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Fetched {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// By this moment a row is old or not.
async fn set_moment(transaction: &Transaction<'_>, now: &str) -> Result<(), ArchiveError> {
    transaction.execute("SELECT set_config('app.now', $1, true)", &[&now]).await?;
    Ok(())
}

/// Rows of months that were wholly over so long ago.
fn over_before(since: &str, today: Date, kept: jiff::Span) -> String {
    let until = Month::of(today.checked_sub(kept).unwrap_or(Date::MIN));
    format!("{since} < '{}'", until.begins())
}

/// How many rows there are, and a sum over their marks, which changes with any change of any row.
pub(crate) fn sum_of(table: &str, these: &str) -> String {
    format!("SELECT count(*), coalesce(sum(bus.row_mark(t.ctid, t.xmin)), 0)::TEXT FROM {table} t WHERE {these}")
}

pub(crate) fn in_month(table: &ArchivedTable, month: Month) -> String {
    let only = table.only.unwrap_or("true");
    format!("{0} >= '{1}' AND {0} < '{2}' AND {only}", table.since, month.begins(), month.next().begins())
}

pub(crate) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

pub(crate) fn broken(path: &str, reason: &str) -> ArchiveError {
    ArchiveError::Damaged { path: path.to_owned(), reason: reason.to_owned() }
}
