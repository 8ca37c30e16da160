//! The parts of a process that work by themselves: relay, workers, ticks, the listener.
//!
//! A part runs until it is told to stop. One that panics, or ends by itself, is started again after a pause that grows; one that
//! keeps failing is given up, and with it the process: a service manager starts that anew, and people see it. Meanwhile
//! the [`Roster`] tells the truth to `/readyz`.

use std::collections::VecDeque;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use tokio::sync::watch;
use tokio::task::JoinSet;

/// How long a part that fails is borne.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// The pause after the first failure; it doubles with every further one.
    pub first: Duration,
    pub longest: Duration,
    /// So many failures …
    pub failures: usize,
    /// … within this time, and the part is given up.
    pub within: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            first: Duration::from_millis(500),
            longest: Duration::from_secs(10),
            failures: 5,
            within: Duration::from_mins(1),
        }
    }
}

impl Patience {
    fn pause(&self, failures: usize) -> Duration {
        let doublings = u32::try_from(failures.saturating_sub(1)).unwrap_or(u32::MAX).min(16);
        self.first.saturating_mul(1 << doublings).min(self.longest)
    }
}

/// A part that was given up, and its last words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenUp {
    pub part: &'static str,
    pub why: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Running,
    Failed,
    /// It was told to stop, and did.
    Stopped,
}

