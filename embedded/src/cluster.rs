//! One hotel's cluster: start, keep running, stop.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep};
use tokio_postgres::{Client, NoTls};

use crate::account::Account;
use crate::address::{Address, Login};
use crate::binaries::{BinarySearch, ServerBinaries};
use crate::error::{Doing as _, EmbeddedError};
use crate::folder::Folder;
use crate::leftovers;
use crate::postmaster::{Postmaster, Running, SUPERUSER};
use crate::settings::Purpose;

/// The login of the product and its database: no superuser, owner of the database, may make roles.
pub(crate) const PRODUCT: &str = "melmastoon";
/// A port that was free a moment ago may be taken when the server comes to it.
const START_ATTEMPTS: u32 = 3;

/// How to start a cluster.
#[derive(Debug, Clone)]
pub struct Options {
    /// The folder that holds everything; made if it is not there.
    pub data_dir: PathBuf,
    /// Where to look for the server binaries.
    pub search: BinarySearch,
    /// As root: who runs the server. None: `postgres`, else `nobody`. An existing cluster is run by its owner.
    pub run_as: Option<String>,
    /// How long the server may take until it answers, recovery after a crash included.
    pub start_limit: Duration,
}

impl Options {
    /// The usual way, on this data folder.
    pub fn new(data_dir: impl Into<PathBuf>) -> Self {
        Self {
            data_dir: data_dir.into(),
            search: BinarySearch::default(),
            run_as: None,
            start_limit: Duration::from_mins(2),
        }
    }
}

/// A running cluster. A postmaster that dies is started again at the same address. Dropped without [`Cluster::stop`], the
/// server is asked to stop, but nobody waits for it.
#[derive(Debug)]
pub struct Cluster {
    login: Login,
    superuser: Login,
    binaries: ServerBinaries,
    postmaster_pid: Arc<AtomicI32>,
    stop: oneshot::Sender<()>,
    keeper: JoinHandle<Result<(), EmbeddedError>>,
}

impl Cluster {
    /// Starts the cluster of this data folder; makes it first if there is none.
    pub async fn start(options: Options) -> Result<Self, EmbeddedError> {
        let folder = Folder::open(&options.data_dir)?;
        let lock = folder.lock()?;
        let binaries = ServerBinaries::find(&options.search, folder.made_by()?)?;
        let account = Account::for_cluster(folder.root(), options.run_as.as_deref())?;
        let postmaster = Postmaster::new(folder, binaries, account, Purpose::Hotel)?;
        let started = start(&postmaster, options.start_limit).await?;
        provide_product_database(&started).await?;
        let Started { running, login, superuser, .. } = started;

        let postmaster_pid = Arc::new(AtomicI32::new(running.pid().unwrap_or_default()));
        let (stop, stopped) = oneshot::channel();
        let binaries = postmaster.binaries.clone();
        let keeper =
            Keeper { postmaster, address: login.address().clone(), pid: Arc::clone(&postmaster_pid), _lock: lock };
        let keeper = tokio::spawn(keeper.keep(running, stopped));
        Ok(Self { login, superuser, binaries, postmaster_pid, stop, keeper })
    }

    /// The product's login on its database: owns the database, may make roles, is no superuser.
    pub fn login(&self) -> &Login {
        &self.login
    }

    /// The superuser, on the database `postgres`: for set-up alone.
    pub fn superuser(&self) -> &Login {
        &self.superuser
    }

    /// The server in use.
    pub fn binaries(&self) -> &ServerBinaries {
        &self.binaries
    }

    /// The pid of the postmaster that runs now.
    pub fn postmaster_pid(&self) -> i32 {
        self.postmaster_pid.load(Ordering::Relaxed)
    }

    /// Stops the server within ten seconds: open transactions are rolled back, everything committed is kept.
    pub async fn stop(self) -> Result<(), EmbeddedError> {
        let _ = self.stop.send(());
        // A keeper that did not come to its end has asked the server to stop when it was dropped.
        self.keeper.await.unwrap_or(Ok(()))
    }
}

/// The product's login of the cluster that runs on this data folder, for commands beside `up`.
pub async fn running(data_dir: &Path) -> Result<Login, EmbeddedError> {
    let nobody = || EmbeddedError::NotRunning(data_dir.to_path_buf());
    let folder = Folder::existing(data_dir).map_err(|_| nobody())?;
    let (_, login) = logins(&folder).ok_or_else(nobody)?;
    let (_client, _connection) = login.config().connect(NoTls).await.map_err(|_| nobody())?;
    Ok(login)
}

