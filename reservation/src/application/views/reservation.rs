//! A reservation as the outside sees it.

use contracts::actor::Actor;
use contracts::ids::{PropertyId, ReservationId, RoomId, RoomTypeId};
use contracts::reservation::{
    CancelReason, Channel, FxSnapshot, Occupants, PaymentMethod, PaymentStatus, PolicyApplied, RequestSource,
};
use contracts::time::Timestamp;
use contracts::values::Currency;
use schemars::JsonSchema;
use serde::Serialize;

use super::{GuestResource, TotalsResource, WindowResource};
use crate::domain::money::{Money, TooMuch};
use crate::domain::reservation::{Item, Reservation, ReservationStatus, SpecialRequest};
use crate::infrastructure::guests::KnownGuest;
use crate::infrastructure::told::allocation_ids;

contracts::closed_words! {
    /// What a reservation waits for.
    SagaStep {
        /// Rooms, of the service that keeps the count.
        AwaitAllocation = "await_allocation",
        /// Money.
        AwaitPayment = "await_payment",
        /// Keys.
        AwaitKeys = "await_keys",
    }
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ReservationItem")]
pub struct ItemResource {
    pub item_id: String,
    pub room_type_id: RoomTypeId,
    pub occupants: Occupants,
    /// The mean of its nights.
    pub nightly_rate_micro: Money,
    pub currency: Currency,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub room_id: Option<RoomId>,
    pub room_pinned: bool,
    /// active, or cancelled
    pub status: &'static str,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ReservationHold")]
pub struct HoldResource {
    pub hold_id: String,
    pub placed_at: Timestamp,
    pub expires_at: Timestamp,
    pub ttl_seconds: u32,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ReservationPayment")]
pub struct PaymentResource {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<PaymentMethod>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<PaymentStatus>,
    pub payment_intent_ids: Vec<String>,
    pub required_micro: Money,
    pub captured_micro: Money,
    pub cash_micro: Money,
    pub refund_requested_micro: Money,
    pub total_refunded_micro: Money,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ReservationCancellation")]
pub struct CancellationResource {
    pub reason_code: CancelReason,
    pub reason: String,
    pub cancelled_at: Timestamp,
    pub policy_applied: PolicyApplied,
}

/// Something that a guest wishes for.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SpecialRequest")]
pub struct SpecialRequestResource {
    pub request_id: String,
    pub tags: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub free_text: Option<String>,
    pub locale: String,
    pub source: RequestSource,
    pub requested_at: Timestamp,
}

impl From<&SpecialRequest> for SpecialRequestResource {
    fn from(request: &SpecialRequest) -> Self {
        Self {
            request_id: request.id.clone(),
            tags: request.tags.clone(),
            free_text: request.free_text.clone(),
            locale: request.locale.clone(),
            source: request.source.clone(),
            requested_at: request.at,
        }
    }
}

/// A reservation.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Reservation")]
pub struct ReservationResource {
    pub reservation_id: ReservationId,
    pub reservation_code: String,
    pub property_id: PropertyId,
    pub status: ReservationStatus,
    pub channel: Channel,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partner_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub external_reference: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group_code: Option<String>,
    pub primary_guest: GuestResource,
    pub stay_window: WindowResource,
    pub items: Vec<ItemResource>,
    pub totals: TotalsResource,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fx_snapshot: Option<FxSnapshot>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hold: Option<HoldResource>,
    pub pending_saga_step: Option<SagaStep>,
    pub inventory_allocation_ids: Vec<String>,
    pub payment: PaymentResource,
    /// What the guest owes; below zero: what the house owes.
    pub balance_micro: Money,
    pub folio_id: String,
    pub policy_ref: String,
    pub key_credential_ids: Vec<String>,
    pub requires_manual_key: bool,
    pub early_check_in: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checked_in_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checked_out_at: Option<Timestamp>,
    pub overstayed_nights: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cancellation: Option<CancellationResource>,
    pub special_requests: Vec<SpecialRequestResource>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_arrival_at: Option<Timestamp>,
    /// What the desk should know about the step that was just taken.
    pub warnings: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_modification_id: Option<String>,
    pub created_by: Actor,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub version: i32,
}

impl ReservationResource {
    pub fn of(reservation: &Reservation, known: Option<&KnownGuest>, warnings: Vec<String>) -> Result<Self, TooMuch> {
        let totals = reservation.totals()?;
        let in_house = reservation.in_house_currency(totals.grand);
        let held = reservation.status == ReservationStatus::Held;
        let item_of = |item: &Item| ItemResource {
            item_id: item.id.clone(),
            room_type_id: item.room_type_id.clone(),
            occupants: item.occupants.clone(),
            nightly_rate_micro: item.price().unwrap_or_default().mean_of(item.nightly_rates.len()),
            currency: reservation.currency,
            room_id: item.room().cloned(),
            room_pinned: item.place.as_ref().is_some_and(|place| place.pinned),
            status: if item.active { "active" } else { "cancelled" },
        };
        let awaits_cash = reservation.awaits_cash()?;
        let payment_status = reservation
            .method
            .as_ref()
            .map(|_| if awaits_cash { PaymentStatus::PendingCash } else { PaymentStatus::Captured });
        Ok(Self {
            reservation_id: reservation.id.clone(),
            reservation_code: reservation.code.clone(),
            property_id: reservation.property_id.clone(),
            status: reservation.status,
            channel: reservation.channel.clone(),
            partner_id: reservation.partner_id.clone(),
            external_reference: reservation.external_reference.clone(),
            group_code: reservation.group_code.clone(),
            primary_guest: GuestResource::of(&reservation.guest, known),
            stay_window: WindowResource::from(reservation.stay),
            items: reservation.items.iter().map(item_of).collect(),
            totals: TotalsResource {
                room_total_micro: totals.room,
                tax_micro: totals.tax,
                grand_total_micro: totals.grand,
                currency: reservation.currency,
                in_tenant_currency_micro: in_house,
                tenant_currency: in_house.map(|_| reservation.house_currency),
            },
            fx_snapshot: reservation.fx.clone(),
            hold: held.then(|| HoldResource {
                hold_id: reservation.hold.hold_id.clone(),
                placed_at: reservation.hold.placed_at,
                expires_at: reservation.hold.expires_at,
                ttl_seconds: reservation.hold.ttl_seconds,
            }),
            pending_saga_step: match reservation.status {
                ReservationStatus::Held if !reservation.is_allocated() => Some(SagaStep::AwaitAllocation),
                ReservationStatus::Held => Some(SagaStep::AwaitPayment),
                ReservationStatus::CheckInStarted => Some(SagaStep::AwaitKeys),
                _ => None,
            },
            inventory_allocation_ids: allocation_ids(reservation),
            payment: PaymentResource {
                method: reservation.paid_by()?,
                status: payment_status,
                payment_intent_ids: reservation.payment_intents(),
                required_micro: reservation.required()?,
                captured_micro: reservation.facts.captured_sum()?,
                cash_micro: reservation.cash()?,
                refund_requested_micro: Money::sum(reservation.refunds_requested.values().copied())?,
                total_refunded_micro: reservation.facts.refunded_sum()?,
            },
            balance_micro: reservation.balance()?,
            folio_id: reservation.folio_id.clone(),
            policy_ref: reservation.policy.reference(),
            key_credential_ids: reservation.facts.keys(),
            requires_manual_key: reservation.requires_manual_key(),
            early_check_in: reservation.early_check_in,
            checked_in_at: reservation.checked_in_at,
            checked_out_at: reservation.checked_out_at,
            overstayed_nights: reservation.overstayed_nights,
            cancellation: reservation.cancellation.as_ref().map(|one| CancellationResource {
                reason_code: one.reason_code.clone(),
                reason: one.reason.clone(),
                cancelled_at: one.at,
                policy_applied: one.policy_applied.clone(),
            }),
            special_requests: reservation.special_requests.iter().map(SpecialRequestResource::from).collect(),
            expected_arrival_at: reservation.expected_arrival_at,
            warnings,
            last_modification_id: reservation.last_modification_id.clone(),
            created_by: reservation.created_by.clone(),
            created_at: reservation.created_at,
            updated_at: reservation.updated_at,
            version: reservation.version,
        })
    }
}
