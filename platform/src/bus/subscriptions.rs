//! Who listens to what is written in the database, so that a relay of any release delivers to all of them.
//!
//! Every process registers what its own release listens to when it starts. Registering only adds: a process of an older
//! release cannot take away what a newer one added, and starting twice changes nothing. A subject is given up by a migration
//! (`bus.retire`), which leaves a mark that no start removes; migrations are the one order of releases that we have.

use super::{Subscription, relay};
use crate::Db;
use crate::database::Fault;

/// How often registering waits for the relays' lock, two seconds each: a relay that stands still loses it after ten.
const TRIES: usize = 10;

/// Makes the subscriptions known. What is new begins here: every event that is published after this is delivered to it,
/// whichever process publishes. Returns how many subjects were new. Err: nothing was registered.
pub async fn register(db: &Db, subscriptions: &[Subscription]) -> Result<u64, Fault> {
    let (mut names, mut subjects) = (Vec::new(), Vec::new());
    for subscription in subscriptions {
        for subject in &subscription.subjects {
            names.push(subscription.name);
            subjects.push(*subject);
        }
    }
    let mut tries = 0;
    loop {
        tries += 1;
        match try_to_register(db, &names, &subjects).await {
            Err(Fault::Exhausted) if tries < TRIES => {}
            outcome => return outcome,
        }
    }
}

async fn try_to_register(db: &Db, names: &[&str], subjects: &[&str]) -> Result<u64, Fault> {
    let fault = |error: tokio_postgres::Error| Fault::from_postgres("register", &error);
    let mut connection = db.worker().await?;
    let known =
        connection.query_one(include_str!("sql/unregistered.sql"), &[&names, &subjects]).await.map_err(fault)?;
    let retired: Vec<String> = known.get("retired");
    if !retired.is_empty() {
        tracing::warn!(?retired, "a newer release has given these subjects up; nothing of them is delivered any more");
    }
    connection.execute(include_str!("sql/drop_retired.sql"), &[]).await.map_err(fault)?;
    if known.get::<_, i64>("missing") == 0 {
        return Ok(0);
    }
    let transaction = connection.transaction().await.map_err(fault)?;
    // Nothing registers it again after a crash of the server: this one waits for the disk.
    transaction.batch_execute("SET LOCAL synchronous_commit = on").await.map_err(fault)?;
    // No relay is in the middle of a batch now, and the next one that begins sees what is committed here.
    transaction.execute("SELECT pg_advisory_xact_lock($1)", &[&relay::LOCK]).await.map_err(fault)?;
    let (now, release) = (db.clock().now().jiff(), env!("CARGO_PKG_VERSION"));
    let new = transaction
        .execute(include_str!("sql/register.sql"), &[&names, &subjects, &now, &release])
        .await
        .map_err(fault)?;
    transaction.commit().await.map_err(fault)?;
    Ok(new)
}
