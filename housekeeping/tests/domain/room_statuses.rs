//! Every status of a room against every other and every cause: the table stands here a second time, as it was decided.

use contracts::actor::Actor;
use contracts::housekeeping::RoomStatus::{
    self, Clean, Cleaned, Cleaning, Dirty, Inspected, OutOfOrder, OutOfService, Ready,
};
use contracts::housekeeping::{RoomStatusCause, TaskKind};
use contracts::ids::{PropertyId, RoomId, TaskId};
use housekeeping::domain::room::{Flip, Room, allows};

use crate::now;

/// By cause: from any of these, to any of those.
const DECIDED: &[(RoomStatusCause, &[RoomStatus], &[RoomStatus])] = &[
    // dirty -> cleaning; a mid-stay clean begins from clean or ready too
    (RoomStatusCause::TaskStarted, &[Dirty, Clean, Ready], &[Cleaning]),
    // cleaning -> cleaned, or clean for the guest who stays
    (RoomStatusCause::TaskCompleted, &[Cleaning], &[Cleaned, Clean]),
    // where nobody inspects
    (RoomStatusCause::TaskCompleted, &[Cleaned], &[Ready]),
    (RoomStatusCause::InspectionPassed, &[Cleaned], &[Inspected]),
    (RoomStatusCause::InspectionPassed, &[Inspected], &[Ready]),
    (RoomStatusCause::InspectionFailed, &[Cleaned], &[Dirty]),
    (RoomStatusCause::InspectionWaived, &[Cleaned], &[Ready]),
    (RoomStatusCause::TaskFailed, &[Cleaning], &[Dirty]),
    (RoomStatusCause::TaskCancelled, &[Cleaning], &[Dirty]),
    // any but dirty itself and the two that are out of use
    (RoomStatusCause::ReservationCheckedOut, &[Clean, Cleaning, Cleaned, Inspected, Ready], &[Dirty]),
    (RoomStatusCause::RoomMoved, &[Clean, Cleaning, Cleaned, Inspected, Ready], &[Dirty]),
    (
        RoomStatusCause::MaintenanceRequired,
        &[Clean, Dirty, Cleaning, Cleaned, Inspected, Ready, OutOfService],
        &[OutOfOrder],
    ),
    (RoomStatusCause::MaintenanceCompleted, &[OutOfOrder, Clean, Cleaned, Inspected, Ready], &[Dirty]),
    // the last block is lifted, or the room itself is back
    (RoomStatusCause::RoomUnblocked, &[OutOfOrder, OutOfService], &[Dirty]),
    (RoomStatusCause::RoomArchived, &[Clean, Dirty, Cleaning, Cleaned, Inspected, Ready, OutOfOrder], &[OutOfService]),
    (RoomStatusCause::ManualOverride, RoomStatus::ALL, RoomStatus::ALL),
];

#[test]
fn a_room_becomes_what_was_decided_and_nothing_else() {
    for cause in RoomStatusCause::ALL {
        for from in RoomStatus::ALL {
            for to in RoomStatus::ALL {
                let decided = from != to
                    && DECIDED.iter().any(|(why, froms, tos)| why == cause && froms.contains(from) && tos.contains(to));
                assert_eq!(allows(*from, *to, *cause), decided, "{from} -> {to} because of {cause}");
            }
        }
    }
}

fn room(status: RoomStatus, task: Option<&TaskId>) -> Room {
    Room {
        property_id: PropertyId::parse("prp_CHINAR").unwrap(),
        room_id: RoomId::parse("rom_101").unwrap(),
        status,
        last_task_id: task.cloned(),
        last_flipped_at: now(),
        last_flipped_by: Actor::system("sys_test"),
        last_cause: RoomStatusCause::ManualOverride,
        version: 3,
    }
}

fn flip<'a>(cause: RoomStatusCause, task: &'a TaskId, by: &'a Actor) -> Flip<'a> {
    Flip { cause, task: Some(task), by, now: now() }
}

