//! Whether a helper that may be away is asked at all: asked while it answers, left alone while it does not, and tried by one in between.

use std::time::{Duration, Instant};

/// So many failures one after the other, and it is left alone.
const FAILURES: u32 = 3;

/// How long it is left alone: doubling from the first pause to the longest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pauses {
    pub(super) first: Duration,
    pub(super) longest: Duration,
}

/// What to do now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    Ask,
    LeaveAlone,
    /// Somebody has to find out whether it is back: whoever is told this, and nobody else until they have.
    Try,
}

/// What is to be told, once for each change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    Answers,
    IsAway,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Answers {
        failures: u32,
    },
    Away {
        until: Instant,
        pause: Duration,
    },
    /// Half open: one tries.
    BeingTried {
        pause: Duration,
    },
}

#[derive(Debug)]
pub(super) struct Breaker {
    pauses: Pauses,
    state: State,
    /// What was told last; `None`: nothing yet.
    told: Option<Change>,
}

impl Breaker {
    /// Nobody has tried yet: the first who looks has it tried.
    pub(super) fn new(pauses: Pauses, now: Instant) -> Self {
        Self { pauses, state: State::Away { until: now, pause: pauses.first }, told: None }
    }

    pub(super) fn answers(&self) -> bool {
        matches!(self.state, State::Answers { .. })
    }

    pub(super) fn word(&mut self, now: Instant) -> Word {
        match self.state {
            State::Answers { .. } => Word::Ask,
            State::Away { until, pause } if until <= now => {
                self.state = State::BeingTried { pause };
                Word::Try
            }
            State::Away { .. } | State::BeingTried { .. } => Word::LeaveAlone,
        }
    }

    /// It answered somebody who was told to ask.
    pub(super) fn answered(&mut self) {
        // An answer that comes late says nothing of a helper that was given up meanwhile.
        if let State::Answers { failures } = &mut self.state {
            *failures = 0;
        }
    }

    /// It did not answer in time, or with an error of its own. `broken`: the connection is gone, and asking again is of no use.
    pub(super) fn failed(&mut self, now: Instant, broken: bool) -> Option<Change> {
        let State::Answers { failures } = &mut self.state else { return None };
        *failures += 1;
        if *failures < FAILURES && !broken {
            return None;
        }
        self.leave_alone(now, self.pauses.first)
    }

    /// What came of trying.
    pub(super) fn tried(&mut self, now: Instant, is_back: bool) -> Option<Change> {
        let State::BeingTried { pause } = self.state else { return None };
        if is_back {
            self.state = State::Answers { failures: 0 };
            return self.tell(Change::Answers);
        }
        self.leave_alone(now, pause)
    }

    fn leave_alone(&mut self, now: Instant, pause: Duration) -> Option<Change> {
        let next = (pause * 2).min(self.pauses.longest);
        self.state = State::Away { until: now + pause, pause: next };
        self.tell(Change::IsAway)
    }

    fn tell(&mut self, change: Change) -> Option<Change> {
        let is_news = self.told != Some(change);
        self.told = Some(change);
        is_news.then_some(change)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: Duration = Duration::from_millis(250);
    const PAUSES: Pauses = Pauses { first: FIRST, longest: Duration::from_secs(1) };

    fn answering(now: Instant) -> Breaker {
        let mut breaker = Breaker::new(PAUSES, now);
        assert_eq!(breaker.word(now), Word::Try);
        assert_eq!(breaker.tried(now, true), Some(Change::Answers));
        breaker
    }

    #[test]
    fn three_failures_in_a_row_are_too_many_and_two_are_not() {
        let now = Instant::now();
        let mut breaker = answering(now);
        for _ in 0..5 {
            assert_eq!(breaker.failed(now, false), None);
            assert_eq!(breaker.failed(now, false), None);
            breaker.answered();
        }
        assert_eq!(breaker.failed(now, false), None);
        assert_eq!(breaker.failed(now, false), None);
        assert_eq!(breaker.failed(now, false), Some(Change::IsAway));
        assert_eq!(breaker.word(now), Word::LeaveAlone);
        // Those who had asked before it was given up.
        assert_eq!(breaker.failed(now, false), None);
        breaker.answered();
        assert!(!breaker.answers());
    }

    #[test]
    fn a_broken_connection_is_enough() {
        let now = Instant::now();
        assert_eq!(answering(now).failed(now, true), Some(Change::IsAway));
    }

    #[test]
    fn after_a_pause_that_grows_one_tries_while_all_others_leave_it_alone_and_each_change_is_told_once() {
        let mut now = Instant::now();
        let mut breaker = answering(now);
        assert_eq!(breaker.failed(now, true), Some(Change::IsAway));
        for pause in [1, 2, 4, 4, 4] {
            now += (FIRST * pause).saturating_sub(Duration::from_millis(1));
            assert_eq!(breaker.word(now), Word::LeaveAlone);
            now += Duration::from_millis(1);
            assert_eq!(breaker.word(now), Word::Try);
            assert_eq!(breaker.word(now), Word::LeaveAlone, "one is enough");
            assert_eq!(breaker.tried(now, false), None, "that it is away was told");
        }
        now += Duration::from_secs(1);
        assert_eq!(breaker.word(now), Word::Try);
        assert_eq!(breaker.tried(now, true), Some(Change::Answers));
        assert_eq!(breaker.word(now), Word::Ask);
        assert_eq!(breaker.failed(now, true), Some(Change::IsAway));
        now += FIRST;
        assert_eq!(breaker.word(now), Word::Try, "the pauses begin anew");
    }

    #[test]
    fn one_that_was_never_there_is_told_once() {
        let mut now = Instant::now();
        let mut breaker = Breaker::new(PAUSES, now);
        assert_eq!(breaker.word(now), Word::Try);
        assert_eq!(breaker.tried(now, false), Some(Change::IsAway));
        now += FIRST;
        assert_eq!(breaker.word(now), Word::Try);
        assert_eq!(breaker.tried(now, false), None);
    }
}
