//! Chance that can be had again.

use std::hash::{BuildHasher, RandomState};

/// A new seed each time, printed; or the one named in `MELMASTOON_TEST_SEED`.
#[expect(clippy::disallowed_methods, reason = "tests have no server::config to ask")]
pub(crate) fn seed() -> u64 {
    let named = std::env::var("MELMASTOON_TEST_SEED").ok().map(|text| text.parse().expect("a whole number"));
    let seed = named.unwrap_or_else(|| RandomState::new().hash_one(0) % 1_000_000);
    println!("seed {seed}: again with MELMASTOON_TEST_SEED={seed}");
    seed
}
