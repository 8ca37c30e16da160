//! What this installation alone knows: the key that signs its tokens, and the secret that its PINs are hashed with.
//!
//! A PIN has a million values at most: whoever gets hold of the hashes alone must not be able to try them. So a secret that is
//! not in the database goes into every hash, and into the fingerprint of every request that carries a PIN.

use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use ring::hmac;
use ring::rand::{SecureRandom, SystemRandom};
use tokio::sync::{Semaphore, oneshot};

use super::hashing::{Hashers, at_once};
use super::{SigningKey, secret_file};

const SECRET_BYTES: usize = 32;
const SALT_BYTES: usize = 16;
const HASH_BYTES: usize = 32;
/// Requests that may wait for their turn.
const WAITING: usize = 64;
/// 19 MiB, two passes, one lane: what OWASP asks of Argon2id.
const MEMORY_KIB: u32 = 19_456;
const PASSES: u32 = 2;
const LANES: u32 = 1;
/// What is compared with where there is nothing to compare with: the same work, and never a match.
const NOBODYS: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$bm9ib2R5IGhhcyB0aGlzIQ$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// Why there is no hash: too many wait for theirs, or it cannot be made.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoHash {
    #[error("too many PINs are looked at right now")]
    Busy,
    #[error("a PIN could not be hashed: {0}")]
    Failed(String),
}

/// The installation's own secrets, shared by everything in a process that needs them.
#[derive(Clone)]
pub struct Secrets(Arc<Kept>);

struct Kept {
    key: SigningKey,
    secret: [u8; SECRET_BYTES],
    places: Arc<Semaphore>,
    hashers: Hashers,
}

impl fmt::Debug for Secrets {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Secrets").finish_non_exhaustive()
    }
}

impl Secrets {
    /// The key and the secret in these files; the secret is made if there is none yet.
    pub fn load_or_make(key: SigningKey, file: &Path) -> Result<Self, String> {
        let bytes = secret_file::load_or_make(file, || Ok(random::<SECRET_BYTES>()?.to_vec()))?;
        let secret = bytes.try_into().map_err(|_| format!("{} is not a secret of 32 bytes", file.display()))?;
        Ok(Self::of(key, secret))
    }

    /// Known to this process alone.
    pub fn fresh(key: SigningKey) -> Result<Self, String> {
        Ok(Self::of(key, random()?))
    }

    /// These, as they are.
    pub fn of(key: SigningKey, secret: [u8; SECRET_BYTES]) -> Self {
        let places = Arc::new(Semaphore::new(at_once() + WAITING));
        Self(Arc::new(Kept { key, secret, places, hashers: Hashers::default() }))
    }

    pub fn key(&self) -> &SigningKey {
        &self.0.key
    }

    /// A fingerprint that tells nothing to whoever does not know the secret.
    pub fn fingerprint(&self, bytes: &[u8]) -> String {
        let key = hmac::Key::new(hmac::HMAC_SHA256, &self.0.secret);
        crate::http::fingerprint(hmac::sign(&key, bytes).as_ref())
    }

    /// What is kept of a PIN: a PHC string.
    pub async fn hash(&self, pin: &str) -> Result<String, NoHash> {
        let salt: [u8; SALT_BYTES] = random().map_err(NoHash::Failed)?;
        let pin = pin.to_owned();
        self.in_turn(move |secret, memory| {
            let params = Params::new(MEMORY_KIB, PASSES, LANES, Some(HASH_BYTES)).map_err(said)?;
            let hash = PasswordHash {
                algorithm: Algorithm::Argon2id.ident(),
                version: Some(Version::V0x13.into()),
                params: ParamsString::try_from(&params).map_err(said)?,
                salt: Some(Salt::new(&salt).map_err(said)?),
                hash: Some(digest(secret, &pin, &salt, params, memory)?),
            };
            Ok(hash.to_string())
        })
        .await
    }

