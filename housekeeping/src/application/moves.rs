//! A guest goes from one room to another, and messages about it come in any order.
//!
//! What is known of a reservation's rooms is a small ledger: when they came into a room, when they left it, and where to. A move
//! out of a room that they are not known to be in is remembered there; if it is told later that they had come, they have left again.

use contracts::ids::{EventId, PropertyId, ReservationId, RoomId};
use contracts::reservation::{ModifiedV1, RoomChange, StayRoom};
use contracts::time::Timestamp;
use platform::{Refusal, UnitOfWork};

use super::profiles::Profile;
use super::{arrivals, discrepancies, turnover};
use crate::HousekeepingError;
use crate::infrastructure::put_back::PutBack;
use crate::infrastructure::stays::{self, ExpectedIn, RoomOfStay, Stay};
use crate::infrastructure::{arrivals as expected, discrepancies as differences, rooms};

/// The rooms of one reservation, while a message about them is taken in.
#[derive(Debug)]
pub(super) struct Ledger {
    property: PropertyId,
    /// When it was last said that they are not in after all.
    undone_at: Option<Timestamp>,
    rooms: Vec<RoomOfStay>,
    touched: Vec<RoomId>,
    left: Vec<StayRoom>,
    /// Rooms that were only named: there are such rooms.
    seen: Vec<RoomId>,
}

/// The way of a guest into another room.
#[derive(Debug)]
struct Move {
    to: RoomId,
    item: Option<String>,
    at: Timestamp,
}

/// What it means that somebody left a room for another.
#[derive(Debug)]
enum Departure {
    /// They were in, and are out.
    Made(Move),
    /// They have gone home, or it is this very move once more.
    Known,
    /// They are not known to be in.
    Remembered,
}

impl Ledger {
    pub(super) fn new(property: PropertyId, rooms: Vec<RoomOfStay>, put_back: &PutBack) -> Self {
        Self { property, undone_at: put_back.undone_at, rooms, touched: Vec::new(), left: Vec::new(), seen: Vec::new() }
    }

    fn room(&mut self, room: &RoomId, item: Option<&str>) -> &mut RoomOfStay {
        if !self.touched.contains(room) {
            self.touched.push(room.clone());
        }
        let at = self.rooms.iter().position(|one| one.room_id == *room).unwrap_or_else(|| {
            self.rooms.push(RoomOfStay {
                property_id: self.property.clone(),
                room_id: room.clone(),
                item_id: None,
                arrived_at: None,
                departed_at: None,
                moved_to: None,
            });
            self.rooms.len() - 1
        });
        let found = &mut self.rooms[at];
        if let Some(item) = item.filter(|item| !item.is_empty()) {
            found.item_id = Some(item.to_owned());
        }
        found
    }

    /// A room is meant for them.
    fn see(&mut self, room: &RoomId) {
        self.seen.push(room.clone());
    }

