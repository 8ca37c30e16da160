//! What it costs to change one's mind. A version of a policy never changes: the one at the hold binds.

use contracts::values::Currency;
use platform::Decided;
use platform::decided::Aggregate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::money::{Money, TooMuch};

/// What is kept of what was lost: nights, or a share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Penalty {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub penalty_nights: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub penalty_ppm: Option<u32>,
}

impl Penalty {
    const fn nights(nights: u32) -> Self {
        Self { penalty_nights: Some(nights), penalty_ppm: None }
    }

    fn is_sound(self) -> bool {
        matches!((self.penalty_nights, self.penalty_ppm), (Some(0..=365), None) | (None, Some(0..=1_000_000)))
    }

    /// Of an item whose lost nights cost this, in their order: the first so many nights, or a share of all. Never more than
    /// was lost.
    pub fn of(self, lost: &[Money], currency: Currency) -> Result<Money, TooMuch> {
        let whole = Money::sum(lost.iter().copied())?;
        let kept = match (self.penalty_nights, self.penalty_ppm) {
            (Some(nights), _) => Money::sum(lost.iter().copied().take(usize::try_from(nights).unwrap_or(usize::MAX)))?,
            (None, Some(ppm)) => whole.share(ppm, currency)?,
            (None, None) => Money::ZERO,
        };
        Ok(kept.min(whole))
    }
}

/// From so many hours before the stay on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Tier {
    pub hours_before: u32,
    #[serde(flatten)]
    pub penalty: Penalty,
}

/// A cancellation policy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "CancellationPolicy")]
pub struct Policy {
    pub version: String,
    pub name: String,
    pub tiers: Vec<Tier>,
    pub no_show: Penalty,
    pub early_checkout: Penalty,
    pub overstay: Penalty,
}

impl Policy {
    /// Free until a day before, then a night.
    pub fn flexible_24h() -> Self {
        Self {
            version: "1".to_owned(),
            name: "flexible-24h".to_owned(),
            tiers: vec![
                Tier { hours_before: 24, penalty: Penalty::nights(0) },
                Tier { hours_before: 0, penalty: Penalty::nights(1) },
            ],
            no_show: Penalty::nights(1),
            early_checkout: Penalty::nights(1),
            overstay: Penalty { penalty_nights: None, penalty_ppm: Some(1_000_000) },
        }
    }

    /// `name@version`, as events and guests are told.
    pub fn reference(&self) -> String {
        format!("{}@{}", self.name, self.version)
    }

    /// The tier with the greatest `hoursBefore` that is not above the hours left; below zero it is the one at 0.
    pub fn for_hours_left(&self, hours: i64) -> Penalty {
        let reached = self.tiers.iter().filter(|tier| i64::from(tier.hours_before) <= hours.max(0));
        reached.max_by_key(|tier| tier.hours_before).map_or(Penalty::default(), |tier| tier.penalty)
    }

    /// The first field that cannot be, with the rule.
    pub fn fault(&self) -> Option<(&'static str, &'static str)> {
        let word = |text: &str, longest: usize| {
            (1..=longest).contains(&text.len())
                && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
        };
        if !word(&self.version, 20) {
            return Some(("version", "1 to 20 letters, digits, dots, dashes or underscores"));
        }
        if !word(&self.name, 60) {
            return Some(("name", "1 to 60 letters, digits, dots, dashes or underscores"));
        }
        let hours: std::collections::BTreeSet<u32> = self.tiers.iter().map(|tier| tier.hours_before).collect();
        if !hours.contains(&0) || hours.len() != self.tiers.len() || self.tiers.len() > 20 {
            return Some(("tiers", "at most 20, each with another hoursBefore, one of them 0"));
        }
        if !self.tiers.iter().all(|tier| tier.penalty.is_sound()) {
            return Some(("tiers", "each has penaltyNights up to 365 or penaltyPpm up to 1000000, not both"));
        }
        let others = [("noShow", self.no_show), ("earlyCheckout", self.early_checkout), ("overstay", self.overstay)];
        let unsound = others.into_iter().find(|(_, penalty)| !penalty.is_sound());
        unsound.map(|(field, _)| (field, "penaltyNights up to 365 or penaltyPpm up to 1000000, not both"))
    }
}

/// A policy as the house keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptPolicy {
    pub policy: Policy,
    pub version: i32,
}

/// A new version of the rules. Nobody else is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolicyMade;

impl Aggregate for KeptPolicy {
    type Event = PolicyMade;
    fn version_mut(&mut self) -> &mut i32 {
        &mut self.version
    }
}

impl KeptPolicy {
    pub fn make(policy: Policy) -> Decided<Self> {
        Decided::opened(Self { policy, version: 0 }, PolicyMade)
    }
}
