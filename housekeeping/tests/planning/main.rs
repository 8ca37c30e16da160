//! From the house to a plan: what the planner is told of rooms, work and people, and that it always answers.

#![expect(clippy::unwrap_used, reason = "a test that meets what it does not expect ends right there")]

mod always_valid;
mod answering;
mod mapping;

use contracts::housekeeping::{RoomStatus, TaskKind, TaskPriority};
use contracts::ids::{PropertyId, RoomId, ShiftId, StaffId, TaskId, TenantId};
use contracts::time::Timestamp;
use housekeeping::application::routing_port::{Progress, RoutingInput, RoutingPerson, RoutingRoom, RoutingTask};
use housekeeping::domain::job::Job;
use ulid::Ulid;

/// Nine in the morning in Kabul.
pub(crate) fn nine() -> Timestamp {
    Timestamp::parse("2026-04-22T04:30:00Z").unwrap()
}

pub(crate) fn in_minutes(minutes: i64) -> Timestamp {
    nine().plus_seconds(minutes * 60)
}

pub(crate) fn house() -> RoutingInput {
    RoutingInput {
        tenant_id: TenantId::parse("tnt_CHINAR").unwrap(),
        property_id: PropertyId::parse("prp_CHINAR").unwrap(),
        shift_id: None,
        at: nine(),
        timezone: "Asia/Kabul".to_owned(),
        tasks: Vec::new(),
        people: Vec::new(),
        rooms: Vec::new(),
    }
}

pub(crate) fn room(number: &str, floor: Option<i32>) -> RoutingRoom {
    RoutingRoom {
        room_id: room_id(number),
        number: Some(number.to_owned()),
        floor,
        section: Some("east".to_owned()),
        status: RoomStatus::Dirty,
        occupied: false,
        next_arrival_at: None,
    }
}

pub(crate) fn room_id(number: &str) -> RoomId {
    RoomId::parse(&format!("rom_{number}")).unwrap()
}

pub(crate) fn staff(name: &str) -> StaffId {
    StaffId::parse(&format!("stf_{name}")).unwrap()
}

/// Seven to three, with nothing behind them.
pub(crate) fn person(name: &str) -> RoutingPerson {
    RoutingPerson {
        staff_id: staff(name),
        shift_id: ShiftId::parse("shf_DAY").unwrap(),
        shift_starts_at: in_minutes(-120),
        shift_ends_at: in_minutes(360),
        capacity_minutes: 480,
        done_minutes: 0,
        languages: Vec::new(),
        skills: Vec::new(),
        job: Job::Cleaning,
    }
}

/// A turnover that nobody has.
pub(crate) fn turnover(number: &str) -> RoutingTask {
    RoutingTask {
        task_id: TaskId::from_ulid(Ulid::from_parts(1, number.parse().unwrap())),
        room_id: room_id(number),
        kind: TaskKind::Turnover,
        priority: TaskPriority::Normal,
        progress: Progress::Pending,
        staff_id: None,
        estimated_minutes: 50,
        worked_minutes: 0,
        scheduled_for: None,
        failed_by_staff_id: None,
    }
}

pub(crate) fn held_by(name: &str, progress: Progress, worked_minutes: i64, task: RoutingTask) -> RoutingTask {
    RoutingTask { staff_id: Some(staff(name)), progress, worked_minutes, ..task }
}
