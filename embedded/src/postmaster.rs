//! Making a cluster and running its postmaster.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use nix::sys::signal::Signal;
use tokio::process::{Child, Command};
use tokio::time::{Instant, sleep, timeout};
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, NoTls};

use crate::account::Account;
use crate::address::{Address, Login};
use crate::binaries::ServerBinaries;
use crate::error::{Doing as _, EmbeddedError};
use crate::folder::{Folder, write_private};
use crate::leftovers::{self, signal};
use crate::settings::{FOUND_BY_INITDB, Purpose, authentication, server_settings};

/// The login `initdb` makes: for set-up alone.
pub(crate) const SUPERUSER: &str = "postgres";

const INITDB_LIMIT: Duration = Duration::from_mins(2);
/// Stopping takes ten seconds at most, all steps together.
const FAST_STOP: Duration = Duration::from_secs(6);
const IMMEDIATE_STOP: Duration = Duration::from_secs(2);
const KILL: Duration = Duration::from_secs(1);

/// How the server's user gets to the folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// By its path.
    Open,
    /// Some folder above is closed to the user. We, being root, open the cluster's folder and hand it over as a file
    /// descriptor: the user gets into this one folder and nowhere else.
    HandedOver,
}

/// The handed-over folder as the server sees it.
const HANDED_OVER: &str = "/proc/self/fd/9";

/// Everything needed to make a cluster and to start its postmaster, any number of times.
#[derive(Debug, Clone)]
pub(crate) struct Postmaster {
    pub(crate) folder: Folder,
    pub(crate) binaries: ServerBinaries,
    pub(crate) account: Account,
    pub(crate) purpose: Purpose,
    way: Way,
}

impl Postmaster {
    pub(crate) fn new(
        folder: Folder,
        binaries: ServerBinaries,
        account: Account,
        purpose: Purpose,
    ) -> Result<Self, EmbeddedError> {
        let way = match account.closed_folder_on_the_way_to(folder.data_dir()) {
            None => Way::Open,
            Some(_) if Path::new("/proc/self/fd").is_dir() => Way::HandedOver,
            Some(ancestor) => {
                return Err(EmbeddedError::OutOfReach {
                    data_dir: folder.data_dir().into(),
                    account: account.name().into(),
                    ancestor,
                });
            }
        };
        Ok(Self { folder, binaries, account, purpose, way })
    }

    /// Makes the cluster unless it is there. What a killed `initdb` left behind is wiped.
    pub(crate) async fn make_cluster(&self) -> Result<(), EmbeddedError> {
        if let Some(made_by) = self.folder.made_by()? {
            let found = self.binaries.major();
            return if made_by == found {
                Ok(())
            } else {
                Err(EmbeddedError::OtherMajor { data: self.folder.data(), made_by, found })
            };
        }
        self.folder.wipe_parts()?;
        let part = self.folder.new_part()?;
        // Sorted by bytes; upper and lower case as Unicode has it, where the C library knows that locale.
        match self.initdb(&part, "C.UTF-8").await {
            Err(EmbeddedError::NotMade { output, .. }) if output.contains("locale") => {
                self.folder.wipe_parts()?;
                self.initdb(&part, "C").await?;
            }
            made => made?,
        }
        let found = part.join(FOUND_BY_INITDB);
        std::fs::rename(part.join("postgresql.conf"), &found).doing("write", &found)?;
        std::fs::rename(&part, self.folder.data()).doing("complete", self.folder.data())?;
        let root = File::open(self.folder.root()).doing("open", self.folder.root())?;
        root.sync_all().doing("write", self.folder.root())
    }

