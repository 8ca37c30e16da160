//! The guest stands at the desk, and goes up to the room.

use contracts::actor::ActorKind;
use platform::Decided;

use super::{Decision, Moment, StayError, is_alone};
use crate::domain::reservation::ReservationStatus::{CheckInStarted, CheckedIn, Confirmed};
use crate::domain::reservation::{Reservation, ReservationEvent};

impl Reservation {
    /// The guest stands at the desk. Every active item has its room.
    pub fn start_check_in(mut self, moment: &Moment<'_>) -> Decision {
        if self.status != Confirmed {
            return Err(self.illegal("start its check-in"));
        }
        self.is_its_time(moment)?;
        let rooms = self.rooms().ok_or_else(|| self.without_room())?;
        self.status = CheckInStarted;
        // What went back before the stay is no news of the stay.
        self.refunded_told = self.facts.refunded_sum()?;
        self.check_in_by = Some(moment.by.clone());
        let event = ReservationEvent::CheckInStarted { at: moment.now, by: moment.by.clone(), rooms };
        Ok(Decided::changed(self.touched(moment.now), event))
    }

    /// Whether a guest may be checked in at all now, before anybody looks for a room.
    pub fn may_check_in(&self, moment: &Moment<'_>) -> Result<(), StayError> {
        match self.status {
            Confirmed => self.is_its_time(moment),
            CheckInStarted => self.is_not_past(moment),
            _ => Err(self.illegal("be checked in")),
        }
    }

    fn is_its_time(&self, moment: &Moment<'_>) -> Result<(), StayError> {
        if moment.house.hotel_date(moment.now) < self.stay.start() {
            return Err(StayError::TooEarly { begins: self.stay.start() });
        }
        self.is_not_past(moment)
    }

    /// Whether its last night is over.
    pub fn is_past(&self, moment: &Moment<'_>) -> bool {
        moment.house.hotel_date(moment.now) >= self.stay.end()
    }

    fn is_not_past(&self, moment: &Moment<'_>) -> Result<(), StayError> {
        if self.is_past(moment) { Err(StayError::StayOver { ended: self.stay.end() }) } else { Ok(()) }
    }

    /// The guest is in the house. Both steps at once are for a person at the desk; where a key could not be made, a guest alone has
    /// none and waits for one.
    pub fn complete_check_in(self, moment: &Moment<'_>) -> Decision {
        if self.status == Confirmed {
            if matches!(moment.by.kind, ActorKind::System | ActorKind::Guest | ActorKind::GuestSelfService) {
                return Err(self.illegal("complete a check-in that was not started"));
            }
            return self.start_check_in(moment)?.then(|reservation| reservation.complete_check_in(moment));
        }
        let mut reservation = self;
        if reservation.status != CheckInStarted {
            return Err(reservation.illegal("complete its check-in"));
        }
        // Whoever stood at the desk and went away again was not here.
        reservation.is_not_past(moment)?;
        if is_alone(moment.by) && reservation.lacks_a_key() && reservation.requires_manual_key() {
            return Err(reservation.illegal("complete its check-in without a person: a key could not be made"));
        }
        let rooms = reservation.rooms().ok_or_else(|| reservation.without_room())?;
        reservation.status = CheckedIn;
        reservation.checked_in_at = Some(moment.now);
        reservation.early_check_in = moment.now < moment.house.check_in_at(reservation.stay.start());
        let event = ReservationEvent::CheckedIn { at: moment.now, by: moment.by.clone(), rooms };
        Ok(Decided::changed(reservation.touched(moment.now), event))
    }
}
