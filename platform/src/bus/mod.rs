//! From the outbox to those who listen: relay, embedded bus, dead letters, feed.
//!
//! The relay takes what is committed and puts it into the log, in order; the worker hands each event to the
//! subscriptions of this process, one at a time for each ordering key. With a broker configured the relay
//! publishes there as well and the broker's consumers take the worker's place.

mod broker;
mod dead_letters;
mod feed;
mod inbound;
mod mailbox;
mod migrations;
mod relay;
mod subscriptions;
mod tail;
mod worker;

pub use broker::{Broker, BrokerError, Outgoing};
pub use dead_letters::{DeadLetter, DeadLetterRow, DeadLetters};
pub use feed::{Feed, FeedItem, FeedPage, Missed};
pub use inbound::{Handled, Handler, Inbound, NotApplied, Subscription, receive};
pub use mailbox::{Batch, sse_message};
pub use migrations::MIGRATIONS;
pub use relay::{FaultPoint, Relay};
pub use subscriptions::register;
pub use tail::{BOARD_TOUCHED, Listener, NoSeat, Tail, TailOptions};
pub use worker::{Backoff, Worker};

/// The statements of feed and live boards with what they take and give, for the test that compares.
pub fn declared_statements() -> &'static [&'static crate::Sql] {
    feed::ALL
}

/// The bus's own statements by name, for the test that prepares them: with a schema's name filled in.
pub fn statements(schema: &str) -> Vec<(&'static str, String)> {
    let mut all: Vec<_> = feed::ALL.iter().map(|sql| (sql.name, sql.text.to_owned())).collect();
    for (name, text) in [
        ("claim", include_str!("sql/claim.sql")),
        ("drop_retired", include_str!("sql/drop_retired.sql")),
        ("head", include_str!("sql/head.sql")),
        ("register", include_str!("sql/register.sql")),
        ("tail", include_str!("sql/tail.sql")),
        ("unregistered", include_str!("sql/unregistered.sql")),
    ] {
        all.push((name, text.to_owned()));
    }
    for (name, text) in [("publish", include_str!("sql/publish.sql")), ("waiting", include_str!("sql/waiting.sql"))] {
        all.push((name, text.replace("{schema}", schema)));
    }
    all
}
