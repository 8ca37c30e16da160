//! The cost of a plan, term by term.

use std::ops::{Add, AddAssign, Sub};

use serde::{Deserialize, Serialize};

/// Each term in cost units (a thousandth of a second; 60,000 are a minute).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Terms {
    pub unassigned: i64,
    pub late: i64,
    pub urgency: i64,
    pub balance: i64,
    pub overtime: i64,
    pub floors: i64,
    pub sections: i64,
    pub walk: i64,
    pub language: i64,
    pub change: i64,
    pub sqft: i64,
}

impl Terms {
    pub fn named(&self) -> [(&'static str, i64); 11] {
        [
            ("unassigned", self.unassigned),
            ("late", self.late),
            ("urgency", self.urgency),
            ("balance", self.balance),
            ("overtime", self.overtime),
            ("floors", self.floors),
            ("sections", self.sections),
            ("walk", self.walk),
            ("language", self.language),
            ("change", self.change),
            ("sqft", self.sqft),
        ]
    }

    pub fn total(&self) -> i64 {
        self.named().iter().fold(0, |sum: i64, (_, value)| sum.saturating_add(*value))
    }

    fn combined(self, other: Self, with: impl Fn(i64, i64) -> i64) -> Self {
        Self {
            unassigned: with(self.unassigned, other.unassigned),
            late: with(self.late, other.late),
            urgency: with(self.urgency, other.urgency),
            balance: with(self.balance, other.balance),
            overtime: with(self.overtime, other.overtime),
            floors: with(self.floors, other.floors),
            sections: with(self.sections, other.sections),
            walk: with(self.walk, other.walk),
            language: with(self.language, other.language),
            change: with(self.change, other.change),
            sqft: with(self.sqft, other.sqft),
        }
    }
}

impl Add for Terms {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        self.combined(other, i64::saturating_add)
    }
}

impl AddAssign for Terms {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Terms {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self.combined(other, i64::saturating_sub)
    }
}
