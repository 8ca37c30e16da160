//! The seam for brokers: NATS `JetStream` and Google Pub/Sub are adapters of this.

use futures_util::future::BoxFuture;

/// An event on its way out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outgoing {
    pub event_id: String,
    pub subject: String,
    pub ordering_key: String,
    /// The envelope as JSON text.
    pub envelope: String,
}

#[derive(Debug, thiserror::Error)]
#[error("the broker did not take the batch: {0}")]
pub struct BrokerError(pub String);

/// Takes batches in order and answers once all of a batch is safe. A batch that is given again, after a crash
/// between publishing and marking, carries the same event ids: consumers drop what they have seen.
pub trait Broker: Send + Sync {
    fn publish<'a>(&'a self, batch: &'a [Outgoing]) -> BoxFuture<'a, Result<(), BrokerError>>;
}
