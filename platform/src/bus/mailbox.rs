//! What waits for one live board: a few batches, shared by all who look at the same board.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::Bytes;
use tokio::sync::Notify;

/// A stream that lets more than this wait is closed; whoever is behind it comes back and is told where it was.
const MOST_BYTES: usize = 1024 * 1024;
/// What waits on its own account: a queue of many small batches costs more than its bytes.
const MOST_BATCHES: usize = 256;

/// One message of a stream, as it goes over the wire.
pub fn sse_message(out: &mut String, event: &str, id: i64, data: &str) {
    // A `String` takes whatever is written to it.
    let _ = write!(out, "event: {event}\nid: {id}\ndata: {data}\n\n");
}

/// Changes of one board in the order of the log, written once for all who look at it.
#[derive(Debug)]
pub struct Batch {
    bytes: Bytes,
    /// Where each change begins, by its offset in the log.
    begins: Vec<(i64, usize)>,
}

impl Batch {
    /// The newest change in it.
    pub fn last(&self) -> i64 {
        self.begins.last().map_or(0, |(offset, _)| *offset)
    }

    /// The changes behind an offset.
    pub fn after(&self, offset: i64) -> Bytes {
        let seen = self.begins.partition_point(|(change, _)| *change <= offset);
        self.begins.get(seen).map_or_else(Bytes::new, |(_, at)| self.bytes.slice(*at..))
    }
}

/// A batch that is being written.
#[derive(Debug, Default)]
pub(super) struct Writing {
    text: String,
    begins: Vec<(i64, usize)>,
}

impl Writing {
    pub(super) fn change(&mut self, offset: i64, data: &str) {
        self.begins.push((offset, self.text.len()));
        sse_message(&mut self.text, "change", offset, data);
    }

    pub(super) fn done(self) -> Arc<Batch> {
        Arc::new(Batch { bytes: Bytes::from(self.text), begins: self.begins })
    }
}

/// What waits for one open stream: bounded, so that a reader who is too slow costs no more than its share; then it is closed.
#[derive(Debug, Default)]
pub(super) struct Mailbox {
    inside: Mutex<Inside>,
    bell: Notify,
}

#[derive(Debug, Default)]
struct Inside {
    waiting: VecDeque<Arc<Batch>>,
    bytes: usize,
    closed: bool,
}

impl Mailbox {
    /// Puts a batch in. `false`: too much waits already; what waits is thrown away and the mailbox is closed.
    pub(super) fn put(&self, batch: &Arc<Batch>) -> bool {
        let mut inside = self.inside();
        let size = batch.bytes.len();
        let room = inside.waiting.len() < MOST_BATCHES && inside.bytes.saturating_add(size) <= MOST_BYTES;
        let fits = !inside.closed && (room || inside.waiting.is_empty());
        if fits {
            inside.waiting.push_back(Arc::clone(batch));
            inside.bytes += size;
        } else {
            // Nobody may be there to take it out: a connection that is not read from is not even looked at.
            *inside = Inside { closed: true, ..Inside::default() };
        }
        drop(inside);
        self.bell.notify_one();
        fits
    }

    /// The next batch, or `None` when the mailbox was closed. Nothing is lost if the caller stops waiting.
    pub(super) async fn next(&self) -> Option<Arc<Batch>> {
        loop {
            {
                let mut inside = self.inside();
                if let Some(batch) = inside.waiting.pop_front() {
                    inside.bytes -= batch.bytes.len();
                    return Some(batch);
                }
                if inside.closed {
                    return None;
                }
            }
            self.bell.notified().await;
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.inside().waiting.is_empty()
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch(changes: &[(i64, usize)]) -> Arc<Batch> {
        let mut writing = Writing::default();
        for (offset, size) in changes {
            writing.change(*offset, &"x".repeat(*size));
        }
        writing.done()
    }

    #[test]
    fn a_batch_gives_what_is_behind_an_offset() {
        let batch = batch(&[(3, 1), (5, 1), (9, 1)]);
        assert_eq!(batch.after(3), "event: change\nid: 5\ndata: x\n\nevent: change\nid: 9\ndata: x\n\n");
        assert_eq!(batch.after(8), "event: change\nid: 9\ndata: x\n\n");
        assert_eq!((batch.after(9).len(), batch.last()), (0, 9));
    }

    #[tokio::test]
    async fn a_mailbox_that_nobody_empties_is_closed_and_holds_nothing_any_more() {
        let (mailbox, half) = (Mailbox::default(), batch(&[(1, MOST_BYTES / 2)]));
        assert!(mailbox.put(&half));
        assert!(!mailbox.put(&batch(&[(2, MOST_BYTES / 2)])), "together with their frames they are too much");
        assert!(mailbox.is_empty() && mailbox.next().await.is_none());
        assert_eq!(Arc::strong_count(&half), 1, "nothing of it is held");
        assert!(!mailbox.put(&half), "closed for good");
    }

    #[tokio::test]
    async fn a_single_batch_is_taken_however_large_and_many_small_ones_up_to_a_number() {
        let mailbox = Mailbox::default();
        assert!(mailbox.put(&batch(&[(1, 3 * MOST_BYTES)])));
        assert_eq!(mailbox.next().await.map(|batch| batch.last()), Some(1));
        let small = batch(&[(2, 1)]);
        assert!((0..MOST_BATCHES).all(|_| mailbox.put(&small)));
        assert!(!mailbox.put(&small));
    }
}
