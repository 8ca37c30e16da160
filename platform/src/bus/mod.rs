//! From the outbox to those who listen: relay, embedded bus, dead letters, feed.
//!
//! The relay takes what is committed and puts it into the log, in order; the worker hands each event to the
//! subscriptions of this process, one at a time for each ordering key. With a broker configured the relay
//! publishes there as well and the broker's consumers take the worker's place.

mod address;
mod ahead;
mod broker;
mod dead_letters;
mod feed;
mod handing_over;
mod inbound;
mod mailbox;
mod migrations;
mod nats;
mod noting;
#[cfg(feature = "pubsub")]
mod pubsub;
mod relay;
mod relay_lag;
mod republish;
mod standing;
mod stores;
mod subscriptions;
mod tail;
mod worker;

pub use address::{BusAddress, NatsOptions, PubSubOptions, PushTo};
pub use broker::{Broker, BrokerError, Lag, Outgoing, Store};
pub use dead_letters::{DeadLetter, DeadLetterRow, DeadLetters, LISTED, OpenLetter};
pub use feed::{Feed, FeedItem, FeedPage, Missed};
pub use inbound::{Handled, Handler, Inbound, NotApplied, Subscription, receive};
pub use mailbox::{Batch, sse_message};
pub use migrations::MIGRATIONS;
pub use nats::{Nats, PARTITIONS as NATS_PARTITIONS};
#[cfg(feature = "pubsub")]
pub use pubsub::PubSub;
pub use relay::{FaultPoint, Relay};
pub use relay_lag::{
    ALARM_SECONDS, Backlog, SetAside, Unheard, backlog, embedded_lag, retry_set_aside, set_aside, unheard,
};
pub use republish::{Again, republish};
pub use subscriptions::register;
pub use tail::{BOARD_TOUCHED, Listener, NoSeat, Tail, TailOptions};
pub(crate) use worker::AT_ONCE;
pub use worker::{Backoff, Worker};

/// See [`crate::begin_counting`].
pub(crate) fn begin_counting(subscriptions: &[Subscription], schemas: &[&'static crate::database::Schema]) {
    for subscription in subscriptions {
        inbound::begin_counting(subscription);
        crate::retention::lost_deliveries(subscription.name).increment(0);
    }
    for schema in schemas {
        relay::refusals(schema).increment(0);
    }
    tail::refused_boards().increment(0);
}

/// The statements of feed and live boards with what they take and give, for the test that compares.
pub fn declared_statements() -> &'static [&'static crate::Sql] {
    feed::ALL
}

/// The bus's own statements by name, for the test that prepares them: with a schema's name filled in.
pub fn statements(schema: &str) -> Vec<(&'static str, String)> {
    let mut all: Vec<_> = feed::ALL.iter().map(|sql| (sql.name, sql.text.to_owned())).collect();
    for (name, text) in [
        ("about_to_be_lost", include_str!("sql/about_to_be_lost.sql")),
        ("claim", include_str!("sql/claim.sql")),
        ("drop_retired", include_str!("sql/drop_retired.sql")),
        ("deliver_again", include_str!("sql/deliver_again.sql")),
        ("embedded_lag", include_str!("sql/embedded_lag.sql")),
        ("head", include_str!("sql/head.sql")),
        ("register", include_str!("sql/register.sql")),
        ("set_aside", include_str!("sql/set_aside.sql")),
        ("set_aside_again", include_str!("sql/set_aside_again.sql")),
        ("set_aside_list", include_str!("sql/set_aside_list.sql")),
        ("since", include_str!("sql/since.sql")),
        ("standing", include_str!("sql/standing.sql")),
        ("stores_made_anew", include_str!("sql/stores_made_anew.sql")),
        ("stores_seen", include_str!("sql/stores_seen.sql")),
        ("tail", include_str!("sql/tail.sql")),
        ("unheard", include_str!("sql/unheard.sql")),
        ("unregistered", include_str!("sql/unregistered.sql")),
    ] {
        all.push((name, text.to_owned()));
    }
    for (name, text) in [
        ("backlog", include_str!("sql/backlog.sql")),
        ("log_ahead", include_str!("sql/log_ahead.sql")),
        ("publish", include_str!("sql/publish.sql")),
        ("waiting", include_str!("sql/waiting.sql")),
    ] {
        all.push((name, text.replace("{schema}", schema)));
    }
    all
}
