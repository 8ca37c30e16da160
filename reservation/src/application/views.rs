//! What the outside sees.

use contracts::actor::Actor;
use contracts::ids::{GuestId, PropertyId, QuoteId, ReservationId, RoomId, RoomTypeId};
use contracts::reservation::{
    CancelReason, Channel, FxSnapshot, Occupants, PaymentMethod, PaymentStatus, PolicyApplied, RefundRequest,
};
use contracts::time::Timestamp;
use contracts::values::{Currency, LocalDate};
use schemars::JsonSchema;
use serde::Serialize;

use crate::domain::money::{Money, TooMuch};
use crate::domain::quote::{Quote, QuoteStatus};
use crate::domain::reservation::{Guest, Item, Reservation, ReservationStatus, totals};
use crate::domain::rooms::{Room, RoomType};
use crate::domain::stay::Stay;
use crate::infrastructure::guests::KnownGuest;
use crate::infrastructure::reservations::Step;
use crate::infrastructure::told::allocation_ids;

/// A kind of room that can be sold.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "RoomType")]
pub struct RoomTypeResource {
    pub room_type_id: RoomTypeId,
    pub property_id: PropertyId,
    pub name: String,
    pub max_occupancy: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_rate_micro: Option<Money>,
    pub overbooking: i32,
    pub version: i32,
}

impl From<&RoomType> for RoomTypeResource {
    fn from(room_type: &RoomType) -> Self {
        Self {
            room_type_id: room_type.id.clone(),
            property_id: room_type.property_id.clone(),
            name: room_type.name.clone(),
            max_occupancy: room_type.max_occupancy,
            base_rate_micro: room_type.base_rate,
            overbooking: room_type.overbooking,
            version: room_type.version,
        }
    }
}

/// A room with a door.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SoldRoom")]
pub struct SoldRoomResource {
    pub room_id: RoomId,
    pub property_id: PropertyId,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub room_type_id: Option<RoomTypeId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub floor: Option<String>,
    pub archived: bool,
    /// As housekeeping told last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub housekeeping_status: Option<String>,
    pub version: i32,
}

impl From<&Room> for SoldRoomResource {
    fn from(room: &Room) -> Self {
        Self {
            room_id: room.id.clone(),
            property_id: room.property_id.clone(),
            room_type_id: room.room_type_id.clone(),
            number: room.number.clone(),
            floor: room.floor.clone(),
            archived: room.archived,
            housekeeping_status: room.housekeeping_status.clone(),
            version: room.version,
        }
    }
}

/// The nights of a stay.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "StayWindow")]
pub struct WindowResource {
    pub start: LocalDate,
    pub end: LocalDate,
    pub nights: u32,
}

impl From<Stay> for WindowResource {
    fn from(stay: Stay) -> Self {
        Self { start: LocalDate(stay.start()), end: LocalDate(stay.end()), nights: stay.nights() }
    }
}

