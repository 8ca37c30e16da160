//! Migrations: numbered SQL files of a context, applied once, in order, and never edited afterwards.
//!
//! Each context keeps its own history in its own schema, so contexts can be moved to databases of their own.
//! Expand first (a release that adds), contract later (a release that removes): see CONTRIBUTING.md.

use std::time::Duration;

use tokio_postgres::Client;

use super::{Fault, OWNER_ROLE};

/// How long a process waits before it asks again whether another one is done.
const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// One file, compiled in. `{schema}` in it stands for the context's own, so that one file can serve them all.
#[derive(Clone, Copy, Debug)]
pub struct Migration {
    pub version: i32,
    pub name: &'static str,
    sql: &'static str,
    /// Runs statement by statement outside any transaction.
    alone: bool,
}

impl Migration {
    /// A file that is applied whole or not at all.
    pub const fn new(version: i32, name: &'static str, sql: &'static str) -> Self {
        Self { version, name, sql, alone: false }
    }

    /// A file that must run outside a transaction (`CREATE INDEX CONCURRENTLY`), statement by statement. It may be cut short at any
    /// of them and is then run again from its beginning, so each statement must bear that (`DROP INDEX CONCURRENTLY IF EXISTS` first).
    pub const fn outside_a_transaction(version: i32, name: &'static str, sql: &'static str) -> Self {
        Self { version, name, sql, alone: true }
    }

    /// What is sent, for this schema.
    pub fn text(&self, schema: &str) -> String {
        self.sql.replace("{schema}", schema)
    }

    /// The file's fingerprint: an applied file that was edited shows.
    fn checksum(&self, schema: &str) -> String {
        crate::http::fingerprint(self.text(schema).as_bytes())
    }

    /// The statements of a file that runs outside a transaction; each ends its line with a semicolon.
    fn statements(&self, schema: &str) -> Vec<String> {
        self.text(schema).split(";\n").map(|one| one.trim().to_owned()).filter(|one| !one.is_empty()).collect()
    }
}

/// The first file of every context: outbox, inbox, idempotency keys, audit and dead letters, with policies and grants.
/// (Housekeeping made its own before there was this; a test compares them.)
pub const COMMON_TABLES: Migration =
    Migration::new(1, "common_tables", include_str!("../../migrations/common_tables.sql"));

/// All migrations of one context.
#[derive(Clone, Copy, Debug)]
pub struct Migrations {
    pub schema: &'static str,
    pub files: &'static [Migration],
}

/// How the database differs from what this binary expects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Drift {
    /// Not applied yet.
    Pending { schema: String, version: i32, name: String },
    /// Applied, and the file was edited since.
    Edited { schema: String, version: i32, name: String },
    /// Applied by a newer binary.
    Unknown { schema: String, version: i32, name: String },
}

impl std::fmt::Display for Drift {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Pending { schema, version, name } => {
                write!(out, "{schema} V{version:03} {name}: not applied yet; run `melmastoon migrate`")
            }
            Self::Edited { schema, version, name } => {
                write!(
                    out,
                    "{schema} V{version:03} {name}: was edited after it was applied; restore the file and add a new one"
                )
            }
            Self::Unknown { schema, version, name } => {
                write!(
                    out,
                    "{schema} V{version:03} {name}: applied by a newer release; run that one or restore a backup"
                )
            }
        }
    }
}

impl Migrations {
    /// The number of the last file.
    pub fn newest(&self) -> i32 {
        self.files.iter().map(|file| file.version).max().unwrap_or(0)
    }

    /// What `migrate` would do or refuse, without doing it.
    pub async fn drift(&self, client: &Client) -> Result<Vec<Drift>, Fault> {
        let applied = self.applied(client).await?;
        let mut drift = Vec::new();
        for file in self.files {
            let place = (self.schema.to_owned(), file.version, file.name.to_owned());
            match applied.iter().find(|row| row.0 == file.version) {
                None => drift.push(Drift::Pending { schema: place.0, version: place.1, name: place.2 }),
                Some(row) if row.2 != file.checksum(self.schema) => {
                    drift.push(Drift::Edited { schema: place.0, version: place.1, name: place.2 });
                }
                Some(_) => {}
            }
        }
        for row in applied.into_iter().filter(|row| !self.files.iter().any(|file| file.version == row.0)) {
            drift.push(Drift::Unknown { schema: self.schema.to_owned(), version: row.0, name: row.1 });
        }
        Ok(drift)
    }

