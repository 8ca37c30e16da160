//! What the planner is told.

use contracts::housekeeping::{RoomStatus, TaskKind, TaskPriority};
use contracts::ids::ShiftId;
use housekeeping::application::routing_port::{Progress, RoutingInput, RoutingPerson, RoutingRoom, RoutingTask};
use housekeeping::domain::job::Job;
use housekeeping::infrastructure::planning::instance_of;
use planner::Instance;
use planner::instance::{Priority, Task};

use crate::{held_by, house, in_minutes, person, room, room_id, staff, turnover};

fn instance(input: &RoutingInput) -> Instance {
    instance_of(input).instance
}

fn with(rooms: Vec<RoutingRoom>, tasks: Vec<RoutingTask>, people: Vec<RoutingPerson>) -> RoutingInput {
    RoutingInput { rooms, tasks, people, ..house() }
}

/// The one task of a house.
fn told(room: RoutingRoom, task: RoutingTask) -> Task {
    instance(&with(vec![room], vec![task], vec![person("GULALAI")])).tasks.remove(0)
}

#[test]
fn doors_follow_each_other_as_their_numbers_do_on_each_floor() {
    let rooms = ["110", "102", "101", "201", "109"].map(|number| room(number, number[..1].parse().ok())).to_vec();
    let tasks = rooms.iter().map(|room| turnover(room.number.as_deref().unwrap())).collect();
    let found = instance(&with(rooms, tasks, vec![person("GULALAI")]));
    let mut places: Vec<_> =
        found.tasks.iter().map(|task| (task.room.clone().unwrap(), task.floor, task.position)).collect();
    places.sort();
    let expected = [("101", 1, 0), ("102", 1, 1), ("109", 1, 2), ("110", 1, 3), ("201", 2, 0)];
    assert_eq!(places, expected.map(|(number, floor, position)| (number.to_owned(), floor, position)));
}

#[test]
fn without_a_floor_the_number_on_the_door_tells_it() {
    for (number, floor) in [("304", 3), ("1207", 12), ("7", 0)] {
        assert_eq!(told(room(number, None), turnover(number)).floor, floor, "{number}");
    }
    assert_eq!(told(room("304", Some(-1)), turnover("304")).floor, -1, "what is told goes first");
}

#[test]
fn a_room_that_nobody_has_described_is_at_the_entrance() {
    let input = with(vec![room("304", Some(3))], vec![turnover("999")], vec![person("GULALAI")]);
    let found = instance(&input).tasks.remove(0);
    assert_eq!((found.floor, found.position, found.section.as_str(), found.room), (3, 0, "", None));
}

#[test]
fn work_that_has_begun_stays_and_takes_what_is_left_of_it() {
    let at_it = held_by("GULALAI", Progress::InProgress, 20, turnover("101"));
    let found = told(room("101", Some(1)), at_it);
    assert_eq!((found.minutes, found.in_progress, found.pinned), (30, true, false));
    assert_eq!(found.current_staff_id.as_deref(), Some("stf_GULALAI"));
    let late = told(room("101", Some(1)), held_by("GULALAI", Progress::InProgress, 80, turnover("101")));
    assert_eq!(late.minutes, 5, "somebody who is late will still be some minutes");
    let paused = told(room("101", Some(1)), held_by("GULALAI", Progress::Paused, 20, turnover("101")));
    assert_eq!((paused.minutes, paused.in_progress, paused.pinned), (30, false, true));
    let assigned = told(room("101", Some(1)), held_by("GULALAI", Progress::Assigned, 0, turnover("101")));
    assert_eq!((assigned.minutes, assigned.in_progress, assigned.pinned), (50, false, false), "may still move");
}

#[test]
fn a_room_is_due_when_the_next_guest_arrives() {
    let expected = |minutes| RoutingRoom { next_arrival_at: Some(in_minutes(minutes)), ..room("101", Some(1)) };
    let soon = told(expected(90), turnover("101"));
    assert_eq!((soon.due_min, soon.priority), (Some(90), Priority::Urgent));
    let waiting = told(expected(-10), turnover("101"));
    assert_eq!((waiting.due_min, waiting.priority), (Some(-10), Priority::Urgent), "the guest is at the desk");
    let today = told(expected(300), turnover("101"));
    assert_eq!((today.due_min, today.priority), (Some(300), Priority::High));
    let nobody = told(room("101", Some(1)), RoutingTask { priority: TaskPriority::Low, ..turnover("101") });
    assert_eq!((nobody.due_min, nobody.priority), (None, Priority::Low));
    let stays = RoutingTask { kind: TaskKind::MidStayClean, ..turnover("101") };
    assert_eq!(told(expected(90), stays).due_min, None, "the guest who stays does not arrive");
}