    /// Whether the PIN is the one that was hashed. Takes as long where there is none.
    pub async fn verifies(&self, pin: &str, hash: Option<&str>) -> Result<bool, NoHash> {
        let (pin, kept, known) = (pin.to_owned(), hash.unwrap_or(NOBODYS).to_owned(), hash.is_some());
        self.in_turn(move |secret, memory| {
            let kept = PasswordHash::new(&kept).map_err(said)?;
            let (Some(salt), Some(hash)) = (&kept.salt, &kept.hash) else { return Ok(false) };
            let params = Params::try_from(&kept).map_err(said)?;
            // Outputs are compared in the same time wherever they differ.
            Ok(digest(secret, &pin, salt, params, memory)? == *hash && known)
        })
        .await
    }

    /// On a thread for such work, when it is its turn. Whoever does not wait any longer keeps the place until the work is done.
    async fn in_turn<T: Send + 'static>(
        &self,
        work: impl Fn(&[u8], &mut Vec<Block>) -> Result<T, String> + Send + Sync + 'static,
    ) -> Result<T, NoHash> {
        let place = Arc::clone(&self.0.places).try_acquire_owned().map_err(|_| NoHash::Busy)?;
        let (kept, (send, done)) = (Arc::clone(&self.0), oneshot::channel());
        let answer = Mutex::new(Some((send, place)));
        let job = move |memory: &mut Vec<Block>| {
            let made = work(&kept.secret, memory);
            // Somebody else may have been quicker, and nobody may be waiting any more.
            let answer = answer.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some((send, place)) = answer {
                let _ = send.send(made);
                drop(place);
            }
        };
        self.0.hashers.give(job).map_err(NoHash::Failed)?;
        done.await.map_err(|error| NoHash::Failed(error.to_string()))?.map_err(NoHash::Failed)
    }
}

/// Argon2id over the installation's secret and the PIN, in memory that is used again.
fn digest(secret: &[u8], pin: &str, salt: &[u8], params: Params, memory: &mut Vec<Block>) -> Result<Output, String> {
    memory.resize(params.block_count(), Block::default());
    let argon = Argon2::new_with_secret(secret, Algorithm::Argon2id, Version::V0x13, params).map_err(said)?;
    let mut out = [0; HASH_BYTES];
    argon.hash_password_into_with_memory(pin.as_bytes(), salt, &mut out, memory).map_err(said)?;
    Output::new(&out).map_err(said)
}

fn said(error: impl fmt::Display) -> String {
    error.to_string()
}

fn random<const BYTES: usize>() -> Result<[u8; BYTES], String> {
    let mut bytes = [0_u8; BYTES];
    SystemRandom::new().fill(&mut bytes).map_err(|error| error.to_string())?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secrets() -> Secrets {
        Secrets::fresh(SigningKey::fresh().unwrap()).unwrap()
    }

    #[tokio::test]
    async fn a_pin_is_hashed_with_what_the_installation_alone_knows() {
        let (ours, theirs) = (secrets(), secrets());
        let hash = ours.hash("748291").await.unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        assert!(ours.verifies("748291", Some(&hash)).await.unwrap());
        assert!(!ours.verifies("748292", Some(&hash)).await.unwrap());
        assert!(!theirs.verifies("748291", Some(&hash)).await.unwrap(), "the hash alone is of no use");
        assert!(!ours.verifies("748291", None).await.unwrap());
        assert_ne!(hash, ours.hash("748291").await.unwrap(), "every hash has a salt of its own");
        assert_ne!(ours.fingerprint(b"748291"), theirs.fingerprint(b"748291"));
    }

    #[tokio::test]
    async fn no_more_wait_for_their_turn_than_there_are_places() {
        let secrets = secrets();
        let (held, waits) = std::sync::mpsc::channel::<()>();
        let waits = Arc::new(std::sync::Mutex::new(waits));
        for _ in 0..at_once() {
            let waits = Arc::clone(&waits);
            secrets
                .0
                .hashers
                .give(move |_| {
                    let _ = waits.lock().unwrap().recv();
                })
                .unwrap();
        }
        let waiting: Vec<_> = (0..at_once() + WAITING)
            .map(|_| {
                let secrets = secrets.clone();
                tokio::spawn(async move { secrets.verifies("748291", None).await })
            })
            .collect();
        while secrets.0.places.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        assert_eq!(secrets.verifies("748291", None).await, Err(NoHash::Busy));
        waiting.iter().for_each(tokio::task::JoinHandle::abort);
        drop(held);
    }
}
