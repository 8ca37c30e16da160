//! Files that show, at a glance and in a diff, who may do what and how we say no.
//!
//! `UPDATE_GOLDEN=1 cargo test -p melmastoon --test hotel golden` writes them anew.

use std::collections::HashSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use axum::http::{Method, StatusCode};
use housekeeping::HousekeepingError;
use housekeeping::domain::block::BlockCleared;
use housekeeping::domain::discrepancy::{AlreadyResolved, Resolution};
use housekeeping::domain::linen::LinenError;
use housekeeping::domain::lost_item::{LostItemError, LostItemStatus};
use housekeeping::domain::room::RoomError;
use housekeeping::domain::suggestion::{SuggestionError, SuggestionStatus};
use housekeeping::domain::task::{TaskError, TaskStatus};
use platform::auth::{Role, TokenError};
use platform::database::{ImpossibleRow, Interruption};
use platform::http::Problem;
use platform::{Fault, Refusal};

use crate::test_hotel::{Ask, TestHotel};

#[expect(clippy::disallowed_methods, reason = "the one switch of a test run, which has no configuration")]
pub(crate) fn is_updating() -> bool {
    std::env::var_os("UPDATE_GOLDEN").is_some()
}

fn compare(name: &str, found: &str) {
    compare_at(&PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name), found);
}

/// Fails where the file says something else; writes it where that is wanted.
pub(crate) fn compare_at(file: &Path, found: &str) {
    if is_updating() {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, found).unwrap();
        return;
    }
    let expected = std::fs::read_to_string(file).unwrap_or_default();
    if found == expected {
        return;
    }
    // The document has tens of thousands of lines: looked up, not searched.
    let (before, now): (HashSet<_>, HashSet<_>) = (expected.lines().collect(), found.lines().collect());
    for line in found.lines().filter(|line| !before.contains(line)) {
        println!("+ {line}");
    }
    for line in expected.lines().filter(|line| !now.contains(line)) {
        println!("- {line}");
    }
    assert!(
        found == expected,
        "{} differs (see above); if it is meant: UPDATE_GOLDEN=1 cargo test -p melmastoon --test hotel",
        file.display()
    );
}

/// What really happens: a role is allowed when it gets past the gate, whatever it finds behind.
async fn allowed(hotel: &TestHotel, method: &Method, path: &str) -> Vec<&'static str> {
    let mut allowed = Vec::new();
    for role in Role::ALL {
        let ask = Ask::new(method.clone(), path).by(&hotel.token(role, None)).key(role.as_str());
        let answer = hotel.ask(if *method == Method::GET { ask } else { ask.bytes("{}") }).await;
        assert!(answer.status < 500, "{method} {path} as {}: {}", role.as_str(), answer.text);
        // Whoever is let in and is nobody of the staff has nothing of their own there.
        if !matches!(answer.status, 401 | 403) || answer.code().ends_with(".NOT_STAFF") {
            allowed.push(role.as_str());
        }
    }
    allowed
}

#[tokio::test]
async fn every_route_lets_in_the_roles_of_the_golden_file_and_nobody_else() {
    let hotel = TestHotel::open().await;
    let mut found = "# Who may use which route, found by calling every one with a token of every role.\n\
                     # Made by: UPDATE_GOLDEN=1 cargo test -p melmastoon --test hotel golden\n"
        .to_owned();
    let open = |path: &str| hotel.app.routes.iter().any(|route| route.path == path && route.roles.is_empty());
    let mut routes: Vec<_> = hotel.app.routes.iter().map(|route| (route.method.clone(), route.path.clone())).collect();
    routes.push((Method::POST, "/internal/events/{subject}".to_owned()));
    for (method, path) in routes {
        let real = path
            .replace("{id}", "hkt_01KPSY36J085MVSP242K03MADZ")
            .replace("{assignmentId}", "sha_01KPSY36J085MVSP242K03MADZ")
            .replace("{staffId}", "stf_01KPSY36J085MVSP242K03MADZ")
            .replace("{lineId}", "lin_01KPSY36J085MVSP242K03MADZ")
            .replace("{roomId}", "rom_01KPSY36J085MVSP242K03MADZ")
            .replace("{roomTypeId}", "rmt_01KPSY36J085MVSP242K03MADZ")
            .replace("{guestId}", "gst_01KPSY36J085MVSP242K03MADZ")
            .replace("{alertId}", "alr_01KPSY36J085MVSP242K03MADZ")
            .replace("{blockId}", "blk_01KPSY36J085MVSP242K03MADZ")
            .replace("{inspectionId}", "ins_01KPSY36J085MVSP242K03MADZ")
            .replace("{subject}", "melmastoon.reservation.checked_out.v1");
        assert!(!real.contains('{'), "{path}: say what to put in its place");
        let ask = Ask::new(method.clone(), &real);
        if open(&path) {
            // Without a token, and yet not without saying what it takes.
            assert_eq!(hotel.ask(ask).await.status, 400, "{path}");
            writeln!(found, "{:<5} {path:<40} open to everybody", method.as_str()).unwrap();
            continue;
        }
        hotel.ask(ask).await.refused(401, "MELMASTOON.PLATFORM.UNAUTHENTICATED");
        let roles = allowed(&hotel, &method, &real).await.join(" ");
        writeln!(found, "{:<5} {path:<40} {roles}", method.as_str()).unwrap();
    }
    compare("roles.txt", &found);
}

