//! Pools of connections, one for each role that the process works as.

use std::sync::Arc;
use std::time::Duration;

use contracts::ids::TenantId;
use deadpool::managed::{self, Metrics, RecycleError, RecycleResult, TimeoutType};
use deadpool_postgres::{Manager, ManagerConfig, Object, Pool, PoolError, RecyclingMethod, Runtime};
use tokio::sync::Notify;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::line::Line;
use super::tls::unreachable;
use super::{DatabaseAddress, DbRole, Fault, Schema, UnitOfWork};
use crate::{Clock, Ids, RequestContext};

/// How to reach the database and how hard to use it.
#[derive(Clone, Debug)]
pub struct DbOptions {
    /// A login that may become each of the roles.
    pub address: DatabaseAddress,
    /// Connections for the application's role; the relay, the worker and the operator have a few of their own.
    pub connections: usize,
    /// How long a request waits for a free connection before it is told to come again.
    pub wait: Duration,
    pub clock: Clock,
    pub ids: Ids,
}

/// The database as the process sees it. `begin` is the only door for the application.
#[derive(Clone, Debug)]
pub struct Db {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    app: managed::Pool<Switchboard>,
    /// For the stories that the embedded bus tells: see [`Db::for_the_bus`].
    listeners: managed::Pool<Switchboard>,
    relay: Pool,
    worker: Pool,
    operator: Pool,
    address: DatabaseAddress,
    clock: Clock,
    ids: Ids,
    /// Rung at every commit that owes events, so that the relay need not wait for its next look.
    committed: Arc<Notify>,
}

/// What the embedded bus writes need not be on the disk when it is said to be. The server writes its own log in order: a crash that takes away
/// what a story changed takes away the note that the event was applied as well, and the event is handed out again; whatever others built upon
/// the story and waited for took it to the disk with it.
const UNHURRIED: &str = "-c synchronous_commit=off";
/// Deliveries come and go by the thousand between two vacuums. A plain scan of their index marks what it finds dead, and the next one passes by; a bitmap
/// of it never marks anything, and visits all of them again at every claim. And each claim is planned for as many as there are: a plan made while nothing
/// waited compares every waiting one with every other, and was kept for the day when thousands wait. Nothing of it is compiled: a claim among many is
/// thought to cost so much that the server would, for half a second each time.
const PAST_THE_DEAD: &str = "-c enable_bitmapscan=off -c plan_cache_mode=force_custom_plan -c jit=off";
/// Connections for the stories of the bus: enough for three contexts that each tell as many at once as they may, so that one whose stories stand
/// still keeps none from another. They are opened when they are needed.
const LISTENERS: usize = 3 * crate::bus::AT_ONCE;

/// How long what was sent may go unanswered by the other machine's network, and how it is asked whether it is still there. One that vanishes without a word
/// (power, a cable, a failover that takes its address along) is given up after that and not when TCP does, a quarter of an hour later. A server that
/// is merely slow answers such questions all the same.
const UNANSWERED: Duration = Duration::from_secs(20);
const ASKED_EVERY: Duration = Duration::from_secs(5);
const ASKED_AGAIN: u32 = 3;

const CREATE_TIMEOUT: Duration = Duration::from_secs(5);

/// Connects the application's units of work with the database.
#[derive(Debug)]
pub(crate) struct Switchboard {
    address: DatabaseAddress,
}

/// A line that goes back to the switchboard when it is dropped.
pub(crate) type Connection = managed::Object<Switchboard>;

impl managed::Manager for Switchboard {
    type Type = Line;
    type Error = Fault;

    async fn create(&self) -> Result<Line, Fault> {
        // Dialling takes much room and happens seldom: it is kept out of the future of every request.
        Box::pin(Line::open(&self.address)).await
    }

    async fn recycle(&self, line: &mut Line, _: &Metrics) -> RecycleResult<Fault> {
        if line.is_usable() { Ok(()) } else { Err(RecycleError::message("the line is gone")) }
    }
}

impl Db {
    pub fn new(options: DbOptions) -> Result<Self, Fault> {
        let patient = options.wait.max(Duration::from_secs(10));
        let as_app = as_role(&options.address, DbRole::App);
        let listeners = lines(as_app.clone().also(UNHURRIED), LISTENERS, patient)?;
        let app = lines(as_app, options.connections, options.wait)?;
        let as_relay = as_role(&options.address, DbRole::Relay);
        let worker = clients(as_relay.clone().also(UNHURRIED).also(PAST_THE_DEAD), 4, patient)?;
        let relay = clients(as_relay, 4, patient)?;
        let operator = clients(as_role(&options.address, DbRole::Operator), 2, patient)?;
        let DbOptions { address, clock, ids, .. } = options;
        let committed = Arc::new(Notify::new());
        Ok(Self { inner: Arc::new(Inner { app, listeners, relay, worker, operator, address, clock, ids, committed }) })
    }

    pub fn clock(&self) -> &Clock {
        &self.inner.clock
    }