    async fn applied(&self, client: &Client) -> Result<Vec<(i32, String, String)>, Fault> {
        let schema = self.schema;
        let fault = |error: tokio_postgres::Error| Fault::from_postgres("schema_history", &error);
        let exists = client
            .query_one("SELECT to_regclass($1) IS NOT NULL", &[&format!("{schema}.schema_history")])
            .await
            .map_err(fault)?;
        if !exists.get::<_, bool>(0) {
            return Ok(Vec::new());
        }
        let rows = client
            .query(&format!("SELECT version, name, checksum FROM {schema}.schema_history ORDER BY version"), &[])
            .await
            .map_err(fault)?;
        Ok(rows.iter().map(|row| (row.get(0), row.get(1), row.get(2))).collect())
    }

    async fn apply(&self, client: &Client) -> Result<Vec<String>, Fault> {
        let schema = self.schema;
        let fault = |error: tokio_postgres::Error| Fault::from_postgres("migrate", &error);
        client
            .batch_execute(&format!(
                "CREATE SCHEMA IF NOT EXISTS {schema} AUTHORIZATION {OWNER_ROLE};
                 SET ROLE {OWNER_ROLE};
                 CREATE TABLE IF NOT EXISTS {schema}.schema_history (
                   version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL,
                   applied_at TIMESTAMPTZ NOT NULL DEFAULT now());
                 ALTER TABLE {schema}.schema_history ENABLE ROW LEVEL SECURITY;
                 ALTER TABLE {schema}.schema_history FORCE ROW LEVEL SECURITY;
                 DROP POLICY IF EXISTS schema_history_owner ON {schema}.schema_history;
                 CREATE POLICY schema_history_owner ON {schema}.schema_history TO {OWNER_ROLE}
                   USING (true) WITH CHECK (true);"
            ))
            .await
            .map_err(fault)?;
        let mut applied = Vec::new();
        for drift in self.drift(client).await? {
            let Drift::Pending { version, .. } = drift else {
                return Err(Fault::Unexpected { place: "migrate".into(), detail: drift.to_string() });
            };
            let Some(file) = self.files.iter().find(|file| file.version == version) else { continue };
            let record = format!(
                "INSERT INTO {schema}.schema_history (version, name, checksum) VALUES ({version}, '{}', '{}')",
                file.name,
                file.checksum(schema)
            );
            let steps = if file.alone {
                file.statements(schema).into_iter().chain([record]).collect()
            } else {
                vec![format!("BEGIN; {}; {record}; COMMIT", file.text(schema))]
            };
            for step in steps {
                client.batch_execute(&step).await.map_err(|error| Fault::Unexpected {
                    place: format!("{schema} V{version:03} {}", file.name),
                    detail: error.as_db_error().map_or_else(|| error.to_string(), |e| e.message().to_owned()),
                })?;
            }
            applied.push(format!("{schema} V{version:03} {}", file.name));
        }
        client.batch_execute("RESET ROLE").await.map_err(fault)?;
        Ok(applied)
    }
}

/// Makes roles and schemas as needed and applies what is pending, one process at a time. Returns what was applied.
pub async fn migrate(client: &Client, contexts: &[Migrations]) -> Result<Vec<String>, Fault> {
    let fault = |error: tokio_postgres::Error| Fault::from_postgres("migrate", &error);
    // Replicas that start together wait for the first one here. They ask again and again instead of waiting in the database: a statement
    // that waits there is one that an index made meanwhile would wait for in turn.
    let turn = "SELECT pg_try_advisory_lock(7310579001)";
    while !client.query_one(turn, &[]).await.map_err(fault)?.get::<_, bool>(0) {
        tokio::time::sleep(LOOK_AGAIN).await;
    }
    let outcome = async {
        super::ensure_roles(client).await?;
        let grant = format!(
            "DO $$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO {OWNER_ROLE}', current_database()); END $$"
        );
        client.batch_execute(&grant).await.map_err(fault)?;
        let mut applied = Vec::new();
        for context in contexts {
            applied.extend(context.apply(client).await?);
        }
        Ok(applied)
    }
    .await;
    // After a failed file the transaction is still open; without one there is nothing to roll back, which is only a notice.
    client.batch_execute("ROLLBACK; RESET ROLE; SELECT pg_advisory_unlock(7310579001)").await.map_err(fault)?;
    outcome
}
