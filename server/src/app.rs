//! The wiring: what every process of the product is made of, whichever part of it runs.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use axum::Router;
use axum::middleware;
use housekeeping::infrastructure::planning::{BuiltInPlanner, Orchestrator};
use platform::auth::{Broker, RemoteKeys, Secrets, SigningKey, Verifier};
use platform::bus::{
    Backoff, Broker as EventBroker, BrokerError, FaultPoint, Feed, Nats, Relay, Subscription, Tail, TailOptions, Worker,
};
use platform::database::{DatabaseAddress, DbOptions};
use platform::http::{
    Edge, Gate, GateKeeper, Limiter, OwnPages, Pinged, PushGate, Readiness, RouteSpec, Strangers, around, event_routes,
    monitor_routes, openapi_document, push_routes, service_routes,
};
use platform::parts::Roster;
use platform::personal::ArchiveDoor;
use platform::telemetry::{self, PrometheusHandle};
use platform::ticks::{Tick, Ticker};
use platform::webhooks::{WebhookOptions, Webhooks, webhook_routes};
use platform::{Clock, Db, Ids, Setting, SharedCache};
use tokio::sync::watch;

use crate::archiving::Shelves;
use crate::config::Config;
use crate::web::{self, WebParts};
use crate::{Failure, contexts};

/// What an application is built from.
pub struct Parts {
    pub database: DatabaseAddress,
    pub connections: usize,
    pub rate_limit: u32,
    pub edge: Edge,
    pub verifier: Arc<Verifier>,
    /// The installation's own: the key of its tokens, and what its PINs are hashed with.
    pub secrets: Secrets,
    pub push: PushGate,
    /// All of the installation: each is listened for, whoever pushes here.
    pub contexts: Vec<platform::Context>,
    /// Whose routes are served; `None`: everybody's.
    pub served: Option<Vec<String>>,
    pub clock: Clock,
    pub ids: Ids,
    /// In place of the catalogue's.
    pub backoff: Option<Backoff>,
    pub dies_at: Option<FaultPoint>,
    /// How many live boards may be open, and how they are kept.
    pub live: TailOptions,
    /// Where old months go; `None`: they stay.
    pub archive: Option<crate::archiving::Place>,
    /// What our own pages need.
    pub web: WebParts,
    /// `None`: the bus is in the database.
    pub broker: Option<Arc<dyn EventBroker>>,
    pub webhooks: WebhookOptions,
    /// `None`: boards come from the database.
    pub cache: Option<SharedCache>,
}

impl std::fmt::Debug for Parts {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Parts").field("contexts", &self.contexts).finish_non_exhaustive()
    }
}

impl Parts {
    /// As configured, with the system's clock and chance.
    pub fn configured(config: &Config, database: DatabaseAddress) -> Result<Self, Failure> {
        let key = SigningKey::load_or_make(&config.signing_key_file()).map_err(Failure::Failed)?;
        let secrets = Secrets::load_or_make(key.clone(), &config.pin_secret_file()).map_err(Failure::Failed)?;
        let local = || Arc::new(Verifier::embedded(&key));
        if let Some(skew) = config.skew {
            tracing::warn!(?skew, "this process has a wrong clock, as MELMASTOON_FAULT asks");
        }
        let keys_at = |url: &str| {
            if url.starts_with("http://") {
                tracing::warn!(
                    "the issuer's keys come unencrypted: whoever is on the way can put their own in; use https://"
                );
            }
            RemoteKeys::new(url.to_owned())
        };
        let verifier = match &config.jwt {
            Some(jwt) => {
                let keys = keys_at(&jwt.jwks_url);
                Arc::new(Verifier::remote(keys, jwt.issuer.clone(), jwt.audience.clone()).and_pins(&key))
            }
            None => local(),
        };
        let push = match &config.push.broker {
            Some(broker) => {
                let of = &broker.issuer;
                let keys = keys_at(&of.jwks_url);
                PushGate::oidc(Broker::new(keys, of.issuer.clone(), of.audience.clone(), broker.email.clone()))
            }
            None if config.jwt.is_none() => PushGate::local(Arc::clone(&verifier)),
            None => PushGate::local(local()),
        };
        let push = push.through(config.push.subscriptions.clone());
        Ok(Self {
            database,
            connections: config.connections,
            rate_limit: config.rate_limit,
            edge: Edge { cors_origins: config.cors_origins(), ..Edge::default() },
            verifier,
            secrets,
            push,
            contexts: contexts::all(match &config.routing_url {
                Some(url) => Arc::new(Orchestrator::new(url.clone())),
                None => Arc::new(BuiltInPlanner::default()),
            }),
            served: None,
            clock: config.clock(),
            ids: Ids::random(),
            backoff: None,
            dies_at: config.dies_at,
            live: TailOptions::default(),
            archive: config.archive.clone(),
            web: WebParts { public_url: config.public_url.clone(), ..WebParts::default() },
            broker: None,
            webhooks: WebhookOptions {
                private_allowed: config.webhook_allow_private,
                root_certificates: config.webhook_ca.clone(),
            },
            cache: config.cache.clone(),
        })
    }

