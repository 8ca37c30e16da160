//! The published keys of a real issuer: fetched in the background, by nobody twice at a time, and used meanwhile.
//!
//! Nobody who shows a known key waits for the issuer: keys that are no longer fresh go on being used while news of them is
//! fetched. Only an unknown key is worth waiting for, once in half a minute, whoever sends how many of them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use contracts::time::Timestamp;
use tokio::sync::watch;

use super::TokenError;
use super::key_set::{self, PublicKey};
use crate::outbound::{self, Bounds};
use crate::without_secrets;

/// A flood of unknown key ids must not become a flood of requests to the issuer; nor must an issuer that fails be pressed.
const FETCH_AT_MOST_EVERY_SECONDS: i64 = 30;
/// How long a key that was taken back may be believed at most, while the issuer answers and anybody asks.
const FRESH_SECONDS: i64 = 5 * 60;
/// After so long without anybody asking, the first one waits for news, a moment at most: the key may be gone for hours.
const QUIET_SECONDS: i64 = 15 * 60;
const NEWS_LIMIT: Duration = Duration::from_secs(1);
/// Keys that nobody could confirm for so long are believed no more.
const BELIEVED_SECONDS: i64 = 24 * 60 * 60;
/// The issuer has this long to answer.
const ANSWER: Bounds = Bounds { within: Duration::from_secs(5), bytes: 256 * 1024 };
/// Key ids that the issuer was asked for in vain are not worth asking for, or waiting for, again so soon. How many of them
/// are kept, and the longest that is believed to be one.
const STRANGER_SECONDS: i64 = 60;
const STRANGERS: usize = 1_024;
const LONGEST_KID: usize = 256;

/// A key, and which state of the set it was found in. A token that was found good is good for that state alone.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) key: Arc<PublicKey>,
    pub(super) generation: u64,
}

#[derive(Debug, Default)]
struct Known {
    keys: HashMap<String, Arc<PublicKey>>,
    /// Rises whenever the keys are others than before.
    generation: u64,
    fetched: Option<Timestamp>,
    tried: Option<Timestamp>,
    fetching: bool,
    /// The fetch under way is the first after a quiet time: what is known may be long out of date.
    after_quiet: bool,
    strangers: HashMap<String, Timestamp>,
}

#[derive(Debug)]
struct Shared {
    url: String,
    known: Mutex<Known>,
    landed: watch::Sender<()>,
}

/// The keys of one issuer. Its lock is held for a look and never while anybody waits.
#[derive(Debug)]
pub struct RemoteKeys(Arc<Shared>);

/// What there is to say about a key before anybody is asked.
enum Look {
    Answer(Result<Found, TokenError>),
    /// The issuer is being asked: how long to wait for it.
    Wait(watch::Receiver<()>, Duration),
}

impl RemoteKeys {
    pub fn new(url: String) -> Self {
        Self(Arc::new(Shared { url, known: Mutex::default(), landed: watch::Sender::new(()) }))
    }

    /// The key with this id.
    pub(super) async fn find(&self, kid: &str, now: Timestamp) -> Result<Found, TokenError> {
        if kid.is_empty() || kid.len() > LONGEST_KID {
            return Err(TokenError::UnknownKey);
        }
        match self.look(kid, now) {
            Look::Answer(answer) => answer,
            Look::Wait(mut landed, limit) => {
                let _ = tokio::time::timeout(limit, landed.changed()).await;
                self.0.lock().answer(kid, now)
            }
        }
    }

    /// The state of the set, for those who found a token good before; none when the token must be looked at again.
    pub(super) fn generation(&self, now: Timestamp) -> Option<u64> {
        let mut known = self.0.lock();
        self.refresh(&mut known, now);
        let doubtful = known.awaits_news() || age(known.fetched, now) > BELIEVED_SECONDS;
        (!doubtful).then_some(known.generation)
    }

