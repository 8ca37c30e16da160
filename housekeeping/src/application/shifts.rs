//! Who is on shift: the window from the schedule, the people from the assignments, presence from the clock.
//!
//! Everything here mirrors what the staff context tells, in whatever order it arrives.

use contracts::staff::{
    ClockBreakEndedV1, ClockBreakStartedV1, ClockInV1, ClockOutV1, ShiftAssignedV1, ShiftCancelledV1, ShiftEndedV1,
    ShiftScheduledV1, ShiftStartedV1, ShiftSwappedV1, ShiftUnassignedV1, StaffCreatedV1, StaffUpdatedV1,
};
use platform::UnitOfWork;

use crate::HousekeepingError;
use crate::domain::job::Job;
use crate::infrastructure::people;
use crate::infrastructure::replanning::{self, Why};
use crate::infrastructure::shifts::{self, Placing, Punch};

/// Somebody new: what they speak and know.
pub fn meet(uow: &mut UnitOfWork, person: StaffCreatedV1) {
    uow.touch_all_boards();
    people::name(uow, &person.staff_id, full_name(&person.given_name, &person.family_name), person.version);
    shifts::know(uow, &person.staff_id, (person.languages, person.skills), person.version);
}

/// "Gulalai Wardak"; `None` for somebody without a name yet.
fn full_name(given: &str, family: &str) -> Option<String> {
    let name = format!("{} {}", given.trim(), family.trim()).trim().to_owned();
    (!name.is_empty()).then_some(name)
}

/// What somebody speaks and knows has changed. A new name is not told: the old one is forgotten rather than shown.
pub fn learn(uow: &mut UnitOfWork, person: StaffUpdatedV1) {
    uow.touch_all_boards();
    if person.changed_fields.iter().any(|field| matches!(field.as_str(), "givenName" | "familyName")) {
        people::name(uow, &person.staff_id, None, person.version);
    }
    shifts::know(uow, &person.staff_id, (person.languages, person.skills), person.version);
}

pub fn schedule(uow: &mut UnitOfWork, shift: &ShiftScheduledV1) {
    let window = (shift.window_utc.start_utc, shift.window_utc.end_utc);
    let job = Job::of(shift.position_code.as_deref(), shift.position_role.as_ref());
    uow.touch_board(&shift.property_id);
    shifts::schedule(uow, &shift.property_id, &shift.shift_id, window, job, shift.version);
}

pub fn assign(uow: &mut UnitOfWork, assigned: &ShiftAssignedV1) {
    uow.touch_board(&assigned.property_id);
    let placing = Placing::new(&assigned.property_id, &assigned.shift_id, &assigned.staff_id);
    let assignment = Some(assigned.assignment_id.as_str().to_owned());
    shifts::place(uow, Placing { assignment, assigned_at: Some(assigned.assigned_at), ..placing });
}

/// Somebody is taken off a shift, perhaps before it is told that they were on it.
pub fn unassign(uow: &mut UnitOfWork, unassigned: &ShiftUnassignedV1) {
    uow.touch_board(&unassigned.property_id);
    let placing = Placing::new(&unassigned.property_id, &unassigned.shift_id, &unassigned.staff_id);
    let assignment = Some(unassigned.assignment_id.as_str().to_owned());
    shifts::place(uow, Placing { assignment, unassigned_at: Some(unassigned.unassigned_at), ..placing });
}

/// The first person has come: they are on shift, whether or not their assignment was told.
pub fn begin(uow: &mut UnitOfWork, started: &ShiftStartedV1) {
    uow.touch_board(&started.property_id);
    let placing = Placing::new(&started.property_id, &started.shift_id, &started.first_clock_in_by);
    shifts::place(uow, Placing { clocked_in_at: Some(started.first_clock_in_at), ..placing });
    replanning::ask_for_the_first(uow, &started.first_clock_in_by);
}

/// A shift is over: what its people leave behind is planned again.
pub fn end(uow: &mut UnitOfWork, ended: &ShiftEndedV1) {
    uow.touch_board(&ended.property_id);
    shifts::end(uow, &ended.property_id, &ended.shift_id, ended.ended_at);
    replanning::ask_for(uow, &ended.property_id, Why::ShiftEnded);
}

