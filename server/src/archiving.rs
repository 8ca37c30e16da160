//! The archive as the server runs it: where it is, and the tick that sends old months there.

use std::path::PathBuf;
use std::time::Duration;

use platform::ticks::Tick;
use serde::Serialize;

use crate::contexts;

/// Where old months go.
#[derive(Clone, Debug, Serialize)]
pub struct Place {
    /// `file:///…`, `s3://…` or `gs://…`; keys for buckets come from the environment and never stand in it.
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
