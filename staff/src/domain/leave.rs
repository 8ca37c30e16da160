//! Leave: whole days, asked for, decided on once, and given back.

use contracts::ids::{AssignmentId, LeaveRequestId, StaffId, UserId};
use contracts::time::Timestamp;
use contracts::values::LocalDate;
use platform::Decided;
use platform::decided::Aggregate;

contracts::closed_words! {
    /// What the leave is for.
    LeaveKind {
        Annual = "annual",
        Sick = "sick",
        Unpaid = "unpaid",
        Parental = "parental",
        Bereavement = "bereavement",
        Religious = "religious",
        Other = "other",
    }

    /// What became of a request for leave.
    LeaveStatus {
        Requested = "requested",
        Approved = "approved",
        Rejected = "rejected",
        Cancelled = "cancelled",
    }
}

/// From which day to which day, both included, on the calendar of the house.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Days {
    pub from: LocalDate,
    pub to: LocalDate,
}

impl Days {
    pub fn cover(&self, day: LocalDate) -> bool {
        (self.from..=self.to).contains(&day)
    }

    pub fn count(&self) -> i32 {
        self.to.0.since(self.from.0).map_or(i32::MAX, |span| span.get_days().saturating_add(1))
    }
}

/// Somebody's decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    pub by: UserId,
    pub at: Timestamp,
    pub note: Option<String>,
}

/// Where a request stands; what only some have is with those.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeaveState {
    Requested,
    Approved(Verdict),
    Rejected(Verdict),
    Cancelled { verdict: Option<Verdict>, by: UserId, at: Timestamp },
}

impl LeaveState {
    pub fn status(&self) -> LeaveStatus {
        match self {
            Self::Requested => LeaveStatus::Requested,
            Self::Approved(_) => LeaveStatus::Approved,
            Self::Rejected(_) => LeaveStatus::Rejected,
            Self::Cancelled { .. } => LeaveStatus::Cancelled,
        }
    }

    pub fn verdict(&self) -> Option<&Verdict> {
        match self {
            Self::Requested => None,
            Self::Approved(verdict) | Self::Rejected(verdict) => Some(verdict),
            Self::Cancelled { verdict, .. } => verdict.as_ref(),
        }
    }
}

/// A request for leave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leave {
    pub id: LeaveRequestId,
    pub staff_id: StaffId,
    pub kind: LeaveKind,
    pub days: Days,
    pub reason: Option<String>,
    pub state: LeaveState,
    pub requested_at: Timestamp,
    pub version: i32,
}

/// What can happen to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeaveEvent {
    Requested,
    /// These places on shifts are free because of it.
    Approved(Vec<AssignmentId>),
    Rejected,
    Cancelled,
}

impl Aggregate for Leave {
    type Event = LeaveEvent;

    fn version_mut(&mut self) -> &mut i32 {
        &mut self.version
    }
}

/// Why a request is not decided on like that.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("leave that is {} cannot {action}", from.as_str())]
pub struct LeaveError {
    pub from: LeaveStatus,
    pub action: &'static str,
}

impl Leave {
    pub fn request(
        id: LeaveRequestId,
        staff_id: StaffId,
        kind: LeaveKind,
        days: Days,
        reason: Option<String>,
        now: Timestamp,
    ) -> Decided<Self> {
        let state = LeaveState::Requested;
        let leave = Self { id, staff_id, kind, days, reason, state, requested_at: now, version: 1 };
        Decided::opened(leave, LeaveEvent::Requested)
    }

    /// Granted; the places it costs were given up before and are named with it.
    pub fn approve(mut self, verdict: Verdict, freed: Vec<AssignmentId>) -> Result<Decided<Self>, LeaveError> {
        self.undecided("be approved")?;
        self.state = LeaveState::Approved(verdict);
        Ok(Decided::changed(self, LeaveEvent::Approved(freed)))
    }

    /// Whether the person is away on that day because of it.
    pub fn is_granted_for(&self, day: LocalDate) -> bool {
        matches!(self.state, LeaveState::Approved(_)) && self.days.cover(day)
    }

    pub fn reject(mut self, verdict: Verdict) -> Result<Decided<Self>, LeaveError> {
        self.undecided("be rejected")?;
        self.state = LeaveState::Rejected(verdict);
        Ok(Decided::changed(self, LeaveEvent::Rejected))
    }

    /// Given back. Approved leave that has begun only whoever leads gives back: nobody un-takes their own days.
    pub fn cancel(
        mut self,
        by: UserId,
        leads: bool,
        today: LocalDate,
        now: Timestamp,
    ) -> Result<Decided<Self>, LeaveError> {
        let verdict = match &self.state {
            LeaveState::Requested => None,
            LeaveState::Approved(verdict) if leads || today < self.days.from => Some(verdict.clone()),
            LeaveState::Approved(_) => return Err(self.cannot("be given back once it has begun")),
            LeaveState::Rejected(_) | LeaveState::Cancelled { .. } => return Err(self.cannot("be cancelled")),
        };
        self.state = LeaveState::Cancelled { verdict, by, at: now };
        Ok(Decided::changed(self, LeaveEvent::Cancelled))
    }

    /// A second decision is refused before anything follows from it.
    pub fn undecided(&self, action: &'static str) -> Result<(), LeaveError> {
        if self.state == LeaveState::Requested { Ok(()) } else { Err(self.cannot(action)) }
    }

    fn cannot(&self, action: &'static str) -> LeaveError {
        LeaveError { from: self.state.status(), action }
    }
}
