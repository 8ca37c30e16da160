//! How a hotel company works, and what differs in one of its houses.

use contracts::ids::PropertyId;
use contracts::values::LocalDate;
use jiff::tz::TimeZone;
use platform::Decided;
use platform::decided::Aggregate;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use super::words::Weekday;

macro_rules! settings {
    ($($(#[$doc:meta])* $field:ident: $kind:ty = $default:expr;)+) => {
        /// The settings in force.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
        #[serde(rename_all = "camelCase")]
        #[schemars(rename = "StaffSettings")]
        pub struct Settings {
            $($(#[$doc])* pub $field: $kind,)+
            /// Nothing on or before this day is changed any more.
            pub locked_through: Option<LocalDate>,
        }

        impl Default for Settings {
            fn default() -> Self {
                Self { $($field: $default,)+ locked_through: None }
            }
        }

        /// What differs from the settings one level up. What is not named stays as it is.
        #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "camelCase", default)]
        #[schemars(rename = "StaffSettingsChange")]
        pub struct SettingsChange {
            $($(#[$doc])* #[serde(skip_serializing_if = "Option::is_none")] pub $field: Option<$kind>,)+
            /// Nothing on or before this day is changed any more; null opens all of it.
            #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "named")]
            #[schemars(with = "Option<LocalDate>")]
            pub locked_through: Option<Option<LocalDate>>,
        }

        impl SettingsChange {
            /// This, with what a later change names in its place.
            #[must_use]
            pub fn and(self, later: Self) -> Self {
                Self { $($field: later.$field.or(self.$field),)+ locked_through: later.locked_through.or(self.locked_through) }
            }
        }

        impl Settings {
            /// These, where nothing differs.
            #[must_use]
            pub fn with(self, change: &SettingsChange) -> Self {
                let change = change.clone();
                Self {
                    $($field: change.$field.unwrap_or(self.$field),)+
                    locked_through: change.locked_through.unwrap_or(self.locked_through),
                }
            }
        }
    };
}

/// A value that is null is named all the same.
fn named<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(from).map(Some)
}

settings! {
    /// Of the IANA database, such as `Asia/Kabul`.
    timezone: String = "Asia/Kabul".to_owned();
    /// A language tag, such as `ps-AF`.
    locale: String = "ps-AF".to_owned();
    week_starts_on: Weekday = Weekday::Saturday;
    /// So long before a shift an `in` belongs to it.
    clock_in_early_minutes: u32 = 60;
    /// So long before its end a shift ends when the last one goes.
    early_end_minutes: u32 = 60;
    /// So long after its end a shift is closed for those who forgot.
    auto_close_grace_minutes: u32 = 120;
    /// Whoever is in for longer than this has forgotten to punch out.
    max_open_minutes: u32 = 960;
    /// What is believed of whoever forgot to punch out and was on no shift.
    standard_day_minutes: u32 = 480;
    gap_lead_seconds: u32 = 600;
    gap_late_seconds: u32 = 300;
    gap_repeat_seconds: u32 = 900;
    /// Less rest than this between two shifts is warned of.
    min_rest_minutes: u32 = 660;
    /// More work than this in a week is warned of.
    max_weekly_minutes: u32 = 2_880;
    generate_horizon_days: u32 = 28;
    /// Punches of a device without a connection are taken for so long.
    offline_max_days: u32 = 7;
    pin_min_length: u32 = 6;
    /// To how many minutes exports round; 0: not at all.
    round_minutes: u32 = 0;
    time_records_kept_days: u32 = 1_095;
}

impl Settings {
    /// The first field that is out of bounds, with the rule.
    pub fn fault(&self) -> Option<(&'static str, String)> {
        if contracts::time::zone(&self.timezone).is_none() {
            return Some(("timezone", "a zone of the IANA database, such as Asia/Kabul".to_owned()));
        }
        let plain = |text: &str| text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        if !(2..=35).contains(&self.locale.len()) || !plain(&self.locale) {
            return Some(("locale", "a language tag, such as ps-AF".to_owned()));
        }
        let bounds = [
            ("clockInEarlyMinutes", self.clock_in_early_minutes, 0, 720),
            ("earlyEndMinutes", self.early_end_minutes, 0, 1_440),
            ("autoCloseGraceMinutes", self.auto_close_grace_minutes, 0, 1_440),
            ("maxOpenMinutes", self.max_open_minutes, 60, 2_880),
            ("standardDayMinutes", self.standard_day_minutes, 1, 1_440),
            ("gapLeadSeconds", self.gap_lead_seconds, 0, 86_400),
            ("gapLateSeconds", self.gap_late_seconds, 0, 86_400),
            ("gapRepeatSeconds", self.gap_repeat_seconds, 60, 86_400),
            ("minRestMinutes", self.min_rest_minutes, 0, 2_880),
            ("maxWeeklyMinutes", self.max_weekly_minutes, 0, 10_080),
            ("generateHorizonDays", self.generate_horizon_days, 0, 62),
            ("offlineMaxDays", self.offline_max_days, 1, 31),
            ("pinMinLength", self.pin_min_length, 4, 12),
            ("timeRecordsKeptDays", self.time_records_kept_days, 31, 36_500),
        ];
        let outside = bounds.iter().find(|(_, value, least, most)| value < least || value > most);
        if let Some((field, _, least, most)) = outside {
            return Some((field, format!("from {least} to {most}")));
        }
        let rounds = matches!(self.round_minutes, 0 | 5 | 6 | 15);
        (!rounds).then(|| ("roundMinutes", "0, 5, 6 or 15".to_owned()))
    }

    /// The zone of the house; settings that name none that exists are never stored.
    pub fn zone(&self) -> TimeZone {
        TimeZone::get(&self.timezone).unwrap_or(TimeZone::UTC)
    }
}

/// What is kept: what differs from the level above, for the tenant or for one house. Version 0: nothing ever did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeptSettings {
    /// `None`: the tenant's own.
    pub property_id: Option<PropertyId>,
    pub change: SettingsChange,
    pub version: i32,
}

/// Somebody changed how the hotel works. Nobody else is told; who, when and from what is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsChanged {
    pub before: SettingsChange,
}

impl Aggregate for KeptSettings {
    type Event = SettingsChanged;

    fn version_mut(&mut self) -> &mut i32 {
        &mut self.version
    }
}

impl KeptSettings {
    pub fn change(self, to: SettingsChange) -> Decided<Self> {
        let event = SettingsChanged { before: self.change.clone() };
        let changed = Self { change: self.change.and(to), ..self };
        if changed.version == 0 { Decided::opened(changed, event) } else { Decided::changed(changed, event) }
    }
}
