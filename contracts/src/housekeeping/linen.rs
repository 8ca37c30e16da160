//! Linen in stock.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::{PropertyId, TenantId};
use crate::payload::payload;
use crate::time::Timestamp;

/// A kind of linen runs low. Said at most once an hour for each kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LinenLowStockAlertV1 {
    /// The tenant.
    pub tenant_id: TenantId,
    /// The house.
    pub property_id: PropertyId,
    /// The kind of linen, such as `bath_towel`.
    pub line: String,
    /// Pieces in stock.
    pub on_hand: u32,
    /// Pieces below which it is too few.
    pub low_watermark: u32,
    /// When it was noticed.
    pub detected_at: Timestamp,
}

payload! {
    LinenLowStockAlertV1 = "melmastoon.housekeeping.linen.low_stock_alert.v1";
}