#[tokio::test]
async fn what_is_open_to_all_tells_nothing_of_tenants() {
    let hotel = TestHotel::open().await;
    hotel.deliver(&hotel.checked_out(&hotel.ready_room("101").await)).await;
    for path in ["/healthz", "/readyz", "/metrics", "/openapi.json", "/asyncapi.json", "/docs"] {
        let answer = hotel.ask(Ask::get(path)).await;
        assert_eq!(answer.status, 200, "{path}");
        assert!(!answer.text.contains(&hotel.tenant.as_str()[4..]), "{path}: {}", answer.text);
    }
    hotel.app.begin_draining();
    let draining = hotel.ask(Ask::get("/readyz")).await;
    draining.refused(503, "MELMASTOON.PLATFORM.NOT_READY");
    assert!(draining.header("retry-after").is_some());
    assert_eq!(hotel.ask(Ask::get("/healthz")).await.status, 200);
}

#[tokio::test]
async fn the_events_are_described_as_they_stand_in_the_repository() {
    let hotel = TestHotel::open().await;
    let served = hotel.ask(Ask::get("/asyncapi.json")).await;
    assert_eq!(served.header("content-type"), Some("application/json"));
    let committed = include_str!("../../../contracts/asyncapi.json");
    assert_eq!(served.done(), serde_json::from_str::<serde_json::Value>(committed).unwrap());
}

/// One of each. The match fails to compile when one is missing.
fn every_refusal() -> Vec<(&'static str, HousekeepingError)> {
    use HousekeepingError::General;
    use contracts::housekeeping::{RoomStatus, RoomStatusCause};
    let task_id = || contracts::ids::TaskId::parse("hkt_1").unwrap();
    let all = vec![
        General(Refusal::NotFound("task")),
        HousekeepingError::Task(TaskError::IllegalTransition { from: TaskStatus::Completed, action: "start" }),
        HousekeepingError::Task(TaskError::NotTheAssignee { action: "start" }),
        TaskError::TooManyPeople.into(),
        HousekeepingError::Task(TaskError::ChecklistIncomplete { missing: vec!["towels".to_owned()] }),
        HousekeepingError::Room(RoomError {
            from: RoomStatus::OutOfOrder,
            to: RoomStatus::Cleaning,
            cause: RoomStatusCause::TaskStarted,
        }),
        HousekeepingError::Suggestion(SuggestionError::Decided { status: SuggestionStatus::Superseded }),
        HousekeepingError::Suggestion(SuggestionError::RowDecided { task_id: task_id(), outcome: "applied" }),
        HousekeepingError::Suggestion(SuggestionError::UnknownRow { task_id: task_id() }),
        HousekeepingError::StaffNotOnShift { staff_id: contracts::ids::StaffId::parse("stf_1").unwrap() },
        HousekeepingError::Linen(LinenError::OutOfStock { line: "towels".to_owned(), on_hand: 4, missing: 2 }),
        HousekeepingError::Linen(LinenError::TooMany),
        HousekeepingError::Linen(LinenError::Exists { line: "towels".to_owned() }),
        HousekeepingError::LostItem(LostItemError { from: LostItemStatus::Disposed, action: "be matched" }),
        General(Refusal::StaleVersion { current: 4 }),
        HousekeepingError::NothingToInspect,
        HousekeepingError::OnlyUpwards,
        HousekeepingError::BlockCleared(BlockCleared),
        HousekeepingError::BlockOwnedElsewhere,
        HousekeepingError::AlreadyResolved(AlreadyResolved { was: Resolution::DeskRight }),
        General(Refusal::ForeignProperty),
        General(Refusal::NotStaff),
        General(Refusal::invalid("note", "at most 2000 characters")),
        General(Refusal::ImpossibleRow(ImpossibleRow("hkt_1: no end".to_owned()))),
        General(Refusal::Fault(Fault::Conflict)),
    ];
    let name = |error: &HousekeepingError| match error {
        General(Refusal::NotFound(_)) => "NotFound",
        HousekeepingError::Task(TaskError::IllegalTransition { .. }) => "Task::IllegalTransition",
        HousekeepingError::Task(TaskError::NotTheAssignee { .. }) => "Task::NotTheAssignee",
        HousekeepingError::Task(TaskError::TooManyPeople) => "Task::TooManyPeople",
        HousekeepingError::Task(TaskError::ChecklistIncomplete { .. }) => "Task::ChecklistIncomplete",
        HousekeepingError::Room(_) => "Room",
        HousekeepingError::Suggestion(SuggestionError::Decided { .. }) => "Suggestion::Decided",
        HousekeepingError::Suggestion(SuggestionError::RowDecided { .. }) => "Suggestion::RowDecided",
        HousekeepingError::Suggestion(SuggestionError::UnknownRow { .. }) => "Suggestion::UnknownRow",
        HousekeepingError::StaffNotOnShift { .. } => "StaffNotOnShift",
        HousekeepingError::Linen(LinenError::OutOfStock { .. }) => "Linen::OutOfStock",
        HousekeepingError::Linen(LinenError::TooMany) => "Linen::TooMany",
        HousekeepingError::Linen(LinenError::Exists { .. }) => "Linen::Exists",
        HousekeepingError::LostItem(_) => "LostItem",
        General(Refusal::StaleVersion { .. }) => "StaleVersion",
        HousekeepingError::NothingToInspect => "NothingToInspect",
        HousekeepingError::OnlyUpwards => "OnlyUpwards",
        HousekeepingError::BlockCleared(_) => "BlockCleared",
        HousekeepingError::BlockOwnedElsewhere => "BlockOwnedElsewhere",
        HousekeepingError::AlreadyResolved(_) => "AlreadyResolved",
        General(Refusal::ForeignProperty) => "ForeignProperty",
        General(Refusal::NotStaff) => "NotStaff",
        General(Refusal::Invalid { .. }) => "Invalid",
        General(Refusal::ImpossibleRow(_)) => "ImpossibleRow",
        General(Refusal::Fault(_)) => "Fault",
    };
    all.into_iter().map(|error| (name(&error), error)).collect()
}

