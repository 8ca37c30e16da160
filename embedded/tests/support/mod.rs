//! What the tests of a private PostgreSQL need: folders, processes to kill, and patience.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use embedded::{BinarySearch, Login, Options};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tokio_postgres::{Client, NoTls};

/// A folder of one test, removed at its end.
pub(crate) struct Scratch(pub(crate) PathBuf);

impl Scratch {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("melmastoon-embedded-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir(&path).expect("a folder in the temporary folder");
        Self(path.canonicalize().expect("the folder just made"))
    }

    pub(crate) fn postgres(&self) -> PathBuf {
        self.0.join("postgres")
    }

    pub(crate) fn options(&self) -> Options {
        options(&self.0)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[expect(clippy::disallowed_methods, reason = "tests have no server::config to ask")]
pub(crate) fn options(data_dir: &Path) -> Options {
    let mut options = Options::new(data_dir);
    options.search = BinarySearch {
        named: std::env::var_os("MELMASTOON_PG_BIN").map(PathBuf::from),
        path: std::env::var_os("PATH"),
    };
    options
}

pub(crate) async fn connect(login: &Login) -> Result<Client, tokio_postgres::Error> {
    let (client, connection) = login.config().connect(NoTls).await?;
    tokio::spawn(connection);
    Ok(client)
}

pub(crate) async fn ask(login: &Login, question: &str) -> String {
    let client = connect(login).await.expect("a connection");
    client.query_one(question, &[]).await.expect(question).get(0)
}

pub(crate) async fn tell(login: &Login, statements: &str) {
    connect(login).await.expect("a connection").batch_execute(statements).await.expect(statements);
}

/// Waits for a condition; the test fails when it does not come true within a minute.
pub(crate) async fn until<F: Future<Output = bool>>(what: &str, mut condition: impl FnMut() -> F) {
    let began = Instant::now();
    while !condition().await {
        assert!(began.elapsed() < Duration::from_mins(1), "waited in vain: {what}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Whether the process runs; a dead one that nobody waited for does not.
pub(crate) fn runs(pid: i32) -> bool {
    match std::fs::read_to_string(format!("/proc/{pid}/stat")) {
        Ok(stat) => !stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with(['Z', 'X'])),
        Err(_) => !Path::new("/proc/self").exists() && kill(Pid::from_raw(pid), None).is_ok(),
    }
}

pub(crate) fn kill_dead(pid: i32) {
    kill(Pid::from_raw(pid), Signal::SIGKILL).expect("a process to kill");
}

/// Another process of this test program, which runs one of the ignored tests on what it is told.
pub(crate) struct Other(Child);

impl Other {
    pub(crate) fn start(test: &str, told: &str) -> Self {
        Self::start_in(&std::env::temp_dir(), test, told)
    }

    pub(crate) fn start_in(temporary_folder: &Path, test: &str, told: &str) -> Self {
        let mut other = Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", test, "--ignored", "--nocapture", "--test-threads=1"])
            .env("TMPDIR", temporary_folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("another process of this program");
        writeln!(other.stdin.as_mut().expect("its input"), "{told}").expect("it listens");
        Self(other)
    }

    /// What it says after `says `.
    pub(crate) fn says(&mut self) -> String {
        let output = BufReader::new(self.0.stdout.as_mut().expect("its output"));
        for line in output.lines() {
            // The test harness may have begun the line.
            if let Some((_, said)) = line.expect("text").split_once("says ") {
                return said.to_owned();
            }
        }
        panic!("the other process said nothing");
    }

    pub(crate) fn kill(mut self) {
        self.0.kill().expect("a process to kill");
        self.0.wait().expect("a dead process");
    }

    pub(crate) fn wait(mut self) {
        assert!(self.0.wait().expect("its end").success(), "the other process failed");
    }
}

/// In the other process: what it was told. None when somebody runs the ignored tests by hand.
pub(crate) fn told() -> Option<String> {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).expect("input");
    let line = line.trim();
    (!line.is_empty()).then(|| line.to_owned())
}
