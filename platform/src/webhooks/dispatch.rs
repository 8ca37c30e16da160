//! Telling: what is new is written down for each endpoint, and called out until it is heard or three days are over.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Notify, watch};
use tokio::task::{JoinError, JoinSet};
use tokio_postgres::Row;

use super::caller::{Call, Caller, WebhookOptions};
use super::sign::signature;
use crate::Db;
use crate::database::Fault;

/// Between attempts, as Standard Webhooks proposes: ten attempts in a little over three days.
const PAUSES: [u64; 9] = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
/// Who has failed for so long, without one success, is paused.
const TOO_LONG_SECONDS: i64 = 3 * 24 * 60 * 60;
/// Longer than a call may take.
const LEASE_SECONDS: i64 = 30;
/// Calls that are under way in this process, and those of one endpoint and of one tenant in all processes.
const AT_ONCE: usize = 64;
const OF_AN_ENDPOINT: i64 = 16;
const OF_A_TENANT: i64 = 48;
/// Calls that end at about the same time make room for as many, at the price of one look.
const REST: Duration = Duration::from_millis(5);
/// The receiver says that it is gone for good.
const GONE: u16 = 410;

/// Tasks of their own: a call holds a connection while its outcome is written down, whoever else is waiting for one.
type Calls = JoinSet<Result<(), Fault>>;

/// A call whose outcome could not be written down is made again when its claim is over.
fn note(outcome: Result<Result<(), Fault>, JoinError>) {
    let why = match outcome {
        Ok(Ok(())) => return,
        Ok(Err(fault)) => fault.to_string(),
        Err(error) => error.to_string(),
    };
    tracing::warn!(why, "what came of a webhook is not written down; it is called again");
}

/// Tells integrators. Any number of processes may run it: an event is claimed by one of them.
#[derive(Debug)]
pub struct Webhooks {
    teller: Arc<Teller>,
    published: Arc<Notify>,
}

/// Makes one call, and writes down what came of it.
#[derive(Debug)]
struct Teller {
    db: Db,
    caller: Caller,
}

#[expect(clippy::needless_pass_by_value, reason = "as `map_err` hands it over")]
fn fault(error: tokio_postgres::Error) -> Fault {
    Fault::from_postgres("webhooks", &error)
}

impl Webhooks {
    /// Err: what is configured cannot be read.
    pub fn new(db: Db, options: &WebhookOptions, published: Arc<Notify>) -> Result<Self, String> {
        Ok(Self { teller: Arc::new(Teller { db, caller: Caller::new(options)? }), published })
    }

    /// Works until told to stop: woken by the relay of this process, looking by itself for what others published. A call that takes its
    /// time keeps nobody from looking.
    pub async fn run(&self, mut stop: watch::Receiver<bool>, look_every: Duration) {
        let mut calls = Calls::new();
        while !*stop.borrow() {
            let woken = self.published.notified();
            if let Err(fault) = self.begin(&mut calls).await {
                tracing::warn!(%fault, "webhooks will be tried again");
            }
            tokio::select! {
                Some(outcome) = calls.join_next() => {
                    note(outcome);
                    let _ = tokio::time::timeout(REST, async {
                        while let Some(outcome) = calls.join_next().await {
                            note(outcome);
                        }
                    })
                    .await;
                }
                () = woken => {}
                () = tokio::time::sleep(look_every) => {}
                changed = stop.changed() => {
                    if changed.is_err() {
                        break;
                    }
                }
            }
        }
        // What has begun may end.
        while let Some(outcome) = calls.join_next().await {
            note(outcome);
        }
    }

    /// Tells everything that is due. Returns how many calls were made.
    pub async fn tell_all(&self) -> Result<u64, Fault> {
        let (mut calls, mut made) = (Calls::new(), 0);
        loop {
            made += self.begin(&mut calls).await?;
            match calls.join_next().await {
                Some(Ok(outcome)) => outcome?,
                Some(Err(error)) => {
                    let place = "webhooks".to_owned();
                    return Err(Fault::Unexpected { place, detail: error.to_string() });
                }
                None => return Ok(made),
            }
        }
    }

    /// Writes down what is new, and begins as many calls as there is room for. Returns how many.
    async fn begin(&self, calls: &mut Calls) -> Result<u64, Fault> {
        while self.plan().await? > 0 {}
        let room = i64::try_from(AT_ONCE.saturating_sub(calls.len())).unwrap_or(0);
        if room == 0 {
            return Ok(0);
        }
        let claimed = self.claim(room).await?;
        let count = u64::try_from(claimed.len()).unwrap_or(0);
        for row in claimed {
            let teller = Arc::clone(&self.teller);
            calls.spawn(async move { teller.tell(row).await });
        }
        Ok(count)
    }

