//! Why something was not archived or restored. Nothing was removed then.

use platform::Fault;

#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    #[error(transparent)]
    Database(#[from] Fault),
    #[error("the archive: {0}")]
    Store(#[from] object_store::Error),
    #[error("MELMASTOON_ARCHIVE_URL is `{url}`: {reason}")]
    Address { url: String, reason: String },
    #[error("{what}: {source}")]
    File { what: String, source: std::io::Error },
    #[error("{path}: not a Parquet file that can be read: {source}")]
    Parquet { path: String, source: parquet::errors::ParquetError },
    /// The file is not what was put away.
    #[error("{path}: {reason}")]
    Damaged { path: String, reason: String },
    /// A column of a kind that no archive has had before.
    #[error("{table}.{column} is of type {kind}, which the archive cannot hold yet")]
    UnknownKind { table: String, column: String, kind: String },
    #[error("{0}")]
    Refused(String),
    /// One at a time.
    #[error("somebody else is at the archive just now: try again when they have ended")]
    Busy,
    /// For tests: the process ends here.
    #[error("stopped after {0:?}, as asked")]
    Stopped(crate::Step),
}

impl ArchiveError {
    /// Something is wrong with one file, and not with the archive or the way there: the file is another one, cannot be read, or is gone.
    pub(crate) fn is_of_the_file(&self) -> bool {
        matches!(self, Self::Damaged { .. } | Self::Parquet { .. } | Self::Store(object_store::Error::NotFound { .. }))
    }
}

impl From<tokio_postgres::Error> for ArchiveError {
    fn from(error: tokio_postgres::Error) -> Self {
        Self::Database(Fault::from_postgres("archive", &error))
    }
}

pub(crate) fn file(what: impl Into<String>) -> impl FnOnce(std::io::Error) -> ArchiveError {
    let what = what.into();
    move |source| ArchiveError::File { what, source }
}

impl From<platform::database::ImpossibleRow> for ArchiveError {
    fn from(row: platform::database::ImpossibleRow) -> Self {
        Self::Refused(format!("bus.archives: {}", row.0))
    }
}
