//! A shift ended, a task failed, or somebody came to an empty house: the open work of the house is planned again, behind the same gate as any plan.
//!
//! What happened only asks for it, in its own transaction. A tick looks at the house as it is then, so that however often and in whatever
//! order things were told, one plan comes of it. With nobody at work it waits for somebody to come.

use std::sync::Arc;

use platform::each_tenant::{Tally, in_one_unit};
use platform::ticks::Deed;
use platform::{Db, UnitOfWork};

use super::profiles::Profiles;
use super::routing::{self, Look};
use super::routing_port::RoutingPort;
use crate::domain::suggestion::{Proposal, RowOutcome, SuggestionNote};
use crate::infrastructure::due::{self, Due};
use crate::infrastructure::replanning::{self, Waiting};
use crate::{HousekeepingError, SCHEMA};

/// Plans every house that waits for it. Every 15 seconds.
pub async fn plan_again(db: Db, profiles: Arc<Profiles>, port: Arc<dyn RoutingPort>) -> Deed {
    let mut done = Tally::default();
    for tenant in due::tenants(&db, Due::WorkToPlan).await? {
        let houses = db.read(&SCHEMA, &tenant, async |uow| replanning::waiting(uow).await).await;
        for house in done.of(&tenant, houses)?.unwrap_or_default() {
            let look =
                db.read(&SCHEMA, &tenant, async |uow| routing::look_at(uow, &profiles, &house.property_id, None).await);
            let Some(look) = done.of(&tenant, look.await)? else { continue };
            let proposal = routing::ask(&*port, &look).await;
            let story = async |uow: &mut UnitOfWork| keep(uow, &house, &look, proposal).await;
            done.count(&tenant, in_one_unit(&db, &SCHEMA, &tenant, "sys_replanning", story).await)?;
        }
    }
    Ok(done.said("houses planned again"))
}

/// A plan that would change something waits for the supervisor; one that would not is no news. Where the planner was not to be had, the
/// house waits for the next look.
async fn keep(
    uow: &mut UnitOfWork,
    house: &Waiting,
    look: &Look,
    proposal: Proposal,
) -> Result<usize, HousekeepingError> {
    if proposal.note == Some(SuggestionNote::PlannerUnavailable) {
        return Ok(0);
    }
    replanning::answered(uow, house);
    let changes = proposal.rows.iter().any(|row| row.outcome == RowOutcome::Proposed);
    if !changes {
        return Ok(0);
    }
    routing::keep(uow, look, proposal).await?;
    Ok(1)
}
