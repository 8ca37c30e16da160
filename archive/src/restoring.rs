//! Out of the archive: looking at what is there, proving it, and bringing a month back.

use bytes::{BufMut as _, BytesMut};
use futures_util::{SinkExt as _, pin_mut};
use platform::database::DbRole;
use platform::retention::ArchivedTable;
use serde::Serialize;
use tokio_postgres::Transaction;
use tokio_postgres::types::ToSql;

use crate::archivist::{Archivist, broken, in_month, quoted, sum_of};
use crate::copying::columns_of;
use crate::error::ArchiveError;
use crate::ledger::{self, Archived, State};
use crate::months::Month;
use crate::parquet_file::{self, Column, Group};
use crate::progress::{Doing, Watched};

/// Rows that were brought back stay for so long; then their month goes again.
const HELD_DAYS: i64 = 30;

/// What looking over the archive found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Verified {
    pub files: u64,
    pub rows: i64,
    /// Each with its reason.
    pub damaged: Vec<String>,
}

/// What came back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Restored {
    pub files: u64,
    pub rows: i64,
}

impl Archivist {
    /// What the ledger has, of one tenant or month or of all.
    pub async fn list(&self, tenant: Option<&str>, month: Option<Month>) -> Result<Vec<Archived>, ArchiveError> {
        let operator = self.db.connect_as(DbRole::Operator).await?;
        let month = month.map(Month::first_day);
        let params: [&(dyn ToSql + Sync); 2] = [&tenant, &month];
        ledger::lines(&operator, "($1::TEXT IS NULL OR tenant_id = $1) AND ($2::DATE IS NULL OR month = $2)", &params)
            .await
    }

    /// Reads every file again and compares it with what was noted. A run may go on beside it: a month that it has copied again meanwhile is
    /// looked at as it is now.
    pub async fn verify(&self, tenant: Option<&str>, month: Option<Month>) -> Result<Verified, ArchiveError> {
        let mut found = Verified::default();
        for listed in self.list(tenant, month).await? {
            let mut line = listed;
            let proof = loop {
                let proof = self.look_at(&line).await;
                match self.noted_now(&line).await? {
                    _ if proof.is_ok() => break Some(proof),
                    None => break None,
                    Some(now) if now.sha256 == line.sha256 => break Some(proof),
                    Some(now) => line = now,
                }
            };
            match proof {
                None => {}
                Some(Ok(())) => {
                    (self.told)(&format!("{}: {} rows are what was noted", line.path, line.rows));
                    found.files += 1;
                    found.rows += line.rows;
                }
                Some(Err(error)) => found.damaged.push(error.to_string()),
            }
        }
        Ok(found)
    }

    async fn look_at(&self, line: &Archived) -> Result<(), ArchiveError> {
        let manifest = format!("{}.json", line.path);
        if !self.store.has(&manifest).await? {
            return Err(broken(&line.path, "its manifest is gone"));
        }
        let manifest = serde_json::from_slice(&self.store.read(&manifest).await?)
            .map_err(|error| broken(&line.path, &format!("its manifest cannot be read: {error}")))?;
        agrees(&manifest, line)?;
        self.prove(line).await
    }

    /// The same line as the ledger has it now; none: the month is to be copied again.
    async fn noted_now(&self, line: &Archived) -> Result<Option<Archived>, ArchiveError> {
        let lines = self.list(Some(&line.tenant_id), Some(line.month)).await?;
        Ok(lines.into_iter().find(|now| now.path == line.path))
    }

    /// Brings a tenant's month back into the database, each table's in one transaction. What is there already stays as it is.
    pub async fn restore(&self, tenant: &str, month: Month) -> Result<Restored, ArchiveError> {
        let _alone = self.alone().await?;
        let mut restored = Restored::default();
        let all = self.list(Some(tenant), Some(month)).await?;
        if let Some(Archived { path, .. }) = all.iter().find(|line| line.state == State::Removing) {
            return Err(ArchiveError::Refused(format!(
                "{path}: is still being removed: `melmastoon archive run` goes on"
            )));
        }
        for table in &self.tables {
            let mut lines = all.clone();
            lines.retain(|line| {
                line.context == table.context && line.table == table.table && line.state == State::Removed
            });
            if !lines.is_empty() {
                self.bring_back(table, tenant, month, &lines).await?;
                restored.files += lines.len() as u64;
                restored.rows += lines.iter().map(|line| line.rows).sum::<i64>();
            }
        }
        Ok(restored)
    }

    async fn bring_back(
        &self,
        table: &ArchivedTable,
        tenant: &str,
        month: Month,
        lines: &[Archived],
    ) -> Result<(), ArchiveError> {
        let name = format!("{}.{}", table.context, table.table);
        let mut operator = self.db.connect_as(DbRole::Operator).await?;
        if let Some(partitions) = table.partitions {
            operator.execute(&format!("SELECT {}($1)", partitions.make), &[&month.first_day()]).await?;
        }
        let work = self.at_this_moment(&mut operator).await?;
        // What the rows refer to is looked up as the tenant's.
        work.execute("SELECT set_config('app.tenant_id', $1, true)", &[&tenant]).await?;
        let held_until = self.now() + jiff::SignedDuration::from_hours(24 * HELD_DAYS);
        for line in lines {
            self.prove(line).await?;
            let fetched = self.fetched("restore")?;
            self.store.fetch(&line.path, fetched.path()).await?;
            let watched = self.watched(line.path.clone(), Doing::BringingBack, line.rows);
            let rows = insert(&work, &name, fetched.path(), Present::IsRefused, Some(watched)).await?;
            if rows != line.rows {
                return Err(broken(
                    &line.path,
                    &format!("{rows} rows went in of {}; some were there already", line.rows),
                ));
            }
        }
        // All parts together are what the month is now; their sum is kept with the first.
        let these = format!("{} AND tenant_id = {}", in_month(table, month), quoted(tenant));
        let row_sum: String = work.query_one(&sum_of(&name, &these), &[]).await?.get(1);
        for (index, line) in lines.iter().enumerate() {
            let sum = if index == 0 { row_sum.as_str() } else { "0" };
            ledger::brought_back(&work, line, sum, held_until).await?;
        }
        work.commit().await?;
        for line in lines {
            (self.told)(&format!("{}: {} rows are back", line.path, line.rows));
        }
        Ok(())
    }
}

