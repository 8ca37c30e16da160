//! The cluster that all test processes of a checkout share.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use tokio::process::Command;
use tokio::sync::OnceCell;
use tokio::time::Instant;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, NoTls};

use super::TestingError;
use crate::account::Account;
use crate::address::Login;
use crate::binaries::{BinarySearch, ServerBinaries};
use crate::cluster::{Started, logins, provide_product_role, start};
use crate::error::{Doing as _, EmbeddedError};
use crate::folder::Folder;
use crate::leftovers;
use crate::postmaster::Postmaster;
use crate::settings::Purpose;

const START_LIMIT: Duration = Duration::from_mins(1);
/// How long the cluster outlives the last test process.
const IDLE_SECONDS: u32 = 20;
const WATCHDOG: &str = include_str!("watchdog.sh");

/// The shared cluster, as long as this process lives.
#[derive(Debug)]
pub(super) struct Server {
    pub(super) superuser: Login,
    pub(super) login: Login,
    /// Locked together with all other test processes; free when none is left.
    _users: File,
}

/// The cluster of this checkout, started if need be.
pub(super) async fn join() -> Result<&'static Server, TestingError> {
    static SERVER: OnceCell<Server> = OnceCell::const_new();
    SERVER.get_or_try_init(join_once).await
}

async fn join_once() -> Result<Server, TestingError> {
    let base = own_folder()?;
    // While the watchdog stops the cluster it holds this lock alone, and we wait.
    let users = locked(&base, "users.lock", File::lock_shared).await?;
    let starting = locked(&base, "start.lock", File::lock).await?;
    let folder = Folder::open(&base)?;
    let (superuser, login) = match answering(&folder).await? {
        Some(logins) => logins,
        None => started(folder).await?,
    };
    watch(&base)?;
    drop(starting);
    Ok(Server { superuser, login, _users: users })
}

