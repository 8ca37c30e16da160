//! People on shift: the window from the schedule, the people from the assignments, presence from the clock.

use contracts::ids::{PropertyId, ShiftAssignmentId, ShiftId, StaffId};
use contracts::time::Timestamp;
use platform::{UnitOfWork, columns, params, statements};

use crate::HousekeepingError;

statements! {
    SCHEDULE = "sql/shift_schedule.sql" (text, text, text, timestamptz, timestamptz) -> &[];
    ASSIGN = "sql/shift_assign.sql" (text, text, text, text, text, timestamptz, text, timestamptz, timestamptz,
        timestamptz) -> &[];
    CLOCK_IN = "sql/shift_clock_in.sql" (text, text, timestamptz) -> &[];
    KNOW = "sql/staff_know.sql" (text, text, _text, _text) -> &[];
    CLOCK_OUT = "sql/shift_clock_out.sql" (text, text, timestamptz) -> &[];
    END = "sql/shift_end.sql" (text, text, text, timestamptz) -> &[];
    ON_DUTY = "sql/shift_on_duty.sql" (text, text, text) -> columns![shift_id: text];
}

/// Somebody's place on a shift, as far as it is known.
#[derive(Debug)]
pub struct Placing<'a> {
    pub property: &'a PropertyId,
    pub shift: &'a ShiftId,
    pub staff: &'a StaffId,
    pub assignment: Option<String>,
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
            clocked_in_at: None,
            clocked_out_at: None,
            unassigned_at: None,
        }
    }
}

pub fn schedule(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    shift: &ShiftId,
    starts_at: Timestamp,
    ends_at: Timestamp,
) {
    let params = params![
        uow.context().tenant.as_str().to_owned(),
        shift.as_str().to_owned(),
        property.as_str().to_owned(),
        starts_at.jiff(),
        ends_at.jiff(),
    ];
    uow.project(&SCHEDULE, params);
}

pub fn place(uow: &mut UnitOfWork, placing: &Placing<'_>) {
    let id: ShiftAssignmentId = uow.next_id();
    let params = params![
        id.as_str().to_owned(),
        uow.context().tenant.as_str().to_owned(),
        placing.property.as_str().to_owned(),
        placing.staff.as_str().to_owned(),
        placing.shift.as_str().to_owned(),
        uow.now().jiff(),
        placing.assignment.clone(),
        placing.clocked_in_at.map(Timestamp::jiff),
        placing.clocked_out_at.map(Timestamp::jiff),
        placing.unassigned_at.map(Timestamp::jiff),
    ];
    uow.project(&ASSIGN, params);
}

/// Somebody came, to whatever shift they are assigned to.
pub fn clock_in(uow: &mut UnitOfWork, staff: &StaffId, at: Timestamp) {
    let params = params![uow.context().tenant.as_str().to_owned(), staff.as_str().to_owned(), at.jiff()];
    uow.project(&CLOCK_IN, params);
}

/// What somebody speaks and knows; what is not told stays as it was.
pub fn know(uow: &mut UnitOfWork, staff: &StaffId, languages: Option<Vec<String>>, skills: Option<Vec<String>>) {
    let params = params![uow.context().tenant.as_str().to_owned(), staff.as_str().to_owned(), languages, skills];
    uow.project(&KNOW, params);
}

/// Somebody left, whatever shift they are assigned to.
pub fn clock_out(uow: &mut UnitOfWork, staff: &StaffId, at: Timestamp) {
    let params = params![uow.context().tenant.as_str().to_owned(), staff.as_str().to_owned(), at.jiff()];
    uow.project(&CLOCK_OUT, params);
}

pub fn end(uow: &mut UnitOfWork, property: &PropertyId, shift: &ShiftId, at: Timestamp) {
    let params = params![
        uow.context().tenant.as_str().to_owned(),
        shift.as_str().to_owned(),
        property.as_str().to_owned(),
        at.jiff(),
    ];
    uow.project(&END, params);
}

/// Whether somebody is on an active shift here and has clocked in.
pub async fn is_on_duty(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    staff: &StaffId,
) -> Result<bool, HousekeepingError> {
    let tenant = uow.context().tenant.clone();
    let row = uow.read_one(&ON_DUTY, &[&tenant.as_str(), &property.as_str(), &staff.as_str()]).await?;
    Ok(row.is_some())
}
