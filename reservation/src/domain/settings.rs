//! How a tenant works, and what one of its houses does differently.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use contracts::ids::PropertyId;
use contracts::time::Timestamp;
use contracts::values::{Currency, LocalTime};
use platform::Decided;
use platform::decided::Aggregate;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

contracts::closed_words! {
    /// What a room that housekeeping has not given free means at check-in.
    RoomReadiness {
        /// The desk is told.
        Warn = "warn",
        /// The desk has to insist.
        Require = "require",
        /// Nothing.
        Ignore = "ignore",
    }
}

contracts::closed_words! {
    /// Who keeps the count of the rooms.
    InventoryMode {
        /// We do.
        Embedded = "embedded",
        /// Another service, which tells us what it has set aside.
        External = "external",
    }
}

/// So many characters the version of a policy has.
const POLICY_VERSION: std::ops::RangeInclusive<usize> = 1..=20;

/// What is in force in a house.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ReservationSettings")]
pub struct Settings {
    /// What people call the house.
    pub house_name: Option<String>,
    pub timezone: String,
    pub locale: String,
    pub currency: Currency,
    /// Where its data lives.
    pub region: String,
    pub hold_ttl_seconds: u32,
    pub quote_ttl_seconds: u32,
    #[serde(deserialize_with = "text_or_number")]
    pub cancellation_policy_version: String,
    pub no_show_grace_hours: u32,
    pub auto_no_show: bool,
    pub check_in_time: LocalTime,
    pub check_out_time: LocalTime,
    pub overstay_grace_hours: u32,
    pub day_roll_time: LocalTime,
    pub deposit_ppm: u32,
    pub tax_ppm: u32,
    pub inventory_mode: InventoryMode,
    pub room_readiness: RoomReadiness,
    pub allow_unsettled_checkout: bool,
}

/// The version of a policy that a value names: a text or a whole number.
pub fn policy_version(value: &Value) -> Option<String> {
    text_or_number(value).ok().filter(|version| POLICY_VERSION.contains(&version.len()))
}

fn text_or_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either {
        Text(String),
        Number(u32),
    }
    Ok(match Either::deserialize(deserializer)? {
        Either::Text(text) => text,
        Either::Number(number) => number.to_string(),
    })
}

fn at(hour: i8) -> LocalTime {
    LocalTime(jiff::civil::time(hour, 0, 0, 0))
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            house_name: None,
            timezone: "Asia/Kabul".to_owned(),
            locale: "ps-AF".to_owned(),
            currency: Currency::parse("AFN").unwrap_or_else(|_| unreachable!("three capital letters")),
            region: "gcp-me-central1".to_owned(),
            hold_ttl_seconds: 600,
            quote_ttl_seconds: 900,
            cancellation_policy_version: "1".to_owned(),
            no_show_grace_hours: 12,
            auto_no_show: true,
            check_in_time: at(14),
            check_out_time: at(12),
            overstay_grace_hours: 3,
            day_roll_time: at(5),
            deposit_ppm: 0,
            tax_ppm: 0,
            inventory_mode: InventoryMode::Embedded,
            room_readiness: RoomReadiness::Warn,
            allow_unsettled_checkout: false,
        }
    }
}

impl Settings {
    /// The first value that is out of bounds, with the rule.
    pub fn fault(&self) -> Option<(&'static str, &'static str)> {
        let plain = |text: &str| text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        let name = self
            .house_name
            .as_deref()
            .is_none_or(|name| (1..=80).contains(&name.trim().chars().count()) && !name.chars().any(char::is_control));
        let rules = [
            (name, "houseName", "1 to 80 characters, or null"),
            (contracts::time::zone(&self.timezone).is_some(), "timezone", "a zone such as Asia/Kabul"),
            ((2..=35).contains(&self.locale.len()) && plain(&self.locale), "locale", "a language tag such as ps-AF"),
            ((1..=60).contains(&self.region.len()) && plain(&self.region), "region", "letters, digits and dashes"),
            ((120..=1_800).contains(&self.hold_ttl_seconds), "holdTtlSeconds", "from 120 to 1800"),
            ((60..=86_400).contains(&self.quote_ttl_seconds), "quoteTtlSeconds", "from 60 to 86400"),
            (
                POLICY_VERSION.contains(&self.cancellation_policy_version.len()),
                "cancellationPolicyVersion",
                "1 to 20 characters",
            ),
            (self.no_show_grace_hours <= 72, "noShowGraceHours", "from 0 to 72"),
            (self.overstay_grace_hours <= 24, "overstayGraceHours", "from 0 to 24"),
            (self.deposit_ppm <= 1_000_000, "depositPpm", "from 0 to 1000000"),
            (self.tax_ppm <= 1_000_000, "taxPpm", "from 0 to 1000000"),
            (self.day_roll_time < self.check_out_time, "dayRollTime", "before checkOutTime"),
        ];
        rules.into_iter().find(|(holds, ..)| !holds).map(|(_, field, rule)| (field, rule))
    }
}

