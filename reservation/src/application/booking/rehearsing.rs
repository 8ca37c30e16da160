//! What a book would bring in, without writing a line of it: whether a house takes its bookings at all, and how many find a room.

use std::collections::BTreeMap;

use contracts::ids::{PropertyId, RoomId, RoomTypeId};
use jiff::civil::Date;
use platform::UnitOfWork;

use super::importing::{Fate, ToImport, fate_of, sift};
use super::wishes::{no_place, priced, take_the_guests};
use super::{House, bare_id};
use crate::ReservationError;
use crate::domain::money::Money;
use crate::domain::placing::Door;
use crate::domain::rooms::RoomType;
use crate::infrastructure::inventory::{self, Shelf};
use crate::infrastructure::rooms;

/// The kinds of rooms of a house, and its day: whoever has left by then is not brought in.
#[derive(Debug)]
pub struct Takes {
    today: Date,
    types: Vec<RoomType>,
}

impl Takes {
    pub async fn of(uow: &mut UnitOfWork, property: &PropertyId) -> Result<Self, ReservationError> {
        let house = House::of(uow, property).await?;
        let types = rooms::list_types(uow, property).await?;
        Ok(Self { today: house.time.hotel_date(uow.now()), types })
    }

    /// Why the house cannot take a booking, whatever is free: there is no such room, or not for so many guests.
    pub fn refuses(&self, booking: &ToImport) -> Option<ReservationError> {
        if booking.wish.stay.end() <= self.today {
            return None;
        }
        take_the_guests(&booking.wish, &self.types).err()
    }
}

/// Rooms that would be made.
#[derive(Debug)]
pub struct ToMake {
    pub room_type: RoomType,
    pub doors: Vec<RoomId>,
}

/// The houses as they would be by now: what came before in the book has its room, as in the run itself.
#[derive(Debug, Default)]
pub struct Rehearsal {
    made: BTreeMap<PropertyId, Vec<ToMake>>,
    houses: BTreeMap<PropertyId, (Vec<RoomType>, BTreeMap<RoomTypeId, Shelf>)>,
}

impl Rehearsal {
    pub fn make(&mut self, rooms: ToMake) {
        self.made.entry(rooms.room_type.property_id.clone()).or_default().push(rooms);
    }

    /// What would become of these bookings of one house.
    pub async fn bring_in(
        &mut self,
        uow: &mut UnitOfWork,
        property: &PropertyId,
        bookings: &[ToImport],
    ) -> Result<Vec<Fate>, ReservationError> {
        let house = House::of(uow, property).await?;
        let known = sift(uow, &house, bookings).await?;
        let (types, shelves) = self.shelves(uow, property).await?;
        let mut fates = Vec::with_capacity(bookings.len());
        for (booking, known) in bookings.iter().zip(known) {
            fates.push(match known {
                Some(fate) => fate,
                None => match lay(uow, booking, house.settings.currency, (types, shelves)) {
                    Ok(()) => Fate::New(uow.next_id()),
                    Err(why) => fate_of(why, true)?,
                },
            });
        }
        Ok(fates)
    }

    async fn shelves(
        &mut self,
        uow: &mut UnitOfWork,
        property: &PropertyId,
    ) -> Result<(&[RoomType], &mut BTreeMap<RoomTypeId, Shelf>), ReservationError> {
        if !self.houses.contains_key(property) {
            let mut types = rooms::list_types(uow, property).await?;
            let mut shelves = inventory::shelves(uow, property, &types, (Date::ZERO, Date::MAX)).await?;
            for ToMake { room_type, doors } in self.made.remove(property).unwrap_or_default() {
                let stock = &mut shelves.entry(room_type.id.clone()).or_default().stock;
                stock.whole = true;
                let door = |id: RoomId| Door { number: id.as_str().to_owned(), id };
                stock.doors.extend(doors.into_iter().map(door));
                types.retain(|known| known.id != room_type.id);
                types.push(room_type);
            }
            self.houses.insert(property.clone(), (types, shelves));
        }
        let (types, shelves) = self.houses.entry(property.clone()).or_default();
        Ok((types, shelves))
    }
}

/// Rooms for all of a booking, or for none.
fn lay(
    uow: &UnitOfWork,
    booking: &ToImport,
    currency: contracts::values::Currency,
    (types, shelves): (&[RoomType], &mut BTreeMap<RoomTypeId, Shelf>),
) -> Result<(), ReservationError> {
    let wish = &booking.wish;
    take_the_guests(wish, types)?;
    let items = priced(wish, shelves, currency, || bare_id(uow))?;
    Money::sum(items.iter().map(crate::domain::reservation::Item::price).collect::<Result<Vec<_>, _>>()?)?;
    let mut laid: Vec<(RoomTypeId, String)> = Vec::new();
    for wanted in &wish.items {
        let (of, allocation) = (wanted.room_type.clone(), format!("alc_{}", bare_id(uow)));
        let unknown = || ReservationError::RoomTypeUnknown(of.clone());
        let stock = &mut shelves.get_mut(&of).ok_or_else(unknown)?.stock;
        if let Err(why) = stock.place(&allocation, wish.stay, wanted.room.as_ref()) {
            for (of, allocation) in laid {
                if let Some(shelf) = shelves.get_mut(&of) {
                    shelf.stock.taken.retain(|taken| taken.allocation != allocation);
                }
            }
            return Err(no_place(&wanted.room_type, wanted.room.as_ref(), why));
        }
        laid.push((of, allocation));
    }
    Ok(())
}
