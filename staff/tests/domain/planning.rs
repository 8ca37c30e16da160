//! Days, windows and patterns, in every zone there is.

use contracts::ids::{HandoffNoteId, LeaveRequestId, PropertyId, StaffId, UserId};
use contracts::values::{LocalDate, LocalTime};
use jiff::civil::{Date, DateTime};
use jiff::tz::{AmbiguousOffset, TimeZone};
use proptest::prelude::*;
use staff::domain::handoff::HandoffNote;
use staff::domain::leave::{Days, Leave, LeaveKind, LeaveStatus, Verdict};
use staff::domain::pattern::{Cycle, Recurrence};
use staff::domain::window::{Window, WindowError};
use staff::domain::words::Weekday;

use crate::{day, now};

fn zones() -> Vec<String> {
    jiff::tz::db().available().map(|zone| zone.to_string()).collect()
}

fn is_in_a_gap(zone: &TimeZone, at: DateTime) -> bool {
    matches!(zone.to_ambiguous_timestamp(at).offset(), AmbiguousOffset::Gap { .. })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, ..ProptestConfig::default() })]

    #[test]
    fn later_on_the_clock_of_the_house_is_later_in_utc_outside_gaps_in_every_zone(
        zone in prop::sample::select(zones()),
        (year, month, of_month) in (1990..2037_i16, 1..=12_i8, 1..=28_i8),
        (first, apart) in (0..1_440_i64, 1..4_320_i64),
    ) {
        let tz = TimeZone::get(&zone).unwrap();
        let midnight = Date::new(year, month, of_month).unwrap().at(0, 0, 0, 0);
        let at = |minute: i64| midnight.checked_add(jiff::Span::new().minutes(minute)).unwrap();
        let (earlier, later) = (at(first), at(first + apart));
        prop_assume!(!is_in_a_gap(&tz, earlier) && !is_in_a_gap(&tz, later));
        let begins = |at: DateTime| Window::local(LocalDate(at.date()), LocalTime(at.time()), LocalTime(at.time()), &zone);
        if let (Ok(earlier), Ok(later)) = (begins(earlier), begins(later)) {
            prop_assert!(earlier.starts_at < later.starts_at, "{zone}: {earlier:?} {later:?}");
        }
    }

    #[test]
    fn a_cycle_comes_again_after_its_length_backwards_too(
        length in 1..60_i32, on in prop::collection::vec(1..60_i32, 1..10), at in -400..400_i64, rounds in -5..5_i64,
    ) {
        let on_days: Vec<i32> = on.into_iter().map(|day| (day - 1).rem_euclid(length) + 1).collect();
        let cycle = Recurrence::Cycle(Cycle { length_days: length, on_days, anchor_date: day("2026-04-22") });
        let shifted = |days: i64| LocalDate(day("2026-04-22").0.checked_add(jiff::Span::new().days(days)).unwrap());
        prop_assert_eq!(cycle.falls_on(shifted(at)), cycle.falls_on(shifted(at + rounds * i64::from(length))));
    }
}

#[test]
fn the_anchor_of_a_cycle_is_its_day_one() {
    let cycle = Cycle { length_days: 4, on_days: vec![1, 2], anchor_date: day("2026-04-22") };
    let on = |text: &str| Recurrence::Cycle(cycle.clone()).falls_on(day(text));
    assert_eq!(
        ["2026-04-22", "2026-04-23", "2026-04-24", "2026-04-25", "2026-04-26"].map(on),
        [true, true, false, false, true]
    );
    assert!(on("2026-04-18"), "rounds go backwards too");
    assert!(Recurrence::Weekly(vec![Weekday::Wednesday]).falls_on(day("2026-04-22")));
}

#[test]
fn a_window_within_a_gap_of_the_clock_is_empty_and_one_around_it_is_shorter() {
    let time = |text: &str| LocalTime::parse(text).unwrap();
    // Berlin, 29 March 2026: from 02:00 the clock goes to 03:00.
    let window = |start, end| Window::local(day("2026-03-29"), time(start), time(end), "Europe/Berlin");
    assert_eq!(window("02:30", "03:30"), Err(WindowError::Empty));
    assert_eq!(window("01:00", "06:00").unwrap().minutes(), 4 * 60);
    let kabul = Window::local(day("2026-04-23"), time("06:00"), time("14:00"), "Asia/Kabul").unwrap();
    assert_eq!(kabul.starts_at.to_string(), "2026-04-23T01:30:00.000Z");
}

#[test]
fn leave_is_decided_once_and_only_those_who_lead_take_back_what_has_begun() {
    let days = Days { from: day("2026-04-23"), to: day("2026-04-25") };
    let (id, staff) = (LeaveRequestId::parse("lvr_1").unwrap(), StaffId::parse("stf_1").unwrap());
    let by = UserId::parse("usr_1").unwrap();
    let asked = Leave::request(id, staff, LeaveKind::Sick, days, None, now()).state().clone();
    let verdict = Verdict { by: by.clone(), at: now(), note: None };
    let granted = asked.clone().approve(verdict.clone(), Vec::new()).unwrap().state().clone();
    assert_eq!((granted.state.status(), granted.version), (LeaveStatus::Approved, 2));
    assert!(granted.clone().reject(verdict.clone()).is_err() && granted.clone().approve(verdict, Vec::new()).is_err());
    let back = |leads, today| granted.clone().cancel(by.clone(), leads, day(today), now());
    assert!(
        back(false, "2026-04-22").is_ok() && back(false, "2026-04-23").is_err() && back(true, "2026-04-24").is_ok()
    );
    assert!(
        back(true, "2026-04-24").unwrap().state().clone().cancel(by.clone(), true, day("2026-04-24"), now()).is_err()
    );
    assert_eq!((days.count(), days.cover(day("2026-04-25")), days.cover(day("2026-04-26"))), (3, true, false));
}

#[test]
fn the_excerpt_of_a_note_is_cut_between_letters() {
    let note = HandoffNote {
        id: HandoffNoteId::parse("hno_1").unwrap(),
        property_id: PropertyId::parse("prp_CHINAR").unwrap(),
        position_id: None,
        from_staff_id: StaffId::parse("stf_1").unwrap(),
        from_shift_id: None,
        body: "ښ".repeat(400),
        attachment_ids: Vec::new(),
        acknowledged: Vec::new(),
        created_at: now(),
        version: 1,
    };
    assert_eq!(note.excerpt().chars().count(), 240);
    assert_eq!(note.excerpt().len(), 480, "characters, not bytes");
}
