//! Who should have left and has not: told once a day, and the room is theirs for the night.

use contracts::ids::{RoomId, RoomTypeId};
use contracts::reservation::AlertKind;
use contracts::time::Timestamp;
use platform::UnitOfWork;

use super::booking::House;
use super::stays::settle;
use super::{alarms, alerts};
use crate::ReservationError;
use crate::domain::alerts::Matter;
use crate::domain::decisions::Moment;
use crate::domain::reservation::{Item, Reservation};
use crate::infrastructure::timers::{self, TimerKind};
use crate::infrastructure::{inventory, rooms};

/// Tells it, charges what the policy says, and keeps the rooms for one more night. Days on which no process ran are made up for, each of
/// them: the guest was there.
pub(super) async fn notice(
    uow: &mut UnitOfWork,
    reservation: &Reservation,
    moment: &Moment<'_>,
    house: &House,
) -> Result<(), ReservationError> {
    let due: Vec<Timestamp> = alarms::overstays(reservation, house).take_while(|at| *at <= moment.now).collect();
    if let Some(decided) = reservation.clone().overstay(&due, moment)? {
        settle(uow, reservation, decided, house);
        return stay_another_night(uow, reservation, moment).await;
    }
    // Told for this day already.
    if let Some(due) = alarms::due_at(TimerKind::Overstay, reservation, house, None) {
        timers::set(uow, &reservation.id, TimerKind::Overstay, due, None);
    }
    Ok(())
}

/// The night of the hotel's day is theirs, and whoever has the room then and was not told goes elsewhere.
async fn stay_another_night(
    uow: &mut UnitOfWork,
    reservation: &Reservation,
    moment: &Moment<'_>,
) -> Result<(), ReservationError> {
    let today = moment.house.hotel_date(moment.now);
    let Ok(until) = today.tomorrow() else { return Ok(()) };
    let own: Vec<RoomId> = reservation.active_items().filter_map(Item::room).cloned().collect();
    let mut types: Vec<RoomTypeId> =
        rooms::find(uow, &own).await?.into_iter().filter_map(|room| room.room_type_id).collect();
    types.sort();
    types.dedup();
    let types = rooms::lock_types(uow, &types).await?;
    let mut shelves = inventory::whole_shelves(uow, &reservation.property_id, &types).await?;
    let (mut grown, mut moved) = (Vec::new(), Vec::new());
    for item in reservation.active_items() {
        let Some((place, room)) = item.place.as_ref().and_then(|place| Some((place, place.room.as_ref()?))) else {
            continue;
        };
        let has = |taken: &crate::domain::placing::Taken| taken.allocation == place.allocation;
        let Some(shelf) = shelves.values_mut().find(|shelf| shelf.stock.taken.iter().any(has)) else { continue };
        let before = shelf.stock.taken.clone();
        if shelf.stock.grow(&place.allocation, until).is_ok() {
            moved.extend(shelf.stock.moves(&before));
            grown.push(place.allocation.clone());
        } else {
            let matter = Matter {
                property_id: reservation.property_id.clone(),
                kind: AlertKind::OverstayConflict,
                reservation_id: Some(reservation.id.clone()),
                room_id: Some(room.clone()),
                suggested_room_id: None,
            };
            alerts::raise(uow, matter).await?;
        }
    }
    inventory::move_all(uow, moved);
    inventory::grow(uow, grown, until);
    Ok(())
}
