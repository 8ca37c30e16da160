//! A booking changes, or a guest wishes for something.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{PolicyApplied, StayWindow};
use crate::actor::Actor;
use crate::envelope::AiProvenance;
use crate::ids::{PropertyId, ReservationId, TenantId};
use crate::payload::payload;
use crate::time::Timestamp;
use crate::values::{Micros, spelled};
use crate::words::open_words;

open_words! {
    /// What was changed.
    ModificationType {
        /// The days.
        DateChange = "date_change",
        /// The room.
        RoomChange = "room_change",
        /// One more room.
        RoomAdded = "room_added",
        /// One room less.
        RoomRemoved = "room_removed",
        /// Who sleeps in a room.
        GuestCountChange = "guest_count_change",
        /// The price.
        RateChange = "rate_change",
        /// What is known of the guest.
        GuestProfileUpdate = "guest_profile_update",
        /// The door it came through.
        ChannelAttributionCorrected = "channel_attribution_corrected",
        /// The state, by hand.
        ManualStateOverride = "manual_state_override",
    }

    /// Which way money goes.
    MoneyDirection {
        /// The guest pays.
        Charge = "charge",
        /// The guest gets it back.
        Refund = "refund",
    }

    /// Who noted a wish.
    RequestSource {
        /// The guest.
        Guest = "guest",
        /// The house.
        Staff = "staff",
        /// A program that read the guest's message.
        AiParser = "ai_parser",
    }
}

/// Money that follows from a change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MoneyRequest {
    /// The payment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payment_intent_id: Option<String>,
    /// How much.
    pub amount_micro: Micros,
    /// Which way.
    pub direction: MoneyDirection,
}

/// A booking changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModifiedV1 {
    /// The reservation.
    pub reservation_id: ReservationId,
    /// The tenant.
    pub tenant_id: TenantId,
    /// The house.
    #[serde(serialize_with = "spelled::ppt_if_any", skip_serializing_if = "Option::is_none")]
    pub property_id: Option<PropertyId>,
    /// The change.
    pub modification_id: String,
    /// What was changed.
    #[serde(rename = "type")]
    pub kind: ModificationType,
    /// When.
    pub occurred_at: Timestamp,
    /// Who did it.
    pub actor: Actor,
    /// How it was; for a change of room `itemId` and `roomId`.
    pub before: Map<String, Value>,
    /// How it is; the same fields.
    pub after: Map<String, Value>,
    /// The rule that was applied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy_applied_ref: Option<String>,
    /// The rule, and what it cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy_applied: Option<PolicyApplied>,
    /// What it costs more, or less.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price_delta_micro: Option<Micros>,
    /// Money that follows from it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refund_or_charge_request: Option<MoneyRequest>,
    /// The version of the thing after this change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregate_version: Option<u64>,
}

/// The guest comes or leaves on another day.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DatesChangedV1 {
    /// The reservation.
    pub reservation_id: ReservationId,
    /// The tenant.
    pub tenant_id: TenantId,
    /// The house.
    #[serde(serialize_with = "spelled::ppt")]
    pub property_id: PropertyId,
    /// The change.
    pub modification_id: String,
    /// When.
    pub occurred_at: Timestamp,
    /// Who did it.
    pub actor: Actor,
    /// The nights as they were.
    pub before: StayWindow,
    /// The nights as they are.
    pub after: StayWindow,
    /// The rule that was applied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy_applied_ref: Option<String>,
    /// What it costs more, or less.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price_delta_micro: Option<Micros>,
    /// The version of the thing after this change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregate_version: Option<u64>,
}

/// A guest asks for a change that somebody else must make.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModificationRequestedV1 {
    /// The reservation.
    pub reservation_id: ReservationId,
    /// The tenant.
    pub tenant_id: TenantId,
    /// The house.
    #[serde(serialize_with = "spelled::ppt")]
    pub property_id: PropertyId,
    /// What is asked for, such as `mid_stay_clean`.
    pub requested_mods: Vec<String>,
    /// When.
    pub requested_at: Timestamp,
    /// Who did it.
    pub actor: Actor,
    /// The version of the thing after this change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregate_version: Option<u64>,
}

/// A guest wishes for something.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SpecialRequestAddedV1 {
    /// The reservation.
    pub reservation_id: ReservationId,
    /// The tenant.
    pub tenant_id: TenantId,
    /// The wish.
    pub request_id: String,
    /// The wish in known words, such as `mid_stay_clean`.
    pub tags: Vec<String>,
    /// The wish in the guest's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub free_text: Option<String>,
    /// In which language.
    pub locale: String,
    /// Who noted it.
    pub source: RequestSource,
    /// When.
    pub occurred_at: Timestamp,
    /// Who did it.
    pub actor: Actor,
    /// Which program read it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ai_provenance: Option<AiProvenance>,
    /// The version of the thing after this change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregate_version: Option<u64>,
}

payload! {
    ModifiedV1 = "melmastoon.reservation.modified.v1";
    DatesChangedV1 = "melmastoon.reservation.dates_changed.v1";
    ModificationRequestedV1 = "melmastoon.reservation.modification.requested.v1";
    SpecialRequestAddedV1 = "melmastoon.reservation.special_request.added.v1";
}
