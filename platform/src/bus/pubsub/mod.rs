//! Google Pub/Sub as the bus.
//!
//! A topic for each subject, under the subject's own name, as the specification says; a subscription for each context and subject that it
//! listens to, ordered by our ordering key, with the catalogue's pauses. Workers pull, or Google pushes to `/internal/events/{subject}`. Order is
//! kept for a key within a subject: two subjects are two topics, and Pub/Sub knows no order between topics. The database stays the truth:
//! what a broker loses is published again from there.
//!
//! Google's library keeps a connection for ever once it has made it, also one that leads nowhere any more. So somebody looks every ten
//! seconds whether there is an answer, and makes everything anew when there is none.

mod consume;
mod listeners;
mod publish;
mod queues;
mod topology;

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use google_cloud_auth::credentials::{self, Credentials, anonymous};
use google_cloud_gax::error::rpc::Code;
use google_cloud_gax::retry_policy::RetryPolicyExt;
use google_cloud_pubsub::client::{BasePublisher, Subscriber, SubscriptionAdmin, TopicAdmin};
use google_cloud_pubsub::retry_policy::RetryableErrors;
use tokio::sync::watch;

use self::listeners::Listeners;
use super::Subscription;
use super::address::PubSubOptions;
use super::broker::{Broker, BrokerError, Lag, Outgoing};
use crate::Db;

/// How long a batch may take. The relay holds its transaction meanwhile, and loses it after ten seconds.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long the library tries one request again by itself; its own default would be ten minutes.
const TRIED_FOR: Duration = Duration::from_secs(4);
/// A worker that says nothing for so long has lost its message. The library says in between that it has not.
const ACK_DEADLINE: Duration = Duration::from_mins(1);
/// A connection of the library's takes a hundred requests at a time, and a stream that has nothing to tell is one all the while.
const CONNECTIONS: usize = 4;
const LOOK_EVERY: Duration = Duration::from_secs(10);

/// Everything that goes to Google from this process, over connections that are made anew when they lead nowhere.
#[derive(Clone, Debug)]
pub struct PubSub {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    options: PubSubOptions,
    credentials: Credentials,
    /// Whoever reads a stream begins again when these change.
    clients: watch::Sender<Arc<Clients>>,
    answers: AtomicBool,
    /// What is out already of batches that failed: not sent again by this process.
    taken: Mutex<HashSet<String>>,
    listeners: Listeners,
    /// One at a time makes anew what is missing.
    mending: tokio::sync::Mutex<()>,
}

#[derive(Debug)]
struct Clients {
    publisher: BasePublisher,
    subscriber: Subscriber,
    topics: TopicAdmin,
    subscriptions: SubscriptionAdmin,
}

impl Clients {
    /// Connects at the first request, and not before.
    async fn open(options: &PubSubOptions, credentials: &Credentials) -> Result<Self, BrokerError> {
        let away = |error: google_cloud_gax::client_builder::Error| BrokerError::Away(in_full(&error));
        let emulator = options.emulator.as_ref().map(|host| format!("http://{host}"));
        let endpoint = emulator.or_else(|| options.endpoint.clone());
        let tried = || RetryableErrors.with_time_limit(TRIED_FOR);
        let mut publisher = BasePublisher::builder().with_credentials(credentials.clone()).with_retry_policy(tried());
        let mut subscriber =
            Subscriber::builder().with_credentials(credentials.clone()).with_grpc_subchannel_count(CONNECTIONS);
        let mut topics = TopicAdmin::builder().with_credentials(credentials.clone()).with_retry_policy(tried());
        let mut subscriptions =
            SubscriptionAdmin::builder().with_credentials(credentials.clone()).with_retry_policy(tried());
        if let Some(endpoint) = endpoint {
            publisher = publisher.with_endpoint(&endpoint);
            subscriber = subscriber.with_endpoint(&endpoint);
            topics = topics.with_endpoint(&endpoint);
            subscriptions = subscriptions.with_endpoint(&endpoint);
        }
        Ok(Self {
            publisher: publisher.build().await.map_err(away)?,
            subscriber: subscriber.build().await.map_err(away)?,
            topics: topics.build().await.map_err(away)?,
            subscriptions: subscriptions.build().await.map_err(away)?,
        })
    }
}

impl PubSub {
    /// Begins to look for Google and does not wait for it: a hotel opens without its broker. Err: there are no credentials, or
    /// they cannot be read.
    pub async fn connect(options: &PubSubOptions) -> Result<Self, BrokerError> {
        // One kind of cryptography in the process: ours. Err: somebody has said so before.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let credentials = if options.emulator.is_some() {
            anonymous::Builder::new().build()
        } else {
            credentials::Builder::default().build().map_err(|error| {
                BrokerError::Away(format!(
                    "no credentials for Google: {}; set GOOGLE_APPLICATION_CREDENTIALS, or run where a service account is attached",
                    in_full(&error)
                ))
            })?
        };
        let clients = Clients::open(options, &credentials).await?;
        let inner = Arc::new(Inner {
            options: options.clone(),
            credentials,
            clients: watch::channel(Arc::new(clients)).0,
            answers: AtomicBool::new(false),
            taken: Mutex::default(),
            listeners: Listeners::default(),
            mending: tokio::sync::Mutex::default(),
        });
        tokio::spawn(look(Arc::downgrade(&inner), options.look_every.unwrap_or(LOOK_EVERY)));
        Ok(Self { inner })
    }
}

