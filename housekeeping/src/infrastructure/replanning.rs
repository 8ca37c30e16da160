//! Houses whose open work waits to be planned again.

use contracts::ids::{PropertyId, StaffId};
use platform::database::Columns;
use platform::database::Row;
use platform::{UnitOfWork, columns, params, statements};

use crate::HousekeepingError;

statements! {
    ASK = "sql/planning_ask.sql" (text, text, timestamptz) -> &[];
    ASK_FIRST = "sql/planning_ask_first.sql" (text, timestamptz) -> &[];
    WAITING = "sql/planning_waiting.sql" () -> columns![property_id: text, asked: int4];
    DONE = "sql/planning_done.sql" (text, int4, timestamptz) -> &[];
}

contracts::closed_words! {
    /// Why a house should be planned again.
    Why {
        ShiftEnded = "shift_ended",
        TaskFailed = "task_failed",
    }
}

/// A house that waits for a plan, and how often that was asked for.
#[derive(Clone, Debug)]
pub struct Waiting {
    pub property_id: PropertyId,
    pub asked: i32,
}

/// The house should be planned again; asked for twice, it is planned once.
pub fn ask_for(uow: &mut UnitOfWork, property: &PropertyId, why: Why) {
    let now = uow.now();
    uow.project(&ASK, params![property.clone(), why, now]);
}

/// Somebody came to work: where nobody else is, what was left open there should be planned. Whoever comes to others asks for nothing.
pub fn ask_for_the_first(uow: &mut UnitOfWork, staff: &StaffId) {
    let now = uow.now();
    uow.project(&ASK_FIRST, params![staff.clone(), now]);
}

/// The tenant's houses that wait for a plan and have somebody at work.
pub async fn waiting(uow: &mut UnitOfWork) -> Result<Vec<Waiting>, HousekeepingError> {
    let house = |row: &Row| Ok(Waiting { property_id: row.read("property_id")?, asked: row.read("asked")? });
    uow.read(&WAITING, &[]).await?.iter().map(house).collect()
}

/// The house was planned for everything that had been asked for by then.
pub fn answered(uow: &mut UnitOfWork, house: &Waiting) {
    let now = uow.now();
    uow.project(&DONE, params![house.property_id.clone(), house.asked, now]);
}
