//! People show who they are with a code and a PIN: at a terminal, or to sign in.
//!
//! A try is counted in a transaction of its own before it is judged, so that however many come at once no more are judged than may
//! be. Whoever is refused learns nothing else: the work and the answer are the same whether the code, the PIN or the person is
//! what is wrong.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use contracts::actor::Actor;
use contracts::ids::{PropertyId, StaffId, TenantId};
use contracts::time::Timestamp;
use platform::auth::{Claims, NoHash, PIN_ISSUER, Role, Secrets};
use platform::http::{Gate, RequestInfo};
use platform::{Db, Fault, RequestContext, UnitOfWork};

use super::positions as jobs;
use crate::domain::person::{Employment, Person};
use crate::domain::pin::{Counted, Failures, Pin, PinHash};
use crate::infrastructure::pins::Counting;
use crate::infrastructure::{people, pins, tokens};
use crate::{SCHEMA, StaffError};

const SIGNED_IN_SECONDS: i64 = 12 * 60 * 60;
/// At a terminal that everybody uses.
const KIOSK_SECONDS: i64 = 5 * 60;
/// Sources whose failures over all tenants are remembered.
const SOURCES: usize = 10_000;

/// Where people show their PINs: it knows the installation's secrets, and who has tried too often.
#[derive(Clone, Debug)]
pub struct PinDesk {
    db: Db,
    secrets: Secrets,
    /// Failures of a source over all tenants: no row of the database may hold what belongs to several tenants.
    sources: Arc<Mutex<HashMap<String, Failures>>>,
}

/// Who somebody says they are.
#[derive(Clone, Debug)]
pub struct Shown {
    pub tenant: TenantId,
    pub staff_code: String,
    pub pin: Pin,
    pub source: Source,
}

impl Shown {
    /// What its failures are counted under in this process. An address is one for all tenants; what an account is called each tenant says
    /// for itself.
    fn counted_here(&self) -> String {
        match &self.source {
            Source::Terminal(_) => format!("{} {}", self.tenant, self.source),
            Source::Address(_) => self.source.to_string(),
        }
    }
}

/// Where somebody shows a PIN.
#[derive(Clone, Debug)]
pub enum Source {
    /// By the account of a terminal.
    Terminal(String),
    /// An address; `None` is within the process.
    Address(Option<String>),
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Terminal(subject) => write!(f, "terminal {subject}"),
            Self::Address(address) => write!(f, "address {}", address.as_deref().unwrap_or("here")),
        }
    }
}

/// A PIN that was right a moment ago; [`accept`] makes something of it.
#[derive(Clone, Debug)]
pub struct Taken {
    pub staff_id: StaffId,
    hash: PinHash,
}

/// Somebody who has signed in.
#[derive(Clone, Debug)]
pub struct SignedIn {
    pub token: String,
    pub expires_at: Timestamp,
    pub staff_id: StaffId,
    pub roles: Vec<Role>,
    pub properties: Vec<PropertyId>,
}

impl From<NoHash> for StaffError {
    fn from(why: NoHash) -> Self {
        match why {
            NoHash::Busy => Fault::Exhausted.into(),
            NoHash::Failed(detail) => Fault::Unexpected { place: "pin".to_owned(), detail }.into(),
        }
    }
}

impl PinDesk {
    pub fn new(db: Db, gate: &Gate) -> Self {
        Self { db, secrets: gate.secrets.clone(), sources: Arc::default() }
    }

    /// What is kept of a new PIN.
    pub async fn hash(&self, pin: &Pin) -> Result<PinHash, StaffError> {
        Ok(PinHash(self.secrets.hash(pin.digits()).await?))
    }

    /// Counts the try, and then looks whether it is right. What is right is no failure, and what nobody could look at was no try,
    /// whatever becomes of the command that it came with.
    pub async fn judge(&self, shown: &Shown) -> Result<Taken, StaffError> {
        let code = shown.staff_code.to_ascii_uppercase();
        let now = self.db.clock().now();
        // Whoever is shut everywhere costs neither a connection nor a hash.
        let source = shown.counted_here();
        self.count_source(&source, now).map_err(|until| locked(until, now))?;
        let judged = self.judge_here(shown, &code, now).await;
        if !matches!(judged, Err(StaffError::PinRefused)) {
            self.take_back_source(&source, now);
        }
        judged
    }

    async fn judge_here(&self, shown: &Shown, code: &str, now: Timestamp) -> Result<Taken, StaffError> {
        let (mut uow, source) = (self.begin(&shown.tenant).await?, shown.source.to_string());
        let tried = match pins::count(&mut uow, code, &source).await? {
            Counting::Counted(tried) => tried,
            Counting::Shut(until) => {
                // Not judged, and so not counted.
                uow.rollback().await?;
                return Err(locked(until, now));
            }
        };
        uow.commit().await?;
        let hash = tried.person.as_ref().map(|(_, PinHash(hash))| hash.as_str());
        let right = match self.secrets.verifies(shown.pin.digits(), hash).await {
            Ok(right) => right,
            Err(why) => {
                let mut uow = self.begin(&shown.tenant).await?;
                pins::not_judged(&mut uow, &tried);
                uow.commit().await?;
                return Err(why.into());
            }
        };
        match &tried.person {
            Some((staff_id, hash)) if right => {
                let mut uow = self.begin(&shown.tenant).await?;
                pins::taken(&mut uow, &tried, staff_id, code, &source);
                uow.commit().await?;
                Ok(Taken { staff_id: staff_id.clone(), hash: hash.clone() })
            }
            _ => {
                metrics::counter!("melmastoon_pins_refused_total").increment(1);
                Err(StaffError::PinRefused)
            }
        }
    }

