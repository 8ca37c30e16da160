//! A hotel company begins to use the house: no registration, defaults from the first event or token on.

use std::sync::Arc;
use std::time::Duration;

use contracts::housekeeping::TaskKind;
use contracts::ids::{ChecklistId, TenantId};
use platform::{Cache, Clock, Refusal, UnitOfWork};

use crate::HousekeepingError;
use crate::domain::checklist::Checklist;
use crate::domain::settings::{Settings, TenantSettings};
use crate::infrastructure::{checklists, settings};

/// How long what was read of a tenant is believed.
const BELIEVED: Duration = Duration::from_mins(1);
const TENANTS: usize = 10_000;

/// How a tenant works, and the checklists in force.
#[derive(Clone, Debug)]
pub struct Profile {
    pub settings: Settings,
    /// 0 where the defaults were never changed.
    pub settings_version: i32,
    checklists: Vec<Checklist>,
}

impl Profile {
    pub fn checklist(&self, kind: TaskKind) -> Result<&Checklist, HousekeepingError> {
        self.checklists.iter().find(|list| list.kind == kind).ok_or(Refusal::NotFound("checklist").into())
    }

    pub fn checklists(&self) -> &[Checklist] {
        &self.checklists
    }
}

/// Profiles by tenant, remembered for a minute; a restart forgets nothing but time.
#[derive(Debug)]
pub struct Profiles {
    known: Cache<TenantId, Arc<Profile>>,
    /// Checklists never change once published, so they may be remembered for long.
    lists: Cache<(TenantId, ChecklistId), Arc<Checklist>>,
}

impl Profiles {
    pub fn new(clock: &Clock) -> Self {
        Self {
            known: Cache::new(clock.clone(), TENANTS, BELIEVED),
            lists: Cache::new(clock.clone(), TENANTS, Duration::from_hours(24)),
        }
    }

    /// The tenant's profile; a tenant never seen before gets the defaults in this unit of work.
    pub async fn of(&self, uow: &mut UnitOfWork) -> Result<Arc<Profile>, HousekeepingError> {
        let tenant = uow.context().tenant.clone();
        if let Some(profile) = self.known.get(&tenant) {
            return Ok(profile);
        }
        let (TenantSettings { settings, version: settings_version }, lists) = settings::load(uow).await?;
        let complete = TaskKind::ALL.iter().all(|kind| lists.iter().any(|list| list.kind == *kind));
        if complete {
            let profile = Arc::new(Profile { settings, settings_version, checklists: lists });
            self.known.insert(tenant, Arc::clone(&profile));
            return Ok(profile);
        }
        // Not remembered: if this unit of work is given up, its checklists never were.
        let checklists = checklists::open_defaults(uow).await?;
        Ok(Arc::new(Profile { settings, settings_version, checklists }))
    }

    /// A checklist by its id, whatever version is in force now.
    pub async fn checklist(&self, uow: &mut UnitOfWork, id: &ChecklistId) -> Result<Arc<Checklist>, HousekeepingError> {
        let key = (uow.context().tenant.clone(), id.clone());
        if let Some(list) = self.lists.get(&key) {
            return Ok(list);
        }
        let list = Arc::new(checklists::get(uow, id).await?);
        self.lists.insert(key, Arc::clone(&list));
        Ok(list)
    }

    /// Forgets a tenant whose settings changed.
    pub fn forget(&self, tenant: &TenantId) {
        self.known.remove(tenant);
    }
}
