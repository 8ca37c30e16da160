//! Whatever commands come in whatever order: versions grow by one, only legal steps are taken, the chain has no gap.

use contracts::actor::Actor;
use contracts::housekeeping::{RoomStatus, RoomStatusCause, TaskKind};
use contracts::ids::{PropertyId, RoomId, TaskId};
use housekeeping::domain::room::{Flip, Flipped, Room, RoomError, allows};
use housekeeping::domain::task::TaskState;
use platform::Decided;
use proptest::prelude::*;

use crate::task_states::obey;
use crate::{gulalai, nasrin, now, task};

const COMMANDS: [&str; 11] = [
    "assign",
    "start",
    "pause",
    "resume",
    "complete",
    "fail",
    "cancel",
    "change_priority",
    "require_maintenance",
    "attempt",
    "escalate",
];

/// What may follow what, whatever the command was called.
fn may_follow(from: &str, to: &str) -> bool {
    match from {
        "pending" => ["assigned", "cancelled"].contains(&to),
        "assigned" => ["assigned", "in_progress", "cancelled", "failed", "requires_maintenance"].contains(&to),
        "in_progress" => ["paused", "completed", "failed", "assigned", "requires_maintenance"].contains(&to),
        "paused" => ["in_progress", "cancelled", "failed", "assigned", "requires_maintenance"].contains(&to),
        _ => false,
    }
}

#[derive(Clone, Debug)]
enum Step {
    Dirty(RoomStatusCause),
    Begin,
    Finish(TaskKind, bool),
    Abandon(RoomStatusCause),
    Pass,
    Fail,
    Waive,
    Override(RoomStatus),
}

fn step() -> impl Strategy<Value = (Step, bool)> {
    use RoomStatusCause::{ReservationCheckedOut, RoomMoved, TaskCancelled, TaskFailed};
    let step = prop_oneof![
        prop::sample::select(vec![ReservationCheckedOut, RoomMoved]).prop_map(Step::Dirty),
        Just(Step::Begin),
        (prop::sample::select(TaskKind::ALL), any::<bool>())
            .prop_map(|(kind, inspected)| Step::Finish(kind, inspected)),
        prop::sample::select(vec![TaskFailed, TaskCancelled]).prop_map(Step::Abandon),
        Just(Step::Pass),
        Just(Step::Fail),
        Just(Step::Waive),
        prop::sample::select(RoomStatus::ALL).prop_map(Step::Override),
    ];
    (step, any::<bool>())
}

fn take(room: Room, step: &Step, task: &TaskId) -> Result<Option<Decided<Room>>, RoomError> {
    let by = Actor::user("stf_X");
    let flip = |cause| Flip { cause, task: Some(task), by: &by, now: now() };
    match step {
        Step::Dirty(cause) => Ok(room.mark_dirty(&flip(*cause))),
        Step::Begin => room.begin_cleaning(&flip(RoomStatusCause::TaskStarted)),
        Step::Finish(kind, inspected) => room.finish_cleaning(*kind, *inspected, &flip(RoomStatusCause::TaskCompleted)),
        Step::Abandon(cause) => room.abandon_cleaning(&flip(*cause)),
        Step::Pass => room.pass_inspection(&flip(RoomStatusCause::InspectionPassed)).map(Some),
        Step::Fail => room.fail_inspection(&flip(RoomStatusCause::InspectionFailed), "dust").map(Some),
        Step::Waive => room.waive_inspection(&flip(RoomStatusCause::InspectionWaived), "late").map(Some),
        Step::Override(to) => room.override_status(*to, None, &flip(RoomStatusCause::ManualOverride)),
    }
}

proptest! {
    #[test]
    fn any_commands_on_a_task_take_legal_steps_and_count_versions(
        commands in prop::collection::vec((0..COMMANDS.len(), any::<bool>()), 1..40)
    ) {
        let mut present = task(TaskState::Pending);
        for (at, nasrins) in commands {
            let who = if nasrins { nasrin() } else { gulalai() };
            let priority = present.priority;
            if COMMANDS[at] == "change_priority" && priority == contracts::housekeeping::TaskPriority::Urgent {
                continue;
            }
            let Ok(decided) = obey(present.clone(), COMMANDS[at], &who) else { continue };
            let next = decided.state();
            prop_assert_eq!(next.version, present.version + i32::try_from(decided.events().len()).unwrap());
            let (from, to) = (present.state.status().as_str(), next.state.status().as_str());
            let beside = next.priority != priority || ["attempt", "escalate"].contains(&COMMANDS[at]);
            let same_state = next.state == present.state && beside;
            prop_assert!(may_follow(from, to) || same_state, "{} -> {}", from, to);
            prop_assert!(next.is_open() || !may_follow(to, "assigned"));
            present = next.clone();
        }
    }

    #[test]
    fn any_steps_of_a_room_leave_a_chain_without_a_gap(steps in prop::collection::vec(step(), 1..60)) {
        let tasks = [TaskId::parse("hkt_1").unwrap(), TaskId::parse("hkt_2").unwrap()];
        let mut room = Room {
            property_id: PropertyId::parse("prp_CHINAR").unwrap(),
            room_id: RoomId::parse("rom_101").unwrap(),
            status: RoomStatus::Clean,
            last_task_id: None,
            last_flipped_at: now(),
            last_flipped_by: Actor::system("sys_test"),
            last_cause: RoomStatusCause::ManualOverride,
            version: 1,
        };
        let mut chain: Vec<Flipped> = Vec::new();
        for (step, first) in steps {
            let task = &tasks[usize::from(first)];
            let Ok(Some(decided)) = take(room.clone(), &step, task) else { continue };
            let count = i32::try_from(decided.events().len()).unwrap();
            prop_assert!(count > 0);
            prop_assert_eq!(decided.state().version, room.version + count);
            chain.extend_from_slice(decided.events());
            room = decided.state().clone();
        }
        let mut last = RoomStatus::Clean;
        for flipped in &chain {
            prop_assert_eq!(flipped.from, last);
            prop_assert!(allows(flipped.from, flipped.to, flipped.cause));
            last = flipped.to;
        }
        prop_assert_eq!(last, room.status);
    }
}
