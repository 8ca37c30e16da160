//! One process of the product: started, listened to, signalled, waited for. It never outlives its test.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// What a process has said so far.
#[derive(Default)]
struct Said {
    lines: Vec<String>,
    silent: bool,
}

/// A pipe that is read to its end, so that nobody is ever held up by it.
#[derive(Clone, Default)]
struct Ear(Arc<(Mutex<Said>, Condvar)>);

impl Ear {
    fn on(pipe: impl Read + Send + 'static) -> Self {
        let ear = Self::default();
        let mine = ear.clone();
        std::thread::spawn(move || {
            for line in BufReader::new(pipe).lines().map_while(Result::ok) {
                mine.0.0.lock().expect("no panic while listening").lines.push(line);
                mine.0.1.notify_all();
            }
            mine.0.0.lock().expect("no panic while listening").silent = true;
            mine.0.1.notify_all();
        });
        ear
    }

    fn lines(&self) -> Vec<String> {
        self.0.0.lock().expect("no panic while listening").lines.clone()
    }

    /// The first line that fits; none when the pipe was closed or the time is over.
    fn hear(&self, limit: Duration, fits: impl Fn(&str) -> bool) -> Option<String> {
        let deadline = Instant::now() + limit;
        let mut said = self.0.0.lock().expect("no panic while listening");
        loop {
            if let Some(line) = said.lines.iter().find(|line| fits(line)) {
                return Some(line.clone());
            }
            let left = deadline.checked_duration_since(Instant::now())?;
            if said.silent {
                return None;
            }
            said = self.0.1.wait_timeout(said, left).expect("no panic while listening").0;
        }
    }
}

/// See the module.
pub(crate) struct Process {
    child: Child,
    out: Ear,
    err: Ear,
    begun: Instant,
}

impl Process {
    pub(crate) fn start(mut command: Command) -> Self {
        let begun = Instant::now();
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary under test");
        let out = Ear::on(child.stdout.take().expect("a pipe"));
        let err = Ear::on(child.stderr.take().expect("a pipe"));
        Self { child, out, err, begun }
    }

    pub(crate) fn pid(&self) -> i32 {
        i32::try_from(self.child.id()).expect("a pid")
    }

    /// Waits for a line that begins like this, and gives the rest of it.
    pub(crate) fn says(&self, beginning: &str, limit: Duration) -> String {
        match self.out.hear(limit, |line| line.starts_with(beginning)) {
            Some(line) => line[beginning.len()..].to_owned(),
            None => panic!("`{beginning}…` did not come within {limit:?}: {}", self.words()),
        }
    }

    /// How long after its start it is now.
    pub(crate) fn age(&self) -> Duration {
        self.begun.elapsed()
    }

    pub(crate) fn said(&self) -> Vec<String> {
        self.out.lines()
    }

    /// What it wrote to standard error, to the end where it has ended.
    pub(crate) fn complained(&self) -> Vec<String> {
        self.err.hear(Duration::from_secs(5), |_| false);
        self.err.lines()
    }

    fn words(&self) -> String {
        format!("\n{}\n{}", self.out.lines().join("\n"), self.err.lines().join("\n"))
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill(Pid::from_raw(self.pid()), signal).expect("a process to signal");
    }

    /// Waits for its end.
    pub(crate) fn ends(&mut self, limit: Duration) -> ExitStatus {
        let mut status = None;
        let child = &mut self.child;
        let ended = comes_true(limit, || {
            status = child.try_wait().expect("a child of ours");
            status.is_some()
        });
        assert!(ended, "the process did not end within {limit:?}: {}", self.words());
        status.expect("it ended")
    }

    /// No farewell.
    pub(crate) fn kill_dead(&mut self) {
        self.signal(Signal::SIGKILL);
        self.ends(Duration::from_secs(5));
    }

    /// Resident memory in KiB.
    pub(crate) fn resident_kib(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.pid())).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
        line.split_whitespace().nth(1)?.parse().ok()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("process {} said: {}", self.pid(), self.words());
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether a condition comes true in time. Looks often; the pause only keeps the machine free for what is waited for.
pub(crate) fn comes_true(limit: Duration, mut condition: impl FnMut() -> bool) -> bool {
    let deadline = Instant::now() + limit;
    loop {
        if condition() {
            return true;
        }
        if Instant::now() >= deadline {
            return false;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Waits for a condition; the test fails when it does not come true.
pub(crate) fn until(what: &str, limit: Duration, condition: impl FnMut() -> bool) {
    assert!(comes_true(limit, condition), "waited {limit:?} in vain: {what}");
}

/// Whether a process runs; a dead one that nobody waited for does not.
pub(crate) fn runs(pid: i32) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat"))
        .is_ok_and(|stat| !stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with(['Z', 'X'])))
}

/// Every process below a process.
pub(crate) fn descendants_of(pid: i32) -> Vec<i32> {
    let children = children_of(pid);
    let below: Vec<_> = children.iter().flat_map(|child| descendants_of(*child)).collect();
    [children, below].concat()
}

/// The children of a process.
pub(crate) fn children_of(pid: i32) -> Vec<i32> {
    let parent_of = |stat: String| stat.rsplit(')').next()?.split_whitespace().nth(1)?.parse::<i32>().ok();
    std::fs::read_dir("/proc")
        .expect("a machine that shows its processes")
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok())
        .filter(|child| std::fs::read_to_string(format!("/proc/{child}/stat")).ok().and_then(parent_of) == Some(pid))
        .collect()
}
