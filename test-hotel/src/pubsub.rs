//! Google's own Pub/Sub emulator: the one that `PUBSUB_EMULATOR_HOST` names, or one of a test's own where it is installed.
//!
//! A Java program that takes seconds to start: `make pubsub` starts one for all tests, and each test has a project of its own there.

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// See the module.
#[derive(Debug)]
pub struct PubSubEmulator {
    host: String,
    child: Option<Child>,
}

/// Where Google's packages put it.
const FOLDERS: [&str; 2] =
    ["/usr/lib/google-cloud-sdk/platform/pubsub-emulator/lib", "/opt/google-cloud-sdk/platform/pubsub-emulator/lib"];

fn jar() -> Option<PathBuf> {
    let is_jar = |file: &PathBuf| file.extension().is_some_and(|kind| kind == "jar");
    let in_folder = |folder: &str| std::fs::read_dir(Path::new(folder)).ok();
    FOLDERS.into_iter().filter_map(in_folder).flatten().flatten().map(|entry| entry.path()).find(is_jar)
}

impl PubSubEmulator {
    /// `None`, said loudly, where the machine has none.
    #[expect(clippy::disallowed_methods, reason = "tests have no server::config to ask")]
    pub fn find() -> Option<Self> {
        if let Ok(host) = std::env::var("PUBSUB_EMULATOR_HOST") {
            return Some(Self { host, child: None });
        }
        let started = jar().and_then(|jar| Self::start(&jar));
        if started.is_none() {
            eprintln!(
                "SKIPPED: there is no Pub/Sub emulator on this machine (google-cloud-cli-pubsub-emulator and Java), and PUBSUB_EMULATOR_HOST names none"
            );
        }
        started
    }

    fn start(jar: &Path) -> Option<Self> {
        // The port is free now; whoever takes it in between makes the start fail, and it is told.
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let child = Command::new("java")
            .args(["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m", "-jar"])
            .arg(jar)
            .args(["--host=127.0.0.1", &format!("--port={port}")])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let emulator = Self { host: format!("127.0.0.1:{port}"), child: Some(child) };
        let deadline = Instant::now() + Duration::from_mins(1);
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(Instant::now() < deadline, "the Pub/Sub emulator does not answer");
            std::thread::sleep(Duration::from_millis(20));
        }
        Some(emulator)
    }

    /// `host:port`
    pub fn host(&self) -> &str {
        &self.host
    }

    pub fn port(&self) -> u16 {
        self.host.rsplit(':').next().unwrap().parse().unwrap()
    }

    /// A project that nobody else has.
    pub fn project(&self) -> String {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        format!("hotel-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

impl Drop for PubSubEmulator {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
