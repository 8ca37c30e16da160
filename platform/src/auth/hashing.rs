//! Threads that do nothing but hash PINs.
//!
//! A hash is twenty milliseconds of work over 19 MiB. It gets threads of its own, which stand back behind everybody else's work:
//! however many PINs are tried, whoever looks at a board does not feel it. Each keeps its memory while there is work, and gives it
//! back a while after.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use argon2::Block;

/// Work for one of the threads, with the memory that it keeps.
type Job = Box<dyn FnOnce(&mut Vec<Block>) + Send>;

/// No more than processors, and no more than this.
const MOST: usize = 4;
/// Without work for so long, the memory is given back.
const IDLE: Duration = Duration::from_secs(30);
/// Far behind those who answer requests, and not last of all.
const BEHIND: i32 = 10;

/// How many hashes are worked on at once.
pub(super) fn at_once() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from).min(MOST)
}

/// The threads, which begin with the first work.
#[derive(Default)]
pub(super) struct Hashers(OnceLock<Sender<Job>>);

impl Hashers {
    /// Has it done when one of the threads is free. `Err`: there are none, since the machine gives no more threads.
    pub(super) fn give(&self, job: impl FnOnce(&mut Vec<Block>) + Send + 'static) -> Result<(), String> {
        let jobs = self.0.get_or_init(begin);
        jobs.send(Box::new(job)).map_err(|_| "no thread works on PINs".to_owned())
    }
}

fn begin() -> Sender<Job> {
    let (send, receive) = channel();
    let receive = Arc::new(Mutex::new(receive));
    for _ in 0..at_once() {
        let receive = Arc::clone(&receive);
        let begun = std::thread::Builder::new().name("pins".to_owned()).spawn(move || work(&receive));
        if let Err(error) = begun {
            tracing::error!(%error, "a thread for PINs could not begin");
        }
    }
    send
}

fn work(jobs: &Mutex<Receiver<Job>>) {
    // Where that is not allowed, they are as quick as everybody: the number of them still bounds what they take.
    let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), BEHIND);
    let mut memory = Vec::new();
    loop {
        // Only one waits for the next job, the others for their turn to wait: no job is taken twice.
        let next = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(IDLE);
        match next {
            Ok(job) => job(&mut memory),
            Err(RecvTimeoutError::Timeout) => memory = Vec::new(),
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}
