//! What is wrong now, as numbers that go back to nought when it is mended: counters tell of the moment alone, and forget it with their process.

use std::time::Duration;

use tokio::sync::watch;

use super::broker::Broker;
use super::dead_letters::open_in;
use super::relay_lag::embedded_lag;
use super::{Relay, Subscription};
use crate::Db;
use crate::database::{DbRole, Fault};

/// Dearer to find out than the backlog, and nothing that a minute matters for.
const LOOK_EVERY: Duration = Duration::from_secs(30);

#[expect(clippy::needless_pass_by_value, reason = "as `map_err` hands it over")]
fn fault(error: tokio_postgres::Error) -> Fault {
    Fault::from_postgres("standing", &error)
}

impl Relay {
    /// Says again and again what lies there and what waits for whom.
    pub(super) async fn watch_what_stands(&self, mut stop: watch::Receiver<bool>) {
        while !*stop.borrow() {
            if let Err(fault) = self.show_what_stands().await {
                tracing::debug!(%fault, "what stands was not looked at");
            }
            if tokio::time::timeout(LOOK_EVERY, stop.wait_for(|stop| *stop)).await.is_ok() {
                return;
            }
        }
    }

    /// Looks once.
    pub async fn show_what_stands(&self) -> Result<(), Fault> {
        show_bus(&self.db).await?;
        show_dead_letters(&self.db, &self.subscriptions).await?;
        show_waiting(&self.db, self.broker.as_deref(), &self.subscriptions).await
    }
}

#[expect(clippy::cast_precision_loss, reason = "numbers for people")]
async fn show_bus(db: &Db) -> Result<(), Fault> {
    let connection = db.worker().await?;
    let row = connection.query_one(include_str!("sql/standing.sql"), &[]).await.map_err(fault)?;
    let count = |name: &str| row.get::<_, i64>(name) as f64;
    metrics::gauge!("melmastoon_set_aside").set(count("set_aside"));
    metrics::gauge!("melmastoon_webhook_endpoints", "state" => "active").set(count("active"));
    metrics::gauge!("melmastoon_webhook_endpoints", "state" => "paused").set(count("paused"));
    // Those that we paused: somebody who pauses an endpoint knows it.
    metrics::gauge!("melmastoon_webhook_endpoints", "state" => "given_up").set(count("given_up"));
    metrics::gauge!("melmastoon_webhook_waiting").set(count("waiting"));
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "numbers for people")]
async fn show_dead_letters(db: &Db, subscriptions: &[Subscription]) -> Result<(), Fault> {
    let operator = db.connect_as(DbRole::Operator).await?;
    for subscription in subscriptions {
        let open = open_in(&operator, subscription).await?;
        metrics::gauge!("melmastoon_dead_letters_open", "context" => subscription.name).set(open as f64);
    }
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "numbers for people")]
async fn show_waiting(db: &Db, broker: Option<&dyn Broker>, subscriptions: &[Subscription]) -> Result<(), Fault> {
    let lags = match broker {
        None => embedded_lag(db).await?,
        Some(broker) => {
            let away = |error: super::BrokerError| Fault::Elsewhere { who: broker.name(), why: error.to_string() };
            broker.lag(subscriptions).await.map_err(away)?
        }
    };
    for subscription in subscriptions {
        let of = lags.iter().filter(|lag| lag.subscription == subscription.name);
        let waiting: u64 = of.map(|lag| lag.waiting).sum();
        metrics::gauge!("melmastoon_subscription_waiting", "subscription" => subscription.name).set(waiting as f64);
    }
    Ok(())
}
