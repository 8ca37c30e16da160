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
            let done = done.map_err(|error| platform::Fault::Unexpected {
                place: "archive".to_owned(),
                detail: error.to_string(),
            })?;
            let said = format!(
                "{} files, {} rows archived, {} removed, {} months wait",
                done.files, done.rows, done.removed, done.waiting
            );
            Ok((done != ::archive::Done::default()).then_some(said))
        }
    })
}

/// Whoever takes months out and brings them back, at this place.
#[cfg(feature = "archive")]
pub fn archivist(db: platform::Db, place: &Place) -> Result<::archive::Archivist, ::archive::ArchiveError> {
    let store = ::archive::Store::open(&place.url)?;
    let versions = contexts::migrations().iter().map(|of| (of.schema, of.newest())).collect();
    let archivist = ::archive::Archivist::new(db, store, contexts::archived(), place.spool.clone());
    Ok(archivist.throttled(place.rows_a_second).of_schemas(versions))
}
