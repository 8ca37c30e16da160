//! The seam for brokers: NATS `JetStream` and Google Pub/Sub are adapters of this, and no context can tell which is there.
//!
//! Without one the bus is embedded: the relay writes deliveries into the database, and [`super::Worker`] hands them out.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde::Serialize;
use tokio::sync::watch;

use super::Subscription;
use crate::Db;

/// An event on its way out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outgoing {
    pub event_id: String,
    pub subject: String,
    pub ordering_key: String,
    /// The subscriptions that listened when it was published: a worker of an older release leaves to a newer one what that
    /// one alone has a story for.
    pub listeners: Vec<String>,
    /// Sent once more on purpose: told from its first sending, so that no broker drops it as a repetition.
    pub again: Option<String>,
    /// The envelope as JSON text.
    pub envelope: String,
}

/// Why a batch did not go out.
#[derive(Debug, thiserror::Error)]
pub enum BrokerError {
    /// Nothing is wrong with the events: they go out later.
    #[error("the broker did not take the batch: {0}")]
    Away(String),
    /// This one event is never going to be taken; those before it were.
    #[error("the broker refuses the event {event_id}: {reason}")]
    Refused { event_id: String, reason: String },
}

impl BrokerError {
    /// What the broker said, or what stands between it and us: for whoever did not publish anything.
    pub fn reason(&self) -> &str {
        match self {
            Self::Away(reason) | Self::Refused { reason, .. } => reason,
        }
    }
}

/// How far a subscription is behind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Lag {
    pub subscription: String,
    /// Where its events wait: a stream of the broker, or `embedded`.
    pub stream: String,
    /// Events that wait to be handed out.
    pub waiting: u64,
    /// Handed out, not settled yet.
    pub at_work: u64,
    /// Of those, handed out more than once.
    pub tried_again: u64,
}

/// A place at the broker that holds what was published until everybody has heard it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Store {
    pub name: String,
    /// Tells it from another one of this name, made before or after it.
    pub made: String,
}

/// Takes batches in order and answers once all of a batch is safe. A batch that is given again, after a crash
/// between publishing and marking, carries the same event ids: consumers drop what they have seen.
pub trait Broker: Send + Sync {
    /// What people call it.
    fn name(&self) -> &'static str {
        "broker"
    }

    /// Err: what stands before the first failure may be out, in order; nothing behind it is.
    fn publish<'a>(&'a self, batch: &'a [Outgoing]) -> BoxFuture<'a, Result<(), BrokerError>>;

    /// Who listens, told before anything is published. A broker that keeps nothing for those who come later holds a subject back until its
    /// subscriptions stand.
    fn heard_by(&self, _: &[Subscription]) {}

    /// Makes what the catalogue and these subscriptions need, and mends what differs. Says what was done; nothing: all was there.
    fn apply<'a>(&'a self, _: &'a [Subscription]) -> BoxFuture<'a, Result<Vec<String>, BrokerError>> {
        async { Ok(Vec::new()) }.boxed()
    }

    /// How the broker differs from what `apply` would make.
    fn drift<'a>(&'a self, _: &'a [Subscription]) -> BoxFuture<'a, Result<Vec<String>, BrokerError>> {
        async { Ok(Vec::new()) }.boxed()
    }

    /// How far each subscription is behind.
    fn lag<'a>(&'a self, _: &'a [Subscription]) -> BoxFuture<'a, Result<Vec<Lag>, BrokerError>> {
        async { Ok(Vec::new()) }.boxed()
    }

    /// What else there is to tell of each subscription, and what this broker cannot tell.
    fn remarks<'a>(&'a self, _: &'a [Subscription]) -> BoxFuture<'a, Result<Vec<String>, BrokerError>> {
        async { Ok(Vec::new()) }.boxed()
    }

    /// Hands what arrives to the subscriptions until told to stop: in order for each key, acknowledged after the commit.
    fn deliver<'a>(&'a self, _: &'a Db, _: &'a [Subscription], mut stop: watch::Receiver<bool>) -> BoxFuture<'a, ()> {
        async move {
            let _ = stop.wait_for(|stop| *stop).await;
        }
        .boxed()
    }

    /// Another number whenever the broker may have lost what it held: at every new connection, and when a store was not there.
    fn encounter(&self) -> u64 {
        0
    }

    /// The stores as they stand now, made anew where they are missing; none: this broker loses nothing that we could bring back.
    fn stores(&self) -> BoxFuture<'_, Result<Vec<Store>, BrokerError>> {
        async { Ok(Vec::new()) }.boxed()
    }

    /// Whether the broker can be reached now.
    fn answers(&self) -> bool {
        true
    }
}
