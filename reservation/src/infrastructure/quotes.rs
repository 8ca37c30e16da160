//! Quotes: rows and back, and how they are told.

use contracts::ids::{PropertyId, QuoteId};
use contracts::reservation::{Occupants, QuoteCreatedV1, QuoteRequestedV1, QuotedItem, Totals};
use platform::database::Row;
use platform::database::{Change, Columns, Json, RowChange, Scribe, Stored, Told};
use platform::{UnitOfWork, columns, params, statements};
use serde_json::json;

use crate::ReservationError;
use crate::domain::quote::{Quote, QuoteEvent};
use crate::domain::reservation::totals;

statements! {
    FIND = "sql/quote_find.sql" (text) -> columns![body: jsonb, version: int4];
    LOCK = "sql/quote_lock.sql" (text) -> columns![body: jsonb, version: int4];
    INSERT = "sql/quote_insert.sql" (text, text, jsonb, timestamptz, int4) -> &[];
    UPDATE = "sql/quote_update.sql" (text, int4, int4, jsonb) -> &[];
}

pub async fn find(uow: &mut UnitOfWork, id: &QuoteId) -> Result<Option<Quote>, ReservationError> {
    uow.read_one(&FIND, &[id]).await?.as_ref().map(quote_of).transpose()
}

pub async fn lock(uow: &mut UnitOfWork, id: &QuoteId) -> Result<Option<Quote>, ReservationError> {
    uow.read_one(&LOCK, &[id]).await?.as_ref().map(quote_of).transpose()
}

fn quote_of(row: &Row) -> Result<Quote, ReservationError> {
    let Json(quote): Json<Quote> = row.read("body")?;
    Ok(Quote { version: row.read("version")?, ..quote })
}

impl Stored for Quote {
    const KIND: &'static str = "quote";

    fn aggregate_id(&self) -> String {
        self.id.as_str().to_owned()
    }

    fn property_id(&self) -> Option<&PropertyId> {
        Some(&self.property_id)
    }

    fn rows(&self, change: &Change<'_, QuoteEvent>, _: &Scribe<'_>) -> Vec<RowChange> {
        let (id, body) = (self.id.clone(), Json(self.clone()));
        vec![match change.from {
            None => {
                let params = params![id, self.property_id.clone(), body, self.expires_at, self.version];
                RowChange::new(&INSERT, params)
            }
            Some(from) => RowChange::new(&UPDATE, params![id, from, self.version, body]),
        }]
    }

    fn tell(&self, event: &QuoteEvent, version: i32, scribe: &Scribe<'_>) -> Told {
        match event {
            QuoteEvent::Requested => {
                let all = |pick: fn(&Occupants) -> u32| self.items.iter().map(|item| pick(&item.occupants)).sum();
                Told::everybody(&QuoteRequestedV1 {
                    tenant_id: scribe.tenant.clone(),
                    property_id: self.property_id.clone(),
                    guest_id: self.guest_id.clone(),
                    device_id: self.device_id.clone(),
                    channel: self.channel.clone(),
                    stay_window: self.stay.window(),
                    occupants: Occupants {
                        adults: all(|one| one.adults),
                        children: all(|one| one.children),
                        infants: all(|one| one.infants),
                    },
                    requested_at: self.created_at,
                })
            }
            QuoteEvent::Created => Told::everybody(&QuoteCreatedV1 {
                quote_id: self.id.clone(),
                tenant_id: scribe.tenant.clone(),
                property_id: self.property_id.clone(),
                guest_id: self.guest_id.clone(),
                channel: self.channel.clone(),
                stay_window: self.stay.window(),
                items: self
                    .items
                    .iter()
                    .map(|item| QuotedItem {
                        room_type_id: item.room_type_id.clone(),
                        occupants: item.occupants.clone(),
                        nightly_rate_micro: item.price().unwrap_or_default().mean_of(item.nightly_rates.len()).micros(),
                        nightly_rates_micro: item.nightly_rates.iter().map(|rate| rate.micros()).collect(),
                        currency: self.currency,
                    })
                    .collect(),
                totals: Totals {
                    // Looked over when it was priced.
                    grand_total_micro: totals(self.items.iter(), self.tax_ppm, self.currency)
                        .map(|totals| totals.grand)
                        .unwrap_or_default()
                        .micros(),
                    currency: self.currency,
                },
                fx_snapshot: self.fx.clone(),
                created_at: self.created_at,
                expires_at: self.expires_at,
                aggregate_version: u64::try_from(version).ok(),
            }),
            QuoteEvent::Used => Told::nobody("reservation.quote.used", &json!({ "quoteId": self.id })),
        }
    }
}
