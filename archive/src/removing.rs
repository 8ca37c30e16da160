//! Rows leave the database, once their file is proven, if they still are what was copied.
//!
//! At full speed a tenant's month goes in one transaction. With a pace it goes in slices, as it was copied, each in a transaction of its own that
//! also notes how much is left: whoever dies in between goes on from there. If what is left is not what was copied any more, what has
//! gone is put back out of the file, and the month is copied again.

use platform::retention::ArchivedTable;
use tokio_postgres::Client;

use crate::archivist::{Archivist, Done, Step, broken, in_month, quoted, sum_of};
use crate::error::ArchiveError;
use crate::ledger::{self, Archived, Left, State};
use crate::months::Month;
use crate::progress::Doing;
use crate::restoring::{Present, insert};
use crate::throttle::Throttle;

/// A tenant's month of a table that is to go.
#[derive(Clone, Copy)]
pub(crate) struct Leaving<'a> {
    pub(crate) table: &'a ArchivedTable,
    pub(crate) month: Month,
    pub(crate) tenant: &'a str,
}

impl std::fmt::Display for Leaving<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{} {} of {}", self.name(), self.month, self.tenant)
    }
}

impl Leaving<'_> {
    pub(crate) fn name(&self) -> String {
        format!("{}.{}", self.table.context, self.table.table)
    }

    pub(crate) fn these(&self) -> String {
        format!("{} AND tenant_id = {}", in_month(self.table, self.month), quoted(self.tenant))
    }
}

impl Archivist {
    /// Deletes a tenant's month, if it still is what was proven.
    pub(crate) async fn remove_rows(
        &self,
        operator: &mut Client,
        leaving: &Leaving<'_>,
        done: &mut Done,
    ) -> Result<(), ArchiveError> {
        let lines = self.noted(operator, leaving).await?;
        let is_begun = lines.iter().any(|line| line.state == State::Removing);
        let left = ledger::left(&lines);
        let is_long = self.rows_a_slice.is_some_and(|rows| left.rows > i64::from(rows));
        if is_begun || is_long {
            self.remove_in_slices(operator, leaving, &lines, left, done).await
        } else {
            self.remove_at_once(operator, leaving, &lines, left, done).await
        }
    }

    async fn remove_at_once(
        &self,
        operator: &mut Client,
        leaving: &Leaving<'_>,
        lines: &[Archived],
        left: Left,
        done: &mut Done,
    ) -> Result<(), ArchiveError> {
        let now = self.now();
        let work = self.at_this_moment(operator).await?;
        let row = work.query_one(&delete(leaving, "true"), &[]).await?;
        if counted(&row)? != left {
            work.rollback().await?;
            return self.copy_again(operator, lines, done).await;
        }
        for line in lines {
            ledger::advance(&work, line, State::Removed, now).await?;
        }
        work.commit().await?;
        done.removed += u64::try_from(left.rows).unwrap_or(0);
        self.may_go_on(Step::Removed)
    }

    async fn remove_in_slices(
        &self,
        operator: &mut Client,
        leaving: &Leaving<'_>,
        lines: &[Archived],
        mut left: Left,
        done: &mut Done,
    ) -> Result<(), ArchiveError> {
        let (name, these) = (leaving.name(), leaving.these());
        let slices = self.slices(operator, leaving.table, &name, &these).await?;
        let sums = self.sums(operator, &name, &these, &slices).await?;
        let is_begun = lines.iter().any(|line| line.state == State::Removing);
        if sums.iter().copied().fold(Left::default(), Left::and) != left {
            return if is_begun {
                self.put_back(operator, leaving, lines, done).await
            } else {
                self.copy_again(operator, lines, done).await
            };
        }
        let of = lines.iter().map(|line| line.rows).sum::<i64>();
        let watched = self.watched(leaving.to_string(), Doing::Removing, of);
        let mut throttle = Throttle::new(self.rows_a_second);
        for (slice, sum) in slices.iter().zip(sums) {
            let now = self.now();
            let work = self.at_this_moment(operator).await?;
            let row = work.query_one(&delete(leaving, slice), &[]).await?;
            if counted(&row)? != sum {
                work.rollback().await?;
                return if ledger::left(&self.noted(operator, leaving).await?).rows == of {
                    self.copy_again(operator, lines, done).await
                } else {
                    self.put_back(operator, leaving, lines, done).await
                };
            }
            left = left.without(sum);
            if left.rows == 0 {
                for line in lines {
                    ledger::advance(&work, line, State::Removed, now).await?;
                }
            } else {
                ledger::leave(&work, lines, left).await?;
            }
            work.commit().await?;
            let gone = u64::try_from(sum.rows).unwrap_or(0);
            done.removed += gone;
            watched.come_to(u64::try_from(of - left.rows).unwrap_or(0));
            self.may_go_on(if left.rows == 0 { Step::Removed } else { Step::RemovedAPart })?;
            if let Some(throttle) = &mut throttle {
                throttle.passed(gone).await;
            }
        }
        Ok(())
    }