    async fn initdb(&self, part: &Path, ctype: &str) -> Result<(), EmbeddedError> {
        let mut initdb = self.command("initdb", "-D", part)?;
        initdb
            .arg("--pwfile")
            .arg(self.seen(&self.folder.password_of(SUPERUSER)))
            .args(["-U", SUPERUSER, "--auth=scram-sha-256", "--encoding=UTF8", "--no-instructions"])
            .args(["--locale=C", &format!("--lc-ctype={ctype}")])
            .arg(match self.purpose {
                Purpose::Hotel => "--data-checksums",
                #[cfg(feature = "testing")]
                Purpose::Tests => "--no-sync",
            })
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        let output = timeout(INITDB_LIMIT, initdb.output())
            .await
            .map_err(|_| std::io::Error::from(std::io::ErrorKind::TimedOut))
            .flatten()
            .doing("run", self.binaries.program("initdb"))?;
        if output.status.success() {
            return Ok(());
        }
        let said = format!("{}\n{}", String::from_utf8_lossy(&output.stderr), String::from_utf8_lossy(&output.stdout));
        Err(EmbeddedError::NotMade { folder: part.into(), output: one_line(&said) })
    }

    /// Starts the postmaster, listening at `address`.
    pub(crate) fn start(&self, address: &Address) -> Result<Running, EmbeddedError> {
        let data = self.folder.data();
        let settings = server_settings(self.purpose, address, &self.seen(&self.folder.run()));
        write_private(&data.join("postgresql.conf"), &settings, &self.account)?;
        write_private(&data.join("pg_hba.conf"), authentication(self.purpose), &self.account)?;
        write_private(&self.folder.address(), &address.to_line(), &self.account)?;
        self.prune_logs();

        let first_words = self.folder.first_words();
        write_private(&first_words, "", &self.account)?;
        let log = File::options().append(true).open(&first_words).doing("open", &first_words)?;
        let (mark, _) = self.folder.mark().unwrap_or_default();
        let also = log.try_clone().doing("open", &first_words)?;
        let child = self
            .command("postgres", "-D", &data)?
            .arg("-c")
            .arg(format!("cluster_name={mark}"))
            .stdout(log)
            .stderr(also)
            .spawn()
            .doing("run", self.binaries.program("postgres"))?;
        Ok(Running { child: Some(child) })
    }

    /// Waits until the server takes connections. After a crash it first recovers, which takes as long as it takes.
    pub(crate) async fn ready(
        &self,
        running: &mut Running,
        superuser: &Login,
        limit: Duration,
    ) -> Result<Client, EmbeddedError> {
        let began = Instant::now();
        let mut told = began;
        loop {
            match superuser.config().connect(NoTls).await {
                Ok((client, connection)) => {
                    tokio::spawn(connection);
                    return Ok(client);
                }
                Err(error) => match error.code() {
                    Some(&SqlState::INVALID_PASSWORD) => {
                        return Err(EmbeddedError::PasswordLost(self.folder.password_of(superuser.user())));
                    }
                    Some(&SqlState::CANNOT_CONNECT_NOW) | None => {}
                    Some(_) => return Err(error.into()),
                },
            }
            if let Some(status) = running.ended()? {
                return Err(EmbeddedError::StoppedEarly { status, last_words: self.last_words() });
            }
            if began.elapsed() >= limit {
                return Err(EmbeddedError::NotReady { limit, last_words: self.last_words() });
            }
            if told.elapsed() >= Duration::from_secs(5) {
                told = Instant::now();
                tracing::info!(seconds = began.elapsed().as_secs(), "PostgreSQL is still starting");
            }
            sleep(Duration::from_millis(15)).await;
        }
    }

    /// Keeps the newest log files, each of which is bounded by the server's settings.
    pub(crate) fn prune_logs(&self) {
        let mut logs = self.logs();
        logs.truncate(logs.len().saturating_sub(KEPT_LOGS));
        for log in logs {
            let _ = std::fs::remove_file(log);
        }
    }

