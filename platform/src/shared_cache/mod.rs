//! A cache that all processes of an installation share: a Redis, where there is one.
//!
//! Nothing depends on it. What it does not give within a tenth of a second is not there; three failures in a row, or one broken
//! connection, and it is left alone for a while, and tried again in the background: nobody who asks waits for that. It forgets by
//! itself, and what it gives is what somebody put, or nothing. It knows nothing of tenants: whoever puts says in the key and in the value whose it is.

mod breaker;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, Client, ErrorKind, IntoConnectionInfo, RedisError};
use tokio::sync::Semaphore;

use breaker::{Breaker, Change, Pauses, Word};

/// So long an answer may take. A board from the database takes a few milliseconds; over this the cache is no help.
const PATIENCE: Duration = Duration::from_millis(100);
/// So long may it take to connect and be greeted; nobody waits for it.
const CONNECT_PATIENCE: Duration = Duration::from_secs(2);
const PAUSES: Pauses = Pauses { first: Duration::from_millis(250), longest: Duration::from_secs(5) };
/// So many are being written at once; what comes on top is not written.
const WRITES: usize = 16;
/// The checksum behind each value.
const SUM: usize = 4;

/// See the module. Cheap to clone: all clones are one connection.
#[derive(Clone)]
pub struct SharedCache {
    inner: Arc<Inner>,
}

struct Inner {
    client: Client,
    breaker: Mutex<Breaker>,
    /// `None` until the first has tried, and while it is away.
    connection: Mutex<Option<MultiplexedConnection>>,
    writes: Arc<Semaphore>,
}

impl std::fmt::Debug for SharedCache {
    /// The address may have a password in it.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("SharedCache").field("answers", &self.answers()).finish_non_exhaustive()
    }
}

impl SharedCache {
    /// Nothing is connected yet: the first who looks has it tried. Err: what address is needed, without the one that was given.
    pub fn new(url: &str) -> Result<Self, String> {
        let needed = || "`redis://host:6379/0`, `rediss://…` (encrypted) or `redis+unix:///path` is needed".to_owned();
        let info = url.into_connection_info().map_err(|_| needed())?;
        if url.starts_with("rediss://") {
            // The library takes whatever cryptography the process has agreed on; another one that is set already stays.
            let _ = rustls::crypto::ring::default_provider().install_default();
        }
        let client = Client::open(info).map_err(|_| needed())?;
        let breaker = Mutex::new(Breaker::new(PAUSES, Instant::now()));
        let writes = Arc::new(Semaphore::new(WRITES));
        Ok(Self { inner: Arc::new(Inner { client, breaker, connection: Mutex::default(), writes }) })
    }

    /// Whether it answered when it was last asked.
    pub fn answers(&self) -> bool {
        self.breaker().answers()
    }

    /// What was put under the key, if it is there, whole, and given in time.
    pub async fn get(&self, key: &str) -> Option<Vec<u8>> {
        let Some(mut connection) = self.way() else {
            count("left_alone");
            return None;
        };
        let asked: Result<Option<Vec<u8>>, _> = redis::cmd("GET").arg(key).query_async(&mut connection).await;
        match asked {
            Ok(found) => {
                self.breaker().answered();
                let whole = found.and_then(unsealed);
                count(if whole.is_some() { "found" } else { "missing" });
                whole
            }
            Err(error) if is_about_the_value(&error) => {
                self.breaker().answered();
                count("missing");
                None
            }
            Err(error) => {
                count("failed");
                self.failed(&error);
                None
            }
        }
    }

    /// Puts it there for a time, in the background. Whether it came to be there is nobody's concern.
    pub fn put(&self, key: String, mut value: Vec<u8>, kept_for: Duration) {
        let Some(mut connection) = self.way() else { return };
        let Ok(permit) = Arc::clone(&self.inner.writes).try_acquire_owned() else { return };
        let cache = self.clone();
        tokio::spawn(async move {
            let _permit = permit;
            let sum = crc32fast::hash(&value);
            value.extend_from_slice(&sum.to_be_bytes());
            let millis = u64::try_from(kept_for.as_millis()).unwrap_or(u64::MAX);
            let mut command = redis::cmd("SET");
            command.arg(key).arg(value).arg("PX").arg(millis);
            let put: Result<(), _> = command.query_async(&mut connection).await;
            match put {
                Ok(()) => cache.breaker().answered(),
                Err(error) => cache.failed(&error),
            }
        });
    }

    /// Connects anew and asks who is there, for an operator. Err: why not.
    pub async fn examine(&self) -> Result<String, String> {
        let asked = async {
            let mut connection = self.connect().await?;
            let _: String = redis::cmd("PING").query_async(&mut connection).await?;
            // Not everybody may ask this.
            Ok(redis::cmd("INFO").arg("server").query_async::<String>(&mut connection).await.unwrap_or_default())
        };
        let told = asked.await.map_err(|error: RedisError| words(&error))?;
        let version = told.lines().find_map(|line| line.strip_prefix("redis_version:")).unwrap_or("answers");
        Ok(format!("Redis {}", version.trim()))
    }