/// Somebody comes. Where nobody else is at work, what was left open is planned: in the morning, whatever the evening left.
pub fn clock_in(uow: &mut UnitOfWork, punch: &ClockInV1) {
    let Some(shift) = &punch.shift_id else {
        // The shift they are on may be in another house.
        uow.touch_all_boards();
        shifts::punch(uow, &punch.staff_id, Punch::In, punch.occurred_at_utc);
        return replanning::ask_for_the_first(uow, &punch.staff_id);
    };
    uow.touch_board(&punch.property_id);
    let placing = Placing::new(&punch.property_id, shift, &punch.staff_id);
    shifts::place(uow, Placing { clocked_in_at: Some(punch.occurred_at_utc), ..placing });
    replanning::ask_for_the_first(uow, &punch.staff_id);
}

/// Somebody leaves; a punch that overtakes the one of their coming is remembered.
pub fn clock_out(uow: &mut UnitOfWork, punch: &ClockOutV1) {
    let Some(shift) = &punch.shift_id else {
        // The shift they are on may be in another house.
        uow.touch_all_boards();
        return shifts::punch(uow, &punch.staff_id, Punch::Out, punch.occurred_at_utc);
    };
    uow.touch_board(&punch.property_id);
    let placing = Placing::new(&punch.property_id, shift, &punch.staff_id);
    shifts::place(uow, Placing { clocked_out_at: Some(punch.occurred_at_utc), ..placing });
}

/// A shift is off: nobody is on it, whoever is assigned to it later.
pub fn cancel(uow: &mut UnitOfWork, cancelled: &ShiftCancelledV1) {
    uow.touch_board(&cancelled.property_id);
    shifts::end(uow, &cancelled.property_id, &cancelled.shift_id, cancelled.cancelled_at);
    replanning::ask_for(uow, &cancelled.property_id, Why::ShiftEnded);
}

/// Two people changed places. The message does not say in which house: each shift is worked where it is known to be, or where the other is;
/// `false` where nothing is known of either yet.
pub async fn swap(uow: &mut UnitOfWork, swapped: &ShiftSwappedV1) -> Result<bool, HousekeepingError> {
    let (left, right) = (&swapped.shift_left_id, &swapped.shift_right_id);
    let houses = shifts::houses_of(uow, &[left.clone(), right.clone()]).await?;
    let Some(anywhere) = houses.values().min() else { return Ok(false) };
    uow.touch_all_boards();
    let sides = [
        (left, &swapped.left_assignment, &swapped.right_assignment),
        (right, &swapped.right_assignment, &swapped.left_assignment),
    ];
    for (shift, comes, goes) in sides {
        let property = houses.get(shift).unwrap_or(anywhere);
        let assignment = Some(comes.previous_id.as_str().to_owned());
        let off = Placing::new(property, shift, &goes.staff_id);
        shifts::place(uow, Placing { assignment, unassigned_at: Some(swapped.swapped_at), ..off });
        let on = Placing::new(property, shift, &comes.staff_id);
        let assignment = Some(comes.new_id.as_str().to_owned());
        shifts::place(uow, Placing { assignment, assigned_at: Some(swapped.swapped_at), ..on });
    }
    Ok(true)
}

/// Somebody rests. They are at work all the same, and shown as resting.
pub fn begin_break(uow: &mut UnitOfWork, punch: &ClockBreakStartedV1) {
    uow.touch_all_boards();
    let (staff, at) = (&punch.staff_id, punch.occurred_at_utc);
    match &punch.shift_id {
        Some(shift) => shifts::take_break(uow, &punch.property_id, shift, staff, (Some(at), None)),
        None => shifts::punch(uow, staff, Punch::BreakStart, at),
    }
}

/// Somebody is back.
pub fn end_break(uow: &mut UnitOfWork, punch: &ClockBreakEndedV1) {
    uow.touch_all_boards();
    let (staff, at) = (&punch.staff_id, punch.occurred_at_utc);
    match &punch.shift_id {
        Some(shift) => shifts::take_break(uow, &punch.property_id, shift, staff, (None, Some(at))),
        None => shifts::punch(uow, staff, Punch::BreakEnd, at),
    }
}
