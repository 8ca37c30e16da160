//! Who lies where, when that changes: several at once, so that rooms can be exchanged.

use contracts::ids::RoomId;
use jiff::civil::Date;
use platform::{UnitOfWork, params, statements};

use crate::domain::stay::Stay;

statements! {
    LAY = "sql/allocation_lay.sql" (_text, _text, _date, _date, _bool) -> &[];
    RESTORE = "sql/allocation_restore.sql" (_text, date) -> &[];
}

/// An allocation as it is to lie.
#[derive(Clone, Debug)]
pub struct Laid {
    pub allocation: String,
    pub room: Option<RoomId>,
    pub stay: Stay,
    pub pinned: bool,
}

/// All of them in one statement.
pub fn lay(uow: &mut UnitOfWork, all: Vec<Laid>) {
    if all.is_empty() {
        return;
    }
    let (mut ids, mut rooms, mut pins) = (Vec::new(), Vec::new(), Vec::new());
    let (mut starts, mut ends): (Vec<Date>, Vec<Date>) = (Vec::new(), Vec::new());
    for one in all {
        ids.push(one.allocation);
        rooms.push(one.room);
        starts.push(one.stay.start());
        ends.push(one.stay.end());
        pins.push(one.pinned);
    }
    uow.project(&LAY, params![ids, rooms, starts, ends, pins]);
}

/// Who had left is in the rooms again.
pub fn restore(uow: &mut UnitOfWork, allocations: Vec<String>, until: Date) {
    uow.project(&RESTORE, params![allocations, until]);
}
