//! A person says where a reservation stands, and the rooms follow.

use contracts::ids::RoomId;
use contracts::reservation::AlertKind;
use platform::UnitOfWork;
use platform::auth::Role;

use super::alerts;
use super::booking::wishes::{place_all, types_of};
use super::booking::{House, Wanted, Wish, keep_rooms};
use super::floor::Floor;
use super::stays::{OnReservation, conclude, fresh_id, moment};
use crate::ReservationError;
use crate::domain::alerts::Matter;
use crate::domain::decisions::{OVERRIDES, StayError};
use crate::domain::reservation::ReservationStatus::{self, Cancelled, CheckedIn, CheckedOut, Expired, NoShow};
use crate::domain::reservation::{Item, Reservation};
use crate::domain::stay::Stay;
use crate::infrastructure::{inventory, laying};

/// Puts a reservation where a person says it stands. What a manager alone may is in the table of overrides.
pub async fn put(
    uow: &mut UnitOfWork,
    on: OnReservation<'_>,
    (to, reason): (ReservationStatus, String),
) -> Result<Reservation, ReservationError> {
    if !on.caller.roles.any_of(&[Role::FrontDesk, Role::PropertyManager, Role::Admin]) {
        return Err(ReservationError::NotAllowed("only a person says where a reservation stands"));
    }
    let (reservation, house) = on.load(uow).await?;
    reservation.may_be_put(to, &moment(uow, on.by, &house))?;
    let known = OVERRIDES.iter().find(|(from, target, _)| *from == reservation.status && *target == to);
    on.needs_manager(known.is_none_or(|(.., manager)| *manager), "only a manager undoes this")?;
    let mut next = reservation.clone();
    match reservation.status {
        CheckedIn => inventory::pin(uow, &reservation.id, false),
        CheckedOut => come_back(uow, &reservation, &house).await?,
        Cancelled | NoShow | Expired if reservation.external_inventory => {
            return Err(ReservationError::ExternalInventory);
        }
        Cancelled | NoShow | Expired => next.items = find_rooms(uow, &reservation, &house).await?,
        _ => {}
    }
    let id = fresh_id(uow);
    let decided = next.put((to, reason), &reservation.items, &id, &moment(uow, on.by, &house))?;
    conclude(uow, &reservation, decided, &house).await
}

/// Who left today is in the same rooms again, if nobody else has them.
async fn come_back(uow: &mut UnitOfWork, reservation: &Reservation, house: &House) -> Result<(), ReservationError> {
    let today = house.time.hotel_date(uow.now());
    let own: Vec<RoomId> = reservation.active_items().filter_map(|item| item.room().cloned()).collect();
    if let Some(room) = inventory::occupied(uow, &own, &reservation.id).await?.into_iter().next() {
        return Err(ReservationError::RoomOccupied(room));
    }
    let allocations: Vec<String> =
        reservation.active_items().filter_map(|item| Some(item.place.as_ref()?.allocation.clone())).collect();
    // Who stayed too long had tonight as well, and has paid for it.
    let is_late = reservation.stay.end() <= today && reservation.overstay_told == Some(today);
    let mut until = if is_late { today.tomorrow().unwrap_or(today) } else { reservation.stay.end() };
    if let Some(rest) = Stay::new(today, until) {
        match lie_again(uow, reservation, rest).await? {
            None => {}
            Some(room) if is_late => {
                // Somebody was told the room since: both are there, and somebody has to look.
                until = reservation.stay.end();
                let matter = Matter {
                    property_id: reservation.property_id.clone(),
                    kind: AlertKind::OverstayConflict,
                    reservation_id: Some(reservation.id.clone()),
                    room_id: Some(room),
                    suggested_room_id: None,
                };
                alerts::raise(uow, matter).await?;
            }
            Some(room) => return Err(ReservationError::RoomUnavailable(room)),
        }
    }
    laying::restore(uow, allocations, until);
    Ok(())
}

/// The rooms for the nights that are left, others moved aside. `Some`: this one is somebody else's by now, and nobody was moved.
async fn lie_again(
    uow: &mut UnitOfWork,
    reservation: &Reservation,
    rest: Stay,
) -> Result<Option<RoomId>, ReservationError> {
    let mut floor = Floor::of(uow, reservation, &[], (rest.start(), rest.end())).await?;
    let mut own = Vec::new();
    for item in reservation.active_items() {
        let (Some(place), Some(room)) = (&item.place, item.room()) else { continue };
        let Some(of) = floor.type_of(room).cloned() else { return Ok(Some(room.clone())) };
        if floor.seat(&place.allocation, rest, &of, Some(room)).is_err() {
            return Ok(Some(room.clone()));
        }
        own.push(place.allocation.as_str());
    }
    laying::lay(uow, floor.moved(&own));
    Ok(None)
}

/// Rooms for all that was given up at the end, from today on, or for nothing of it.
async fn find_rooms(
    uow: &mut UnitOfWork,
    reservation: &Reservation,
    house: &House,
) -> Result<Vec<Item>, ReservationError> {
    let today = house.time.hotel_date(uow.now());
    let over = StayError::StayOver { ended: reservation.stay.end() };
    let rest = Stay::new(reservation.stay.start().max(today), reservation.stay.end()).ok_or(over)?;
    let mut coming: Vec<Item> = reservation.items_to_come_back().cloned().collect();
    let wanted = |item: &Item| Wanted {
        room_type: item.room_type_id.clone(),
        occupants: item.occupants.clone(),
        rate: None,
        room: None,
    };
    let wish = Wish {
        property: reservation.property_id.clone(),
        stay: rest,
        items: coming.iter().map(wanted).collect(),
        currency: Some(reservation.currency),
        fx: reservation.fx.clone(),
    };
    let types = types_of(uow, &wish, true).await?;
    let mut shelves = inventory::shelves(uow, &wish.property, &types, (rest.start(), rest.end())).await?;
    let moved = place_all(&wish, &mut coming, &mut shelves, || fresh_id(uow))?;
    let laid = Reservation { stay: rest, items: coming.clone(), ..reservation.clone() };
    keep_rooms(uow, &laid, moved);
    let mut items = reservation.items.clone();
    for item in &mut items {
        if let Some(came) = coming.iter().find(|one| one.id == item.id) {
            item.place.clone_from(&came.place);
        }
    }
    Ok(items)
}
