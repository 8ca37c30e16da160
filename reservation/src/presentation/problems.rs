//! Every refusal of reservation's own as a problem: one exhaustive match. The general ones are the platform's.

use platform::http::{Problem, ProblemKind};
use platform::{ContextError, Refusal};

use crate::ReservationError;

pub const ROOM_TYPE_UNKNOWN: ProblemKind = ProblemKind::new(422, "ROOM_TYPE_UNKNOWN", "No such room type");
pub const POLICY_UNKNOWN: ProblemKind = ProblemKind::new(422, "POLICY_UNKNOWN", "No such cancellation policy");
pub const POLICY_MADE: ProblemKind = ProblemKind::new(409, "POLICY_MADE", "The version is made");

impl ContextError for ReservationError {
    const CONTEXT: &'static str = "RESERVATION";

    fn into_general(self) -> Result<Refusal, Self> {
        match self {
            Self::General(refusal) => Ok(refusal),
            own => Err(own),
        }
    }

    fn own_problem(&self) -> Problem {
        let problem = |kind: ProblemKind| kind.problem(Self::CONTEXT, self.to_string());
        match self {
            Self::RoomTypeUnknown(id) => problem(ROOM_TYPE_UNKNOWN).with("roomTypeId", id.as_str()),
            Self::PolicyUnknown(_) => problem(POLICY_UNKNOWN),
            Self::PolicyMade(_) => problem(POLICY_MADE),
            // Taken out before; whoever asks all the same is told nothing.
            Self::General(_) => Problem::internal(),
        }
    }
}
