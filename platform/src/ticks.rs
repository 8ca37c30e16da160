//! What happens by itself with time: any process may run it, one at a time does, and what was missed is caught up once.
//!
//! Each tick has a row in `bus.ticks` with the moment it is next due. Whoever finds it due takes a lock of its session for it,
//! works, and writes when it is due again; another process that looks meanwhile passes it by. A process that dies frees the lock
//! with its connection. The lock is no transaction: work that takes hours holds no snapshot, and nothing keeps vacuum from its own.
//!
//! What has to act within a second runs in every process instead ([`Tick::everywhere`]), without that row: what it finds due it locks
//! one by one, so that nothing is done twice and no process waits for another.

use std::sync::Arc;
use std::time::Duration;

use contracts::time::Timestamp;
use futures_util::future::BoxFuture;
use serde::Serialize;
use tokio::sync::watch;

use crate::Db;
use crate::database::{Columns, DbRole, Fault};

/// What a tick did, in a sentence; `None` where there was nothing to do.
pub type Deed = Result<Option<String>, Fault>;

/// What a tick does.
pub type Work = Arc<dyn Fn(Db) -> BoxFuture<'static, Deed> + Send + Sync>;

/// Something that is due again and again.
#[derive(Clone)]
pub struct Tick {
    /// `housekeeping.escalation`
    pub name: &'static str,
    pub every: Duration,
    pub run: Work,
    /// In every process, side by side; otherwise one process at a time.
    pub everywhere: bool,
}

impl std::fmt::Debug for Tick {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Tick").field("name", &self.name).field("every", &self.every).finish_non_exhaustive()
    }
}

impl Tick {
    pub fn new<F>(name: &'static str, every: Duration, run: impl Fn(Db) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Deed> + Send + 'static,
    {
        Self { name, every, run: Arc::new(move |db| Box::pin(run(db))), everywhere: false }
    }

    /// One that every process runs by itself, as often as it says. What it does must be done once however many do it.
    pub fn everywhere<F>(name: &'static str, every: Duration, run: impl Fn(Db) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Deed> + Send + 'static,
    {
        Self { everywhere: true, ..Self::new(name, every, run) }
    }

    /// The first moment after `now` that is a whole number of periods: however late a tick is, it is caught up once, and the next
    /// is on time again.
    fn next_after(&self, now: Timestamp) -> Timestamp {
        let period = i64::try_from(self.every.as_millis()).unwrap_or(i64::MAX).max(1);
        Timestamp::from_millis((now.as_millis().div_euclid(period) + 1).saturating_mul(period))
    }

    /// When one that failed is tried again: after a twentieth of its period, and long before its next time. What cannot succeed for now (a folder that
    /// is full, an archive that is away) is not tried twice a second.
    fn again_after(&self, now: Timestamp) -> Timestamp {
        let rest = (self.every / 20).min(LONGEST_REST);
        let rest = i64::try_from(rest.as_millis()).unwrap_or(i64::MAX);
        self.next_after(now).min(Timestamp::from_millis(now.as_millis().saturating_add(rest)))
    }
}

/// The longest that a tick rests after a failure.
const LONGEST_REST: Duration = Duration::from_mins(10);

/// What became of a look at a tick.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ran {
    /// It ran, and did this.
    Done(Option<String>),
    /// Its time has not come.
    NotDue,
    /// Another process is at it.
    ElsewhereNow,
}

/// When a tick ran last and runs next, for `doctor` and the metrics.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TickState {
    pub name: String,
    pub last_run_at: Option<Timestamp>,
    pub last_outcome: Option<String>,
    pub last_failed: bool,
    pub due_at: Option<Timestamp>,
}

/// Runs ticks until it is told to stop.
#[derive(Debug)]
pub struct Ticker {
    db: Db,
    ticks: Vec<Tick>,
}

impl Ticker {
    pub fn new(db: Db, ticks: Vec<Tick>) -> Self {
        Self { db, ticks }
    }

