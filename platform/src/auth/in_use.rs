//! Which signing key and which PIN secret a hotel works with, as its database remembers them.
//!
//! Both are files of a machine. A second machine that makes its own would refuse the tokens of the first and every PIN that was set there,
//! now and then, as a balancer sends people here or there. So the first that serves notes fingerprints, and any other is told that it differs.
//! It is told and not stopped: a machine that has lost its files must still open.

use super::Secrets;
use crate::Db;
use crate::database::{DbRole, Fault};

/// What is signed for the fingerprint of the PIN secret; the secret itself stays unknown to whoever reads the database.
const MARK: &[u8] = b"melmastoon.pin-secret";

fn fault(error: &tokio_postgres::Error) -> Fault {
    Fault::from_postgres("secrets in use", error)
}

/// The files' names, each with what is known of its content.
fn fingerprints(secrets: &Secrets) -> [(&'static str, String); 2] {
    [("signing-key", secrets.key().kid().to_owned()), ("pin-secret", secrets.fingerprint(MARK))]
}

/// Notes what nobody has noted before; of several that come at once the first is right.
pub async fn note_secrets(db: &Db, secrets: &Secrets) -> Result<(), Fault> {
    write(db, secrets, "DO NOTHING").await
}

/// The files of this machine that are others than the hotel's.
pub async fn differing_secrets(db: &Db, secrets: &Secrets) -> Result<Vec<&'static str>, Fault> {
    let relay = db.connect_as(DbRole::Relay).await?;
    let sql = "SELECT what, fingerprint FROM bus.secrets_in_use";
    let rows = relay.query(sql, &[]).await.map_err(|error| fault(&error))?;
    let differs = |(what, fingerprint): &(&str, String)| {
        rows.iter().any(|row| row.get::<_, &str>(0) == *what && row.get::<_, &str>(1) != fingerprint)
    };
    Ok(fingerprints(secrets).into_iter().filter(differs).map(|(what, _)| what).collect())
}

/// The files of this machine are the hotel's from here on: the former ones are lost.
pub async fn adopt_secrets(db: &Db, secrets: &Secrets) -> Result<(), Fault> {
    write(db, secrets, "DO UPDATE SET fingerprint = $2, noted_at = $3").await
}

async fn write(db: &Db, secrets: &Secrets, where_one_is: &str) -> Result<(), Fault> {
    let relay = db.connect_as(DbRole::Relay).await?;
    let now = db.clock().now().jiff();
    let sql = format!(
        "INSERT INTO bus.secrets_in_use (what, fingerprint, noted_at) VALUES ($1, $2, $3) ON CONFLICT (what) {where_one_is}"
    );
    for (what, fingerprint) in fingerprints(secrets) {
        relay.execute(&sql, &[&what, &fingerprint, &now]).await.map_err(|error| fault(&error))?;
    }
    Ok(())
}
