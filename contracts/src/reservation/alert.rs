//! Something about a stay, or a room, that somebody in the house has to look at.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::{AlertId, PropertyId, ReservationId, RoomId, TenantId};
use crate::payload::payload;
use crate::time::Timestamp;
use crate::values::spelled;
use crate::words::open_words;

open_words! {
    /// What is the matter.
    AlertKind {
        /// A room cannot be used, and somebody has it.
        RoomOutOfOrder = "room_out_of_order",
        /// Another inventory took rooms back that were promised.
        AllocationFailed = "allocation_failed",
        /// Money came that cannot be counted.
        PaymentMismatch = "payment_mismatch",
        /// A key could not be made.
        KeyFailed = "key_failed",
        /// More was sold than there is.
        Overbooked = "overbooked",
        /// A guest stays on, and somebody else is to have the room.
        OverstayConflict = "overstay_conflict",
        /// The rules that were named are not known.
        PolicyUnknown = "policy_unknown",
        /// A house is closed, and somebody is to come.
        PropertyClosed = "property_closed",
    }
}

/// Somebody in the house has to look at something.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AlertRaisedV1 {
    /// The alert.
    pub alert_id: AlertId,
    /// The tenant.
    pub tenant_id: TenantId,
    /// The house.
    #[serde(serialize_with = "spelled::ppt")]
    pub property_id: PropertyId,
    /// The reservation, where it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reservation_id: Option<ReservationId>,
    /// The room, where it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub room_id: Option<RoomId>,
    /// What is the matter.
    pub kind: AlertKind,
    /// A room that would do instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggested_room_id: Option<RoomId>,
    /// When.
    pub raised_at: Timestamp,
}

payload! {
    AlertRaisedV1 = "melmastoon.reservation.alert.raised.v1";
}
