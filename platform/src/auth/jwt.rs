//! Tokens are verified strictly: a known key, that key's own algorithm, issuer, audience and time.
//!
//! The algorithm is the key's and never the token's: a token that says `none`, or `HS256` with a public key as the
//! secret, meets a key that does neither.

use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use contracts::ids::{PropertyId, StaffId, TenantId};
use contracts::time::Timestamp;
use serde::{Deserialize, Deserializer, Serialize};

use super::key_set::PublicKey;
use super::{Caller, Properties, RemoteKeys, Role, Roles, SigningKey};
use crate::cache::Generations;

/// How far two clocks may be apart.
const LEEWAY_SECONDS: i64 = 10;
const LONGEST_TOKEN: usize = 8 * 1024;
/// Verified tokens are remembered until they expire or the issuer's keys change: a signature is checked once, not at every
/// request.
const REMEMBERED: usize = 4_096;

/// Who issues the tokens that are given for a PIN: this installation, whoever issues all others.
pub const PIN_ISSUER: &str = "melmastoon-pin";

/// What a token says.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Claims {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iss: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aud: Option<Audience>,
    pub sub: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub staff_id: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub roles: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<String>,
    pub exp: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iat: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nbf: Option<i64>,
    /// Of a token that a PIN was given for: how often the person's tokens had been made void before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pin_generation: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    #[serde(default, rename = "email_verified", skip_serializing_if = "Option::is_none")]
    pub email_verified: Option<bool>,
}

/// One audience or several, as the standard allows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Audience {
    One(String),
    Many(Vec<String>),
}

impl Audience {
    fn names(&self, wanted: &str) -> bool {
        match self {
            Self::One(one) => one == wanted,
            Self::Many(many) => many.iter().any(|one| one == wanted),
        }
    }
}

/// Why a token was not accepted. The caller learns the kind, never more.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    #[error("no bearer token was sent; send `Authorization: Bearer <token>`")]
    Missing,
    #[error("the token is not a signed JWT")]
    Malformed,
    #[error("the token's key or algorithm is not accepted here")]
    UnknownKey,
    #[error("the token asks for an extension (crit) that is not known here")]
    Extension,
    #[error("the token's signature does not match")]
    BadSignature,
    #[error("the token has expired or is not valid yet")]
    OutOfTime,
    #[error("the token was issued by somebody else or for somebody else")]
    WrongIssuerOrAudience,
    #[error("the token lacks a claim or has a bad one: {0}")]
    BadClaim(&'static str),
    #[error("the token is void by now; sign in again")]
    Void,
    #[error("the issuer's keys cannot be fetched right now")]
    KeysUnavailable,
}

#[derive(Deserialize)]
struct Header {
    alg: String,
    #[serde(default)]
    kid: Option<String>,
    /// What must be understood or refused (RFC 7515, 4.1.11). We understand none, so being there is enough, even as `null`.
    #[serde(default, deserialize_with = "present")]
    crit: bool,
}

fn present<'de, D: Deserializer<'de>>(value: D) -> Result<bool, D::Error> {
    serde::de::IgnoredAny::deserialize(value).map(|_| true)
}

/// A real issuer: where its keys are, what it calls itself and what it must call us.
#[derive(Debug)]
pub(super) struct Issuer {
    pub(super) keys: RemoteKeys,
    pub(super) name: String,
    pub(super) audience: String,
    /// The only algorithm that is accepted, where there is one; the key's own otherwise.
    pub(super) only: Option<&'static str>,
}

#[derive(Debug)]
enum Trust {
    Embedded { kid: String, key: Arc<PublicKey> },
    Remote(Issuer),
}

/// A token that was found good, and the state of the keys that it was found good by.
#[derive(Clone, Debug)]
struct Remembered {
    expires: i64,
    generation: u64,
    caller: Arc<Caller>,
}

/// Checks tokens against one issuer.
#[derive(Debug)]
pub struct Verifier {
    trust: Trust,
    /// The installation's own key, for the tokens of PINs beside those of a real issuer.
    pins: Option<(String, Arc<PublicKey>)>,
    known: Mutex<Generations<String, Remembered>>,
}

impl Verifier {
    /// For tokens signed by the embedded key.
    pub fn embedded(key: &SigningKey) -> Self {
        let public = Arc::new(PublicKey::Ed25519(key.public_key()));
        Self {
            trust: Trust::Embedded { kid: key.kid().to_owned(), key: public },
            pins: None,
            known: Mutex::new(Generations::new(REMEMBERED)),
        }
    }

    /// And for the tokens that this installation gives for a PIN, whoever issues all others.
    #[must_use]
    pub fn and_pins(mut self, key: &SigningKey) -> Self {
        self.pins = Some((key.kid().to_owned(), Arc::new(PublicKey::Ed25519(key.public_key()))));
        self
    }

    /// For tokens of a real issuer whose keys are published at a URL.
    pub fn remote(keys: RemoteKeys, issuer: String, audience: String) -> Self {
        Self::of(Issuer { keys, name: issuer, audience, only: None })
    }

    pub(super) fn of(issuer: Issuer) -> Self {
        Self { trust: Trust::Remote(issuer), pins: None, known: Mutex::new(Generations::new(REMEMBERED)) }
    }

