//! A `nats-server` of a test's own.

use crate::own_server::OwnServer;

/// See the module.
#[derive(Debug)]
pub struct NatsServer(OwnServer);

impl NatsServer {
    /// `None`, said loudly, where the machine has none.
    pub fn start() -> Option<Self> {
        Self::start_with("")
    }

    /// With further lines in its configuration.
    pub fn start_with(lines: &str) -> Option<Self> {
        let mut server = Self(OwnServer::prepare("nats-server")?);
        server.configure(lines);
        server.start_again();
        Some(server)
    }

    /// What holds from its next start on.
    pub fn configure(&self, lines: &str) {
        let (port, store) = (self.0.port(), self.0.folder().join("store"));
        let config =
            format!("listen: \"127.0.0.1:{port}\"\njetstream {{ store_dir: \"{}\" }}\n{lines}\n", store.display());
        std::fs::write(self.0.folder().join("nats.conf"), config).unwrap();
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port())
    }

    pub fn port(&self) -> u16 {
        self.0.port()
    }

    /// On the same port and the same store.
    pub fn start_again(&mut self) {
        let config = self.0.folder().join("nats.conf");
        self.0.start(|command| {
            command.arg("-c").arg(config);
        });
    }

    /// On the same port, and everything that it held is gone: a container without a volume, a new disk.
    pub fn start_empty(&mut self) {
        std::fs::remove_dir_all(self.0.folder().join("store")).unwrap();
        self.start_again();
    }

    /// No farewell.
    pub fn kill(&mut self) {
        self.0.kill();
    }

    pub fn pid(&self) -> Option<i32> {
        self.0.pid()
    }
}
