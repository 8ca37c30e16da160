//! One house: a data folder and a port, everything that runs on it, and its end.

use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::client::Client;
use crate::process::{Process, children_of, comes_true, runs};
use crate::session::Session;

/// The longest a start may take: what is promised to operators is measured where it is promised.
pub(crate) const START: Duration = Duration::from_mins(1);

static BUSY: Mutex<u32> = Mutex::new(0);
static FREE: Condvar = Condvar::new();

/// One of two places at the machine, where all tests run in one process; nextest has a test group for it.
struct Place;

impl Place {
    fn take() -> Self {
        let busy = BUSY.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut busy = FREE.wait_while(busy, |busy| *busy >= 2).unwrap_or_else(std::sync::PoisonError::into_inner);
        *busy += 1;
        Self
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        *BUSY.lock().unwrap_or_else(std::sync::PoisonError::into_inner) -= 1;
        FREE.notify_one();
    }
}

/// How a short command ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// See the module. The server processes are dropped before it, since they are made after it.
pub(crate) struct House {
    scratch: PathBuf,
    folder: PathBuf,
    environment: Vec<(String, String)>,
    port: AtomicU32,
    _place: Place,
}

impl House {
    /// An empty folder that belongs to whoever runs the test (root, often) and that everybody may enter.
    pub(crate) fn new() -> Self {
        Self::at(&std::env::temp_dir(), 0o755, "")
    }

    /// The same below a folder of the caller's, which outlives it.
    pub(crate) fn below(folder: &Path) -> Self {
        Self::at(folder, 0o755, "")
    }

    /// The same below a folder that only its owner may enter, as root's home is.
    pub(crate) fn behind_a_closed_door() -> Self {
        Self::at(&std::env::temp_dir(), 0o700, "hotel")
    }

    fn at(place_for_it: &Path, mode: u32, below: &str) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let place = Place::take();
        let name = format!("melmastoon-process-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let scratch = place_for_it.join(name);
        std::fs::DirBuilder::new().mode(mode).create(&scratch).expect("a folder in the temporary folder");
        let folder = scratch.join(below);
        std::fs::DirBuilder::new().mode(0o755).recursive(true).create(&folder).expect("a folder of our own");
        Self { scratch, folder, environment: Vec::new(), port: AtomicU32::new(0), _place: place }
    }

