//! A bucket of requests for each caller, refilled steadily.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

const CALLERS: usize = 10_000;

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
    buckets: Mutex<HashMap<String, Bucket>>,
}

impl Limiter {
    pub fn new(per_second: u32) -> Self {
        Self { per_second: per_second.max(1), buckets: Mutex::default() }
    }

    /// Takes one request from the caller's bucket, which holds two seconds' worth.
    pub fn take(&self, caller: &str) -> Allowance {
        let now = Instant::now();
        let rate = f64::from(self.per_second);
        let full = rate * 2.0;
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= CALLERS && !buckets.contains_key(caller) {
            // Whoever was silent for two seconds has a full bucket again: forgetting it changes nothing.
            buckets.retain(|_, bucket| now.duration_since(bucket.seen).as_secs() < 2);
        }
        if !buckets.contains_key(caller) {
            buckets.insert(caller.to_owned(), Bucket { left: full, seen: now });
        }
        let Some(bucket) = buckets.get_mut(caller) else {
            return Allowance { limit: self.per_second, remaining: 0, allowed: true };
        };
        bucket.left = (bucket.left + now.duration_since(bucket.seen).as_secs_f64() * rate).min(full);
        bucket.seen = now;
        let allowed = bucket.left >= 1.0;
        if allowed {
            bucket.left -= 1.0;
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and twice a u32's rate")]
        let remaining = bucket.left.max(0.0) as u32;
        Allowance { limit: self.per_second, remaining, allowed }
    }
}
