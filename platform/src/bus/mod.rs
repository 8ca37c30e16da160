//! From the outbox to those who listen: relay, embedded bus, dead letters, feed.
//!
//! The relay takes what is committed and puts it into the log, in order; the worker hands each event to the
//! subscriptions of this process, one at a time for each ordering key. With a broker configured the relay
//! publishes there as well and the broker's consumers take the worker's place.

mod broker;
mod dead_letters;
mod feed;
mod inbound;
mod relay;
mod worker;

pub use broker::{Broker, BrokerError, Outgoing};
pub use dead_letters::{DeadLetter, DeadLetterRow, DeadLetters};
pub use feed::{FeedItem, FeedPage, Feed};
pub use inbound::{Handled, Handler, Inbound, Refusal, Subscription, receive};
pub use relay::{FaultPoint, Relay};
pub use worker::{Backoff, Worker};
