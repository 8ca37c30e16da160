//! A hotel company begins to use the house: no registration, defaults from the first event or token on.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use contracts::housekeeping::TaskKind;
use contracts::ids::{ChecklistId, TenantId};
use platform::{Cache, Clock, Db, Refusal, UnitOfWork};

use crate::HousekeepingError;
use crate::domain::checklist::Checklist;
use crate::domain::settings::{Settings, TenantSettings};
use crate::infrastructure::{checklists, settings};

/// How long what was read of a tenant is believed.
const BELIEVED: Duration = Duration::from_mins(1);
/// How often a listener looks whether it is still needed, and how long it waits before it tries again.
const LOOK_UP: Duration = Duration::from_secs(1);
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

/// Profiles by tenant. A change of one is said to every process with its commit; what is remembered is believed only while this process
/// listens, and for a minute at most.
#[derive(Debug)]
pub struct Profiles {
    known: Cache<TenantId, Arc<Profile>>,
    /// Whether every change is heard, and how many were.
    hearing: Mutex<Hearing>,
    /// Checklists never change once published, so they may be remembered for long.
    lists: Cache<(TenantId, ChecklistId), Arc<Checklist>>,
}

#[derive(Debug, Default)]
struct Hearing {
    now: bool,
    changes: u64,
}

impl Profiles {
    pub fn new(clock: &Clock) -> Self {
        Self {
            known: Cache::new(clock.clone(), TENANTS, BELIEVED),
            hearing: Mutex::default(),
            lists: Cache::new(clock.clone(), TENANTS, Duration::from_hours(24)),
        }
    }

    /// The tenant's profile; a tenant never seen before gets the defaults in this unit of work.
    pub async fn of(&self, uow: &mut UnitOfWork) -> Result<Arc<Profile>, HousekeepingError> {
        let tenant = uow.context().tenant.clone();
        if let Some(profile) = self.known.get(&tenant) {
            return Ok(profile);
        }
        let before = self.hearing().changes;
        let (TenantSettings { settings, version: settings_version }, lists) = settings::load(uow).await?;
        let complete = TaskKind::ALL.iter().all(|kind| lists.iter().any(|list| list.kind == *kind));
        if complete {
            let profile = Arc::new(Profile { settings, settings_version, checklists: lists });
            let hearing = self.hearing();
            // What changed while it was read may not be in it.
            if hearing.now && hearing.changes == before {
                self.known.insert(tenant, Arc::clone(&profile));
            }
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
        let mut hearing = self.hearing();
        hearing.changes += 1;
        self.known.remove(tenant);
    }

    /// Listens for changes until nobody uses the profiles any more. While the database cannot be listened to, nothing is remembered.
    pub async fn listen(profiles: Weak<Self>, db: Db) {
        loop {
            if let Ok(mut words) = db.listen(settings::CHANNEL).await {
                let Some(known) = profiles.upgrade() else { return };
                known.hear(true);
                drop(known);
                loop {
                    let word = tokio::time::timeout(LOOK_UP, words.next()).await;
                    let Some(known) = profiles.upgrade() else { return };
                    match word {
                        Ok(Some(tenant)) => {
                            if let Ok(tenant) = TenantId::parse(&tenant) {
                                known.forget(&tenant);
                            }
                        }
                        Ok(None) => {
                            known.hear(false);
                            break;
                        }
                        Err(_) => {}
                    }
                }
            }
            tokio::time::sleep(LOOK_UP).await;
            if profiles.strong_count() == 0 {
                return;
            }
        }
    }

    /// From here on every change is heard, or none is; nothing that was remembered before is believed.
    fn hear(&self, now: bool) {
        let mut hearing = self.hearing();
        *hearing = Hearing { now, changes: hearing.changes + 1 };
        self.known.clear();
    }

    fn hearing(&self) -> MutexGuard<'_, Hearing> {
        self.hearing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