    pub fn names(&self) -> Vec<&'static str> {
        self.ticks.iter().map(|tick| tick.name).collect()
    }

    pub fn find(&self, name: &str) -> Option<&Tick> {
        self.ticks.iter().find(|tick| tick.name == name)
    }

    /// Looks again and again, each tick of this process's own side by side with the others, so that a slow one holds none back.
    pub async fn run(&self, stop: watch::Receiver<bool>, look_every: Duration, is_ours: impl Fn(&str) -> bool) {
        let looking = self.ticks.iter().filter(|tick| is_ours(tick.name)).map(|tick| {
            let mut stop = stop.clone();
            async move {
                // Looking is one small read; a tick that is due more often than that sets its own pace.
                let pause = if tick.everywhere { tick.every } else { look_every.min(tick.every / 2) };
                loop {
                    if let Err(fault) = self.run_if_due(tick).await {
                        tracing::warn!(tick = tick.name, %fault, "a tick will be tried again");
                    }
                    tokio::select! {
                        () = tokio::time::sleep(pause) => {}
                        _ = stop.changed() => return,
                    }
                }
            }
        });
        futures_util::future::join_all(looking).await;
    }

    /// Runs everything that is due now, one after the other. Returns what ran.
    pub async fn run_due(&self) -> Result<Vec<&'static str>, Fault> {
        let mut ran = Vec::new();
        for tick in &self.ticks {
            if let Ran::Done(_) = self.run_if_due(tick).await? {
                ran.push(tick.name);
            }
        }
        Ok(ran)
    }

    pub async fn run_if_due(&self, tick: &Tick) -> Result<Ran, Fault> {
        if tick.everywhere { self.run_here(tick).await } else { self.take(tick, false).await }
    }

    /// Runs it whether or not it is due, unless another process is at it.
    pub async fn run_now(&self, tick: &Tick) -> Result<Ran, Fault> {
        if tick.everywhere { self.run_here(tick).await } else { self.take(tick, true).await }
    }

    /// Runs one that every process runs. Its row says what was last done, and is written only when something was: several times a
    /// second there is nothing to say.
    async fn run_here(&self, tick: &Tick) -> Result<Ran, Fault> {
        let fault = |error: tokio_postgres::Error| Fault::from_postgres("tick", &error);
        let begun = std::time::Instant::now();
        let outcome = (tick.run)(self.db.clone()).await;
        metrics::histogram!("melmastoon_tick_seconds", "tick" => tick.name).record(begun.elapsed().as_secs_f64());
        let (said, failed) = match &outcome {
            Ok(None) => return Ok(Ran::Done(None)),
            Ok(said) => (said.clone(), false),
            Err(fault) => (Some(fault.to_string()), true),
        };
        let word = if failed { "failed" } else { "done" };
        metrics::counter!("melmastoon_ticks_total", "tick" => tick.name, "outcome" => word).increment(1);
        let now = self.db.clock().now();
        let keep = "INSERT INTO bus.ticks AS t (name, last_run_at, last_outcome, last_failed) VALUES ($1, $2, $3, $4)
                    ON CONFLICT (name) DO UPDATE SET last_run_at = $2, last_outcome = $3, last_failed = $4";
        // Where the database is what failed, this fails too, and the first fault is the one to tell.
        match self.db.relay().await {
            Ok(connection) => {
                let kept = connection.execute(keep, &[&tick.name, &now, &said, &failed]).await.map_err(fault);
                if outcome.is_ok() {
                    kept?;
                }
            }
            Err(unavailable) if outcome.is_ok() => return Err(unavailable),
            Err(_) => {}
        }
        outcome.map(Ran::Done)
    }

    /// A tick that was never seen before is due at once.
    async fn is_due(&self, tick: &Tick, now: Timestamp) -> Result<bool, Fault> {
        let fault = |error: tokio_postgres::Error| Fault::from_postgres("tick", &error);
        let connection = self.db.relay().await?;
        let due = "SELECT due_at FROM bus.ticks WHERE name = $1";
        if let Some(row) = connection.query_opt(due, &[&tick.name]).await.map_err(fault)? {
            return Ok(row.get::<_, Option<Timestamp>>(0).is_none_or(|due| due <= now));
        }
        let first = "INSERT INTO bus.ticks (name) VALUES ($1) ON CONFLICT DO NOTHING";
        connection.execute(first, &[&tick.name]).await.map_err(fault)?;
        Ok(true)
    }

    async fn take(&self, tick: &Tick, due_or_not: bool) -> Result<Ran, Fault> {
        let fault = |error: tokio_postgres::Error| Fault::from_postgres("tick", &error);
        let now = self.db.clock().now();
        if !self.is_due(tick, now).await? && !due_or_not {
            return Ok(Ran::NotDue);
        }
        // A connection of its own: work that takes long must not keep the relay and the others from theirs.
        let connection = self.db.connect_as(DbRole::Relay).await?;
        let lock = "SELECT pg_try_advisory_lock(hashtextextended('melmastoon.tick.' || $1, 0))";
        if !connection.query_one(lock, &[&tick.name]).await.map_err(fault)?.get::<_, bool>(0) {
            return Ok(Ran::ElsewhereNow);
        }
        // A process of an earlier release holds the row itself while it works. Somebody may also have done it between the look
        // and the lock.
        let due = "SELECT due_at FROM bus.ticks WHERE name = $1 FOR UPDATE SKIP LOCKED";
        let Some(row) = connection.query_opt(due, &[&tick.name]).await.map_err(fault)? else {
            return Ok(Ran::ElsewhereNow);
        };
        if !due_or_not && row.get::<_, Option<Timestamp>>(0).is_some_and(|due| due > now) {
            return Ok(Ran::NotDue);
        }
        let begun = std::time::Instant::now();
        let outcome = (tick.run)(self.db.clone()).await;
        metrics::histogram!("melmastoon_tick_seconds", "tick" => tick.name).record(begun.elapsed().as_secs_f64());
        let (said, failed) = match &outcome {
            Ok(said) => (said.clone(), false),
            Err(fault) => (Some(fault.to_string()), true),
        };
        let due_at = if failed { tick.again_after(self.db.clock().now()) } else { tick.next_after(now) };
        let done =
            "UPDATE bus.ticks SET last_run_at = $2, last_outcome = $3, last_failed = $4, due_at = $5 WHERE name = $1";
        connection.execute(done, &[&tick.name, &now, &said, &failed, &Some(due_at)]).await.map_err(fault)?;
        // The lock goes with the connection wherever this ends earlier, a moment later; here whoever comes next need not wait for it.
        let unlock = "SELECT pg_advisory_unlock(hashtextextended('melmastoon.tick.' || $1, 0))";
        connection.query_one(unlock, &[&tick.name]).await.map_err(fault)?;
        let word = if failed { "failed" } else { "done" };
        metrics::counter!("melmastoon_ticks_total", "tick" => tick.name, "outcome" => word).increment(1);
        #[expect(clippy::cast_precision_loss, reason = "seconds since 1970")]
        metrics::gauge!("melmastoon_tick_last_run_seconds", "tick" => tick.name).set(now.as_millis() as f64 / 1_000.0);
        #[expect(clippy::cast_precision_loss, reason = "seconds since 1970")]
        metrics::gauge!("melmastoon_tick_next_run_seconds", "tick" => tick.name)
            .set(due_at.as_millis() as f64 / 1_000.0);
        outcome.map(Ran::Done)
    }
}

