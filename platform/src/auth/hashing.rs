//! Threads that do nothing but hash PINs.
//!
//! A hash is twenty milliseconds of work over 19 MiB. It gets patient threads of its own, which run only where nobody else wants the
//! processor and leave it at once to whoever does: however many PINs are tried, whoever looks at a board does not feel it. On a machine
//! without a moment to spare they would never finish, so there is one more, the doorkeeper, who takes over what they do not get done.
//! Each keeps its memory while there is work, and gives it back a while after.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use argon2::Block;
use thread_priority::{
    NormalThreadSchedulePolicy, ThreadPriority, ThreadSchedulePolicy, set_thread_priority_and_policy, thread_native_id,
};

/// Work for one of the threads, with the memory that it keeps. The doorkeeper may do the same once more: whoever is done first is heard.
type Job = Arc<dyn Fn(&mut Vec<Block>) + Send + Sync>;

/// No more than this, and one fewer than processors.
const MOST: usize = 4;
/// Without work for so long, the memory is given back.
const IDLE: Duration = Duration::from_secs(30);
/// Where the patient get nothing done for so long, the doorkeeper does: ten times what a hash takes.
const STUCK: Duration = Duration::from_millis(250);
/// Far behind those who answer requests, and not last of all.
const BEHIND: i32 = 10;

/// How many hashes are worked on at once. One processor is left to those who answer: how patient a thread is counts among the threads
/// of its own process, and the database is another one.
pub(super) fn at_once() -> usize {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    processors.saturating_sub(1).clamp(1, MOST)
}

/// The threads, which begin with the first work.
#[derive(Default)]
pub(super) struct Hashers(OnceLock<Arc<Desk>>);

impl Hashers {
    /// Has it done when one of the threads is free. `Err`: there are none, since the machine gives no more threads.
    pub(super) fn give(&self, job: impl Fn(&mut Vec<Block>) + Send + Sync + 'static) -> Result<(), String> {
        let desk = self.0.get_or_init(|| begin(at_once()));
        if Arc::strong_count(desk) == 1 {
            return Err("no thread works on PINs".to_owned());
        }
        desk.take(Arc::new(job));
        Ok(())
    }
}

impl Drop for Hashers {
    fn drop(&mut self) {
        if let Some(desk) = self.0.get() {
            desk.pile().closed = true;
            desk.work.notify_all();
            desk.doorkeeper.notify_all();
        }
    }
}

/// What is to be done, and who waits for something to do.
#[derive(Default)]
struct Desk {
    pile: Mutex<Pile>,
    work: Condvar,
    doorkeeper: Condvar,
}

#[derive(Default)]
struct Pile {
    waiting: VecDeque<Job>,
    /// What the patient have begun, the oldest first.
    begun: VecDeque<(u64, Job)>,
    number: u64,
    /// When the patient last got something done, or had nothing to do.
    moved: Option<Instant>,
    closed: bool,
}

impl Desk {
    fn pile(&self) -> MutexGuard<'_, Pile> {
        self.pile.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, job: Job) {
        let mut pile = self.pile();
        if pile.waiting.is_empty() && pile.begun.is_empty() {
            pile.moved = Some(Instant::now());
            self.doorkeeper.notify_one();
        }
        pile.waiting.push_back(job);
        drop(pile);
        self.work.notify_one();
    }

    /// One of the patient.
    fn work(&self) {
        let mut memory = Vec::new();
        let mut pile = self.pile();
        while !pile.closed {
            let Some(job) = pile.waiting.pop_front() else {
                let (woken, waited) = self.work.wait_timeout(pile, IDLE).unwrap_or_else(PoisonError::into_inner);
                pile = woken;
                if waited.timed_out() && pile.waiting.is_empty() {
                    memory = Vec::new();
                }
                continue;
            };
            pile.number += 1;
            let number = pile.number;
            pile.begun.push_back((number, Arc::clone(&job)));
            drop(pile);
            job(&mut memory);
            pile = self.pile();
            pile.begun.retain(|(one, _)| *one != number);
            pile.moved = Some(Instant::now());
        }
    }

    /// Takes over what the patient do not get done, the oldest first.
    fn keep_the_door(&self) {
        let mut pile = self.pile();
        while !pile.closed {
            if pile.waiting.is_empty() && pile.begun.is_empty() {
                pile = self.doorkeeper.wait(pile).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            let left = STUCK.saturating_sub(pile.moved.map_or(STUCK, |moved| moved.elapsed()));
            if !left.is_zero() {
                pile = self.doorkeeper.wait_timeout(pile, left).unwrap_or_else(PoisonError::into_inner).0;
                continue;
            }
            let begun = pile.begun.pop_front().map(|(_, job)| job);
            let Some(job) = begun.or_else(|| pile.waiting.pop_front()) else { continue };
            drop(pile);
            job(&mut Vec::new());
            pile = self.pile();
        }
    }
}

fn begin(patient: usize) -> Arc<Desk> {
    let desk = Arc::new(Desk::default());
    let begin = |name: &str, work: fn(&Desk)| {
        let own = Arc::clone(&desk);
        let begun = std::thread::Builder::new().name(name.to_owned()).spawn(move || work(&own));
        if let Err(error) = begun {
            tracing::error!(%error, "a thread for PINs could not begin");
        }
    };
    for _ in 0..patient {
        begin("pins", |desk| {
            stand_last();
            desk.work();
        });
    }
    begin("pins-door", |desk| {
        stand_back();
        desk.keep_the_door();
    });
    desk
}

/// Only where nobody else wants the processor. A thread that is merely less important keeps the processor until its turn is over,
/// however soon somebody else wakes up.
fn stand_last() {
    let last = ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle);
    if set_thread_priority_and_policy(thread_native_id(), ThreadPriority::Min, last).is_err() {
        stand_back();
    }
}

/// Where that is not allowed, they are as quick as everybody: the number of them still bounds what they take.
fn stand_back() {
    let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), BEHIND);
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn what_the_patient_do_not_get_done_is_taken_over() {
        let hashers = Hashers::default();
        let (release, waits) = channel::<()>();
        let (waits, stuck) = (Arc::new(Mutex::new(waits)), Arc::new(AtomicUsize::new(0)));
        // The patient get no processor for a long time, each of them.
        while stuck.load(Ordering::SeqCst) < at_once() {
            let (waits, stuck, (done, told)) = (Arc::clone(&waits), Arc::clone(&stuck), channel());
            let give = hashers.give(move |_| {
                let patient = std::thread::current().name() == Some("pins");
                stuck.fetch_add(usize::from(patient), Ordering::SeqCst);
                let _ = done.send(());
                if patient {
                    let _ = waits.lock().unwrap().recv();
                }
            });
            give.unwrap();
            told.recv_timeout(Duration::from_mins(1)).unwrap();
        }
        let (done, told) = channel();
        hashers.give(move |_| done.send(std::thread::current().name().map(str::to_owned)).unwrap()).unwrap();
        assert_eq!(told.recv_timeout(Duration::from_mins(1)).unwrap().as_deref(), Some("pins-door"));
        drop(release);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_patient_run_only_where_nobody_else_does() {
        // In a thread of its own, and not by way of a job: on a busy machine the doorkeeper would do it.
        let policy = std::thread::spawn(|| {
            stand_last();
            thread_priority::thread_schedule_policy()
        });
        let last = ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle);
        assert_eq!(policy.join().unwrap().unwrap(), last);
    }
}
