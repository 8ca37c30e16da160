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
}

impl Clock {
    pub fn system() -> Self {
        Self(Source::System)
    }

    /// A clock that stands still until it is told otherwise.
    pub fn manual(start: Timestamp) -> Self {
        Self(Source::Manual(Arc::new(AtomicI64::new(start.as_millis()))))
    }

    #[expect(clippy::disallowed_methods, reason = "this is the clock port")]
    pub fn now(&self) -> Timestamp {
        match &self.0 {
            Source::System => Timestamp::from_jiff(jiff::Timestamp::now()),
            Source::Manual(millis) => Timestamp::from_millis(millis.load(Ordering::SeqCst)),
        }
    }

    /// Moves a manual clock, backwards too. The system clock does not listen.
    pub fn advance_seconds(&self, seconds: i64) {
        if let Source::Manual(millis) = &self.0 {
            millis.fetch_add(seconds * 1_000, Ordering::SeqCst);
        }
    }
}
