//! For how long what every context has alike is kept, and its end.
//!
//! The spans are policies of the database (`bus.keep_for_a_time`): the operator's role sees a row only once its time is over, by
//! the moment that the purge names from the clock port. Without a moment it sees none, so a mistake here removes nothing
//! that is still needed.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use contracts::time::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;
use tokio_postgres::{Client, Row, Transaction};

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
    /// The column, or the expression, that says in which month a row belongs.
    pub since: &'static str,
    pub kept: Kept,
    /// Only these rows are for the archive.
    pub only: Option<&'static str>,
    /// Columns that leave without what they hold of people, each with what it is replaced by: no file has a name in it.
    pub without: &'static [(&'static str, &'static str)],
    /// Rows of which this is true are still worked with: their month waits.
    pub open_while: Option<&'static str>,
    /// The functions that drop a month's partition, once it has been found unchanged, and make it again.
    pub partitions: Option<MonthlyPartitions>,
}

impl ArchivedTable {
    /// A table all of whose rows leave as they are.
    pub const fn of(context: &'static str, table: &'static str, since: &'static str, kept: Kept) -> Self {
        Self { context, table, since, kept, only: None, without: &[], open_while: None, partitions: None }
    }
}

/// For how long rows stay in the database.
#[derive(Clone, Copy, Debug)]
pub enum Kept {
    Months(i32),
    Days(i32),
    /// By each tenant's own number, which the database looks up: the operator sees a month once all of it is over for the tenant.
    AsTheTenantSays,
}

/// What of the bus leaves for the archive: events that the law wants kept. The migration `terms` says which and when. What people typed (why
/// somebody does not come, why a booking was changed) stays behind; a cancellation has to have a reason, so that one is empty.
pub const ARCHIVED_EVENTS: ArchivedTable = ArchivedTable {
    only: Some("bus.is_regulated(subject)"),
    without: &[("envelope", "jsonb_set(envelope, '{payload,reason}', '\"\"', false) #- '{payload,after,reason}'")],
    ..ArchivedTable::of("bus", "event_log", "published_at", Kept::Months(12))
};

#[derive(Clone, Copy, Debug)]
pub struct MonthlyPartitions {
    /// `(month DATE, rows BIGINT, row_sum NUMERIC) RETURNS BOOLEAN`: false when the month is not what it was.
    pub drop: &'static str,
    /// `(month DATE)`.
    pub make: &'static str,
}

/// Something of a person that is not erased, since the law or somebody's right wants it kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeptByLaw {
    /// What is kept.
    pub what: String,
    /// Why, and under what it is kept.
    pub why: String,
    /// Until when, where that is a day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
}

/// Removes what a context has kept long enough. Returns how many rows went. Dead letters that nobody has looked after go as
/// well, and are told of.
pub async fn purge(db: &Db, kept: KeptForATime<'_>) -> Result<u64, Fault> {
    purge_at(db, kept, Pace::ORDINARY).await
}

/// As [`purge`], at a pace of one's own.
pub async fn purge_at(db: &Db, kept: KeptForATime<'_>, pace: Pace) -> Result<u64, Fault> {
    let mut operator = db.connect_as(DbRole::Operator).await?;
    let mut removed = 0;
    for table in COMMON.iter().chain(kept.also) {
        removed += remove(db, &mut operator, &format!("{}.{table}", kept.schema), pace).await?;
    }
    let (gone, unresolved) = remove_dead_letters(db, &mut operator, kept, pace).await?;
    if unresolved > 0 {
        let (context, days) = (kept.schema, kept.dead_letter_days);
        tracing::warn!(context, days, unresolved, "dead letters were removed that nobody had replayed or discarded");
        lost_letters(context).increment(unresolved);
    }
    Ok(removed + gone)
}

/// Dead letters that went after their term with nobody having looked at them.
pub(crate) fn lost_letters(context: &str) -> metrics::Counter {
    metrics::counter!("melmastoon_dead_letters_lost_total", "context" => context.to_owned())
}

/// How many rows go in one statement, each in a transaction of its own, and for how long one table is worked at in one run. A table in which
/// millions of rows are due (a hotel that was away for a season, a term that became shorter) is not one transaction of an hour that
/// keeps vacuum from everything else; and it does not keep the tables behind it from their turn.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    pub rows: u32,
    pub time: Duration,
}

impl Pace {
    /// Twenty tables at two minutes each are done before the next hour.
    pub const ORDINARY: Self = Self { rows: 5_000, time: Duration::from_mins(2) };
}

