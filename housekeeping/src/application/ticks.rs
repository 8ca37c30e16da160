//! What happens by itself with time: any replica may run it, one at a time does.

use platform::Db;
use platform::database::DbRole;
use platform::ticks::Deed;

use crate::infrastructure::maintenance;

/// Partitions three months ahead, and rows whose time is over. Hourly.
pub async fn keep_up(db: Db) -> Deed {
    let owner = db.connect_as(DbRole::Owner).await?;
    let made = maintenance::prepare(&owner, db.clock().now()).await?;
    let removed = maintenance::purge(&db).await?;
    let removed = (removed > 0).then(|| format!("{removed} rows removed"));
    Ok(match (made, removed) {
        (Some(made), Some(removed)) => Some(format!("{made}, {removed}")),
        (made, removed) => made.or(removed),
    })
}
