//! Linen and found things as callers see them: the row of the data model in camelCase.

use contracts::actor::Actor;
use contracts::housekeeping::DisposalMethod;
use contracts::ids::{LinenLineId, LostItemId, PropertyId, ReservationId, RoomId, StaffId, TaskId, TenantId};
use contracts::time::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use crate::domain::linen::{Direction, LinenLine};
use crate::domain::lost_item::{LostItem, LostItemStatus};
use crate::infrastructure::linen::Recorded;

/// A kind of linen and how much of it there is.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "LinenLine")]
pub struct LinenLineResource {
    /// Whose it is; a board, which is one hotel's, does not repeat it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tenant_id: Option<TenantId>,
    pub id: LinenLineId,
    pub line_id: LinenLineId,
    pub property_id: PropertyId,
    pub line: String,
    pub on_hand: i32,
    pub low_watermark: i32,
    pub version: i32,
    pub updated_at: Timestamp,
}

impl From<&LinenLine> for LinenLineResource {
    fn from(line: &LinenLine) -> Self {
        Self {
            tenant_id: None,
            id: line.id.clone(),
            line_id: line.id.clone(),
            property_id: line.property_id.clone(),
            line: line.line.clone(),
            on_hand: line.on_hand,
            low_watermark: line.low_watermark,
            version: line.version,
            updated_at: line.updated_at,
        }
    }
}

/// Linen that went out, came back, or was counted anew.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "LinenMovement")]
pub struct LinenMovementResource {
    pub id: String,
    pub line_id: LinenLineId,
    pub direction: Direction,
    /// Pieces; for an adjustment the difference, with its sign.
    pub count: i32,
    pub task_id: Option<TaskId>,
    pub occurred_at: Timestamp,
    pub actor: Actor,
}

impl LinenMovementResource {
    pub fn of(line: &LinenLineId, one: Recorded) -> Self {
        Self {
            id: one.place.to_string(),
            line_id: line.clone(),
            direction: one.movement.direction,
            count: one.movement.count,
            task_id: one.movement.task,
            occurred_at: one.at,
            actor: one.by,
        }
    }
}

/// A thing somebody left behind. It names a guest: no `Debug`, so that no log can.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "LostItem")]
#[expect(missing_debug_implementations, reason = "it names a guest, and what cannot be printed is in no log")]
pub struct LostItemResource {
    /// Whose it is; a board, which is one hotel's, does not repeat it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tenant_id: Option<TenantId>,
    pub id: LostItemId,
    pub lost_item_id: LostItemId,
    pub property_id: PropertyId,
    pub room_id: RoomId,
    pub reservation_id: Option<ReservationId>,
    pub description: String,
    pub photo_media_ids: Option<Vec<String>>,
    pub storage_location: Option<String>,
    pub finder_staff_id: StaffId,
    pub status: LostItemStatus,
    pub matched_at: Option<Timestamp>,
    pub matched_by_staff: Option<StaffId>,
    pub claimant_name: Option<String>,
    pub claimant_phone: Option<String>,
    pub disposed_at: Option<Timestamp>,
    pub dispose_method: Option<DisposalMethod>,
    pub recorded_at: Timestamp,
    pub version: i32,
}

impl From<&LostItem> for LostItemResource {
    fn from(item: &LostItem) -> Self {
        let (claim, disposal) = (item.state.claim(), item.state.disposal());
        Self {
            tenant_id: None,
            id: item.id.clone(),
            lost_item_id: item.id.clone(),
            property_id: item.find.property_id.clone(),
            room_id: item.find.room_id.clone(),
            reservation_id: item.find.reservation_id.clone(),
            description: item.find.description.clone(),
            photo_media_ids: item.find.photo_media_ids.clone(),
            storage_location: item.find.storage_location.clone(),
            finder_staff_id: item.find.finder.clone(),
            status: item.state.status(),
            matched_at: claim.map(|claim| claim.at),
            matched_by_staff: claim.map(|claim| claim.by.clone()),
            claimant_name: claim.map(|claim| claim.name.clone()),
            claimant_phone: claim.and_then(|claim| claim.phone.clone()),
            disposed_at: disposal.map(|(at, _)| at),
            dispose_method: disposal.map(|(_, method)| method),
            recorded_at: item.recorded_at,
            version: item.version,
        }
    }
}
