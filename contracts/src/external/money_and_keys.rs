//! Rooms set aside, money moved, keys made: what the services around a booking tell.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::{ReservationId, RoomId, TenantId};
use crate::payload::payload;
use crate::reservation::PaymentMethod;
use crate::values::{Currency, Micros};

/// Rooms are set aside for a booking.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AllocationCommittedV1 {
    /// The tenant.
    pub tenant_id: TenantId,
    /// The reservation.
    pub reservation_id: ReservationId,
    /// What was set aside. Whoever names it as reservations do is understood as well.
    #[serde(default, alias = "inventoryAllocationIds")]
    pub allocation_ids: Vec<String>,
}

/// Rooms could not be set aside.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AllocationFailedV1 {
    /// The tenant.
    pub tenant_id: TenantId,
    /// The reservation.
    pub reservation_id: ReservationId,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Money has come.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TransactionCapturedV1 {
    /// The tenant.
    pub tenant_id: TenantId,
    /// The reservation.
    pub reservation_id: ReservationId,
    /// The payment.
    pub payment_intent_id: String,
    /// The movement of money.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transaction_id: Option<String>,
    /// How much.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount_micro: Option<Micros>,
    /// In which currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<Currency>,
    /// How it was paid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<PaymentMethod>,
}

/// Money has not come.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TransactionFailedV1 {
    /// The tenant.
    pub tenant_id: TenantId,
    /// The reservation.
    pub reservation_id: ReservationId,
    /// The payment.
    pub payment_intent_id: String,
    /// The movement of money.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transaction_id: Option<String>,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Money has gone back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TransactionRefundedV1 {
    /// The tenant.
    pub tenant_id: TenantId,
    /// The reservation.
    pub reservation_id: ReservationId,
    /// The payment.
    pub payment_intent_id: String,
    /// The movement of money.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transaction_id: Option<String>,
    /// How much.
    pub amount_micro: Micros,
    /// In which currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<Currency>,
}

/// A key was made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeyCredentialIssuedV1 {
    /// The tenant.
    pub tenant_id: TenantId,
    /// The reservation.
    pub reservation_id: ReservationId,
    /// The key.
    pub key_credential_id: String,
    /// For which room.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub room_id: Option<RoomId>,
}

/// A key could not be made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeyCredentialFailedV1 {
    /// The tenant.
    pub tenant_id: TenantId,
    /// The reservation.
    pub reservation_id: ReservationId,
    /// For which room.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub room_id: Option<RoomId>,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

payload! {
    AllocationCommittedV1 = "melmastoon.inventory.allocation.committed.v1";
    AllocationFailedV1 = "melmastoon.inventory.allocation.failed.v1";
    TransactionCapturedV1 = "melmastoon.payment.transaction.captured.v1";
    TransactionFailedV1 = "melmastoon.payment.transaction.failed.v1";
    TransactionRefundedV1 = "melmastoon.payment.transaction.refunded.v1";
    KeyCredentialIssuedV1 = "melmastoon.lock_integration.key_credential.issued.v1";
    KeyCredentialFailedV1 = "melmastoon.lock_integration.key_credential.failed.v1";
}
