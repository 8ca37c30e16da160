//! A database for one test, copied from a prepared template.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use tokio::sync::OnceCell;
use tokio_postgres::Client;

use super::server::{Server, connect, join};
use super::{PrepareError, TestingError};
use crate::address::Login;
use crate::error::Doing as _;
use crate::folder::random_hex;
use crate::leftovers;

/// Templates of other branches and earlier migrations are kept up to this number.
const KEPT_TEMPLATES: i64 = 6;
/// One template is prepared at a time in the cluster, since roles are the cluster's.
const PREPARING: i64 = 0x6d65_6c6d;

/// A database of one test: dropped with this value.
#[derive(Debug)]
pub struct TestDatabase {
    login: Login,
    superuser: Login,
}

impl TestDatabase {
    /// The product's login on this database: its owner, no superuser, may make roles.
    pub fn login(&self) -> &Login {
        &self.login
    }

    /// The superuser on this database, for looking behind the scenes.
    pub fn superuser(&self) -> &Login {
        &self.superuser
    }

    /// The product's login as a connection URL.
    pub fn url(&self) -> String {
        self.login.url()
    }
}

/// A new database with everything that `prepare` puts into a blank one. `template_key` stands for what `prepare` does: it
/// runs once for each key, and again only after the key was out of use for long.
pub async fn database(
    template_key: &str,
    prepare: impl AsyncFnOnce(Login) -> Result<(), PrepareError>,
) -> Result<TestDatabase, TestingError> {
    let server = join().await?;
    let client = connect(&server.superuser).await?;
    sweep_once(&client).await?;
    let template = template_name(template_key);
    let random = random_hex::<6>().doing("name", "a test database")?;
    let name = format!("test_{}_{random}", std::process::id());
    // A template may be dropped as an old one between our look and our copy; then it is made again.
    let mut attempt = 1;
    let prepare = &mut Some(prepare);
    loop {
        if !is_ready(&client, &template).await?
            && let Some(prepare) = prepare.take()
        {
            prepare_template(server, &client, &template, prepare).await?;
        }
        match client.batch_execute(&copy(&name, &template)).await {
            Ok(()) => break,
            Err(_) if attempt < 3 && prepare.is_some() => attempt += 1,
            Err(error) => return Err(error.into()),
        }
    }
    Ok(TestDatabase { login: server.login.on(&name), superuser: server.superuser.on(&name) })
}

/// Copying files beats writing the copy through the log when nothing is synced.
fn copy(name: &str, template: &str) -> String {
    format!("CREATE DATABASE {name} TEMPLATE {template} OWNER melmastoon STRATEGY FILE_COPY")
}

fn template_name(key: &str) -> String {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    format!("template_{:016x}", hasher.finish())
}

/// A template is marked as one when it is whole.
async fn is_ready(client: &Client, template: &str) -> Result<bool, tokio_postgres::Error> {
    let row = client.query_opt("SELECT FROM pg_database WHERE datname = $1 AND datistemplate", &[&template]).await?;
    Ok(row.is_some())
}

async fn prepare_template(
    server: &Server,
    client: &Client,
    template: &str,
    prepare: impl AsyncFnOnce(Login) -> Result<(), PrepareError>,
) -> Result<(), TestingError> {
    client.execute("SELECT pg_advisory_lock($1)", &[&PREPARING]).await?;
    let prepared = async {
        if is_ready(client, template).await? {
            return Ok(());
        }
        drop_old_templates(client).await?;
        // What a process that died while preparing left behind.
        client.batch_execute(&format!("DROP DATABASE IF EXISTS {template} WITH (FORCE)")).await?;
        client.batch_execute(&format!("CREATE DATABASE {template} OWNER melmastoon")).await?;
        prepare(server.login.on(template)).await.map_err(TestingError::Prepare)?;
        client.batch_execute(&format!("ALTER DATABASE {template} ALLOW_CONNECTIONS false")).await?;
        // A pool that `prepare` dropped may still be closing; a copy needs the template to itself.
        client
            .execute("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1", &[&template])
            .await?;
        client.batch_execute(&format!("ALTER DATABASE {template} IS_TEMPLATE true")).await?;
        Ok(())
    }
    .await;
    client.execute("SELECT pg_advisory_unlock($1)", &[&PREPARING]).await?;
    prepared
}

async fn drop_old_templates(client: &Client) -> Result<(), tokio_postgres::Error> {
    let old = client
        .query(
            "SELECT datname FROM pg_database WHERE datname LIKE 'template\\_%' ORDER BY oid DESC OFFSET $1",
            &[&KEPT_TEMPLATES],
        )
        .await?;
    for row in old {
        let template: String = row.get(0);
        let unmark = format!("ALTER DATABASE {template} IS_TEMPLATE false");
        // One that is being copied right now stays for the next time.
        if client.batch_execute(&unmark).await.is_ok() {
            let _ = client.batch_execute(&format!("DROP DATABASE {template}")).await;
        }
    }
    Ok(())
}

/// Drops the databases of test processes that are dead, once in each process.
async fn sweep_once(client: &Client) -> Result<(), tokio_postgres::Error> {
    static SWEPT: OnceCell<()> = OnceCell::const_new();
    let sweep = async || {
        for row in client.query("SELECT datname FROM pg_database WHERE datname LIKE 'test\\_%'", &[]).await? {
            let name: String = row.get(0);
            let owner = name.split('_').nth(1).and_then(|pid| pid.parse().ok());
            if owner.is_some_and(|pid| !leftovers::exists(pid)) {
                // Another process may be sweeping the same one.
                let _ = client.batch_execute(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await;
            }
        }
        Ok(())
    };
    SWEPT.get_or_try_init(sweep).await.copied()
}

impl Drop for TestDatabase {
    /// Best effort: what stays is swept by a later test process.
    fn drop(&mut self) {
        let superuser = self.superuser.on("postgres");
        let statement = format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.superuser.database());
        // The test's own runtime cannot be waited on from here.
        let dropping = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            runtime.block_on(async {
                let client = connect(&superuser).await.map_err(std::io::Error::other)?;
                client.batch_execute(&statement).await.map_err(std::io::Error::other)
            })
        });
        if let Ok(Err(error)) = dropping.join() {
            tracing::warn!(%error, "a test database stays behind");
        }
    }
}