/// See [`crate::begin_counting`].
pub(crate) fn begin_counting(names: &[&'static str]) {
    for name in names {
        metrics::counter!("melmastoon_ticks_total", "tick" => *name, "outcome" => "failed").increment(0);
    }
}

/// Every tick that ever looked, with when it ran and when it is due.
pub async fn states(db: &Db) -> Result<Vec<TickState>, Fault> {
    let client = db.connect_as(DbRole::Relay).await?;
    let sql = "SELECT name, last_run_at, last_outcome, last_failed, due_at FROM bus.ticks ORDER BY name";
    let rows = client.query(sql, &[]).await.map_err(|error| Fault::from_postgres("ticks", &error))?;
    let state = |row: &tokio_postgres::Row| {
        Ok(TickState {
            name: row.read("name")?,
            last_run_at: row.read("last_run_at")?,
            last_outcome: row.read("last_outcome")?,
            last_failed: row.read("last_failed")?,
            due_at: row.read("due_at")?,
        })
    };
    let found: Result<_, crate::database::ImpossibleRow> = rows.iter().map(state).collect();
    found.map_err(|row| Fault::Unexpected { place: "ticks".to_owned(), detail: row.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tick_that_was_missed_for_hours_is_due_once_and_then_on_time_again() {
        let tick = Tick::new("test.hourly", Duration::from_hours(1), async |_| Ok(None));
        let late = Timestamp::parse("2026-04-22T11:17:00Z").unwrap();
        assert_eq!(tick.next_after(late).to_string(), "2026-04-22T12:00:00.000Z");
        assert_eq!(tick.next_after(tick.next_after(late)).to_string(), "2026-04-22T13:00:00.000Z");
    }

    #[test]
    fn a_tick_that_failed_rests_by_its_period_and_never_beyond_its_next_time() {
        let again = |every: Duration, now: &str| {
            let tick = Tick::new("test.failing", every, async |_| Ok(None));
            tick.again_after(Timestamp::parse(now).unwrap()).to_string()
        };
        let noon = "2026-04-22T12:00:00Z";
        assert_eq!(again(Duration::from_hours(1), noon), "2026-04-22T12:03:00.000Z");
        assert_eq!(again(Duration::from_hours(6), noon), "2026-04-22T12:10:00.000Z");
        assert_eq!(again(Duration::from_secs(20), noon), "2026-04-22T12:00:01.000Z");
        assert_eq!(again(Duration::from_hours(1), "2026-04-22T12:59:30Z"), "2026-04-22T13:00:00.000Z");
    }
}
