//! The live board, as a browser listens to it.

use std::io::{BufRead, BufReader};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde_json::Value;
use ureq::Agent;

use crate::client::Client;

/// One event of the stream.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) name: String,
    pub(crate) id: String,
    pub(crate) data: Value,
}

impl Seen {
    /// The id of the event that a change carries.
    pub(crate) fn event_id(&self) -> String {
        self.data["id"].as_str().expect("an envelope with its id").to_owned()
    }

    pub(crate) fn subject(&self) -> &str {
        self.data["subject"].as_str().expect("an envelope with its subject")
    }
}

/// An open stream, read in the background.
pub(crate) struct Stream(Receiver<Seen>);

impl Stream {
    pub(crate) fn open(client: &Client, property: &str, token: &str, last_event_id: Option<&str>) -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_idle_connections(0)
            .timeout_recv_response(Some(Duration::from_secs(20)))
            .timeout_global(Some(Duration::from_secs(90)))
            .build();
        let mut request = Agent::from(config)
            .get(client.url(&format!("/housekeeping/v1/board/stream?propertyId={property}")))
            .header("authorization", format!("Bearer {token}"));
        if let Some(id) = last_event_id {
            request = request.header("last-event-id", id);
        }
        let response = request.call().expect("an open stream");
        assert_eq!(response.status(), 200);
        let (sender, receiver) = channel();
        std::thread::spawn(move || {
            let lines = BufReader::new(response.into_body().into_reader()).lines();
            let mut seen = Seen { name: String::new(), id: String::new(), data: Value::Null };
            for line in lines.map_while(Result::ok) {
                match line.split_once(':').map(|(field, value)| (field, value.trim_start())) {
                    Some(("event", name)) => name.clone_into(&mut seen.name),
                    Some(("id", id)) => id.clone_into(&mut seen.id),
                    Some(("data", data)) => seen.data = serde_json::from_str(data).expect("JSON in the stream"),
                    // An empty line ends an event; one that only keeps the connection alive has no name.
                    None if !seen.name.is_empty() => {
                        if sender.send(seen.clone()).is_err() {
                            return;
                        }
                        seen.name.clear();
                    }
                    _ => {}
                }
            }
        });
        Self(receiver)
    }

    /// The next event.
    pub(crate) fn next(&self) -> Seen {
        self.0.recv_timeout(Duration::from_secs(15)).expect("an event on the stream")
    }

    /// Events up to the first one that fits, with it.
    pub(crate) fn up_to(&self, fits: impl Fn(&Seen) -> bool) -> Vec<Seen> {
        let mut all = Vec::new();
        loop {
            let seen = self.next();
            let last = fits(&seen);
            all.push(seen);
            if last {
                return all;
            }
        }
    }

    /// Whether the server ends the stream in time; what it still sends is passed over.
    pub(crate) fn ends(&self, limit: Duration) -> bool {
        let deadline = Instant::now() + limit;
        loop {
            match self.0.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(_) => {}
                Err(RecvTimeoutError::Disconnected) => return true,
                Err(RecvTimeoutError::Timeout) => return false,
            }
        }
    }
}
