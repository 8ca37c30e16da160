//! So many rows a second and no more, so that the hotel does not notice.

use std::time::{Duration, Instant};

#[derive(Debug)]
pub(crate) struct Throttle {
    rows_a_second: u32,
    begun: Instant,
    passed: u64,
}

impl Throttle {
    /// None: as fast as it goes.
    pub(crate) fn new(rows_a_second: Option<u32>) -> Option<Self> {
        rows_a_second.map(|rows| Self { rows_a_second: rows.max(1), begun: Instant::now(), passed: 0 })
    }

    /// So many more rows have passed: waits until they may have.
    pub(crate) async fn passed(&mut self, rows: u64) {
        self.passed += rows;
        let due = Duration::from_micros(self.passed.saturating_mul(1_000_000) / u64::from(self.rows_a_second));
        if let Some(early) = due.checked_sub(self.begun.elapsed()) {
            tokio::time::sleep(early).await;
        }
    }
}