#[test]
fn a_room_is_ready_when_its_guest_has_left() {
    let occupied = || RoutingRoom { occupied: true, ..room("101", Some(1)) };
    assert_eq!(told(occupied(), turnover("101")).ready_min, 180, "noon, on the clock of the house");
    let scheduled = RoutingTask { scheduled_for: Some(in_minutes(45)), ..turnover("101") };
    assert_eq!(told(occupied(), scheduled.clone()).ready_min, 45);
    assert_eq!(told(room("101", Some(1)), scheduled.clone()).ready_min, 45);
    let put_off = held_by("GULALAI", Progress::Paused, 20, scheduled.clone());
    assert_eq!(told(occupied(), put_off).ready_min, 45, "the guest let nobody in, and said when");
    let at_it = held_by("GULALAI", Progress::InProgress, 20, scheduled);
    assert_eq!(told(occupied(), at_it).ready_min, 0);
    for kind in [TaskKind::MidStayClean, TaskKind::DeepClean] {
        let for_the_guest = RoutingTask { kind, ..turnover("101") };
        assert_eq!(told(occupied(), for_the_guest).ready_min, 0, "{}", kind.as_str());
    }
    let begun = held_by("GULALAI", Progress::InProgress, 5, turnover("101"));
    assert_eq!(told(occupied(), begun).ready_min, 0);
    let afternoon =
        RoutingInput { at: in_minutes(300), ..with(vec![occupied()], vec![turnover("101")], vec![person("GULALAI")]) };
    assert_eq!(instance(&afternoon).tasks[0].ready_min, 0, "past noon somebody has to go and ask");
}

#[test]
fn people_bring_their_shift_and_what_they_have_behind_them() {
    let gulalai = RoutingPerson {
        done_minutes: 70,
        languages: vec!["ps-AF".to_owned()],
        skills: vec!["deep_clean".to_owned()],
        ..person("GULALAI")
    };
    let later = RoutingPerson { shift_starts_at: in_minutes(30), ..person("NASRIN") };
    let at_it = held_by("GULALAI", Progress::InProgress, 20, turnover("203"));
    let rooms = vec![room("101", Some(1)), room("201", Some(2)), room("203", Some(2))];
    let found = instance(&with(rooms, vec![at_it], vec![gulalai, later]));
    let (gulalai, nasrin) = (&found.staff[0], &found.staff[1]);
    assert_eq!((gulalai.capacity_min, gulalai.load_min, gulalai.shift_end_min), (480, 90, 360));
    assert_eq!((gulalai.floor, gulalai.position), (2, 1), "where she is at work");
    assert_eq!(gulalai.languages, ["ps-AF"]);
    assert_eq!((nasrin.available_from_min, nasrin.floor, nasrin.position), (30, 1, 0), "at the entrance");
}

#[test]
fn special_work_goes_to_those_who_know_it_where_anybody_is_known_to() {
    let deep = RoutingTask { kind: TaskKind::DeepClean, ..turnover("101") };
    assert_eq!(told(room("101", Some(1)), deep.clone()).skill, None, "nobody is known to, so anybody may");
    let skilled = RoutingPerson { skills: vec!["deep_clean".to_owned()], ..person("NASRIN") };
    let input = with(vec![room("101", Some(1))], vec![deep], vec![person("GULALAI"), skilled]);
    assert_eq!(instance(&input).tasks[0].skill.as_deref(), Some("deep_clean"));
}

#[test]
fn whoever_leads_is_given_no_rooms_and_keeps_what_they_took_on() {
    let zarghuna = RoutingPerson { skills: vec!["supervision".to_owned()], ..person("ZARGHUNA") };
    let own = held_by("ZARGHUNA", Progress::Assigned, 0, turnover("101"));
    let rooms = vec![room("101", Some(1)), room("102", Some(1))];
    let found = instance(&with(rooms, vec![own, turnover("102")], vec![zarghuna, person("GULALAI")]));
    assert_eq!(found.staff.iter().map(|person| person.id.as_str()).collect::<Vec<_>>(), ["stf_GULALAI"]);
    assert_eq!(found.tasks.iter().map(|task| task.room.as_deref()).collect::<Vec<_>>(), [Some("102")]);
}