    /// What is counted holds for all processes at the commit, and need not be on the disk then: a crash of the database forgets the tries of
    /// its last moment, and nobody waits for it two hundred times a second.
    async fn begin(&self, tenant: &TenantId) -> Result<UnitOfWork, StaffError> {
        let mut uow = self.db.begin_for(&SCHEMA, tenant).await?;
        uow.not_waiting_for_the_disk();
        Ok(uow)
    }

    /// Signs somebody in: a token for what is theirs and for what their position does.
    pub async fn sign_in(&self, shown: &Shown, kiosk: bool, info: &RequestInfo) -> Result<SignedIn, StaffError> {
        let taken = self.judge(shown).await?;
        let context = RequestContext {
            tenant: shown.tenant.clone(),
            actor: Actor::user(taken.staff_id.as_str()),
            correlation_id: info.request_id.clone(),
            causation_id: None,
            traceparent: info.traceparent.clone(),
            locale: None,
        };
        let mut uow = self.db.begin(&SCHEMA, context).await?;
        let signed_in = match self.admit(&mut uow, &taken, kiosk).await {
            Ok(signed_in) => signed_in,
            Err(refused) => {
                uow.rollback().await?;
                return Err(refused);
            }
        };
        uow.commit().await?;
        Ok(signed_in)
    }

    async fn admit(&self, uow: &mut UnitOfWork, taken: &Taken, kiosk: bool) -> Result<SignedIn, StaffError> {
        let person = accept(uow, taken).await?;
        let position = jobs::known_position(uow, &person.position_id).await?;
        let generation = tokens::generation(uow, &person.id).await?;
        let role = position.role.and_then(|role| Role::parse(role.as_str()));
        let roles: Vec<Role> = std::iter::once(Role::Staff).chain(role).collect();
        let now = uow.now().as_millis() / 1_000;
        let expires = now + if kiosk { KIOSK_SECONDS } else { SIGNED_IN_SECONDS };
        let of = person.particulars;
        let claims = Claims {
            iss: Some(PIN_ISSUER.to_owned()),
            sub: of.user_id.map_or_else(|| person.id.to_string(), |user| user.to_string()),
            tenant_id: Some(uow.context().tenant.to_string()),
            staff_id: Some(person.id.to_string()),
            roles: roles.iter().map(|role| role.as_str().to_owned()).collect(),
            properties: of.property_access.iter().map(ToString::to_string).collect(),
            exp: expires,
            iat: Some(now),
            pin_generation: Some(generation),
            ..Claims::default()
        };
        Ok(SignedIn {
            token: self.secrets.key().mint(&claims),
            expires_at: Timestamp::from_millis(expires * 1_000),
            staff_id: person.id,
            roles,
            properties: of.property_access,
        })
    }

    /// Counts a try of a source before anything is asked, so that any number at once are counted too. Err: it is shut until then.
    fn count_source(&self, source: &str, now: Timestamp) -> Result<(), Timestamp> {
        let mut sources = self.sources.lock().unwrap_or_else(PoisonError::into_inner);
        if sources.len() >= SOURCES && !sources.contains_key(source) {
            sources.retain(|_, failures| !failures.is_over(Counted::Here, now));
            if sources.len() >= SOURCES {
                // A crowd of sources: the database counts each for its tenant all the same.
                sources.clear();
            }
        }
        sources.entry(source.to_owned()).or_default().count(Counted::Here, now)
    }

    fn take_back_source(&self, source: &str, tried: Timestamp) {
        let mut sources = self.sources.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(failures) = sources.get_mut(source) {
            failures.take_back(Counted::Here, tried);
            if failures.is_empty() {
                sources.remove(source);
            }
        }
    }
}

fn locked(until: Timestamp, now: Timestamp) -> StaffError {
    let seconds = (until.as_millis() - now.as_millis() + 999) / 1_000;
    StaffError::PinLocked { seconds: u32::try_from(seconds).unwrap_or(1).max(1) }
}

/// The person whose PIN was right, locked and seen. What was right a moment ago may be another by now.
pub async fn accept(uow: &mut UnitOfWork, taken: &Taken) -> Result<Person, StaffError> {
    let person = people::lock(uow, &taken.staff_id).await?.ok_or(StaffError::PinRefused)?;
    let kept = pins::kept(uow, &person.id).await?;
    let employed = matches!(person.employment, Employment::PendingInvite | Employment::Active);
    if kept.as_ref() != Some(&taken.hash) || !employed {
        return Err(StaffError::PinRefused);
    }
    let now = uow.now();
    Ok(match person.clone().be_seen(now) {
        Some(seen) => uow.save(seen),
        None => person,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_of_a_terminal_is_counted_for_its_tenant_and_an_address_for_all() {
        let counted = |tenant: &str, source: &Source| {
            let (tenant, source) = (TenantId::parse(tenant).unwrap(), source.clone());
            Shown { tenant, staff_code: "S-0001".to_owned(), pin: Pin::new("748291"), source }.counted_here()
        };
        let (one, other) = ("tnt_01J00000000000000000000001", "tnt_01J00000000000000000000002");
        let terminal = Source::Terminal("usr_terminal".to_owned());
        assert_ne!(counted(one, &terminal), counted(other, &terminal));
        let address = Source::Address(Some("192.0.2.1".to_owned()));
        assert_eq!(counted(one, &address), counted(other, &address));
    }
}
