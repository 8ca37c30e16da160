//! Timers work tenant by tenant, each in ordinary units of work: what goes wrong with one tenant keeps no other waiting.

use contracts::actor::Actor;
use contracts::ids::TenantId;
use platform::{Db, Fault, Refusal, RequestContext, UnitOfWork};

use crate::{SCHEMA, StaffError};

/// Who acts where nobody does.
const TIMER: &str = "system_auto";

/// One unit of work for one tenant, in nobody's name.
pub(super) async fn in_one_unit(
    db: &Db,
    tenant: &TenantId,
    story: impl AsyncFnOnce(&mut UnitOfWork) -> Result<usize, StaffError>,
) -> Result<usize, StaffError> {
    let context = RequestContext {
        tenant: tenant.clone(),
        actor: Actor::system(TIMER),
        correlation_id: format!("req_{}", db.ids().ulid(db.clock().now())),
        causation_id: None,
        traceparent: platform::telemetry::new_traceparent(db.ids()),
        locale: None,
    };
    let mut uow = db.begin(&SCHEMA, context).await?;
    let done = story(&mut uow).await?;
    uow.commit().await?;
    Ok(done)
}

/// What came of it over all tenants.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) done: usize,
    pub(super) failed: usize,
}

impl Tally {
    /// A database that does not answer ends the tick, which is then due again; anything else is this tenant's own affair.
    pub(super) fn of<T>(&mut self, tenant: &TenantId, outcome: Result<T, StaffError>) -> Result<Option<T>, Fault> {
        match outcome {
            Ok(found) => Ok(Some(found)),
            Err(StaffError::General(Refusal::Fault(fault @ (Fault::Unavailable(_) | Fault::Exhausted)))) => Err(fault),
            Err(error) => {
                self.failed += 1;
                tracing::warn!(%tenant, %error, "a timer could not do its work for one tenant; it looks again next time");
                Ok(None)
            }
        }
    }

    pub(super) fn count(&mut self, tenant: &TenantId, outcome: Result<usize, StaffError>) -> Result<usize, Fault> {
        let done = self.of(tenant, outcome)?.unwrap_or(0);
        self.done += done;
        Ok(done)
    }

    pub(super) fn said(self, what: &str) -> Option<String> {
        match (self.done, self.failed) {
            (0, 0) => None,
            (done, 0) => Some(format!("{done} {what}")),
            (done, failed) => Some(format!("{done} {what}, {failed} failed")),
        }
    }
}
