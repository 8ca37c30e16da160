//! NATS `JetStream` as the bus.
//!
//! A stream for each publishing context and one for everybody else's events. Below a stream's name an event's subject begins with the
//! number of its partition, the hash of its ordering key: `events.housekeeping.11.melmastoon.housekeeping.task.created.v1`. A
//! subscription has a durable consumer for each partition that hands out one message at a time, so that a repetition cannot be
//! overtaken. The database stays the truth: what a broker loses is published again from there.

mod consume;
mod drift;
mod publish;
mod topology;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_nats::connection::State;
use async_nats::jetstream::{self, context::ContextBuilder};
use async_nats::{ConnectOptions, Event};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tokio::sync::watch;

use super::Subscription;
use super::address::NatsOptions;
use super::broker::{Broker, BrokerError, Lag, Outgoing, Store};
use crate::Db;

pub use topology::PARTITIONS;

/// How long an answer of the server may take. The relay holds its transaction meanwhile, and loses it after ten seconds.
const PATIENCE: Duration = Duration::from_secs(5);

/// A connection that mends itself, shared by all that publish and consume in this process.
#[derive(Clone, Debug)]
pub struct Nats {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    client: async_nats::Client,
    jetstream: jetstream::Context,
    replicas: usize,
    ack_wait: Duration,
    signs: Arc<Signs>,
    /// One at a time makes anew what is missing.
    mending: tokio::sync::Mutex<()>,
}

/// What the connection says of itself.
#[derive(Debug, Default)]
struct Signs {
    /// How often the server was not as we left it, though the connection held.
    surprises: AtomicU64,
    /// Why there is no connection, as far as the server or the network said.
    trouble: Mutex<Option<String>>,
}

impl Signs {
    fn hear(&self, event: &Event) {
        match event {
            Event::Connected => {
                tracing::info!("connected to NATS");
                self.is_troubled_by(None);
            }
            Event::Disconnected => tracing::warn!("the connection to NATS is lost; it is tried again and again"),
            Event::ServerError(error) => self.is_troubled_by(Some(error.to_string())),
            Event::ClientError(error) => self.is_troubled_by(Some(error.to_string())),
            other => tracing::debug!(%other, "NATS says"),
        }
    }

    /// Said once, until it is something else.
    fn is_troubled_by(&self, why: Option<String>) {
        let mut trouble = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(why) = why.as_ref().filter(|why| trouble.as_ref() != Some(why)) {
            tracing::warn!(why, "NATS cannot be reached");
        }
        *trouble = why;
    }

    fn trouble(&self) -> String {
        let trouble = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        trouble.as_ref().map_or_else(String::new, |why| format!(": {why}"))
    }
}

impl Nats {
    /// Begins to connect and does not wait for it: a hotel opens without its broker. Err: what is configured cannot be read.
    pub async fn connect(options: &NatsOptions) -> Result<Self, BrokerError> {
        let away = |error: &dyn std::fmt::Display| BrokerError::Away(error.to_string());
        let signs = Arc::new(Signs::default());
        let heard = Arc::clone(&signs);
        let mut how = ConnectOptions::new()
            .name("melmastoon")
            .retry_on_initial_connect()
            .max_reconnects(None)
            .ping_interval(Duration::from_secs(10))
            .connection_timeout(PATIENCE)
            .request_timeout(Some(PATIENCE))
            .client_capacity(4_096)
            // Soon at first, every two seconds in the end: a broker that comes back is not kept waiting.
            .reconnect_delay_callback(|attempts| Duration::from_millis((50 * attempts as u64).min(2_000)))
            .event_callback(move |event| {
                heard.hear(&event);
                async {}
            });
        if let Some(file) = &options.credentials {
            how = how
                .credentials_file(file)
                .await
                .map_err(|error| BrokerError::Away(format!("MELMASTOON_NATS_CREDS {}: {error}", file.display())))?;
        }
        if let Some(file) = &options.root_certificates {
            how = how.add_root_certificates(file.clone());
        }
        if let Some((certificate, key)) = &options.client_certificate {
            how = how.add_client_certificate(certificate.clone(), key.clone());
        }
        let servers: Vec<_> = options.servers.split(',').map(|server| server.trim().to_owned()).collect();
        // The library reads a name and a password in an address, or a token, and does not use them.
        match servers.iter().find_map(|server| account_in(server)) {
            Some((user, Some(password))) => how = how.user_and_password(user, password),
            Some((token, None)) => how = how.token(token),
            None => {}
        }
        if servers.iter().any(|server| server.starts_with("tls://")) {
            how = how.require_tls(true);
        }
        let client = how.connect(servers).await.map_err(|error| away(&error))?;
        let jetstream = ContextBuilder::new().timeout(PATIENCE).ack_timeout(PATIENCE).build(client.clone());
        let ack_wait = options.ack_wait.unwrap_or(topology::ACK_WAIT);
        let replicas = options.replicas.max(1);
        let mending = tokio::sync::Mutex::new(());
        Ok(Self { inner: Arc::new(Inner { client, jetstream, replicas, ack_wait, signs, mending }) })
    }
}