/// A value that a setting cannot have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {rule}")]
pub struct BadSetting {
    pub field: String,
    pub rule: String,
}

/// What a tenant, or one of its houses, has said about how it works.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SaidSettings {
    /// `None`: for all of the tenant's houses.
    pub property: Option<PropertyId>,
    pub values: Map<String, Value>,
    pub said_at: BTreeMap<String, Timestamp>,
    pub version: i32,
}

/// Somebody changed how the house works. Nobody else is told; who, when and from what is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsChanged {
    pub before: Map<String, Value>,
}

impl Aggregate for SaidSettings {
    type Event = SettingsChanged;
    fn version_mut(&mut self) -> &mut i32 {
        &mut self.version
    }
}

/// Every setting with what it is where nobody has said anything.
static KNOWN: LazyLock<Map<String, Value>> = LazyLock::new(|| match serde_json::to_value(Settings::default()) {
    Ok(Value::Object(map)) => map,
    _ => Map::new(),
});

/// Whether there is a setting of this name.
pub fn is_known(field: &str) -> bool {
    KNOWN.contains_key(field)
}

/// What is in force: the defaults, under what the tenant says, under what the house says.
pub fn in_force(tenant: &SaidSettings, house: Option<&SaidSettings>) -> Result<Settings, BadSetting> {
    let said: Map<String, Value> = std::iter::once(tenant).chain(house).flat_map(|one| one.values.clone()).collect();
    if said.is_empty() {
        return Ok(Settings::default());
    }
    read(said)
}

/// Whether what the tenant says goes together with what each of its houses says.
pub fn hold_together(tenant: &SaidSettings, houses: &[SaidSettings]) -> Result<(), BadSetting> {
    for house in houses {
        in_force(tenant, Some(house)).map_err(|bad| match &house.property {
            Some(property) => BadSetting { rule: format!("{} (in house {property})", bad.rule), ..bad },
            None => bad,
        })?;
    }
    Ok(())
}

fn read(said: Map<String, Value>) -> Result<Settings, BadSetting> {
    let mut whole = KNOWN.clone();
    whole.extend(said.clone());
    let settings = Settings::deserialize(&Value::Object(whole)).map_err(|error| the_one_at_fault(said, &error))?;
    match settings.fault() {
        Some((field, rule)) => Err(BadSetting { field: field.to_owned(), rule: rule.to_owned() }),
        None => Ok(settings),
    }
}

/// The value that does not fit, found by taking one more at a time.
fn the_one_at_fault(said: Map<String, Value>, whole: &serde_json::Error) -> BadSetting {
    let mut some = KNOWN.clone();
    for (field, value) in said {
        some.insert(field.clone(), value);
        if let Err(error) = Settings::deserialize(&Value::Object(some.clone())) {
            return BadSetting { field, rule: error.to_string() };
        }
    }
    BadSetting { field: String::new(), rule: whole.to_string() }
}

impl SaidSettings {
    /// Takes the values that it knows and that were said later than its own; refuses all of them where one cannot be.
    /// `None`: nothing new was said. `below` is what the tenant says, where this is a house.
    pub fn change(
        self,
        values: Map<String, Value>,
        at: Timestamp,
        below: Option<&Self>,
    ) -> Result<Option<Decided<Self>>, BadSetting> {
        let newer = |field: &String| self.said_at.get(field).is_none_or(|said| *said <= at);
        let newer = values.into_iter().filter(|(field, _)| newer(field)).collect();
        self.take(newer, at, below)
    }

    /// What a person says now holds from now on, also where another service's clock was ahead.
    pub fn change_by_hand(
        self,
        values: Map<String, Value>,
        now: Timestamp,
        below: Option<&Self>,
    ) -> Result<Option<Decided<Self>>, BadSetting> {
        self.take(values, now, below)
    }

    fn take(
        self,
        values: Map<String, Value>,
        at: Timestamp,
        below: Option<&Self>,
    ) -> Result<Option<Decided<Self>>, BadSetting> {
        let mut next = self.clone();
        for (field, value) in values.into_iter().filter(|(field, _)| is_known(field)) {
            let said_at = self.said_at.get(&field).map_or(at, |said| at.max(*said));
            next.said_at.insert(field.clone(), said_at);
            next.values.insert(field, value);
        }
        match below {
            Some(tenant) => in_force(tenant, Some(&next))?,
            None => in_force(&next, None)?,
        };
        if next == self {
            return Ok(None);
        }
        let event = SettingsChanged { before: self.values };
        Ok(Some(if next.version == 0 { Decided::opened(next, event) } else { Decided::changed(next, event) }))
    }
}
