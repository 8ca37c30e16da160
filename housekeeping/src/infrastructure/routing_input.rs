//! What a plan has to look at, read in one round trip; and what an approval has to lock.

use std::collections::{HashMap, HashSet};

use contracts::ids::{PropertyId, RoomId, StaffId, TaskId};
use platform::database::Row;
use platform::database::{Columns, Read};
use platform::{UnitOfWork, columns, statements};

use super::{arrivals, board, rooms, tasks};
use crate::HousekeepingError;
use crate::application::routing_port::{RoutingInput, RoutingPerson, RoutingRoom, RoutingTask};
use crate::domain::task::Task;

/// No shift is longer: what was done before is not counted for fairness.
const LONGEST_SHIFT_SECONDS: i64 = 16 * 60 * 60;

statements! {
    DONE = "sql/routing_done.sql" (text, timestamptz) -> columns![staff_id: text, minutes: int8];
    FAILED = "sql/routing_failed.sql" (text) -> columns![id: text, staff_id: text];
    ON_DUTY = "sql/routing_on_duty.sql" (text) -> columns![staff_id: text];
}

/// The whole house, now.
pub async fn load(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    timezone: &str,
) -> Result<RoutingInput, HousekeepingError> {
    let (tenant_id, now) = (uow.context().tenant.clone(), uow.now());
    let since = now.plus_seconds(-LONGEST_SHIFT_SECONDS);
    let [rooms, tasks, staff, gone, expected, done, failed] = uow
        .read_together([
            Read { sql: &board::ROOMS, params: &[property] },
            Read { sql: &board::TASKS, params: &[property] },
            Read { sql: &board::STAFF, params: &[property] },
            Read { sql: &board::LEFT_BEHIND, params: &[property] },
            Read { sql: &arrivals::NEXT, params: &[property, &now] },
            Read { sql: &DONE, params: &[property, &since] },
            Read { sql: &FAILED, params: &[property] },
        ])
        .await?;
    let expected = arrivals::expected_of(&expected)?;
    let done: HashMap<StaffId, i64> = done
        .iter()
        .map(|row| Ok((row.read("staff_id")?, row.read("minutes")?)))
        .collect::<Result<_, HousekeepingError>>()?;
    let mut failed: HashMap<TaskId, StaffId> = failed
        .iter()
        .map(|row| Ok((row.read("id")?, row.read("staff_id")?)))
        .collect::<Result<_, HousekeepingError>>()?;
    let open = tasks.iter().map(tasks::task_of).collect::<Result<Vec<_>, _>>()?;
    let gone = board::left_behind_of(&gone)?;
    let mut routed = |task: &Task| {
        let routed = match gone.get(&task.id) {
            Some(left_at) => RoutingTask::of(task, *left_at)?.left_behind(),
            None => RoutingTask::of(task, now)?,
        };
        Some(RoutingTask { failed_by_staff_id: failed.remove(&task.id), ..routed })
    };
    let room_of = |row| {
        let room = board::room_of(row)?;
        Ok(RoutingRoom {
            next_arrival_at: expected.get(&room.room_id).copied(),
            room_id: room.room_id,
            number: room.number,
            floor: room.floor,
            section: room.section,
            status: room.status,
            occupied: room.occupied,
        })
    };
    Ok(RoutingInput {
        tenant_id,
        property_id: property.clone(),
        shift_id: None,
        at: now,
        timezone: timezone.to_owned(),
        tasks: open.iter().filter_map(&mut routed).collect(),
        people: people_of(&staff, &done)?,
        rooms: rooms.iter().map(room_of).collect::<Result<_, HousekeepingError>>()?,
    })
}

/// Somebody on two shifts at once is there once: until the later end.
fn people_of(rows: &[Row], done: &HashMap<StaffId, i64>) -> Result<Vec<RoutingPerson>, HousekeepingError> {
    let mut people: Vec<RoutingPerson> = Vec::with_capacity(rows.len());
    for row in rows {
        let person = board::person_of(row)?;
        let person = RoutingPerson {
            done_minutes: done.get(&person.staff_id).copied().unwrap_or(0),
            staff_id: person.staff_id,
            shift_id: person.shift_id,
            shift_starts_at: person.starts_at,
            shift_ends_at: person.ends_at,
            capacity_minutes: person.capacity_minutes,
            languages: person.languages,
            skills: person.skills,
            job: person.job,
        };
        match people.last_mut().filter(|last| last.staff_id == person.staff_id) {
            Some(last) if last.shift_ends_at < person.shift_ends_at => *last = person,
            Some(_) => {}
            None => people.push(person),
        }
    }
    Ok(people)
}

/// The open tasks in the rooms that a decision is about, locked, and who is on duty.
#[derive(Debug)]
pub struct Work {
    pub tasks: HashMap<TaskId, Task>,
    pub on_duty: HashSet<StaffId>,
}

/// Locks the rooms in the order of their ids, then what is open in them: as every writer does.
pub async fn lock_work(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    room_ids: &[RoomId],
) -> Result<Work, HousekeepingError> {
    let [_, open, on_duty] = uow
        .read_together([
            Read { sql: &rooms::LOCK, params: &[property, &room_ids] },
            Read { sql: &tasks::OPEN_IN_ROOMS, params: &[property, &room_ids] },
            Read { sql: &ON_DUTY, params: &[property] },
        ])
        .await?;
    let on_duty = on_duty.iter().map(|row| row.read("staff_id")).collect::<Result<_, _>>()?;
    let mut found = Work { tasks: HashMap::new(), on_duty };
    for row in &open {
        let task = tasks::task_of(row)?;
        found.tasks.insert(task.id.clone(), task);
    }
    Ok(found)
}