/// One table's turn, or what is forgotten in one.
struct Turn<'a> {
    table: &'a str,
    pace: Pace,
    begun: Instant,
    removed: u64,
}

impl<'a> Turn<'a> {
    fn begin(table: &'a str, pace: Pace) -> Self {
        Self { table, pace, begun: Instant::now(), removed: 0 }
    }

    fn rows(&self) -> i64 {
        i64::from(self.pace.rows)
    }

    /// Keeps what a batch has removed, and says whether there may be more for this turn. What is left is the next run's.
    async fn commit(&mut self, db: &Db, batch: Transaction<'_>, removed: u64) -> Result<bool, Fault> {
        self.removed += removed;
        note_part(&batch, self.table, db.clock().now(), removed, self.removed).await?;
        batch.commit().await.map_err(|error| fault(&error))?;
        let full = removed >= u64::from(self.pace.rows);
        let in_time = self.begun.elapsed() < self.pace.time;
        if full && !in_time {
            let (table, removed) = (self.table, self.removed);
            tracing::info!(table, removed, "more is due than one run removes: the next one goes on");
        }
        Ok(full && in_time)
    }
}

/// What every context keeps for a time, beside its dead letters.
const COMMON: [&str; 3] = ["outbox", "inbox", "idempotency_keys"];

/// What is taken out of rows that are old and stay: nobody needs that of them any more.
#[derive(Clone, Copy, Debug)]
pub struct Forgotten<'a> {
    /// What it is counted as.
    pub what: &'a str,
    pub table: &'a str,
    /// The columns, and what they become.
    pub emptied: &'a str,
    /// Which rows still have it: none that was emptied.
    pub still_there: &'a str,
}

/// Takes it out of what the operator sees of a table, batch by batch. Returns how many rows have changed.
pub async fn forget(db: &Db, forgotten: Forgotten<'_>) -> Result<u64, Fault> {
    let Forgotten { what, table, emptied, still_there } = forgotten;
    let mut operator = db.connect_as(DbRole::Operator).await?;
    let sql = format!(
        "UPDATE {table} SET {emptied} WHERE ctid = ANY (ARRAY(SELECT ctid FROM {table} WHERE {still_there} LIMIT $1))"
    );
    in_batches(db, &mut operator, Turn::begin(what, Pace::ORDINARY), &sql).await
}

/// Removes what has been in the log of the bus long enough, by the class of each event, and what was told to integrators. Events
/// that the law wants kept are the archive's to remove.
pub async fn purge_log(db: &Db) -> Result<u64, Fault> {
    purge_log_at(db, Pace::ORDINARY).await
}

/// As [`purge_log`], at a pace of one's own.
pub async fn purge_log_at(db: &Db, pace: Pace) -> Result<u64, Fault> {
    let mut operator = db.connect_as(DbRole::Operator).await?;
    let told = remove(db, &mut operator, "bus.webhook_deliveries", pace).await?;
    let mut lost = Lost::default();
    let removed = remove_events(db, &mut operator, &mut lost, pace).await;
    lost.say();
    Ok(told + removed?)
}

/// Who waited for events that went. Terms go before those who wait: an endpoint that is paused for longer than the log reaches back, or a
/// subscription of a release that was taken back, does not keep names for longer than they may be kept. But it is said and counted.
#[derive(Debug, Default)]
struct Lost(BTreeMap<(String, String), u64>);

impl Lost {
    /// Who waits for events that are about to go, as the relay's role sees it: to the operator's they are gone already.
    async fn waiting_for(relay: &Client, going: &[i64]) -> Result<Self, Fault> {
        let sql = include_str!("bus/sql/about_to_be_lost.sql");
        let rows = relay.query(sql, &[&going]).await.map_err(|error| fault(&error))?;
        let count = |row: &Row| u64::try_from(row.get::<_, i64>("count")).unwrap_or(0);
        Ok(Self(rows.iter().map(|row| ((row.get("way"), row.get("whose")), count(row))).collect()))
    }

    fn add(&mut self, batch: Self) {
        for (whose, count) in batch.0 {
            *self.0.entry(whose).or_default() += count;
        }
    }

    fn say(&self) {
        for ((way, whose), &lost) in &self.0 {
            if way == "webhook" {
                tracing::error!(
                    endpoint = whose,
                    lost,
                    "events went whose time in the log is over, and the endpoint was not told of them"
                );
                lost_webhooks().increment(lost);
            } else {
                tracing::error!(
                    subscription = whose,
                    lost,
                    "events went whose time in the log is over, and nobody has taken them"
                );
                lost_deliveries(whose).increment(lost);
            }
        }
    }
}

