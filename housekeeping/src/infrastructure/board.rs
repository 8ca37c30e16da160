//! What the board shows: rooms, open tasks and people, each by a query of its own, joined in Rust.

use contracts::ids::PropertyId;
use platform::database::Read;
use platform::{UnitOfWork, columns, statements};
use tokio_postgres::Row;

use super::tasks::task_of;
use super::{arrivals, suggestions};
use crate::HousekeepingError;
use crate::domain::suggestion::Suggestion;
use crate::domain::task::Task;

statements! {
    ROOMS = "sql/board_rooms.sql" (text, text) -> columns![
        room_id: text, status: text, version: int4, last_flipped_at: timestamptz, number: text, floor: int4, section: text,
        room_type: text, occupied: bool
    ];
    TASKS = "sql/board_tasks.sql" (text, text) -> columns![id: text, room_id: text, status: text];
    STAFF = "sql/board_staff.sql" (text, text) -> columns![
        staff_id: text, shift_id: text, capacity_minutes: int4, languages: _text, skills: _text,
        shift_starts_at: timestamptz, shift_ends_at: timestamptz
    ];
    SUGGESTION = "sql/board_suggestion.sql" (text, text) -> suggestions::SUGGESTION;
}

/// The rows behind a board.
#[derive(Debug)]
pub struct BoardRows {
    pub rooms: Vec<Row>,
    pub tasks: Vec<Task>,
    pub staff: Vec<Row>,
    /// When the next guest is expected, by room.
    pub expected: Vec<Row>,
    /// The newest plan that waits for a decision.
    pub suggestion: Option<Suggestion>,
}

pub async fn load(uow: &mut UnitOfWork, property: &PropertyId) -> Result<BoardRows, HousekeepingError> {
    let tenant = uow.context().tenant.clone();
    let (tenant, property, now) = (tenant.as_str(), property.as_str(), uow.now().jiff());
    let [rooms, tasks, staff, expected, waiting] = uow
        .read_together([
            Read { sql: &ROOMS, params: &[&tenant, &property] },
            Read { sql: &TASKS, params: &[&tenant, &property] },
            Read { sql: &STAFF, params: &[&tenant, &property] },
            Read { sql: &arrivals::NEXT, params: &[&tenant, &property, &now] },
            Read { sql: &SUGGESTION, params: &[&tenant, &property] },
        ])
        .await?;
    let tasks = tasks.iter().map(task_of).collect::<Result<_, _>>()?;
    let suggestion = waiting.first().map(suggestions::suggestion_of).transpose()?;
    Ok(BoardRows { rooms, tasks, staff, expected, suggestion })
}
