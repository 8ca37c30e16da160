//! What the calendar brings, tenant by tenant: certificates run out, and patterns get their next shifts. What goes wrong with one
//! tenant keeps no other waiting, and what was missed is still due at the next look.

use std::collections::BTreeSet;

use contracts::values::LocalDate;
use platform::ticks::Deed;
use platform::{Db, UnitOfWork};

use super::each_tenant::{Tally, in_one_unit};
use super::{day_of, patterns as stories, tenants_day};
use crate::domain::leave::Days;
use crate::infrastructure::due::{self, BATCH, Due};
use crate::infrastructure::{certifications, patterns, settings};
use crate::{SCHEMA, StaffError};

/// Certificates whose day has come, and those that a newer one follows by then, from midnight of the tenant's own day on. Every quarter
/// of an hour: that is how far apart the world's midnights are.
pub async fn expire_certificates(db: Db) -> Deed {
    let mut done = Tally::default();
    for tenant in due::tenants(&db, Due::CertificatesRunOut).await? {
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
    let now = uow.now();
    let (today, mut done) = (tenants_day(uow, now).await?, 0);
    let papers = certifications::lock_run_out(uow, today, BATCH).await?;
    let people: BTreeSet<_> = papers.iter().map(|paper| paper.staff_id.clone()).collect();
    let held = certifications::held(uow, &people.into_iter().collect::<Vec<_>>()).await?;
    for paper in papers {
        // One that was renewed ahead needs nobody's care when it runs out.
        let mut others = held.iter().filter(|(staff, _)| *staff == paper.staff_id);
        let renewed = others.any(|(_, other)| paper.is_followed_by(other, today));
        let decided = if renewed { paper.supersede(now) } else { paper.expire(today, now) };
        if let Some(decided) = decided {
            uow.save(decided);
            done += 1;
        }
    }
    Ok(done)
}

/// The shifts of the days ahead, in every house that has patterns. Hourly.
pub async fn make_shifts(db: Db) -> Deed {
    let mut done = Tally::default();
    for tenant in due::tenants(&db, Due::Patterns).await? {
        let found = db.read(&SCHEMA, &tenant, async |uow: &mut UnitOfWork| patterns::houses(uow).await).await;
        for house in done.of(&tenant, found)?.unwrap_or_default() {
            let story = async |uow: &mut UnitOfWork| {
                // Somebody may have put a pattern back into use there.
                if due::closed_since(uow, &house).await?.is_some() {
                    return Ok(0);
                }
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
