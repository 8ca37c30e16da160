//! What somebody in the house has to look at, as the outside sees it.

use contracts::actor::Actor;
use contracts::ids::{AlertId, PropertyId, ReservationId, RoomId};
use contracts::reservation::AlertKind;
use contracts::time::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use crate::domain::alerts::Alert;

contracts::closed_words! {
    /// Whether somebody has seen to it.
    AlertStatus {
        /// Nobody has.
        Open = "open",
        /// Somebody has.
        Resolved = "resolved",
    }
}

/// What somebody has to look at.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Alert")]
pub struct AlertResource {
    pub alert_id: AlertId,
    pub property_id: PropertyId,
    pub kind: AlertKind,
    pub status: AlertStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reservation_id: Option<ReservationId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub room_id: Option<RoomId>,
    /// A room that would do instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggested_room_id: Option<RoomId>,
    pub raised_at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolved_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolved_by: Option<Actor>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    pub version: i32,
}

impl From<Alert> for AlertResource {
    fn from(alert: Alert) -> Self {
        let Alert { id, matter, raised_at, seen_to, version } = alert;
        let status = if seen_to.is_some() { AlertStatus::Resolved } else { AlertStatus::Open };
        let (resolved_at, resolved_by, note) = match seen_to {
            None => (None, None, None),
            Some(seen) => (Some(seen.at), Some(seen.by), seen.note),
        };
        Self {
            alert_id: id,
            property_id: matter.property_id,
            kind: matter.kind,
            status,
            reservation_id: matter.reservation_id,
            room_id: matter.room_id,
            suggested_room_id: matter.suggested_room_id,
            raised_at,
            resolved_at,
            resolved_by,
            note,
            version,
        }
    }
}
