//! Why staff refuses: knows nothing of HTTP.

use platform::Refusal;

use crate::domain::person::IllegalTransition;

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
}

platform::general_refusals!(StaffError);