    /// The same with the broker that is configured: it is looked for, and not waited for.
    pub async fn connected(config: &Config, database: DatabaseAddress) -> Result<Self, Failure> {
        let broker = broker_of(config).await.map_err(|error| Failure::Usage(format!("MELMASTOON_BUS: {error}")))?;
        Ok(Self { broker, ..Self::configured(config, database)? })
    }
}

/// The broker that is configured; `None`: the bus is in the database.
async fn broker_of(config: &Config) -> Result<Option<Arc<dyn EventBroker>>, BrokerError> {
    if let Some(options) = &config.nats {
        return Ok(Some(Arc::new(Nats::connect(options).await?)));
    }
    #[cfg(feature = "pubsub")]
    if let Some(options) = &config.pubsub {
        return Ok(Some(Arc::new(platform::bus::PubSub::connect(options).await?)));
    }
    Ok(None)
}

/// The application, assembled and at rest.
pub struct App {
    pub db: Db,
    /// What tokens are signed and PINs are hashed with.
    pub secrets: Secrets,
    /// `None`: the bus is in the database.
    pub broker: Option<Arc<dyn EventBroker>>,
    pub relay: Arc<Relay>,
    pub worker: Arc<Worker>,
    pub ticker: Arc<Ticker>,
    pub webhooks: Arc<Webhooks>,
    /// `None`: boards come from the database.
    pub cache: Option<SharedCache>,
    /// What `/openapi.json` says.
    pub openapi: Arc<serde_json::Value>,
    /// What live boards listen to.
    pub tail: Tail,
    pub subscriptions: Vec<Subscription>,
    pub router: Router,
    /// What a process answers that serves nobody but monitors.
    pub monitors: Router,
    pub routes: Vec<RouteSpec>,
    pub metrics: PrometheusHandle,
    /// The parts that run in this process; whoever runs them says so here.
    pub roster: Roster,
    draining: Arc<AtomicBool>,
    closing: watch::Sender<bool>,
}

impl std::fmt::Debug for App {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("App").field("subscriptions", &self.subscriptions).finish_non_exhaustive()
    }
}