/// The superuser's and the product's login, as the folder's files tell them; the server need not be running.
pub(crate) fn logins(folder: &Folder) -> Option<(Login, Login)> {
    let line = std::fs::read_to_string(folder.address()).ok()?;
    let address = Address::from_line(&line, &folder.run())?;
    let superuser = Login::new(address.clone(), SUPERUSER, folder.known_password(SUPERUSER)?, SUPERUSER);
    Some((superuser, Login::new(address, PRODUCT, folder.known_password(PRODUCT)?, PRODUCT)))
}

/// A server that answers.
pub(crate) struct Started {
    pub(crate) running: Running,
    pub(crate) client: Client,
    pub(crate) superuser: Login,
    pub(crate) login: Login,
}

/// Makes the cluster if need be, ends what an earlier run left behind, and starts the server.
pub(crate) async fn start(postmaster: &Postmaster, limit: Duration) -> Result<Started, EmbeddedError> {
    let Postmaster { folder, account, .. } = postmaster;
    leftovers::end(folder).await?;
    folder.furnish(account)?;
    let superuser_password = folder.password(SUPERUSER, account)?;
    let password = folder.password(PRODUCT, account)?;
    postmaster.make_cluster().await?;
    let mut attempt = 1;
    loop {
        let address = Address::choose(&folder.run()).doing("find a free port for", folder.root())?;
        let superuser = Login::new(address.clone(), SUPERUSER, superuser_password.clone(), SUPERUSER);
        let mut running = postmaster.start(&address)?;
        match postmaster.ready(&mut running, &superuser, limit).await {
            Ok(client) => {
                let login = Login::new(address, PRODUCT, password, PRODUCT);
                return Ok(Started { running, client, superuser, login });
            }
            Err(EmbeddedError::StoppedEarly { .. })
                if matches!(address, Address::Loopback(_)) && attempt < START_ATTEMPTS =>
            {
                attempt += 1;
            }
            Err(error) => return Err(error),
        }
    }
}

/// Sees to it that the product's role and database exist.
async fn provide_product_database(started: &Started) -> Result<(), EmbeddedError> {
    provide_product_role(started).await?;
    let known = started.client.query_opt("SELECT FROM pg_database WHERE datname = $1", &[&PRODUCT]).await?;
    if known.is_none() {
        started.client.batch_execute(&format!("CREATE DATABASE {PRODUCT} OWNER {PRODUCT}")).await?;
    }
    Ok(())
}

/// Sees to it that the product's role exists.
pub(crate) async fn provide_product_role(started: &Started) -> Result<(), EmbeddedError> {
    let known = started.client.query_opt("SELECT FROM pg_roles WHERE rolname = $1", &[&PRODUCT]).await?;
    if known.is_none() {
        // Our passwords are hex digits, so there is nothing to quote.
        let password = String::from_utf8_lossy(started.login.config().get_password().unwrap_or_default()).into_owned();
        started.client.batch_execute(&format!("CREATE ROLE {PRODUCT} LOGIN CREATEROLE PASSWORD '{password}'")).await?;
    }
    Ok(())
}

/// Watches over the postmaster. The folder stays locked until the server is gone.
struct Keeper {
    postmaster: Postmaster,
    address: Address,
    pid: Arc<AtomicI32>,
    _lock: File,
}

impl Keeper {
    async fn keep(self, mut running: Running, mut stopped: oneshot::Receiver<()>) -> Result<(), EmbeddedError> {
        let mut tidy = interval(Duration::from_mins(1));
        tidy.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut since = Instant::now();
        let mut pause = SHORTEST_PAUSE;
        loop {
            let status = tokio::select! {
                // Also when the cluster was dropped without a word.
                _ = &mut stopped => return running.stop(&self.postmaster.folder).await,
                _ = tidy.tick() => {
                    self.postmaster.prune_logs();
                    continue;
                }
                status = running.end() => status,
            };
            tracing::error!(%status, "PostgreSQL ended by itself; starting it again");
            pause = if since.elapsed() > LONGEST_PAUSE * 6 { SHORTEST_PAUSE } else { (pause * 2).min(LONGEST_PAUSE) };
            running = loop {
                tokio::select! {
                    _ = &mut stopped => return Ok(()),
                    () = sleep(pause) => {}
                }
                match self.start_again().await {
                    Ok(running) => break running,
                    Err(error) => tracing::error!(%error, "PostgreSQL could not be started again"),
                }
                pause = (pause * 2).min(LONGEST_PAUSE);
            };
            since = Instant::now();
            self.pid.store(running.pid().unwrap_or_default(), Ordering::Relaxed);
        }
    }

    async fn start_again(&self) -> Result<Running, EmbeddedError> {
        leftovers::end(&self.postmaster.folder).await?;
        self.postmaster.start(&self.address)
    }
}

const SHORTEST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
