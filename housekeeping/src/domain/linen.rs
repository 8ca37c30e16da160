//! Linen in stock: what is on hand is what came in less what went out, and never less than nothing.

use contracts::ids::{LinenLineId, PropertyId, TaskId};
use contracts::time::Timestamp;
use platform::Decided;
use platform::decided::Aggregate;

/// More of one kind is no stock, it is a mistake.
pub const MOST_ON_HAND: i32 = 10_000_000;
/// How long a supervisor is left alone about the same kind of linen.
const QUIET_MINUTES: i64 = 60;

contracts::closed_words! {
    /// Which way linen went.
    Direction {
        Issue = "issue",
        Return = "return",
        Adjust = "adjust",
    }
}

/// Linen goes out, comes back, or was counted anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Movement {
    pub direction: Direction,
    /// Pieces; for an adjustment the difference, with its sign.
    pub count: i32,
    pub task: Option<TaskId>,
    pub note: Option<String>,
}

impl Movement {
    /// By how much the stock changes.
    pub fn difference(&self) -> i32 {
        match self.direction {
            Direction::Issue => -self.count,
            Direction::Return | Direction::Adjust => self.count,
        }
    }
}

/// One kind of linen of one house.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinenLine {
    pub id: LinenLineId,
    pub property_id: PropertyId,
    /// `bath_towel`: what the house calls it.
    pub line: String,
    pub on_hand: i32,
    /// Fewer than this is too few.
    pub low_watermark: i32,
    pub version: i32,
    pub updated_at: Timestamp,
}

/// What can happen to a kind of linen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinenEvent {
    /// It is counted for the first time; the count is its first movement.
    Opened(Movement),
    Moved(Movement),
    /// From now on fewer than this are too few.
    MarkSet {
        from: i32,
        to: i32,
    },
    RanLow {
        at: Timestamp,
    },
}

impl Aggregate for LinenLine {
    type Event = LinenEvent;

    fn version_mut(&mut self) -> &mut i32 {
        &mut self.version
    }
}

/// Why linen does not move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinenError {
    #[error("there are {on_hand} of {line} on hand, and {missing} are missing")]
    OutOfStock { line: String, on_hand: i32, missing: i64 },
    #[error("no more than {MOST_ON_HAND} of one kind can be on hand")]
    TooMany,
    #[error("the house counts {line} already")]
    Exists { line: String },
}

impl LinenLine {
    /// Counts a kind of linen for the first time.
    pub fn open(
        id: LinenLineId,
        property_id: PropertyId,
        line: String,
        (on_hand, low_watermark): (i32, i32),
        now: Timestamp,
    ) -> Decided<Self> {
        let first = Movement { direction: Direction::Adjust, count: on_hand, task: None, note: None };
        let opened = Self { id, property_id, line, on_hand, low_watermark, version: 1, updated_at: now };
        let low = opened.is_low();
        let decided = Decided::opened(opened, LinenEvent::Opened(first));
        if low { decided.and(LinenEvent::RanLow { at: now }) } else { decided }
    }

    /// Linen moves. Where that leaves too little, it is said, unless it was said within the hour (`told_at`).
    pub fn move_linen(
        mut self,
        movement: Movement,
        told_at: Option<Timestamp>,
        now: Timestamp,
    ) -> Result<Decided<Self>, LinenError> {
        let difference = movement.difference();
        let left = i64::from(self.on_hand) + i64::from(difference);
        match i32::try_from(left) {
            Ok(left) if (0..=MOST_ON_HAND).contains(&left) => self.on_hand = left,
            _ if left < 0 => {
                return Err(LinenError::OutOfStock { line: self.line, on_hand: self.on_hand, missing: -left });
            }
            _ => return Err(LinenError::TooMany),
        }
        self.updated_at = now;
        let runs_low = difference < 0 && self.is_low() && !said_lately(told_at, now);
        let decided = Decided::changed(self, LinenEvent::Moved(movement));
        Ok(if runs_low { decided.and(LinenEvent::RanLow { at: now }) } else { decided })
    }

