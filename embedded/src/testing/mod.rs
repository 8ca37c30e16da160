//! A real PostgreSQL for each test, in well under a second.
//!
//! All test processes of a checkout share one cluster in the temporary folder. The first one that needs it starts it; a
//! watchdog stops it when no test process has been there for some seconds; [`stop`] stops it at once. Its settings forget
//! about power cuts. A template database is prepared once for each key, and every test gets a copy of its own, which is
//! dropped with the [`TestDatabase`]; what a killed test leaves behind is swept by a later one.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
//! // The key stands for what `prepare` does: in earnest, a hash of the migrations.
//! let database = embedded::testing::database("rooms, first edition", async |login: embedded::Login| {
//!     let (client, connection) = login.config().connect(tokio_postgres::NoTls).await?;
//!     tokio::spawn(connection);
//!     client.batch_execute("CREATE TABLE rooms (number text PRIMARY KEY)").await?;
//!     Ok(())
//! })
//! .await?;
//!
//! let (client, connection) = database.login().config().connect(tokio_postgres::NoTls).await?;
//! tokio::spawn(connection);
//! client.execute("INSERT INTO rooms VALUES ('101')", &[]).await?;
//! # Ok(())
//! # }
//! ```
//!
//! A copy has everything that is inside the template. What PostgreSQL keeps beside a database is not copied: grants on the
//! database itself, `ALTER DATABASE … SET`. Roles belong to the cluster: make them only if they are not there. Templates are
//! prepared one at a time, so two of them do not make the same role at once.

mod database;
mod server;

pub use database::{TestDatabase, database};
pub use server::{folder, stop};

use crate::error::{EmbeddedError, told};

/// What a `prepare` function may fail with.
pub type PrepareError = Box<dyn std::error::Error + Send + Sync>;

/// Why there is no database for a test.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TestingError {
    /// The shared cluster could not be started.
    #[error("the cluster for tests: {0}")]
    Cluster(#[from] EmbeddedError),
    /// The shared cluster refused something.
    #[error("the cluster for tests: {}", told(.0))]
    Refused(#[from] tokio_postgres::Error),
    /// The template could not be prepared.
    #[error("preparing the template database: {0}")]
    Prepare(PrepareError),
    /// The folder in the temporary folder is not ours.
    #[error("{0} belongs to somebody else: remove it, or set TMPDIR to another folder")]
    FolderTaken(std::path::PathBuf),
}
