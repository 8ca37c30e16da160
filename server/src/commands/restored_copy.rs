//! What is done in a copy once it is restored, before anybody opens it: it is looked over, its log is moved ahead, nobody is called by it, and what
//! it lacks is said.

use contracts::time::Timestamp;
use embedded::Cluster;
use platform::database::{DatabaseAddress, Drift, OPERATOR_ROLE, OWNER_ROLE, RELAY_ROLE, connect};
use serde::Serialize;

use crate::{Failure, contexts};

/// A restored hotel numbers its events from so far ahead of the copy. Whoever read the feed of the hotel that is gone stands behind the copy's
/// end; numbers that were given out once more would be behind them, and they would pass new events by in silence.
const AHEAD: i64 = 1_000_000;

/// How many migrations this release has that the copy lacks. A copy of a newer release is refused, as `up` would refuse it.
pub(super) async fn look_over(cluster: &Cluster) -> Result<usize, Failure> {
    let address: DatabaseAddress = cluster.login().config().into();
    let client = connect(&address).await?;
    let mut pending = 0;
    for context in &contexts::migrations() {
        for drift in context.drift(&client).await? {
            match drift {
                Drift::Pending { .. } => pending += 1,
                strange => return Err(Failure::Failed(strange.to_string())),
            }
        }
    }
    Ok(pending)
}

/// The next event's place in the log is behind every place that a reader can have been given: see [`AHEAD`].
pub(super) async fn move_the_log_ahead(cluster: &Cluster) -> Result<(), Failure> {
    let address: DatabaseAddress = cluster.login().config().into();
    let client = connect(&address).await?;
    // The same statement is in docs/operations.md, for servers that are restored with their own means.
    let sql = format!(
        "SET ROLE {OWNER_ROLE};
         SELECT setval('bus.event_log_log_offset_seq', (SELECT last_value FROM bus.event_log_log_offset_seq) + {AHEAD})"
    );
    client.batch_execute(&sql).await.map_err(|error| {
        let why = error.as_db_error().map_or_else(|| error.to_string(), |said| said.message().to_owned());
        Failure::Failed(format!("the log of the copy could not be moved ahead: {why}"))
    })
}

/// Nobody is called by a copy until somebody says that it takes the hotel's place. A backup of an older release may know no webhooks.
pub(super) async fn pause_webhooks(cluster: &Cluster, made_at: &Timestamp) -> Result<u64, Failure> {
    let address: DatabaseAddress = cluster.login().config().into();
    let client = connect(&address).await?;
    let failed = |error: tokio_postgres::Error| Failure::Failed(error.to_string());
    let known = "SELECT to_regclass('bus.webhook_endpoints') IS NOT NULL";
    if !client.query_one(known, &[]).await.map_err(failed)?.get::<_, bool>(0) {
        return Ok(0);
    }
    client.batch_execute(&format!("SET ROLE {RELAY_ROLE}")).await.map_err(failed)?;
    let sql = "UPDATE bus.webhook_endpoints SET state = 'paused', paused_because = $1, version = version + 1 WHERE state = 'active'";
    let reason = format!("restored from the backup of {made_at}: a copy calls nobody until it is told to");
    client.execute(sql, &[&reason]).await.map_err(failed)
}

/// Old months that the hotel has in its archive alone: no backup has them.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NotRestored {
    pub(super) files: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) was_at: Option<String>,
}

impl NotRestored {
    /// What whoever restores has to do besides.
    pub(super) fn said(&self, now_at: Option<&str>) -> String {
        let Self { files, was_at } = self;
        let was_at = was_at.as_deref().unwrap_or("the folder or bucket that MELMASTOON_ARCHIVE_URL named");
        let next = match now_at {
            None => "set MELMASTOON_ARCHIVE_URL to where they are".to_owned(),
            Some(place) if place == was_at => format!("see that they are at {place}, or copy them there"),
            Some(place) => format!("copy them to {place}, which MELMASTOON_ARCHIVE_URL names here"),
        };
        format!(
            "The archive is NOT restored: {files} files of old months were at {was_at}, and are the only copy of what is in them; {next}, then `melmastoon archive verify`."
        )
    }
}

/// How many files hold what the database has no more.
pub(super) async fn archived_files(cluster: &Cluster) -> Result<i64, Failure> {
    let address: DatabaseAddress = cluster.login().config().into();
    let client = connect(&address).await?;
    let failed = |error: tokio_postgres::Error| Failure::Failed(error.to_string());
    // A backup of an older release may know no archive.
    let known = "SELECT to_regclass('bus.archives') IS NOT NULL";
    if !client.query_one(known, &[]).await.map_err(failed)?.get::<_, bool>(0) {
        return Ok(0);
    }
    client.batch_execute(&format!("SET ROLE {OPERATOR_ROLE}")).await.map_err(failed)?;
    let sql = "SELECT count(*) FROM bus.archives WHERE state NOT IN ('written', 'proven')";
    Ok(client.query_one(sql, &[]).await.map_err(failed)?.get(0))
}
