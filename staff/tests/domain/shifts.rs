//! A shift by every step in every order.

use contracts::ids::{AssignmentId, DepartmentId, PositionId, PropertyId, ShiftId, StaffId};
use contracts::values::LocalTime;
use proptest::prelude::*;
use staff::domain::gap::gap;
use staff::domain::position::Position;
use staff::domain::settings::Settings;
use staff::domain::shift::{End, Plan, Shift, ShiftError, ShiftEvent, Why};
use staff::domain::window::Window;
use staff::domain::words::{CancelReason, EndReason, PlaceRole, PlaceStatus, PositionRole, ShiftStatus, UnassignCause};

use crate::{day, now};

fn position() -> Position {
    Position {
        id: PositionId::parse("pos_HOUSEKEEPER").unwrap(),
        department_id: DepartmentId::parse("dpt_HOUSEKEEPING").unwrap(),
        code: Some("HOUSEKEEPER".to_owned()),
        name: "Housekeeper".to_owned(),
        role: Some(PositionRole::Housekeeper),
        required_certifications: Vec::new(),
        certifications_enforced: false,
        active: true,
        created_at: now(),
        updated_at: now(),
        version: 1,
    }
}

fn shift(name: &str, start: &str, end: &str) -> Shift {
    let time = |text: &str| LocalTime::parse(text).unwrap();
    let plan = Plan {
        window: Window::local(day("2026-04-22"), time(start), time(end), "Asia/Kabul").unwrap(),
        primary_headcount: 2,
        standby_headcount: 1,
        break_minutes: None,
        note: None,
    };
    let house = PropertyId::parse("prp_CHINAR").unwrap();
    Shift::schedule(ShiftId::parse(name).unwrap(), house, &position(), plan, now()).state().clone()
}

fn person(number: usize) -> StaffId {
    StaffId::parse(&format!("stf_{number}")).unwrap()
}

fn place(number: usize) -> AssignmentId {
    AssignmentId::parse(&format!("sha_{number}")).unwrap()
}

fn end() -> End {
    let reason = EndReason::AllPrimaryClockedOut;
    End { at: now(), reason, last_by: None, actual_minutes: 0, break_minutes: 0 }
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Assign(usize, PlaceRole),
    Unassign(usize),
    Promote,
    Start(usize),
    End,
    Cancel,
    CancelByForce,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let role = prop::sample::select(PlaceRole::ALL);
    let one = prop_oneof![
        3 => (0..5_usize, role).prop_map(|(who, role)| Step::Assign(who, role)),
        2 => (0..40_usize).prop_map(Step::Unassign),
        1 => Just(Step::Promote),
        1 => (0..5_usize).prop_map(Step::Start),
        1 => Just(Step::End),
        1 => Just(Step::Cancel),
        1 => Just(Step::CancelByForce),
    ];
    prop::collection::vec(one, 0..40)
}

proptest! {
    #[test]
    fn a_shift_starts_once_before_it_ends_and_what_is_over_stays_over(steps in steps()) {
        let mut shift = shift("shf_1", "06:00", "14:00");
        let (mut started, mut ended, mut off) = (0, 0, 0);
        for (number, step) in steps.into_iter().enumerate() {
            let before = shift.clone();
            let decided = match step {
                Step::Assign(who, role) => shift.clone().assign(place(number), person(who), role, Why::Decided, now()).ok(),
                Step::Unassign(which) => shift.clone().unassign(&place(which), UnassignCause::Manual, now()).ok(),
                Step::Promote => shift.standbys(None, |_| false).ok().and_then(|mut best| {
                    let chosen = best.remove(0);
                    shift.clone().promote(chosen, place(number), now()).ok().map(|(decided, _)| decided)
                }),
                Step::Start(who) => shift.start(person(who), now(), 1, now()),
                Step::End => shift.clone().end(end(), now()).ok(),
                Step::Cancel => shift.clone().cancel(CancelReason::Manual, None, now()).ok(),
                Step::CancelByForce => shift.clone().cancel(CancelReason::Manual, Some(end()), now()).ok(),
            };
            let Some(decided) = decided else { continue };
            prop_assert!(!before.is_over(), "{step:?} on {:?}", before.state);
            for event in decided.events() {
                match event {
                    ShiftEvent::Started { .. } => started += 1,
                    ShiftEvent::Ended => ended += 1,
                    ShiftEvent::Cancelled(_) => off += 1,
                    _ => {}
                }
            }
            let events = i32::try_from(decided.events().len()).unwrap();
            shift = decided.state().clone();
            prop_assert_eq!(shift.version, before.version + events);
            let mut people: Vec<_> = shift.active().map(|place| place.staff_id.clone()).collect();
            people.sort();
            let all = people.len();
            people.dedup();
            prop_assert_eq!(people.len(), all, "nobody has two places");
        }
        prop_assert!(started <= 1 && ended <= 1 && off <= 1);
        let cancelled = shift.state.status() == ShiftStatus::Cancelled;
        prop_assert_eq!(off == 1, cancelled);
        prop_assert!(!cancelled || shift.active().next().is_none(), "nobody has a place on a shift that is off");
    }
}

#[test]
fn two_who_change_places_take_each_others_roles() {
    let left =
        shift("shf_1", "06:00", "14:00").assign(place(1), person(1), PlaceRole::Primary, Why::Decided, now()).unwrap();
    let right =
        shift("shf_2", "14:00", "22:00").assign(place(2), person(2), PlaceRole::Standby, Why::Decided, now()).unwrap();
    let (left, right) = (left.state().clone(), right.state().clone());
    let itself = Shift::swap(left.clone(), left.clone(), (&place(1), &place(1)), (place(3), place(4)), now());
    assert_eq!(itself.unwrap_err(), ShiftError::SwapImpossible);
    let (left, right) = Shift::swap(left, right, (&place(1), &place(2)), (place(3), place(4)), now()).unwrap();
    let now_left = left.state().place_of(&person(2)).unwrap();
    assert_eq!((now_left.role, now_left.swapped_from.clone()), (PlaceRole::Primary, Some(place(2))));
    assert_eq!(right.state().place_of(&person(1)).unwrap().role, PlaceRole::Standby);
    assert!(left.state().places.iter().any(|old| old.id == place(1) && old.status == PlaceStatus::Swapped));
    assert_eq!(right.events(), [ShiftEvent::SwappedWith], "it is told once");
}

#[test]
fn an_empty_shift_of_twenty_minutes_is_told_of_until_it_begins() {
    let short = shift("shf_SHORT", "06:00", "06:20");
    let told = |seconds: i64| {
        let at = short.plan.window.starts_at.plus_seconds(seconds);
        gap(&short, |_| true, 0, &Settings::default(), at).is_some()
    };
    assert_eq!([-900, -180, -1, 0, 400].map(told), [false, true, true, false, false]);
}
