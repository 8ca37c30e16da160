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
        Self::try_open(config).expect("a connection")
    }

    /// Where the server may be away.
    pub(crate) fn try_open(config: &Config) -> Result<Self, tokio_postgres::Error> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.expect("a runtime");
        let client = runtime.block_on(async {
            let (client, connection) = config.connect(NoTls).await?;
            tokio::spawn(connection);
            Ok(client)
        })?;
        Ok(Self { runtime, client })
    }

    /// Waits for a server that may be away for a while.
    pub(crate) fn patient(config: &Config) -> Self {
        let mut found = None;
        crate::process::until("PostgreSQL answers", std::time::Duration::from_mins(2), || {
            found = Self::try_open(config).ok();
            found.is_some()
        });
        found.expect("it answers")
    }

    pub(crate) fn try_tell(&self, statements: &str) -> Result<(), tokio_postgres::Error> {
        self.runtime.block_on(self.client.batch_execute(statements))
    }

    pub(crate) fn try_count(&self, question: &str) -> Result<i64, tokio_postgres::Error> {
        Ok(self.runtime.block_on(self.client.query_one(question, &[]))?.get(0))
    }

    /// Pairs of a name and a number.
    pub(crate) fn counts(&self, question: &str) -> Vec<(String, i64)> {
        let rows = self.runtime.block_on(self.client.query(question, &[])).expect(question);
        rows.iter().map(|row| (row.get(0), row.get(1))).collect()
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
