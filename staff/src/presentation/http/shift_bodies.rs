//! Bodies of commands on shifts and the clock.

use contracts::ids::{AssignmentId, ClockEntryId, DeviceId, PositionId, PropertyId, ShiftId, StaffId};
use contracts::staff::UtcWindow;
use contracts::time::Timestamp;
use contracts::values::{LocalDate, LocalTime};
use platform::Refusal;
use schemars::JsonSchema;
use serde::Deserialize;

use super::bodies::named;
use crate::application::shifts::When;
use crate::domain::pin::Pin;
use crate::domain::punch::PunchKind;
use crate::domain::words::PlaceRole;

/// A window on the clock of the house; an end that is not after the start is on the next day.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct WindowOfTheHouse {
    pub date: LocalDate,
    pub start_local: LocalTime,
    pub end_local: LocalTime,
}

impl From<WindowOfTheHouse> for When {
    fn from(window: WindowOfTheHouse) -> Self {
        Self::Local { date: window.date, start: window.start_local, end: window.end_local }
    }
}

#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CreateShift {
    pub property_id: PropertyId,
    pub position_id: PositionId,
    /// This or `windowUtc`.
    pub local_window: Option<WindowOfTheHouse>,
    pub window_utc: Option<UtcWindow>,
    pub primary_headcount: Option<i32>,
    pub standby_headcount: Option<i32>,
    pub break_minutes: Option<i32>,
    pub note: Option<String>,
}

impl CreateShift {
    pub(super) fn when(&self) -> Result<When, Refusal> {
        match (self.local_window, &self.window_utc) {
            (Some(local), None) => Ok(local.into()),
            (None, Some(utc)) => Ok(When::Utc { start: utc.start_utc, end: utc.end_utc }),
            _ => Err(Refusal::invalid("localWindow", "this or windowUtc, and not both")),
        }
    }
}

#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChangeShift {
    pub primary_headcount: Option<i32>,
    pub standby_headcount: Option<i32>,
    pub local_window: Option<WindowOfTheHouse>,
    #[serde(default, deserialize_with = "named")]
    #[schemars(with = "Option<String>")]
    pub note: Option<Option<String>>,
}

#[derive(Clone, Deserialize, JsonSchema)]
pub(super) struct CancelShift {
    pub note: Option<String>,
    /// Also one that has begun.
    #[serde(default)]
    pub force: bool,
}

#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct AssignStaff {
    pub staff_id: StaffId,
    pub role: Option<PlaceRole>,
    /// One more than there are places for.
    #[serde(default)]
    pub force: bool,
}

#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PromoteStandby {
    /// Without it: somebody who is there, or else who has waited longest.
    pub assignment_id: Option<AssignmentId>,
    #[serde(default)]
    pub force: bool,
}

#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SwapPlaces {
    pub left_assignment_id: AssignmentId,
    pub right_assignment_id: AssignmentId,
}

contracts::closed_words! {
    /// Where people punch themselves.
    OwnSource {
        ElectronPin = "electron_pin",
        Mobile = "mobile",
        Web = "web",
    }
}

#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PunchTheClock {
    pub kind: PunchKind,
    /// One's own.
    pub staff_id: Option<StaffId>,
    /// Whose, at a terminal; with their PIN.
    pub staff_code: Option<String>,
    pub pin: Option<Pin>,
    /// Now, where none is named.
    #[serde(alias = "occurredAtUtc")]
    pub at: Option<Timestamp>,
    pub property_id: Option<PropertyId>,
    pub shift_id: Option<ShiftId>,
    pub source: Option<OwnSource>,
    pub device_id: Option<DeviceId>,
    /// The device's own number of this punch.
    pub client_punch_id: Option<String>,
}

/// With `staffId` and `kind` a punch is added, with `clockEntryId` one is corrected.
#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct OverridePunch {
    pub staff_id: Option<StaffId>,
    pub kind: Option<PunchKind>,
    pub clock_entry_id: Option<ClockEntryId>,
    pub at: Timestamp,
    pub shift_id: Option<ShiftId>,
    pub property_id: Option<PropertyId>,
    pub reason: String,
}

#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct OfflinePunch {
    pub client_punch_id: String,
    pub kind: PunchKind,
    #[serde(alias = "occurredAtUtc")]
    pub at: Timestamp,
    /// Whose, at a terminal; with their PIN.
    pub staff_code: Option<String>,
    pub pin: Option<Pin>,
    pub property_id: Option<PropertyId>,
    pub shift_id: Option<ShiftId>,
}

#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReplayPunches {
    pub device_id: DeviceId,
    /// What the clock of the device says now.
    pub sent_at: Timestamp,
    #[schemars(length(min = 1, max = 500))]
    pub punches: Vec<OfflinePunch>,
}

#[derive(Clone, Deserialize, JsonSchema)]
pub(super) struct ReviewPunch {
    pub note: Option<String>,
}