    /// They came into rooms, into all of them at once. Who is known to have gone home does not come back by a late message; who is known to
    /// have moved on has been here, and is where they moved to. Who had come and was not in after all comes anew.
    pub(super) fn arrive<'r>(&mut self, rooms: impl IntoIterator<Item = (&'r RoomId, Option<&'r str>)>, at: Timestamp) {
        let moves = rooms.into_iter().filter_map(|(room, item)| self.enter(room, item, at, false)).collect();
        self.follow(moves);
    }

    /// Leads guests to where they moved, and on from there. Nobody goes in circles: a room leads on for those alone who come into it first.
    fn follow(&mut self, mut moves: Vec<Move>) {
        while let Some(Move { to, item, at }) = moves.pop() {
            moves.extend(self.enter(&to, item.as_deref(), at, true));
        }
    }

    /// They came into a room. Gives where they moved on to, if they did. Whoever moves into a room at the very moment at which others leave it
    /// has exchanged rooms with them, and stays.
    fn enter(&mut self, room: &RoomId, item: Option<&str>, at: Timestamp, by_moving: bool) -> Option<Move> {
        let undone = self.undone_at.filter(|undone| at >= *undone);
        let here = self.room(room, item);
        let first = here.arrived_at.is_none();
        let comes_anew = |left: Timestamp| at > left || (at == left && by_moving && !first);
        match (here.departed_at, here.moved_to.clone()) {
            (Some(left), moved_to)
                if (moved_to.is_some() && comes_anew(left)) || undone.is_some_and(|undone| left <= undone) =>
            {
                here.arrived_at = Some(at);
                here.departed_at = None;
                here.moved_to = None;
                None
            }
            (Some(left), Some(to)) if first => {
                here.arrived_at = Some(at);
                let told = here.as_told();
                self.left.push(told);
                Some(Move { to, item: item.map(str::to_owned), at: left })
            }
            _ => {
                here.arrived_at = here.arrived_at.max(Some(at));
                None
            }
        }
    }

    /// Whether they were in the house at a moment.
    fn was_in(&self, at: Timestamp) -> bool {
        let here = self.rooms.iter().filter(|room| room.arrived_at.is_some_and(|since| since <= at));
        here.into_iter().any(|room| room.departed_at.is_none_or(|left| left > at))
    }

    /// The rooms that they are in.
    pub(super) fn present(&self) -> Vec<RoomOfStay> {
        self.rooms.iter().filter(|room| room.is_present()).cloned().collect()
    }

    /// The rooms that they were in at a moment and did not leave for another.
    pub(super) fn stayed_in(&self, at: Timestamp) -> Vec<StayRoom> {
        let here = self.rooms.iter().filter(|room| room.property_id == self.property && room.moved_to.is_none());
        here.filter(|room| room.arrived_at.is_some_and(|since| since <= at)).map(RoomOfStay::as_told).collect()
    }

    /// They leave a room for another, which they come into when everybody who moves is out of theirs.
    fn depart(&mut self, from: &RoomId, to: &RoomId, item: Option<&str>, at: Timestamp) -> Departure {
        // Of rooms that were exchanged none is left: whoever moved into the other one is in it since then.
        let is_in_since = |there: &RoomOfStay| {
            let theirs = item.is_none_or(|item| there.item_id.as_deref() == Some(item));
            there.room_id == *to && there.is_present() && there.arrived_at == Some(at) && theirs
        };
        if self.rooms.iter().any(is_in_since) {
            return Departure::Known;
        }
        let undone_at = self.undone_at;
        let here = self.room(from, item);
        // Who was not in after all goes nowhere: the other room is meant for them.
        if here.departed_at.is_some() && here.was_theirs(undone_at) {
            return Departure::Known;
        }
        let present = here.is_present();
        here.departed_at = Some(at);
        here.moved_to = Some(to.clone());
        if !present {
            return Departure::Remembered;
        }
        let told = here.as_told();
        self.left.push(told);
        Departure::Made(Move { to: to.clone(), item: item.map(str::to_owned), at })
    }

    /// They are in a room after all. `false`: they have left it again since.
    pub(super) fn stay_on(&mut self, room: &StayRoom, at: Timestamp) -> bool {
        let here = self.room(&room.room_id, Some(&room.item_id));
        if here.departed_at.is_some_and(|left| left > at) {
            return false;
        }
        here.arrived_at = here.arrived_at.or(Some(at));
        here.departed_at = None;
        here.moved_to = None;
        true
    }

    /// They are in no room after all: those that they were in by then are vacant, as if they had never come.
    pub(super) fn undo_arrivals(&mut self, at: Timestamp) -> Vec<RoomId> {
        let here = self.rooms.iter_mut().filter(|room| room.property_id == self.property && room.is_present());
        let mut vacant = Vec::new();
        for room in here.filter(|room| room.arrived_at.is_some_and(|since| since <= at)) {
            room.arrived_at = None;
            room.departed_at = Some(at);
            vacant.push(room.room_id.clone());
        }
        self.touched.extend(vacant.iter().cloned());
        vacant
    }

    /// The rooms that they went home from, and when.
    pub(super) fn left_for_home(&self) -> impl Iterator<Item = (&RoomOfStay, Timestamp)> {
        let here = self.rooms.iter().filter(|room| room.property_id == self.property && room.moved_to.is_none());
        here.filter(|room| room.was_theirs(self.undone_at)).filter_map(|room| Some((room, room.departed_at?)))
    }

    /// Writes what was made out, and has the rooms that they left turned over.
    pub(super) async fn close(
        self,
        uow: &mut UnitOfWork,
        profile: &Profile,
        reservation: &ReservationId,
        event: &EventId,
    ) -> Result<(), HousekeepingError> {
        let mut known = [self.touched.as_slice(), &self.seen].concat();
        known.sort();
        known.dedup();
        // The rooms before what was seen in them, as everybody who looks at both.
        rooms::lock_or_open(uow, &self.property, &known).await?;
        uow.touch_board(&self.property);
        for room in self.rooms.iter().filter(|room| self.touched.contains(&room.room_id)) {
            stays::set_room(uow, reservation, room);
        }
        let open = differences::open_in(uow, &self.property, &known, reservation).await?;
        let is_in = |room: &RoomId| self.rooms.iter().any(|one| one.room_id == *room && one.is_present());
        discrepancies::settle(uow, open, is_in)?;
        turnover::turn_over_moved(uow, profile, &self.property, reservation, self.left, event).await
    }
}

