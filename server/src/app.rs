//! The wiring: what every process of the product is made of, whichever part of it runs.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use axum::Router;
use axum::middleware;
use contracts::catalogue::Context;
use housekeeping::application::opening::Profiles;
use housekeeping::application::routing_port::RoutingPort;
use housekeeping::infrastructure::planning::{BuiltInPlanner, Orchestrator};
use housekeeping::presentation::{Housekeeping, events, http};
use platform::auth::{RemoteKeys, SigningKey, Verifier};
use platform::bus::{Backoff, FaultPoint, Feed, Relay, Subscription, Tail, TailOptions, Worker};
use platform::database::DbOptions;
use platform::http::{
    Gate, Limiter, PushGate, Readiness, RouteSpec, event_routes, observe, push_routes, service_routes, time_limit,
};
use platform::telemetry::{self, PrometheusHandle};
use platform::{Clock, Db, Ids};
use tokio::sync::watch;

use crate::Failure;
use crate::config::{Config, Issuer};

/// No request takes longer than this; a stream is answered at once and then goes on.
const REQUEST_LIMIT: Duration = Duration::from_secs(30);

/// What an application is built from.
#[derive(Debug)]
pub struct Parts {
    pub database: tokio_postgres::Config,
    pub connections: usize,
    pub rate_limit: u32,
    pub verifier: Arc<Verifier>,
    pub push: PushGate,
    pub routing: Arc<dyn RoutingPort>,
    pub clock: Clock,
    pub ids: Ids,
    pub backoff: Backoff,
    pub dies_at: Option<FaultPoint>,
    /// How many live boards may be open, and how they are kept.
    pub live: TailOptions,
}

impl Parts {
    /// As configured, with the system's clock and chance.
    pub fn configured(config: &Config, database: tokio_postgres::Config) -> Result<Self, Failure> {
        let local = || -> Result<Arc<Verifier>, Failure> {
            let key = SigningKey::load_or_make(&config.signing_key_file()).map_err(Failure::Failed)?;
            Ok(Arc::new(Verifier::embedded(&key)))
        };
        let remote = |issuer: &Issuer| {
            issuer.jwks_url.as_ref().map(|url| {
                let keys = Arc::new(RemoteKeys::new(url.clone()));
                Arc::new(Verifier::remote(keys, issuer.issuer.clone(), issuer.audience.clone()))
            })
        };
        let verifier = remote(&config.jwt).map_or_else(local, Ok)?;
        let push = match remote(&config.push) {
            Some(verifier) => PushGate::Oidc { verifier, email: config.push.email.clone() },
            None if config.jwt.jwks_url.is_none() => PushGate::Local(Arc::clone(&verifier)),
            None => PushGate::Local(local()?),
        };
        Ok(Self {
            database,
            connections: config.connections,
            rate_limit: config.rate_limit,
            verifier,
            push,
            routing: match &config.routing_url {
                Some(url) => Arc::new(Orchestrator::new(url.clone())),
                None => Arc::new(BuiltInPlanner::default()),
            },
            clock: Clock::system(),
            ids: Ids::random(),
            backoff: Backoff::of(Context::Housekeeping.delivery()),
            dies_at: config.dies_at,
            live: TailOptions::default(),
        })
    }
}

/// The application, assembled and at rest.
#[derive(Debug)]
pub struct App {
    pub db: Db,
    pub relay: Arc<Relay>,
    pub worker: Arc<Worker>,
    /// What live boards listen to.
    pub tail: Tail,
    pub subscriptions: Vec<Subscription>,
    pub router: Router,
    pub routes: Vec<RouteSpec>,
    pub metrics: PrometheusHandle,
    draining: Arc<AtomicBool>,
    closing: watch::Sender<bool>,
}

impl App {
    pub fn build(parts: Parts) -> Result<Self, Failure> {
        let Parts { database, connections, rate_limit, verifier, push, routing, clock, ids, backoff, dies_at, live } =
            parts;
        let wait = Duration::from_secs(3);
        let db = Db::new(DbOptions { config: database, connections, wait, clock: clock.clone(), ids: ids.clone() })?;
        let profiles = Arc::new(Profiles::default());
        let subscriptions = vec![events::subscription(Arc::clone(&profiles))];
        let relay = Relay::new(db.clone(), vec![&housekeeping::SCHEMA], &subscriptions).dying_at(dies_at);
        let worker = Worker::new(db.clone(), subscriptions.clone(), relay.published(), backoff);

        let gate =
            Gate { verifier, limiter: Arc::new(Limiter::new(rate_limit)), clock: clock.clone(), ids: ids.clone() };
        let feed = Feed::new(db.clone(), &housekeeping::SCHEMA);
        let draining = Arc::new(AtomicBool::new(false));
        let (closing, closed) = watch::channel(false);
        let tail = Tail::new(db.clone(), relay.news(), live);
        let (boards, feed_of_boards) = (tail.clone(), feed.clone());
        let state =
            Housekeeping { db: db.clone(), profiles, routing, feed: feed_of_boards, tail: boards, closing: closed };
        let (housekeeping, mut specs) = http::routes(state, gate.clone());
        let (events, event_specs) = event_routes(gate, feed);
        specs.extend(event_specs);
        let metrics = telemetry::start_metrics();
        let readiness = Readiness { db: db.clone(), draining: Arc::clone(&draining), metrics: metrics.clone() };
        let router = Router::new()
            .merge(housekeeping)
            .merge(events)
            .merge(push_routes(db.clone(), push, subscriptions.clone()))
            .merge(service_routes(readiness))
            .layer(middleware::from_fn_with_state(REQUEST_LIMIT, time_limit))
            .layer(middleware::from_fn_with_state((clock, ids), observe));
        let (relay, worker) = (Arc::new(relay), Arc::new(worker));
        Ok(Self { db, relay, worker, tail, subscriptions, router, routes: specs, metrics, draining, closing })
    }

    /// From here on: not ready, and live boards end.
    pub fn begin_draining(&self) {
        self.draining.store(true, std::sync::atomic::Ordering::Relaxed);
        let _ = self.closing.send(true);
    }
}
