//! Consuming: every lane takes one message at a time, runs its story, and acknowledges after the commit.
//!
//! A story that fails is tried again after the catalogue's pauses, and holds up its partition meanwhile. A database that is away
//! counts as no attempt: the message is kept, with a sign of life to the server. What can never succeed is in the dead letters, in
//! the database and at the broker, before its message is ended.

use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::{AckKind, Message};
use contracts::catalogue::{self, Context};
use contracts::subject::Subject;
use futures_util::StreamExt;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;

use super::publish::{LISTENERS, is_too_large};
use super::topology::{DEAD_LETTER_PREFIX, DEAD_LETTERS, Lane, is_missing, subject_in};
use super::{Nats, PATIENCE};
use crate::Db;
use crate::bus::inbound::{Inbound, Told, receive_and_tell};
use crate::bus::{Broker, DeadLetter, Subscription};

/// Stories of one subscription at a time, in this process.
const AT_ONCE: usize = 8;
/// How long one request for messages stands: a process that was stopped gets none after that.
const REQUEST: Duration = Duration::from_secs(10);
/// Between two looks for a database or a broker that is away.
const LONGEST_PAUSE: Duration = Duration::from_secs(2);
const FIRST_PAUSE: Duration = Duration::from_millis(100);
/// After this time what only a newer release has a story for is filed in the dead letters: that release was taken back.
const LEFT_ALONE_MILLIS: i64 = 15 * 60 * 1_000;
const LOOK_AGAIN: Duration = Duration::from_secs(2);
/// A reason at the broker is for whoever watches there; the letter in the database has all of it.
const LONGEST_WORDS: usize = 250;

/// What a lane needs besides itself.
#[derive(Clone)]
struct Hand {
    nats: Nats,
    db: Db,
    subscription: Subscription,
    at_once: Arc<Semaphore>,
}

/// How a message ends.
enum End {
    Settled,
    Again(Duration),
    /// In the dead letters.
    Over,
}

/// What became of the copy of a dead letter.
enum Copied {
    Taken,
    TooLarge,
}

