//! Where the bus is: in the database, or at a broker.

use std::path::PathBuf;
use std::time::Duration;

/// What `MELMASTOON_BUS` names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BusAddress {
    /// A log in the same database.
    Embedded,
    /// NATS `JetStream`: servers as `nats://host:4222` or `tls://host:4222`, with commas between them.
    Nats(String),
    /// Google Pub/Sub, by project.
    PubSub(String),
}

impl BusAddress {
    /// Err: what would be understood.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text == "embedded" {
            return Ok(Self::Embedded);
        }
        if let Some(project) = text.strip_prefix("pubsub://").filter(|project| is_project(project)) {
            return Ok(Self::PubSub(project.to_owned()));
        }
        let is_nats = |server: &str| {
            let host = server.strip_prefix("nats://").or_else(|| server.strip_prefix("tls://"));
            host.is_some_and(|host| !host.is_empty())
        };
        if text.split(',').all(|server| is_nats(server.trim())) {
            return Ok(Self::Nats(text.to_owned()));
        }
        Err("`embedded`, `nats://host:4222` (or `tls://…`, several with commas between them) or `pubsub://PROJECT` is needed".to_owned())
    }
}

/// A project of Google's: `hotels-7`, or `example.com:hotels`.
fn is_project(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-.:".contains(&b))
}

/// How to reach NATS, and how carefully it keeps what it is given.
#[derive(Clone, Debug, Default)]
pub struct NatsOptions {
    pub servers: String,
    /// A `.creds` file: a JWT and its seed.
    pub credentials: Option<PathBuf>,
    /// Certificates that are trusted besides the system's.
    pub root_certificates: Option<PathBuf>,
    /// Our own certificate and its key, where the server asks for one.
    pub client_certificate: Option<(PathBuf, PathBuf)>,
    /// Copies of each stream: 1, or 3 in a cluster.
    pub replicas: usize,
    /// A worker that says nothing for so long has lost its message; `None`: 15 s.
    pub ack_wait: Option<Duration>,
}

/// How to reach Google Pub/Sub, and who begins: we ask for messages, or Google calls us.
#[derive(Clone, Debug, Default)]
pub struct PubSubOptions {
    pub project: String,
    /// Somewhere else than Google's global address: a region's own keeps a key's order whoever publishes.
    pub endpoint: Option<String>,
    /// Google's emulator at `host:port`: unencrypted, and without credentials.
    pub emulator: Option<String>,
    /// `None`: our workers pull.
    pub push: Option<PushTo>,
    /// A worker that says nothing for so long has lost its message; `None`: 60 s.
    pub ack_deadline: Option<Duration>,
    /// How often it is looked whether anybody answers; `None`: every 10 s.
    pub look_every: Option<Duration>,
}

/// Where Google pushes to, and as whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PushTo {
    /// Everything before `/internal/events/{subject}`.
    pub url: String,
    /// The service account whose tokens our push endpoint takes.
    pub account: String,
    pub audience: String,
}

#[cfg(test)]
mod tests {
    use super::BusAddress;

    #[test]
    fn a_bus_is_embedded_nats_or_pubsub_and_nothing_else() {
        assert_eq!(BusAddress::parse(" embedded "), Ok(BusAddress::Embedded));
        assert_eq!(BusAddress::parse("pubsub://hotels"), Ok(BusAddress::PubSub("hotels".to_owned())));
        let several = "nats://a:4222,tls://b:4222";
        assert_eq!(BusAddress::parse(several), Ok(BusAddress::Nats(several.to_owned())));
        for nonsense in ["", "kafka://a", "nats://", "nats://a,b", "pubsub://", "pubsub://a/b", "embedded,nats://a"] {
            assert!(BusAddress::parse(nonsense).is_err(), "{nonsense}");
        }
    }
}
