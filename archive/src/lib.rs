//! The archive: rows that were kept long enough leave the database for Parquet files, one a table, tenant and month, and can
//! come back.
//!
//! # How nothing is lost
//! A month goes in four steps, each of which can be repeated, and each of which begins where the last run ended, however that
//! ended ([`Step`]):
//! 1. *copied*: the tenant's rows of the month are written to a file, without what names people, and a sum over the marks of all
//!    rows (where each lies and who wrote it) is taken in the same snapshot;
//! 2. *put away*: the file and its manifest lie in the store, and the ledger (`bus.archives`) names them;
//! 3. *proven*: the file was read back from the store, its checksum compared, every value decoded and compared with what was
//!    copied;
//! 4. *removed*: the rows are deleted, or their partition dropped, in a transaction that takes the sum once more. If anything
//!    was changed since, nothing is removed and the month is copied again. With a pace a long month goes slice by slice (*removing*), each with
//!    its own sum; if anything was changed between two of them, what has gone is put back out of the file.
//!
//! What is old is decided by the clock port: the operator's role sees a row only once its time is over (`bus.archive_after`), so
//! that a mistake here can neither show nor remove what a hotel still works with.

mod archivist;
mod cells;
mod copying;
mod error;
mod ledger;
mod mentions;
mod months;
mod own_folder;
mod parquet_file;
mod progress;
mod removing;
mod restoring;
mod rows;
mod store;
mod throttle;

pub use archivist::{Archivist, Done, Step};
pub use error::ArchiveError;
pub use ledger::{Archived, State};
pub use mentions::Mention;
pub use months::Month;
pub use progress::{Doing, Progress};
pub use restoring::{Restored, Verified};
pub use store::Store;
