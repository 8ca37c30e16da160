//! How a hotel company works, with defaults that suit most.

use std::collections::BTreeMap;

use contracts::housekeeping::TaskKind;
use contracts::time::Timestamp;
use platform::Decided;
use platform::decided::Aggregate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Who decides on a suggested plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RoutingGate {
    SupervisorApproval,
    AutoApply,
    ManualOnly,
}

/// How one hotel company works.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Settings {
    pub inspection_required: bool,
    pub routing_gate: RoutingGate,
    pub lost_found_retention_days: u32,
    /// The record of a found thing leaves for the archive so many months after it was given away or given back.
    pub lost_found_record_months: u32,
    pub auto_mid_stay: bool,
    pub timezone: String,
    pub locale: String,
    /// Minutes by kind (`turnover`), or by kind and type of room (`turnover:suite`), where they differ from the defaults. What is learned
    /// from twenty or more of the same takes their place.
    pub estimated_minutes: BTreeMap<String, i32>,
    /// The line of linen, such as `sheets`, on which what housekeepers report of their tasks is counted; none: it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub linen_line: Option<String>,
}

/// What is to be otherwise. What is not named stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SettingsChange {
    pub inspection_required: Option<bool>,
    pub routing_gate: Option<RoutingGate>,
    pub lost_found_retention_days: Option<u32>,
    pub lost_found_record_months: Option<u32>,
    pub auto_mid_stay: Option<bool>,
    pub timezone: Option<String>,
    pub locale: Option<String>,
    /// All of them: a kind that is not among them has its default again.
    pub estimated_minutes: Option<BTreeMap<String, i32>>,
    /// Null: what housekeepers report is counted on no line any more.
    #[serde(deserialize_with = "named")]
    #[schemars(with = "Option<String>")]
    pub linen_line: Option<Option<String>>,
}

/// A value that is null is named all the same.
fn named<'de, D: serde::Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

/// The settings of a tenant as they are kept, with their version: 0 where the defaults were never changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TenantSettings {
    pub settings: Settings,
    pub version: i32,
}

/// Somebody changed how the hotel works. Nobody else is told; who, when and from what is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsChanged {
    pub before: Settings,
}

impl Aggregate for TenantSettings {
    type Event = SettingsChanged;

    fn version_mut(&mut self) -> &mut i32 {
        &mut self.version
    }
}

impl TenantSettings {
    pub fn change(self, to: Settings) -> Decided<Self> {
        let event = SettingsChanged { before: self.settings };
        let changed = Self { settings: to, version: self.version };
        if changed.version == 0 { Decided::opened(changed, event) } else { Decided::changed(changed, event) }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            inspection_required: true,
            routing_gate: RoutingGate::SupervisorApproval,
            lost_found_retention_days: 90,
            lost_found_record_months: 12,
            auto_mid_stay: false,
            timezone: "Asia/Kabul".to_owned(),
            locale: "ps-AF".to_owned(),
            estimated_minutes: BTreeMap::new(),
            linen_line: None,
        }
    }
}

impl Settings {
    /// These, with what a change names in its place.
    #[must_use]
    pub fn with(self, change: SettingsChange) -> Self {
        Self {
            inspection_required: change.inspection_required.unwrap_or(self.inspection_required),
            routing_gate: change.routing_gate.unwrap_or(self.routing_gate),
            lost_found_retention_days: change.lost_found_retention_days.unwrap_or(self.lost_found_retention_days),
            lost_found_record_months: change.lost_found_record_months.unwrap_or(self.lost_found_record_months),
            auto_mid_stay: change.auto_mid_stay.unwrap_or(self.auto_mid_stay),
            timezone: change.timezone.unwrap_or(self.timezone),
            locale: change.locale.unwrap_or(self.locale),
            estimated_minutes: change.estimated_minutes.unwrap_or(self.estimated_minutes),
            linen_line: change.linen_line.unwrap_or(self.linen_line),
        }
    }