    /// Every process of this house gets this in its environment.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.environment.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The binary on this folder, with nothing of the tester's environment. `make faults PROGRAM=…` names another build of it.
    #[expect(clippy::disallowed_methods, reason = "tests have no server::config to ask")]
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let named = std::env::var_os("MELMASTOON_FAULTS_PROGRAM").map(PathBuf::from);
        let program = named.unwrap_or_else(|| PathBuf::from(env!("CARGO_BIN_EXE_melmastoon")));
        self.command_of(&program, arguments)
    }

    /// The same of another release.
    #[expect(clippy::disallowed_methods, reason = "tests have no server::config to ask")]
    pub(crate) fn command_of(&self, program: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.env_clear().current_dir(&self.folder).env("HOME", &self.folder);
        for name in ["PATH", "MELMASTOON_PG_BIN"] {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        command.env("MELMASTOON_DATA_DIR", &self.folder).envs(self.environment.iter().cloned()).args(arguments);
        command
    }

    /// Runs a command to its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ended {
        ended(self.command(arguments))
    }

    /// Runs a command that must succeed, and gives what it printed.
    pub(crate) fn output(&self, arguments: &[&str]) -> String {
        let ended = self.run(arguments);
        assert_eq!(ended.code, Some(0), "{arguments:?} failed: {}{}", ended.out, ended.err);
        ended.out
    }

    /// `up`, ready. The first one finds a free port, and the house keeps it.
    pub(crate) fn up(&self) -> Process {
        self.up_with(&[], &[])
    }

    pub(crate) fn up_with(&self, arguments: &[&str], environment: &[(&str, &str)]) -> Process {
        let listen = format!("127.0.0.1:{}", self.port.load(Ordering::Relaxed));
        let mut command = self.command(&["up", "--listen", &listen]);
        command.args(arguments).envs(environment.iter().copied());
        let process = Process::start(command);
        let port = port_in(&process.says("melmastoon ready at http://", START));
        self.port.store(port.into(), Ordering::Relaxed);
        process
    }

    /// `serve` beside it, on a port of its own.
    pub(crate) fn serve(&self) -> (Process, Client) {
        let process = Process::start(self.command(&["serve", "--listen", "127.0.0.1:0"]));
        let port = port_in(&process.says("melmastoon serving at http://", START));
        (process, Client::of(port))
    }

    /// `relay`, `work` or `tick` beside it.
    pub(crate) fn beside(&self, arguments: &[&str]) -> Process {
        let process = Process::start(self.command(arguments));
        process.says("melmastoon running", START);
        process
    }

    /// Talks to `up`.
    pub(crate) fn client(&self) -> Client {
        Client::of(u16::try_from(self.port.load(Ordering::Relaxed)).expect("a port"))
    }

    /// A token, as the command prints it: alone.
    pub(crate) fn token(&self, tenant: &str, arguments: &[&str]) -> String {
        let printed = self.output(&[&["token", "--tenant", tenant], arguments].concat());
        let token = printed.strip_suffix('\n').unwrap_or(&printed).to_owned();
        let parts: Vec<_> = token.split('.').collect();
        let plain =
            |part: &&str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b));
        assert!(parts.len() == 3 && parts.iter().all(plain), "not a token alone: {printed}");
        token
    }

    /// The postmaster's pid, as its own file tells.
    pub(crate) fn postmaster(&self) -> Option<i32> {
        let file = self.folder.join("postgres/data/postmaster.pid");
        std::fs::read_to_string(file).ok()?.lines().next()?.trim().parse().ok()
    }

    /// Every process of the house's PostgreSQL that runs now.
    pub(crate) fn postgres(&self) -> Vec<i32> {
        let Some(postmaster) = self.postmaster().filter(|pid| runs(*pid)) else { return Vec::new() };
        let mut all = children_of(postmaster);
        all.push(postmaster);
        all
    }

    pub(crate) fn kill_postmaster(&self) {
        let postmaster = self.postmaster().expect("PostgreSQL runs");
        kill(Pid::from_raw(postmaster), Signal::SIGKILL).expect("a postmaster to kill");
    }

    /// A connection to the house's own PostgreSQL as one of the product's database roles.
    pub(crate) fn session(&self, role: &str) -> Session {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let login = runtime.block_on(embedded::running(&self.folder)).expect("a running PostgreSQL");
        let session = Session::open(&login.config());
        session.tell(&format!("SET ROLE {role}"));
        session
    }

    /// A connection as the superuser of the house's own PostgreSQL, on the product's database.
    pub(crate) fn superuser(&self) -> Session {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let login = runtime.block_on(embedded::running(&self.folder)).expect("a running PostgreSQL");
        let secret = std::fs::read_to_string(self.folder.join("postgres/postgres.password")).expect("its password");
        let mut config = login.config();
        config.user("postgres").password(secret.trim());
        Session::open(&config)
    }

    /// How many events wait in the outbox.
    pub(crate) fn unpublished(&self) -> i64 {
        let waiting = "SELECT count(*) FROM housekeeping.outbox WHERE published_at IS NULL";
        self.session("melmastoon_relay").count(waiting)
    }

    /// Nothing waits, and the log has every event of the outbox once.
    pub(crate) fn assert_all_published_once(&self) {
        assert_eq!(self.unpublished(), 0, "events were left in the outbox");
        let session = self.session("melmastoon_relay");
        let difference = "SELECT count(*) FROM bus.event_log l FULL JOIN housekeeping.outbox o USING (event_id)
                          WHERE l.event_id IS NULL OR o.event_id IS NULL";
        assert_eq!(session.count(difference), 0, "log and outbox differ");
        let twice = "SELECT count(*) - count(DISTINCT event_id) FROM bus.event_log";
        assert_eq!(session.count(twice), 0, "an event was published twice");
    }
}

/// As operators do, then by force; the folder goes last.
impl Drop for House {
    fn drop(&mut self) {
        let left = self.postgres();
        if let Some(postmaster) = self.postmaster().filter(|pid| left.contains(pid)) {
            let _ = kill(Pid::from_raw(postmaster), Signal::SIGINT);
            if !comes_true(Duration::from_secs(5), || !runs(postmaster)) {
                let _ = kill(Pid::from_raw(postmaster), Signal::SIGKILL);
            }
        }
        comes_true(Duration::from_secs(5), || left.iter().all(|pid| !runs(*pid)));
        let _ = std::fs::remove_dir_all(&self.scratch);
    }
}

pub(crate) fn ended(mut command: Command) -> Ended {
    let output = command.output().expect("the binary under test");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("readable words");
    Ended { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

fn port_in(address: &str) -> u16 {
    let port = address.rsplit(':').next().and_then(|port| port.parse().ok());
    port.filter(|port| *port != 0).unwrap_or_else(|| panic!("no port in {address}"))
}
