//! From the house to the planner's instance: pure, and always within the planner's bounds.

use std::collections::{HashMap, HashSet};

use contracts::housekeeping::{RoomStatus, TaskKind, TaskPriority};
use contracts::ids::StaffId;
use contracts::time::Timestamp;
use planner::instance::{Person, Priority, Task};
use planner::{Instance, MOST_PEOPLE, MOST_TASKS, Weights};

use super::house::{House, WALK};
use crate::application::routing_port::{Progress, RoutingInput, RoutingPerson, RoutingRoom, RoutingTask};

/// A week, the farthest that the planner looks.
const FARTHEST_MIN: i64 = 10_080;
const LONGEST_TASK_MIN: i64 = 1_440;
/// What is left of work that takes longer than expected.
const LAST_MINUTES: i64 = 5;
/// When guests who have not left are expected to leave, on the clock of the house.
const CHECK_OUT_HOUR: i8 = 12;

/// The instance, and what does not belong into it.
#[derive(Debug)]
pub struct Mapped<'i> {
    pub instance: Instance,
    /// Work in rooms that are out of order: it waits.
    pub blocked: Vec<&'i RoutingTask>,
}

/// The house as the planner takes it: whatever is stored, the instance is within the planner's bounds.
pub fn instance_of(input: &RoutingInput) -> Mapped<'_> {
    let house = House::of(&input.rooms);
    let rooms: HashMap<&str, &RoutingRoom> = input.rooms.iter().map(|room| (room.room_id.as_str(), room)).collect();
    let given_rooms = input.given_rooms();
    let workers = &given_rooms[..given_rooms.len().min(MOST_PEOPLE)];
    let ids = |people: &[&'_ RoutingPerson]| -> HashSet<StaffId> {
        people.iter().map(|person| person.staff_id.clone()).collect()
    };
    let (planned, cleaning) = (ids(workers), ids(&given_rooms));
    let has_other_duties =
        |id: &StaffId| !cleaning.contains(id) && input.people.iter().any(|person| person.staff_id == *id);
    let is_blocked = |task: &RoutingTask| {
        let room = rooms.get(task.room_id.as_str());
        !task.is_begun()
            && room.is_some_and(|room| matches!(room.status, RoomStatus::OutOfOrder | RoomStatus::OutOfService))
    };
    // What somebody has begun who is not planned for stays with them, and so does what was given by hand to whoever has other duties.
    let stays_out = |task: &RoutingTask| {
        let holder = task.staff_id.as_ref();
        holder.is_some_and(|id| (task.is_begun() && !planned.contains(id)) || has_other_duties(id))
    };
    let (blocked, open): (Vec<_>, Vec<_>) = input.tasks.iter().partition(|task| is_blocked(task));
    let open: Vec<&RoutingTask> = open.into_iter().filter(|task| !stays_out(task)).take(MOST_TASKS).collect();
    let skills = Skills::of(workers);
    let check_out = check_out_at(input);
    let context = Context { input, house: &house, rooms: &rooms, skills: &skills, workers, check_out };
    let instance = Instance {
        name: String::new(),
        walk: WALK,
        sqft_cap: None,
        weights: Weights::default(),
        staff: workers.iter().map(|person| context.person(person, &open)).collect(),
        tasks: open.iter().map(|task| context.task(task)).collect(),
    };
    Mapped { instance, blocked }
}

/// What people on shift are known to know.
struct Skills<'i>(HashSet<&'i str>);

impl<'i> Skills<'i> {
    fn of(people: &[&'i RoutingPerson]) -> Self {
        Self(people.iter().flat_map(|person| &person.skills).map(String::as_str).collect())
    }

    /// Special work goes to those who are known to know it. Where nobody is, it goes to anybody: that a hotel keeps no
    /// list of skills must not leave its rooms dirty.
    fn asked_for(&self, kind: TaskKind) -> Option<String> {
        let special = matches!(kind, TaskKind::DeepClean | TaskKind::PostRenovation | TaskKind::Inspection);
        (special && self.0.contains(kind.as_str())).then(|| kind.as_str().to_owned())
    }
}

struct Context<'c, 'i> {
    input: &'i RoutingInput,
    house: &'c House<'i>,
    rooms: &'c HashMap<&'i str, &'i RoutingRoom>,
    skills: &'c Skills<'i>,
    workers: &'c [&'i RoutingPerson],
    check_out: Option<Timestamp>,
}

