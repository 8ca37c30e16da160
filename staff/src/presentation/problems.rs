//! Every refusal of staff's own as a problem: one exhaustive match. The general ones are the platform's.

use platform::http::{Problem, ProblemKind};
use platform::{ContextError, Refusal};

use crate::StaffError;

pub const STAFF_ILLEGAL_TRANSITION: ProblemKind =
    ProblemKind::new(409, "STAFF_ILLEGAL_TRANSITION", "The employment cannot change like that now");
pub const STAFF_CODE_TAKEN: ProblemKind = ProblemKind::new(409, "STAFF_CODE_TAKEN", "The code is taken");
pub const USER_ALREADY_LINKED: ProblemKind =
    ProblemKind::new(409, "USER_ALREADY_LINKED", "The login belongs to somebody else");
pub const REFERENCE_UNKNOWN: ProblemKind =
    ProblemKind::new(422, "REFERENCE_UNKNOWN", "The body names what is not there");
pub const NOT_SELF: ProblemKind = ProblemKind::new(403, "NOT_SELF", "Not your own");

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
            // Taken out before; whoever asks all the same is told nothing.
            Self::General(_) => Problem::internal(),
        }
    }
}