#[test]
fn a_passed_inspection_tells_both_steps() {
    let (task, boss) = (TaskId::parse("hkt_1").unwrap(), Actor::user("stf_SUPERVISOR"));
    let passed =
        room(Cleaned, Some(&task)).pass_inspection(&flip(RoomStatusCause::InspectionPassed, &task, &boss)).unwrap();
    let steps: Vec<_> = passed.events().iter().map(|event| (event.from, event.to)).collect();
    assert_eq!(steps, [(Cleaned, Inspected), (Inspected, Ready)]);
    assert_eq!(passed.state().version, 5);
}

#[test]
fn the_end_of_the_work_depends_on_who_sleeps_there_next() {
    let (task, who) = (TaskId::parse("hkt_1").unwrap(), Actor::user("stf_GULALAI"));
    let end = |kind, inspected: bool| {
        let room = room(Cleaning, Some(&task));
        let done = room.finish_cleaning(kind, inspected, &flip(RoomStatusCause::TaskCompleted, &task, &who));
        done.unwrap().unwrap().state().status
    };
    assert_eq!(end(TaskKind::Turnover, true), Cleaned);
    assert_eq!(end(TaskKind::Turnover, false), Ready);
    assert_eq!(end(TaskKind::MidStayClean, true), Clean);
    assert_eq!(end(TaskKind::MidStayClean, false), Clean);
}

#[test]
fn a_task_does_not_end_the_cleaning_that_another_one_began() {
    let (mine, other) = (TaskId::parse("hkt_1").unwrap(), TaskId::parse("hkt_2").unwrap());
    let who = Actor::user("stf_GULALAI");
    let cleaning = || room(Cleaning, Some(&other));
    let completed = flip(RoomStatusCause::TaskCompleted, &mine, &who);
    assert!(cleaning().finish_cleaning(TaskKind::Turnover, true, &completed).unwrap().is_none());
    let failed = flip(RoomStatusCause::TaskFailed, &mine, &who);
    assert!(cleaning().abandon_cleaning(&failed).unwrap().is_none());
    let started = flip(RoomStatusCause::TaskStarted, &mine, &who);
    assert!(cleaning().begin_cleaning(&started).is_err(), "two do not clean one room at once");
    let again = flip(RoomStatusCause::TaskStarted, &other, &who);
    assert!(cleaning().begin_cleaning(&again).unwrap().is_none(), "a hand-over goes on");
}

#[test]
fn a_departure_makes_dirty_what_is_in_use_and_leaves_the_rest() {
    let (task, who) = (TaskId::parse("hkt_1").unwrap(), Actor::system("sys_test"));
    for status in RoomStatus::ALL {
        let dirty = room(*status, None).mark_dirty(&flip(RoomStatusCause::ReservationCheckedOut, &task, &who));
        assert_eq!(dirty.is_none(), matches!(status, Dirty | OutOfOrder | OutOfService), "{status}");
    }
}

#[test]
fn a_departure_is_taken_back_where_nothing_else_has_happened_and_the_room_was_fit_before() {
    let (turnover, boss) = (TaskId::parse("hkt_1").unwrap(), Actor::user("stf_SUPERVISOR"));
    let flip = Flip { cause: RoomStatusCause::ManualOverride, task: None, by: &boss, now: now() };
    let left = |status| Room { last_cause: RoomStatusCause::ReservationCheckedOut, ..room(status, Some(&turnover)) };
    for was in [Clean, Cleaned, Inspected, Ready] {
        let back = left(Dirty).take_departure_back(&turnover, was, &flip).unwrap();
        assert_eq!(back.state().status, was);
    }
    for was in [Dirty, Cleaning, OutOfOrder, OutOfService] {
        assert!(left(Dirty).take_departure_back(&turnover, was, &flip).is_none(), "{}", was.as_str());
    }
    assert!(left(Cleaning).take_departure_back(&turnover, Ready, &flip).is_none(), "somebody has begun");
    assert!(room(Dirty, Some(&turnover)).take_departure_back(&turnover, Ready, &flip).is_none(), "set by hand since");
    let another = TaskId::parse("hkt_2").unwrap();
    assert!(left(Dirty).take_departure_back(&another, Ready, &flip).is_none());
}
