//! Every state of a task against every command: what the table does not allow is refused.

use contracts::actor::Actor;
use contracts::housekeeping::{
    ChecklistResult, EscalationRole, EscalationTarget, FailReason, IssueSeverity, MaintenanceIssue, PauseReason,
    PriorityChangeReason, TaskPriority,
};
use contracts::ids::StaffId;
use housekeeping::domain::task::{AttemptReason, Task, TaskError, TaskStatus};
use housekeeping::domain::task_state::allows;
use platform::Decided;

use crate::{checklist, gulalai, nasrin, now, states, task};

/// Where each command leads, by the state it is given in. A state that is missing refuses it.
const TABLE: &[(&str, &[(&str, &str)])] = &[
    (
        "assign",
        &[("pending", "assigned"), ("assigned", "assigned"), ("in_progress", "assigned"), ("paused", "assigned")],
    ),
    ("start", &[("assigned", "in_progress")]),
    ("pause", &[("in_progress", "paused")]),
    ("resume", &[("paused", "in_progress")]),
    ("complete", &[("in_progress", "completed")]),
    ("fail", &[("assigned", "failed"), ("in_progress", "failed"), ("paused", "failed")]),
    (
        "require_maintenance",
        &[
            ("assigned", "requires_maintenance"),
            ("in_progress", "requires_maintenance"),
            ("paused", "requires_maintenance"),
        ],
    ),
    ("attempt", &[("assigned", "assigned"), ("in_progress", "paused"), ("paused", "paused")]),
    (
        "escalate",
        &[("pending", "pending"), ("assigned", "assigned"), ("in_progress", "in_progress"), ("paused", "paused")],
    ),
    ("cancel", &[("pending", "cancelled"), ("assigned", "cancelled"), ("paused", "cancelled")]),
    (
        "change_priority",
        &[("pending", "pending"), ("assigned", "assigned"), ("in_progress", "in_progress"), ("paused", "paused")],
    ),
];

pub(crate) fn all_checked() -> Vec<ChecklistResult> {
    let checked =
        |key: &String| ChecklistResult { item_key: key.clone(), checked: true, note: None, photo_media_id: None };
    checklist().items.iter().map(|item| checked(&item.key)).collect()
}

pub(crate) fn obey(task: Task, command: &str, who: &StaffId) -> Result<Decided<Task>, TaskError> {
    let boss = Actor::user("stf_SUPERVISOR");
    match command {
        "assign" => {
            let to = if task.state.assignee() == Some(&nasrin()) { gulalai() } else { nasrin() };
            task.assign(to, None, now()).map(Option::unwrap)
        }
        "start" => task.start(who, now()),
        "pause" => task.pause(who, PauseReason::Break, None, now()),
        "resume" => task.resume(who, now()),
        "complete" => task.complete(who, &checklist(), all_checked(), None, true, now()),
        "fail" => task.fail(who, FailReason::Other, None, now()),
        "require_maintenance" => {
            let (category, description) = ("plumbing".to_owned(), "the tap leaks".to_owned());
            let severity = IssueSeverity::Blocking;
            task.require_maintenance(
                who,
                MaintenanceIssue { category, severity, description, photo_media_ids: None },
                now(),
            )
        }
        "attempt" => task.attempt(who, AttemptReason::Declined, now().plus_seconds(60), now()),
        "escalate" => {
            let to = EscalationTarget { staff_id: None, role: Some(EscalationRole::Supervisor) };
            task.escalate(to, "late".to_owned(), &boss, now())
        }
        "cancel" => task.cancel("no guest".to_owned(), &boss, now()),
        "change_priority" => task
            .change_priority(TaskPriority::Urgent, PriorityChangeReason::Manual, &boss, now())
            .map(|changed| changed.expect("another priority")),
        other => panic!("{other} is no command"),
    }
}

#[test]
fn a_task_does_what_the_table_allows_and_refuses_everything_else() {
    for state in states() {
        for (command, allowed) in TABLE {
            let before = task(state.clone());
            let outcome = obey(before.clone(), command, &gulalai());
            if let Some((_, to)) = allowed.iter().find(|(from, _)| *from == state.status().as_str()) {
                let decided = outcome.unwrap_or_else(|error| panic!("{} {command}: {error}", state.status().as_str()));
                assert_eq!(decided.state().state.status().as_str(), *to, "{} {command}", state.status().as_str());
                // Work that had begun pauses for the guest, and that is told on its own.
                let events = if (*command, *to, state.status()) == ("attempt", "paused", TaskStatus::InProgress) {
                    2
                } else {
                    1
                };
                assert_eq!(decided.state().version, before.version + events);
                assert_eq!(i32::try_from(decided.events().len()).unwrap(), events);
            } else {
                let refused =
                    matches!(outcome, Err(TaskError::IllegalTransition { from, .. }) if from == state.status());
                assert!(refused, "{} {command}", state.status().as_str());
            }
        }
    }
}

/// The table of the code is what the commands do, no more and no less.
#[test]
fn what_the_commands_lead_to_is_what_the_table_says() {
    for from in TaskStatus::ALL {
        for to in TaskStatus::ALL {
            let moves = ["assign", "start", "pause", "resume", "complete", "fail", "require_maintenance", "cancel"];
            let led = TABLE.iter().filter(|(command, _)| moves.contains(command));
            let led = led.flat_map(|(_, steps)| steps.iter()).any(|step| *step == (from.as_str(), to.as_str()));
            assert_eq!(allows(*from, *to), led, "{from} -> {to}");
        }
    }
}