/// What there is to sell, one slot a night.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Availability")]
pub struct AvailabilityResource {
    pub property_id: PropertyId,
    pub from: LocalDate,
    pub to: LocalDate,
    pub room_types: Vec<TypeAvailability>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TypeAvailability {
    pub room_type_id: RoomTypeId,
    pub name: String,
    pub max_occupancy: i32,
    pub rooms: i32,
    pub taken: Vec<i32>,
    pub out_of_order: Vec<i32>,
    pub available: Vec<i32>,
    /// Null where a night has no price.
    pub rate_micro: Vec<Option<Money>>,
    pub currency: Currency,
    pub min_available: i32,
}

/// Who comes.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "GuestOfStay")]
pub struct GuestResource {
    pub guest_id: GuestId,
    pub locale: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
}

impl GuestResource {
    pub fn of(guest: &Guest, known: Option<&KnownGuest>) -> Self {
        Self {
            guest_id: guest.guest_id.clone(),
            locale: guest.locale.clone(),
            name: known.and_then(|known| known.name.clone()),
            email: known.and_then(|known| known.email.clone()),
            phone: known.and_then(|known| known.phone.clone()),
        }
    }
}

/// One line of the desk's lists.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StayLine {
    pub reservation_id: ReservationId,
    pub reservation_code: String,
    pub status: ReservationStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub primary_guest: Option<GuestResource>,
    pub stay_window: WindowResource,
    pub items: Vec<StayLineItem>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub balance_micro: Option<Money>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<Currency>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_arrival_at: Option<Timestamp>,
    pub overdue: bool,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StayLineItem {
    pub item_id: String,
    pub room_type_id: RoomTypeId,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub room_id: Option<RoomId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
    /// Absent while housekeeping has told nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub room_ready: Option<bool>,
}

/// What it all costs.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ReservationTotals")]
pub struct TotalsResource {
    pub room_total_micro: Money,
    pub tax_micro: Money,
    pub grand_total_micro: Money,
    pub currency: Currency,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_tenant_currency_micro: Option<Money>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tenant_currency: Option<Currency>,
}

/// The price of one night.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NightlyRate {
    pub date: LocalDate,
    pub rate_micro: Money,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuoteItem {
    pub room_type_id: RoomTypeId,
    pub occupants: Occupants,
    pub nightly_rates: Vec<NightlyRate>,
    pub currency: Currency,
}

/// A price that was given.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Quote")]
pub struct QuoteResource {
    pub quote_id: QuoteId,
    pub property_id: PropertyId,
    pub status: QuoteStatus,
    pub stay_window: WindowResource,
    pub items: Vec<QuoteItem>,
    pub totals: TotalsResource,
    pub policy_ref: String,
    pub expires_at: Timestamp,
    pub version: i32,
}

impl QuoteResource {
    pub fn of(quote: &Quote, now: Timestamp) -> Result<Self, TooMuch> {
        let totals = totals(quote.items.iter(), quote.tax_ppm, quote.currency)?;
        let item_of = |item: &Item| QuoteItem {
            room_type_id: item.room_type_id.clone(),
            occupants: item.occupants.clone(),
            nightly_rates: quote
                .stay
                .dates()
                .zip(&item.nightly_rates)
                .map(|(date, rate)| NightlyRate { date: LocalDate(date), rate_micro: *rate })
                .collect(),
            currency: quote.currency,
        };
        Ok(Self {
            quote_id: quote.id.clone(),
            property_id: quote.property_id.clone(),
            status: quote.status(now),
            stay_window: WindowResource::from(quote.stay),
            items: quote.items.iter().map(item_of).collect(),
            totals: TotalsResource {
                room_total_micro: totals.room,
                tax_micro: totals.tax,
                grand_total_micro: totals.grand,
                currency: quote.currency,
                in_tenant_currency_micro: None,
                tenant_currency: None,
            },
            policy_ref: quote.policy_ref.clone(),
            expires_at: quote.expires_at,
            version: quote.version,
        })
    }
}

contracts::closed_words! {
    /// What a reservation waits for.
    SagaStep {
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
        let payment_status = reservation
            .method
            .as_ref()
            .map(|_| if reservation.pending_cash { PaymentStatus::PendingCash } else { PaymentStatus::Captured });
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
                ReservationStatus::Held => Some(SagaStep::AwaitPayment),
                ReservationStatus::CheckInStarted => Some(SagaStep::AwaitKeys),
                _ => None,
            },
            inventory_allocation_ids: allocation_ids(reservation),
            payment: PaymentResource {
                method: reservation.method.clone(),
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
            requires_manual_key: reservation.status.is_in_house() && reservation.lacks_a_key(),
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

/// What a cancellation would cost.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CancellationPreview {
    pub policy_applied: PolicyApplied,
    pub payment_refunds_requested: Vec<RefundRequest>,
}

/// One line of a bill: charges positive, payments negative.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "FolioLine")]
pub struct FolioLineResource {
    pub kind: String,
    pub amount_micro: Money,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
}

/// A bill.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Folio")]
pub struct FolioResource {
    pub folio_id: String,
    pub currency: Currency,
    pub lines: Vec<FolioLineResource>,
    pub balance_micro: Money,
    pub settled: bool,
}

impl FolioResource {
    pub fn of(reservation: &Reservation) -> Result<Self, TooMuch> {
        let totals = reservation.totals()?;
        let minus = |amount: Money| Money::ZERO.minus(amount);
        let line = |kind: &str, amount_micro, at| FolioLineResource { kind: kind.to_owned(), amount_micro, at };
        let mut lines = vec![line("nights", totals.room, None), line("tax", totals.tax, None)];
        lines.extend(reservation.charges.iter().map(|charge| line(&charge.kind, charge.amount, Some(charge.at))));
        for payment in &reservation.desk_payments {
            lines.push(line(&payment.kind, minus(payment.amount)?, Some(payment.at)));
        }
        for capture in reservation.facts.captured() {
            lines.push(line("captured", minus(capture.amount)?, None));
        }
        lines.push(line("refunds", reservation.given_back()?, None));
        lines.retain(|line| line.amount_micro != Money::ZERO);
        let balance_micro = reservation.balance()?;
        Ok(Self {
            folio_id: reservation.folio_id.clone(),
            currency: reservation.currency,
            lines,
            balance_micro,
            settled: balance_micro == Money::ZERO,
        })
    }
}

/// Something that happened to a reservation.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReservationHistoryItem {
    pub event_id: String,
    pub subject: String,
    pub occurred_at: Timestamp,
    pub actor: Actor,
    pub payload: serde_json::Value,
}

impl From<Step> for ReservationHistoryItem {
    fn from(step: Step) -> Self {
        let Step { event_id, subject, at, actor, mut payload } = step;
        // Who reads it knows the tenant.
        if let Some(members) = payload.as_object_mut() {
            members.remove("tenantId");
        }
        Self { event_id, subject, occurred_at: at, actor, payload }
    }
}