impl App {
    #[expect(
        clippy::too_many_lines,
        reason = "the one place where everything of a process is put together, step by step"
    )]
    pub fn build(parts: Parts) -> Result<Self, Failure> {
        let Parts {
            database,
            connections,
            rate_limit,
            edge,
            verifier,
            secrets,
            push,
            contexts,
            served,
            clock,
            ids,
            backoff,
            dies_at,
            live,
            archive,
            web,
            broker,
            webhooks: webhook_options,
            cache,
        } = parts;
        let Some(first) = contexts.first() else { return Err(Failure::Usage("no context is to be served".to_owned())) };
        let wait = Duration::from_secs(3);
        let db = Db::new(DbOptions { address: database, connections, wait, clock: clock.clone(), ids: ids.clone() })?;
        let (limiter, voided) = (Arc::new(Limiter::new(rate_limit)), contexts::voided(&db));
        let pages = OwnPages { public: web.public_url.clone() };
        let kept = secrets.clone();
        let keeper = GateKeeper { verifier, secrets, voided, limiter, clock: clock.clone(), ids: ids.clone(), pages };
        let gate = Gate::from(keeper);
        let feed = Feed::new(db.clone(), first.schema);
        let draining = Arc::new(AtomicBool::new(false));
        let (closing, closed) = watch::channel(false);
        let (news, newest) = watch::channel(0);
        let tail = Tail::new(db.clone(), newest, live);
        let setting = Setting {
            db: db.clone(),
            gate: gate.clone(),
            feed: feed.clone(),
            tail: tail.clone(),
            cache: cache.clone(),
            archive: ArchiveDoor(Arc::new(Shelves::new(db.clone(), archive.clone()))),
            closing: closed,
        };
        let (mut subscriptions, mut router, mut specs) = (Vec::new(), Router::new(), Vec::new());
        let mut ticks = own_ticks(archive);
        for context in &contexts {
            let mut at_work = (context.begin)(&setting);
            at_work.subscription.backoff = backoff.unwrap_or(at_work.subscription.backoff);
            subscriptions.push(at_work.subscription);
            ticks.extend(at_work.ticks);
            if served.as_ref().is_none_or(|names| names.iter().any(|name| name == context.name)) {
                router = router.merge(at_work.served.router);
                specs.extend(at_work.served.specs);
            }
        }
        let schemas: Vec<_> = contexts.iter().map(|context| context.schema).collect();
        let relay =
            Relay::new(db.clone(), schemas.clone()).telling(news).dying_at(dies_at).watching(subscriptions.clone());
        let relay = match &broker {
            Some(broker) => {
                broker.heard_by(&subscriptions);
                relay.through(Arc::clone(broker))
            }
            None => relay,
        };
        let worker = Worker::new(db.clone(), subscriptions.clone(), relay.published());
        let ticker = Ticker::new(db.clone(), ticks);
        let sessions = web::session_routes(db.clone(), gate.clone(), web.with_pins_over(&router));
        let webhooks = Webhooks::new(db.clone(), &webhook_options, relay.published())
            .map_err(|error| Failure::Usage(format!("MELMASTOON_WEBHOOK_CA: {error}")))?;
        let hooks = webhook_routes(gate.clone(), db.clone(), first.schema, &webhook_options);
        let events = event_routes(gate, feed);
        specs.extend(events.specs);
        specs.extend(hooks.specs);
        let document = Arc::new(openapi_document(env!("CARGO_PKG_VERSION"), &specs, &examples()));
        let metrics = telemetry::start_metrics();
        platform::begin_counting(&subscriptions, &schemas, &ticker.names());
        let (running, pinged) = (Roster::default(), Pinged::default());
        let (parts, handle) = (running.clone(), metrics.clone());
        let readiness = Readiness {
            db: db.clone(),
            parts,
            draining: Arc::clone(&draining),
            metrics: handle,
            pinged,
            broker: broker.clone(),
        };
        let monitors = around(monitor_routes(readiness.clone()), Edge::default(), clock.clone(), ids.clone());
        // What monitors ask is outside: they have no token, and must not be taken for a flood.
        let router = router
            .merge(events.router)
            .merge(hooks.router)
            .merge(push_routes(db.clone(), push, subscriptions.clone()))
            .merge(sessions)
            .layer(middleware::from_fn_with_state(Strangers::new(clock.clone()), Strangers::slow_down))
            .merge(service_routes(readiness, &document))
            .merge(web::page_routes());
        let router = around(router, edge, clock, ids);
        let (relay, worker, ticker) = (Arc::new(relay), Arc::new(worker), Arc::new(ticker));
        let webhooks = Arc::new(webhooks);
        Ok(Self {
            db,
            secrets: kept,
            broker,
            relay,
            worker,
            ticker,
            webhooks,
            cache,
            tail,
            openapi: document,
            subscriptions,
            router,
            monitors,
            routes: specs,
            metrics,
            roster: running,
            draining,
            closing,
        })
    }

    /// Makes known what this release listens to. Every process does so when it starts.
    pub async fn register(&self) -> Result<(), Failure> {
        let new = platform::bus::register(&self.db, &self.subscriptions).await?;
        if new > 0 {
            tracing::info!(new, "subjects are listened to from here on");
        }
        Ok(())
    }

    /// Says loudly where this machine's key or PIN secret is another one than the hotel's; whoever serves first notes theirs. Nobody is stopped:
    /// a machine that has lost its files opens.
    pub async fn compare_secrets(&self) {
        let (db, secrets) = (&self.db, &self.secrets);
        let compared = async {
            platform::auth::note_secrets(db, secrets).await?;
            platform::auth::differing_secrets(db, secrets).await
        };
        match compared.await {
            Ok(differing) if differing.is_empty() => {}
            Ok(differing) => {
                let files = differing.join(" and ");
                tracing::error!(
                    files,
                    "this machine has other secrets than the hotel: tokens or PINs from elsewhere are refused here; copy these files from the machine that was first, or run `melmastoon doctor --adopt-secrets` where they are lost"
                );
            }
            Err(fault) => tracing::warn!(%fault, "the secrets of this machine were not compared with the hotel's"),
        }
    }

    /// From here on: not ready, and live boards end.
    pub fn begin_draining(&self) {
        self.draining.store(true, std::sync::atomic::Ordering::Relaxed);
        let _ = self.closing.send(true);
    }
}

/// What happens by itself and is no context's.
fn own_ticks(archive: Option<crate::archiving::Place>) -> Vec<Tick> {
    let hour = Duration::from_hours(1);
    vec![
        Tick::new(contexts::LOG_RETENTION, hour, platform::retention::keep_the_log_short),
        crate::archiving::tick(archive),
    ]
}

/// A request and an answer for each route, as they really were: a test tells a day of a hotel through all of them and keeps
/// the first of each.
fn examples() -> serde_json::Value {
    serde_json::from_str(include_str!("../openapi/examples.json")).unwrap_or_default()
}
