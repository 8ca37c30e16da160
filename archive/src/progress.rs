//! How far something has come, for whoever waits for it.

use std::sync::Arc;

/// A file on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress<'a> {
    /// The file, or the month that becomes one.
    pub what: &'a str,
    pub doing: Doing,
    pub rows: u64,
    /// All of them.
    pub of: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    Copying,
    ReadingBack,
    Removing,
    BringingBack,
}

impl Doing {
    /// As a command says it: so many rows are …
    pub fn done(self) -> &'static str {
        match self {
            Self::Copying => "copied",
            Self::ReadingBack => "read back",
            Self::Removing => "removed",
            Self::BringingBack => "brought back",
        }
    }
}

/// Whoever is told.
pub(crate) type Watcher = Arc<dyn Fn(Progress<'_>) + Send + Sync>;

/// Tells of one file, from wherever the work is done.
#[derive(Clone)]
pub(crate) struct Watched {
    pub(crate) watcher: Watcher,
    pub(crate) what: String,
    pub(crate) doing: Doing,
    pub(crate) of: u64,
}

impl Watched {
    pub(crate) fn come_to(&self, rows: u64) {
        (self.watcher)(Progress { what: &self.what, doing: self.doing, rows, of: self.of });
    }
}
