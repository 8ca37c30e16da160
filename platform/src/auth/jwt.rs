//! Tokens are verified strictly: a known key, that key's own algorithm, issuer, audience and time.
//!
//! The algorithm is the key's and never the token's: a token that says `none`, or `HS256` with a public key as the
//! secret, meets a key that does neither.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use contracts::ids::{PropertyId, StaffId, TenantId};
use contracts::time::Timestamp;
use ring::signature::{ED25519, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents, UnparsedPublicKey};
use serde::{Deserialize, Serialize};

use super::{Caller, Properties, RemoteKeys, Role, Roles, SigningKey};

/// How far two clocks may be apart.
const LEEWAY_SECONDS: i64 = 10;
const LONGEST_TOKEN: usize = 8 * 1024;
/// Verified tokens are remembered until they expire: a signature is checked once, not at every request.
const REMEMBERED: usize = 4_096;

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
    #[error("the token's signature does not match")]
    BadSignature,
    #[error("the token has expired or is not valid yet")]
    OutOfTime,
    #[error("the token was issued by somebody else or for somebody else")]
    WrongIssuerOrAudience,
    #[error("the token lacks a claim or has a bad one: {0}")]
    BadClaim(&'static str),
    #[error("the issuer's keys cannot be fetched right now")]
    KeysUnavailable,
}

#[derive(Deserialize)]
struct Header {
    alg: String,
    #[serde(default)]
    kid: Option<String>,
}

/// A public key that tokens are checked with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PublicKey {
    Ed25519(Vec<u8>),
    Rs256 { n: Vec<u8>, e: Vec<u8> },
}

impl PublicKey {
    fn verifies(&self, alg: &str, signed: &[u8], signature: &[u8]) -> Result<(), TokenError> {
        let outcome = match self {
            Self::Ed25519(key) if alg == "EdDSA" => UnparsedPublicKey::new(&ED25519, key).verify(signed, signature),
            Self::Rs256 { n, e } if alg == "RS256" => {
                RsaPublicKeyComponents { n, e }.verify(&RSA_PKCS1_2048_8192_SHA256, signed, signature)
            }
            _ => return Err(TokenError::UnknownKey),
        };
        outcome.map_err(|_| TokenError::BadSignature)
    }
}

#[derive(Debug)]
enum Keys {
    Embedded { kid: String, key: PublicKey },
    Remote(Arc<RemoteKeys>),
}

/// Checks tokens against one issuer.
#[derive(Debug)]
pub struct Verifier {
    keys: Keys,
    issuer: Option<String>,
    audience: Option<String>,
    known: Mutex<HashMap<String, (i64, Arc<Caller>)>>,
}

impl Verifier {
    /// For tokens signed by the embedded key.
    pub fn embedded(key: &SigningKey) -> Self {
        let keys = Keys::Embedded { kid: key.kid().to_owned(), key: PublicKey::Ed25519(key.public_key()) };
        Self { keys, issuer: None, audience: None, known: Mutex::default() }
    }

    /// For tokens of a real issuer whose keys are published at a URL.
    pub fn remote(keys: Arc<RemoteKeys>, issuer: Option<String>, audience: Option<String>) -> Self {
        Self { keys: Keys::Remote(keys), issuer, audience, known: Mutex::default() }
    }

    /// The caller behind a token.
    pub async fn caller(&self, token: &str, now: Timestamp) -> Result<Arc<Caller>, TokenError> {
        let seconds = now.as_millis() / 1_000;
        if let Some((expires, caller)) = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(token) {
            return if seconds > expires.saturating_add(LEEWAY_SECONDS) {
                Err(TokenError::OutOfTime)
            } else {
                Ok(Arc::clone(caller))
            };
        }
        let claims = self.claims(token, now).await?;
        let caller = Arc::new(caller_of(&claims)?);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= REMEMBERED {
            known.retain(|_, (expires, _)| *expires > seconds);
            if known.len() >= REMEMBERED {
                known.clear();
            }
        }
        known.insert(token.to_owned(), (claims.exp, Arc::clone(&caller)));
        Ok(caller)
    }

    /// The claims of a token that is good in every respect.
    pub async fn claims(&self, token: &str, now: Timestamp) -> Result<Claims, TokenError> {
        if token.len() > LONGEST_TOKEN {
            return Err(TokenError::Malformed);
        }
        let (signed, signature) = token.rsplit_once('.').ok_or(TokenError::Malformed)?;
        let (header, body) = signed.split_once('.').ok_or(TokenError::Malformed)?;
        let decode = |part: &str| BASE64.decode(part).map_err(|_| TokenError::Malformed);
        let header: Header = serde_json::from_slice(&decode(header)?).map_err(|_| TokenError::Malformed)?;
        let signature = decode(signature)?;
        let key = match &self.keys {
            Keys::Embedded { kid, key } if header.kid.as_deref() == Some(kid) => key.clone(),
            Keys::Embedded { .. } => return Err(TokenError::UnknownKey),
            Keys::Remote(keys) => keys.find(header.kid.as_deref().unwrap_or_default(), now).await?,
        };
        key.verifies(&header.alg, signed.as_bytes(), &signature)?;
        let claims: Claims =
            serde_json::from_slice(&decode(body)?).map_err(|_| TokenError::BadClaim("sub and exp are required"))?;
        let seconds = now.as_millis() / 1_000;
        let early = [claims.nbf, claims.iat].into_iter().flatten().any(|at| at > seconds + LEEWAY_SECONDS);
        if seconds > claims.exp.saturating_add(LEEWAY_SECONDS) || early {
            return Err(TokenError::OutOfTime);
        }
        let issuer_fits = self.issuer.is_none() || self.issuer == claims.iss;
        let audience_fits =
            self.audience.as_ref().is_none_or(|wanted| claims.aud.as_ref().is_some_and(|aud| aud.names(wanted)));
        if !issuer_fits || !audience_fits {
            return Err(TokenError::WrongIssuerOrAudience);
        }
        Ok(claims)
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
    })
}
