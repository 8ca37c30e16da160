//! The private PostgreSQL of one hotel server.
//!
//! `melmastoon up` needs no database administrator: [`Cluster::start`] finds the PostgreSQL server binaries of the
//! machine, makes a cluster of its own below the data folder, starts it, keeps it running and stops it. As root, the
//! server processes are given to an unprivileged user, since PostgreSQL refuses to run as root.
//!
//! ```no_run
//! # async fn up() -> Result<(), Box<dyn std::error::Error>> {
//! use embedded::{Cluster, Options};
//!
//! let cluster = Cluster::start(Options::new("/var/lib/melmastoon")).await?;
//! let (client, connection) = cluster.login().config().connect(tokio_postgres::NoTls).await?;
//! # let _ = (client, connection);
//! cluster.stop().await?;
//! # Ok(())
//! # }
//! ```
//!
//! # What is in the folder
//! `<data folder>/postgres.lock` is locked by the process that runs the cluster and holds its pid. Everything else is in
//! `<data folder>/postgres`: `data` (the cluster), `run` (its socket), `log`, `address`, and the two password files, each
//! readable by their owner alone.
//!
//! # After a crash
//! If our process is killed, PostgreSQL stays behind as an orphan: it has no way to know. The next start on the folder stops
//! it (fast, then at once) and starts anew, so that the settings in force are always those of the running version. A pid
//! file whose process is dead, or is some other process by now, is no obstacle. `initdb` works in a folder of its own, which becomes
//! `data` only when it is whole; what a killed one left behind is wiped.

mod account;
mod address;
mod binaries;
mod cluster;
mod copy;
mod error;
mod folder;
mod leftovers;
mod postmaster;
mod settings;
#[cfg(feature = "testing")]
pub mod testing;

pub use address::{Address, Login};
pub use binaries::{BinarySearch, OLDEST_MAJOR, ServerBinaries};
pub use cluster::{Cluster, Options, running};
pub use copy::{CLUSTER, copy_private_file, copy_running, settle_copy};
pub use error::EmbeddedError;
