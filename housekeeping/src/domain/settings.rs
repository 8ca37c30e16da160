//! How a hotel company works, with defaults that suit most.

use std::collections::BTreeMap;

use contracts::housekeeping::TaskKind;
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
    pub auto_mid_stay: bool,
    pub timezone: String,
    pub locale: String,
    /// Minutes by kind, where they differ from the defaults.
    pub estimated_minutes: BTreeMap<String, i32>,
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
            auto_mid_stay: true,
            timezone: "Asia/Kabul".to_owned(),
            locale: "ps-AF".to_owned(),
            estimated_minutes: BTreeMap::new(),
        }
    }
}

impl Settings {
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

    /// The first field that is out of bounds, with the rule.
    pub fn fault(&self) -> Option<(&'static str, String)> {
        if jiff::tz::TimeZone::get(&self.timezone).is_err() {
            return Some(("timezone", "a zone of the IANA database, such as Asia/Kabul".to_owned()));
        }
        let plain = |text: &str| text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        if !(2..=35).contains(&self.locale.len()) || !plain(&self.locale) {
            return Some(("locale", "a language tag, such as ps-AF".to_owned()));
        }
        if !(1..=3_650).contains(&self.lost_found_retention_days) {
            return Some(("lostFoundRetentionDays", "from 1 to 3650".to_owned()));
        }
        for (kind, minutes) in &self.estimated_minutes {
            if TaskKind::from_word(kind).is_none() {
                return Some(("estimatedMinutes", format!("{kind} is not a kind of task")));
            }
            if !(1..=1_440).contains(minutes) {
                return Some(("estimatedMinutes", "minutes from 1 to 1440".to_owned()));
            }
        }
        None
    }
}
