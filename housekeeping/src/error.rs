//! Why housekeeping refuses: knows nothing of HTTP.

use contracts::ids::StaffId;
use platform::Refusal;

use crate::domain::block::BlockCleared;
use crate::domain::discrepancy::AlreadyResolved;
use crate::domain::linen::LinenError;
use crate::domain::lost_item::LostItemError;
use crate::domain::room::RoomError;
use crate::domain::suggestion::SuggestionError;
use crate::domain::task::TaskError;

/// Every refusal of this context: what all contexts refuse, and its own. The problem catalogue is one exhaustive match over it.
#[derive(Debug, thiserror::Error)]
pub enum HousekeepingError {
    #[error(transparent)]
    General(Refusal),
    #[error(transparent)]
    Task(#[from] TaskError),
    #[error(transparent)]
    Room(#[from] RoomError),
    #[error(transparent)]
    Suggestion(#[from] SuggestionError),
    #[error(transparent)]
    Linen(#[from] LinenError),
    #[error(transparent)]
    LostItem(#[from] LostItemError),
    #[error("{staff_id} is not on an active shift")]
    StaffNotOnShift { staff_id: StaffId },
    #[error(transparent)]
    BlockCleared(#[from] BlockCleared),
    #[error("the block is maintenance's: it ends when their job is done")]
    BlockOwnedElsewhere,
    #[error(transparent)]
    AlreadyResolved(#[from] AlreadyResolved),
    #[error("the task is not waiting for an inspection")]
    NothingToInspect,
    #[error("the desk may make a task more urgent, not less")]
    OnlyUpwards,
}

platform::general_refusals!(HousekeepingError);
