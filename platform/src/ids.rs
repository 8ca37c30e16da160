//! The id port: the one place that makes ids.

use std::sync::{Arc, Mutex, PoisonError};

use contracts::ids::PrefixedId;
use contracts::time::Timestamp;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use ulid::Ulid;

/// Makes prefixed ULIDs whose time is the caller's time, so that an id and its row agree to the millisecond.
#[derive(Clone, Debug)]
pub struct Ids(Source);

#[derive(Clone, Debug)]
enum Source {
    Random,
    Seeded(Arc<Mutex<StdRng>>),
}

impl Ids {
    pub fn random() -> Self {
        Self(Source::Random)
    }

    /// The same seed gives the same ids, for the demo hotel and for tests.
    pub fn seeded(seed: u64) -> Self {
        Self(Source::Seeded(Arc::new(Mutex::new(StdRng::seed_from_u64(seed)))))
    }

    pub fn next<I: PrefixedId>(&self, now: Timestamp) -> I {
        I::from_ulid(self.ulid(now))
    }

    pub fn ulid(&self, now: Timestamp) -> Ulid {
        Ulid::from_parts(u64::try_from(now.as_millis()).unwrap_or(0), self.bits())
    }

    /// A request id, a trace id: something to recognise again, without a meaning of its own.
    pub fn hex<const BYTES: usize>(&self) -> String {
        use std::fmt::Write;
        let bytes = self.bits().to_be_bytes();
        bytes[16 - BYTES.min(16)..].iter().fold(String::with_capacity(BYTES * 2), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
    }

    /// Bytes that nobody can guess, for a key.
    pub(crate) fn secret(&self) -> [u8; 32] {
        let (one, other) = (self.bits().to_be_bytes(), self.bits().to_be_bytes());
        std::array::from_fn(|at| if at < 16 { one[at] } else { other[at - 16] })
    }

    fn bits(&self) -> u128 {
        match &self.0 {
            Source::Random => rand::rng().random(),
            Source::Seeded(rng) => rng.lock().unwrap_or_else(PoisonError::into_inner).random(),
        }
    }
}
