//! A broker that comes back without what it held: the relay notices before it publishes anything, and the log brings it back.
//!
//! Streams are made anew by whoever misses them first, a worker, a relay or an operator. So the relays do not ask who made them but when, and
//! remember it in the database. Order per key holds: what is older goes out first, and nothing else is published meanwhile by a relay that has
//! not looked. Inboxes drop what they know. What nobody had consumed for longer than a day is an operator's to bring back: the error line says how.

use std::sync::atomic::Ordering;

use super::republish::{Again, republish};
use super::{Broker, Relay};
use crate::database::Fault;

/// What was published within this time goes out again.
const REACHES_BACK_SECONDS: i64 = 24 * 60 * 60;

impl Relay {
    /// After every new encounter with the broker: what it lost is out again afterwards. Err: it could not be asked, or did not take it; it is looked
    /// at again before anything is published.
    pub(super) async fn look_at_stores(&self) -> Result<(), Fault> {
        let Some(broker) = &self.broker else { return Ok(()) };
        let encounter = broker.encounter();
        if self.looked_at.load(Ordering::Relaxed) == encounter {
            return Ok(());
        }
        let outcome = self.bring_back_what_is_lost(broker.as_ref()).await;
        self.in_trouble.store(outcome.is_err(), Ordering::Relaxed);
        outcome?;
        self.looked_at.store(encounter, Ordering::Relaxed);
        Ok(())
    }

    async fn bring_back_what_is_lost(&self, broker: &dyn Broker) -> Result<(), Fault> {
        let fault = |error: tokio_postgres::Error| Fault::from_postgres("broker_stores", &error);
        let away = |error: super::BrokerError| Fault::Elsewhere { who: broker.name(), why: error.reason().to_owned() };
        let stores = broker.stores().await.map_err(away)?;
        let (names, made): (Vec<&str>, Vec<&str>) =
            stores.iter().map(|store| (store.name.as_str(), store.made.as_str())).unzip();
        let others = {
            let connection = self.db.relay().await?;
            let sql = include_str!("sql/stores_made_anew.sql");
            connection.query_one(sql, &[&names, &made]).await.map_err(fault)?.get::<_, Vec<String>>(0)
        };
        if !others.is_empty() {
            tracing::error!(
                stores = ?others,
                "the broker has lost what it held; what was published within a day goes out again; if somebody was behind by more, run \
                 `melmastoon republish --since` that time"
            );
            let since = self.db.clock().now().plus_seconds(-REACHES_BACK_SECONDS);
            let again = Again { since, subject: None, tenant: None };
            let count = republish(&self.db, Some(broker), &again, |_, _| {}).await?;
            tracing::warn!(count, "what the broker may have lost is out again");
        }
        if !stores.is_empty() {
            let connection = self.db.relay().await?;
            let now = self.db.clock().now().jiff();
            let sql = include_str!("sql/stores_seen.sql");
            connection.execute(sql, &[&names, &made, &now]).await.map_err(fault)?;
        }
        Ok(())
    }
}