#[test]
fn whoever_helps_does_the_work_as_well_and_the_minutes_are_shared() {
    for state in states() {
        let alone = task(state.clone());
        let minutes = alone.estimated_minutes;
        match alone.clone().join(&nasrin(), now()) {
            Ok(joined) => {
                let both = joined.expect("she was not on it").state().clone();
                assert!(both.is_done_by(&nasrin()) && both.is_done_by(&gulalai()));
                assert_eq!(both.minutes_each(), (minutes + 1) / 2);
                assert!(both.clone().join(&nasrin(), now()).unwrap().is_none(), "once is enough");
                for (command, allowed) in TABLE.iter().filter(|(command, _)| *command != "assign") {
                    let legal = allowed.iter().any(|(from, _)| *from == state.status().as_str());
                    assert_eq!(obey(both.clone(), command, &nasrin()).is_ok(), legal, "{} {command}", state.status());
                }
                let again = both.leave(&nasrin(), now()).unwrap().expect("she was on it").state().clone();
                assert_eq!((again.helpers.len(), again.minutes_each()), (0, minutes));
            }
            Err(TaskError::IllegalTransition { from, .. }) => {
                let waits = matches!(from, TaskStatus::Pending) || !alone.is_open();
                assert!(waits, "{from} is somebody's");
            }
            Err(other) => panic!("{other}"),
        }
    }
}

#[test]
fn nobody_else_does_the_assignees_work() {
    for state in states() {
        for (command, allowed) in TABLE.iter().filter(|(command, _)| {
            ["start", "pause", "resume", "complete", "fail", "require_maintenance", "attempt"].contains(command)
        }) {
            let outcome = obey(task(state.clone()), command, &nasrin());
            let legal = allowed.iter().any(|(from, _)| *from == state.status().as_str());
            match outcome {
                Err(TaskError::NotTheAssignee { .. }) => assert!(legal, "{} {command}", state.status().as_str()),
                Err(TaskError::IllegalTransition { .. }) => assert!(!legal, "{} {command}", state.status().as_str()),
                other => panic!("{} {command}: {other:?}", state.status().as_str()),
            }
        }
    }
}

#[test]
fn a_required_item_that_is_not_checked_is_named() {
    let running = states().remove(2);
    let results: Vec<_> = all_checked().into_iter().filter(|result| result.item_key != "towels").collect();
    let outcome = task(running.clone()).complete(&gulalai(), &checklist(), results, None, true, now());
    assert_eq!(outcome.unwrap_err(), TaskError::ChecklistIncomplete { missing: vec!["towels".to_owned()] });

    let results: Vec<_> = all_checked().into_iter().filter(|result| result.item_key != "minibar").collect();
    assert!(task(running).complete(&gulalai(), &checklist(), results, None, true, now()).is_ok(), "not required");
}

#[test]
fn the_same_priority_again_is_no_change_and_a_lower_one_is_no_bump() {
    let boss = Actor::user("stf_SUPERVISOR");
    let change = |to| {
        task(states().remove(0))
            .change_priority(to, PriorityChangeReason::Manual, &boss, now().plus_seconds(5))
            .unwrap()
    };
    assert!(change(TaskPriority::Normal).is_none());
    assert_eq!(change(TaskPriority::Low).unwrap().state().priority_bumped_at, None);
    assert_eq!(change(TaskPriority::High).unwrap().state().priority_bumped_at, Some(now().plus_seconds(5)));
}

#[test]
fn breaks_are_not_work() {
    let minute = |minutes: i64| now().plus_seconds(60 * minutes);
    let assigned = task(states().remove(1));
    let started = assigned.start(&gulalai(), minute(0)).unwrap().state().clone();
    let paused = started.pause(&gulalai(), PauseReason::Break, None, minute(10)).unwrap().state().clone();
    let resumed = paused.resume(&gulalai(), minute(25)).unwrap().state().clone();
    let done = resumed.complete(&gulalai(), &checklist(), all_checked(), None, true, minute(40)).unwrap();
    match &done.state().state {
        housekeeping::domain::task::TaskState::Completed { report, .. } => assert_eq!(report.minutes, 25),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_clock_that_goes_backwards_makes_no_negative_work() {
    let running = task(states().remove(2));
    let done = running.complete(&gulalai(), &checklist(), all_checked(), None, true, now().plus_seconds(-600)).unwrap();
    match &done.state().state {
        housekeeping::domain::task::TaskState::Completed { report, .. } => assert_eq!(report.minutes, 0),
        other => panic!("{other:?}"),
    }
}

#[test]
fn whoever_has_a_task_keeps_it_as_it_is_when_it_is_given_to_them_again() {
    for state in states().into_iter().filter(|state| state.assignee() == Some(&gulalai())) {
        let given = task(state.clone()).assign(gulalai(), None, now());
        match state.status().as_str() {
            "assigned" | "in_progress" | "paused" => assert!(given.unwrap().is_none(), "{}", state.status()),
            _ => assert!(given.is_err(), "{}", state.status()),
        }
    }
}