    fn look(&self, kid: &str, now: Timestamp) -> Look {
        let mut known = self.0.lock();
        let landed = self.0.landed.subscribe();
        self.refresh(&mut known, now);
        if known.keys.contains_key(kid) {
            return if known.awaits_news() {
                Look::Wait(landed, NEWS_LIMIT)
            } else {
                Look::Answer(known.answer(kid, now))
            };
        }
        if known.strangers.get(kid).is_some_and(|at| age(Some(*at), now) < STRANGER_SECONDS) {
            return Look::Answer(Err(TokenError::UnknownKey));
        }
        if !known.fetching && known.may_ask(now) {
            self.fetch(&mut known, now);
        }
        if known.fetching { Look::Wait(landed, ANSWER.within) } else { Look::Answer(known.answer(kid, now)) }
    }

    /// Has news fetched where it is due.
    fn refresh(&self, known: &mut Known, now: Timestamp) {
        if !known.fetching && known.fetched.is_some() && age(known.fetched, now) > FRESH_SECONDS && known.may_ask(now) {
            self.fetch(known, now);
        }
    }

    /// Asks the issuer in a task of its own: whoever wanted to know may go away meanwhile.
    fn fetch(&self, known: &mut Known, now: Timestamp) {
        known.after_quiet = age(known.tried, now) > QUIET_SECONDS;
        known.tried = Some(now);
        known.fetching = true;
        let landing = Landing(Arc::clone(&self.0));
        tokio::spawn(async move {
            let url = &landing.0.url;
            let answer = outbound::get(url, ANSWER).await.and_then(|text| key_set::read(&text));
            match answer {
                Ok(keys) => landing.0.lock().replace(keys, now),
                Err(detail) => {
                    tracing::warn!(url = without_secrets(url), detail, "the issuer's keys could not be fetched");
                }
            }
        });
    }
}

/// Says that the fetch is over, however it ended.
struct Landing(Arc<Shared>);

impl Drop for Landing {
    fn drop(&mut self) {
        self.0.lock().fetching = false;
        self.0.landed.send_replace(());
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    fn may_ask(&self, now: Timestamp) -> bool {
        age(self.tried, now) >= FETCH_AT_MOST_EVERY_SECONDS
    }

    fn awaits_news(&self) -> bool {
        self.fetching && self.after_quiet
    }

    fn replace(&mut self, keys: HashMap<String, Arc<PublicKey>>, now: Timestamp) {
        if self.keys != keys {
            self.keys = keys;
            self.generation += 1;
        }
        self.fetched = Some(now);
    }

    /// As far as is known. A key that the issuer has not is a stranger from here on.
    fn answer(&mut self, kid: &str, now: Timestamp) -> Result<Found, TokenError> {
        if age(self.fetched, now) > BELIEVED_SECONDS {
            return Err(TokenError::KeysUnavailable);
        }
        if let Some(key) = self.keys.get(kid) {
            return Ok(Found { key: Arc::clone(key), generation: self.generation });
        }
        // The last time the issuer was asked, it did not answer: it may well have a key that we have not seen.
        if self.tried != self.fetched {
            return Err(TokenError::KeysUnavailable);
        }
        if self.strangers.len() >= STRANGERS {
            self.strangers.retain(|_, at| age(Some(*at), now) < STRANGER_SECONDS);
            if self.strangers.len() >= STRANGERS {
                self.strangers.clear();
            }
        }
        // As of when the issuer told us; a key that it publishes late is found in the end, however often it was asked for.
        if let Some(told) = self.fetched {
            self.strangers.insert(kid.to_owned(), told);
        }
        Err(TokenError::UnknownKey)
    }
}

/// Seconds since then. A clock that was put back makes it old: better asked once too often than never again.
fn age(at: Option<Timestamp>, now: Timestamp) -> i64 {
    let seconds = at.map(|at| (now.as_millis() - at.as_millis()).div_euclid(1_000));
    seconds.filter(|seconds| *seconds >= 0).unwrap_or(i64::MAX)
}
