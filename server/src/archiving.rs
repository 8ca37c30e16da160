//! The archive as the server runs it: where it is, and the tick that sends old months there.

use std::path::PathBuf;
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use platform::Db;
use platform::database::DbRole;
use platform::personal::{ArchiveMentionResource, ArchiveMentionsResource, LooksIntoArchive, Sought};
use platform::ticks::Tick;
use serde::Serialize;

use crate::contexts;

/// Where old months go.
#[derive(Clone, Debug, Serialize)]
pub struct Place {
    /// `file:///…`, `s3://…` or `gs://…`; keys for buckets come from the environment and never stand in it.
    #[serde(serialize_with = "crate::masking::masked_url")]
    pub url: String,
    /// `None`: as fast as it goes.
    pub rows_a_second: Option<u32>,
    /// A folder of this machine for the file at hand.
    pub spool: PathBuf,
}

const EVERY: Duration = Duration::from_hours(6);

/// Without a place nothing happens: rows stay, and nothing is lost.
#[cfg(not(feature = "archive"))]
pub(crate) fn tick(_: Option<Place>) -> Tick {
    Tick::new(contexts::ARCHIVE, EVERY, async |_| Ok(None))
}

/// Without a place nothing happens: rows stay, and nothing is lost.
#[cfg(feature = "archive")]
pub(crate) fn tick(place: Option<Place>) -> Tick {
    Tick::new(contexts::ARCHIVE, EVERY, move |db| {
        let place = place.clone();
        async move {
            let Some(place) = place else { return Ok(None) };
            let done = match archivist(db, &place) {
                Ok(archivist) => archivist.run().await,
                Err(error) => Err(error),
            };
            // Somebody runs it by hand: what is due is being done.
            if matches!(done, Err(::archive::ArchiveError::Busy)) {
                return Ok(Some("somebody else is at it".to_owned()));
            }
            let done =
                done.map_err(|error| platform::Fault::Elsewhere { who: "the archive", why: error.to_string() })?;
            let said = format!(
                "{} files, {} rows archived, {} removed, {} months wait",
                done.files, done.rows, done.removed, done.waiting
            );
            Ok((done != ::archive::Done::default()).then_some(said))
        }
    })
}

/// Whether an archive may be there: what can be told without looking. Err: what is needed.
pub(crate) fn check_address(url: &str) -> Result<(), String> {
    #[cfg(feature = "archive")]
    return ::archive::Store::check(url).map_err(|error| error.to_string());
    #[cfg(not(feature = "archive"))]
    return Err(format!("it is `{url}`, and this binary was built without an archive"));
}

/// Whether files can be put there now: one is, and is taken away again. Err: why not.
pub async fn try_out(place: &Place) -> Result<(), String> {
    #[cfg(feature = "archive")]
    return match ::archive::Store::open(&place.url) {
        Ok(store) => store.try_out().await.map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    #[cfg(not(feature = "archive"))]
    return Err(format!("`{}`: this binary was built without an archive", place.url));
}

/// Whoever takes months out and brings them back, at this place.
#[cfg(feature = "archive")]
pub fn archivist(db: platform::Db, place: &Place) -> Result<::archive::Archivist, ::archive::ArchiveError> {
    let store = ::archive::Store::open(&place.url)?;
    let versions = contexts::migrations().iter().map(|of| (of.schema, of.newest())).collect();
    let archivist = ::archive::Archivist::new(db, store, contexts::archived(), place.spool.clone());
    Ok(archivist.throttled(place.rows_a_second).of_schemas(versions))
}

/// What the archive has of somebody, for whoever asks over HTTP.
#[derive(Debug)]
pub(crate) struct Shelves {
    db: Db,
    place: Option<Place>,
}

/// So many rows of a tenant are looked through while a caller waits; more are left to the command.
const ROWS_FOR_A_CALLER: i64 = 250_000;
/// And for so long.
const CALLER_WAITS: Duration = Duration::from_secs(5);

impl LooksIntoArchive for Shelves {
    fn mentions(&self, sought: Sought) -> BoxFuture<'_, ArchiveMentionsResource> {
        async move {
            let noted = match self.noted(sought.tenant.as_str()).await {
                Ok(noted) if noted.months.is_empty() => return ArchiveMentionsResource::default(),
                Ok(noted) => noted,
                Err(why) => return not_searched(&sought, Vec::new(), why),
            };
            if noted.rows > ROWS_FOR_A_CALLER {
                let why = format!("{} rows are there: too many to look through while a caller waits", noted.rows);
                return not_searched(&sought, noted.months, why);
            }
            match tokio::time::timeout(CALLER_WAITS, self.search(&sought)).await {
                Ok(Ok(files)) => ArchiveMentionsResource { files, ..ArchiveMentionsResource::default() },
                Ok(Err(why)) => not_searched(&sought, noted.months, why),
                Err(_) => not_searched(&sought, noted.months, "it takes longer than a caller waits".to_owned()),
            }
        }
        .boxed()
    }
}

/// What the ledger has of a tenant.
struct Noted {
    rows: i64,
    months: Vec<String>,
}

impl Shelves {
    pub(crate) fn new(db: Db, place: Option<Place>) -> Self {
        Self { db, place }
    }

    async fn noted(&self, tenant: &str) -> Result<Noted, String> {
        let operator = self.db.connect_as(DbRole::Operator).await.map_err(|fault| fault.to_string())?;
        let sql = "SELECT coalesce(sum(rows), 0)::BIGINT, coalesce(array_agg(DISTINCT to_char(month, 'YYYY-MM')), '{}')
                   FROM bus.archives WHERE tenant_id = $1";
        let row = operator.query_one(sql, &[&tenant]).await.map_err(|error| error.to_string())?;
        Ok(Noted { rows: row.get(0), months: row.get(1) })
    }

    #[cfg(feature = "archive")]
    async fn search(&self, sought: &Sought) -> Result<Vec<ArchiveMentionResource>, String> {
        let Some(place) = &self.place else {
            return Err("MELMASTOON_ARCHIVE_URL is not set for this process".to_owned());
        };
        let archivist = archivist(self.db.clone(), place).map_err(|error| error.to_string())?;
        let found =
            archivist.mentions(sought.tenant.as_str(), &sought.numbers).await.map_err(|error| error.to_string())?;
        let shown = |::archive::Mention { path, context, table, month, rows }| ArchiveMentionResource {
            path,
            context,
            table,
            month,
            rows,
        };
        Ok(found.into_iter().map(shown).collect())
    }

    #[cfg(not(feature = "archive"))]
    #[expect(clippy::unused_async, reason = "as with an archive")]
    async fn search(&self, _: &Sought) -> Result<Vec<ArchiveMentionResource>, String> {
        let _ = &self.place;
        Err("this binary was built without an archive".to_owned())
    }
}

fn not_searched(sought: &Sought, months: Vec<String>, why: String) -> ArchiveMentionsResource {
    let command = format!("melmastoon person export --tenant {} {}", sought.tenant, sought.option);
    ArchiveMentionsResource { files: Vec::new(), not_searched: Some(why), months, command: Some(command) }
}
