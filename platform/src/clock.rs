//! The clock port: the one place that asks what time it is.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use contracts::time::Timestamp;

/// What time it is, for the whole process. A test holds one that it moves by hand.
#[derive(Clone, Debug)]
pub struct Clock(Source);

#[derive(Clone, Debug)]
enum Source {
    System,
    Manual(Arc<AtomicI64>),
    Wrong(Skew),
}

/// How a clock is wrong, for tests that start processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Skew {
    /// Ahead by so many seconds, or behind.
    Off(i64),
    /// So many seconds ahead, two seconds later as many behind, and so on: it leaps, backwards too.
    Swings(i64),
}

impl Skew {
    fn of(self, millis: i64) -> i64 {
        match self {
            Self::Off(seconds) => millis + seconds * 1_000,
            Self::Swings(seconds) if millis.div_euclid(2_000) % 2 == 0 => millis + seconds * 1_000,
            Self::Swings(seconds) => millis - seconds * 1_000,
        }
    }
}

impl Clock {
    pub fn system() -> Self {
        Self(Source::System)
    }

    /// A clock that stands still until it is told otherwise.
    pub fn manual(start: Timestamp) -> Self {
        Self(Source::Manual(Arc::new(AtomicI64::new(start.as_millis()))))
    }

    /// The system's, and wrong.
    pub fn wrong(skew: Skew) -> Self {
        Self(Source::Wrong(skew))
    }

    #[expect(clippy::disallowed_methods, reason = "this is the clock port")]
    pub fn now(&self) -> Timestamp {
        match &self.0 {
            Source::System => Timestamp::from_jiff(jiff::Timestamp::now()),
            Source::Manual(millis) => Timestamp::from_millis(millis.load(Ordering::SeqCst)),
            Source::Wrong(skew) => Timestamp::from_millis(skew.of(jiff::Timestamp::now().as_millisecond())),
        }
    }

    /// Moves a manual clock, backwards too. The system clock does not listen.
    pub fn advance_seconds(&self, seconds: i64) {
        if let Source::Manual(millis) = &self.0 {
            millis.fetch_add(seconds * 1_000, Ordering::SeqCst);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Skew;

    #[test]
    fn a_wrong_clock_is_ahead_or_behind_or_leaps_between_the_two() {
        assert_eq!((Skew::Off(300).of(1_000), Skew::Off(-300).of(1_000)), (301_000, -299_000));
        assert_eq!(
            [0, 1_999, 2_000, 3_999, 4_000].map(|at| Skew::Swings(5).of(at) - at),
            [5_000, 5_000, -5_000, -5_000, 5_000]
        );
    }
}