/// Until the last who needs it is gone.
async fn look(bus: Weak<Inner>, every: Duration) {
    while let Some(inner) = bus.upgrade() {
        inner.look().await;
        drop(inner);
        tokio::time::sleep(every).await;
    }
}

impl Inner {
    fn clients(&self) -> Arc<Clients> {
        Arc::clone(&self.clients.borrow())
    }

    /// Any answer will do, also that there is no such topic or that we may not ask.
    async fn look(&self) {
        let clients = self.clients();
        let asked = clients.topics.get_topic().set_topic(self.topic("melmastoon")).send();
        match tokio::time::timeout(PATIENCE, asked).await {
            Ok(Ok(_)) => self.is_reached(true),
            Ok(Err(error)) => self.heard(&error),
            Err(_) => self.lost(&clients).await,
        }
    }

    fn is_reached(&self, reached: bool) {
        if self.answers.swap(reached, Ordering::Relaxed) != reached {
            if reached {
                tracing::info!(project = self.options.project, "Pub/Sub answers");
            } else {
                tracing::warn!(project = self.options.project, "Pub/Sub does not answer; it is asked again and again");
            }
        }
    }

    /// An error is an answer if Google itself said it.
    fn heard(&self, error: &google_cloud_pubsub::Error) {
        self.is_reached(is_answer(error));
    }

    /// Nobody answers on these connections: others are made, once, whoever notices first.
    async fn lost(&self, clients: &Arc<Clients>) {
        self.is_reached(false);
        if !Arc::ptr_eq(clients, &self.clients()) {
            return;
        }
        match Clients::open(&self.options, &self.credentials).await {
            Ok(new) => {
                self.clients.send_replace(Arc::new(new));
            }
            Err(error) => tracing::warn!(%error, "no new connection to Pub/Sub can be made"),
        }
    }
}

fn is_answer(error: &google_cloud_pubsub::Error) -> bool {
    use google_cloud_gax::error::rpc::Code;
    let code = error.status().map(|status| status.code);
    code.is_some_and(|code| !matches!(code, Code::Unavailable | Code::DeadlineExceeded | Code::Unknown))
}

fn code_of(error: &google_cloud_pubsub::Error) -> Option<Code> {
    error.status().map(|status| status.code)
}

/// Google's own no: whoever asks again, without anything having been mended, is told the same.
fn is_no(error: &google_cloud_pubsub::Error) -> bool {
    let noes = [Code::NotFound, Code::PermissionDenied, Code::InvalidArgument, Code::FailedPrecondition];
    code_of(error).is_some_and(|code| noes.contains(&code))
}

/// What Google said; where it said nothing, what is between us.
fn told(error: &google_cloud_pubsub::Error) -> String {
    if error.status().is_some() { error.to_string() } else { in_full(error) }
}

/// An error with what caused it.
fn in_full(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let said = cause.to_string();
        if !text.contains(&said) {
            text = format!("{text}: {said}");
        }
        next = cause.source();
    }
    text
}

impl Broker for PubSub {
    fn name(&self) -> &'static str {
        "PubSub"
    }

    fn publish<'a>(&'a self, batch: &'a [Outgoing]) -> BoxFuture<'a, Result<(), BrokerError>> {
        self.publish_in_order(batch).boxed()
    }

    fn heard_by(&self, subscriptions: &[Subscription]) {
        self.inner.listeners.expect(subscriptions);
    }

    fn apply<'a>(&'a self, subscriptions: &'a [Subscription]) -> BoxFuture<'a, Result<Vec<String>, BrokerError>> {
        self.reconcile(subscriptions, true).boxed()
    }

    fn drift<'a>(&'a self, subscriptions: &'a [Subscription]) -> BoxFuture<'a, Result<Vec<String>, BrokerError>> {
        self.reconcile(subscriptions, false).boxed()
    }

    /// Nothing: Pub/Sub keeps no count that it would tell. See `remarks`.
    fn lag<'a>(&'a self, _: &'a [Subscription]) -> BoxFuture<'a, Result<Vec<Lag>, BrokerError>> {
        async { Ok(Vec::new()) }.boxed()
    }

    fn remarks<'a>(&'a self, subscriptions: &'a [Subscription]) -> BoxFuture<'a, Result<Vec<String>, BrokerError>> {
        self.states(subscriptions).boxed()
    }

    fn deliver<'a>(
        &'a self,
        db: &'a Db,
        subscriptions: &'a [Subscription],
        stop: watch::Receiver<bool>,
    ) -> BoxFuture<'a, ()> {
        self.hand_out(db, subscriptions, stop).boxed()
    }

    fn answers(&self) -> bool {
        self.inner.answers.load(Ordering::Relaxed)
    }
}