    pub fn ids(&self) -> &Ids {
        &self.inner.ids
    }

    /// The same database at another time: for telling what happened when it happened, as the demo does.
    #[must_use]
    pub fn at(&self, clock: Clock) -> Self {
        self.with(self.inner.app.clone(), clock)
    }

    /// The same database for the stories that the embedded bus tells: with connections of their own, so that they and those who ask over HTTP
    /// keep nobody waiting, and without waiting for the disk.
    #[must_use]
    pub(crate) fn for_the_bus(&self) -> Self {
        self.with(self.inner.listeners.clone(), self.inner.clock.clone())
    }

    fn with(&self, app: managed::Pool<Switchboard>, clock: Clock) -> Self {
        let Inner { listeners, relay, worker, operator, address, ids, committed, .. } = &*self.inner;
        let inner = Inner {
            app,
            listeners: listeners.clone(),
            relay: relay.clone(),
            worker: worker.clone(),
            operator: operator.clone(),
            address: address.clone(),
            clock,
            ids: ids.clone(),
            committed: Arc::clone(committed),
        };
        Self { inner: Arc::new(inner) }
    }

    /// Rung after every commit that owes events.
    pub fn committed(&self) -> Arc<Notify> {
        Arc::clone(&self.inner.committed)
    }

    /// Opens a unit of work for one tenant. Nothing is sent until the first read.
    pub async fn begin(&self, schema: &'static Schema, context: RequestContext) -> Result<UnitOfWork, Fault> {
        let connection = self.inner.app.get().await.map_err(no_line)?;
        Ok(UnitOfWork::new(connection, self.clone(), schema, context))
    }

    /// A unit of work that only reads, with nobody in particular asking.
    pub async fn begin_for(&self, schema: &'static Schema, tenant: &TenantId) -> Result<UnitOfWork, Fault> {
        let context = RequestContext {
            tenant: tenant.clone(),
            actor: contracts::actor::Actor::system("sys_melmastoon"),
            correlation_id: format!("req_{}", self.ids().ulid(self.clock().now())),
            causation_id: None,
            traceparent: crate::telemetry::new_traceparent(self.ids()),
            locale: None,
        };
        self.begin(schema, context).await
    }

