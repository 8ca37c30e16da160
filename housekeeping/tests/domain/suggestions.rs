//! A suggestion is decided on once, whole or row by row, and says what became of each row.

use contracts::actor::Actor;
use contracts::ids::{PropertyId, RoomId, StaffId, SuggestionId, TaskId};
use housekeeping::domain::suggestion::{
    Proposal, RowOutcome, Scope, Stale, SuggestedRow, Suggestion, SuggestionError, SuggestionNote, SuggestionSource,
    SuggestionStatus,
};
use housekeeping::domain::task::{Task, TaskState};
use ulid::Ulid;

use crate::{gulalai, nasrin, now, states, task};

fn supervisor() -> Actor {
    Actor::user("stf_ZARGHUNA")
}

fn zarghuna() -> StaffId {
    StaffId::parse("stf_ZARGHUNA").unwrap()
}

fn id(number: u128) -> TaskId {
    TaskId::from_ulid(Ulid::from_parts(1, number))
}

fn row(number: u128, staff: &StaffId, outcome: RowOutcome) -> SuggestedRow {
    SuggestedRow {
        task_id: id(number),
        room_id: RoomId::parse("rom_101").unwrap(),
        staff_id: staff.clone(),
        previous_staff_id: None,
        sequence: Some(1),
        score: 0.75,
        reasoning: "saves a floor change".to_owned(),
        reasons: Vec::new(),
        start_at: None,
        finish_at: None,
        outcome,
    }
}

fn suggestion(rows: Vec<SuggestedRow>) -> Suggestion {
    let proposal = Proposal {
        source: SuggestionSource::Planner,
        note: None,
        model_version: "planner-1".to_owned(),
        rows,
        unassigned: Vec::new(),
        moved: Vec::new(),
    };
    let scope = Scope { property_id: PropertyId::parse("prp_CHINAR").unwrap(), shift_id: None };
    Suggestion::made(SuggestionId::from_ulid(Ulid::from_parts(1, 9)), scope, proposal, now()).state().clone()
}

fn three() -> Suggestion {
    suggestion((1..=3).map(|number| row(number, &gulalai(), RowOutcome::Proposed)).collect())
}

fn outcomes(suggestion: &Suggestion) -> Vec<&'static str> {
    suggestion.proposal.rows.iter().map(|row| row.outcome.word()).collect()
}

#[test]
fn approving_all_rows_approves_the_suggestion() {
    let decided = three().approve(None, |_| Ok(()), supervisor(), now()).unwrap().state().clone();
    assert_eq!(decided.status, SuggestionStatus::Approved);
    assert_eq!(outcomes(&decided), ["applied", "applied", "applied"]);
    assert_eq!((decided.version, decided.decided_by), (2, Some(supervisor())));
}

#[test]
fn rows_that_are_not_named_go_on_waiting() {
    let some = three().approve(Some(&[id(2), id(2)]), |_| Ok(()), supervisor(), now()).unwrap().state().clone();
    assert_eq!(some.status, SuggestionStatus::Pending);
    assert_eq!(outcomes(&some), ["proposed", "applied", "proposed"]);
    let rest = some.reject(None, supervisor(), now()).unwrap().state().clone();
    assert_eq!(rest.status, SuggestionStatus::PartlyApproved);
    assert_eq!(outcomes(&rest), ["rejected", "applied", "rejected"]);
}

#[test]
fn no_row_is_decided_twice() {
    let some = three().approve(Some(&[id(2)]), |_| Ok(()), supervisor(), now()).unwrap().state().clone();
    let again = some.clone().approve(Some(&[id(2)]), |_| Ok(()), supervisor(), now());
    assert_eq!(again.map(drop), Err(SuggestionError::RowDecided { task_id: id(2), outcome: "applied" }));
    let stranger = some.clone().reject(Some(&[id(7)]), supervisor(), now());
    assert_eq!(stranger.map(drop), Err(SuggestionError::UnknownRow { task_id: id(7) }));
    let all = some.approve(None, |_| Ok(()), supervisor(), now()).unwrap().state().clone();
    assert_eq!(
        all.approve(None, |_| Ok(()), supervisor(), now()).map(drop),
        Err(SuggestionError::Decided { status: SuggestionStatus::Approved })
    );
}

