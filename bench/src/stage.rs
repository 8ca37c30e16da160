//! What the measurements stand on: a private PostgreSQL, the release binary as a process of its own, and an end to both.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use embedded::{Cluster, Options};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use platform::auth::{Claims, SigningKey};
use platform::database::connect;
use tokio::process::{Child, Command};
use tokio_postgres::Client;

use crate::Outcome;
use crate::load::Connection;

/// A folder of its own, removed at the end, and the PostgreSQL in it.
pub(crate) struct Stage {
    folder: PathBuf,
    binary: PathBuf,
    cluster: Option<Cluster>,
    key: SigningKey,
}

impl Stage {
    /// Builds the product, where our own is measured, and starts PostgreSQL with the settings that a hotel gets.
    pub(crate) async fn set(build: bool, quick: bool) -> Outcome<Self> {
        let binary = if build { build_product(quick).await? } else { PathBuf::new() };
        let folder = std::env::temp_dir().join(format!("melmastoon-bench-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("app"))?;
        let key = SigningKey::load_or_make(&folder.join("app/signing-key"))?;
        let mut stage = Self { folder, binary, cluster: None, key };
        stage.start_database().await?;
        // When a transaction committed is asked of the server itself; that is the one setting a hotel does not have.
        stage.change_setting("track_commit_timestamp = on").await?;
        Ok(stage)
    }

    /// Changes a setting that PostgreSQL reads at its start.
    pub(crate) async fn change_setting(&mut self, setting: &str) -> Outcome<()> {
        let superuser = self.superuser().await?;
        superuser.batch_execute(&format!("ALTER SYSTEM SET {setting}")).await?;
        drop(superuser);
        self.stop_database().await?;
        self.start_database().await
    }

    async fn start_database(&mut self) -> Outcome<()> {
        let mut options = Options::new(&self.folder);
        options.search.path = search_path();
        self.cluster = Some(Cluster::start(options).await?);
        Ok(())
    }

    async fn stop_database(&mut self) -> Outcome<()> {
        if let Some(cluster) = self.cluster.take() {
            cluster.stop().await?;
        }
        Ok(())
    }

    /// Stops what is still running and removes the folder.
    pub(crate) async fn strike(mut self) -> Outcome<()> {
        let stopped = self.stop_database().await;
        std::fs::remove_dir_all(&self.folder)?;
        stopped
    }

    pub(crate) fn cluster(&self) -> Outcome<&Cluster> {
        self.cluster.as_ref().ok_or_else(|| "PostgreSQL is not running".into())
    }

    /// The product's login on its database.
    pub(crate) fn login(&self) -> Outcome<tokio_postgres::Config> {
        Ok(self.cluster()?.login().config())
    }

    /// A superuser on the product's database, who prepares and looks.
    pub(crate) async fn superuser(&self) -> Outcome<Client> {
        Ok(connect(&self.cluster()?.superuser().on("melmastoon").config()).await?)
    }

    /// One more database beside the product's, owned by whom the product logs in as.
    pub(crate) async fn make_database(&self, name: &str) -> Outcome<()> {
        let superuser = self.superuser().await?;
        let login = self.login()?;
        let owner = login.get_user().ok_or("the product's login has no name")?;
        Ok(superuser.batch_execute(&format!("CREATE DATABASE {name} OWNER {owner}")).await?)
    }

    pub(crate) async fn superuser_on(&self, database: &str) -> Outcome<Client> {
        Ok(connect(&self.cluster()?.superuser().on(database).config()).await?)
    }

    pub(crate) async fn start_product_on(&self, database: &str, command: &str) -> Outcome<Product> {
        self.start(&self.binary, command, &self.cluster()?.login().on(database).url(), &[]).await
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// A token for the product, signed with its own key.
    pub(crate) fn token(&self, claims: &Claims) -> String {
        self.key.mint(claims)
    }

    pub(crate) fn key(&self) -> &SigningKey {
        &self.key
    }

    /// Starts the product; `command` is `up` or `serve`.
    pub(crate) async fn start_product(&self, command: &str) -> Outcome<Product> {
        self.start_version(&self.binary, command).await
    }

    /// A part of the product that serves nobody, as a process of its own; it ends when it is dropped.
    pub(crate) async fn start_beside(&self, command: &str) -> Outcome<tokio::process::Child> {
        use tokio::io::{AsyncBufReadExt, BufReader};
        let mut child = Command::new(&self.binary)
            .args([command, "--data-dir"])
            .arg(self.folder.join("app"))
            .current_dir(&self.folder)
            .env("DATABASE_URL", self.cluster()?.login().url())
            .env("MELMASTOON_LOG", "warn")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let out = child.stdout.take().ok_or("no output")?;
        let line = BufReader::new(out).lines().next_line().await?;
        if line.is_some() { Ok(child) } else { Err(format!("melmastoon {command} did not start").into()) }
    }

    /// `melmastoon archive run` on the product's database or another one, so many rows a second (0: as fast as it goes), into a
    /// folder. It is killed when it is dropped.
    pub(crate) fn archive(&self, database: Option<&str>, folder: &Path, rows_a_second: u32) -> Outcome<Child> {
        let login = self.cluster()?.login();
        let url = database.map_or_else(|| login.url(), |name| login.on(name).url());
        let child = Command::new(&self.binary)
            .args(["archive", "run", "--json", "--rate", &rows_a_second.to_string(), "--data-dir"])
            .arg(self.folder.join("app"))
            .current_dir(&self.folder)
            .env("DATABASE_URL", url)
            .env("MELMASTOON_LOG", "warn")
            .env("MELMASTOON_ARCHIVE_URL", format!("file://{}/store", folder.display()))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        Ok(child)
    }

    /// Starts another version of the product.
    pub(crate) async fn start_version(&self, binary: &Path, command: &str) -> Outcome<Product> {
        self.start(binary, command, &self.cluster()?.login().url(), &[]).await
    }

    /// Starts the product with further settings in its environment.
    pub(crate) async fn start_product_with(&self, command: &str, settings: &[(&str, &str)]) -> Outcome<Product> {
        self.start(&self.binary, command, &self.cluster()?.login().url(), settings).await
    }

    async fn start(&self, binary: &Path, command: &str, database: &str, settings: &[(&str, &str)]) -> Outcome<Product> {
        let free = std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?;
        let child = Command::new(binary)
            .args([command, "--listen", &free.to_string(), "--data-dir"])
            .arg(self.folder.join("app"))
            .current_dir(&self.folder)
            .env("DATABASE_URL", database)
            .env("MELMASTOON_LOG", "warn")
            // What the machine can do is measured, not what one caller is granted.
            .env("MELMASTOON_RATE_LIMIT", "1000000")
            .envs(settings.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        let mut product = Product { child, address: free, tells: command == "up" };
        let begun = Instant::now();
        loop {
            if let Some(status) = product.child.try_wait()? {
                return Err(format!("melmastoon {command} ended with {status}").into());
            }
            if let Ok(mut connection) = Connection::open(free).await
                && connection.exchange(b"GET /readyz HTTP/1.1\r\nhost: bench\r\n\r\n").await.is_ok()
            {
                return Ok(product);
            }
            if begun.elapsed() > Duration::from_mins(1) {
                return Err(format!("melmastoon {command} is not ready after a minute").into());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

/// The running product. Dropped, it is killed.
pub(crate) struct Product {
    child: Child,
    pub(crate) address: SocketAddr,
    tells: bool,
}

impl Product {
    /// Whether its own relay and worker carry what is written.
    pub(crate) fn tells(&self) -> bool {
        self.tells
    }

    /// Resident memory now, and the most there ever was, in bytes.
    pub(crate) fn memory(&self) -> Outcome<(u64, u64)> {
        let pid = self.pid()?;
        let status = std::fs::read_to_string(format!("/proc/{pid}/status"))?;
        let line = |name: &str| -> Outcome<u64> {
            let line = status.lines().find_map(|line| line.strip_prefix(name)).ok_or("no memory in /proc")?;
            Ok(line.trim().trim_end_matches(" kB").parse::<u64>()? * 1_024)
        };
        Ok((line("VmRSS:")?, line("VmHWM:")?))
    }

    pub(crate) fn pid(&self) -> Outcome<u32> {
        self.child.id().ok_or_else(|| "the product has ended".into())
    }

    pub(crate) async fn stop(mut self) -> Outcome<()> {
        if let Some(pid) = self.child.id() {
            kill(Pid::from_raw(i32::try_from(pid)?), Signal::SIGTERM)?;
        }
        match tokio::time::timeout(Duration::from_secs(15), self.child.wait()).await {
            Ok(status) => status.map(|_| ()).map_err(Into::into),
            Err(_) => Ok(self.child.kill().await?),
        }
    }
}

/// `cargo run` has built this program only. Both are built by one command: by itself the product would be compiled once more, with all
/// that it depends on, since features go by what is built together. A quick look may be one at a debug build, whose figures mean nothing.
async fn build_product(quick: bool) -> Outcome<PathBuf> {
    let debug = cfg!(debug_assertions);
    if debug && !quick {
        return Err("run the bench as a release build: make bench".into());
    }
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut build = Command::new("cargo");
    build
        .args(["build", "--quiet", "--package", "melmastoon", "--package", "melmastoon-bench"])
        .current_dir(workspace)
        .kill_on_drop(true);
    if debug {
        eprintln!("… a debug build: whether it works is seen, how fast it is not");
    } else {
        build.arg("--release");
    }
    eprintln!("… building the product; nothing to do where nothing has changed");
    if !build.status().await?.success() {
        return Err("cargo build --package melmastoon failed".into());
    }
    let beside = std::env::current_exe()?.with_file_name("melmastoon");
    if beside.is_file() { Ok(beside) } else { Err("melmastoon is not beside the bench: make bench".into()) }
}

#[expect(clippy::disallowed_methods, reason = "where PostgreSQL is comes from the caller's PATH, as for the product")]
fn search_path() -> Option<std::ffi::OsString> {
    std::env::var_os("PATH")
}