/// Whether a manifest says of its file what was noted. Whoever has the archive without us has nothing else to go by.
fn agrees(manifest: &serde_json::Value, line: &Archived) -> Result<(), ArchiveError> {
    let noted = serde_json::json!({
        "file": line.path, "context": line.context, "table": line.table, "tenantId": line.tenant_id,
        "month": line.month.to_string(), "rows": line.rows, "bytes": line.bytes, "sha256": line.sha256,
        "valuesSha256": line.values_sha256,
    });
    let differs = |(name, value): &(&String, &serde_json::Value)| manifest.get(name.as_str()) != Some(*value);
    match noted.as_object().into_iter().flatten().find(differs) {
        None => Ok(()),
        Some((name, value)) => {
            let said = manifest.get(name).map_or_else(|| "nothing".to_owned(), ToString::to_string);
            Err(broken(&line.path, &format!("its manifest says {said} for {name}, and {value} was noted")))
        }
    }
}

/// What becomes of rows that are in the table already.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Present {
    IsRefused,
    Stays,
}

/// Row level security has no COPY into a table, so the rows go by way of a temporary one. Says how many went in.
pub(crate) async fn insert(
    work: &Transaction<'_>,
    table: &str,
    local: &std::path::Path,
    present: Present,
    watched: Option<Watched>,
) -> Result<i64, ArchiveError> {
    let known = columns_of(work, table).await?;
    let (hand, mut taken) = tokio::sync::mpsc::channel::<BytesMut>(4);
    let path = local.to_path_buf();
    let columns = parquet_file::columns_in(&path)?;
    for column in &columns {
        if !known.contains(column) {
            let reason = format!("it has a column `{}` that the table has no more", column.name);
            return Err(broken(&path.display().to_string(), &reason));
        }
    }
    let listed = columns.iter().map(|column| format!("\"{}\"", column.name)).collect::<Vec<_>>().join(", ");
    work.batch_execute(&format!(
        "DROP TABLE IF EXISTS pg_temp.brought_back; CREATE TEMPORARY TABLE brought_back ON COMMIT DROP AS SELECT {listed} FROM {table} WITH NO DATA"
    ))
    .await?;
    let reading = tokio::task::spawn_blocking(move || {
        let mut read = 0;
        parquet_file::read(&path, |columns, group| {
            read += group.rows as u64;
            if let Some(watched) = &watched {
                watched.come_to(read);
            }
            hand.blocking_send(as_copied(columns, group)?).map_err(|_| broken("the database", "it took no more rows"))
        })
    });
    let sink = work.copy_in::<_, bytes::Bytes>("COPY pg_temp.brought_back FROM STDIN (FORMAT binary)").await?;
    pin_mut!(sink);
    sink.send(bytes::Bytes::from_static(b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0")).await?;
    while let Some(rows) = taken.recv().await {
        sink.send(rows.freeze()).await?;
    }
    reading.await.map_err(|_| broken(table, "the reader ended"))??;
    sink.send(bytes::Bytes::from_static(&[0xff, 0xff])).await?;
    sink.finish().await?;
    let otherwise = if present == Present::Stays { " ON CONFLICT DO NOTHING" } else { "" };
    let sql = format!(
        "INSERT INTO {table} ({listed}) OVERRIDING SYSTEM VALUE SELECT {listed} FROM pg_temp.brought_back{otherwise}"
    );
    Ok(i64::try_from(work.execute(&sql, &[]).await?).unwrap_or(i64::MAX))
}

/// The rows of a group as PostgreSQL's binary COPY takes them.
fn as_copied(columns: &[Column], group: &Group) -> Result<BytesMut, ArchiveError> {
    let mut out = BytesMut::new();
    let mut next = vec![0; columns.len()];
    let count = i16::try_from(columns.len()).map_err(|_| broken("the file", "too many columns"))?;
    for row in 0..group.rows {
        out.put_i16(count);
        for (index, column) in columns.iter().enumerate() {
            if group.levels[index].get(row) != Some(&1) {
                out.put_i32(-1);
                continue;
            }
            let at = out.len();
            out.put_i32(0);
            column
                .kind
                .write(&group.values[index], next[index], &mut out)
                .ok_or_else(|| broken("the file", &format!("column {} cannot be read", column.name)))?;
            next[index] += 1;
            let length = i32::try_from(out.len() - at - 4).map_err(|_| broken("the file", "a value is too large"))?;
            out[at..at + 4].copy_from_slice(&length.to_be_bytes());
        }
    }
    Ok(out)
}
