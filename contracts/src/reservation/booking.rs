//! A booking: asked for, priced, held, confirmed, cancelled.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    CancelReason, Channel, ChannelAttribution, ConfirmedTotals, FxSnapshot, HeldItem, Hold, HoldingGuest, Occupants,
    Payment, PolicyApplied, PrimaryGuest, QuotedItem, RefundRequest, StayWindow, Totals,
};
use crate::actor::Actor;
use crate::ids::{DeviceId, GuestId, PropertyId, QuoteId, ReservationId, TenantId};
use crate::payload::payload;
use crate::time::Timestamp;
use crate::values::spelled;

/// Somebody asked for a price.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuoteRequestedV1 {
    /// The tenant.
    pub tenant_id: TenantId,
    /// The house.
    #[serde(serialize_with = "spelled::ppt")]
    pub property_id: PropertyId,
    /// The guest, where known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guest_id: Option<GuestId>,
    /// The device that asked, where the guest is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device_id: Option<DeviceId>,
    /// Through which door.
    pub channel: Channel,
    /// For which nights.
    pub stay_window: StayWindow,
    /// For whom.
    pub occupants: Occupants,
    /// When.
    pub requested_at: Timestamp,
}

/// A price was given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuoteCreatedV1 {
    /// The quote.
    pub quote_id: QuoteId,
    /// The tenant.
    pub tenant_id: TenantId,
    /// The house.
    #[serde(serialize_with = "spelled::ppt")]
    pub property_id: PropertyId,
    /// The guest, where known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guest_id: Option<GuestId>,
    /// Through which door.
    pub channel: Channel,
    /// For which nights.
    pub stay_window: StayWindow,
    /// Room by room.
    pub items: Vec<QuotedItem>,
    /// What it all costs.
    pub totals: Totals,
    /// The rate at which money was changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fx_snapshot: Option<FxSnapshot>,
    /// When it was given.
    pub created_at: Timestamp,
    /// Until when it holds.
    pub expires_at: Timestamp,
    /// The version of the thing after this change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregate_version: Option<u64>,
}

/// Rooms are set aside until the guest has paid.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HeldV1 {
    /// The reservation.
    pub reservation_id: ReservationId,
    /// The tenant.
    pub tenant_id: TenantId,
    /// The house.
    #[serde(serialize_with = "spelled::ppt")]
    pub property_id: PropertyId,
    /// What the guest is told, such as `GM-9F4K2C`.
    #[schemars(regex(pattern = "^GM-[A-Z0-9]{6,8}$"))]
    pub reservation_code: String,
    /// Through which door.
    pub channel: Channel,
    /// The travel agency or the site.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partner_id: Option<String>,
    /// The guest who books.
    pub primary_guest: HoldingGuest,
    /// For which nights.
    pub stay_window: StayWindow,
    /// Room by room.
    pub items: Vec<HeldItem>,
    /// What it all costs.
    pub totals: Totals,
    /// For how long.
    pub hold: Hold,
    /// The intended payment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payment_intent_id: Option<String>,
    /// The rate at which money was changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fx_snapshot: Option<FxSnapshot>,
    /// Who booked.
    pub created_by: Actor,
    /// When.
    pub occurred_at: Timestamp,
    /// The version of the thing after this change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregate_version: Option<u64>,
}

/// The guest did not pay in time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HoldExpiredV1 {
    /// The reservation.
    pub reservation_id: ReservationId,
    /// The tenant.
    pub tenant_id: TenantId,
    /// The house.
    #[serde(serialize_with = "spelled::ppt")]
    pub property_id: PropertyId,
    /// The hold.
    pub hold_id: String,
    /// When.
    pub expired_at: Timestamp,
    /// What inventory may give away again.
    #[serde(default)]
    pub inventory_allocation_ids: Vec<String>,
    /// The payment that is off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payment_intent_id: Option<String>,
    /// The version of the thing after this change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregate_version: Option<u64>,
}

/// The guest will come.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConfirmedV1 {
    /// The reservation.
    pub reservation_id: ReservationId,
    /// The tenant.
    pub tenant_id: TenantId,
    /// The house.
    #[serde(serialize_with = "spelled::ppt")]
    pub property_id: PropertyId,
    /// What the guest is told.
    pub reservation_code: String,
    /// For which nights.
    pub stay_window: StayWindow,
    /// What it all costs.
    pub totals: ConfirmedTotals,
    /// How it is paid.
    pub payment: Payment,
    /// The rate at which money was changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fx_snapshot: Option<FxSnapshot>,
    /// Through which door.
    pub channel: ChannelAttribution,
    /// The guest who comes.
    pub primary_guest: PrimaryGuest,
    /// When.
    pub confirmed_at: Timestamp,
    /// The payment event that did it; none when cash comes with the guest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub causation_event_id: Option<String>,
    /// The version of the thing after this change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregate_version: Option<u64>,
}

/// The guest will not come, or not for all the rooms.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CancelledV1 {
    /// The reservation.
    pub reservation_id: ReservationId,
    /// The tenant.
    pub tenant_id: TenantId,
    /// The house.
    #[serde(serialize_with = "spelled::ppt")]
    pub property_id: PropertyId,
    /// When.
    pub cancelled_at: Timestamp,
    /// Why, in words.
    pub reason: String,
    /// Why, in one word.
    pub reason_code: CancelReason,
    /// The rule that was applied.
    pub policy_applied: PolicyApplied,
    /// Money that goes back.
    #[serde(default)]
    pub payment_refunds_requested: Vec<RefundRequest>,
    /// The items; all of them when the whole booking is off.
    #[serde(default)]
    pub items_cancelled: Vec<String>,
    /// Who did it.
    pub actor: Actor,
    /// The event that did it, where one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub causation_event_id: Option<String>,
    /// What was set aside when it was over already, and is to be given back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inventory_allocation_ids: Vec<String>,
    /// The version of the thing after this change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregate_version: Option<u64>,
}

payload! {
    QuoteRequestedV1 = "melmastoon.reservation.quote.requested.v1";
    QuoteCreatedV1 = "melmastoon.reservation.quote.created.v1";
    HeldV1 = "melmastoon.reservation.held.v1";
    HoldExpiredV1 = "melmastoon.reservation.hold_expired.v1";
    ConfirmedV1 = "melmastoon.reservation.confirmed.v1";
    CancelledV1 = "melmastoon.reservation.cancelled.v1";
}
