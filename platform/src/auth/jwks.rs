//! The published keys of a real issuer, fetched when needed and by one caller at a time.

use std::collections::HashMap;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use contracts::time::Timestamp;
use serde::Deserialize;
use tokio::sync::Mutex;

use super::TokenError;
use super::jwt::PublicKey;
use crate::outbound::{self, Bounds};

/// A flood of unknown key ids must not become a flood of requests to the issuer.
const FETCH_AT_MOST_EVERY_SECONDS: i64 = 30;
const REFRESH_AFTER_SECONDS: i64 = 60 * 60;

#[derive(Deserialize)]
struct KeySet {
    keys: Vec<Key>,
}

#[derive(Deserialize)]
struct Key {
    kty: String,
    #[serde(default)]
    kid: String,
    #[serde(default)]
    n: String,
    #[serde(default)]
    e: String,
    #[serde(default)]
    crv: String,
    #[serde(default)]
    x: String,
}

#[derive(Debug, Default)]
struct Known {
    keys: HashMap<String, PublicKey>,
    fetched: Option<Timestamp>,
    tried: Option<Timestamp>,
}

/// See the module.
#[derive(Debug)]
pub struct RemoteKeys {
    url: String,
    known: Mutex<Known>,
}

impl RemoteKeys {
    pub fn new(url: String) -> Self {
        Self { url, known: Mutex::default() }
    }

    /// The key with this id; asks the issuer when it is unknown or what we know is old.
    pub async fn find(&self, kid: &str, now: Timestamp) -> Result<PublicKey, TokenError> {
        // Held while fetching: those who come meanwhile wait for the answer instead of asking again.
        let mut known = self.known.lock().await;
        let age = |at: Option<Timestamp>| at.map_or(i64::MAX, |at| (now.as_millis() - at.as_millis()) / 1_000);
        let stale = age(known.fetched) > REFRESH_AFTER_SECONDS;
        if (stale || !known.keys.contains_key(kid)) && age(known.tried) >= FETCH_AT_MOST_EVERY_SECONDS {
            known.tried = Some(now);
            match fetch(&self.url).await {
                Ok(keys) => {
                    known.keys = keys;
                    known.fetched = Some(now);
                }
                Err(detail) => tracing::warn!(url = self.url, detail, "the issuer's keys could not be fetched"),
            }
        }
        match known.keys.get(kid) {
            Some(key) => Ok(key.clone()),
            None if known.fetched.is_none() => Err(TokenError::KeysUnavailable),
            None => Err(TokenError::UnknownKey),
        }
    }
}

async fn fetch(url: &str) -> Result<HashMap<String, PublicKey>, String> {
    let text = outbound::get(url, Bounds { within: Duration::from_secs(5), bytes: 256 * 1024 }).await?;
    let set: KeySet = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    Ok(set.keys.into_iter().filter_map(|key| read(&key).map(|public| (key.kid.clone(), public))).collect())
}

fn read(key: &Key) -> Option<PublicKey> {
    let bytes = |text: &str| BASE64.decode(text).ok().filter(|bytes| !bytes.is_empty());
    match (key.kty.as_str(), key.crv.as_str()) {
        ("RSA", _) => Some(PublicKey::Rs256 { n: bytes(&key.n)?, e: bytes(&key.e)? }),
        ("OKP", "Ed25519") => Some(PublicKey::Ed25519(bytes(&key.x)?)),
        _ => None,
    }
}
