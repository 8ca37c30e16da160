//! What the board shows: rooms, open tasks and people, each by a query of its own, joined in Rust.

use contracts::ids::PropertyId;
use platform::database::Read;
use platform::{UnitOfWork, columns, statements};
use tokio_postgres::Row;

use super::tasks::task_of;
use crate::HousekeepingError;
use crate::domain::task::Task;

statements! {
    ROOMS = "sql/board_rooms.sql" (text, text) -> columns![
        room_id: text, status: text, version: int4, last_flipped_at: timestamptz, number: text, floor: int4, section: text,
        room_type: text, occupied: bool
    ];
    TASKS = "sql/board_tasks.sql" (text, text) -> columns![id: text, room_id: text, status: text];
    STAFF = "sql/board_staff.sql" (text, text) -> columns![
        staff_id: text, shift_id: text, capacity_minutes: int4, languages: _text, shift_starts_at: timestamptz,
        shift_ends_at: timestamptz
    ];
}

/// The rows behind a board.
#[derive(Debug)]
pub struct BoardRows {
    pub rooms: Vec<Row>,
    pub tasks: Vec<Task>,
    pub staff: Vec<Row>,
}

pub async fn load(uow: &mut UnitOfWork, property: &PropertyId) -> Result<BoardRows, HousekeepingError> {
    let tenant = uow.context().tenant.clone();
    let (tenant, property) = (tenant.as_str(), property.as_str());
    let [rooms, tasks, staff] = uow
        .read_together([
            Read { sql: &ROOMS, params: &[&tenant, &property] },
            Read { sql: &TASKS, params: &[&tenant, &property] },
            Read { sql: &STAFF, params: &[&tenant, &property] },
        ])
        .await?;
    let tasks = tasks.iter().map(task_of).collect::<Result<_, _>>()?;
    Ok(BoardRows { rooms, tasks, staff })
}
