//! A price that was given: it sets no room aside, and serves one reservation.

use contracts::ids::{GuestId, PropertyId, QuoteId};
use contracts::reservation::{Channel, FxSnapshot};
use contracts::time::Timestamp;
use contracts::values::Currency;
use platform::Decided;
use platform::decided::Aggregate;
use serde::{Deserialize, Serialize};

use super::reservation::Item;
use super::stay::Stay;

contracts::closed_words! {
    /// What a quote is worth now.
    QuoteStatus {
        /// It holds.
        Open = "open",
        /// There was no room.
        Unavailable = "unavailable",
        /// A reservation was made of it.
        Used = "used",
        /// Its time is over.
        Expired = "expired",
    }
}

/// A price that was given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quote {
    pub id: QuoteId,
    pub property_id: PropertyId,
    pub available: bool,
    pub used: bool,
    pub guest_id: Option<GuestId>,
    pub device_id: Option<contracts::ids::DeviceId>,
    pub channel: Channel,
    pub partner_id: Option<String>,
    pub stay: Stay,
    /// As items of the reservation that may come of it.
    pub items: Vec<Item>,
    pub currency: Currency,
    pub fx: Option<FxSnapshot>,
    pub tax_ppm: u32,
    pub policy_ref: String,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
    #[serde(skip)]
    pub version: i32,
}

/// What can happen to a quote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuoteEvent {
    Requested,
    Created,
    Used,
}

impl Aggregate for Quote {
    type Event = QuoteEvent;
    fn version_mut(&mut self) -> &mut i32 {
        &mut self.version
    }
}

impl Quote {
    /// A price is given; where there is no room, only the question is told.
    pub fn give(self) -> Decided<Self> {
        let available = self.available;
        let asked = Decided::opened(self, QuoteEvent::Requested);
        if available { asked.and(QuoteEvent::Created) } else { asked }
    }

    pub fn status(&self, now: Timestamp) -> QuoteStatus {
        match (self.used, self.available) {
            (true, _) => QuoteStatus::Used,
            (false, false) => QuoteStatus::Unavailable,
            (false, true) if now >= self.expires_at => QuoteStatus::Expired,
            (false, true) => QuoteStatus::Open,
        }
    }

    /// A reservation is made of it; `Err` says why it cannot be.
    pub fn spend(mut self, now: Timestamp) -> Result<Decided<Self>, QuoteStatus> {
        match self.status(now) {
            QuoteStatus::Open => {
                self.used = true;
                Ok(Decided::changed(self, QuoteEvent::Used))
            }
            other => Err(other),
        }
    }
}
