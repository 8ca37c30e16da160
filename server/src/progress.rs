//! How far a long command has come: a bar on a terminal, a line for every tenth otherwise, nothing where a program reads.

use std::io::{IsTerminal as _, Write as _};
use std::sync::Mutex;

/// See the module. It is on stderr: what a command answers is on stdout.
#[derive(Debug)]
pub(crate) struct Bar {
    shown: Shown,
    /// What it was about last, and how many tenths of that were said.
    said: Mutex<(String, u64)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shown {
    Bar,
    Lines,
    Nothing,
}

const WIDTH: u64 = 40;
const CLEAR: &str = "\r\x1b[K";

impl Bar {
    /// `json`: a program reads, and wants none.
    pub(crate) fn new(json: bool) -> Self {
        let shown = match (json, std::io::stderr().is_terminal()) {
            (true, _) => Shown::Nothing,
            (false, true) => Shown::Bar,
            (false, false) => Shown::Lines,
        };
        Self { shown, said: Mutex::default() }
    }

    /// So much of something is done; `unit` says of what.
    pub(crate) fn show(&self, what: &str, done: u64, of: u64, unit: &str) {
        let mill = if of == 0 { 1_000 } else { (u128::from(done) * 1_000 / u128::from(of)).min(1_000) };
        let mill = u64::try_from(mill).unwrap_or(1_000);
        match self.shown {
            Shown::Nothing => {}
            Shown::Bar => {
                let filled = usize::try_from(mill * WIDTH / 1_000).unwrap_or(0);
                let (full, empty) = ("#".repeat(filled), ".".repeat(usize::try_from(WIDTH).unwrap_or(0) - filled));
                eprint!("{CLEAR}[{full}{empty}] {:>3} % {what}: {done} of {of} {unit}", mill / 10);
                let _ = std::io::stderr().flush();
            }
            Shown::Lines => {
                if let Some(tenth) = self.tenth(what, mill) {
                    eprintln!("{what}: {tenth}0 %, {done} of {of} {unit}");
                }
            }
        }
    }

    /// The tenth that was reached and not said yet. The last is not: that it is done is said by whoever did it.
    fn tenth(&self, what: &str, mill: u64) -> Option<u64> {
        let mut said = self.said.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if said.0 != what {
            *said = (what.to_owned(), 0);
        }
        let tenth = mill / 100;
        if tenth > said.1 && tenth < 10 {
            said.1 = tenth;
            return Some(tenth);
        }
        None
    }

    /// A line that stays, above the bar.
    pub(crate) fn say(&self, line: &str) {
        match self.shown {
            Shown::Nothing => {}
            Shown::Bar => eprintln!("{CLEAR}{line}"),
            Shown::Lines => eprintln!("{line}"),
        }
    }

    /// Nothing more is to be waited for.
    pub(crate) fn end(&self) {
        if self.shown == Shown::Bar {
            eprint!("{CLEAR}");
            let _ = std::io::stderr().flush();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_terminal_each_tenth_is_said_once_and_the_end_is_left_to_others() {
        let bar = Bar { shown: Shown::Lines, said: Mutex::default() };
        let said: Vec<u64> =
            [0, 50, 100, 150, 420, 430, 990, 1_000].into_iter().filter_map(|mill| bar.tenth("a", mill)).collect();
        assert_eq!(said, [1, 4, 9]);
        assert_eq!(bar.tenth("b", 250), Some(2), "another file begins anew");
    }
}
