//! The guest arrives, stays and leaves.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use crate::actor::Actor;
use crate::ids::{PropertyId, ReservationId, RoomId, TenantId};
use crate::payload::payload;
use crate::time::Timestamp;
use crate::values::{Currency, Micros, spelled};

/// A room of the stay.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StayRoom {
    /// The item of the booking.
    pub item_id: String,
    /// The room that was given for it.
    pub room_id: RoomId,
}

/// The guest's bill, as it stood at the end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FolioClosing {
    /// The bill.
    pub folio_id: String,
    /// What was left to pay.
    pub final_balance_micro: Micros,
    /// In which currency.
    pub currency: Currency,
    /// Whether it is settled.
    pub settled: bool,
}

/// The rule that was applied, and what it cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PolicyApplied {
    /// The rule.
    #[serde(rename = "ref")]
    pub reference: String,
    /// What the guest gets back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refund_eligibility_micro: Option<Micros>,
    /// What the guest pays for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub penalty_micro: Option<Micros>,
    /// In which currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<Currency>,
}

/// The guest stands at the desk; keys can be made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CheckInStartedV1 {
    /// The reservation.
    pub reservation_id: ReservationId,
    /// The tenant.
    pub tenant_id: TenantId,
    /// The house.
    #[serde(serialize_with = "spelled::ppt")]
    pub property_id: PropertyId,
    /// When.
    pub started_at: Timestamp,
    /// The rooms that are meant for the guest.
    #[serde(default)]
    pub assigned_rooms: Vec<StayRoom>,
    /// Who did it.
    pub actor: Actor,
    /// The version of the thing after this change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregate_version: Option<u64>,
}

/// The guest is in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CheckedInV1 {
    /// The reservation.
    pub reservation_id: ReservationId,
    /// The tenant.
    pub tenant_id: TenantId,
    /// The house.
    #[serde(serialize_with = "spelled::ppt")]
    pub property_id: PropertyId,
    /// When the guest came.
    pub checked_in_at: Timestamp,
    /// The rooms that were given.
    pub assigned_rooms: Vec<StayRoom>,
    /// Keys that were issued; none while a key must be handed over by hand.
    #[serde(default)]
    pub key_credential_ids: Vec<String>,
    /// Whether a key must be handed over by hand.
    #[serde(default)]
    pub requires_manual_key: bool,
    /// Who checked the guest in.
    pub actor: Actor,
    /// Whether the guest came before the agreed time.
    #[serde(default)]
    pub early_check_in: bool,
    /// The version of the thing after this change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregate_version: Option<u64>,
}

/// The guest is about to leave; the bill can be closed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CheckoutStartedV1 {
    /// The reservation.
    pub reservation_id: ReservationId,
    /// The tenant.
    pub tenant_id: TenantId,
    /// The house.
    #[serde(serialize_with = "spelled::ppt")]
    pub property_id: PropertyId,
    /// When.
    pub started_at: Timestamp,
    /// The rooms that will be free.
    #[serde(default)]
    pub rooms: Vec<StayRoom>,
    /// Who did it.
    pub actor: Actor,
    /// The version of the thing after this change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregate_version: Option<u64>,
}

/// The guest is gone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CheckedOutV1 {
    /// The reservation.
    pub reservation_id: ReservationId,
    /// The tenant.
    pub tenant_id: TenantId,
    /// The house.
    #[serde(serialize_with = "spelled::ppt")]
    pub property_id: PropertyId,
    /// When the guest left.
    pub checked_out_at: Timestamp,
    /// Whether the guest left before the booked day.
    pub early_checkout: bool,
    /// Nights the guest stayed beyond the booking.
    pub overstayed_nights: u32,
    /// The bill; those who only need the rooms may be sent none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folio: Option<FolioClosing>,
    /// The rooms that are free now.
    pub rooms: Vec<StayRoom>,
    /// Who checked the guest out.
    pub actor: Actor,
    /// The version of the thing after this change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregate_version: Option<u64>,
}

