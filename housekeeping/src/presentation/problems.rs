//! Every refusal of housekeeping as a problem: one exhaustive match.

use axum::http::StatusCode;
use platform::http::{Outcome, Problem};

use crate::HousekeepingError;
use crate::domain::suggestion::SuggestionError;
use crate::domain::task::TaskError;

impl From<HousekeepingError> for Outcome {
    fn from(error: HousekeepingError) -> Self {
        match error {
            HousekeepingError::Fault(fault) => Self::Fault(fault),
            other => Self::Problem(problem_of(&other)),
        }
    }
}

/// For reads, which have nothing to commit.
impl From<HousekeepingError> for Problem {
    fn from(error: HousekeepingError) -> Self {
        match error {
            HousekeepingError::Fault(fault) => Self::from(fault),
            other => problem_of(&other),
        }
    }
}

fn problem_of(error: &HousekeepingError) -> Problem {
    let detail = error.to_string();
    let problem = |status: StatusCode, name: &str, title: &'static str| {
        Problem::new(status, format!("MELMASTOON.HOUSEKEEPING.{name}"), title, detail.clone())
    };
    match error {
        HousekeepingError::NotFound(_) => problem(StatusCode::NOT_FOUND, "NOT_FOUND", "Not found"),
        HousekeepingError::Task(TaskError::IllegalTransition { from, .. }) => {
            problem(StatusCode::CONFLICT, "TASK_ILLEGAL_TRANSITION", "The task cannot do that now")
                .with("currentStatus", *from)
        }
        HousekeepingError::Task(TaskError::NotTheAssignee { .. }) => {
            problem(StatusCode::FORBIDDEN, "NOT_THE_ASSIGNEE", "Not your task")
        }
        HousekeepingError::Task(TaskError::ChecklistIncomplete { missing }) => Problem::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "MELMASTOON.HOUSEKEEPING.CHECKLIST_INCOMPLETE",
            "The checklist is not complete",
            format!("checklistResults: these required items are not checked: {}", missing.join(", ")),
        )
        .with("missingItemKeys", missing.clone()),
        HousekeepingError::Room(refused) => {
            problem(StatusCode::CONFLICT, "ROOM_ILLEGAL_TRANSITION", "The room cannot become that now")
                .with("currentStatus", refused.from.as_str())
        }
        HousekeepingError::Suggestion(SuggestionError::Decided { status }) => {
            problem(StatusCode::CONFLICT, "SUGGESTION_DECIDED", "The suggestion is decided on")
                .with("currentStatus", status.as_str())
        }
        HousekeepingError::Suggestion(SuggestionError::RowDecided { task_id, outcome }) => {
            problem(StatusCode::CONFLICT, "SUGGESTION_ROW_DECIDED", "The row is decided on")
                .with("taskId", task_id.as_str())
                .with("outcome", *outcome)
        }
        HousekeepingError::Suggestion(SuggestionError::UnknownRow { task_id }) => {
            problem(StatusCode::UNPROCESSABLE_ENTITY, "SUGGESTION_ROW_UNKNOWN", "No such row")
                .with("taskId", task_id.as_str())
        }
        HousekeepingError::StaffNotOnShift { .. } => {
            problem(StatusCode::CONFLICT, "STAFF_NOT_ON_SHIFT", "Not on shift")
        }
        HousekeepingError::StaleVersion { current } => Problem::new(
            StatusCode::PRECONDITION_FAILED,
            "MELMASTOON.HOUSEKEEPING.STALE_VERSION",
            "Somebody was faster",
            format!("If-Match: the version is {current} by now; read it again and decide anew"),
        )
        .with("currentVersion", *current),
        HousekeepingError::NothingToInspect => {
            problem(StatusCode::CONFLICT, "NOTHING_TO_INSPECT", "Nothing to inspect")
        }
        HousekeepingError::ForeignProperty => problem(StatusCode::FORBIDDEN, "PROPERTY_FORBIDDEN", "Another property"),
        HousekeepingError::NotStaff => problem(StatusCode::FORBIDDEN, "NOT_STAFF", "Not a member of the staff"),
        HousekeepingError::Invalid { field, .. } => {
            problem(StatusCode::BAD_REQUEST, "INVALID_VALUE", "A value is not valid").with("field", *field)
        }
        HousekeepingError::ImpossibleRow(_) => {
            tracing::error!(%error, "a stored row was refused");
            Problem::of_status(StatusCode::INTERNAL_SERVER_ERROR)
        }
        HousekeepingError::Fault(_) => Problem::of_status(StatusCode::INTERNAL_SERVER_ERROR),
    }
}