/// Events that went before a webhook endpoint was told of them.
pub(crate) fn lost_webhooks() -> metrics::Counter {
    metrics::counter!("melmastoon_webhook_lost_total")
}

/// Events that went before a subscription of the embedded bus took them.
pub(crate) fn lost_deliveries(subscription: &str) -> metrics::Counter {
    metrics::counter!("melmastoon_deliveries_lost_total", "subscription" => subscription.to_owned())
}

/// The log's share of the hourly maintenance.
pub async fn keep_the_log_short(db: Db) -> Deed {
    let removed = purge_log(&db).await?;
    Ok((removed > 0).then(|| format!("{removed} events and deliveries removed")))
}

/// Removes what the operator sees of a table, batch by batch. A row that somebody changes meanwhile is another one and stays.
async fn remove(db: &Db, operator: &mut Client, table: &str, pace: Pace) -> Result<u64, Fault> {
    let sql = format!("DELETE FROM {table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM {table} LIMIT $1))");
    in_batches(db, operator, Turn::begin(table, pace), &sql).await
}

/// A statement that does so many rows at most ($1), until there are no more or the turn is over.
async fn in_batches(db: &Db, operator: &mut Client, mut turn: Turn<'_>, sql: &str) -> Result<u64, Fault> {
    loop {
        let batch = at_this_moment(db, operator).await?;
        let done = batch.execute(sql, &[&turn.rows()]).await.map_err(|error| fault(&error))?;
        if !turn.commit(db, batch, done).await? {
            return Ok(turn.removed);
        }
    }
}

/// Removes what has been in the log long enough, the oldest first. Among them lies what stays for longer, so each batch begins where the one before it
/// ended: otherwise every one of them would look at all of that again. Nothing is kept for less than ninety days, which the index knows and
/// the terms of each subject do not tell it. Lost is what a batch has removed that somebody waited for: what the next run removes is
/// the next run's to tell.
async fn remove_events(db: &Db, operator: &mut Client, lost: &mut Lost, pace: Pace) -> Result<u64, Fault> {
    let sql = "WITH due AS MATERIALIZED (
                 SELECT ctid, log_offset, published_at FROM bus.event_log
                 WHERE NOT bus.is_regulated(subject) AND published_at >= $2
                   AND published_at < (SELECT bus.purge_moment()) - interval '90 days'
                 ORDER BY published_at LIMIT $1),
               gone AS (DELETE FROM bus.event_log WHERE ctid = ANY (ARRAY(SELECT ctid FROM due)) RETURNING log_offset)
               SELECT (SELECT coalesce(array_agg(log_offset), '{}') FROM gone), (SELECT max(published_at) FROM due)";
    let relay = db.connect_as(DbRole::Relay).await?;
    let mut turn = Turn::begin("bus.event_log", pace);
    let mut from = Timestamp::from_millis(0).jiff();
    loop {
        let batch = at_this_moment(db, operator).await?;
        let row = batch.query_one(sql, &[&turn.rows(), &from]).await.map_err(|error| fault(&error))?;
        let (gone, newest): (Vec<i64>, Option<jiff::Timestamp>) = (row.get(0), row.get(1));
        from = newest.unwrap_or(from);
        let waited_for = Lost::waiting_for(&relay, &gone).await?;
        let goes_on = turn.commit(db, batch, u64::try_from(gone.len()).unwrap_or(0)).await?;
        lost.add(waited_for);
        if !goes_on {
            return Ok(turn.removed);
        }
    }
}

/// How many went, and how many of them were still open.
async fn remove_dead_letters(
    db: &Db,
    operator: &mut Client,
    kept: KeptForATime<'_>,
    pace: Pace,
) -> Result<(u64, u64), Fault> {
    let table = format!("{}.dead_letters", kept.schema);
    let sql = format!(
        "WITH gone AS (
           DELETE FROM {table} WHERE ctid = ANY (ARRAY(
             SELECT ctid FROM {table} WHERE coalesce(resolved_at, failed_at) < $1 LIMIT $2))
           RETURNING state)
         SELECT count(*), count(*) FILTER (WHERE state = 'open') FROM gone"
    );
    let oldest = db.clock().now().plus_seconds(-i64::from(kept.dead_letter_days) * 24 * 60 * 60).jiff();
    let (mut turn, mut unresolved) = (Turn::begin(&table, pace), 0);
    loop {
        let batch = at_this_moment(db, operator).await?;
        let row = batch.query_one(&sql, &[&oldest, &turn.rows()]).await.map_err(|error| fault(&error))?;
        let count = |at: usize| u64::try_from(row.get::<_, i64>(at)).unwrap_or(0);
        let goes_on = turn.commit(db, batch, count(0)).await?;
        unresolved += count(1);
        if !goes_on {
            return Ok((turn.removed, unresolved));
        }
    }
}