/// The guest did not come.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NoShowV1 {
    /// The reservation.
    pub reservation_id: ReservationId,
    /// The tenant.
    pub tenant_id: TenantId,
    /// The house.
    #[serde(serialize_with = "spelled::ppt")]
    pub property_id: PropertyId,
    /// When it became known.
    pub occurred_at: Timestamp,
    /// Who said so.
    pub actor: Actor,
    /// The rule that was applied.
    #[serde(default, deserialize_with = "policy_or_its_name", skip_serializing_if = "Option::is_none")]
    pub policy_applied: Option<PolicyApplied>,
    /// What the guest pays for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub penalty_micro: Option<Micros>,
    /// In which currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<Currency>,
    /// The version of the thing after this change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregate_version: Option<u64>,
}

/// The guest left before the booked day.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EarlyCheckoutV1 {
    /// Why, in words; contact data is taken out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The reservation.
    pub reservation_id: ReservationId,
    /// The tenant.
    pub tenant_id: TenantId,
    /// The house.
    #[serde(serialize_with = "spelled::ppt")]
    pub property_id: PropertyId,
    /// When it became known.
    pub occurred_at: Timestamp,
    /// Who said so.
    pub actor: Actor,
    /// The rule that was applied.
    #[serde(default, deserialize_with = "policy_or_its_name", skip_serializing_if = "Option::is_none")]
    pub policy_applied: Option<PolicyApplied>,
    /// What the guest pays for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub penalty_micro: Option<Micros>,
    /// In which currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<Currency>,
    /// The version of the thing after this change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregate_version: Option<u64>,
}

/// The guest should have left and has not. The stay goes on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OverstayedV1 {
    /// The reservation.
    pub reservation_id: ReservationId,
    /// The tenant.
    pub tenant_id: TenantId,
    /// The house.
    #[serde(serialize_with = "spelled::ppt")]
    pub property_id: PropertyId,
    /// When it became known.
    pub occurred_at: Timestamp,
    /// Who said so.
    pub actor: Actor,
    /// The rule that was applied.
    #[serde(default, deserialize_with = "policy_or_its_name", skip_serializing_if = "Option::is_none")]
    pub policy_applied: Option<PolicyApplied>,
    /// What the guest pays for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub penalty_micro: Option<Micros>,
    /// In which currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<Currency>,
    /// The version of the thing after this change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregate_version: Option<u64>,
}

payload! {
    CheckInStartedV1 = "melmastoon.reservation.check_in_started.v1";
    CheckedInV1 = "melmastoon.reservation.checked_in.v1";
    CheckoutStartedV1 = "melmastoon.reservation.checkout_started.v1";
    CheckedOutV1 = "melmastoon.reservation.checked_out.v1";
    NoShowV1 = "melmastoon.reservation.no_show.v1";
    EarlyCheckoutV1 = "melmastoon.reservation.early_checkout.v1";
    OverstayedV1 = "melmastoon.reservation.overstayed.v1";
}

impl CheckedOutV1 {
    /// The rooms in the order in which every writer locks them.
    pub fn room_ids_sorted(&self) -> Vec<&RoomId> {
        let mut rooms: Vec<&RoomId> = self.rooms.iter().map(|room| &room.room_id).collect();
        rooms.sort_unstable();
        rooms.dedup();
        rooms
    }
}

/// Some write the whole rule, some its name alone.
fn policy_or_its_name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<PolicyApplied>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either {
        Name(String),
        Whole(PolicyApplied),
    }
    Ok(Option::<Either>::deserialize(deserializer)?.map(|either| match either {
        Either::Name(reference) => {
            PolicyApplied { reference, refund_eligibility_micro: None, penalty_micro: None, currency: None }
        }
        Either::Whole(policy) => policy,
    }))
}
