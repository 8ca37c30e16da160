//! What bookings are made of: nights, guests, rooms, money.

use std::num::NonZeroU32;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::{GuestId, RoomTypeId};
use crate::time::Timestamp;
use crate::values::{Currency, Decimal, LocalDate, Micros};
use crate::words::open_words;

open_words! {
    /// Through which door a booking came.
    Channel {
        /// From the guest, to us.
        Direct = "direct",
        /// From a site that compares prices.
        Meta = "meta",
        /// At the desk.
        WalkIn = "walk_in",
        /// By telephone.
        PhoneByStaff = "phone_by_staff",
        /// From a travel agency.
        Ota = "ota",
    }

    /// How a booking is paid.
    PaymentMethod {
        /// Through a payment service on the web.
        Paypal = "paypal",
        /// By card.
        Card = "card",
        /// In cash, at the desk.
        CashOnArrival = "cash_on_arrival",
        /// By mobile money.
        Mfs = "mfs",
        /// In more than one way.
        Mixed = "mixed",
    }

    /// Whether the money is there.
    PaymentStatus {
        /// It is there.
        Captured = "captured",
        /// It comes with the guest.
        PendingCash = "pending_cash",
    }

    /// Why a booking was cancelled.
    CancelReason {
        /// The guest did it.
        GuestCancelled = "guest_cancelled",
        /// The house did it.
        StaffCancelled = "staff_cancelled",
        /// The guest did not come.
        NoShow = "no_show",
        /// There was no room.
        Overbooked = "overbooked",
        /// The money did not come.
        PaymentFailed = "payment_failed",
        /// The rooms could not be set aside.
        InventoryFailed = "inventory_failed",
        /// It went into another booking.
        MergedInto = "merged_into",
        /// It became several bookings.
        SplitInto = "split_into",
    }
}

/// From which day to which day, and how many nights.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StayWindow {
    /// The day of arrival.
    pub start: LocalDate,
    /// The day of departure.
    pub end: LocalDate,
    /// Nights between the two.
    pub nights: NonZeroU32,
}

/// Who sleeps in a room.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Occupants {
    /// Grown-ups.
    pub adults: u32,
    /// Children.
    pub children: u32,
    /// Small children without a bed.
    pub infants: u32,
}

/// Salted hashes of the guest's contacts; the contacts themselves never enter an event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContactHash {
    /// Hash of the e-mail address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// Hash of the telephone number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
}

/// The guest who books.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HoldingGuest {
    /// The guest.
    pub guest_id: GuestId,
    /// The guest's language, such as `ps-AF`.
    pub locale: String,
    /// Hashes of the guest's contacts.
    pub contact_hash: ContactHash,
}

/// The guest who books.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PrimaryGuest {
    /// The guest.
    pub guest_id: GuestId,
    /// The guest's language, such as `ps-AF`.
    pub locale: String,
}

/// One room of a booking.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HeldItem {
    /// The item.
    pub item_id: String,
    /// The kind of room.
    pub room_type_id: RoomTypeId,
    /// Who sleeps in it.
    pub occupants: Occupants,
    /// What a night costs.
    pub nightly_rate_micro: Micros,
    /// In which currency.
    pub currency: Currency,
}

/// One room of a quote.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuotedItem {
    /// The kind of room.
    pub room_type_id: RoomTypeId,
    /// Who sleeps in it.
    pub occupants: Occupants,
    /// What a night costs, on average.
    pub nightly_rate_micro: Micros,
    /// What each night costs, from the first to the last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nightly_rates_micro: Vec<Micros>,
    /// In which currency.
    pub currency: Currency,
}

/// What it all costs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Totals {
    /// The sum.
    #[schemars(regex(pattern = "^[0-9]+$"))]
    pub grand_total_micro: Micros,
    /// In which currency.
    pub currency: Currency,
}

/// What it all costs, also in the currency of the house.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConfirmedTotals {
    /// The sum.
    pub grand_total_micro: Micros,
    /// In which currency.
    pub currency: Currency,
    /// The sum in the currency of the house.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_tenant_currency_micro: Option<Micros>,
    /// The currency of the house.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tenant_currency: Option<Currency>,
}

/// For how long rooms are set aside.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Hold {
    /// Since when.
    pub placed_at: Timestamp,
    /// Until when.
    pub expires_at: Timestamp,
    /// Seconds between the two.
    #[schemars(range(min = 120, max = 1800))]
    pub ttl_seconds: u32,
}

/// The rate at which money was changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FxSnapshot {
    /// From which currency.
    pub base: Currency,
    /// To which currency.
    pub quote: Currency,
    /// How much of `quote` one of `base` is worth.
    pub rate: Decimal,
    /// Who said so.
    pub source: String,
    /// When it was so.
    pub captured_at: Timestamp,
}

/// How a booking is paid.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Payment {
    /// How.
    pub method: PaymentMethod,
    /// Whether the money is there.
    pub status: PaymentStatus,
    /// The intended payments.
    pub payment_intent_ids: Vec<String>,
    /// What is there already.
    pub captured_micro: Micros,
}

/// Through which door a booking came.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChannelAttribution {
    /// The door.
    pub channel: Channel,
    /// Who held it open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partner_id: Option<String>,
}

/// Money that goes back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefundRequest {
    /// The payment.
    pub payment_intent_id: String,
    /// How much of it.
    pub amount_micro: Micros,
}
