//! A PostgreSQL that somebody else runs, as the product sees it.

use embedded::{BinarySearch, Cluster, Options};
use tokio::runtime::Runtime;
use tokio_postgres::{Client, NoTls};

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

    /// A connection as its superuser, on the product's database. It ends when the session is dropped.
    pub(crate) fn session(&self) -> Session<'_> {
        let login = self.cluster.as_ref().expect("it runs").superuser().on("melmastoon");
        let client = self.runtime.block_on(async {
            let (client, connection) = login.config().connect(NoTls).await.expect("a connection");
            tokio::spawn(connection);
            client
        });
        Session { server: self, client }
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

/// See [`OwnServer::session`].
pub(crate) struct Session<'a> {
    server: &'a OwnServer,
    client: Client,
}

impl Session<'_> {
    pub(crate) fn tell(&self, statements: &str) {
        self.server.runtime.block_on(self.client.batch_execute(statements)).expect(statements);
    }

    /// One number.
    pub(crate) fn ask(&self, question: &str) -> i64 {
        self.server.runtime.block_on(self.client.query_one(question, &[])).expect(question).get(0)
    }
}
