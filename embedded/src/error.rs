//! What can go wrong with the private PostgreSQL, told so that the reader knows what to do next.

use std::path::PathBuf;
use std::time::Duration;

/// Why the private PostgreSQL could not be found, made, started or stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EmbeddedError {
    /// No usable server binaries on this machine.
    #[error(
        "PostgreSQL {oldest} or newer is not installed: no folder with `postgres` and `initdb` was found. Looked at: \
         {looked_at}. Install it (Debian and Ubuntu: `apt-get install postgresql`; Fedora: `dnf install \
         postgresql-server`; macOS: `brew install postgresql@17`), or name the folder in MELMASTOON_PG_BIN, or set \
         DATABASE_URL to use a server you already have"
    )]
    BinariesMissing {
        /// The oldest major version that will do.
        oldest: u32,
        /// Each place with what was found there.
        looked_at: String,
    },
    /// The folder somebody named has no usable server in it.
    #[error(
        "MELMASTOON_PG_BIN names {folder}, but {reason}. It must hold `postgres` and `initdb` of version {oldest} or newer"
    )]
    NamedBinariesUnusable {
        /// The folder as given.
        folder: PathBuf,
        /// What is wrong with it.
        reason: String,
        /// The oldest major version that will do.
        oldest: u32,
    },
    /// Another process runs this cluster.
    #[error("{data_dir} is in use by process {holder}: stop that one first, or choose another data folder")]
    InUse {
        /// The data folder.
        data_dir: PathBuf,
        /// Its pid, as far as it is known.
        holder: String,
    },
    /// The user named to run PostgreSQL does not exist.
    #[error("there is no user `{0}` to run PostgreSQL as: create it (`useradd --system {0}`) or name another one")]
    UnknownAccount(String),
    /// We are root, and there is nobody to give the server processes to.
    #[error(
        "PostgreSQL does not run as root, and neither of the users `postgres` and `nobody` exists: create one \
         (`useradd --system postgres`) or start Melmastoon as an ordinary user"
    )]
    NoAccount,
    /// The folder belongs to somebody else, and we are not root.
    #[error(
        "{path} belongs to user {owner}, and this process runs as {us}: run it as that user, as root, or choose another data folder"
    )]
    SomebodyElses {
        /// The folder.
        path: PathBuf,
        /// Its owner.
        owner: u32,
        /// Who we are.
        us: u32,
    },
    /// The unprivileged user cannot get to the folder.
    #[error(
        "user `{account}`, who runs PostgreSQL, may not enter {ancestor}, so {data_dir} is out of reach: choose a data \
         folder elsewhere (for instance /var/lib/melmastoon) or allow passage with `chmod o+x {ancestor}`"
    )]
    OutOfReach {
        /// The data folder.
        data_dir: PathBuf,
        /// The user who runs PostgreSQL.
        account: String,
        /// The closed folder on the way.
        ancestor: PathBuf,
    },
    /// There is something at the place of the cluster that is no cluster.
    #[error("{0} exists but holds no PostgreSQL cluster: move it away, or choose another data folder")]
    NotACluster(PathBuf),
    /// The cluster is of another major version than every server found.
    #[error(
        "{data} was made by PostgreSQL {made_by}, but the server found is {found}: install PostgreSQL {made_by}, or name \
         its folder in MELMASTOON_PG_BIN; to move to the newer version, dump with the old one and restore into a new folder"
    )]
    OtherMajor {
        /// The cluster.
        data: PathBuf,
        /// Version that made it.
        made_by: u32,
        /// Version found.
        found: u32,
    },
    /// A new cluster was to be made where there is one.
    #[error("{0} is a cluster already: restore into an empty data folder (`--data-dir`), or move this one away first")]
    AlreadyACluster(PathBuf),
    /// A program that comes with PostgreSQL is not there.
    #[error(
        "there is no `{tool}` in {folder}: it comes with PostgreSQL's client programs (Debian and Ubuntu: `apt-get install postgresql-client`)"
    )]
    ToolMissing {
        /// The program.
        tool: &'static str,
        /// Where it should be.
        folder: PathBuf,
    },
    /// The copy of a cluster failed.
    #[error("the cluster could not be copied: {0}")]
    NotCopied(String),
    /// A password file is gone or does not fit.
    #[error("the password in {0} is not the one this cluster was made with: put the file back from a backup")]
    PasswordLost(PathBuf),
    /// `initdb` failed.
    #[error("initdb could not make the cluster in {folder}: {output}")]
    NotMade {
        /// Where.
        folder: PathBuf,
        /// What it said.
        output: String,
    },
    /// The server gave up while starting.
    #[error("PostgreSQL stopped while starting ({status}). Its last words: {last_words}")]
    StoppedEarly {
        /// How it ended.
        status: String,
        /// The end of its log.
        last_words: String,
    },
    /// The server takes too long.
    #[error("PostgreSQL was not ready after {} s. Its last words: {last_words}", .limit.as_secs())]
    NotReady {
        /// How long we waited.
        limit: Duration,
        /// The end of its log.
        last_words: String,
    },
    /// A process of the cluster outlived every signal.
    #[error("process {0} of the cluster would not end, even when killed")]
    WillNotEnd(i32),
    /// Nothing runs on this folder.
    #[error("no Melmastoon is running on {0}: start one with `melmastoon up --data-dir {0}`")]
    NotRunning(PathBuf),
    /// The new cluster refused a set-up statement.
    #[error("the cluster could not be set up: {}", told(.0))]
    SetUp(#[from] tokio_postgres::Error),
    /// The operating system refused something.
    #[error("cannot {doing} {path}: {source}")]
    Os {
        /// The verb.
        doing: &'static str,
        /// The object.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

/// What PostgreSQL said, since the client's own words for a refusal are only "db error".
pub(crate) fn told(error: &tokio_postgres::Error) -> String {
    match (error.as_db_error(), std::error::Error::source(error)) {
        (Some(refusal), _) => format!("{} ({})", refusal.message(), refusal.code().code()),
        (None, Some(cause)) => format!("{error}: {cause}"),
        (None, None) => error.to_string(),
    }
}

/// Names what was being done when the operating system refused it.
pub(crate) trait Doing<T> {
    /// Adds the verb and the object.
    fn doing(self, doing: &'static str, path: impl Into<PathBuf>) -> Result<T, EmbeddedError>;
}

impl<T> Doing<T> for std::io::Result<T> {
    fn doing(self, doing: &'static str, path: impl Into<PathBuf>) -> Result<T, EmbeddedError> {
        self.map_err(|source| EmbeddedError::Os { doing, path: path.into(), source })
    }
}
