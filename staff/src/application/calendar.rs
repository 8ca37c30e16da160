//! What the calendar brings, tenant by tenant: certificates run out, and patterns get their next shifts. What goes wrong with one
//! tenant keeps no other waiting, and what was missed is still due at the next look.

use contracts::actor::Actor;
use contracts::ids::TenantId;
use contracts::values::LocalDate;
use platform::ticks::Deed;
use platform::{Db, Fault, Refusal, RequestContext, UnitOfWork};

use super::{day_of, patterns as stories};
use crate::domain::leave::Days;
use crate::infrastructure::planning_due::{self, Due};
use crate::infrastructure::{certifications, patterns, settings};
use crate::{SCHEMA, StaffError};

/// So many certificates run out in one unit of work.
const BATCH: i64 = 200;

/// Certificates whose day has come, from midnight of the tenant's own day on. Every quarter of an hour: that is how far apart the
/// world's midnights are.
pub async fn expire_certificates(db: Db) -> Deed {
    let mut done = Tally::default();
    for tenant in planning_due::tenants(&db, Due::CertificatesRunOut).await? {
        loop {
            let expired = done.count(&tenant, in_one_unit(&db, &tenant, expire_some).await)?;
            if i64::try_from(expired).unwrap_or(i64::MAX) < BATCH {
                break;
            }
        }
    }
    Ok(done.said("certificates expired"))
}

async fn expire_some(uow: &mut UnitOfWork) -> Result<usize, StaffError> {
    let (tenants, _) = settings::load(uow, None).await?;
    let (now, today) = (uow.now(), day_of(uow.now(), &tenants));
    let mut expired = 0;
    for paper in certifications::lock_run_out(uow, today, BATCH).await? {
        if let Some(decided) = paper.expire(today, now) {
            uow.save(decided);
            expired += 1;
        }
    }
    Ok(expired)
}

/// The shifts of the days ahead, in every house that has patterns. Hourly.
pub async fn make_shifts(db: Db) -> Deed {
    let mut done = Tally::default();
    for tenant in planning_due::tenants(&db, Due::Patterns).await? {
        let found = db.read(&SCHEMA, &tenant, async |uow: &mut UnitOfWork| patterns::houses(uow).await).await;
        for house in done.of(&tenant, found)?.unwrap_or_default() {
            let story = async |uow: &mut UnitOfWork| {
                let in_force = settings::in_force(uow, &house).await?;
                let today = day_of(uow.now(), &in_force);
                let ahead = jiff::Span::new().days(i64::from(in_force.generate_horizon_days));
                let to = today.0.checked_add(ahead).map_or(today, LocalDate);
                let made = stories::generate(uow, &house, Days { from: today, to }, None).await?;
                Ok(made.created.len())
            };
            done.count(&tenant, in_one_unit(&db, &tenant, story).await)?;
        }
    }
    Ok(done.said("shifts made"))
}

/// One unit of work for one tenant, in the name of the timer.
async fn in_one_unit(
    db: &Db,
    tenant: &TenantId,
    story: impl AsyncFnOnce(&mut UnitOfWork) -> Result<usize, StaffError>,
) -> Result<usize, StaffError> {
    let context = RequestContext {
        tenant: tenant.clone(),
        actor: Actor::system("system_auto"),
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
struct Tally {
    done: usize,
    failed: usize,
}

impl Tally {
    /// A database that does not answer ends the tick, which is then due again; anything else is this tenant's own affair.
    fn of<T>(&mut self, tenant: &TenantId, outcome: Result<T, StaffError>) -> Result<Option<T>, Fault> {
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

    fn count(&mut self, tenant: &TenantId, outcome: Result<usize, StaffError>) -> Result<usize, Fault> {
        let done = self.of(tenant, outcome)?.unwrap_or(0);
        self.done += done;
        Ok(done)
    }

    fn said(self, what: &str) -> Option<String> {
        match (self.done, self.failed) {
            (0, 0) => None,
            (done, 0) => Some(format!("{done} {what}")),
            (done, failed) => Some(format!("{done} {what}, {failed} failed")),
        }
    }
}