/// Keeps what a job did, for `doctor` and the metrics. In the transaction of the removal: what is not removed is not told.
pub async fn note(
    client: &impl tokio_postgres::GenericClient,
    what: &str,
    now: Timestamp,
    removed: u64,
) -> Result<(), Fault> {
    note_part(client, what, now, removed, removed).await
}

/// As [`note`], for a batch of a run that has removed so many with it.
async fn note_part(
    client: &impl tokio_postgres::GenericClient,
    what: &str,
    now: Timestamp,
    removed: u64,
    in_this_run: u64,
) -> Result<(), Fault> {
    let sql = "INSERT INTO bus.retention_runs AS r (what, ran_at, removed, removed_ever) VALUES ($1, $2, $4, $3)
               ON CONFLICT (what) DO UPDATE SET ran_at = $2, removed = $4, removed_ever = r.removed_ever + $3";
    let [rows, whole] = [removed, in_this_run].map(|count| i64::try_from(count).unwrap_or(i64::MAX));
    client.execute(sql, &[&what, &now.jiff(), &rows, &whole]).await.map_err(|error| fault(&error))?;
    metrics::counter!("melmastoon_retention_removed_total", "what" => what.to_owned()).increment(removed);
    #[expect(clippy::cast_precision_loss, reason = "seconds since 1970")]
    metrics::gauge!("melmastoon_retention_last_run_seconds", "what" => what.to_owned())
        .set(now.as_millis() as f64 / 1_000.0);
    Ok(())
}

/// What a job that removes rows did last, and what waits for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RetentionState {
    /// The table.
    pub what: String,
    /// `None`: it never ran.
    pub ran_at: Option<Timestamp>,
    /// How many rows went then, and in all.
    pub removed: i64,
    pub removed_ever: i64,
    /// Rows whose time is over and that are still there.
    pub waiting: i64,
}

/// Every job that ever removed something, or looked for it; and every table of the archive, which may have rows that wait for it.
pub async fn states(db: &Db, archived: &[ArchivedTable]) -> Result<Vec<RetentionState>, Fault> {
    let mut operator = db.connect_as(DbRole::Operator).await?;
    let transaction = at_this_moment(db, &mut operator).await?;
    let sql = "SELECT what, ran_at, removed, removed_ever FROM bus.retention_runs ORDER BY what";
    let rows = transaction.query(sql, &[]).await.map_err(|error| fault(&error))?;
    let mut states: Vec<RetentionState> = rows
        .iter()
        .map(|row| RetentionState {
            what: row.get(0),
            ran_at: Some(Timestamp::from_jiff(row.get(1))),
            removed: row.get(2),
            removed_ever: row.get(3),
            waiting: 0,
        })
        .collect();
    for table in archived {
        let what = table.job();
        if !states.iter().any(|state| state.what == what) {
            states.push(RetentionState { what, ran_at: None, removed: 0, removed_ever: 0, waiting: 0 });
        }
    }
    for state in &mut states {
        let what = &state.what;
        let these = match archived.iter().find(|table| *what == table.job()) {
            Some(table) => format!("{}.{} WHERE {}", table.context, table.table, table.over()),
            // Dead letters are seen at any age; only their removal is bounded.
            None if what.ends_with(".dead_letters") => {
                format!("{what} WHERE coalesce(resolved_at, failed_at) < bus.purge_moment() - interval '30 days'")
            }
            // Not a table of its own: what could be done was done.
            None if what.contains(' ') => "(SELECT WHERE false) AS nothing".to_owned(),
            None if what == "bus.event_log" => format!("{what} WHERE NOT bus.is_regulated(subject)"),
            None => what.clone(),
        };
        let sql = format!("SELECT count(*) FROM {these}");
        state.waiting = transaction.query_one(&sql, &[]).await.map_err(|error| fault(&error))?.get(0);
    }
    Ok(states)
}

impl ArchivedTable {
    /// How its share of the archive's runs is noted.
    pub fn job(&self) -> String {
        format!("archive {}.{}", self.context, self.table)
    }

    /// What is true of a row that is the archive's, as far as the operator sees it.
    pub fn over(&self) -> String {
        match self.only {
            Some(only) => format!("{} IS NOT NULL AND {only}", self.since),
            None => format!("{} IS NOT NULL", self.since),
        }
    }
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
