//! What the outside sees.

mod alert;
mod bill;
mod desk;
mod house;
mod quote;
mod reservation;
mod timeline;

pub use alert::{AlertResource, AlertStatus};
pub use bill::{CancellationPreview, FolioLineResource, FolioResource, ReservationHistoryItem};
pub use desk::{StayLine, StayLineItem};
pub use house::{AvailabilityResource, RoomTypeResource, SoldRoomResource, TypeAvailability};
pub use quote::{NightlyRate, QuoteItem, QuoteResource};
pub use reservation::{
    CancellationResource, HoldResource, ItemResource, PaymentResource, ReservationResource, SagaStep,
    SpecialRequestResource,
};

pub use timeline::{Span, SpanKind, Timeline, TimelineRoom};

use contracts::ids::GuestId;
use contracts::values::{Currency, LocalDate};
use schemars::JsonSchema;
use serde::Serialize;

use crate::domain::money::Money;
use crate::domain::reservation::Guest;
use crate::domain::stay::Stay;
use crate::infrastructure::guests::KnownGuest;

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
