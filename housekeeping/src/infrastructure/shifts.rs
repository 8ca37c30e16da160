//! People on shift: the window from the schedule, the people from the assignments, presence from the clock.

use std::collections::HashMap;

use contracts::ids::{PropertyId, ShiftAssignmentId, ShiftId, StaffId};
use contracts::time::Timestamp;
use platform::database::Columns;
use platform::{UnitOfWork, columns, params, statements};

use crate::HousekeepingError;
use crate::domain::job::Job;

statements! {
    SCHEDULE = "sql/shift_schedule.sql" (text, text, timestamptz, timestamptz, text, int8) -> &[];
    ASSIGN = "sql/shift_assign.sql" (text, text, text, text, timestamptz, text, timestamptz, timestamptz, timestamptz,
        timestamptz) -> &[];
    TURN = "sql/shift_turn.sql" () -> &[];
    PUNCH = "sql/shift_punch.sql" (text, text, timestamptz) -> &[];
    RECOUNT = "sql/shift_recount.sql" (text, text) -> &[];
    KNOW = "sql/staff_know.sql" (text, _text, _text, int8) -> &[];
    BREAK = "sql/shift_break.sql" (text, text, timestamptz, timestamptz) -> &[];
    PROPERTY = "sql/shift_property.sql" (_text) -> columns![shift_id: text, property_id: text];
    END = "sql/shift_end.sql" (text, text, timestamptz) -> &[];
    ON_DUTY = "sql/shift_on_duty.sql" (text, text) -> columns![shift_id: text];
}

/// Somebody's place on a shift, as far as it is known.
#[derive(Debug)]
pub struct Placing<'a> {
    pub property: &'a PropertyId,
    pub shift: &'a ShiftId,
    pub staff: &'a StaffId,
    pub assignment: Option<String>,
    /// The person was put on the shift.
    pub assigned_at: Option<Timestamp>,
    pub clocked_in_at: Option<Timestamp>,
    pub clocked_out_at: Option<Timestamp>,
    /// The person was taken off the shift.
    pub unassigned_at: Option<Timestamp>,
}

impl<'a> Placing<'a> {
    /// Of whom, and on which shift; what is known of it is added.
    pub fn new(property: &'a PropertyId, shift: &'a ShiftId, staff: &'a StaffId) -> Self {
        Self {
            property,
            shift,
            staff,
            assignment: None,
            assigned_at: None,
            clocked_in_at: None,
            clocked_out_at: None,
            unassigned_at: None,
        }
    }
}

/// When a shift is, as of this version of it.
pub fn schedule(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    shift: &ShiftId,
    (starts_at, ends_at): (Timestamp, Timestamp),
    job: Option<Job>,
    version: u64,
) {
    uow.project(&TURN, params![]);
    uow.project(&SCHEDULE, params![shift.clone(), property.clone(), starts_at, ends_at, job, stored(version)]);
    recount(uow, None, Some(shift));
}

fn stored(version: u64) -> i64 {
    i64::try_from(version).unwrap_or(i64::MAX)
}

/// Makes out anew which shift the punches of these people belong to.
fn recount(uow: &mut UnitOfWork, staff: Option<&StaffId>, shift: Option<&ShiftId>) {
    uow.project(&RECOUNT, params![staff.cloned(), shift.cloned()]);
}

pub fn place(uow: &mut UnitOfWork, placing: Placing<'_>) {
    let (id, now): (ShiftAssignmentId, _) = (uow.next_id(), uow.now());
    let Placing { property, shift, staff, assignment, assigned_at, clocked_in_at, clocked_out_at, unassigned_at } =
        placing;
    let (property, shift, who) = (property.clone(), shift.clone(), staff.clone());
    uow.project(&TURN, params![]);
    uow.project(
        &ASSIGN,
        params![id, property, who, shift, now, assignment, clocked_in_at, clocked_out_at, unassigned_at, assigned_at],
    );
    recount(uow, Some(staff), None);
}

contracts::closed_words! {
    /// What somebody does at the clock.
    Punch {
        In = "in",
        Out = "out",
        BreakStart = "break_start",
        BreakEnd = "break_end",
    }
}

/// A punch that names no shift: it is kept, and belongs to the shift of theirs whose time it is, whenever that is told.
pub fn punch(uow: &mut UnitOfWork, staff: &StaffId, punch: Punch, at: Timestamp) {
    uow.project(&TURN, params![]);
    uow.project(&PUNCH, params![staff.clone(), punch, at]);
    recount(uow, Some(staff), None);
}

/// What somebody speaks and knows as of this version of them; what is not told stays as it was.
pub fn know(
    uow: &mut UnitOfWork,
    staff: &StaffId,
    (languages, skills): (Option<Vec<String>>, Option<Vec<String>>),
    version: u64,
) {
    uow.project(&TURN, params![]);
    uow.project(&KNOW, params![staff.clone(), languages, skills, stored(version)]);
}

pub fn end(uow: &mut UnitOfWork, property: &PropertyId, shift: &ShiftId, at: Timestamp) {
    uow.project(&TURN, params![]);
    uow.project(&END, params![shift.clone(), property.clone(), at]);
}

/// Somebody on a shift begins a break, or ends one; breaks may be told in any order, and before the person's place is.
pub fn take_break(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    shift: &ShiftId,
    staff: &StaffId,
    (begins, ends): (Option<Timestamp>, Option<Timestamp>),
) {
    place(uow, Placing::new(property, shift, staff));
    uow.project(&BREAK, params![staff.clone(), shift.clone(), begins, ends]);
    recount(uow, Some(staff), None);
}

/// Where these shifts are worked, as far as anything is known of them.
pub async fn houses_of(
    uow: &mut UnitOfWork,
    shifts: &[ShiftId],
) -> Result<HashMap<ShiftId, PropertyId>, HousekeepingError> {
    let rows = uow.read(&PROPERTY, &[&shifts]).await?;
    rows.iter().map(|row| Ok((row.read("shift_id")?, row.read("property_id")?))).collect()
}

/// Whether somebody is on an active shift here and has clocked in.
pub async fn is_on_duty(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    staff: &StaffId,
) -> Result<bool, HousekeepingError> {
    Ok(uow.read_one(&ON_DUTY, &[property, staff]).await?.is_some())
}
