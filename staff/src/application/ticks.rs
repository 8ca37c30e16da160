//! What happens by itself with time: any replica may run it, one at a time does.

use platform::Db;
use platform::ticks::Deed;

use crate::infrastructure::maintenance;

/// Rows whose time is over. Hourly.
pub async fn keep_short(db: Db) -> Deed {
    let removed = maintenance::purge(&db).await?;
    Ok((removed > 0).then(|| format!("{removed} rows removed")))
}