impl Nats {
    pub(super) async fn hand_out(&self, db: &Db, subscriptions: &[Subscription], mut stop: watch::Receiver<bool>) {
        let mut pause = FIRST_PAUSE;
        loop {
            match self.reconcile(subscriptions, true).await {
                Ok(done) => {
                    tracing::info!(changes = done.len(), "streams and consumers stand");
                    break;
                }
                Err(error) => tracing::warn!(%error, "the broker is away; it is asked again and again"),
            }
            if wait(&mut stop, pause).await {
                return;
            }
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
        let mut lanes = JoinSet::new();
        for subscription in subscriptions {
            let at_once = Arc::new(Semaphore::new(AT_ONCE));
            let hand = Hand { nats: self.clone(), db: db.clone(), subscription: subscription.clone(), at_once };
            for lane in Lane::of(subscription) {
                lanes.spawn(hand.clone().serve(lane, stop.clone()));
            }
        }
        while let Some(ended) = lanes.join_next().await {
            // A lane that panics takes the part with it, which is started again as a whole.
            if let Err(error) = ended {
                assert!(!error.is_panic(), "a lane of the bus panicked: {error}");
            }
        }
    }
}

/// Whether to stop; otherwise the pause is over.
async fn wait(stop: &mut watch::Receiver<bool>, pause: Duration) -> bool {
    tokio::time::timeout(pause, stop.wait_for(|stop| *stop)).await.is_ok()
}

impl Hand {
    async fn serve(self, lane: Lane, mut stop: watch::Receiver<bool>) {
        let mut pause = FIRST_PAUSE;
        while !*stop.borrow() {
            if let Err(error) = Box::pin(self.take_from(lane, &mut stop, &mut pause)).await {
                tracing::debug!(error, lane = lane.durable(), "a lane of the bus begins again");
            }
            if self.is_gone(lane).await
                && let Err(error) = self.nats.make_anew(std::slice::from_ref(&self.subscription)).await
            {
                tracing::warn!(%error, lane = lane.durable(), "nobody hears what comes here until it is made anew");
            }
            if wait(&mut stop, pause).await {
                return;
            }
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// Whether the server answers, and knows nothing of this lane: it would be waited for in vain.
    async fn is_gone(&self, lane: Lane) -> bool {
        if !self.nats.answers() {
            return false;
        }
        let jetstream = &self.nats.inner.jetstream;
        let found: Result<async_nats::jetstream::consumer::PullConsumer, _> =
            jetstream.get_consumer_from_stream(lane.durable(), lane.stream.name()).await;
        found.is_err_and(|error| is_missing(&error))
    }

    /// Takes messages until something is wrong with the connection or the consumer.
    async fn take_from(
        &self,
        lane: Lane,
        stop: &mut watch::Receiver<bool>,
        pause: &mut Duration,
    ) -> Result<(), String> {
        let text = |error: &dyn std::fmt::Display| error.to_string();
        let jetstream = &self.nats.inner.jetstream;
        let consumer: async_nats::jetstream::consumer::PullConsumer = jetstream
            .get_consumer_from_stream(lane.durable(), lane.stream.name())
            .await
            .map_err(|error| text(&error))?;
        let mut messages = consumer
            .stream()
            .max_messages_per_batch(8)
            .expires(REQUEST)
            .heartbeat(REQUEST / 4)
            .messages()
            .await
            .map_err(|error| text(&error))?;
        loop {
            let message = tokio::select! {
                message = messages.next() => message,
                _ = stop.wait_for(|stop| *stop) => return Ok(()),
            };
            let Some(message) = message else { return Ok(()) };
            let message = message.map_err(|error| text(&error))?;
            *pause = FIRST_PAUSE;
            self.handle(lane, &message, stop).await?;
        }
    }

    async fn handle(&self, lane: Lane, message: &Message, stop: &mut watch::Receiver<bool>) -> Result<(), String> {
        let text = |error: &dyn std::fmt::Display| error.to_string();
        let subject = known_as(subject_in(&message.subject));
        let info = message.info().map_err(|error| text(&error))?;
        let attempt = i32::try_from(info.delivered).unwrap_or(i32::MAX);
        let published = i64::try_from(info.published.unix_timestamp_nanos() / 1_000_000).unwrap_or(i64::MAX);
        let age = self.db.clock().now().as_millis().saturating_sub(published);
        if !self.subscription.subjects.contains(&subject.as_str()) {
            // Listened to when it was published, by a release that is newer than this process.
            if !meant_for(message, self.subscription.name) {
                return message.ack().await.map_err(|error| text(&error));
            }
            if age < LEFT_ALONE_MILLIS {
                return message.ack_with(AckKind::Nak(Some(LOOK_AGAIN))).await.map_err(|error| text(&error));
            }
        }
        let end = self.apply(message, &subject, attempt, stop).await?;
        if let End::Over = end {
            tracing::debug!(lane = lane.durable(), subject, "a message has ended in the dead letters");
        }
        let answer = match end {
            End::Settled => AckKind::Ack,
            End::Again(pause) => AckKind::Nak(Some(pause)),
            End::Over => AckKind::Term,
        };
        message.ack_with(answer).await.map_err(|error| text(&error))
    }

    /// Runs the story, as often as the database is away.
    async fn apply(
        &self,
        message: &Message,
        subject: &str,
        attempt: i32,
        stop: &mut watch::Receiver<bool>,
    ) -> Result<End, String> {
        let backoff = self.subscription.backoff;
        let inbound = Inbound {
            bytes: &message.payload,
            subject,
            sender: None,
            attempt,
            last_attempt: attempt >= backoff.attempts,
        };
        let mut pause = FIRST_PAUSE;
        loop {
            let permit = self.alive(message, self.at_once.acquire()).await;
            let outcome = self.alive(message, receive_and_tell(&self.db, &self.subscription, inbound)).await;
            drop(permit);
            match outcome {
                Ok(Told { letter: Some(letter), .. }) => {
                    self.copy(&letter, message).await?;
                    return Ok(End::Over);
                }
                Ok(_) => return Ok(End::Settled),
                Err(fault) if fault.is_transient() => {
                    tracing::debug!(%fault, context = self.subscription.name, "an event waits for the database");
                    let stopping = {
                        let waiting = wait(stop, pause);
                        self.alive(message, waiting).await
                    };
                    if stopping {
                        return Ok(End::Again(Duration::ZERO));
                    }
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
                Err(fault) => {
                    tracing::warn!(%fault, context = self.subscription.name, subject, attempt, "an event is tried again later");
                    return Ok(End::Again(backoff.pause(attempt)));
                }
            }
        }
    }

    /// Works, and tells the server in between that somebody does.
    async fn alive<T>(&self, message: &Message, work: impl Future<Output = T>) -> T {
        tokio::pin!(work);
        loop {
            tokio::select! {
                done = &mut work => return done,
                () = tokio::time::sleep(self.nats.inner.ack_wait / 3) => drop(message.ack_with(AckKind::Progress).await),
            }
        }
    }

    /// What is in the dead letters of the database is at the broker too, for whoever watches there.
    async fn copy(&self, letter: &DeadLetter, message: &Message) -> Result<(), String> {
        let topic = catalogue::find(&letter.subject).map_or_else(
            || Context::Housekeeping.dead_letter_topic(&letter.subject),
            catalogue::Entry::dead_letter_topic,
        );
        let words = |text: &str| text.replace(['\r', '\n'], " ").chars().take(LONGEST_WORDS).collect::<String>();
        let info = message.info().map_err(|error| error.to_string())?;
        // By the message and not by the event: two that carry one event, or none that can be told, are two letters.
        let id = format!("{}:{}:{}", self.subscription.name, info.stream, info.stream_sequence);
        let around = PublishMessage::build()
            .expected_stream(DEAD_LETTERS)
            .message_id(id)
            .header("Melmastoon-Subscription", self.subscription.name)
            .header("Melmastoon-Subject", words(&letter.subject))
            .header("Melmastoon-Code", words(&letter.code))
            .header("Melmastoon-Reason", words(&letter.error))
            .header("Melmastoon-Attempts", letter.attempts.to_string());
        let address = format!("{DEAD_LETTER_PREFIX}.{topic}");
        match self.send_copy(&address, around.clone().payload(message.payload.clone())).await? {
            Copied::Taken => Ok(()),
            // With what is around it, it is larger than the server takes. The letter in the database has all of it; a message that never ended
            // would hold up its lane for good.
            Copied::TooLarge => {
                let bytes = message.payload.len().to_string();
                match self.send_copy(&address, around.header("Melmastoon-Payload-Left-Out", bytes)).await? {
                    Copied::Taken => {}
                    Copied::TooLarge => tracing::warn!(
                        subject = letter.subject,
                        "the copy of a dead letter is too large for the broker even without its payload; the database has the letter"
                    ),
                }
                Ok(())
            }
        }
    }

    async fn send_copy(&self, address: &str, copy: PublishMessage) -> Result<Copied, String> {
        let sent = self.nats.inner.jetstream.send_publish(address.to_owned(), copy);
        let answered = async { sent.await?.await };
        match tokio::time::timeout(PATIENCE, answered).await {
            Ok(Ok(_)) => Ok(Copied::Taken),
            Ok(Err(error)) if is_too_large(&error) => Ok(Copied::TooLarge),
            // The lane is there and nobody else looks for this stream: the message would be tried again and again.
            Ok(Err(error)) if error.kind() == PublishErrorKind::StreamNotFound => {
                self.nats.make_anew(&[]).await.map_err(|error| error.to_string())?;
                Err("the stream of dead letters was missing; it has been made anew".to_owned())
            }
            Ok(Err(error)) => Err(error.to_string()),
            Err(_) => Err("the copy of a dead letter was not answered for".to_owned()),
        }
    }
}

/// As we call it: strangers may publish under a context's short name. What is no subject at all stays as it is.
fn known_as(subject: &str) -> String {
    Subject::parse(subject).map_or_else(|_| subject.to_owned(), |known| known.as_str().to_owned())
}

/// Whether the relay named this subscription when it published.
fn meant_for(message: &Message, subscription: &str) -> bool {
    let named = message.headers.as_ref().and_then(|headers| headers.get(LISTENERS));
    named.is_some_and(|named| named.as_str().split(',').any(|name| name == subscription))
}
