//! How long work takes: what was learned from the last fifty of its kind, by house and type of room.

use contracts::housekeeping::TaskKind;
use contracts::ids::{PropertyId, RoomId, TaskId};
use contracts::time::Timestamp;
use platform::database::{Columns, RowChange};
use platform::{UnitOfWork, columns, params, statements};

use super::tasks;
use crate::HousekeepingError;

statements! {
    ESTIMATE = "sql/estimate.sql" (text, text, text) -> columns![minutes: int4];
    LEARN = "sql/learn.sql" (text, text, text, int4) -> &[];
    LEARN_WAIT = "sql/learn_wait.sql" (text, text, timestamptz, timestamptz) -> &[];
    WAIT = "sql/inspection_wait.sql" (text) -> columns![minutes: int4];
}

/// A day; whoever reports more has forgotten to report.
const LONGEST: u32 = 1_440;

/// What was learned, or said by the tenant, of this kind of work in this room; `None`: neither.
pub async fn of_room(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    room: &RoomId,
    kind: TaskKind,
) -> Result<Option<i32>, HousekeepingError> {
    let row = uow.read_one(&ESTIMATE, &[property, room, &kind]).await?;
    Ok(row.map(|row| row.read("minutes")).transpose()?.flatten())
}

/// The row that remembers how long a task took. One that took no time was reported late, and teaches nothing.
pub(super) fn learn(property: &PropertyId, room: &RoomId, kind: TaskKind, minutes: u32) -> Option<RowChange> {
    let minutes = i32::try_from(minutes.min(LONGEST)).ok().filter(|minutes| *minutes > 0)?;
    Some(RowChange::new(&LEARN, params![property.clone(), room.clone(), kind, minutes]))
}

/// The row that remembers how long a cleaned room waited for its inspection.
pub(super) fn learn_wait(property: &PropertyId, task: &TaskId, inspected_at: Timestamp) -> Option<RowChange> {
    let created_at = tasks::created_at(task)?;
    Some(RowChange::new(&LEARN_WAIT, params![property.clone(), task.clone(), created_at, inspected_at]))
}
