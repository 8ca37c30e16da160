//! Who is on shift: the window from the schedule, the people from the assignments, presence from the clock.
//!
//! Everything here mirrors what the staff context tells, in whatever order it arrives.

use contracts::staff::{
    ClockInV1, ClockOutV1, ShiftAssignedV1, ShiftEndedV1, ShiftScheduledV1, ShiftStartedV1, ShiftUnassignedV1,
    StaffCreatedV1, StaffUpdatedV1,
};
use platform::UnitOfWork;

use crate::infrastructure::shifts::{self, Placing};

/// Somebody new: what they speak and know.
pub fn meet(uow: &mut UnitOfWork, person: StaffCreatedV1) {
    shifts::know(uow, &person.staff_id, person.languages, person.skills);
}

/// What somebody speaks and knows has changed.
pub fn learn(uow: &mut UnitOfWork, person: StaffUpdatedV1) {
    shifts::know(uow, &person.staff_id, person.languages, person.skills);
}

pub fn schedule(uow: &mut UnitOfWork, shift: &ShiftScheduledV1) {
    let window = &shift.window_utc;
    shifts::schedule(uow, &shift.property_id, &shift.shift_id, window.start_utc, window.end_utc);
}

pub fn assign(uow: &mut UnitOfWork, assigned: &ShiftAssignedV1) {
    let placing = Placing {
        property: &assigned.property_id,
        shift: &assigned.shift_id,
        staff: &assigned.staff_id,
        assignment: Some(assigned.assignment_id.as_str().to_owned()),
        clocked_in_at: None,
    };
    shifts::place(uow, &placing);
}

pub fn unassign(uow: &mut UnitOfWork, unassigned: &ShiftUnassignedV1) {
    shifts::unassign(uow, &unassigned.shift_id, &unassigned.staff_id, unassigned.unassigned_at);
}

/// The first person has come: they are on shift, whether or not their assignment was told.
pub fn begin(uow: &mut UnitOfWork, started: &ShiftStartedV1) {
    let placing = Placing {
        property: &started.property_id,
        shift: &started.shift_id,
        staff: &started.first_clock_in_by,
        assignment: None,
        clocked_in_at: Some(started.first_clock_in_at),
    };
    shifts::place(uow, &placing);
}

pub fn end(uow: &mut UnitOfWork, ended: &ShiftEndedV1) {
    shifts::end(uow, &ended.shift_id, ended.ended_at);
}

pub fn clock_in(uow: &mut UnitOfWork, punch: &ClockInV1) {
    let Some(shift) = &punch.shift_id else {
        return shifts::clock_in(uow, &punch.staff_id, punch.occurred_at_utc);
    };
    let placing = Placing {
        property: &punch.property_id,
        shift,
        staff: &punch.staff_id,
        assignment: None,
        clocked_in_at: Some(punch.occurred_at_utc),
    };
    shifts::place(uow, &placing);
}

pub fn clock_out(uow: &mut UnitOfWork, punch: &ClockOutV1) {
    shifts::clock_out(uow, &punch.staff_id, punch.shift_id.as_ref());
}
