//! What a plan has to look at, read in one round trip; and what an approval has to lock.

use std::collections::{HashMap, HashSet};

use contracts::ids::{PropertyId, RoomId, ShiftId, StaffId, TaskId};
use contracts::time::Timestamp;
use platform::database::Read;
use platform::{UnitOfWork, columns, statements};
use tokio_postgres::Row;

use super::{arrivals, board, rooms, tasks};
use crate::HousekeepingError;
use crate::application::routing_port::{RoutingInput, RoutingPerson, RoutingRoom, RoutingTask};
use crate::domain::task::Task;

/// No shift is longer: what was done before is not counted for fairness.
const LONGEST_SHIFT_SECONDS: i64 = 16 * 60 * 60;

statements! {
    DONE = "sql/routing_done.sql" (text, text, timestamptz) -> columns![staff_id: text, minutes: int8];
    ON_DUTY = "sql/routing_on_duty.sql" (text, text, _text) -> columns![staff_id: text];
}

/// The whole house, now.
pub async fn load(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    timezone: &str,
) -> Result<RoutingInput, HousekeepingError> {
    let (tenant_id, now) = (uow.context().tenant.clone(), uow.now());
    let (tenant, at, since) = (tenant_id.as_str(), now.jiff(), now.plus_seconds(-LONGEST_SHIFT_SECONDS).jiff());
    let house = property.as_str();
    let [rooms, tasks, staff, expected, done] = uow
        .read_together([
            Read { sql: &board::ROOMS, params: &[&tenant, &house] },
            Read { sql: &board::TASKS, params: &[&tenant, &house] },
            Read { sql: &board::STAFF, params: &[&tenant, &house] },
            Read { sql: &arrivals::NEXT, params: &[&tenant, &house, &at] },
            Read { sql: &DONE, params: &[&tenant, &house, &since] },
        ])
        .await?;
    let expected: HashMap<&str, jiff::Timestamp> =
        expected.iter().map(|row| (row.get("room_id"), row.get("expected_at"))).collect();
    let done: HashMap<&str, i64> = done.iter().map(|row| (row.get("staff_id"), row.get("minutes"))).collect();
    let open = tasks.iter().map(tasks::task_of).collect::<Result<Vec<_>, _>>()?;
    Ok(RoutingInput {
        tenant_id,
        property_id: property.clone(),
        shift_id: None,
        at: now,
        timezone: timezone.to_owned(),
        tasks: open.iter().filter_map(|task| RoutingTask::of(task, now)).collect(),
        people: people_of(&staff, &done)?,
        rooms: rooms.iter().map(|row| room_of(row, &expected)).collect::<Result<_, _>>()?,
    })
}

/// Somebody on two shifts at once is there once: until the later end.
fn people_of(rows: &[Row], done: &HashMap<&str, i64>) -> Result<Vec<RoutingPerson>, HousekeepingError> {
    let mut people: Vec<RoutingPerson> = Vec::with_capacity(rows.len());
    for row in rows {
        let id: &str = row.get("staff_id");
        let impossible = |_| HousekeepingError::ImpossibleRow(format!("a shift of {id}"));
        let words = |column: &str| row.get::<_, Option<Vec<String>>>(column).unwrap_or_default();
        let person = RoutingPerson {
            staff_id: StaffId::parse(id).map_err(impossible)?,
            shift_id: ShiftId::parse(row.get("shift_id")).map_err(impossible)?,
            shift_starts_at: Timestamp::from_jiff(row.get("shift_starts_at")),
            shift_ends_at: Timestamp::from_jiff(row.get("shift_ends_at")),
            capacity_minutes: row.get("capacity_minutes"),
            done_minutes: done.get(id).copied().unwrap_or(0),
            languages: words("languages"),
            skills: words("skills"),
        };
        match people.last_mut().filter(|last| last.staff_id == person.staff_id) {
            Some(last) if last.shift_ends_at < person.shift_ends_at => *last = person,
            Some(_) => {}
            None => people.push(person),
        }
    }
    Ok(people)
}

fn room_of(row: &Row, expected: &HashMap<&str, jiff::Timestamp>) -> Result<RoutingRoom, HousekeepingError> {
    let id: &str = row.get("room_id");
    Ok(RoutingRoom {
        room_id: RoomId::parse(id).map_err(|_| HousekeepingError::ImpossibleRow(id.to_owned()))?,
        number: row.get("number"),
        floor: row.get("floor"),
        section: row.get("section"),
        status: row.get("status"),
        occupied: row.get("occupied"),
        next_arrival_at: expected.get(id).copied().map(Timestamp::from_jiff),
    })
}

/// The open tasks in the rooms that a decision is about, locked, and who of the people is on duty.
#[derive(Debug)]
pub struct Work {
    pub tasks: HashMap<TaskId, Task>,
    pub on_duty: HashSet<String>,
}

/// Locks the rooms in the order of their ids, then what is open in them: as every writer does.
pub async fn lock_work(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    room_ids: &[&RoomId],
    staff_ids: &[&StaffId],
) -> Result<Work, HousekeepingError> {
    let tenant = uow.context().tenant.clone();
    let (tenant, house) = (tenant.as_str(), property.as_str());
    let doors: Vec<&str> = room_ids.iter().map(|id| id.as_str()).collect();
    let staff: Vec<&str> = staff_ids.iter().map(|id| id.as_str()).collect();
    let [_, open, on_duty] = uow
        .read_together([
            Read { sql: &rooms::LOCK, params: &[&tenant, &house, &doors] },
            Read { sql: &tasks::OPEN_IN_ROOMS, params: &[&tenant, &doors, &house] },
            Read { sql: &ON_DUTY, params: &[&tenant, &house, &staff] },
        ])
        .await?;
    let mut found = Work { tasks: HashMap::new(), on_duty: on_duty.iter().map(|row| row.get("staff_id")).collect() };
    for row in &open {
        let task = tasks::task_of(row)?;
        found.tasks.insert(task.id.clone(), task);
    }
    Ok(found)
}
