//! What each inconvenience is worth: the tenant's settings behind the cost of a plan.
//!
//! Costs are whole numbers of a thousandth of a second. A weight is read as a decimal number and kept in
//! thousandths, so that no sum ever depends on the order of additions or on the machine.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Cost units in one minute.
pub const UNITS_PER_MINUTE: i64 = 60_000;

/// A weight in thousandths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Milli(pub i64);

impl Milli {
    pub const fn whole(value: i64) -> Self {
        Self(value * 1000)
    }

    /// The cost of a weight that is given in minutes.
    pub(crate) const fn as_minutes(self) -> i64 {
        self.0 * 60
    }
}

impl<'de> Deserialize<'de> for Milli {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = f64::deserialize(deserializer)?;
        let thousandths = (value * 1000.0).round_ties_even();
        if !thousandths.is_finite() || thousandths.abs() > 1e15 {
            return Err(serde::de::Error::custom(format!("the weight {value} is out of range")));
        }
        #[expect(clippy::cast_possible_truncation, reason = "a whole number below 1e15, checked above")]
        let whole = thousandths as i64;
        Ok(Self(whole))
    }
}

impl Serialize for Milli {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[expect(clippy::cast_precision_loss, reason = "weights are far below 2^52")]
        serializer.serialize_f64(self.0 as f64 / 1000.0)
    }
}

/// All weights of the objective. What an instance leaves out has the default.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub struct Weights {
    /// Minutes for a task left open, by priority.
    pub unassigned: [Milli; 4],
    /// For each minute past due, by priority.
    pub late_per_min: [Milli; 4],
    /// Minutes for each late room, by priority.
    pub late_fixed: [Milli; 4],
    /// For each minute until the start, by priority: urgent rooms first.
    pub start_per_min: [Milli; 4],
    /// Knees `[minutes, weight]`: each minute of distance from the fair share beyond the knee costs the weight more.
    pub balance: Vec<(i64, Milli)>,
    /// For each minute of load beyond the capacity.
    pub overtime_per_min: Milli,
    /// Minutes for each floor beyond a person's first.
    pub floor: Milli,
    /// Minutes for each section of a floor beyond a person's first.
    pub section: Milli,
    pub walk_per_min: Milli,
    /// Minutes when the person lacks the guest's language.
    pub language: Milli,
    /// Minutes when the task goes to another person than now.
    pub change: Milli,
    /// Minutes when a person is given more floor area than the cap.
    pub sqft_over: Milli,
}

const fn each(values: [i64; 4]) -> [Milli; 4] {
    [Milli::whole(values[0]), Milli::whole(values[1]), Milli::whole(values[2]), Milli::whole(values[3])]
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            unassigned: each([1000, 2000, 4000, 8000]),
            late_per_min: each([1, 2, 4, 8]),
            late_fixed: each([15, 30, 60, 120]),
            start_per_min: [Milli(0), Milli(0), Milli(100), Milli(500)],
            balance: vec![(0, Milli(500)), (20, Milli(1000)), (60, Milli(2000))],
            overtime_per_min: Milli(2000),
            floor: Milli::whole(10),
            section: Milli::whole(4),
            walk_per_min: Milli(1000),
            language: Milli::whole(6),
            change: Milli::whole(8),
            sqft_over: Milli::whole(480),
        }
    }
}

impl Weights {
    /// Every weight with its name, and whether it is a factor per minute, for validation.
    pub(crate) fn named(&self) -> Vec<(&'static str, Milli, bool)> {
        let mut all = vec![
            ("overtimePerMin", self.overtime_per_min, true),
            ("floor", self.floor, false),
            ("section", self.section, false),
            ("walkPerMin", self.walk_per_min, true),
            ("language", self.language, false),
            ("change", self.change, false),
            ("sqftOver", self.sqft_over, false),
        ];
        for (name, by_priority, per_minute) in [
            ("unassigned", &self.unassigned, false),
            ("latePerMin", &self.late_per_min, true),
            ("lateFixed", &self.late_fixed, false),
            ("startPerMin", &self.start_per_min, true),
        ] {
            all.extend(by_priority.iter().map(|weight| (name, *weight, per_minute)));
        }
        all.extend(self.balance.iter().map(|(_, weight)| ("balance", *weight, true)));
        all
    }
}