    /// Reads as one tenant, with nobody in particular asking, and gives the connection back clean.
    pub async fn read<T, E, F>(&self, schema: &'static Schema, tenant: &TenantId, look: F) -> Result<T, E>
    where
        E: From<Fault>,
        F: AsyncFnOnce(&mut UnitOfWork) -> Result<T, E>,
    {
        let mut uow = self.begin_for(schema, tenant).await?;
        let seen = look(&mut uow).await?;
        uow.rollback().await?;
        Ok(seen)
    }

    /// A connection as the relay's role: the outboxes of all tenants and the bus, nothing else.
    pub(crate) async fn relay(&self) -> Result<Object, Fault> {
        self.inner.relay.get().await.map_err(unavailable)
    }

    /// The same role for the worker's claims, from a pool of their own: a busy relay does not hold up what is to be heard.
    pub(crate) async fn worker(&self) -> Result<Object, Fault> {
        self.inner.worker.get().await.map_err(unavailable)
    }

    /// A connection as the operator's role, kept open: for what asks several times a second who has something due.
    pub async fn operator(&self) -> Result<Object, Fault> {
        self.inner.operator.get().await.map_err(unavailable)
    }

    /// A connection of its own as any role, for operators' commands and maintenance.
    pub async fn connect_as(&self, role: DbRole) -> Result<tokio_postgres::Client, Fault> {
        connect(as_role(&self.inner.address, role)).await
    }

    /// Listens to a channel of the database on a connection of its own: whatever any process says there with `pg_notify`. From here
    /// on nothing is missed until the words end. Err: nobody listens.
    pub async fn listen(&self, channel: &str) -> Result<Words, Fault> {
        let (heard, words) = unbounded_channel();
        let DatabaseAddress { config, tls } = as_role(&self.inner.address, DbRole::App);
        let client = tls.dial_to_listen(config, heard).await.map_err(|error| unreachable(&error))?;
        let listening = client.batch_execute(&format!("LISTEN {channel}")).await;
        listening.map_err(|error| Fault::from_postgres("listen", &error))?;
        Ok(Words { words, _client: client })
    }

    /// Whether the database answers, for `/readyz`.
    pub async fn ping(&self) -> Result<(), Fault> {
        let mut line = self.inner.app.get().await.map_err(no_line)?;
        let mut batch = line.batch();
        let asked = batch.say("SELECT 1");
        asked.map_err(|error| Fault::from_line("ping", &error))?;
        let answers = line.send(batch).await.map_err(|error| Fault::from_line("ping", &error))?;
        answers.refused.map_or(Ok(()), |(_, error)| Err(Fault::from_line("ping", &error)))
    }
}

/// What is said on a channel, as long as the connection lasts.
#[derive(Debug)]
pub struct Words {
    words: UnboundedReceiver<String>,
    _client: tokio_postgres::Client,
}

impl Words {
    /// The next word; `None`: the connection is gone, and with it whatever was said since.
    pub async fn next(&mut self) -> Option<String> {
        self.words.recv().await
    }
}

/// Connects once; the connection's own work runs in a task that ends with the client.
pub async fn connect(address: impl Into<DatabaseAddress>) -> Result<tokio_postgres::Client, Fault> {
    let DatabaseAddress { config, tls } = address.into();
    let (client, _) = tls.dial(config).await.map_err(|error| unreachable(&error))?;
    Ok(client)
}

fn as_role(address: &DatabaseAddress, role: DbRole) -> DatabaseAddress {
    let DatabaseAddress { mut config, tls } = address.clone();
    // The role is part of the connection: RESET ROLE falls back to it and not to the login.
    // Generic plans: planning over many partitions costs far more than it saves.
    let mut options = format!("-c role={} -c timezone=UTC -c lock_timeout=10s", role.name());
    if role == DbRole::App {
        options.push_str(" -c plan_cache_mode=force_generic_plan -c statement_timeout=20s");
        options.push_str(" -c idle_in_transaction_session_timeout=30s");
    }
    if role == DbRole::Relay {
        // A relay that stands still in its transaction holds the lock of all relays: the server takes it away.
        options.push_str(" -c idle_in_transaction_session_timeout=10s");
        // One context's tables that are locked, by a migration perhaps, hold up the other contexts no longer than this.
        options.push_str(" -c lock_timeout=2s");
    }
    config.options(options).application_name(format!("melmastoon {}", role.name()));
    config.connect_timeout(Duration::from_secs(5)).keepalives_idle(Duration::from_secs(30));
    // What the address says itself stays as it says.
    if config.get_tcp_user_timeout().is_none() {
        config.tcp_user_timeout(UNANSWERED);
    }
    if config.get_keepalives_interval().is_none() {
        config.keepalives_interval(ASKED_EVERY);
    }
    if config.get_keepalives_retries().is_none() {
        config.keepalives_retries(ASKED_AGAIN);
    }
    DatabaseAddress { config, tls }
}

impl DatabaseAddress {
    /// With one more setting for every connection.
    fn also(mut self, setting: &str) -> Self {
        let options = format!("{} {setting}", self.config.get_options().unwrap_or_default());
        self.config.options(options);
        self
    }
}

fn lines(address: DatabaseAddress, size: usize, wait: Duration) -> Result<managed::Pool<Switchboard>, Fault> {
    pool_of(Switchboard { address }, size, wait)
}

fn clients(address: DatabaseAddress, size: usize, wait: Duration) -> Result<Pool, Fault> {
    let DatabaseAddress { config, tls } = address;
    pool_of(Manager::from_connect(config, tls, ManagerConfig { recycling_method: RecyclingMethod::Fast }), size, wait)
}

fn pool_of<M: managed::Manager>(manager: M, size: usize, wait: Duration) -> Result<managed::Pool<M>, Fault> {
    managed::Pool::builder(manager)
        .max_size(size)
        .wait_timeout(Some(wait))
        .create_timeout(Some(CREATE_TIMEOUT))
        .runtime(Runtime::Tokio1)
        .build()
        .map_err(|error| Fault::Unavailable(error.to_string()))
}

fn unavailable(error: PoolError) -> Fault {
    match error {
        PoolError::Timeout(deadpool_postgres::TimeoutType::Wait) => Fault::Exhausted,
        PoolError::Backend(error) => match unreachable(&error) {
            Fault::Unexpected { detail, .. } => Fault::Unavailable(detail),
            other => other,
        },
        other => Fault::Unavailable(other.to_string()),
    }
}

fn no_line(error: managed::PoolError<Fault>) -> Fault {
    match error {
        managed::PoolError::Timeout(TimeoutType::Wait) => Fault::Exhausted,
        managed::PoolError::Backend(Fault::Unexpected { detail, .. }) => Fault::Unavailable(detail),
        managed::PoolError::Backend(fault) => fault,
        other => Fault::Unavailable(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patience(address: &str, role: DbRole) -> (Option<Duration>, Option<Duration>, Option<u32>) {
        let config = as_role(&address.parse().expect("an address"), role).config;
        (config.get_tcp_user_timeout().copied(), config.get_keepalives_interval(), config.get_keepalives_retries())
    }

    #[test]
    fn a_machine_that_vanishes_is_given_up_soon_by_every_role_and_after_what_the_address_says() {
        let own = "postgres://db/hotel?tcp_user_timeout=7&keepalives_interval=8&keepalives_retries=9";
        let seconds = |seconds| Some(Duration::from_secs(seconds));
        for role in [DbRole::Owner, DbRole::App, DbRole::Relay, DbRole::Operator] {
            assert_eq!(patience("postgres://db/hotel", role), (seconds(20), seconds(5), Some(3)), "{role:?}");
            assert_eq!(patience(own, role), (seconds(7), seconds(8), Some(9)), "{role:?}");
        }
    }
}