/// The user and the password in an address; a token alone, as NATS writes it.
fn account_in(server: &str) -> Option<(String, Option<String>)> {
    let url = url::Url::parse(server).ok()?;
    (!url.username().is_empty()).then(|| (decoded(url.username()), url.password().map(decoded)))
}

/// `%40` is `@`: an address has no other way to say it.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, behind @ ..] = rest {
        let hex = |digit: u8| char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok());
        match (first, behind) {
            (b'%', [high, low, after @ ..]) if hex(*high).is_some() && hex(*low).is_some() => {
                bytes.push(hex(*high).unwrap_or(0) * 16 + hex(*low).unwrap_or(0));
                rest = after;
            }
            _ => {
                bytes.push(*first);
                rest = behind;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

impl Broker for Nats {
    fn name(&self) -> &'static str {
        "NATS"
    }

    fn publish<'a>(&'a self, batch: &'a [Outgoing]) -> BoxFuture<'a, Result<(), BrokerError>> {
        self.publish_in_order(batch).boxed()
    }

    fn apply<'a>(&'a self, subscriptions: &'a [Subscription]) -> BoxFuture<'a, Result<Vec<String>, BrokerError>> {
        self.reconcile(subscriptions, true).boxed()
    }

    fn drift<'a>(&'a self, subscriptions: &'a [Subscription]) -> BoxFuture<'a, Result<Vec<String>, BrokerError>> {
        self.reconcile(subscriptions, false).boxed()
    }

    fn lag<'a>(&'a self, subscriptions: &'a [Subscription]) -> BoxFuture<'a, Result<Vec<Lag>, BrokerError>> {
        self.lag_of(subscriptions).boxed()
    }

    fn remarks<'a>(&'a self, subscriptions: &'a [Subscription]) -> BoxFuture<'a, Result<Vec<String>, BrokerError>> {
        self.missing(subscriptions).boxed()
    }

    fn deliver<'a>(
        &'a self,
        db: &'a Db,
        subscriptions: &'a [Subscription],
        stop: watch::Receiver<bool>,
    ) -> BoxFuture<'a, ()> {
        self.hand_out(db, subscriptions, stop).boxed()
    }

    fn encounter(&self) -> u64 {
        // The client counts a connection before it says that it has one: nobody publishes over it who could have seen the old count.
        let connections = self.inner.client.statistics().connects.load(Ordering::Relaxed);
        connections + self.inner.signs.surprises.load(Ordering::Relaxed)
    }

    fn stores(&self) -> BoxFuture<'_, Result<Vec<Store>, BrokerError>> {
        self.stores_there().boxed()
    }

    fn answers(&self) -> bool {
        self.inner.client.connection_state() == State::Connected
    }
}

#[cfg(test)]
mod tests {
    use super::account_in;

    #[test]
    fn a_name_and_a_password_in_an_address_are_used_as_they_are_meant() {
        let account = |user: &str, password: &str| Some((user.to_owned(), Some(password.to_owned())));
        assert_eq!(account_in("nats://hotel:chinar@broker:4222"), account("hotel", "chinar"));
        assert_eq!(account_in("tls://a%40b:p%3A%2525@broker"), account("a@b", "p:%25"));
        assert_eq!(account_in("nats://s3cret@broker:4222"), Some(("s3cret".to_owned(), None)));
        assert_eq!(account_in("nats://broker:4222"), None);
    }
}