    /// The server's log files, oldest first.
    fn logs(&self) -> Vec<PathBuf> {
        let mut logs: Vec<PathBuf> = std::fs::read_dir(self.folder.log())
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| {
                path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with("postgresql-"))
            })
            .collect();
        // Their names begin with the time they were begun.
        logs.sort();
        logs
    }

    /// What the server said since its last start.
    fn last_words(&self) -> String {
        let first_words = self.folder.first_words();
        let written = |path: &Path| std::fs::metadata(path).and_then(|metadata| metadata.modified()).ok();
        let mut words = std::fs::read_to_string(&first_words).unwrap_or_default();
        // A server that failed early did not come to its log: the newest one is then from an earlier run.
        if let Some(log) = self.logs().last().filter(|log| written(log) >= written(&first_words)) {
            words.push_str(&std::fs::read_to_string(log).unwrap_or_default());
        }
        let lines: Vec<&str> = words.lines().collect();
        one_line(&lines[lines.len().saturating_sub(8)..].join("\n"))
    }

    /// A server program as the right user, in a process group of its own: a Ctrl-C on the terminal is for us, and we stop the
    /// server when everything that uses it has stopped.
    fn command(&self, program: &str, flag: &str, folder: &Path) -> Result<Command, EmbeddedError> {
        let program = self.binaries.program(program);
        let mut command = match self.way {
            Way::Open => {
                let mut command = Command::new(program);
                command.stdin(Stdio::null());
                command
            }
            Way::HandedOver => {
                let root = File::open(self.folder.root()).doing("open", self.folder.root())?;
                let mut command = Command::new("/bin/sh");
                let hand_over = "exec 9<&0 </dev/null && exec \"$@\"";
                command.arg("-c").arg(hand_over).arg("sh").arg(program).stdin(root);
                command
            }
        };
        command
            .arg(flag)
            .arg(self.seen(folder))
            // Nothing of our environment, in which there may be secrets, and nothing that turns the server's head.
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("LC_ALL", "C")
            .env("TZ", "UTC")
            .current_dir("/")
            .process_group(0);
        self.account.runs(&mut command);
        Ok(command)
    }

    /// A path below the cluster's folder as the server's user sees it.
    fn seen(&self, path: &Path) -> PathBuf {
        match (self.way, path.strip_prefix(self.folder.root())) {
            (Way::HandedOver, Ok(below)) => Path::new(HANDED_OVER).join(below),
            _ => path.to_path_buf(),
        }
    }
}

const KEPT_LOGS: usize = 6;

/// A postmaster we started. Dropped while it runs, it is asked to stop.
#[derive(Debug)]
pub(crate) struct Running {
    child: Option<Child>,
}

impl Running {
    pub(crate) fn pid(&self) -> Option<i32> {
        self.child.as_ref().and_then(Child::id).and_then(|pid| i32::try_from(pid).ok())
    }

    /// How it ended, if it did.
    fn ended(&mut self) -> Result<Option<String>, EmbeddedError> {
        let Some(child) = &mut self.child else { return Ok(None) };
        Ok(child.try_wait().doing("wait for", "postgres")?.map(|status| status.to_string()))
    }

    /// Waits until it ends by itself.
    pub(crate) async fn end(&mut self) -> String {
        match &mut self.child {
            Some(child) => child.wait().await.map_or_else(|error| error.to_string(), |status| status.to_string()),
            None => std::future::pending().await,
        }
    }

    /// Lets it run on when we end.
    #[cfg(feature = "testing")]
    pub(crate) fn detach(mut self) {
        self.child = None;
    }

    /// Fast shutdown, then immediate, then by force.
    pub(crate) async fn stop(mut self, folder: &Folder) -> Result<(), EmbeddedError> {
        let Some(pid) = self.pid() else { return Ok(()) };
        for (how, limit) in [(Signal::SIGINT, FAST_STOP), (Signal::SIGQUIT, IMMEDIATE_STOP), (Signal::SIGKILL, KILL)] {
            signal(pid, how);
            if timeout(limit, self.end()).await.is_ok() {
                // The log writer ends a moment after the postmaster.
                leftovers::all_gone(folder, KILL).await;
                return Ok(());
            }
            tracing::warn!(signal = %how, "PostgreSQL did not stop within {} s", limit.as_secs());
        }
        Err(EmbeddedError::WillNotEnd(pid))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(pid) = self.pid() {
            signal(pid, Signal::SIGINT);
        }
    }
}

/// Several lines of a program as one, for an error message.
pub(crate) fn one_line(lines: &str) -> String {
    let lines: Vec<&str> = lines.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    lines.join(" | ")
}
