//! What holds for punches whatever they are.

use proptest::prelude::*;

use super::*;

fn punch((minute, kind): (i64, usize), id: usize) -> Punch {
    Punch {
        id: ClockEntryId::parse(&format!("clk_{id}")).unwrap(),
        staff_id: StaffId::parse("stf_1").unwrap(),
        property_id: PropertyId::parse("prp_1").unwrap(),
        shift_id: None,
        kind: [PunchKind::In, PunchKind::Out, PunchKind::BreakStarted, PunchKind::BreakEnded][kind],
        at: Timestamp::from_millis(1_776_000_000_000 + minute * 20_000),
        recorded_at: Timestamp::from_millis(0),
        source: PunchSource::Mobile,
        device_id: None,
        client_punch_id: None,
        from_offline_replay: true,
        needs_review: Vec::new(),
        reviewed_note: None,
        reason: None,
        version: 1,
    }
}

/// Punches of two days, and the same in another order with some of them several times.
fn histories() -> impl Strategy<Value = (Vec<Punch>, Vec<Punch>)> {
    let some = prop::collection::vec((0_i64..8_640, 0_usize..4), 0..24);
    some.prop_flat_map(|some| {
        let once: Vec<_> = some.into_iter().enumerate().map(|(id, one)| punch(one, id)).collect();
        let again = prop::collection::vec(0..once.len().max(1), 0..12);
        let shuffled = Just(once.clone()).prop_shuffle();
        (Just(once), shuffled, again).prop_map(|(once, mut shuffled, again)| {
            let repeated: Vec<_> = again.iter().filter_map(|at| once.get(*at).cloned()).collect();
            shuffled.extend(repeated);
            (once, shuffled)
        })
    })
}

proptest! {
    #[test]
    fn any_order_and_repetition_gives_the_same_spans((once, again) in histories()) {
        prop_assert_eq!(fold(&once), fold(&again));
    }

    #[test]
    fn spans_never_overlap_and_breaks_lie_within_them((punches, _) in histories()) {
        let folded = fold(&punches);
        let now = Timestamp::from_millis(1_776_000_000_000 + 8_640 * 20_000);
        for two in folded.spans.windows(2) {
            prop_assert!(two[0].until.is_some_and(|until| until <= two[1].from));
        }
        for span in &folded.spans {
            let (actual, rest) = (span.actual_minutes(now), span.break_minutes(now));
            prop_assert!(0 <= rest && rest <= actual, "{} of {}", rest, actual);
        }
        let in_spans: usize = folded.spans.iter().map(|span| span.punches.len()).sum();
        prop_assert_eq!(in_spans + folded.orphans.len(), punches.len(), "every punch is somewhere, once");
    }
}
