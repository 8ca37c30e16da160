//! Things guests leave behind.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::{LostItemId, PropertyId, ReservationId, RoomId, StaffId, TenantId};
use crate::payload::payload;
use crate::time::Timestamp;
use crate::words::closed_words;

closed_words! {
    /// What became of a thing nobody claimed.
    DisposalMethod {
        /// Given away.
        Donated = "donated",
        /// Thrown away.
        Trashed = "trashed",
        /// Put into long-term storage.
        KeptStorage = "kept_storage",
    }
}

/// Something was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LostItemRecordedV1 {
    /// The item.
    pub lost_item_id: LostItemId,
    /// The tenant.
    pub tenant_id: TenantId,
    /// The house.
    pub property_id: PropertyId,
    /// The room in which it lay.
    pub room_id: RoomId,
    /// The stay it seems to belong to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reservation_id: Option<ReservationId>,
    /// What it is.
    pub description: String,
    /// Pictures of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub photo_media_ids: Option<Vec<String>>,
    /// When it was found.
    pub recorded_at: Timestamp,
    /// Who found it.
    pub finder_staff_id: StaffId,
    /// The version of the item after this change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregate_version: Option<u64>,
}

/// Somebody claimed it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LostItemMatchedV1 {
    /// The item.
    pub lost_item_id: LostItemId,
    /// The tenant.
    pub tenant_id: TenantId,
    /// The name of whoever claimed it.
    pub claimant_name: String,
    /// Their telephone number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claimant_phone: Option<String>,
    /// When.
    pub matched_at: Timestamp,
    /// Who took the claim.
    pub matched_by_staff_id: StaffId,
    /// The version of the item after this change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregate_version: Option<u64>,
}

/// Nobody claimed it in time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LostItemDisposedV1 {
    /// The item.
    pub lost_item_id: LostItemId,
    /// The tenant.
    pub tenant_id: TenantId,
    /// What became of it.
    pub method: DisposalMethod,
    /// When.
    pub disposed_at: Timestamp,
    /// What else there is to say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The version of the item after this change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregate_version: Option<u64>,
}

payload! {
    LostItemRecordedV1 = "melmastoon.housekeeping.lost_item.recorded.v1";
    LostItemMatchedV1 = "melmastoon.housekeeping.lost_item.matched.v1";
    LostItemDisposedV1 = "melmastoon.housekeeping.lost_item.disposed.v1";
}
