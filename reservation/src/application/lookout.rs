//! What there is to sell, who comes, who leaves, who is in the house.

use contracts::ids::{PropertyId, RoomTypeId};
use contracts::values::LocalDate;
use jiff::civil::Date;
use platform::{Refusal, UnitOfWork};

use super::booking::House;
use super::views::{
    AlertResource, AvailabilityResource, GuestResource, SpecialRequestResource, StayLine, StayLineItem,
    TypeAvailability, WindowResource,
};
use crate::ReservationError;
use crate::domain::alerts::Alert;
use crate::domain::money::Money;
use crate::domain::reservation::{Reservation, ReservationStatus};
use crate::domain::rooms::Room;
use crate::infrastructure::reservations::{self, Filter};
use crate::infrastructure::{alerts, availability, guests, rooms};

/// As many as a house has in one day.
const MOST: i64 = 5_000;

/// What there is to sell, night by night.
pub async fn availability(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    (from, to): (Date, Date),
    only: Option<&RoomTypeId>,
    guests: Option<i32>,
) -> Result<AvailabilityResource, ReservationError> {
    let house = House::of(uow, property).await?;
    if house.is_external() {
        return Err(ReservationError::ExternalInventory);
    }
    let counted = availability::count(uow, property, (from, to), only, guests).await?;
    let currency = house.settings.currency;
    let room_types = counted.into_iter().map(|one| {
        let available: Vec<i32> = one.nights.iter().map(|night| night.available()).collect();
        TypeAvailability {
            room_type_id: one.room_type,
            name: one.name,
            max_occupancy: one.max_occupancy,
            rooms: one.rooms,
            taken: one.nights.iter().map(|night| night.taken).collect(),
            out_of_order: one.nights.iter().map(|night| night.out_of_order).collect(),
            min_available: available.iter().copied().min().unwrap_or(0),
            available,
            rate_micro: one.rates,
            currency,
        }
    });
    let room_types = room_types.collect();
    Ok(AvailabilityResource { property_id: property.clone(), from: LocalDate(from), to: LocalDate(to), room_types })
}

/// Which list the desk looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Looked {
    Arrivals,
    Departures,
    InHouse,
}

/// Who comes, who leaves, or who is there; whoever is no business of the desk sees rooms alone.
pub async fn stays(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    day: Option<Date>,
    looked: Looked,
    sees_guests: bool,
) -> Result<Vec<StayLine>, ReservationError> {
    use ReservationStatus::{CheckInStarted, CheckedIn, CheckoutStarted, Confirmed};
    let house = House::of(uow, property).await?;
    let today = house.time.hotel_date(uow.now());
    let day = day.unwrap_or(today);
    let next = day.tomorrow().map_err(|_| Refusal::invalid("date", "a day that has a next one"))?;
    let properties = Some(vec![property.clone()]);
    let filter = match looked {
        // Who was expected before and may still come is listed with today's.
        Looked::Arrivals => Filter {
            statuses: Some(vec![Confirmed, CheckInStarted]),
            arrival: ((day != today).then_some(day), Some(next)),
            properties,
            ..Filter::default()
        },
        Looked::Departures => Filter {
            statuses: Some(vec![CheckedIn, CheckoutStarted]),
            departure: ((day != today).then_some(day), Some(next)),
            properties,
            ..Filter::default()
        },
        // Who has one of the nights of that day; who should have left and has not is here today.
        Looked::InHouse => Filter {
            statuses: Some(vec![CheckedIn, CheckoutStarted]),
            overlaps: ((day != today).then_some(day), Some(next)),
            properties,
            ..Filter::default()
        },
    };
    let found = reservations::list(uow, &filter, MOST).await?;
    let ids: Vec<_> = found.iter().map(|one| one.guest.guest_id.clone()).collect();
    let known = if sees_guests { guests::find(uow, &ids).await? } else { Vec::new() };
    let own: Vec<_> =
        found.iter().flat_map(Reservation::active_items).filter_map(|item| item.room().cloned()).collect();
    let doors = rooms::find(uow, &own).await?;
    let stays: Vec<_> = found.iter().map(|one| one.id.clone()).collect();
    let open = alerts::of_stays(uow, &stays).await?;
    let mut lines = Vec::with_capacity(found.len());
    for reservation in &found {
        let guest = known.iter().find(|guest| guest.id == reservation.guest.guest_id);
        let overdue = match looked {
            Looked::Arrivals => reservation.stay.start() < today,
            Looked::Departures | Looked::InHouse => house.time.check_out_at(reservation.stay.end()) < uow.now(),
        };
        lines.push(line_of(
            reservation,
            sees_guests.then(|| GuestResource::of(&reservation.guest, guest)),
            (&doors, &open),
            overdue,
        )?);
    }
    Ok(lines)
}

fn line_of(
    reservation: &Reservation,
    primary_guest: Option<GuestResource>,
    (doors, open): (&[Room], &[Alert]),
    overdue: bool,
) -> Result<StayLine, ReservationError> {
    let seen = primary_guest.is_some();
    let balance: Money = reservation.balance()?;
    let item_of = |item: &crate::domain::reservation::Item| {
        let door = item.room().and_then(|room| doors.iter().find(|door| door.id == *room));
        let status = door.and_then(|door| door.housekeeping_status.as_deref());
        StayLineItem {
            item_id: item.id.clone(),
            room_type_id: item.room_type_id.clone(),
            room_id: item.room().cloned(),
            number: door.and_then(|door| door.number.clone()),
            room_ready: status.map(|status| matches!(status, "clean" | "ready" | "inspected")),
        }
    };
    Ok(StayLine {
        reservation_id: reservation.id.clone(),
        reservation_code: reservation.code.clone(),
        status: reservation.status,
        primary_guest,
        stay_window: WindowResource::from(reservation.stay),
        items: reservation.active_items().map(item_of).collect(),
        balance_micro: seen.then_some(balance),
        currency: seen.then_some(reservation.currency),
        expected_arrival_at: reservation.expected_arrival_at,
        overdue,
        // What was typed is between the guest and the desk.
        special_requests: reservation
            .special_requests
            .iter()
            .map(|request| SpecialRequestResource {
                free_text: request.free_text.clone().filter(|_| seen),
                ..SpecialRequestResource::from(request)
            })
            .collect(),
        alerts: open
            .iter()
            .filter(|alert| alert.matter.reservation_id.as_ref() == Some(&reservation.id))
            .map(|alert| AlertResource::from(alert.clone()))
            .collect(),
    })
}
