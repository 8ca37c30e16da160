//! Publishing: many at once, answered for one by one, in order whatever is lost on the way.
//!
//! Each message names the one before it as the stream's last. If one does not arrive, nothing behind it is taken either; then
//! the batch goes on from there. The first of a round names nobody: everything before it is safe already.

use std::future::IntoFuture;
use std::sync::atomic::Ordering;
use std::time::Duration;

use async_nats::jetstream::context::{PublishError, PublishErrorKind};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::{self, ErrorCode};
use bytes::Bytes;

use super::topology::{StreamOf, partition_of};
use super::{Nats, PATIENCE};
use crate::bus::broker::{Broker, BrokerError, Outgoing};

/// The subscriptions that listened when the event was published.
pub(super) const LISTENERS: &str = "Melmastoon-Listeners";

const A_MOMENT: Duration = Duration::from_secs(1);

impl Nats {
    pub(super) async fn publish_in_order(&self, batch: &[Outgoing]) -> Result<(), BrokerError> {
        let met = self.encounter();
        self.is_reached().await?;
        let mut rest = batch;
        while !rest.is_empty() {
            // Who comes back may have lost what it held, and has it again before anything newer. Met for the first time, it has been looked at or
            // is not going to be.
            if met > 0 && self.encounter() != met {
                return Err(BrokerError::Away("it came back a moment ago and is looked at first".to_owned()));
            }
            let (taken, failure) = self.round(rest).await;
            rest = &rest[taken..];
            match failure {
                Some(failure) => return Err(failure),
                // Somebody else published between two of ours: from here on again, and at least one further.
                None if taken == 0 && !rest.is_empty() => {
                    return Err(BrokerError::Away("nothing was taken, and no reason was given".to_owned()));
                }
                None => {}
            }
        }
        Ok(())
    }

    /// What is sent while nobody is there would only wait in our own memory. A connection that is being made has a moment.
    pub(super) async fn is_reached(&self) -> Result<(), BrokerError> {
        let deadline = tokio::time::Instant::now() + A_MOMENT;
        while !self.answers() {
            if tokio::time::Instant::now() >= deadline {
                return Err(BrokerError::Away(format!("there is no connection{}", self.inner.signs.trouble())));
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        Ok(())
    }

    /// How many from the beginning are safe, and what ended the round if it was no mere gap.
    async fn round(&self, batch: &[Outgoing]) -> (usize, Option<BrokerError>) {
        let mut last: Vec<(StreamOf, String)> = Vec::new();
        let mut sent = Vec::with_capacity(batch.len());
        let mut failure = None;
        for event in batch {
            let stream = StreamOf::of(&event.subject);
            let id = match &event.again {
                Some(run) => format!("{}:{run}", event.event_id),
                None => event.event_id.clone(),
            };
            let mut message = PublishMessage::build()
                .payload(Bytes::from(event.envelope.clone()))
                .message_id(&id)
                .expected_stream(stream.name())
                .header(LISTENERS, event.listeners.join(","));
            match last.iter_mut().find(|(of, _)| *of == stream) {
                Some((_, before)) => message = message.expected_last_message_id(std::mem::replace(before, id)),
                None => last.push((stream, id)),
            }
            let address = stream.subject(partition_of(&event.ordering_key), &event.subject);
            match in_time(self.inner.jetstream.send_publish(address, message)).await {
                Some(Ok(answer)) => sent.push(answer),
                Some(Err(error)) => {
                    failure = Some(self.failure_of(&error, event));
                    break;
                }
                None => {
                    failure = Some(silent());
                    break;
                }
            }
        }
        let mut safe = 0;
        for (answer, event) in sent.into_iter().zip(batch) {
            // A broker that is slow has time as long as it answers: a batch that is given up as a whole would come again as it was.
            match in_time(answer.into_future()).await {
                Some(Ok(_)) => safe += 1,
                // Not its own fault: another one went in between, or one before it was lost.
                Some(Err(error)) if error.kind() == PublishErrorKind::WrongLastMessageId => return (safe, None),
                Some(Err(error)) => return (safe, Some(self.failure_of(&error, event))),
                None => return (safe, Some(silent())),
            }
        }
        (safe, failure)
    }

    /// Whether it is the event or the broker.
    fn failure_of(&self, error: &PublishError, event: &Outgoing) -> BrokerError {
        let mut reason = error.to_string();
        // Some of its errors have the cause in their own words already.
        if let Some(source) = std::error::Error::source(error).map(ToString::to_string)
            && !reason.contains(&source)
        {
            reason = format!("{reason}: {source}");
        }
        if error.kind() == PublishErrorKind::StreamNotFound {
            // The server is not as we left it: it is looked at before anything else is published.
            self.inner.signs.surprises.fetch_add(1, Ordering::Relaxed);
        }
        if is_too_large(error) {
            BrokerError::Refused { event_id: event.event_id.clone(), reason }
        } else {
            BrokerError::Away(reason)
        }
    }
}

async fn in_time<T>(answer: impl Future<Output = T>) -> Option<T> {
    tokio::time::timeout(PATIENCE, answer).await.ok()
}

fn silent() -> BrokerError {
    BrokerError::Away("no answer in time".to_owned())
}

/// Larger than the server or the stream takes: it is never going to be taken as it is.
pub(super) fn is_too_large(error: &PublishError) -> bool {
    error.kind() == PublishErrorKind::MaxPayloadExceeded
        || said_by_server(error).is_some_and(|said| said.error_code() == ErrorCode::STREAM_MESSAGE_EXCEEDS_MAXIMUM)
}

fn said_by_server(error: &PublishError) -> Option<&jetstream::Error> {
    std::error::Error::source(error)?.downcast_ref()
}