    /// The lines of what is to go.
    async fn noted(&self, operator: &Client, leaving: &Leaving<'_>) -> Result<Vec<Archived>, ArchiveError> {
        let mut lines = self.lines(operator, leaving.table, leaving.month, leaving.tenant).await?;
        lines.retain(|line| matches!(line.state, State::Proven | State::Removing));
        Ok(lines)
    }

    /// Rows and marks of each slice, all of one moment.
    async fn sums(
        &self,
        operator: &mut Client,
        name: &str,
        these: &str,
        slices: &[String],
    ) -> Result<Vec<Left>, ArchiveError> {
        let snapshot = self.snapshot(operator).await?;
        let mut sums = Vec::with_capacity(slices.len());
        for slice in slices {
            let row = snapshot.query_one(&sum_of(name, &format!("{these} AND {slice}")), &[]).await?;
            sums.push(counted(&row)?);
        }
        snapshot.commit().await?;
        Ok(sums)
    }

    /// What has gone of a month comes back out of its file, and the month is copied again: what is left of it was changed.
    async fn put_back(
        &self,
        operator: &mut Client,
        leaving: &Leaving<'_>,
        lines: &[Archived],
        done: &mut Done,
    ) -> Result<(), ArchiveError> {
        for line in lines {
            self.prove(line).await?;
        }
        let name = leaving.name();
        let work = self.at_this_moment(operator).await?;
        // What the rows refer to is looked up as the tenant's.
        work.execute("SELECT set_config('app.tenant_id', $1, true)", &[&leaving.tenant]).await?;
        for line in lines {
            let fetched = self.fetched("put-back")?;
            self.store.fetch(&line.path, fetched.path()).await?;
            let rows = insert(&work, &name, fetched.path(), Present::Stays, None).await?;
            tracing::warn!(
                path = line.path,
                rows,
                "rows were changed while their month was removed: it is whole again, and the next run copies it again"
            );
            ledger::forget(&work, line).await?;
        }
        work.commit().await?;
        done.waiting += 1;
        (self.told)(&format!(
            "{leaving}: changed while it was removed; it is whole again, and is copied again by the next run"
        ));
        Ok(())
    }

    /// Drops a month's partition, if what is in it still is what was proven for all tenants.
    pub(crate) async fn drop_partition(
        &self,
        operator: &mut Client,
        table: &ArchivedTable,
        month: Month,
        tenants: &[String],
        done: &mut Done,
    ) -> Result<(), ArchiveError> {
        let Some(partitions) = table.partitions else { return Ok(()) };
        let mut lines = Vec::new();
        for tenant in tenants {
            lines.extend(self.lines(operator, table, month, tenant).await?);
        }
        lines.retain(|line| line.state == State::Proven);
        let now = self.now();
        let work = self.at_this_moment(operator).await?;
        let Left { rows, sum } = ledger::left(&lines);
        let sql = format!("SELECT {}($1, $2, $3::TEXT::NUMERIC)", partitions.drop);
        let same: bool = work.query_one(&sql, &[&month.first_day(), &rows, &sum.to_string()]).await?.get(0);
        if !same {
            work.rollback().await?;
            return self.copy_again(operator, &lines, done).await;
        }
        for line in &lines {
            ledger::advance(&work, line, State::Removed, now).await?;
        }
        work.commit().await?;
        done.removed += u64::try_from(rows).unwrap_or(0);
        self.may_go_on(Step::Removed)
    }

    async fn copy_again(&self, operator: &Client, lines: &[Archived], done: &mut Done) -> Result<(), ArchiveError> {
        done.waiting += 1;
        for line in lines {
            tracing::warn!(
                path = line.path,
                "rows were changed after they were copied: the next run copies them again"
            );
            (self.told)(&format!("{}: changed meanwhile, is copied again by the next run", line.path));
            ledger::forget(operator, line).await?;
        }
        Ok(())
    }
}

/// Deletes these rows of a month, and says how many they were and the sum over their marks.
fn delete(leaving: &Leaving<'_>, slice: &str) -> String {
    format!(
        "WITH gone AS (DELETE FROM {} t WHERE {} AND {slice} RETURNING bus.row_mark(t.ctid, t.xmin) AS one)
         SELECT count(*), coalesce(sum(one), 0)::TEXT FROM gone",
        leaving.name(),
        leaving.these()
    )
}

fn counted(row: &tokio_postgres::Row) -> Result<Left, ArchiveError> {
    let (rows, sum): (i64, String) = (row.get(0), row.get(1));
    Ok(Left { rows, sum: sum.parse().map_err(|_| broken("the database", "a sum cannot be read"))? })
}
