//! Spans out of punches, and windows on every clock.

use contracts::ids::{ClockEntryId, PropertyId, StaffId};
use contracts::time::Timestamp;
use contracts::values::{LocalDate, LocalTime};
use proptest::prelude::*;
use staff::domain::punch::{Punch, PunchKind, PunchSource, fits, fold};
use staff::domain::window::{Window, WindowError};

use crate::{day, now};

fn punch(number: usize, kind: PunchKind, minute: i64) -> Punch {
    let at = now().plus_seconds(60 * minute);
    Punch {
        id: ClockEntryId::parse(&format!("clk_{number:04}")).unwrap(),
        staff_id: StaffId::parse("stf_GULALAI").unwrap(),
        property_id: PropertyId::parse("prp_CHINAR").unwrap(),
        shift_id: None,
        kind,
        at,
        recorded_at: at,
        source: PunchSource::Web,
        device_id: None,
        client_punch_id: None,
        from_offline_replay: false,
        needs_review: Vec::new(),
        reviewed_note: None,
        reason: None,
        version: 1,
    }
}

fn history() -> impl Strategy<Value = Vec<Punch>> {
    let kind = prop::sample::select(PunchKind::ALL);
    prop::collection::vec((kind, 0..600_i64), 0..40).prop_map(|all| {
        all.into_iter().enumerate().map(|(number, (kind, minute))| punch(number, kind, minute)).collect()
    })
}

proptest! {
    #[test]
    fn punches_in_any_order_and_number_give_the_same_spans(punches in history(), seed in any::<u64>()) {
        let expected = fold(&punches);
        let mut told: Vec<_> = punches.iter().chain(&punches).cloned().collect();
        // An order of its own for every seed.
        let key = |punch: &Punch| (punch.at.as_millis().cast_unsigned() ^ seed).wrapping_mul(6_364_136_223_846_793_005);
        told.sort_by_key(key);
        prop_assert_eq!(fold(&told), expected);
    }

    #[test]
    fn spans_never_overlap_and_nobody_rests_longer_than_they_are_there(punches in history()) {
        let folded = fold(&punches);
        let end = now().plus_seconds(60 * 1_000);
        for pair in folded.spans.windows(2) {
            prop_assert!(pair[0].until.is_some_and(|until| until <= pair[1].from), "{pair:?}");
        }
        for span in &folded.spans {
            prop_assert!(span.break_minutes(end) <= span.actual_minutes(end), "{span:?}");
            prop_assert!(span.breaks.iter().all(|(from, until)| until.is_none_or(|until| *from <= until)));
        }
        let known: usize = folded.spans.iter().map(|span| span.punches.len()).sum();
        prop_assert_eq!(known + folded.orphans.len(), punches.len(), "every punch is in a span or an orphan");
    }

    #[test]
    fn a_punch_that_fits_makes_no_orphan(punches in history(), kind in prop::sample::select(PunchKind::ALL), minute in 0..600_i64) {
        let mut after = punches.clone();
        after.push(punch(9_999, kind, minute));
        if fits(&punches, &after) {
            prop_assert!(fold(&after).orphans.len() <= fold(&punches).orphans.len());
        }
    }

    #[test]
    fn a_window_is_never_empty_and_says_the_same_in_both_times(
        zone in prop::sample::select(&["Asia/Kabul", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia"][..]),
        days in 0..730_i64, start in 0..1_440_i64, end in 0..1_440_i64,
    ) {
        let date = LocalDate(day("2026-01-01").0.checked_add(jiff::Span::new().days(days)).unwrap());
        let time = |minute: i64| LocalTime::parse(&format!("{:02}:{:02}", minute / 60, minute % 60)).unwrap();
        match Window::local(date, time(start), time(end), zone) {
            Ok(window) => {
                prop_assert!(window.starts_at < window.ends_at);
                let zoned = window.starts_at.jiff().to_zoned(jiff::tz::TimeZone::get(zone).unwrap());
                // In a gap the clock of the house shows a later time; otherwise it shows the one that was asked for.
                prop_assert!(zoned.datetime() >= date.0.to_datetime(time(start).0));
                prop_assert!(window.minutes() <= 25 * 60);
            }
            Err(error) => prop_assert!(matches!(error, WindowError::Length | WindowError::Empty), "{error:?}"),
        }
    }
}

#[test]
fn a_night_in_spring_has_seven_hours_and_in_autumn_nine() {
    let time = |text: &str| LocalTime::parse(text).unwrap();
    let hours =
        |date: &str| Window::local(day(date), time("22:00"), time("06:00"), "Europe/Berlin").unwrap().minutes() / 60;
    assert_eq!((hours("2026-03-28"), hours("2026-10-24"), hours("2026-04-22")), (7, 9, 8));
    let kabul = Window::local(day("2026-04-23"), time("06:00"), time("14:00"), "Asia/Kabul").unwrap();
    assert_eq!(kabul.starts_at, Timestamp::parse("2026-04-23T01:30:00Z").unwrap());
    let whole = Window::local(day("2026-04-23"), time("06:00"), time("06:00"), "Asia/Kabul").unwrap();
    assert_eq!(whole.minutes(), 24 * 60);
}
