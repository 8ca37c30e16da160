//! A server program of a test's own: on a port of its own, with a folder of its own, gone with the test.

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// See the module.
#[derive(Debug)]
pub(crate) struct OwnServer {
    name: &'static str,
    program: PathBuf,
    folder: PathBuf,
    port: u16,
    child: Option<Child>,
}

/// Where Debian and others put it.
#[expect(clippy::disallowed_methods, reason = "tests have no server::config to ask")]
fn find(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(["/usr/sbin", "/usr/bin", "/usr/local/bin"].map(PathBuf::from));
    folders.map(|folder| folder.join(name)).find(|file| file.is_file())
}

impl OwnServer {
    /// Its place, with nothing running yet. `None`, said loudly, where the machine does not have the program.
    pub(crate) fn prepare(name: &'static str) -> Option<Self> {
        let Some(program) = find(name) else {
            eprintln!(
                "SKIPPED: there is no {name} on this machine; scripts/setup.sh installs it (apt-get install {name})"
            );
            return None;
        };
        // The port is free now; whoever takes it in between makes the start fail, and it is told.
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let folder = std::env::temp_dir().join(format!("melmastoon-{name}-{}-{port}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Some(Self { name, program, folder, port, child: None })
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    pub(crate) fn pid(&self) -> Option<i32> {
        self.child.as_ref().and_then(|child| i32::try_from(child.id()).ok())
    }

    /// Starts it, again too, and waits until it answers.
    pub(crate) fn start(&mut self, arguments: impl FnOnce(&mut Command)) {
        let log = self.folder.join("log");
        let said = std::fs::File::create(&log).unwrap();
        let mut command = Command::new(&self.program);
        arguments(&mut command);
        command.stdin(Stdio::null()).stdout(said.try_clone().unwrap()).stderr(said);
        self.child = Some(command.spawn().unwrap());
        let deadline = Instant::now() + Duration::from_secs(20);
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            let said = std::fs::read_to_string(&log).unwrap_or_default();
            assert!(Instant::now() < deadline, "{} does not answer: {said}", self.name);
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// No farewell.
    pub(crate) fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Drop for OwnServer {
    fn drop(&mut self) {
        self.kill();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
