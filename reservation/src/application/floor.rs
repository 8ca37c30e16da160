//! The rooms that a reservation has or may get, with everybody else in them, while they are locked.

use std::collections::BTreeMap;

use contracts::ids::{RoomId, RoomTypeId};
use jiff::civil::Date;
use platform::UnitOfWork;

use super::booking::wishes::no_place;
use crate::ReservationError;
use crate::domain::placing::{Block, Stock, Taken};
use crate::domain::reservation::{Item, Place, Reservation};
use crate::domain::rooms::{Room, RoomType};
use crate::domain::stay::Stay;
use crate::infrastructure::inventory::{self, Shelf};
use crate::infrastructure::laying::Laid;
use crate::infrastructure::rooms;

/// All types that are looked at, and who lay where before.
#[derive(Debug)]
pub(super) struct Floor {
    pub(super) shelves: BTreeMap<RoomTypeId, Shelf>,
    before: Vec<Taken>,
}

impl Floor {
    /// The types that its items were sold as and lie in, and some more, locked in the order of their ids.
    pub(super) async fn of(
        uow: &mut UnitOfWork,
        reservation: &Reservation,
        more: &[RoomTypeId],
        nights: (Date, Date),
    ) -> Result<Self, ReservationError> {
        let types = Self::lock(uow, reservation, more).await?;
        Self::over(uow, reservation, &types, nights).await
    }

    /// The types alone, locked: for whoever may not have to look at who lies where.
    pub(super) async fn lock(
        uow: &mut UnitOfWork,
        reservation: &Reservation,
        more: &[RoomTypeId],
    ) -> Result<Vec<RoomType>, ReservationError> {
        let lying: Vec<RoomId> = reservation.items.iter().filter_map(|item| item.room().cloned()).collect();
        let doors = rooms::find(uow, &lying).await?;
        let mut ids: Vec<RoomTypeId> = reservation.items.iter().map(|item| item.room_type_id.clone()).collect();
        ids.extend(doors.into_iter().filter_map(|door| door.room_type_id));
        ids.extend_from_slice(more);
        ids.sort();
        ids.dedup();
        rooms::lock_types(uow, &ids).await
    }

    /// Who lies where in these types, which are locked.
    pub(super) async fn over(
        uow: &mut UnitOfWork,
        reservation: &Reservation,
        types: &[RoomType],
        nights: (Date, Date),
    ) -> Result<Self, ReservationError> {
        let shelves = inventory::shelves(uow, &reservation.property_id, types, nights).await?;
        let before = shelves.values().flat_map(|shelf| shelf.stock.taken.clone()).collect();
        Ok(Self { shelves, before })
    }

    /// The nights that an item has, unless they are over.
    pub(super) fn nights_of(&self, item: &Item) -> Option<Stay> {
        let place = item.place.as_ref()?;
        self.before.iter().find(|taken| taken.allocation == place.allocation).map(|taken| taken.stay)
    }

    /// The room that an item lies in: the one that was told, or where it was found once its type was locked. Until then others could move it.
    pub(super) fn lies_in(&self, place: &Place) -> Option<RoomId> {
        if place.pinned {
            return place.room.clone();
        }
        self.before.iter().find(|taken| taken.allocation == place.allocation).and_then(|taken| taken.room.clone())
    }

    /// Takes an item off the floor: its nights are as good as free.
    pub(super) fn lift(&mut self, allocation: &str) {
        for shelf in self.shelves.values_mut() {
            shelf.stock.taken.retain(|taken| taken.allocation != allocation);
        }
    }

    /// Where the type is that a room is of.
    pub(super) fn type_of(&self, room: &RoomId) -> Option<&RoomTypeId> {
        let has = |shelf: &Shelf| shelf.stock.doors.iter().any(|door| door.id == *room);
        self.shelves.iter().find(|(_, shelf)| has(shelf)).map(|(id, _)| id)
    }

    /// With other nights where it lies, without asking whether there is a place.
    pub(super) fn put_back(&mut self, taken: Taken, sold_as: &RoomTypeId) {
        let of = taken.room.as_ref().and_then(|room| self.type_of(room)).unwrap_or(sold_as).clone();
        if let Some(shelf) = self.shelves.get_mut(&of) {
            shelf.stock.taken.push(taken);
        }
    }

