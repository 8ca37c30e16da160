//! What this installation alone knows: the key that signs its tokens, and the secret that its PINs are hashed with.
//!
//! A PIN has a million values at most: whoever gets hold of the hashes alone must not be able to try them. So a secret that is
//! not in the database goes into every hash, and into the fingerprint of every request that carries a PIN.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use ring::hmac;
use ring::rand::{SecureRandom, SystemRandom};
use tokio::sync::Semaphore;

use super::{SigningKey, secret_file};

const SECRET_BYTES: usize = 32;
const SALT_BYTES: usize = 16;
/// Hashes that are worked on at once, each with 19 MiB, and requests that may wait for their turn.
const AT_ONCE: usize = 4;
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
    turns: Semaphore,
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
        let (places, turns) = (Arc::new(Semaphore::new(AT_ONCE + WAITING)), Semaphore::new(AT_ONCE));
        Self(Arc::new(Kept { key, secret, places, turns }))
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
        self.in_turn(move |argon| {
            let hash = argon.hash_password_with_salt(pin.as_bytes(), &salt);
            hash.map(|hash| hash.to_string()).map_err(|error| error.to_string())
        })
        .await
    }

    /// Whether the PIN is the one that was hashed. Takes as long where there is none.
    pub async fn verifies(&self, pin: &str, hash: Option<&str>) -> Result<bool, NoHash> {
        let (pin, kept, known) = (pin.to_owned(), hash.unwrap_or(NOBODYS).to_owned(), hash.is_some());
        self.in_turn(move |argon| {
            let same = argon.verify_password(pin.as_bytes(), kept.as_str()).is_ok();
            Ok(same && known)
        })
        .await
    }

    /// On a thread of its own, when it is its turn.
    async fn in_turn<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Argon2<'_>) -> Result<T, String> + Send + 'static,
    ) -> Result<T, NoHash> {
        let _place = self.0.places.try_acquire().map_err(|_| NoHash::Busy)?;
        let _turn = self.0.turns.acquire().await.map_err(|error| NoHash::Failed(error.to_string()))?;
        let kept = Arc::clone(&self.0);
        let working = tokio::task::spawn_blocking(move || {
            let params = Params::new(MEMORY_KIB, PASSES, LANES, Some(32)).map_err(|error| error.to_string())?;
            let argon = Argon2::new_with_secret(&kept.secret, Algorithm::Argon2id, Version::V0x13, params);
            work(&argon.map_err(|error| error.to_string())?)
        });
        working.await.map_err(|error| NoHash::Failed(error.to_string()))?.map_err(NoHash::Failed)
    }
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
        let _turns = secrets.0.turns.acquire_many(4).await.unwrap();
        let waiting: Vec<_> = (0..AT_ONCE + WAITING)
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
    }
}
