//! A price that was given.

use contracts::ids::{PropertyId, QuoteId, RoomTypeId};
use contracts::reservation::Occupants;
use contracts::time::Timestamp;
use contracts::values::{Currency, LocalDate};
use schemars::JsonSchema;
use serde::Serialize;

use super::{TotalsResource, WindowResource};
use crate::domain::money::{Money, TooMuch};
use crate::domain::quote::{Quote, QuoteStatus};
use crate::domain::reservation::{Item, totals};

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
