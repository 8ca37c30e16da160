//! A `nats-server` of a test's own: on a port of its own, with a folder of its own, gone with the test.

use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// See the module.
#[derive(Debug)]
pub struct NatsServer {
    child: Option<Child>,
    program: PathBuf,
    folder: PathBuf,
    port: u16,
}

/// Where Debian and others put it.
#[expect(clippy::disallowed_methods, reason = "tests have no server::config to ask")]
fn program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(["/usr/sbin", "/usr/bin", "/usr/local/bin"].map(PathBuf::from));
    folders.map(|folder| folder.join("nats-server")).find(|file| file.is_file())
}

impl NatsServer {
    /// `None`, said loudly, where the machine has none.
    pub fn start() -> Option<Self> {
        Self::start_with("")
    }

    /// With further lines in its configuration.
    pub fn start_with(lines: &str) -> Option<Self> {
        let Some(program) = program() else {
            eprintln!(
                "SKIPPED: there is no nats-server on this machine; scripts/setup.sh installs it (apt-get install nats-server)"
            );
            return None;
        };
        // The port is free now; whoever takes it in between makes the start fail, and it is told.
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let folder = std::env::temp_dir().join(format!("melmastoon-nats-{}-{port}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let config = format!(
            "listen: \"127.0.0.1:{port}\"\njetstream {{ store_dir: \"{}\" }}\n{lines}\n",
            folder.join("store").display()
        );
        std::fs::write(folder.join("nats.conf"), config).unwrap();
        let mut server = Self { child: None, program, folder, port };
        server.start_again();
        Some(server)
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// On the same port and the same store.
    pub fn start_again(&mut self) {
        let log = std::fs::File::create(self.folder.join("log")).unwrap();
        let child = Command::new(&self.program)
            .arg("-c")
            .arg(self.folder.join("nats.conf"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .unwrap();
        self.child = Some(child);
        let deadline = Instant::now() + Duration::from_secs(20);
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            let said = std::fs::read_to_string(self.folder.join("log")).unwrap_or_default();
            assert!(Instant::now() < deadline, "nats-server does not answer: {said}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// No farewell.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    pub fn pid(&self) -> Option<i32> {
        self.child.as_ref().and_then(|child| i32::try_from(child.id()).ok())
    }
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        self.kill();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
