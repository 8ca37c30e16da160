//! A PostgreSQL that somebody else runs, as the product sees it.

use std::os::unix::fs::{MetadataExt, PermissionsExt};

use embedded::{BinarySearch, Cluster, Options};
use tokio::runtime::Runtime;

use crate::process::until;
use crate::session::Session;

const SOON: std::time::Duration = std::time::Duration::from_secs(20);

/// A PostgreSQL server that somebody else runs.
pub(crate) struct OwnServer {
    runtime: Runtime,
    cluster: Option<Cluster>,
    pub(crate) url: String,
}

impl OwnServer {
    #[expect(clippy::disallowed_methods, reason = "tests have no server::config to ask")]
    pub(crate) fn start(folder: &std::path::Path) -> Self {
        let runtime = Runtime::new().expect("a runtime");
        let mut options = Options::new(folder);
        options.search = BinarySearch {
            named: std::env::var_os("MELMASTOON_PG_BIN").map(std::path::PathBuf::from),
            path: std::env::var_os("PATH"),
        };
        let cluster = runtime.block_on(Cluster::start(options)).expect("a server");
        let url = cluster.login().url();
        Self { runtime, cluster: Some(cluster), url }
    }

    /// On a port instead of a socket: below a folder whose name is too long for a socket.
    pub(crate) fn start_on_a_port(below: &std::path::Path) -> Self {
        Self::start(&below.join("a-server-that-listens-on-a-port".repeat(4)))
    }

    /// From here on it encrypts with one of the certificates in `tls`, and lets the product in no other way.
    pub(crate) fn encrypts(&self, certificate: &str) {
        let session = self.session();
        let data = std::path::PathBuf::from(session.text("SHOW data_directory"));
        let owner = std::fs::metadata(&data).expect("its folder");
        let from = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/process/tls");
        for kind in ["crt", "key"] {
            let file = data.join(format!("server.{kind}"));
            std::fs::copy(from.join(format!("{certificate}.{kind}")), &file).expect("a copy");
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).expect("permissions");
            std::os::unix::fs::chown(&file, Some(owner.uid()), Some(owner.gid())).expect("its owner's file");
        }
        session.tell("ALTER SYSTEM SET ssl = on");
        self.lets_in("hostssl");
        // Told is not done: the server reads its settings when it comes to it.
        until("the server encrypts", SOON, || self.session().text("SHOW ssl") == "on");
    }

    /// From here on the product gets in by `hostssl` or by `hostnossl` alone; the superuser, by whom it is told, as before.
    pub(crate) fn lets_in(&self, how: &str) {
        let superuser = self.cluster.as_ref().expect("it runs").superuser().user().to_owned();
        let session = self.session();
        let rules =
            format!("host all {superuser} 127.0.0.1/32 scram-sha-256\n{how} all all 127.0.0.1/32 scram-sha-256\n");
        std::fs::write(session.text("SHOW hba_file"), rules).expect("its rules");
        let loaded = session.text("SELECT pg_conf_load_time()::text");
        session.tell("SELECT pg_reload_conf()");
        until("the rules are read", SOON, || self.session().text("SELECT pg_conf_load_time()::text") != loaded);
    }

    /// A connection as its superuser, on the product's database.
    pub(crate) fn session(&self) -> Session {
        Session::open(&self.cluster.as_ref().expect("it runs").superuser().on("melmastoon").config())
    }

    /// How its superuser gets to the product's database.
    pub(crate) fn config(&self) -> tokio_postgres::Config {
        self.cluster.as_ref().expect("it runs").superuser().on("melmastoon").config()
    }

    /// A session where the server may be away for a while: waits for it.
    pub(crate) fn patient_session(&self) -> Session {
        Session::patient(&self.config())
    }

    /// No farewell: the postmaster and everybody below it. It is started again by whoever keeps it.
    pub(crate) fn kill(&self) {
        let postmaster = self.cluster.as_ref().expect("it runs").postmaster_pid();
        let below = crate::process::children_of(postmaster);
        for pid in std::iter::once(postmaster).chain(below) {
            let _ = nix::sys::signal::kill(nix::unistd::Pid::from_raw(pid), nix::sys::signal::Signal::SIGKILL);
        }
        until("the postmaster is dead", SOON, || !crate::process::runs(postmaster));
    }

    /// `pg_ctl stop -m immediate`, to the whole server at once.
    pub(crate) fn stop_immediately(&self) {
        let postmaster = self.cluster.as_ref().expect("it runs").postmaster_pid();
        let _ = nix::sys::signal::kill(nix::unistd::Pid::from_raw(postmaster), nix::sys::signal::Signal::SIGQUIT);
        until("the postmaster is gone", SOON, || !crate::process::runs(postmaster));
    }

    pub(crate) fn tell(&self, statements: &str) {
        self.session().tell(statements);
    }
}

impl Drop for OwnServer {
    fn drop(&mut self) {
        if let Some(cluster) = self.cluster.take() {
            let _ = self.runtime.block_on(cluster.stop());
        }
    }
}