#[test]
fn what_came_too_late_is_skipped_with_its_reason() {
    let check = |row: &SuggestedRow| if row.task_id == id(1) { Err(Stale::TaskStarted) } else { Ok(()) };
    let decided = three().approve(None, check, supervisor(), now()).unwrap().state().clone();
    assert_eq!(decided.status, SuggestionStatus::PartlyApproved);
    assert_eq!(decided.proposal.rows[0].outcome, RowOutcome::Skipped { because: Stale::TaskStarted });
    let nothing = three().approve(None, |_| Err(Stale::TaskOver), supervisor(), now()).unwrap().state().clone();
    assert_eq!(nothing.status, SuggestionStatus::Expired);
}

#[test]
fn a_plan_that_changes_nothing_waits_for_nobody() {
    let same = suggestion(vec![row(1, &gulalai(), RowOutcome::Unchanged)]);
    assert_eq!(same.status, SuggestionStatus::NothingToDo);
    assert!(same.approve(None, |_| Ok(()), supervisor(), now()).is_err());
    let empty = Suggestion { proposal: Proposal::empty(SuggestionNote::ManualOnly), ..three() };
    let empty = Suggestion::made(empty.id, empty.scope, empty.proposal, now());
    assert_eq!(empty.state().status, SuggestionStatus::NothingToDo);
}

#[test]
fn only_a_suggestion_that_waits_is_superseded() {
    assert_eq!(three().supersede(now()).unwrap().state().status, SuggestionStatus::Superseded);
    let rejected = three().reject(None, supervisor(), now()).unwrap().state().clone();
    assert_eq!(rejected.status, SuggestionStatus::Rejected);
    assert!(rejected.supersede(now()).is_err());
}

#[test]
fn a_row_holds_as_long_as_the_task_waits_for_whom_it_waited_then() {
    let to_nasrin = SuggestedRow { previous_staff_id: Some(gulalai()), ..row(1, &nasrin(), RowOutcome::Proposed) };
    let everybody = |_: &StaffId| true;
    for state in states() {
        let found = to_nasrin.still_holds(Some(&task(state.clone())), everybody);
        let expected = match state {
            TaskState::Pending | TaskState::Assigned { .. } => Ok(()),
            TaskState::InProgress { .. } | TaskState::Paused { .. } => Err(Stale::TaskStarted),
            _ => Err(Stale::TaskOver),
        };
        assert_eq!(found, expected, "{}", state.status());
    }
    assert_eq!(to_nasrin.still_holds(None, everybody), Err(Stale::TaskOver));
    assert_eq!(to_nasrin.still_holds(Some(&task(TaskState::Pending)), |_| false), Err(Stale::StaffOffShift));
    let from_nobody = SuggestedRow { previous_staff_id: None, ..to_nasrin };
    let by_hand = task(TaskState::Assigned { to: gulalai() });
    assert_eq!(from_nobody.still_holds(Some(&by_hand), everybody), Err(Stale::AssignedMeanwhile));
    let already = task(TaskState::Assigned { to: nasrin() });
    assert_eq!(from_nobody.still_holds(Some(&already), everybody), Ok(()));
}

#[test]
fn what_somebody_began_and_left_behind_goes_to_whom_the_row_names() {
    let to_nasrin = SuggestedRow { previous_staff_id: Some(gulalai()), ..row(1, &nasrin(), RowOutcome::Proposed) };
    let begun = states().into_iter().filter(|state| matches!(state.status().as_str(), "in_progress" | "paused"));
    for state in begun {
        let left = task(state);
        assert_eq!(to_nasrin.still_holds(Some(&left), |who| *who == nasrin()), Ok(()), "{}", left.state.status());
        assert_eq!(to_nasrin.still_holds(Some(&left), |_| false), Err(Stale::StaffOffShift));
        let helped = Task { helpers: vec![zarghuna()], ..left.clone() };
        assert_eq!(
            to_nasrin.still_holds(Some(&helped), |who| *who != gulalai()),
            Err(Stale::TaskStarted),
            "she goes on"
        );
        let of_another = SuggestedRow { previous_staff_id: Some(zarghuna()), ..to_nasrin.clone() };
        assert_eq!(of_another.still_holds(Some(&left), |who| *who == nasrin()), Err(Stale::TaskStarted));
    }
}

#[test]
fn what_became_of_a_row_survives_being_written_down() {
    for outcome in [RowOutcome::Proposed, RowOutcome::Skipped { because: Stale::StaffOffShift }] {
        let before = row(1, &gulalai(), outcome);
        let text = serde_json::to_string(&before).unwrap();
        assert_eq!(serde_json::from_str::<SuggestedRow>(&text).unwrap(), before, "{text}");
    }
}
