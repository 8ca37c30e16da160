//! Timers work tenant by tenant, each in ordinary units of work: what goes wrong with one tenant keeps no other waiting, and what was
//! missed is still due at the next look.

use contracts::actor::Actor;
use contracts::ids::TenantId;

use crate::database::Schema;
use crate::{ContextError, Db, Fault, Refusal, RequestContext, UnitOfWork};

/// One unit of work for one tenant, in the name of the timer.
pub async fn in_one_unit<E: From<Fault>>(
    db: &Db,
    schema: &'static Schema,
    tenant: &TenantId,
    actor: &str,
    story: impl AsyncFnOnce(&mut UnitOfWork) -> Result<usize, E>,
) -> Result<usize, E> {
    let context = RequestContext {
        tenant: tenant.clone(),
        actor: Actor::system(actor),
        correlation_id: format!("req_{}", db.ids().ulid(db.clock().now())),
        causation_id: None,
        traceparent: crate::telemetry::new_traceparent(db.ids()),
        locale: None,
    };
    let mut uow = db.begin(schema, context).await?;
    let done = story(&mut uow).await?;
    uow.commit().await?;
    Ok(done)
}

/// What came of it over all tenants.
#[derive(Debug, Default)]
pub struct Tally {
    pub done: usize,
    pub failed: usize,
}

impl Tally {
    /// A database that does not answer ends the tick, which is then due again; anything else is this tenant's own affair.
    pub fn of<T, E: ContextError>(&mut self, tenant: &TenantId, outcome: Result<T, E>) -> Result<Option<T>, Fault> {
        let error = match outcome {
            Ok(found) => return Ok(Some(found)),
            Err(error) => error,
        };
        let said = error.to_string();
        if let Ok(Refusal::Fault(fault @ (Fault::Unavailable(_) | Fault::Exhausted))) = error.into_general() {
            return Err(fault);
        }
        self.failed += 1;
        tracing::warn!(%tenant, error = said, "a timer could not do its work for one tenant; it looks again next time");
        Ok(None)
    }

    pub fn count<E: ContextError>(&mut self, tenant: &TenantId, outcome: Result<usize, E>) -> Result<usize, Fault> {
        let done = self.of(tenant, outcome)?.unwrap_or(0);
        self.done += done;
        Ok(done)
    }

    /// `3 escalated, 1 failed`; nothing where there was nothing to do.
    pub fn said(self, what: &str) -> Option<String> {
        match (self.done, self.failed) {
            (0, 0) => None,
            (done, 0) => Some(format!("{done} {what}")),
            (done, failed) => Some(format!("{done} {what}, {failed} failed")),
        }
    }
}
