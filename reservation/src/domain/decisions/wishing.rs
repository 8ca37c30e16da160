//! What a guest asks for: the house may do it, or somebody else must.

use contracts::actor::Actor;
use contracts::time::Timestamp;
use platform::Decided;

use super::{Decision, StayError};
use crate::domain::reservation::ReservationStatus::{Cancelled, CheckedOut, Expired, NoShow};
use crate::domain::reservation::{Reservation, ReservationEvent, SpecialRequest};

/// So many wishes one stay has.
const MOST_REQUESTS: usize = 200;

impl Reservation {
    fn is_to_come_or_here(&self, action: &'static str) -> Result<(), StayError> {
        match self.status {
            Cancelled | CheckedOut | Expired | NoShow => Err(self.illegal(action)),
            _ => Ok(()),
        }
    }

    pub fn add_special_request(mut self, request: SpecialRequest, now: Timestamp) -> Decision {
        self.is_to_come_or_here("take a wish")?;
        if self.special_requests.len() >= MOST_REQUESTS {
            return Err(StayError::Invalid { field: "tags", rule: "a stay has at most 200 special requests" });
        }
        self.special_requests.push(request.clone());
        let event = ReservationEvent::SpecialRequestAdded(Box::new(request));
        Ok(Decided::changed(self.touched(now), event))
    }

    /// Somebody else is asked to change something; the reservation stays as it is.
    pub fn want_changes(self, wanted: Vec<String>, by: &Actor, now: Timestamp) -> Decision {
        self.is_to_come_or_here("ask for a change")?;
        let event = ReservationEvent::ChangeWanted { wanted, at: now, by: by.clone() };
        Ok(Decided::changed(self.touched(now), event))
    }
}
