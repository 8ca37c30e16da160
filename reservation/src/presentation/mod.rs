//! The edges of reservation: HTTP and events in, problems out. They only translate.

pub mod events;
pub mod http;
pub mod problems;

use platform::Db;
use platform::personal::ArchiveDoor;

/// What the edges work with.
#[derive(Clone, Debug)]
pub struct FrontOffice {
    pub db: Db,
    pub archive: ArchiveDoor,
}