    pub fn minutes_for(&self, kind: TaskKind) -> i32 {
        let default = match kind {
            TaskKind::Turnover => 50,
            TaskKind::MidStayClean => 27,
            TaskKind::DeepClean => 90,
            TaskKind::PostMaintenance => 40,
            TaskKind::PostRenovation => 120,
            TaskKind::Inspection => 8,
        };
        self.estimated_minutes.get(kind.as_str()).copied().unwrap_or(default)
    }

    /// The last time that it was three in the morning at the hotel.
    pub fn last_three_o_clock(&self, now: Timestamp) -> Timestamp {
        // The zone was looked over when it was set; one that is unknown by now is as good as none.
        let zone = jiff::tz::TimeZone::get(&self.timezone).unwrap_or(jiff::tz::TimeZone::UTC);
        let today = now.jiff().to_zoned(zone.clone()).date();
        let three = |day: jiff::civil::Date| zone.to_ambiguous_zoned(day.at(3, 0, 0, 0)).compatible().ok();
        let at = [Some(today), today.yesterday().ok()].into_iter().flatten().filter_map(three);
        let mut at = at.map(|three| Timestamp::from_jiff(three.timestamp()));
        at.find(|three| *three <= now).unwrap_or(now)
    }

    /// The first field that is out of bounds, with the rule.
    pub fn fault(&self) -> Option<(&'static str, String)> {
        if contracts::time::zone(&self.timezone).is_none() {
            return Some(("timezone", "a zone of the IANA database, such as Asia/Kabul".to_owned()));
        }
        let plain = |text: &str| text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        if !(2..=35).contains(&self.locale.len()) || !plain(&self.locale) {
            return Some(("locale", "a language tag, such as ps-AF".to_owned()));
        }
        if !(1..=3_650).contains(&self.lost_found_retention_days) {
            return Some(("lostFoundRetentionDays", "from 1 to 3650".to_owned()));
        }
        if !(1..=120).contains(&self.lost_found_record_months) {
            return Some(("lostFoundRecordMonths", "from 1 to 120".to_owned()));
        }
        if self.linen_line.as_ref().is_some_and(|line| line.trim().is_empty() || line.chars().count() > 100) {
            return Some(("linenLine", "the name of a line of linen, 1 to 100 characters".to_owned()));
        }
        for (kind, minutes) in &self.estimated_minutes {
            let (word, room_type) = kind.split_once(':').unwrap_or((kind, "any"));
            if TaskKind::from_word(word).is_none() || room_type.is_empty() || kind.chars().count() > 100 {
                let rule =
                    format!("{kind} is not a kind of task, nor a kind and a type of room such as turnover:suite");
                return Some(("estimatedMinutes", rule));
            }
            if !(1..=1_440).contains(minutes) {
                return Some(("estimatedMinutes", "minutes from 1 to 1440".to_owned()));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_in_the_morning_is_the_hotels_own() {
        let last = |zone: &str, now: &str| {
            let settings = Settings { timezone: zone.to_owned(), ..Settings::default() };
            settings.last_three_o_clock(Timestamp::parse(now).unwrap()).to_string()
        };
        assert_eq!(last("Asia/Kabul", "2026-04-22T22:29:00Z"), "2026-04-21T22:30:00.000Z");
        assert_eq!(last("Asia/Kabul", "2026-04-22T22:30:00Z"), "2026-04-22T22:30:00.000Z");
        assert_eq!(last("Asia/Kathmandu", "2026-04-22T21:15:00Z"), "2026-04-22T21:15:00.000Z");
        // The night without a two o'clock has a three, and the night with two of them has one three.
        assert_eq!(last("Europe/Zurich", "2026-03-29T12:00:00Z"), "2026-03-29T01:00:00.000Z");
        assert_eq!(last("Europe/Zurich", "2026-10-25T12:00:00Z"), "2026-10-25T02:00:00.000Z");
    }
}