    /// The caller behind a token.
    pub async fn caller(&self, token: &str, now: Timestamp) -> Result<Arc<Caller>, TokenError> {
        let seconds = now.as_millis() / 1_000;
        if let Some(remembered) = self.remembered(token, now) {
            return if seconds >= remembered.expires.saturating_add(LEEWAY_SECONDS) {
                Err(TokenError::OutOfTime)
            } else {
                Ok(remembered.caller)
            };
        }
        let (claims, generation) = self.verified(token, now).await?;
        let caller = Arc::new(caller_of(&claims)?);
        let remembered = Remembered { expires: claims.exp, generation, caller: Arc::clone(&caller) };
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(token.to_owned(), remembered);
        Ok(caller)
    }

    /// A token that was found good by the keys as they are now. When they changed, its key may be gone.
    fn remembered(&self, token: &str, now: Timestamp) -> Option<Remembered> {
        let generation = match &self.trust {
            Trust::Embedded { .. } => 0,
            Trust::Remote(issuer) => issuer.keys.generation(now)?,
        };
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.get_mut(token).filter(|one| one.generation == generation).cloned()
    }

    /// The claims of a token that is good in every respect.
    pub async fn claims(&self, token: &str, now: Timestamp) -> Result<Claims, TokenError> {
        self.verified(token, now).await.map(|(claims, _)| claims)
    }

    async fn verified(&self, token: &str, now: Timestamp) -> Result<(Claims, u64), TokenError> {
        if token.len() > LONGEST_TOKEN {
            return Err(TokenError::Malformed);
        }
        let (signed, signature) = token.rsplit_once('.').ok_or(TokenError::Malformed)?;
        let (header, body) = signed.split_once('.').ok_or(TokenError::Malformed)?;
        let decode = |part: &str| BASE64.decode(part).map_err(|_| TokenError::Malformed);
        let header: Header = serde_json::from_slice(&decode(header)?).map_err(|_| TokenError::Malformed)?;
        if header.crit {
            return Err(TokenError::Extension);
        }
        let signature = decode(signature)?;
        let (key, generation) = self.key(&header, now).await?;
        if header.alg != key.algorithm() {
            return Err(TokenError::UnknownKey);
        }
        key.verifies(signed.as_bytes(), &signature)?;
        let claims: Claims =
            serde_json::from_slice(&decode(body)?).map_err(|_| TokenError::BadClaim("sub and exp are required"))?;
        let seconds = now.as_millis() / 1_000;
        let early = [claims.nbf, claims.iat].into_iter().flatten().any(|at| at > seconds + LEEWAY_SECONDS);
        if seconds >= claims.exp.saturating_add(LEEWAY_SECONDS) || early {
            return Err(TokenError::OutOfTime);
        }
        if self.is_for_a_pin(&header) {
            // The key signs other tokens too, which are not for this door.
            if claims.iss.as_deref() != Some(PIN_ISSUER) {
                return Err(TokenError::WrongIssuerOrAudience);
            }
        } else if let Trust::Remote(issuer) = &self.trust {
            let for_us = claims.aud.as_ref().is_some_and(|aud| aud.names(&issuer.audience));
            if claims.iss.as_deref() != Some(issuer.name.as_str()) || !for_us {
                return Err(TokenError::WrongIssuerOrAudience);
            }
        }
        Ok((claims, generation))
    }

    /// Whether the token is signed by the installation's own key, beside a real issuer.
    fn is_for_a_pin(&self, header: &Header) -> bool {
        self.pins.as_ref().is_some_and(|(kid, _)| header.kid.as_ref() == Some(kid))
    }

    async fn key(&self, header: &Header, now: Timestamp) -> Result<(Arc<PublicKey>, u64), TokenError> {
        let asked = header.kid.as_deref().unwrap_or_default();
        if let Some((_, key)) = self.pins.as_ref().filter(|_| self.is_for_a_pin(header)) {
            // Looked at again whenever the issuer's keys are: that costs a signature, and no question.
            let generation = match &self.trust {
                Trust::Embedded { .. } => 0,
                Trust::Remote(issuer) => issuer.keys.generation(now).unwrap_or_default(),
            };
            return Ok((Arc::clone(key), generation));
        }
        match &self.trust {
            Trust::Embedded { kid, key } if asked == kid => Ok((Arc::clone(key), 0)),
            Trust::Embedded { .. } => Err(TokenError::UnknownKey),
            // Nobody is asked about a token that would not be accepted whatever the answer.
            Trust::Remote(issuer) if issuer.only.is_some_and(|only| header.alg != only) => Err(TokenError::UnknownKey),
            Trust::Remote(issuer) => {
                let found = issuer.keys.find(asked, now).await?;
                Ok((found.key, found.generation))
            }
        }
    }
}

fn caller_of(claims: &Claims) -> Result<Caller, TokenError> {
    let tenant = claims.tenant_id.as_deref().ok_or(TokenError::BadClaim("tenantId"))?;
    let staff = claims.staff_id.as_deref().map(StaffId::parse).transpose();
    let properties = if claims.properties.iter().any(|property| property == "*") {
        Properties::All
    } else {
        let list: Result<Vec<_>, _> = claims.properties.iter().map(|property| PropertyId::parse(property)).collect();
        Properties::Only(list.map_err(|_| TokenError::BadClaim("properties"))?)
    };
    Ok(Caller {
        subject: claims.sub.clone(),
        tenant: TenantId::parse(tenant).map_err(|_| TokenError::BadClaim("tenantId"))?,
        staff: staff.map_err(|_| TokenError::BadClaim("staffId"))?,
        // A role that this release does not know gives nothing.
        roles: Roles::new(claims.roles.iter().filter_map(|role| Role::parse(role))),
        properties,
        expires_at: claims.exp,
        pin_generation: claims.pin_generation.filter(|_| claims.iss.as_deref() == Some(PIN_ISSUER)),
    })
}
