//! Why staff refuses: knows nothing of HTTP.

use platform::Refusal;

use contracts::ids::{LeaveRequestId, ShiftId};

use crate::domain::certification::CertificationError;
use crate::domain::leave::LeaveError;
use crate::domain::person::IllegalTransition;
use crate::domain::planning::Unfit;
use crate::domain::punch::Presence;
use crate::domain::shift::ShiftError;
use crate::domain::suggestion::SuggestionError;
use crate::domain::swap_request::SwapRequestError;

/// Every refusal of this context: what all contexts refuse, and its own. The problem catalogue is one exhaustive match over it.
#[derive(Debug, thiserror::Error)]
pub enum StaffError {
    #[error(transparent)]
    General(Refusal),
    #[error(transparent)]
    Person(#[from] IllegalTransition),
    #[error("staffCode: {code} is somebody's already, and stays theirs")]
    StaffCodeTaken { code: String },
    #[error("userId: this login belongs to somebody else")]
    UserAlreadyLinked,
    #[error("{field}: there is no such {what}")]
    ReferenceUnknown { field: &'static str, what: &'static str },
    #[error("{field}: not yours to change; ask a manager")]
    NotSelf { field: &'static str },
    #[error(transparent)]
    Shift(#[from] ShiftError),
    #[error("somebody who is gone, sent home or past their last day cannot do that")]
    StaffNotActive,
    #[error("the person does not work in this house")]
    NoPropertyAccess,
    #[error("the person has a place on {conflicting_shift_id} at that time")]
    AssignmentOverlap { conflicting_shift_id: ShiftId },
    #[error("the person is clocked in on this shift")]
    StaffClockedIn,
    #[error("shiftId: the person has no place on this shift at that time")]
    NotAssigned,
    #[error("this does not fit with what was punched; the clock says {}", state.as_str())]
    ClockSequence { state: Presence },
    #[error("at: {rule}")]
    PunchTimeOutOfRange { rule: String },
    #[error("clientPunchId: this device used {id} for another punch")]
    ClientPunchIdReused { id: String },
    #[error("propertyId: this house is closed")]
    PropertyInactive,
    #[error("only of somebody who is gone, and once")]
    NotErasable,
    #[error("pin: {rule}")]
    PinWeak { rule: String },
    #[error("the code and the PIN do not belong together")]
    PinRefused,
    #[error("too many wrong PINs; try again later, or ask a manager for a new one")]
    PinLocked { seconds: u32 },
    #[error("at: this day is locked; payroll has been done")]
    PeriodLocked,
    #[error("the person is on leave that day")]
    StaffOnLeave { leave_request_id: LeaveRequestId },
    #[error("the position needs {}; `force` lets the person work without", missing.join(", "))]
    CertificationMissing { missing: Vec<String> },
    #[error(transparent)]
    Leave(#[from] LeaveError),
    #[error("windowLocal: {conflicting} has a day in common with it")]
    LeaveOverlap { conflicting: LeaveRequestId },
    #[error("nobody decides on their own leave")]
    SelfDecision,
    #[error(transparent)]
    Certification(#[from] CertificationError),
    #[error(transparent)]
    SwapRequest(#[from] SwapRequestError),
    #[error(transparent)]
    Suggestion(#[from] SuggestionError),
}

platform::general_refusals!(StaffError);

/// Why somebody cannot take a place, in the words of the context.
impl From<Unfit> for StaffError {
    fn from(unfit: Unfit) -> Self {
        match unfit {
            Unfit::Shift(refused) => Self::Shift(refused),
            Unfit::NotActive => Self::StaffNotActive,
            Unfit::NoPropertyAccess => Self::NoPropertyAccess,
            Unfit::OnLeave { leave_request_id } => Self::StaffOnLeave { leave_request_id },
            Unfit::Overlap { shift_id } => Self::AssignmentOverlap { conflicting_shift_id: shift_id },
            Unfit::CertificationMissing { missing } => Self::CertificationMissing { missing },
        }
    }
}
