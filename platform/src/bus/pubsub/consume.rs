//! Consuming: a stream for each subject, one message of a key at a time, acknowledged after the commit.
//!
//! A story that fails is tried again here, after the catalogue's pauses, while Google is told that somebody is at it. Handing the message
//! back would be simpler and wrong: Google sends what follows it before it hears of that, and counts a delivery for all of them. A
//! message goes back only when the worker stops. What can never succeed is in the dead letters, in the database and at
//! Google, before it is acknowledged.

use std::sync::Arc;
use std::time::Duration;

use google_cloud_gax::error::rpc::Code;
use google_cloud_pubsub::error::PublishError;
use google_cloud_pubsub::model::Message;
use google_cloud_pubsub::subscriber::handler::Handler;
use tokio::sync::{Semaphore, mpsc, watch};
use tokio::task::JoinSet;

use super::queues::Queues;
use super::topology::{Ear, dead_letter_topic};
use super::{PATIENCE, PubSub, code_of, in_full, is_no, told};
use crate::Db;
use crate::bus::inbound::{Inbound, Told, receive_and_tell};
use crate::bus::{DeadLetter, Subscription};

/// Stories of one subscription at a time, in this process.
const AT_ONCE: usize = 8;
/// Messages of one subject that are here at a time, at work or waiting, and their bytes.
const HERE_AT_ONCE: i64 = 256;
const BYTES_HERE: i64 = 16 * 1024 * 1024;
/// The catalogue's longest row of pauses is under two hours: so long a message may be tried here.
const LONGEST_HELD: Duration = Duration::from_hours(3);
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);
/// So often Google may say no to the copy of a dead letter. A topic that was made a moment ago is not known everywhere at once; after some seconds the
/// letter in the database has to do.
const NOES: usize = 6;

/// What a stream needs besides its messages.
#[derive(Clone)]
struct Hand {
    bus: PubSub,
    db: Db,
    subscription: Subscription,
    at_once: Arc<Semaphore>,
}

/// A message with the right to answer for it; whoever drops it gives it back to Google.
struct Arrived {
    message: Message,
    handler: Handler,
}

/// Why a stream is read no further.
enum Ended {
    Stopped,
    Renewed,
    /// Google has no such subscription.
    Gone,
    Failed(String),
}

/// Whether to stop; otherwise the pause is over.
async fn wait(stop: &mut watch::Receiver<bool>, pause: Duration) -> bool {
    tokio::time::timeout(pause, stop.wait_for(|stop| *stop)).await.is_ok()
}