    async fn plan(&self) -> Result<i64, Fault> {
        let connection = self.teller.db.worker().await?;
        let statement = connection.prepare_cached(include_str!("sql/plan.sql")).await.map_err(fault)?;
        let now = self.teller.db.clock().now().jiff();
        Ok(connection.query_one(&statement, &[&now]).await.map_err(fault)?.get("count"))
    }

    async fn claim(&self, room: i64) -> Result<Vec<Row>, Fault> {
        let connection = self.teller.db.worker().await?;
        let statement = connection.prepare_cached(include_str!("sql/claim.sql")).await.map_err(fault)?;
        let now = self.teller.db.clock().now();
        let until = now.plus_seconds(LEASE_SECONDS).jiff();
        connection.query(&statement, &[&now.jiff(), &until, &room, &OF_AN_ENDPOINT, &OF_A_TENANT]).await.map_err(fault)
    }
}

/// Endpoints that were given up.
pub(crate) fn paused_endpoints() -> metrics::Counter {
    metrics::counter!("melmastoon_webhook_paused_total")
}

impl Teller {
    async fn tell(&self, row: Row) -> Result<(), Fault> {
        let row = &row;
        let (url, id): (&str, &str) = (row.get("url"), row.get("event_id"));
        let (now, before): (&str, Vec<Option<&str>>) = (row.get("key_now"), row.get("keys_before"));
        let body: String = row.get("envelope");
        let timestamp = self.db.clock().now().as_millis() / 1_000;
        let keys: Vec<_> = std::iter::once(now).chain(before.into_iter().flatten()).collect();
        let signature = signature(&keys, id, timestamp, &body);
        let outcome = self.caller.call(Call { url, id, timestamp, signature, body }).await;
        let word = if matches!(outcome, Ok(200..300)) { "delivered" } else { "failed" };
        metrics::counter!("melmastoon_webhook_calls_total", "outcome" => word).increment(1);
        match outcome {
            Ok(status @ 200..300) => self.went_well(row, i32::from(status)).await,
            Ok(status) => self.went_wrong(row, Some(status), format!("answered {status}")).await,
            Err(why) => self.went_wrong(row, None, why).await,
        }
    }

    async fn went_well(&self, row: &Row, status: i32) -> Result<(), Fault> {
        let (endpoint, offset, url): (&str, i64, &str) =
            (row.get("endpoint_id"), row.get("log_offset"), row.get("url"));
        let connection = self.db.worker().await?;
        let statement = connection.prepare_cached(include_str!("sql/told.sql")).await.map_err(fault)?;
        let now = self.db.clock().now().jiff();
        connection.execute(&statement, &[&endpoint, &offset, &status, &now, &url]).await.map_err(fault)?;
        Ok(())
    }

    async fn went_wrong(&self, row: &Row, status: Option<u16>, why: String) -> Result<(), Fault> {
        let (endpoint, offset, url): (&str, i64, &str) =
            (row.get("endpoint_id"), row.get("log_offset"), row.get("url"));
        let attempts: i32 = row.get("attempts");
        let connection = self.db.worker().await?;
        let now = self.db.clock().now();
        let since = "SELECT failing_since FROM bus.webhook_endpoints WHERE id = $1";
        let since = connection.query_opt(since, &[&endpoint]).await.map_err(fault)?;
        let since: Option<jiff::Timestamp> = since.and_then(|row| row.get(0));
        let failing_seconds = since.map_or(0, |since| now.as_millis() / 1_000 - since.as_second());
        let paused = match status {
            Some(GONE) => Some("the receiver answered 410: it is gone for good".to_owned()),
            _ if failing_seconds >= TOO_LONG_SECONDS => {
                Some(format!("every call has failed for three days; the last one: {why}"))
            }
            _ => None,
        };
        let pause = usize::try_from(attempts - 1).ok().and_then(|tried| PAUSES.get(tried));
        let next = pause.map(|seconds| now.plus_seconds(i64::try_from(*seconds).unwrap_or(i64::MAX)).jiff());
        // Given up is what others of the endpoint have overtaken. Where the endpoint itself is paused, all of it waits, in its order, until it is
        // active again.
        let next = if paused.is_some() { Some(now.jiff()) } else { next };
        let statement = connection.prepare_cached(include_str!("sql/failed.sql")).await.map_err(fault)?;
        let status = status.map(i32::from);
        let written = connection
            .query_opt(&statement, &[&endpoint, &offset, &status, &why, &now.jiff(), &next, &paused, &url, &attempts])
            .await
            .map_err(fault)?;
        // None: the endpoint was removed meanwhile.
        if written.is_some_and(|row| row.get("paused")) {
            tracing::error!(endpoint, reason = paused, "a webhook endpoint is paused; its events wait");
            paused_endpoints().increment(1);
        }
        Ok(())
    }
}
