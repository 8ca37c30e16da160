//! The board, composed once for everybody who looks at it while nothing changes.
//!
//! A change of the house makes its snapshot invalid with the same commit: each owes a row to the outbox, and the snapshot knows what it
//! has seen. The first who looks after it composes the board anew; for boards that people look at, a tick does so within a minute.

use contracts::ids::PropertyId;
use contracts::time::Timestamp;
use platform::each_tenant::{Tally, in_one_unit};
use platform::ticks::Deed;
use platform::{Db, UnitOfWork};

use super::board;
use crate::infrastructure::due::{self, Due};
use crate::infrastructure::shared_boards::SharedBoard;
use crate::infrastructure::snapshots::{self, Composed, Snapshot};
use crate::{HousekeepingError, SCHEMA};

/// A board as it goes out.
#[derive(Debug)]
pub struct Shown {
    pub etag: String,
    pub generated_at: Timestamp,
    /// `None`: the caller has it already.
    pub document: Option<String>,
    pub source: Source,
}

/// Where a board came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Another process had read it.
    Cache,
    Snapshot,
    Tables,
}

impl Shown {
    /// What the other processes may not have yet.
    pub fn news(&self) -> Option<&str> {
        self.document.as_deref().filter(|_| self.source != Source::Cache)
    }
}

/// The board of a house, from its snapshot where that still holds. `known_etag`: the one that the caller has; `shared`: the one that
/// another process had read, which spares the database its document, and no more: which board holds is asked in any case.
pub async fn show(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    known_etag: Option<&str>,
    shared: Option<SharedBoard>,
) -> Result<Shown, HousekeepingError> {
    let known: Vec<&str> = known_etag.into_iter().chain(shared.as_ref().map(|board| board.etag.as_str())).collect();
    if let Some(Snapshot { etag, generated_at, document }) = snapshots::find(uow, property, &known).await? {
        // The same tag is the same board, though it may have been composed twice.
        if let Some(shared) = shared.filter(|shared| shared.etag == etag && known_etag != Some(&etag)) {
            metrics::counter!("melmastoon_boards_total", "from" => "cache").increment(1);
            let (generated_at, document) = (shared.generated_at, Some(shared.document));
            return Ok(Shown { etag, generated_at, document, source: Source::Cache });
        }
        metrics::counter!("melmastoon_boards_total", "from" => "snapshot").increment(1);
        return Ok(Shown { etag, generated_at, document, source: Source::Snapshot });
    }
    let shown = compose(uow, property, true).await?;
    metrics::counter!("melmastoon_boards_total", "from" => "tables").increment(1);
    let document = shown.document.filter(|_| known_etag != Some(&shown.etag));
    Ok(Shown { document, ..shown })
}

async fn compose(uow: &mut UnitOfWork, property: &PropertyId, asked: bool) -> Result<Shown, HousekeepingError> {
    let (board, seen, steady_until) = board::compose_now(uow, property).await?;
    let document = serde_json::to_string(&board).unwrap_or_default();
    let (etag, generated_at) = (board.etag, board.generated_at);
    let kept = Composed { property, etag: &etag, document: document.clone(), seen, generated_at, steady_until, asked };
    snapshots::keep(uow, kept);
    Ok(Shown { etag, generated_at, document: Some(document), source: Source::Tables })
}

/// Boards that people look at are composed anew where they no longer hold. Every 60 seconds.
pub async fn refresh(db: Db) -> Deed {
    let mut done = Tally::default();
    for tenant in due::tenants(&db, Due::BoardsToCompose).await? {
        let houses = db.read(&SCHEMA, &tenant, async |uow| snapshots::due(uow).await).await;
        for house in done.of(&tenant, houses)?.unwrap_or_default() {
            let story = async |uow: &mut UnitOfWork| {
                if snapshots::find(uow, &house, &[]).await?.is_some() {
                    return Ok::<_, HousekeepingError>(0);
                }
                compose(uow, &house, false).await?;
                Ok(1)
            };
            done.count(&tenant, in_one_unit(&db, &SCHEMA, &tenant, "sys_board", story).await)?;
        }
    }
    Ok(done.said("boards composed"))
}
