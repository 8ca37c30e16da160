//! What happens by itself with time: any replica may run it, one at a time does.

use platform::Db;
use platform::database::{DbRole, Fault};

use crate::infrastructure::maintenance;

/// What the maintenance tick did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Upkeep {
    pub partitions_made: i32,
    pub rows_removed: u64,
}

/// Partitions three months ahead, and rows whose time is over. Hourly.
pub async fn keep_up(db: &Db) -> Result<Upkeep, Fault> {
    let owner = db.connect_as(DbRole::Owner).await?;
    let partitions_made = maintenance::make_partitions(&owner, db.clock().now()).await?;
    let rows_removed = maintenance::purge(db).await?;
    Ok(Upkeep { partitions_made, rows_removed })
}