impl Context<'_, '_> {
    fn person(&self, person: &RoutingPerson, open: &[&RoutingTask]) -> Person {
        let own = || open.iter().filter(|task| task.staff_id.as_ref() == Some(&person.staff_id));
        let at_work = own().find(|task| task.progress == Progress::InProgress);
        let place = at_work.map_or_else(|| self.house.entrance(), |task| self.house.place(task.room_id.as_str()));
        let begun: i64 = own().map(|task| task.worked_minutes.clamp(0, LONGEST_TASK_MIN)).sum();
        Person {
            id: person.staff_id.as_str().to_owned(),
            capacity_min: i64::from(person.capacity_minutes).clamp(0, FARTHEST_MIN),
            load_min: person.done_minutes.saturating_add(begun).clamp(0, FARTHEST_MIN),
            available_from_min: self.minutes_until(person.shift_starts_at).max(0),
            shift_end_min: self.minutes_until(person.shift_ends_at),
            floor: place.floor,
            position: place.position,
            skills: person.skills.clone(),
            languages: person.languages.clone(),
            load_sqft: 0,
        }
    }

    fn task(&self, task: &RoutingTask) -> Task {
        let due_min = self.rooms.get(task.room_id.as_str()).and_then(|room| self.due(task, room));
        let place = self.house.place(task.room_id.as_str());
        let room = self.rooms.get(task.room_id.as_str());
        let skill = self.skills.asked_for(task.kind);
        Task {
            id: task.task_id.as_str().to_owned(),
            kind: task.kind.as_str().to_owned(),
            room: room.and_then(|room| room.number.clone()),
            minutes: remaining(task),
            priority: priority_of(task.priority, due_min),
            ready_min: self.ready(task, room.is_some_and(|room| room.occupied)),
            due_min,
            floor: place.floor,
            section: place.section,
            position: place.position,
            kept_from: self.kept_from(task, skill.as_deref()),
            skill,
            language: None,
            current_staff_id: task.staff_id.as_ref().map(|staff| staff.as_str().to_owned()),
            // A pause keeps the room for whoever began it, though not as the next thing they do.
            pinned: task.progress == Progress::Paused,
            in_progress: task.progress == Progress::InProgress,
            sqft: 0,
        }
    }

    /// Whoever failed to do it before, where somebody else can.
    fn kept_from(&self, task: &RoutingTask, skill: Option<&str>) -> Option<String> {
        let who = task.failed_by_staff_id.as_ref().filter(|who| self.input.is_kept_from(task, who))?;
        let can = |person: &&RoutingPerson| skill.is_none_or(|skill| person.skills.iter().any(|known| known == skill));
        let another = self.workers.iter().copied().filter(can).any(|person| person.staff_id != *who);
        another.then(|| who.as_str().to_owned())
    }

    /// When work in the room can begin, or go on where the guest let nobody in: as scheduled; a turnover without a time, once the guest has left.
    fn ready(&self, task: &RoutingTask, occupied: bool) -> i64 {
        let scheduled_for = task.scheduled_for.filter(|_| task.progress != Progress::InProgress);
        let left = self.check_out.filter(|_| occupied && task.kind == TaskKind::Turnover && !task.is_begun());
        scheduled_for.or(left).map_or(0, |at| self.minutes_until(at).max(0))
    }

    /// The next guest's arrival; work for the guest who stays is due at no time in particular.
    fn due(&self, task: &RoutingTask, room: &RoutingRoom) -> Option<i64> {
        let arrival = room.next_arrival_at.filter(|_| task.kind != TaskKind::MidStayClean)?;
        Some(self.minutes_until(arrival))
    }

    fn minutes_until(&self, at: Timestamp) -> i64 {
        at.minutes_since(self.input.at).clamp(-FARTHEST_MIN, FARTHEST_MIN)
    }
}

/// The estimate, or what remains of it; somebody who is late with a room will still be some minutes.
fn remaining(task: &RoutingTask) -> i64 {
    let estimate = i64::from(task.estimated_minutes).clamp(0, LONGEST_TASK_MIN);
    if task.is_begun() || task.worked_minutes > 0 {
        estimate.saturating_sub(task.worked_minutes).clamp(LAST_MINUTES, LONGEST_TASK_MIN)
    } else {
        estimate
    }
}

/// What the supervisor says, or the guest who comes: within two hours the room is urgent, within the day it is high. Where
/// not everything can be done, it is never the room of a guest at the desk that is left.
fn priority_of(said: TaskPriority, due_min: Option<i64>) -> Priority {
    match (said, due_min) {
        (TaskPriority::Urgent, _) | (_, Some(..=120)) => Priority::Urgent,
        (TaskPriority::High, _) | (_, Some(121..=720)) => Priority::High,
        (TaskPriority::Normal, _) => Priority::Normal,
        (TaskPriority::Low, _) => Priority::Low,
    }
}

/// Noon of the day on the clock of the house.
fn check_out_at(input: &RoutingInput) -> Option<Timestamp> {
    let here = input.at.jiff().in_tz(&input.timezone).ok()?;
    let noon = here.date().at(CHECK_OUT_HOUR, 0, 0, 0).in_tz(&input.timezone).ok()?;
    Some(Timestamp::from_jiff(noon.timestamp()))
}