/// Which parts this process should run, and whether they do. All supervisors of a process share one.
#[derive(Clone, Debug)]
pub struct Roster(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    parts: Mutex<Vec<(&'static str, State)>>,
    given_up: watch::Sender<Option<GivenUp>>,
}

impl Default for Roster {
    fn default() -> Self {
        Self(Arc::new(Shared { parts: Mutex::default(), given_up: watch::Sender::new(None) }))
    }
}

impl Roster {
    /// The first part that should run and does not.
    pub fn failed(&self) -> Option<&'static str> {
        self.lock().iter().find(|(_, state)| *state == State::Failed).map(|(name, _)| *name)
    }

    /// Whether this process should run the part.
    pub fn has(&self, part: &str) -> bool {
        self.lock().iter().any(|(name, _)| *name == part)
    }

    /// Resolves when a part kept failing.
    pub async fn given_up(&self) -> GivenUp {
        let mut given_up = self.0.given_up.subscribe();
        match given_up.wait_for(Option::is_some).await.map(|given_up| given_up.clone()) {
            Ok(Some(given_up)) => given_up,
            _ => std::future::pending().await,
        }
    }

    fn set(&self, part: &'static str, state: State) {
        let mut parts = self.lock();
        match parts.iter_mut().find(|(name, _)| *name == part) {
            Some(entry) => entry.1 = state,
            None => parts.push((part, state)),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(&'static str, State)>> {
        self.0.parts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Starts parts, starts them again, and stops them together.
#[derive(Debug)]
pub struct Supervisor {
    roster: Roster,
    patience: Patience,
    stop: watch::Sender<bool>,
    tasks: JoinSet<()>,
}

impl Supervisor {
    pub fn new(roster: Roster, patience: Patience) -> Self {
        Self { roster, patience, stop: watch::Sender::new(false), tasks: JoinSet::new() }
    }

    /// Runs a part under a name of its own. `start` is called for every start, with the signal to stop.
    pub fn run<F>(&mut self, part: &'static str, start: impl FnMut(watch::Receiver<bool>) -> F + Send + 'static)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        self.roster.set(part, State::Running);
        // The series is there from the beginning: a counter that appears with its first event hides it from `rate()`.
        metrics::counter!("melmastoon_part_restarts_total", "part" => part).increment(0);
        let (roster, patience, stop) = (self.roster.clone(), self.patience, self.stop.subscribe());
        self.tasks.spawn(keep_running(part, start, roster, patience, stop));
    }

    /// Tells all parts to stop and waits for them; whoever takes longer is cut off.
    pub async fn stop(mut self, limit: Duration) {
        let _ = self.stop.send(true);
        let all = async { while self.tasks.join_next().await.is_some() {} };
        if tokio::time::timeout(limit, all).await.is_err() {
            tracing::warn!(parts = self.tasks.len(), "did not stop in time and were cut off");
        }
        self.tasks.shutdown().await;
    }
}

async fn keep_running<F>(
    part: &'static str,
    mut start: impl FnMut(watch::Receiver<bool>) -> F,
    roster: Roster,
    patience: Patience,
    mut stop: watch::Receiver<bool>,
) where
    F: Future<Output = ()> + Send + 'static,
{
    let mut failures = VecDeque::new();
    loop {
        roster.set(part, State::Running);
        // What a part leaves half done when it panics is its own business: the next start begins anew.
        let running = AssertUnwindSafe(async { start(stop.clone()).await }).catch_unwind();
        let why = match running.await {
            Ok(()) if *stop.borrow() => return roster.set(part, State::Stopped),
            Ok(()) => "it ended by itself".to_owned(),
            Err(panic) => format!("it panicked: {}", words(panic.as_ref())),
        };
        roster.set(part, State::Failed);
        if *stop.borrow() {
            tracing::warn!(part, why, "failed while stopping");
            return roster.set(part, State::Stopped);
        }
        let now = Instant::now();
        failures.push_back(now);
        while failures.front().is_some_and(|at| now.duration_since(*at) > patience.within) {
            failures.pop_front();
        }
        if failures.len() >= patience.failures {
            tracing::error!(part, why, failures = failures.len(), "a part keeps failing and is given up");
            roster.0.given_up.send_if_modified(|given_up| {
                let first = given_up.is_none();
                given_up.get_or_insert(GivenUp { part, why });
                first
            });
            return;
        }
        let pause = patience.pause(failures.len());
        tracing::error!(part, why, ?pause, "a part failed and is started again");
        metrics::counter!("melmastoon_part_restarts_total", "part" => part).increment(1);
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            _ = stop.wait_for(|stop| *stop) => return roster.set(part, State::Stopped),
        }
    }
}

/// What a panic said, for the log.
pub(crate) fn words(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("something that is no text")
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// No pauses at all; `failures` in whatever time.
    fn at_once(failures: usize) -> Patience {
        Patience { first: Duration::ZERO, longest: Duration::ZERO, failures, within: Duration::from_hours(1) }
    }

    const SOON: Duration = Duration::from_secs(20);

    async fn soon<T>(what: impl Future<Output = T>) -> T {
        tokio::time::timeout(SOON, what).await.expect("it happens")
    }

    /// Waits to be told to stop.
    async fn obey(mut stop: watch::Receiver<bool>) {
        let _ = stop.wait_for(|stop| *stop).await;
    }

    #[tokio::test]
    async fn a_part_that_panics_is_started_again_and_goes_on() {
        let roster = Roster::default();
        let mut supervisor = Supervisor::new(roster.clone(), at_once(5));
        let starts = Arc::new(AtomicUsize::new(0));
        let (running, mut is_running) = watch::channel(false);
        let count = Arc::clone(&starts);
        supervisor.run("worker", move |stop| {
            let (start, running) = (count.fetch_add(1, Ordering::SeqCst), running.clone());
            async move {
                assert!(start >= 3, "start {start} goes wrong");
                let _ = running.send(true);
                obey(stop).await;
            }
        });
        soon(is_running.wait_for(|running| *running)).await.unwrap();
        assert_eq!(starts.load(Ordering::SeqCst), 4);
        assert_eq!(roster.failed(), None);
        assert!(roster.has("worker") && !roster.has("relay"));
        soon(supervisor.stop(SOON)).await;
    }

    #[tokio::test]
    async fn a_part_that_keeps_failing_is_given_up_with_its_name_and_reason() {
        let roster = Roster::default();
        let mut supervisor = Supervisor::new(roster.clone(), at_once(5));
        let starts = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&starts);
        supervisor.run("relay", move |_| {
            count.fetch_add(1, Ordering::SeqCst);
            async { panic!("no {}", "luck") }
        });
        supervisor.run("worker", obey);
        let given_up = soon(roster.given_up()).await;
        assert_eq!(given_up, GivenUp { part: "relay", why: "it panicked: no luck".to_owned() });
        assert_eq!(starts.load(Ordering::SeqCst), 5);
        assert_eq!(roster.failed(), Some("relay"));
        soon(supervisor.stop(SOON)).await;
    }

    #[tokio::test]
    async fn a_part_that_ends_by_itself_has_failed_too() {
        let roster = Roster::default();
        let mut supervisor = Supervisor::new(roster.clone(), at_once(2));
        supervisor.run("ticks", |_| async {});
        assert_eq!(soon(roster.given_up()).await.why, "it ended by itself");
        soon(supervisor.stop(SOON)).await;
    }

    #[tokio::test]
    async fn while_a_part_waits_to_be_started_again_the_roster_names_it_and_stopping_does_not_wait() {
        let roster = Roster::default();
        let patience = Patience { first: Duration::from_hours(1), longest: Duration::from_hours(1), ..at_once(5) };
        let mut supervisor = Supervisor::new(roster.clone(), patience);
        let (failed, mut has_failed) = watch::channel(false);
        supervisor.run("worker", move |_| {
            let failed = failed.clone();
            async move {
                let _ = failed.send(true);
                panic!("no luck");
            }
        });
        soon(has_failed.wait_for(|failed| *failed)).await.unwrap();
        soon(async {
            while roster.failed() != Some("worker") {
                tokio::task::yield_now().await;
            }
        })
        .await;
        soon(supervisor.stop(SOON)).await;
        assert_eq!(roster.failed(), None, "it is stopped, and nobody expects more of it");
    }

    #[tokio::test]
    async fn failures_that_lie_far_apart_are_borne_for_ever() {
        let roster = Roster::default();
        let mut supervisor = Supervisor::new(roster.clone(), Patience { within: Duration::ZERO, ..at_once(2) });
        let (starts, mut started) = watch::channel(0);
        supervisor.run("worker", move |_| {
            starts.send_modify(|starts| *starts += 1);
            // Another moment of the clock, so that the failure before this one lies behind it.
            let since = Instant::now();
            while since.elapsed().is_zero() {}
            async {}
        });
        tokio::select! {
            given_up = roster.given_up() => panic!("{given_up:?}"),
            outcome = soon(started.wait_for(|starts| *starts >= 20)) => assert!(outcome.is_ok()),
        }
        soon(supervisor.stop(SOON)).await;
    }

    #[tokio::test]
    async fn a_part_that_does_not_obey_is_cut_off() {
        let mut supervisor = Supervisor::new(Roster::default(), at_once(5));
        let alive = Arc::new(());
        let held = Arc::clone(&alive);
        supervisor.run("worker", move |_| {
            let held = Arc::clone(&held);
            async move {
                std::future::pending::<()>().await;
                drop(held);
            }
        });
        soon(supervisor.stop(Duration::ZERO)).await;
        assert_eq!(Arc::strong_count(&alive), 1, "nothing of it is left");
    }

    #[test]
    fn pauses_grow_and_have_an_end() {
        let patience = Patience::default();
        let pauses: Vec<_> = (1..=7).map(|failures| patience.pause(failures).as_millis()).collect();
        assert_eq!(pauses, [500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
        assert_eq!(patience.pause(usize::MAX), Duration::from_secs(10));
    }
}