/// The logins, if the cluster runs.
async fn answering(folder: &Folder) -> Result<Option<(Login, Login)>, TestingError> {
    let Some((superuser, login)) = logins(folder) else { return Ok(None) };
    match connect(&superuser).await {
        Ok(_) => Ok(Some((superuser, login))),
        // Nobody else may start it now, so it is on its way out.
        Err(error)
            if matches!(error.code(), None | Some(&SqlState::CANNOT_CONNECT_NOW | &SqlState::INVALID_PASSWORD)) =>
        {
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}

/// A client of its own connection. A test process may come while a thousand others are at it: it waits its turn.
pub(super) async fn connect(login: &Login) -> Result<Client, tokio_postgres::Error> {
    let mut patience = 200;
    loop {
        match login.config().connect(NoTls).await {
            Ok((client, connection)) => {
                tokio::spawn(connection);
                return Ok(client);
            }
            Err(error) if error.code() == Some(&SqlState::TOO_MANY_CONNECTIONS) && patience > 0 => {
                patience -= 1;
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            Err(error) => return Err(error),
        }
    }
}

async fn started(folder: Folder) -> Result<(Login, Login), TestingError> {
    // A cluster without fsync is not to be trusted after a crash.
    let crashed = folder.data().join("postmaster.pid").exists()
        && leftovers::processes_of(&folder).is_none_or(|found| found.is_empty());
    leftovers::end(&folder).await?;
    let binaries = ServerBinaries::find(&search(), None)?;
    let fits = folder.made_by().is_ok_and(|made_by| made_by.is_none_or(|major| major == binaries.major()));
    if crashed || !fits {
        wipe(&folder)?;
    }
    let started = match start_anew(&folder, &binaries).await {
        // There is nothing in it to keep, so whatever it does not like about its folder is not worth asking.
        Err(EmbeddedError::StoppedEarly { .. } | EmbeddedError::PasswordLost(_)) => {
            wipe(&folder)?;
            start_anew(&folder, &binaries).await?
        }
        started => started?,
    };
    provide_product_role(&started).await?;
    started.running.detach();
    Ok((started.superuser, started.login))
}

async fn start_anew(folder: &Folder, binaries: &ServerBinaries) -> Result<Started, EmbeddedError> {
    let account = Account::for_cluster(folder.root(), None)?;
    let postmaster = Postmaster::new(folder.clone(), binaries.clone(), account, Purpose::Tests)?;
    start(&postmaster, START_LIMIT).await
}

fn wipe(folder: &Folder) -> Result<(), EmbeddedError> {
    std::fs::remove_dir_all(folder.root()).doing("wipe", folder.root())
}

#[expect(clippy::disallowed_methods, reason = "tests have no server::config to ask")]
fn search() -> BinarySearch {
    BinarySearch { named: std::env::var_os("MELMASTOON_PG_BIN").map(PathBuf::from), path: std::env::var_os("PATH") }
}

/// Starts the watchdog unless there is one. It runs as the server's user.
fn watch(base: &Path) -> Result<(), TestingError> {
    let path = base.join("watchdog.lock");
    let lock = lock_file(&path)?;
    if matches!(lock.try_lock(), Err(TryLockError::WouldBlock)) {
        return Ok(());
    }
    drop(lock);
    let script = base.join("watchdog.sh");
    std::fs::write(&script, WATCHDOG).doing("write", &script)?;
    let mut watchdog = Command::new("/bin/sh");
    watchdog
        .arg(script)
        .arg(base)
        .arg(IDLE_SECONDS.to_string())
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0);
    Account::for_cluster(&base.join("postgres"), None)?.runs(&mut watchdog);
    watchdog.spawn().doing("start the watchdog of", base)?;
    Ok(())
}

/// Stops the cluster of this checkout, if it runs and no other test process uses it. Tells whether it is stopped.
pub async fn stop() -> Result<bool, TestingError> {
    let base = folder();
    if !base.join("postgres").is_dir() {
        return Ok(true);
    }
    let base = own_folder()?;
    let users = lock_file(&base.join("users.lock"))?;
    if matches!(users.try_lock(), Err(TryLockError::WouldBlock)) {
        return Ok(false);
    }
    leftovers::end(&Folder::open(&base)?).await?;
    drop(users);
    // The watchdog looks once a second, sees that there is nothing left to watch, and goes.
    let watchdog = lock_file(&base.join("watchdog.lock"))?;
    let began = Instant::now();
    while matches!(watchdog.try_lock(), Err(TryLockError::WouldBlock)) && began.elapsed() < Duration::from_secs(5) {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Ok(true)
}

/// Where the shared cluster of this checkout and this user is.
pub fn folder() -> PathBuf {
    let mut hasher = DefaultHasher::new();
    env!("CARGO_MANIFEST_DIR").hash(&mut hasher);
    let us = nix::unistd::geteuid();
    std::env::temp_dir().join(format!("melmastoon-test-{us}-{:08x}", hasher.finish() >> 32))
}

/// The folder, made if need be. Its name can be guessed, so it must be ours.
fn own_folder() -> Result<PathBuf, TestingError> {
    let base = folder();
    match DirBuilder::new().mode(0o755).create(&base) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => return Err(error).doing("create", &base)?,
        _ => {}
    }
    let metadata = std::fs::symlink_metadata(&base).doing("look at", &base)?;
    if metadata.is_dir() && metadata.uid() == nix::unistd::geteuid().as_raw() {
        Ok(base)
    } else {
        Err(TestingError::FolderTaken(base))
    }
}

fn lock_file(path: &Path) -> Result<File, EmbeddedError> {
    OpenOptions::new().create(true).truncate(false).read(true).write(true).mode(0o644).open(path).doing("open", path)
}

/// Waits for a lock without holding up the other tasks of this process.
async fn locked(base: &Path, name: &str, lock: fn(&File) -> std::io::Result<()>) -> Result<File, EmbeddedError> {
    let path = base.join(name);
    let file = lock_file(&path)?;
    tokio::task::spawn_blocking(move || lock(&file).map(|()| file))
        .await
        .map_err(std::io::Error::other)
        .flatten()
        .doing("lock", &path)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pid file and the process in it, which does as a postmaster does when it is interrupted.
    const POSTMASTER: &str = "trap 'rm \"$1\"; exit 0' INT; echo $$ >\"$1\"; while :; do sleep 0.05; done";

    fn sh(script: &str, arguments: &[&Path], last: &str) -> Command {
        let mut command = Command::new("/bin/sh");
        command.arg("-c").arg(script).arg("sh").args(arguments).arg(last).kill_on_drop(true);
        command
    }

    #[tokio::test]
    async fn the_watchdog_stops_the_cluster_when_the_last_test_process_has_gone() {
        let base = std::env::temp_dir().join(format!("melmastoon-watchdog-{}", std::process::id()));
        let data = base.join("postgres/data");
        std::fs::create_dir_all(&data).expect("a folder");
        let pid_file = data.join("postmaster.pid");
        let mut postmaster = sh(POSTMASTER, &[&pid_file], "").spawn().expect("a postmaster");
        while leftovers::pid_in(&pid_file).is_none() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let user = locked(&base, "users.lock", File::lock_shared).await.expect("a lock");
        lock_file(&base.join("watchdog.lock")).expect("a file");
        let mut watchdog = sh(WATCHDOG, &[&base], "1").spawn().expect("a watchdog");

        // A second watchdog sees the first one and goes: by then the first has begun to watch.
        let lock = lock_file(&base.join("watchdog.lock")).expect("a file");
        while lock.try_lock().is_ok() {
            lock.unlock().expect("our own lock");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        assert!(sh(WATCHDOG, &[&base], "1").status().await.expect("a second watchdog").success());
        assert!(pid_file.exists(), "the cluster is in use");

        drop(user);
        assert!(watchdog.wait().await.expect("its end").success());
        assert!(postmaster.wait().await.expect("its end").success());
        assert!(!pid_file.exists());
        std::fs::remove_dir_all(base).expect("a folder to remove");
    }
}
