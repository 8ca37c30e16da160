//! Every refusal of housekeeping's own as a problem: one exhaustive match. The general ones are the platform's.

use platform::http::{Problem, ProblemKind};
use platform::{ContextError, Refusal};

use crate::HousekeepingError;
use crate::domain::linen::LinenError;
use crate::domain::suggestion::SuggestionError;
use crate::domain::task::TaskError;

pub const TASK_ILLEGAL_TRANSITION: ProblemKind =
    ProblemKind::new(409, "TASK_ILLEGAL_TRANSITION", "The task cannot do that now");
pub const NOT_THE_ASSIGNEE: ProblemKind = ProblemKind::new(403, "NOT_THE_ASSIGNEE", "Not your task");
pub const TOO_MANY_PEOPLE: ProblemKind = ProblemKind::new(409, "TOO_MANY_PEOPLE", "Enough people are on the task");
pub const CHECKLIST_INCOMPLETE: ProblemKind =
    ProblemKind::new(422, "CHECKLIST_INCOMPLETE", "The checklist is not complete");
pub const ROOM_ILLEGAL_TRANSITION: ProblemKind =
    ProblemKind::new(409, "ROOM_ILLEGAL_TRANSITION", "The room cannot become that now");
pub const SUGGESTION_DECIDED: ProblemKind = ProblemKind::new(409, "SUGGESTION_DECIDED", "The suggestion is decided on");
pub const SUGGESTION_ROW_DECIDED: ProblemKind =
    ProblemKind::new(409, "SUGGESTION_ROW_DECIDED", "The row is decided on");
pub const SUGGESTION_ROW_UNKNOWN: ProblemKind = ProblemKind::new(422, "SUGGESTION_ROW_UNKNOWN", "No such row");
pub const STAFF_NOT_ON_SHIFT: ProblemKind = ProblemKind::new(409, "STAFF_NOT_ON_SHIFT", "Not on shift");
pub const LINEN_OUT_OF_STOCK: ProblemKind = ProblemKind::new(409, "LINEN_OUT_OF_STOCK", "Not enough linen");
pub const LINEN_TOO_MANY: ProblemKind = ProblemKind::new(409, "LINEN_TOO_MANY", "More linen than can be");
pub const LINEN_LINE_EXISTS: ProblemKind = ProblemKind::new(409, "LINEN_LINE_EXISTS", "The line exists already");
pub const LOST_ITEM_ILLEGAL_TRANSITION: ProblemKind =
    ProblemKind::new(409, "LOST_ITEM_ILLEGAL_TRANSITION", "The lost item cannot become that now");
pub const NOTHING_TO_INSPECT: ProblemKind = ProblemKind::new(409, "NOTHING_TO_INSPECT", "Nothing to inspect");
pub const ONLY_UPWARDS: ProblemKind = ProblemKind::new(403, "ONLY_UPWARDS", "Only more urgent");
pub const BLOCK_CLEARED: ProblemKind = ProblemKind::new(409, "BLOCK_CLEARED", "The block is lifted already");
pub const BLOCK_OWNED_ELSEWHERE: ProblemKind =
    ProblemKind::new(409, "BLOCK_OWNED_ELSEWHERE", "The block is somebody else's");
pub const DISCREPANCY_RESOLVED: ProblemKind =
    ProblemKind::new(409, "DISCREPANCY_RESOLVED", "The discrepancy is resolved already");

impl ContextError for HousekeepingError {
    const CONTEXT: &'static str = "HOUSEKEEPING";

    fn into_general(self) -> Result<Refusal, Self> {
        match self {
            Self::General(refusal) => Ok(refusal),
            own => Err(own),
        }
    }

    fn own_problem(&self) -> Problem {
        let problem = |kind: ProblemKind| kind.problem(Self::CONTEXT, self.to_string());
        match self {
            Self::Task(TaskError::IllegalTransition { from, .. }) => {
                problem(TASK_ILLEGAL_TRANSITION).with("currentStatus", from.as_str())
            }
            Self::Task(TaskError::NotTheAssignee { .. }) => problem(NOT_THE_ASSIGNEE),
            Self::Task(TaskError::TooManyPeople) => problem(TOO_MANY_PEOPLE),
            Self::Task(TaskError::ChecklistIncomplete { missing }) => {
                let keys = missing.join(", ");
                let detail = format!("checklistResults: these required items are not checked: {keys}");
                CHECKLIST_INCOMPLETE.problem(Self::CONTEXT, detail).with("missingItemKeys", missing.clone())
            }
            Self::Room(refused) => problem(ROOM_ILLEGAL_TRANSITION).with("currentStatus", refused.from.as_str()),
            Self::Suggestion(SuggestionError::Decided { status }) => {
                problem(SUGGESTION_DECIDED).with("currentStatus", status.as_str())
            }
            Self::Suggestion(SuggestionError::RowDecided { task_id, outcome }) => {
                problem(SUGGESTION_ROW_DECIDED).with("taskId", task_id.as_str()).with("outcome", *outcome)
            }
            Self::Suggestion(SuggestionError::UnknownRow { task_id }) => {
                problem(SUGGESTION_ROW_UNKNOWN).with("taskId", task_id.as_str())
            }
            Self::Linen(LinenError::OutOfStock { on_hand, .. }) => problem(LINEN_OUT_OF_STOCK).with("onHand", *on_hand),
            Self::Linen(LinenError::TooMany) => problem(LINEN_TOO_MANY),
            Self::Linen(LinenError::Exists { .. }) => problem(LINEN_LINE_EXISTS),
            Self::LostItem(refused) => {
                problem(LOST_ITEM_ILLEGAL_TRANSITION).with("currentStatus", refused.from.as_str())
            }
            Self::StaffNotOnShift { .. } => problem(STAFF_NOT_ON_SHIFT),
            Self::NothingToInspect => problem(NOTHING_TO_INSPECT),
            Self::OnlyUpwards => problem(ONLY_UPWARDS),
            Self::BlockCleared(_) => problem(BLOCK_CLEARED),
            Self::BlockOwnedElsewhere => problem(BLOCK_OWNED_ELSEWHERE),
            Self::AlreadyResolved(before) => problem(DISCREPANCY_RESOLVED).with("resolution", before.was.as_str()),
            // Taken out before; whoever asks all the same is told nothing.
            Self::General(_) => Problem::internal(),
        }
    }
}
