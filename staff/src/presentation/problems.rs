//! Every refusal of staff's own as a problem: one exhaustive match. The general ones are the platform's.

use platform::http::{Problem, ProblemKind};
use platform::{ContextError, Refusal};

use crate::StaffError;
use crate::domain::shift::ShiftError;

pub const STAFF_ILLEGAL_TRANSITION: ProblemKind =
    ProblemKind::new(409, "STAFF_ILLEGAL_TRANSITION", "The employment cannot change like that now");
pub const STAFF_CODE_TAKEN: ProblemKind = ProblemKind::new(409, "STAFF_CODE_TAKEN", "The code is taken");
pub const USER_ALREADY_LINKED: ProblemKind =
    ProblemKind::new(409, "USER_ALREADY_LINKED", "The login belongs to somebody else");
pub const REFERENCE_UNKNOWN: ProblemKind =
    ProblemKind::new(422, "REFERENCE_UNKNOWN", "The body names what is not there");
pub const NOT_SELF: ProblemKind = ProblemKind::new(403, "NOT_SELF", "Not your own");
pub const SHIFT_ILLEGAL_TRANSITION: ProblemKind =
    ProblemKind::new(409, "SHIFT_ILLEGAL_TRANSITION", "The shift cannot do that now");
pub const ALREADY_ASSIGNED: ProblemKind = ProblemKind::new(409, "ALREADY_ASSIGNED", "On this shift already");
pub const HEADCOUNT_FULL: ProblemKind = ProblemKind::new(409, "HEADCOUNT_FULL", "No place left");
pub const ASSIGNMENT_ENDED: ProblemKind = ProblemKind::new(409, "ASSIGNMENT_ENDED", "The place is gone");
pub const NO_STANDBY: ProblemKind = ProblemKind::new(409, "NO_STANDBY", "Nobody stands by");
pub const SWAP_IMPOSSIBLE: ProblemKind = ProblemKind::new(409, "SWAP_IMPOSSIBLE", "They cannot change places");
pub const STAFF_NOT_ACTIVE: ProblemKind = ProblemKind::new(409, "STAFF_NOT_ACTIVE", "Not at work here now");
pub const NO_PROPERTY_ACCESS: ProblemKind = ProblemKind::new(409, "NO_PROPERTY_ACCESS", "Not in this house");
pub const ASSIGNMENT_OVERLAP: ProblemKind = ProblemKind::new(409, "ASSIGNMENT_OVERLAP", "In two places at once");
pub const STAFF_CLOCKED_IN: ProblemKind = ProblemKind::new(409, "STAFF_CLOCKED_IN", "Clocked in");
pub const NOT_ASSIGNED: ProblemKind = ProblemKind::new(409, "NOT_ASSIGNED", "Not on this shift");
pub const CLOCK_SEQUENCE: ProblemKind = ProblemKind::new(409, "CLOCK_SEQUENCE", "The punch does not fit");
pub const PUNCH_TIME_OUT_OF_RANGE: ProblemKind = ProblemKind::new(422, "PUNCH_TIME_OUT_OF_RANGE", "Not at this time");
pub const CLIENT_PUNCH_ID_REUSED: ProblemKind =
    ProblemKind::new(422, "CLIENT_PUNCH_ID_REUSED", "The device's number is another punch's");
pub const PERIOD_LOCKED: ProblemKind = ProblemKind::new(409, "PERIOD_LOCKED", "The period is locked");

pub const PROPERTY_INACTIVE: ProblemKind = ProblemKind::new(409, "PROPERTY_INACTIVE", "The house is closed");
pub const NOT_ERASABLE: ProblemKind = ProblemKind::new(409, "NOT_ERASABLE", "Nothing may be erased yet");
pub const PIN_WEAK: ProblemKind = ProblemKind::new(400, "PIN_WEAK", "The PIN is too easy to guess");
pub const PIN_REFUSED: ProblemKind = ProblemKind::new(401, "PIN_REFUSED", "Not signed in");
pub const PIN_LOCKED: ProblemKind = ProblemKind::new(429, "PIN_LOCKED", "Too many wrong PINs");

impl ContextError for StaffError {
    const CONTEXT: &'static str = "STAFF";

    fn into_general(self) -> Result<Refusal, Self> {
        match self {
            Self::General(refusal) => Ok(refusal),
            own => Err(own),
        }
    }

    fn own_problem(&self) -> Problem {
        let problem = |kind: ProblemKind| kind.problem(Self::CONTEXT, self.to_string());
        match self {
            Self::Person(refused) => problem(STAFF_ILLEGAL_TRANSITION).with("currentStatus", refused.from.as_str()),
            Self::StaffCodeTaken { .. } => problem(STAFF_CODE_TAKEN),
            Self::UserAlreadyLinked => problem(USER_ALREADY_LINKED),
            Self::ReferenceUnknown { field, .. } => problem(REFERENCE_UNKNOWN).with("field", *field),
            Self::NotSelf { field } => problem(NOT_SELF).with("field", *field),
            Self::Shift(refused) => match refused {
                ShiftError::IllegalTransition { from, .. } => {
                    problem(SHIFT_ILLEGAL_TRANSITION).with("currentStatus", from.as_str())
                }
                ShiftError::AlreadyAssigned { .. } => problem(ALREADY_ASSIGNED),
                ShiftError::HeadcountFull { .. } => problem(HEADCOUNT_FULL),
                ShiftError::AssignmentEnded => problem(ASSIGNMENT_ENDED),
                ShiftError::NoStandby => problem(NO_STANDBY),
                ShiftError::SwapImpossible => problem(SWAP_IMPOSSIBLE),
            },
            Self::StaffNotActive => problem(STAFF_NOT_ACTIVE),
            Self::NoPropertyAccess => problem(NO_PROPERTY_ACCESS),
            Self::AssignmentOverlap { conflicting_shift_id } => {
                problem(ASSIGNMENT_OVERLAP).with("conflictingShiftId", conflicting_shift_id.as_str())
            }
            Self::StaffClockedIn => problem(STAFF_CLOCKED_IN),
            Self::NotAssigned => problem(NOT_ASSIGNED),
            Self::ClockSequence { state } => problem(CLOCK_SEQUENCE).with("clockState", state.as_str()),
            Self::PunchTimeOutOfRange { .. } => problem(PUNCH_TIME_OUT_OF_RANGE),
            Self::ClientPunchIdReused { .. } => problem(CLIENT_PUNCH_ID_REUSED),
            Self::PeriodLocked => problem(PERIOD_LOCKED),
            Self::PropertyInactive => problem(PROPERTY_INACTIVE),
            Self::NotErasable => problem(NOT_ERASABLE),
            Self::PinWeak { .. } => problem(PIN_WEAK).with("field", "pin"),
            Self::PinRefused => problem(PIN_REFUSED),
            Self::PinLocked { seconds } => problem(PIN_LOCKED).retry_after(*seconds),
            // Taken out before; whoever asks all the same is told nothing.
            Self::General(_) => Problem::internal(),
        }
    }
}
