//! The lists that the desk looks at.

use contracts::ids::{ReservationId, RoomId, RoomTypeId};
use contracts::time::Timestamp;
use contracts::values::Currency;
use schemars::JsonSchema;
use serde::Serialize;

use super::{AlertResource, GuestResource, SpecialRequestResource, WindowResource};
use crate::domain::money::Money;
use crate::domain::reservation::ReservationStatus;

/// One line of the desk's lists.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StayLine {
    pub reservation_id: ReservationId,
    pub reservation_code: String,
    pub status: ReservationStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub primary_guest: Option<GuestResource>,
    pub stay_window: WindowResource,
    pub items: Vec<StayLineItem>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub balance_micro: Option<Money>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<Currency>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_arrival_at: Option<Timestamp>,
    pub overdue: bool,
    pub special_requests: Vec<SpecialRequestResource>,
    /// What somebody has to look at.
    pub alerts: Vec<AlertResource>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StayLineItem {
    pub item_id: String,
    pub room_type_id: RoomTypeId,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub room_id: Option<RoomId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
    /// Absent while housekeeping has told nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub room_ready: Option<bool>,
}
