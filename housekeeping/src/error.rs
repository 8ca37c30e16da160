//! Why housekeeping refuses: knows nothing of HTTP.

use platform::Fault;

use crate::domain::room::RoomError;
use crate::domain::suggestion::SuggestionError;
use crate::domain::task::TaskError;

/// Every refusal of this context. The problem catalogue is one exhaustive match over it.
#[derive(Debug, thiserror::Error)]
pub enum HousekeepingError {
    #[error("there is no such {0}")]
    NotFound(&'static str),
    #[error(transparent)]
    Task(#[from] TaskError),
    #[error(transparent)]
    Room(#[from] RoomError),
    #[error(transparent)]
    Suggestion(#[from] SuggestionError),
    #[error("{staff_id} is not on an active shift")]
    StaffNotOnShift { staff_id: String },
    #[error("the version is {current} by now")]
    StaleVersion { current: i32 },
    #[error("the task is not waiting for an inspection")]
    NothingToInspect,
    #[error("this token does not speak for that property")]
    ForeignProperty,
    #[error("this token names no staff member")]
    NotStaff,
    #[error("{field}: {rule}")]
    Invalid { field: &'static str, rule: String },
    #[error("a stored row cannot be: {0}")]
    ImpossibleRow(String),
    #[error(transparent)]
    Fault(#[from] Fault),
}