#[test]
fn whoever_has_other_duties_keeps_what_was_given_by_hand_and_who_oversees_cleans_where_nobody_else_does() {
    let clerk = RoutingPerson { job: Job::Other, ..person("FARID") };
    let karima = RoutingPerson { job: Job::Overseeing, ..person("KARIMA") };
    let by_hand = held_by("FARID", Progress::Assigned, 0, turnover("101"));
    let rooms = vec![room("101", Some(1)), room("102", Some(1))];
    for (at_work, cleans) in [(person("GULALAI"), "stf_GULALAI"), (karima.clone(), "stf_KARIMA")] {
        let people = vec![clerk.clone(), karima.clone(), at_work];
        let found = instance(&with(rooms.clone(), vec![by_hand.clone(), turnover("102")], people));
        assert!(found.staff.iter().all(|person| person.id == cleans), "{:?}", found.staff);
        assert_eq!(found.tasks.iter().map(|task| task.room.as_deref()).collect::<Vec<_>>(), [Some("102")]);
    }
    assert!(instance(&with(rooms, vec![by_hand], vec![clerk])).staff.is_empty());
}

#[test]
fn what_somebody_left_behind_is_planned_with_what_is_left_of_it_as_what_they_never_began_is() {
    let left = held_by("GONE", Progress::Paused, 10, turnover("101")).left_behind();
    let nearly_done = held_by("GONE", Progress::InProgress, 60, turnover("102")).left_behind();
    let waiting = held_by("GONE", Progress::Assigned, 0, turnover("103"));
    let rooms = ["101", "102", "103"].map(|number| room(number, Some(1))).to_vec();
    let found = instance(&with(rooms, vec![left, nearly_done, waiting], vec![person("GULALAI")]));
    assert_eq!(found.tasks.iter().map(|task| task.minutes).collect::<Vec<_>>(), [40, 5, 50]);
    assert!(found.tasks.iter().all(|task| !task.pinned && !task.in_progress));
    found.validate().unwrap();
}

#[test]
fn what_somebody_is_at_who_never_came_by_the_clock_stays_with_them() {
    let at_it = held_by("FORCED", Progress::InProgress, 10, turnover("101"));
    let found = instance(&with(vec![room("101", Some(1))], vec![at_it], vec![person("GULALAI")]));
    assert!(found.tasks.is_empty());
}

#[test]
fn work_in_a_room_that_is_out_of_order_is_set_aside() {
    let broken = RoutingRoom { status: RoomStatus::OutOfOrder, ..room("101", Some(1)) };
    let input =
        with(vec![broken, room("102", Some(1))], vec![turnover("101"), turnover("102")], vec![person("GULALAI")]);
    let mapped = instance_of(&input);
    assert_eq!(mapped.blocked.iter().map(|task| &task.room_id).collect::<Vec<_>>(), [&room_id("101")]);
    assert_eq!(mapped.instance.tasks.len(), 1);
}

#[test]
fn a_shift_is_its_people_their_work_and_the_work_that_nobody_has() {
    let evening = ShiftId::parse("shf_EVENING").unwrap();
    let other = RoutingPerson { shift_id: evening.clone(), ..person("NASRIN") };
    let tasks = vec![
        turnover("101"),
        held_by("GULALAI", Progress::Assigned, 0, turnover("102")),
        held_by("NASRIN", Progress::Assigned, 0, turnover("103")),
        held_by("GONE", Progress::Assigned, 0, turnover("104")),
    ];
    let rooms = ["101", "102", "103", "104"].map(|number| room(number, Some(1))).to_vec();
    let input = with(rooms, tasks, vec![person("GULALAI"), other]).of_shift(Some(&evening));
    assert_eq!(input.people.len(), 1);
    let numbers: Vec<_> = input.tasks.iter().map(|task| task.room_id.as_str()).collect();
    assert_eq!(numbers, ["rom_101", "rom_103", "rom_104"]);
}

#[test]
fn a_task_is_kept_from_whoever_failed_at_it_where_somebody_else_can_do_it() {
    let failed = RoutingTask { failed_by_staff_id: Some(staff("GULALAI")), ..turnover("101") };
    let kept_from = |task: &RoutingTask, people: Vec<RoutingPerson>| {
        instance(&with(vec![room("101", Some(1))], vec![task.clone()], people)).tasks[0].kept_from.clone()
    };
    let both = || vec![person("GULALAI"), person("NASRIN")];
    assert_eq!(kept_from(&failed, both()).as_deref(), Some("stf_GULALAI"));
    assert_eq!(kept_from(&failed, vec![person("GULALAI")]), None, "there is nobody else");
    let clerk = RoutingPerson { job: Job::Other, ..person("FARID") };
    assert_eq!(kept_from(&failed, vec![person("GULALAI"), clerk]), None, "the clerk is given none");
    assert_eq!(
        kept_from(&held_by("GULALAI", Progress::Assigned, 0, failed.clone()), both()),
        None,
        "given back by hand"
    );
    let deep = RoutingTask { kind: TaskKind::DeepClean, ..failed };
    let skilled = RoutingPerson { skills: vec!["deep_clean".to_owned()], ..person("GULALAI") };
    assert_eq!(kept_from(&deep, vec![skilled, person("NASRIN")]), None, "she alone knows how");
}
