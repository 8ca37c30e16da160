//! The only chance there is: numbers that follow from the seed, the same on every machine.

use std::sync::LazyLock;

/// xoshiro256++ by Blackman and Vigna, its state filled by their splitmix64.
#[derive(Debug, Clone)]
pub(crate) struct Chance {
    state: [u64; 4],
}

impl Chance {
    pub(crate) fn from_seed(seed: u64) -> Self {
        let mut counter = seed;
        let mut next = || {
            counter = counter.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mut mixed = counter;
            mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            mixed ^ (mixed >> 31)
        };
        Self { state: [next(), next(), next(), next()] }
    }

    #[inline]
    pub(crate) fn bits(&mut self) -> u64 {
        let [a, b, c, d] = self.state;
        let drawn = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
        let (c, d) = (c ^ a, d ^ b);
        self.state = [a ^ d, b ^ c, c ^ (b << 17), d.rotate_left(45)];
        drawn
    }

    /// A number below `bound`, which is at least one. The bias is below `bound` / 2^32: of no matter to a search.
    #[inline]
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        scaled(self.bits() >> 32, bound)
    }
}

/// Maps 32 random bits to a number below `bound`.
#[inline]
pub(crate) fn scaled(bits: u64, bound: usize) -> usize {
    ((bits & 0xFFFF_FFFF).wrapping_mul(bound as u64) >> 32) as usize
}

/// `-ln(u)` for a random u, in 1/65536: an integer table, so that no machine's logarithm decides what is accepted.
#[derive(Debug)]
pub(crate) struct Logarithms {
    table: Vec<i64>,
}

const ENTRIES: u64 = 4096;
/// ln 2 in 1/2^32.
const LN_2: u64 = 2_977_044_472;

impl Logarithms {
    /// Counted once for all searches: a large house has hundreds of short ones.
    pub(crate) fn table() -> &'static Self {
        static TABLE: LazyLock<Logarithms> =
            LazyLock::new(|| Logarithms { table: (0..ENTRIES).map(|entry| negative_log(2 * entry + 1)).collect() });
        &TABLE
    }

    /// From 12 random bits.
    #[inline]
    pub(crate) fn of(&self, bits: u64) -> i64 {
        self.table[scaled(bits << 20, self.table.len())]
    }
}

/// `-ln(numerator / 8192)` in 1/65536: the binary logarithm by repeated squaring, times ln 2.
fn negative_log(numerator: u64) -> i64 {
    let whole = u64::from(numerator.ilog2());
    // The mantissa in [1, 2), as 1/2^32.
    let mut mantissa = (numerator << 32) >> whole;
    let mut fraction: u64 = 0;
    for bit in (0..24).rev() {
        mantissa = ((u128::from(mantissa) * u128::from(mantissa)) >> 32).try_into().unwrap_or(u64::MAX);
        if mantissa >= 2 << 32 {
            mantissa >>= 1;
            fraction |= 1 << bit;
        }
    }
    let binary_log = (13 << 24) - ((whole << 24) | fraction);
    let scaled = (u128::from(binary_log) * u128::from(LN_2)) >> (24 + 32 - 16);
    i64::try_from(scaled).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_logarithms_is_right_to_four_places() {
        for numerator in [1_u64, 3, 5, 999, 4095, 8191] {
            #[expect(clippy::cast_precision_loss, reason = "small numbers")]
            let (exact, ours) = (-(numerator as f64 / 8192.0).ln(), negative_log(numerator) as f64 / 65536.0);
            assert!((exact - ours).abs() < 1e-4, "{numerator}: {exact} against {ours}");
        }
    }

    #[test]
    fn the_same_seed_draws_the_same_numbers_and_another_seed_others() {
        let draw =
            |seed| (0..8).map(|_| 0).scan(Chance::from_seed(seed), |c, _: i32| Some(c.bits())).collect::<Vec<_>>();
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
        let mut chance = Chance::from_seed(1);
        assert!((0..1000).all(|_| chance.below(7) < 7));
    }
}