    /// Fewer than this are too few from now on. `None` when that is so already. Where there are too few by it, that is said as it is when
    /// linen goes out.
    pub fn set_mark(mut self, to: i32, told_at: Option<Timestamp>, now: Timestamp) -> Option<Decided<Self>> {
        let (from, was_low) = (self.low_watermark, self.is_low());
        if from == to {
            return None;
        }
        self.low_watermark = to;
        self.updated_at = now;
        let runs_low = !was_low && self.is_low() && !said_lately(told_at, now);
        let decided = Decided::changed(self, LinenEvent::MarkSet { from, to });
        Some(if runs_low { decided.and(LinenEvent::RanLow { at: now }) } else { decided })
    }

    /// Whether there is too little of it.
    pub fn is_low(&self) -> bool {
        self.on_hand < self.low_watermark
    }
}

fn said_lately(told_at: Option<Timestamp>, now: Timestamp) -> bool {
    told_at.is_some_and(|at| now < at.plus_seconds(QUIET_MINUTES * 60))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(minutes: i64) -> Timestamp {
        Timestamp::from_millis(1_776_839_400_000).plus_seconds(minutes * 60)
    }

    fn towels(on_hand: i32, low_watermark: i32) -> LinenLine {
        LinenLine {
            id: LinenLineId::parse("lin_1").unwrap(),
            property_id: PropertyId::parse("prp_1").unwrap(),
            line: "towels".to_owned(),
            on_hand,
            low_watermark,
            version: 3,
            updated_at: moment(0),
        }
    }

    fn movement(direction: Direction, count: i32) -> Movement {
        Movement { direction, count, task: None, note: None }
    }

    #[test]
    fn nothing_goes_out_that_is_not_there() {
        let refused = towels(4, 0).move_linen(movement(Direction::Issue, 5), None, moment(0)).unwrap_err();
        assert_eq!(refused, LinenError::OutOfStock { line: "towels".to_owned(), on_hand: 4, missing: 1 });
        let refused = towels(4, 0).move_linen(movement(Direction::Adjust, -5), None, moment(0)).unwrap_err();
        assert!(matches!(refused, LinenError::OutOfStock { missing: 1, .. }));
        let emptied = towels(4, 0).move_linen(movement(Direction::Issue, 4), None, moment(0)).unwrap();
        assert_eq!((emptied.state().on_hand, emptied.state().version), (0, 4));
    }

    #[test]
    fn a_stock_that_cannot_be_is_refused() {
        let refused = towels(MOST_ON_HAND, 0).move_linen(movement(Direction::Return, 1), None, moment(0));
        assert_eq!(refused.unwrap_err(), LinenError::TooMany);
    }

    #[test]
    fn that_too_little_is_left_is_said_once_an_hour_and_never_when_linen_comes_back() {
        let said = |count, told: Option<Timestamp>, now| {
            let decided = towels(10, 10).move_linen(movement(Direction::Issue, count), told, now).unwrap();
            decided.events().len() == 2
        };
        assert!(said(1, None, moment(0)));
        assert!(!said(1, Some(moment(0)), moment(59)));
        assert!(said(1, Some(moment(0)), moment(60)));
        let back = towels(1, 10).move_linen(movement(Direction::Return, 2), None, moment(0)).unwrap();
        assert_eq!(back.events().len(), 1);
        let enough = towels(11, 10).move_linen(movement(Direction::Issue, 1), None, moment(0)).unwrap();
        assert_eq!(enough.events().len(), 1, "as many as the mark are not too few");
    }

    #[test]
    fn another_mark_is_said_where_there_is_too_little_by_it_and_was_not_before() {
        let events = |line: LinenLine, mark, told| line.set_mark(mark, told, moment(0)).map(|set| set.events().len());
        assert_eq!(events(towels(10, 5), 5, None), None, "it is so already");
        assert_eq!(events(towels(10, 5), 10, None), Some(1), "as many as the mark are enough");
        assert_eq!(events(towels(10, 5), 11, None), Some(2));
        assert_eq!(events(towels(10, 5), 11, Some(moment(-59))), Some(1), "it was said within the hour");
        assert_eq!(events(towels(10, 11), 12, None), Some(1), "there was too little before");
        assert_eq!(events(towels(10, 11), 3, None), Some(1));
    }
}