    /// A room that nobody may be put into now.
    pub(super) fn close(&mut self, room: &RoomId, from: Date) {
        if let Some(of) = self.type_of(room).cloned()
            && let Some(shelf) = self.shelves.get_mut(&of)
        {
            shelf.stock.blocks.push(Block { room: room.clone(), from, to: None });
        }
    }

    /// And may be put into again.
    pub(super) fn reopen(&mut self, room: &RoomId) {
        for shelf in self.shelves.values_mut() {
            if let Some(at) = shelf.stock.blocks.iter().rposition(|block| block.room == *room && block.to.is_none()) {
                shelf.stock.blocks.remove(at);
            }
        }
    }

    /// Other nights for whoever has some: those that are new are sold, in this room or in the best there is of a type.
    pub(super) fn stretch(
        &mut self,
        (allocation, had): (&str, Stay),
        stay: Stay,
        of: &RoomTypeId,
        wish: Option<&RoomId>,
    ) -> Result<Option<RoomId>, ReservationError> {
        self.stock(of)?.place_more(allocation, stay, wish, Some(had)).map_err(|why| no_place(of, wish, why))
    }

    /// A room for nights that are sold: this one, or the best there is of a type.
    pub(super) fn seat(
        &mut self,
        allocation: &str,
        stay: Stay,
        of: &RoomTypeId,
        wish: Option<&RoomId>,
    ) -> Result<RoomId, ReservationError> {
        self.stock(of)?.seat(allocation, stay, wish).map_err(|why| no_place(of, wish, why))
    }

    fn stock(&mut self, of: &RoomTypeId) -> Result<&mut Stock, ReservationError> {
        let unknown = || ReservationError::RoomTypeUnknown(of.clone());
        Ok(&mut self.shelves.get_mut(of).ok_or_else(unknown)?.stock)
    }

    /// Where an allocation lies by now: others may have moved it.
    pub(super) fn room_of(&self, allocation: &str) -> Option<RoomId> {
        let mut all = self.shelves.values().flat_map(|shelf| &shelf.stock.taken);
        all.find(|taken| taken.allocation == allocation).and_then(|taken| taken.room.clone())
    }

    /// Nights that become free go first to those who have no room.
    pub(super) fn seat_waiting(&mut self) {
        for shelf in self.shelves.values_mut().filter(|shelf| shelf.stock.whole) {
            shelf.stock.seat_waiting();
        }
    }

    /// Where everybody lies who is not where they were; whoever is new on the floor is written by whoever put them there.
    pub(super) fn moves(&self) -> Vec<(String, RoomId)> {
        self.shelves.values().flat_map(|shelf| shelf.stock.moves(&self.before)).collect()
    }

    /// Everybody who was moved, as they are to lie, but for those who are laid by themselves.
    pub(super) fn moved(&self, but: &[&str]) -> Vec<Laid> {
        let is_moved = |taken: &&Taken| {
            let before = self.before.iter().find(|one| one.allocation == taken.allocation);
            !but.contains(&taken.allocation.as_str()) && before.is_some_and(|before| before.room != taken.room)
        };
        let laid = |taken: &Taken| Laid {
            allocation: taken.allocation.clone(),
            room: taken.room.clone(),
            stay: taken.stay,
            // Only who was told no room is moved.
            pinned: false,
        };
        self.shelves.values().flat_map(|shelf| &shelf.stock.taken).filter(is_moved).map(laid).collect()
    }
}

/// A room of this house that is sold.
pub(super) async fn sold_room(
    uow: &mut UnitOfWork,
    reservation: &Reservation,
    room: &RoomId,
) -> Result<(Room, RoomTypeId), ReservationError> {
    let found = rooms::find(uow, std::slice::from_ref(room)).await?.into_iter().next();
    let unknown = || ReservationError::RoomUnknown(room.clone());
    let door =
        found.filter(|door| door.property_id == reservation.property_id && !door.archived).ok_or_else(unknown)?;
    let of = door.room_type_id.clone().ok_or_else(unknown)?;
    Ok((door, of))
}
