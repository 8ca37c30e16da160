//! A person says where a reservation stands: somebody pressed the wrong button, or a guest came after all.

use contracts::reservation::{ModificationType, PaymentMethod};
use serde_json::{Map, json};

use super::{Decision, Difference, Moment, StayError};
use crate::domain::money::Money;
use crate::domain::reservation::ReservationStatus::{
    self, Cancelled, CheckInStarted, CheckedIn, CheckedOut, CheckoutStarted, Confirmed, Expired, NoShow,
};
use crate::domain::reservation::{Item, Reservation};

/// From where to where, and whether only a manager may.
pub const OVERRIDES: &[(ReservationStatus, ReservationStatus, bool)] = &[
    (CheckInStarted, Confirmed, false),
    (CheckoutStarted, CheckedIn, false),
    (CheckedIn, Confirmed, true),
    (CheckedOut, CheckedIn, true),
    (Cancelled, Confirmed, true),
    (NoShow, Confirmed, true),
    (Expired, Confirmed, true),
];

impl Reservation {
    /// Whether it may be put there, on this hotel date. What was done on another day stays done.
    pub fn may_be_put(&self, to: ReservationStatus, moment: &Moment<'_>) -> Result<(), StayError> {
        if !OVERRIDES.iter().any(|(from, target, _)| *from == self.status && *target == to) {
            return Err(self.illegal("be put there by hand"));
        }
        let today = moment.house.hotel_date(moment.now);
        let on = |at: Option<contracts::Timestamp>| at.map(|at| moment.house.hotel_date(at));
        match self.status {
            CheckedIn if on(self.checked_in_at) != Some(today) => Err(self.illegal("be undone on another day")),
            CheckedOut if on(self.checked_out_at) != Some(today) => Err(self.illegal("be undone on another day")),
            Cancelled | NoShow | Expired if self.stay.end() <= today => {
                Err(StayError::StayOver { ended: self.stay.end() })
            }
            _ => Ok(()),
        }
    }

    /// The items that it would have again.
    pub fn items_to_come_back(&self) -> impl Iterator<Item = &Item> {
        let lost = self.cancellation.as_ref().map_or(&[][..], |cancellation| &cancellation.items);
        self.items.iter().filter(move |item| item.active || lost.contains(&item.id))
    }

    /// It is put there. Rooms lie where `place`s say; what its end cost is undone, what was asked back stays asked back.
    pub fn put(
        mut self,
        (to, reason): (ReservationStatus, String),
        before: &[Item],
        id: &str,
        moment: &Moment<'_>,
    ) -> Decision {
        self.may_be_put(to, moment)?;
        let (grand, from) = (self.totals()?.grand, self.status);
        let shown = |status: ReservationStatus, items: &[Item]| {
            let rooms = items.iter().filter(|item| item.active).filter_map(|item| {
                let room = item.place.as_ref().filter(|place| place.pinned)?.room.as_ref()?;
                Some(json!({ "itemId": item.id, "roomId": room }))
            });
            Map::from_iter([
                ("status".to_owned(), json!(status)),
                ("rooms".to_owned(), rooms.collect::<Vec<_>>().into()),
            ])
        };
        let was = shown(from, before);
        match (from, to) {
            (CheckInStarted, _) => self.check_in_by = None,
            (CheckedIn, _) => {
                self.check_in_by = None;
                self.checked_in_at = None;
                self.early_check_in = false;
            }
            (CheckoutStarted, _) => self.stay_on(),
            (CheckedOut, _) => {
                self.checked_out_at = None;
                self.overstayed_nights = 0;
                self.stay_on();
            }
            (Cancelled | NoShow | Expired, _) => self.reinstate()?,
            _ => {}
        }
        self.status = to;
        // The guest gets the whole grace again, whatever else is changed before they come.
        self.brought_back_at = (to == Confirmed).then_some(moment.now);
        let told = (was, shown(to, &self.items));
        let price_delta = self.totals()?.grand.minus(grand)?;
        let reason = Some(reason);
        let difference =
            Difference { price_delta, reason, ..Difference::new(ModificationType::ManualStateOverride, told) };
        Ok(self.modified(difference, id, moment))
    }

    /// Nights that were given back are slept in after all, and leaving early costs nothing.
    pub(super) fn stay_on(&mut self) {
        if !std::mem::take(&mut self.left_early) {
            return;
        }
        self.left_early_because = None;
        for item in self.items.iter_mut().filter(|item| item.active) {
            let back = std::mem::take(&mut item.given_back);
            item.nightly_rates.extend(back);
        }
        // The one line of this departure: nobody leaves the same stay early twice without having come back.
        if let Some(at) = self.charges.iter().rposition(|line| line.kind == "early_checkout") {
            self.charges.remove(at);
        }
    }

    /// The guest comes after all: what the end cost is not owed, and what was not paid comes in cash.
    fn reinstate(&mut self) -> Result<(), StayError> {
        let lost: Vec<String> = self.items_to_come_back().map(|item| item.id.clone()).collect();
        for item in &mut self.items {
            item.active = lost.contains(&item.id);
        }
        if let Some(end) = self.cancellation.take() {
            self.charges.retain(|line| !(line.kind == "penalty" && line.at == end.at));
        }
        if self.paid()?.minus(self.given_back()?)? <= Money::ZERO {
            self.pending_cash = true;
            self.method = Some(PaymentMethod::CashOnArrival);
        } else if self.method.is_none() {
            self.method = Some(self.facts.method());
        }
        Ok(())
    }
}
