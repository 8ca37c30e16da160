//! The database behind a command: the one configured, or the embedded one, started or found running.

use embedded::{BinarySearch, Cluster, Options};
use platform::database::{DatabaseAddress, connect, migrate};

use crate::config::Config;
use crate::{Failure, contexts};

/// The configured database's address, if there is one.
pub(crate) fn configured(config: &Config) -> Result<Option<DatabaseAddress>, Failure> {
    config
        .database_url
        .as_deref()
        .map(|url| url.parse().map_err(|error| Failure::Usage(format!("DATABASE_URL {error}"))))
        .transpose()
}

/// The database that a command beside `up` works on.
pub(crate) async fn running(config: &Config) -> Result<DatabaseAddress, Failure> {
    match configured(config)? {
        Some(address) => Ok(address),
        None => Ok(embedded::running(&config.data_dir).await?.config().into()),
    }
}

pub(crate) fn search(config: &Config) -> BinarySearch {
    BinarySearch { named: config.pg_bin.clone(), path: config.path.clone() }
}

/// Starts the embedded PostgreSQL of the data folder.
pub(crate) async fn start(config: &Config) -> Result<Cluster, Failure> {
    let mut options = Options::new(&config.data_dir);
    options.search = search(config);
    Ok(Cluster::start(options).await?)
}

/// Applies what is pending and prepares each context's tables. Returns what was done.
pub(crate) async fn bring_up_to_date(address: &DatabaseAddress) -> Result<Vec<String>, Failure> {
    let client = connect(address).await?;
    let mut done = migrate(&client, &contexts::migrations()).await?;
    let owner = format!("SET ROLE {}", platform::database::OWNER_ROLE);
    client.batch_execute(&owner).await.map_err(|error| Failure::Failed(error.to_string()))?;
    for context in contexts::at_rest() {
        let prepared = (context.prepare)(&client, platform::Clock::system()).await?;
        done.extend(prepared.map(|deed| format!("{}: {deed}", context.name)));
    }
    Ok(done)
}
