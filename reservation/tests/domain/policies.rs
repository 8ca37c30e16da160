//! What it costs to change one's mind, and the days of a house.

use contracts::time::Timestamp;
use proptest::prelude::*;
use reservation::domain::policy::{Penalty, Policy, Tier};
use serde_json::json;

use crate::{afghani, april, house, money};

#[test]
fn the_tier_with_the_greatest_hours_that_are_reached_counts() {
    let policy: Policy = serde_json::from_value(json!({
        "version": "7", "name": "steps",
        "tiers": [{ "hoursBefore": 0, "penaltyPpm": 1_000_000 }, { "hoursBefore": 24, "penaltyNights": 1 }, { "hoursBefore": 72, "penaltyPpm": 0 }],
        "noShow": { "penaltyPpm": 1_000_000 }, "earlyCheckout": { "penaltyNights": 1 }, "overstay": { "penaltyPpm": 1_000_000 },
    }))
    .unwrap();
    assert_eq!(policy.fault(), None);
    let cost = |hours| policy.for_hours_left(hours).of(&[money(100), money(200)], afghani()).unwrap();
    assert_eq!([cost(100), cost(72), cost(71), cost(24), cost(23), cost(-5)], [0, 0, 100, 100, 300, 300].map(money));
}

proptest! {
    #[test]
    fn a_penalty_is_never_below_nothing_nor_above_what_was_lost(
        rates in prop::collection::vec(0_i128..1_000, 0..20), nights in 0_u32..30, ppm in 0_u32..=1_000_000, by_night: bool,
    ) {
        let lost: Vec<_> = rates.iter().map(|rate| money(*rate)).collect();
        let whole = money(rates.iter().sum());
        let penalty = if by_night {
            Penalty { penalty_nights: Some(nights), penalty_ppm: None }
        } else {
            Penalty { penalty_nights: None, penalty_ppm: Some(ppm) }
        };
        let kept = penalty.of(&lost, afghani()).unwrap();
        prop_assert!(money(0) <= kept && kept <= whole);
    }
}

#[test]
fn a_policy_says_what_happens_in_the_last_hour_and_each_hour_once() {
    let one = Tier { hours_before: 24, penalty: Penalty { penalty_nights: Some(1), penalty_ppm: None } };
    let with = |tiers: Vec<Tier>| Policy { tiers, ..Policy::flexible_24h() }.fault().map(|(field, _)| field);
    assert_eq!(with(vec![one]), Some("tiers"));
    assert_eq!(with(vec![one, one, Tier { hours_before: 0, ..one }]), Some("tiers"));
    assert_eq!(with(vec![one, Tier { hours_before: 0, ..one }]), None);
    let neither = Tier { hours_before: 0, penalty: Penalty::default() };
    assert_eq!(with(vec![neither]), Some("tiers"));
}

#[test]
fn who_comes_at_half_past_one_belongs_to_last_evening() {
    let at = |text: &str| house().hotel_date(Timestamp::parse(text).unwrap());
    // 01:30, 04:59 and 05:00 in Kabul.
    assert_eq!(at("2026-04-22T21:00:00Z"), april(22));
    assert_eq!(at("2026-04-23T00:29:00Z"), april(22));
    assert_eq!(at("2026-04-23T00:30:00Z"), april(23));
}