    /// The connection, where it may be asked. Where somebody has to try whether it is back, that begins here.
    fn way(&self) -> Option<MultiplexedConnection> {
        let word = self.breaker().word(Instant::now());
        match word {
            Word::Ask => self.connection().clone(),
            Word::LeaveAlone => None,
            Word::Try => {
                let cache = self.clone();
                tokio::spawn(async move { cache.try_again().await });
                None
            }
        }
    }

    async fn try_again(&self) {
        let connected = async {
            let mut connection = self.connect().await?;
            let _: String = redis::cmd("PING").query_async(&mut connection).await?;
            Ok::<_, RedisError>(connection)
        };
        let outcome = connected.await;
        let why = outcome.as_ref().err().map(words);
        let is_back = outcome.is_ok();
        // In place before anybody is told to ask.
        *self.connection() = outcome.ok();
        let change = self.breaker().tried(Instant::now(), is_back);
        tell(change, why.as_deref());
    }

    async fn connect(&self) -> Result<MultiplexedConnection, RedisError> {
        let how = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(CONNECT_PATIENCE))
            .set_response_timeout(Some(PATIENCE));
        self.inner.client.get_multiplexed_async_connection_with_config(&how).await
    }

    fn failed(&self, error: &RedisError) {
        let change = self.breaker().failed(Instant::now(), error.is_unrecoverable_error() && !error.is_timeout());
        if change.is_some() {
            // What waits for answers on it is let go.
            *self.connection() = None;
        }
        tell(change, Some(&words(error)));
    }

    fn breaker(&self) -> MutexGuard<'_, Breaker> {
        self.inner.breaker.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn connection(&self) -> MutexGuard<'_, Option<MultiplexedConnection>> {
        self.inner.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Once for each change, however many notice it.
fn tell(change: Option<Change>, why: Option<&str>) {
    match change {
        None => return,
        Some(Change::Answers) => tracing::info!("the cache (REDIS_URL) answers"),
        Some(Change::IsAway) => {
            tracing::warn!(why, "the cache (REDIS_URL) does not answer; everything comes from the database meanwhile");
        }
    }
    metrics::gauge!("melmastoon_cache_away").set(if change == Some(Change::IsAway) { 1.0 } else { 0.0 });
}

fn count(outcome: &'static str) {
    metrics::counter!("melmastoon_cache_asked_total", "outcome" => outcome).increment(1);
}

/// Somebody put something else under the key: that is an answer.
fn is_about_the_value(error: &RedisError) -> bool {
    error.code() == Some("WRONGTYPE") || error.kind() == ErrorKind::UnexpectedReturnType
}

/// The library's own words: none of them has the address or the password in it.
fn words(error: &RedisError) -> String {
    error.to_string()
}

/// What was put, if it is whole.
fn unsealed(mut value: Vec<u8>) -> Option<Vec<u8>> {
    let length = value.len().checked_sub(SUM)?;
    let sum = u32::from_be_bytes(value.get(length..)?.try_into().ok()?);
    value.truncate(length);
    (crc32fast::hash(&value) == sum).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_is_not_as_it_was_put_is_none() {
        let sealed = |text: &[u8]| [text, &crc32fast::hash(text).to_be_bytes()].concat();
        assert_eq!(unsealed(sealed(b"board")), Some(b"board".to_vec()));
        assert_eq!(unsealed(sealed(b"")), Some(Vec::new()));
        let mut changed = sealed(b"board");
        changed[2] ^= 1;
        assert_eq!(unsealed(changed), None);
        assert_eq!(unsealed(sealed(b"board")[1..].to_vec()), None);
        for garbage in [&b""[..], b"abc", b"\0\0\0\x01", b"something else altogether"] {
            assert_eq!(unsealed(garbage.to_vec()), None, "{garbage:?}");
        }
    }

    #[test]
    fn an_address_that_is_none_is_refused_and_not_shown() {
        for nonsense in ["", "nowhere", "http://cache:6379", "redis://", "redis://user:hunter2@/x/y"] {
            match SharedCache::new(nonsense) {
                Ok(cache) => assert!(nonsense.starts_with("redis://"), "{nonsense}: {cache:?}"),
                Err(needed) => assert!(needed.contains("redis://host") && !needed.contains("hunter2"), "{needed}"),
            }
        }
        for address in ["redis://127.0.0.1:6379", "redis://hotel:chinar@cache/2", "redis+unix:///run/redis.sock"] {
            assert!(SharedCache::new(address).is_ok(), "{address}");
        }
    }
}
