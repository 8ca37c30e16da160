//! A small TCP proxy: between a process and its broker, it passes, cuts, holds still, or swallows the answers.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What the proxy does with what it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mood {
    Passes = 0,
    /// Half-open: both sides believe in the connection, and nothing comes through.
    HoldsStill = 1,
    /// What is sent arrives; the answers do not.
    SwallowsAnswers = 2,
    /// The answer to a COMMIT is lost, and the connection with it.
    LosesCommits = 3,
}

/// See the module.
pub(crate) struct Proxy {
    port: u16,
    mood: Arc<AtomicU8>,
    ends: Arc<AtomicBool>,
    open: Arc<Mutex<Vec<TcpStream>>>,
}

impl Proxy {
    pub(crate) fn before(port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let proxy = Self {
            port: listener.local_addr().expect("an address").port(),
            mood: Arc::default(),
            ends: Arc::default(),
            open: Arc::default(),
        };
        let (mood, ends, open) = (Arc::clone(&proxy.mood), Arc::clone(&proxy.ends), Arc::clone(&proxy.open));
        std::thread::spawn(move || {
            for inside in listener.incoming().flatten() {
                if ends.load(Ordering::Relaxed) {
                    return;
                }
                let Ok(outside) = TcpStream::connect(("127.0.0.1", port)) else { continue };
                let pairs = [(&inside, &outside, false), (&outside, &inside, true)];
                for (from, to, is_answer) in pairs {
                    let (Ok(from), Ok(to)) = (from.try_clone(), to.try_clone()) else { continue };
                    let (mood, ends) = (Arc::clone(&mood), Arc::clone(&ends));
                    std::thread::spawn(move || pass(from, to, is_answer, &mood, &ends));
                }
                open.lock().expect("no panic").extend([inside, outside]);
            }
        });
        proxy
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    pub(crate) fn becomes(&self, mood: Mood) {
        self.mood.store(mood as u8, Ordering::Relaxed);
    }

    /// Every connection breaks; new ones are made.
    pub(crate) fn cuts(&self) {
        for stream in self.open.lock().expect("no panic").drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

fn pass(mut from: TcpStream, mut to: TcpStream, is_answer: bool, mood: &AtomicU8, ends: &AtomicBool) {
    let _ = from.set_read_timeout(Some(Duration::from_millis(50)));
    let mut buffer = [0; 16 * 1024];
    while !ends.load(Ordering::Relaxed) {
        let mood = mood.load(Ordering::Relaxed);
        if mood == Mood::HoldsStill as u8 {
            std::thread::sleep(Duration::from_millis(10));
            continue;
        }
        match from.read(&mut buffer) {
            Ok(0) => break,
            Ok(_) if is_answer && mood == Mood::SwallowsAnswers as u8 => {}
            Ok(count) if is_answer && mood == Mood::LosesCommits as u8 && says_committed(&buffer[..count]) => break,
            Ok(count) if to.write_all(&buffer[..count]).is_err() => break,
            Ok(_) => {}
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(_) => break,
        }
    }
    let _ = from.shutdown(Shutdown::Both);
    let _ = to.shutdown(Shutdown::Both);
}

/// PostgreSQL's answer to a COMMIT that was one.
fn says_committed(answer: &[u8]) -> bool {
    let tag = b"C\0\0\0\x0bCOMMIT\0";
    answer.windows(tag.len()).any(|at| at == tag)
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::Relaxed);
        self.cuts();
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}
