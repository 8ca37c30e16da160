//! Whatever the tables say, the planner is asked a question that it accepts.

use contracts::housekeeping::{RoomStatus, TaskKind, TaskPriority};
use contracts::ids::{RoomId, ShiftId, TaskId};
use contracts::time::Timestamp;
use housekeeping::application::routing_port::{Progress, RoutingInput, RoutingPerson, RoutingRoom, RoutingTask};
use housekeeping::domain::job::Job;
use housekeeping::infrastructure::planning::instance_of;
use planner::{Options, solve};
use proptest::prelude::*;
use ulid::Ulid;

use crate::{house, nine, staff};

/// Hours, years, and the ends of time.
fn any_time() -> impl Strategy<Value = Timestamp> {
    prop_oneof![
        4 => (-600..600_i64).prop_map(|minutes| nine().plus_seconds(minutes * 60)),
        1 => any::<i64>().prop_map(Timestamp::from_millis),
    ]
}

fn any_number() -> impl Strategy<Value = i32> {
    prop_oneof![4 => 0..500_i32, 1 => any::<i32>(), 1 => Just(i32::MAX), 1 => Just(i32::MIN)]
}

prop_compose! {
    fn any_room(index: usize)(
        number in proptest::option::of("[0-9]{0,12}[a-zäپ]{0,2}"),
        floor in proptest::option::of(any_number()),
        section in proptest::option::of("[a-z]{0,5}"),
        status in proptest::sample::select(RoomStatus::ALL),
        occupied in any::<bool>(),
        next_arrival_at in proptest::option::of(any_time()),
    ) -> RoutingRoom {
        let room_id = RoomId::parse(&format!("rom_{index}")).unwrap();
        RoutingRoom { room_id, number, floor, section, status, occupied, next_arrival_at }
    }
}

prop_compose! {
    fn any_task(index: usize)(
        room in 0..12_usize,
        kind in proptest::sample::select(TaskKind::ALL.to_vec()),
        priority in proptest::sample::select(TaskPriority::ALL.to_vec()),
        progress in proptest::sample::select(vec![Progress::Pending, Progress::Assigned, Progress::InProgress, Progress::Paused]),
        holder in 0..6_usize,
        estimated_minutes in any_number(),
        worked_minutes in prop_oneof![0..200_i64, any::<i64>()],
        scheduled_for in proptest::option::of(any_time()),
        failed_by in proptest::option::of(0..6_usize),
    ) -> RoutingTask {
        RoutingTask {
            task_id: TaskId::from_ulid(Ulid::from_parts(1, index as u128)),
            room_id: RoomId::parse(&format!("rom_{room}")).unwrap(),
            staff_id: (progress != Progress::Pending).then(|| staff(&holder.to_string())),
            failed_by_staff_id: failed_by.map(|who| staff(&who.to_string())),
            kind, priority, progress, estimated_minutes, worked_minutes, scheduled_for,
        }
    }
}

prop_compose! {
    fn any_person(index: usize)(
        shift_starts_at in any_time(),
        shift_ends_at in any_time(),
        capacity_minutes in any_number(),
        done_minutes in prop_oneof![0..500_i64, any::<i64>()],
        skills in proptest::sample::subsequence(vec!["deep_clean", "inspection", "supervision"], 0..=3),
        job in proptest::sample::select(Job::ALL.to_vec()),
    ) -> RoutingPerson {
        RoutingPerson {
            staff_id: staff(&index.to_string()),
            shift_id: ShiftId::parse("shf_DAY").unwrap(),
            shift_starts_at, shift_ends_at, capacity_minutes, done_minutes,
            languages: Vec::new(),
            skills: skills.into_iter().map(str::to_owned).collect(),
            job,
        }
    }
}

fn any_house() -> impl Strategy<Value = RoutingInput> {
    let rooms: Vec<_> = (0..10).map(any_room).collect();
    let tasks = (0..25_usize).prop_flat_map(|count| (0..count).map(any_task).collect::<Vec<_>>());
    let people = (0..5_usize).prop_flat_map(|count| (0..count).map(any_person).collect::<Vec<_>>());
    (rooms, tasks, people, any_time(), proptest::sample::select(vec!["Asia/Kabul", "Nowhere/Land"])).prop_map(
        |(rooms, tasks, people, at, zone)| RoutingInput {
            rooms,
            tasks,
            people,
            at,
            timezone: zone.to_owned(),
            ..house()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn every_house_is_a_question_that_the_planner_accepts(input in any_house()) {
        let mapped = instance_of(&input);
        prop_assert_eq!(mapped.instance.validate(), Ok(()));
        // Each open task is asked about, set aside, or stays with somebody.
        for task in &input.tasks {
            let id = task.task_id.as_str();
            let asked = mapped.instance.tasks.iter().any(|one| one.id == id);
            let aside = mapped.blocked.iter().any(|one| one.task_id == task.task_id);
            prop_assert!(!(asked && aside), "{id} is in two places");
            prop_assert!(asked || aside || task.staff_id.is_some(), "{id} is lost");
        }
    }

    #[test]
    fn what_has_begun_is_with_whoever_began_it_in_every_plan(input in any_house()) {
        let mapped = instance_of(&input);
        let plan = solve(&mapped.instance, &Options { moves: Some(2_000), seed: 1 }, &|| false).unwrap();
        for row in &plan.rows {
            let task = input.tasks.iter().find(|task| task.task_id.as_str() == row.task_id).unwrap();
            if task.is_begun() {
                prop_assert_eq!(Some(row.staff_id.as_str()), task.staff_id.as_ref().map(contracts::ids::StaffId::as_str));
            }
        }
    }
}
