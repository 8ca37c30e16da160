//! People show who they are with a code and a PIN: at a terminal, or to sign in.
//!
//! A try is counted in a transaction of its own before it is judged, so that however many come at once no more are judged than may
//! be. Whoever is refused learns nothing else: the work and the answer are the same whether the code, the PIN or the person is
//! what is wrong.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use contracts::actor::Actor;
use contracts::ids::{PropertyId, StaffId, TenantId};
use contracts::time::Timestamp;
use platform::auth::{Claims, NoHash, PIN_ISSUER, Role, Secrets};
use platform::http::{Gate, RequestInfo};
use platform::{Db, Fault, RequestContext, UnitOfWork};

use super::positions as jobs;
use crate::domain::person::{Employment, Person};
use crate::domain::pin::{Counted, Pin, PinHash, shut_until};
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
    /// Failures of a source over all tenants, since when: no row of the database may hold what belongs to several tenants.
    sources: Arc<Mutex<HashMap<String, (Timestamp, i32)>>>,
}

/// Who somebody says they are.
#[derive(Clone, Debug)]
pub struct Shown {
    pub tenant: TenantId,
    pub staff_code: String,
    pub pin: Pin,
    /// The terminal's account, or the address: see [`at_terminal`] and [`at_address`].
    pub source: String,
}

/// The source of what comes over a terminal.
pub fn at_terminal(subject: &str) -> String {
    format!("terminal {subject}")
}

/// The source of what comes from an address, or from within the process.
pub fn at_address(address: Option<&str>) -> String {
    format!("address {}", address.unwrap_or("here"))
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
        if let Some(until) = self.source_shut_until(&shown.source, now) {
            return Err(locked(until, now));
        }
        let mut uow = self.db.begin_for(&SCHEMA, &shown.tenant).await?;
        let tried = pins::count(&mut uow, &code, &shown.source).await?;
        if let Some(until) = shut_until(&tried.tries, tried.trust) {
            // Not judged, and so not counted.
            uow.rollback().await?;
            return Err(locked(until, now));
        }
        uow.commit().await?;
        self.count_source(&shown.source, now, 1);
        let hash = tried.person.as_ref().map(|(_, PinHash(hash))| hash.as_str());
        let judged = self.secrets.verifies(shown.pin.digits(), hash).await;
        if !matches!(judged, Ok(false)) {
            self.count_source(&shown.source, now, -1);
        }
        let right = match judged {
            Ok(right) => right,
            Err(why) => {
                let mut uow = self.db.begin_for(&SCHEMA, &shown.tenant).await?;
                pins::not_judged(&mut uow, &code, &shown.source);
                uow.commit().await?;
                return Err(why.into());
            }
        };
        match tried.person {
            Some((staff_id, hash)) if right => {
                let mut uow = self.db.begin_for(&SCHEMA, &shown.tenant).await?;
                pins::taken(&mut uow, &staff_id, &code, &shown.source);
                uow.commit().await?;
                Ok(Taken { staff_id, hash })
            }
            _ => {
                metrics::counter!("melmastoon_pins_refused_total").increment(1);
                Err(StaffError::PinRefused)
            }
        }
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

    fn source_shut_until(&self, source: &str, now: Timestamp) -> Option<Timestamp> {
        let (most, span) = Counted::Here.limit();
        let sources = self.sources.lock().unwrap_or_else(PoisonError::into_inner);
        let (since, failures) = *sources.get(source)?;
        let until = since.plus_seconds(i64::from(span));
        (failures >= most && now < until).then_some(until)
    }

    fn count_source(&self, source: &str, now: Timestamp, by: i32) {
        let (_, span) = Counted::Here.limit();
        let mut sources = self.sources.lock().unwrap_or_else(PoisonError::into_inner);
        if sources.len() >= SOURCES {
            sources.retain(|_, (since, _)| now < since.plus_seconds(i64::from(span)));
        }
        if sources.len() >= SOURCES {
            // A crowd of sources: the database counts each for its tenant all the same.
            sources.clear();
        }
        let (since, failures) = sources.entry(source.to_owned()).or_insert((now, 0));
        if now >= since.plus_seconds(i64::from(span)) {
            (*since, *failures) = (now, 0);
        }
        *failures += by;
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
