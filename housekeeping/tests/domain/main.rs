//! The two state machines of housekeeping, walked whole and at random: pure, without a database.

#![expect(clippy::unwrap_used, reason = "a test that meets what it does not expect ends right there")]

mod random_walks;
mod room_statuses;
mod suggestions;
mod task_states;

use contracts::actor::Actor;
use contracts::housekeeping::{FailReason, PauseReason, TaskKind, TaskPriority, TaskSource};
use contracts::ids::{ChecklistId, PropertyId, RoomId, StaffId, TaskId};
use contracts::time::Timestamp;
use housekeeping::domain::checklist::{Checklist, ChecklistReference, default_items};
use housekeeping::domain::task::{CleaningReport, Task, TaskOrder, TaskState};
use ulid::Ulid;

pub(crate) fn now() -> Timestamp {
    Timestamp::from_millis(1_776_839_400_000)
}

pub(crate) fn gulalai() -> StaffId {
    StaffId::parse("stf_GULALAI").unwrap()
}

pub(crate) fn nasrin() -> StaffId {
    StaffId::parse("stf_NASRIN").unwrap()
}

pub(crate) fn checklist() -> Checklist {
    let id = ChecklistId::from_ulid(Ulid::from_parts(1, 1));
    Checklist {
        id,
        kind: TaskKind::Turnover,
        version: 1,
        items: default_items(TaskKind::Turnover),
        published_at: Timestamp::from_millis(0),
        published_by: Actor::system("sys_defaults"),
    }
}

/// A turnover in some state, assigned to Gulalai where it is assigned.
pub(crate) fn task(state: TaskState) -> Task {
    let order = TaskOrder {
        property_id: PropertyId::parse("prp_CHINAR").unwrap(),
        room_id: RoomId::parse("rom_101").unwrap(),
        reservation_id: None,
        item_id: None,
        kind: TaskKind::Turnover,
        priority: TaskPriority::Normal,
        scheduled_for: None,
        checklist: ChecklistReference { id: checklist().id, version: 1 },
        estimated_minutes: 50,
        locale_hint: "ps-AF".to_owned(),
        source: TaskSource::Manual,
        source_event_id: None,
        retry_of: None,
        note: None,
    };
    let id = TaskId::from_ulid(Ulid::from_parts(now().as_millis().unsigned_abs(), 7));
    let opened = Task::open(id, order, now()).state().clone();
    Task { state, ..opened }
}

/// Every state a task can be in.
pub(crate) fn states() -> Vec<TaskState> {
    let (by, since) = (gulalai(), now());
    let report = CleaningReport { checklist_results: vec![], linen: None, no_maintenance_found: true, minutes: 30 };
    vec![
        TaskState::Pending,
        TaskState::Assigned { to: by.clone() },
        TaskState::InProgress { by: by.clone(), since },
        TaskState::Paused { by: by.clone(), since, paused_at: since, reason: PauseReason::Break },
        TaskState::Completed { by: by.clone(), since, at: since, report },
        TaskState::Failed { by: Some(by.clone()), since: Some(since), reason: FailReason::Other, note: None },
        TaskState::Cancelled { assignee: Some(by.clone()), reason: "no".to_owned() },
        TaskState::RequiresMaintenance { by: Some(by) },
    ]
}