impl PubSub {
    pub(super) async fn hand_out(&self, db: &Db, subscriptions: &[Subscription], mut stop: watch::Receiver<bool>) {
        let mut pause = FIRST_PAUSE;
        loop {
            match self.reconcile(subscriptions, true).await {
                Ok(done) => {
                    tracing::info!(changes = done.len(), "topics and subscriptions stand");
                    break;
                }
                Err(error) => tracing::warn!(%error, "topics and subscriptions cannot be looked at; again in a moment"),
            }
            if wait(&mut stop, pause).await {
                return;
            }
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
        if self.inner.options.push.is_some() {
            tracing::info!("Google pushes: nothing is to be done here");
            let _ = stop.wait_for(|stop| *stop).await;
            return;
        }
        let mut streams = JoinSet::new();
        for subscription in subscriptions {
            let at_once = Arc::new(Semaphore::new(AT_ONCE));
            let hand = Hand { bus: self.clone(), db: db.clone(), subscription: subscription.clone(), at_once };
            for ear in Ear::of(subscription) {
                streams.spawn(hand.clone().serve(ear, stop.clone()));
            }
        }
        while let Some(ended) = streams.join_next().await {
            // One that panics takes the part with it, which is started again as a whole.
            if let Err(error) = ended {
                assert!(!error.is_panic(), "a stream of the bus panicked: {error}");
            }
        }
    }
}

impl Hand {
    async fn serve(self, ear: Ear, mut stop: watch::Receiver<bool>) {
        let mut pause = FIRST_PAUSE;
        while !*stop.borrow() {
            match self.read(&ear, stop.clone(), &mut pause).await {
                Ended::Stopped => return,
                Ended::Renewed => continue,
                Ended::Gone => self.make_anew(&ear).await,
                Ended::Failed(error) => {
                    tracing::warn!(error, subscription = ear.id(), "a stream of the bus begins again");
                }
            }
            if wait(&mut stop, pause).await {
                return;
            }
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// Somebody has removed the subscription, and nobody hears of anything until it is there again.
    async fn make_anew(&self, ear: &Ear) {
        match self.bus.make_anew(std::slice::from_ref(&self.subscription)).await {
            Ok(done) if done.is_empty() => {}
            Ok(_) => tracing::error!(
                subscription = ear.id(),
                "the subscription was gone and with it whatever had not been heard: `melmastoon republish --since` that time brings it back"
            ),
            Err(error) => tracing::warn!(
                %error,
                subscription = ear.id(),
                "the subscription is gone, and nobody hears what comes until `melmastoon bus apply` makes it anew"
            ),
        }
    }

    /// Reads one stream until it ends, and waits for the stories that have begun.
    async fn read(&self, ear: &Ear, mut stop: watch::Receiver<bool>, pause: &mut Duration) -> Ended {
        let mut renewed = self.bus.inner.clients.subscribe();
        let clients = Arc::clone(&renewed.borrow_and_update());
        let mut stream = clients
            .subscriber
            .subscribe(self.bus.inner.subscription(&ear.id()))
            .set_max_outstanding_messages(HERE_AT_ONCE)
            .set_max_outstanding_bytes(BYTES_HERE)
            .set_max_lease(LONGEST_HELD)
            .set_max_lease_extension(self.bus.inner.ack_deadline())
            .build();
        let farewell = stream.shutdown_token();
        // Read by a task of its own: a stream that is being opened begins anew whenever somebody stops waiting for it.
        let (hand_on, mut inbound) = mpsc::unbounded_channel();
        let mut reader = JoinSet::new();
        reader.spawn(async move {
            while let Some(item) = stream.next().await {
                let _ = hand_on.send(item);
            }
        });
        let (over, ending) = watch::channel(false);
        let mut queues = Queues::default();
        let mut at_work: JoinSet<String> = JoinSet::new();
        let ended = loop {
            tokio::select! {
                Some(done) = at_work.join_next() => self.next(done, &mut queues, &mut at_work, ear, &ending),
                item = inbound.recv() => match item {
                    Some(Ok(arrived)) => {
                        *pause = FIRST_PAUSE;
                        self.bus.inner.is_reached(true);
                        self.begin(arrived, &mut queues, &mut at_work, ear, &ending);
                    }
                    Some(Err(error)) if code_of(&error) == Some(Code::NotFound) => break Ended::Gone,
                    Some(Err(error)) => break Ended::Failed(told(&error)),
                    None => break Ended::Failed("the stream has ended".to_owned()),
                },
                _ = renewed.changed() => break Ended::Renewed,
                _ = stop.wait_for(|stop| *stop) => break Ended::Stopped,
            }
        };
        // Nobody begins any more. What is here goes back in its order, so that it comes back in its order.
        let _ = over.send(true);
        reader.shutdown().await;
        while let Ok(Ok(arrived)) = inbound.try_recv() {
            self.begin(arrived, &mut queues, &mut at_work, ear, &ending);
        }
        while let Some(done) = at_work.join_next().await {
            self.next(done, &mut queues, &mut at_work, ear, &ending);
        }
        // What was answered is told to Google, which is not waited for longer than it deserves.
        let _ = tokio::time::timeout(PATIENCE / 5, farewell.shutdown()).await;
        ended
    }

    /// At once, or behind its key's others.
    fn begin(
        &self,
        (message, handler): (Message, Handler),
        queues: &mut Queues<Arrived>,
        at_work: &mut JoinSet<String>,
        ear: &Ear,
        ending: &watch::Receiver<bool>,
    ) {
        let key = message.ordering_key.clone();
        if let Some(first) = queues.arrives(&key, Arrived { message, handler }) {
            at_work.spawn(self.clone().work(ear.clone(), first, ending.clone()));
        }
    }

    /// The next of the key that is free now.
    fn next(
        &self,
        done: Result<String, tokio::task::JoinError>,
        queues: &mut Queues<Arrived>,
        at_work: &mut JoinSet<String>,
        ear: &Ear,
        ending: &watch::Receiver<bool>,
    ) {
        let key = done.unwrap_or_else(|error| panic!("a story's surroundings panicked: {error}"));
        if let Some(next) = queues.ended(&key) {
            at_work.spawn(self.clone().work(ear.clone(), next, ending.clone()));
        }
    }

    /// Runs the story as often as it takes, and answers for the message. Gives its key back.
    async fn work(self, ear: Ear, arrived: Arrived, mut ending: watch::Receiver<bool>) -> String {
        let Arrived { message, handler } = arrived;
        if self.settle(&ear, &message, handler.delivery_attempt().unwrap_or(1), &mut ending).await {
            handler.ack();
        } else {
            handler.nack();
        }
        message.ordering_key
    }

    /// Whether the message is settled; otherwise it goes back to Google.
    async fn settle(&self, ear: &Ear, message: &Message, delivered: i32, ending: &mut watch::Receiver<bool>) -> bool {
        let backoff = self.subscription.backoff;
        let (mut attempt, mut pause) = (delivered.max(1), FIRST_PAUSE);
        while !*ending.borrow() {
            let inbound = Inbound {
                bytes: &message.data,
                subject: ear.subject,
                sender: None,
                attempt,
                last_attempt: attempt >= backoff.attempts,
            };
            let permit = self.at_once.acquire().await;
            let outcome = receive_and_tell(&self.db, &self.subscription, inbound).await;
            drop(permit);
            let rest = match outcome {
                Ok(Told { letter: Some(letter), .. }) => return self.copy(ear, message, &letter, ending).await,
                Ok(_) => return true,
                // No attempt: nobody could have applied it.
                Err(fault) if fault.is_transient() => {
                    tracing::debug!(%fault, context = self.subscription.name, "an event waits for the database");
                    pause = (pause * 2).min(LONGEST_PAUSE);
                    pause
                }
                Err(fault) => {
                    tracing::warn!(%fault, context = self.subscription.name, subject = ear.subject, attempt, "an event is tried again later");
                    attempt = attempt.saturating_add(1);
                    backoff.pause(attempt - 1)
                }
            };
            if wait(ending, rest).await {
                return false;
            }
        }
        false
    }

    /// What is in the dead letters of the database is at Google too, for whoever watches there.
    async fn copy(
        &self,
        ear: &Ear,
        message: &Message,
        letter: &DeadLetter,
        ending: &mut watch::Receiver<bool>,
    ) -> bool {
        let words = |text: &str| text.chars().take(250).collect::<String>();
        let copy = Message::new().set_data(message.data.clone()).set_attributes([
            ("eventId", letter.event_id.clone().unwrap_or_default()),
            ("subject", words(&letter.subject)),
            ("subscription", self.subscription.name.to_owned()),
            ("code", words(&letter.code)),
            ("reason", words(&letter.error)),
            ("attempts", letter.attempts.to_string()),
        ]);
        let (mut pause, mut noes) = (FIRST_PAUSE, 0);
        loop {
            let topic = self.bus.inner.topic(&dead_letter_topic(ear.subject));
            let publisher = self.bus.inner.clients().publisher.publisher(topic).build();
            match tokio::time::timeout(PATIENCE, publisher.publish(copy.clone())).await {
                Ok(Ok(_)) => return true,
                Ok(Err(error)) => {
                    tracing::warn!(
                        error = in_full(&error),
                        subject = ear.subject,
                        "the copy of a dead letter was not taken"
                    );
                    if self.is_refused(&error).await {
                        noes += 1;
                    }
                }
                Err(_) => tracing::warn!(subject = ear.subject, "the copy of a dead letter was not answered for"),
            }
            // The letter in the database has all of it; a message that never ended would hold up its key for good.
            if noes == NOES {
                tracing::error!(
                    subject = ear.subject,
                    topic = dead_letter_topic(ear.subject),
                    "Google takes no copy of a dead letter: `melmastoon bus apply --check` says what is missing; the letter is in `melmastoon dlq list`"
                );
                return true;
            }
            if wait(ending, pause).await {
                return false;
            }
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// Whether Google has said no. Where the topic is missing, it is made anew, if we may.
    async fn is_refused(&self, error: &PublishError) -> bool {
        let PublishError::Rpc(error) = error else { return false };
        if code_of(error) == Some(Code::NotFound)
            && let Err(error) = self.bus.make_anew(std::slice::from_ref(&self.subscription)).await
        {
            tracing::warn!(%error, "the topic of dead letters is missing and cannot be made");
        }
        is_no(error)
    }
}
