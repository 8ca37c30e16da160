//! A PostgreSQL that somebody else runs, as the product sees it.

use embedded::{BinarySearch, Cluster, Options};
use tokio::runtime::Runtime;

use crate::session::Session;

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

    /// A connection as its superuser, on the product's database.
    pub(crate) fn session(&self) -> Session {
        Session::open(&self.cluster.as_ref().expect("it runs").superuser().on("melmastoon").config())
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