fn every_fault() -> Vec<Fault> {
    vec![
        Fault::Unavailable("connection refused".to_owned()),
        Fault::Exhausted,
        Fault::Conflict,
        Fault::Duplicate { constraint: "idempotency_keys_pkey".to_owned() },
        Fault::Duplicate { constraint: "rooms_pkey".to_owned() },
        Fault::EventTooLarge { size: 300_000, limit: 262_144 },
        Fault::Unexpected { place: "task_lock.sql".to_owned(), detail: "syntax error".to_owned() },
        Fault::Interrupted(Interruption::KeyReused),
        Fault::Interrupted(Interruption::InFlight),
    ]
}

fn every_platform_problem() -> Vec<Problem> {
    let mut all = vec![
        Problem::malformed("the body is not JSON"),
        Problem::invalid("limit", "a whole number from 1 to 1000"),
        Problem::forbidden("this needs one of the roles supervisor"),
        Problem::not_found("there is nothing with this id"),
        Problem::too_large(262_144),
        Problem::unsupported_media("send the body as application/json"),
        Problem::too_many(),
        Problem::too_many_streams(),
        Problem::key_required(),
        platform::http::cross_origin(),
        platform::http::insecure_origin(),
    ];
    let statuses = [
        StatusCode::NOT_FOUND,
        StatusCode::METHOD_NOT_ALLOWED,
        StatusCode::PAYLOAD_TOO_LARGE,
        StatusCode::REQUEST_TIMEOUT,
        StatusCode::BAD_REQUEST,
        StatusCode::INTERNAL_SERVER_ERROR,
    ];
    all.extend(statuses.into_iter().map(Problem::of_status));
    all.extend(every_fault().into_iter().map(Problem::from));
    all.extend([TokenError::Missing, TokenError::KeysUnavailable].into_iter().map(Problem::from));
    all
}

#[test]
fn every_problem_has_the_code_status_and_title_of_the_golden_file() {
    let mut found = "# Every way to say no: status, code, title, and an example of the detail.\n\
                     # Made by: UPDATE_GOLDEN=1 cargo test -p melmastoon --test hotel golden\n"
        .to_owned();
    let mut line = |problem: &Problem| {
        let Problem { status, code, title, detail, .. } = problem;
        let again = problem.retry_after.map_or(String::new(), |seconds| format!(" (Retry-After: {seconds})"));
        writeln!(found, "{} {code}: {title}. {detail}{again}", status.as_u16()).unwrap();
    };
    for (_, error) in every_refusal() {
        line(&Problem::from(error));
    }
    every_platform_problem().iter().for_each(line);
    compare("problems.txt", &found);
}

#[test]
fn what_went_wrong_inside_stays_inside() {
    for fault in every_fault() {
        let inside = fault.to_string();
        let told = Problem::from(fault).detail;
        for secret in ["connection refused", "task_lock", "syntax error", "rooms_pkey"] {
            assert!(!told.contains(secret), "{inside} is told as {told}");
        }
    }
    let row = Problem::from(HousekeepingError::from(ImpossibleRow("hkt_1: no end".to_owned())));
    assert!(!row.detail.contains("hkt_1"), "{}", row.detail);
}