/// A booking changed: where that means another room, the old one is dirty and the new one theirs, as soon as they are in; and so is a room that
/// they have besides.
pub async fn move_guest(
    uow: &mut UnitOfWork,
    profile: &Profile,
    told: &ModifiedV1,
    event: &EventId,
) -> Result<(), HousekeepingError> {
    let (changes, lost) = (told.room_changes(), told.rooms_lost());
    let Some(named) = changes.first().map(|change| &change.to).or(lost.first()) else { return Ok(()) };
    let (reservation, at) = (&told.reservation_id, told.occurred_at);
    let mut known = stays::lock(uow, reservation).await?;
    let property = match told.property_id.clone().or_else(|| known.house()) {
        Some(property) => property,
        None => rooms::house_of(uow, named).await?.ok_or(Refusal::NotFound("room"))?,
    };
    let mut ledger = Ledger::new(property.clone(), std::mem::take(&mut known.rooms), &known.put_back);
    let (mut moves, mut meant) = (Vec::new(), Vec::new());
    for change in &changes {
        let item = change.item_id.as_deref();
        match change.from.as_ref().map(|from| ledger.depart(from, &change.to, item, at)) {
            Some(Departure::Made(made)) => moves.push(made),
            Some(Departure::Known) => {}
            Some(Departure::Remembered) | None => meant.push(change),
        }
    }
    ledger.follow(moves);
    meant.retain(|change| !known.is_over(change.item_id.as_deref(), at));
    // One room more for whoever is in the house: they are in it as well.
    let (besides, meant): (Vec<_>, Vec<_>) =
        meant.into_iter().partition(|change| change.from.is_none() && ledger.was_in(at));
    ledger.arrive(besides.iter().map(|change| (&change.to, change.item_id.as_deref())), at);
    // Who is not in yet is expected elsewhere, or nowhere until they have a room again: all of them first, since rooms change hands.
    let instead: Vec<Option<&ExpectedIn>> = meant.iter().map(|change| expected_before(&known, change)).collect();
    for room in instead.iter().flatten().map(|one| &one.room_id).chain(&lost) {
        expected::leave_out(uow, reservation, room, at);
    }
    let mut due: Vec<(RoomId, Timestamp)> = Vec::new();
    for (change, before) in meant.into_iter().zip(instead) {
        let there = ledger.rooms.iter().find(|one| one.room_id == change.to);
        if there.is_some_and(RoomOfStay::is_present) {
            continue;
        }
        ledger.see(&change.to);
        let room = ExpectedIn {
            property_id: property.clone(),
            room_id: change.to.clone(),
            item_id: change.item_id.clone(),
            expected_at: before.map_or(known.arrives_at, |one| one.expected_at.or(known.arrives_at)),
            over_at: None,
            at_desk: before.is_some_and(|one| one.at_desk),
        };
        expected::plan(uow, reservation, &room);
        due.extend(room.expected_at.map(|at| (room.room_id, at)));
    }
    ledger.close(uow, profile, reservation, event).await?;
    for (room, at) in due {
        arrivals::hasten(uow, profile, &property, vec![room], at).await?;
    }
    Ok(())
}

/// Where they were expected until now: in the room that they had, or, where none is told, in the one of the same item.
fn expected_before<'k>(known: &'k Stay, change: &RoomChange) -> Option<&'k ExpectedIn> {
    let is_meant = |one: &&ExpectedIn| match (&change.from, &change.item_id) {
        (Some(from), _) => one.room_id == *from,
        (None, Some(item)) => one.item_id.as_ref() == Some(item),
        (None, None) => false,
    };
    known.expected.iter().filter(|one| one.over_at.is_none()).find(is_meant)
}
