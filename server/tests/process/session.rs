//! A look into the database, and a hand in it.

use tokio::runtime::Runtime;
use tokio_postgres::{Client, Config, NoTls};

/// One connection. It ends when it is dropped, and what it had begun is undone.
pub(crate) struct Session {
    runtime: Runtime,
    client: Client,
}

impl Session {
    pub(crate) fn open(config: &Config) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.expect("a runtime");
        let client = runtime.block_on(async {
            let (client, connection) = config.connect(NoTls).await.expect("a connection");
            tokio::spawn(connection);
            client
        });
        Self { runtime, client }
    }

    pub(crate) fn tell(&self, statements: &str) {
        self.runtime.block_on(self.client.batch_execute(statements)).expect(statements);
    }

    /// One number.
    pub(crate) fn count(&self, question: &str) -> i64 {
        self.runtime.block_on(self.client.query_one(question, &[])).expect(question).get(0)
    }

    /// One text.
    pub(crate) fn text(&self, question: &str) -> String {
        self.runtime.block_on(self.client.query_one(question, &[])).expect(question).get(0)
    }

    /// How many connections of a role wait for somebody's lock.
    pub(crate) fn waiting(&self, role: &str) -> i64 {
        self.count(&format!(
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'melmastoon {role}' AND wait_event_type = 'Lock'"
        ))
    }
}
