//! Why staff refuses: knows nothing of HTTP.

use platform::Refusal;

use contracts::ids::ShiftId;

use crate::domain::person::IllegalTransition;
use crate::domain::punch::Presence;
use crate::domain::shift::ShiftError;

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
}

platform::general_refusals!(StaffError);
