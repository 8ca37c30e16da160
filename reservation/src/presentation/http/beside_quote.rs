//! What is said beside a quote. A quote stands for house, nights, rooms and prices: whoever says them besides says the same, or is told which
//! of them differs. Only what a quote is silent about is added to it: which room, and a rate of exchange that it did without.

use platform::Refusal;

use super::bodies::{self, Book};
use crate::ReservationError;
use crate::application::booking::{Wanted, Wish};
use crate::domain::quote::Quote;
use crate::domain::reservation::Item;

impl Book {
    /// The wish of a quote with what was said beside it.
    pub(super) fn beside(&self, quote: &Quote, mut wish: Wish) -> Result<Wish, ReservationError> {
        let another = |field: &'static str| {
            Refusal::invalid(field, "not what the quote is for: leave it out, or ask for another quote")
        };
        if self.property_id.as_ref().is_some_and(|property| *property != wish.property) {
            return Err(another("propertyId").into());
        }
        if let Some(window) = &self.stay_window
            && bodies::stay(window)? != wish.stay
        {
            return Err(another("stayWindow").into());
        }
        if self.currency.is_some_and(|currency| currency != quote.currency) {
            return Err(ReservationError::CurrencyMismatch);
        }
        if let Some(items) = &self.items {
            let said = bodies::wanted(items)?;
            let same = said.len() == quote.items.len()
                && said.iter().zip(&quote.items).all(|(said, quoted)| is_of(said, quoted));
            if !same {
                return Err(another("items").into());
            }
            wish.items.iter_mut().zip(said).for_each(|(one, said)| one.room = said.room);
        }
        wish.fx = wish.fx.or_else(|| self.fx_snapshot.clone());
        Ok(wish)
    }
}

fn is_of(said: &Wanted, quoted: &Item) -> bool {
    said.room_type == quoted.room_type_id
        && said.occupants == quoted.occupants
        && said.rate.is_none_or(|rate| quoted.nightly_rates.iter().all(|night| *night == rate))
}
