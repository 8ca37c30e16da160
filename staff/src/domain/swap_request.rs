//! Two people want to change places: one asks, the other agrees, whoever leads them lets it happen.

use contracts::actor::Actor;
use contracts::ids::{AssignmentId, PropertyId, ShiftId, StaffId, SwapRequestId};
use contracts::time::Timestamp;
use platform::Decided;
use platform::decided::Aggregate;

contracts::closed_words! {
    /// What became of a wish to change places.
    SwapStatus {
        /// The other person has not answered.
        Proposed = "proposed",
        /// Both want it.
        Accepted = "accepted",
        /// They have changed places.
        Approved = "approved",
        Declined = "declined",
        /// Whoever asked does not want it any more.
        Withdrawn = "withdrawn",
        /// One of the places is gone, or its shift has begun. Computed, never kept.
        Expired = "expired",
    }
}

/// One of the two places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side {
    pub assignment_id: AssignmentId,
    pub shift_id: ShiftId,
    pub staff_id: StaffId,
    pub property_id: PropertyId,
}

/// A wish to change places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwapRequest {
    pub id: SwapRequestId,
    /// Of whoever asks.
    pub left: Side,
    pub right: Side,
    pub note: Option<String>,
    pub status: SwapStatus,
    /// Who answered last.
    pub decided_by: Option<Actor>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub version: i32,
}

/// What can happen to it. Nobody else is told: the swap itself is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwapRequestEvent {
    Proposed,
    Accepted,
    Approved,
    Declined,
    Withdrawn,
}

impl Aggregate for SwapRequest {
    type Event = SwapRequestEvent;

    fn version_mut(&mut self) -> &mut i32 {
        &mut self.version
    }
}

/// Why it is not answered like that.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a swap that is {} cannot {action}", from.as_str())]
pub struct SwapRequestError {
    pub from: SwapStatus,
    pub action: &'static str,
}

/// An answer to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwapAnswer {
    Accept,
    Approve,
    Decline,
    Withdraw,
}

impl SwapRequest {
    pub fn propose(self) -> Decided<Self> {
        Decided::opened(self, SwapRequestEvent::Proposed)
    }

    /// `stands`: both places are still theirs, on shifts that have not begun.
    pub fn answer(
        mut self,
        answer: SwapAnswer,
        stands: bool,
        by: Actor,
        now: Timestamp,
    ) -> Result<Decided<Self>, SwapRequestError> {
        let (to, event) = match (self.shown(stands), answer) {
            (SwapStatus::Proposed, SwapAnswer::Accept) => (SwapStatus::Accepted, SwapRequestEvent::Accepted),
            (SwapStatus::Accepted, SwapAnswer::Approve) => (SwapStatus::Approved, SwapRequestEvent::Approved),
            (SwapStatus::Proposed | SwapStatus::Accepted, SwapAnswer::Decline) => {
                (SwapStatus::Declined, SwapRequestEvent::Declined)
            }
            (SwapStatus::Proposed | SwapStatus::Accepted, SwapAnswer::Withdraw) => {
                (SwapStatus::Withdrawn, SwapRequestEvent::Withdrawn)
            }
            (from, answer) => {
                let action = match answer {
                    SwapAnswer::Accept => "be accepted",
                    SwapAnswer::Approve => "be approved",
                    SwapAnswer::Decline => "be declined",
                    SwapAnswer::Withdraw => "be withdrawn",
                };
                return Err(SwapRequestError { from, action });
            }
        };
        (self.status, self.decided_by, self.updated_at) = (to, Some(by), now);
        Ok(Decided::changed(self, event))
    }

    /// As it is shown: one that waits for an answer is over when a place is gone or a shift has begun.
    pub fn shown(&self, stands: bool) -> SwapStatus {
        match self.status {
            SwapStatus::Proposed | SwapStatus::Accepted if !stands => SwapStatus::Expired,
            status => status,
        }
    }
}
