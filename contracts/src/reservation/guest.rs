//! What becomes of a guest's own data.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::{GuestId, ReservationId, TenantId};
use crate::payload::payload;
use crate::time::Timestamp;

/// A guest asked to be forgotten: whoever keeps something of theirs forgets it too, but for what the law wants kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GuestErasedV1 {
    /// The guest.
    pub guest_id: GuestId,
    /// The tenant.
    pub tenant_id: TenantId,
    /// What they ever booked: what others keep of them is kept under these.
    pub reservation_ids: Vec<ReservationId>,
    /// When.
    pub erased_at: Timestamp,
}

payload! {
    GuestErasedV1 = "melmastoon.reservation.guest.erased.v1";
}
