//! A bucket of requests for each caller, refilled steadily.
//!
//! Two thousand changes a second are what a machine of two cores does for everybody together (`docs/decisions/performance.md`):
//! a limit beyond that would protect nobody. See `docs/decisions/http-edge.md` for the figures.

use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::Problem;
use super::gate::brought;
use crate::cache::Generations;
use crate::{Cache, Clock};

/// Requests a second for each caller, where nothing else is configured: ten times what a busy phone or board asks, a tenth of
/// what the machine can do.
pub const USUAL_RATE: u32 = 200;
/// Requests a second of one address without a token that is known to be good. A proxy's is everybody's, and whoever floods us with keys that nobody
/// knows is told so (401) for a good while before being told to come less often.
const STRANGERS_RATE: u32 = 500;
/// Callers that are remembered. A caller who is forgotten has a full bucket again.
const CALLERS: usize = 20_000;
/// How many good tokens are known again, and for how long without another look.
const TOKENS: usize = 20_000;
const TOKENS_KNOWN: Duration = Duration::from_mins(10);

/// What is left in a caller's bucket.
#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    pub limit: u32,
    pub remaining: u32,
    pub allowed: bool,
}

#[derive(Debug)]
struct Bucket {
    left: f64,
    seen: Instant,
}

/// Keeps one caller from taking the house for itself.
#[derive(Debug)]
pub struct Limiter {
    per_second: u32,
    buckets: Mutex<Generations<String, Bucket>>,
}

impl Limiter {
    pub fn new(per_second: u32) -> Self {
        Self { per_second: per_second.max(1), buckets: Mutex::new(Generations::new(CALLERS)) }
    }

    /// Takes one request from the caller's bucket, which holds two seconds' worth.
    pub fn take(&self, caller: &str) -> Allowance {
        self.take_at(caller, Instant::now())
    }

    fn take_at(&self, caller: &str, now: Instant) -> Allowance {
        let rate = f64::from(self.per_second);
        let full = rate * 2.0;
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let (before, seen) = buckets.get_mut(caller).map_or((full, now), |bucket| (bucket.left, bucket.seen));
        let mut left = (before + now.saturating_duration_since(seen).as_secs_f64() * rate).min(full);
        let allowed = left >= 1.0;
        if allowed {
            left -= 1.0;
        }
        match buckets.get_mut(caller) {
            Some(bucket) => *bucket = Bucket { left, seen: now },
            None => buckets.insert(caller.to_owned(), Bucket { left, seen: now }),
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and twice a u32's rate")]
        let remaining = left.max(0.0) as u32;
        Allowance { limit: self.per_second, remaining, allowed }
    }
}

/// The address that a connection comes from; the listener puts it on every request.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub IpAddr);

impl Peer {
    /// One bucket for an address, and one for a whole network of IPv6: such a network is one customer's.
    pub fn bucket(self) -> String {
        match self.0.to_canonical() {
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                format!("{a:x}:{b:x}:{c:x}:{d:x}")
            }
        }
    }
}

/// Bounds what people without a good token can make us do: no signature is checked, and nothing is looked up, for an
/// address that has used up its bucket. Tokens that were good a moment ago pass, also while others behind the same proxy
/// keep guessing.
#[derive(Clone, Debug)]
pub struct Strangers(Arc<Known>);

#[derive(Debug)]
struct Known {
    limiter: Limiter,
    hasher: RandomState,
    good: Cache<u64, ()>,
}

impl Strangers {
    pub fn new(clock: Clock) -> Self {
        Self::allowing(STRANGERS_RATE, clock)
    }

    pub fn allowing(per_second: u32, clock: Clock) -> Self {
        let good = Cache::new(clock, TOKENS, TOKENS_KNOWN);
        Self(Arc::new(Known { limiter: Limiter::new(per_second), hasher: RandomState::new(), good }))
    }

    /// Around everything that needs a token.
    pub async fn slow_down(State(Self(known)): State<Self>, request: Request, next: Next) -> Response {
        // Whoever calls within the process has no address and needs no limit.
        let Some(peer) = request.extensions().get::<Peer>().copied() else { return next.run(request).await };
        // The token itself is not kept: a number that only this process can make from it is enough to know it again.
        let token = brought(&request).map(|token| known.hasher.hash_one(token));
        let is_push = request.uri().path().starts_with("/internal/");
        let is_known = token.is_some_and(|token| known.good.get(&token).is_some());
        if !is_known && !known.limiter.take(&peer.bucket()).allowed {
            metrics::counter!("melmastoon_strangers_refused_total").increment(1);
            return Problem::too_many().into_response();
        }
        let response = next.run(request).await;
        let turned_away = response.status() == StatusCode::UNAUTHORIZED;
        match token {
            Some(token) if is_known && turned_away => known.good.remove(&token),
            Some(token) if !is_known && is_vouched_for(&response, is_push) => known.good.insert(token, ()),
            _ => {}
        }
        response
    }
}

/// Only the gate counts a caller's requests, and only a caller's whose token it has checked; the push endpoint says nothing
/// but success. Other doors are open to anybody, and their success says nothing of a token.
fn is_vouched_for(response: &Response, is_push: bool) -> bool {
    response.headers().contains_key("ratelimit-limit") || (is_push && response.status().is_success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_holds_two_seconds_worth_and_is_refilled_steadily() {
        let (limiter, start) = (Limiter::new(10), Instant::now());
        let passed = (0..30).filter(|_| limiter.take_at("a", start).allowed).count();
        assert_eq!(passed, 20);
        assert!(limiter.take_at("b", start).allowed, "others are not held up");
        let later = start + Duration::from_millis(500);
        let passed = (0..30).filter(|_| limiter.take_at("a", later).allowed).count();
        assert_eq!(passed, 5);
        assert_eq!(limiter.take_at("a", later).remaining, 0);
        let much_later = start + Duration::from_hours(1);
        assert_eq!(limiter.take_at("a", much_later).remaining, 19, "no more than a full bucket");
    }

    #[test]
    fn a_crowd_takes_no_more_room_than_its_bound() {
        let (limiter, start) = (Limiter::new(10), Instant::now());
        for n in 0..3 * CALLERS {
            limiter.take_at(&n.to_string(), start);
        }
        assert!(limiter.buckets.lock().unwrap().len() <= CALLERS);
    }

    #[test]
    fn a_network_of_ipv6_is_one_stranger_and_an_ipv4_address_is_itself() {
        let bucket = |text: &str| Peer(text.parse().unwrap()).bucket();
        assert_eq!(bucket("2001:db8:1:2::1"), bucket("2001:db8:1:2:ffff::9"));
        assert_ne!(bucket("2001:db8:1:2::1"), bucket("2001:db8:1:3::1"));
        assert_eq!(bucket("::ffff:192.0.2.1"), bucket("192.0.2.1"));
        assert_ne!(bucket("192.0.2.1"), bucket("192.0.2.2"));
    }
}
