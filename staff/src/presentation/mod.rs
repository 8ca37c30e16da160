//! The edges of staff: HTTP and events in, problems out. They only translate.

pub mod events;
pub mod http;
pub mod problems;

use platform::Db;
use platform::personal::ArchiveDoor;

use crate::application::pin::PinDesk;
use crate::infrastructure::rosters::Rosters;

/// What the edges work with.
#[derive(Clone, Debug)]
pub struct Staff {
    pub db: Db,
    pub desk: PinDesk,
    pub rosters: Rosters,
    pub archive: ArchiveDoor,
}
