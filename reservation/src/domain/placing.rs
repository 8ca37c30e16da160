//! Which room a stay gets: the one that leaves the fewest idle nights, others moved aside where nobody was told their room.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use contracts::ids::RoomId;
use jiff::civil::Date;

use super::stay::{Stay, dates, days_between};

/// So far a gap beside a stay is looked at.
pub const LOOKED_AT: i32 = 30;

/// A room of the type, by the number on its door: 9 before 10.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Door {
    pub number: String,
    pub id: RoomId,
}

impl Ord for Door {
    fn cmp(&self, other: &Self) -> Ordering {
        let (here, there) = (self.number.chars().count(), other.number.chars().count());
        (here, &self.number, &self.id).cmp(&(there, &other.number, &other.id))
    }
}

impl PartialOrd for Door {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Nights that somebody has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    pub allocation: String,
    /// `None`: sold beyond what there is.
    pub room: Option<RoomId>,
    pub stay: Stay,
    /// Nobody was told the room and nobody is in it.
    pub movable: bool,
}

/// A room that cannot be used; no `to`: until further notice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    pub room: RoomId,
    pub from: Date,
    pub to: Option<Date>,
}

/// Everything there is of one room type.
#[derive(Clone, Debug, Default)]
pub struct Stock {
    pub doors: Vec<Door>,
    pub taken: Vec<Taken>,
    pub blocks: Vec<Block>,
    /// Rooms that nobody can go into at once: for who stands at the desk they are the last choice.
    pub unready: BTreeSet<RoomId>,
    pub overbooking: i32,
    /// Where a night differs.
    pub overbooking_by_night: BTreeMap<Date, i32>,
    /// Everybody who has nights is here: others may be moved. Otherwise only those near the nights in question are.
    pub whole: bool,
}

/// Why a stay has no place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoPlace {
    /// These nights are sold; `fragmented`: by the count there is a place, but not in one room.
    Full { nights: Vec<Date>, fragmented: bool },
    /// The room that was asked for.
    RoomTaken,
    /// There is no such room of this type.
    RoomUnknown,
}

/// The counts of one night.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Night {
    pub rooms: i32,
    pub taken: i32,
    pub out_of_order: i32,
    pub overbooking: i32,
}

impl Night {
    pub fn available(self) -> i32 {
        (self.rooms + self.overbooking - self.out_of_order - self.taken).max(0)
    }
}

impl Stock {
    pub fn night(&self, date: Date) -> Night {
        let none = Night { rooms: 0, taken: 0, out_of_order: 0, overbooking: 0 };
        date.tomorrow().ok().and_then(|next| self.nights(date, next).next()).map_or(none, |(_, night)| night)
    }

    /// The counts of the nights in `[from, to)`: everybody who has some of them is looked at once.
    pub fn nights(&self, from: Date, to: Date) -> impl Iterator<Item = (Date, Night)> + use<'_> {
        let nights = usize::try_from(days_between(from, to)).unwrap_or(0);
        let (mut taken, mut closed) = (vec![0_i32; nights], vec![0_i32; nights]);
        let span = |start: Date, end: Option<Date>| {
            let first = usize::try_from(days_between(from, start.max(from))).unwrap_or(0).min(nights);
            let last =
                end.map_or(nights, |end| usize::try_from(days_between(from, end.max(from))).unwrap_or(0).min(nights));
            first..last.max(first)
        };
        for one in &self.taken {
            taken[span(one.stay.start(), Some(one.stay.end()))].iter_mut().for_each(|count| *count += 1);
        }
        let mut blocked: BTreeMap<&RoomId, Vec<&Block>> = BTreeMap::new();
        for block in &self.blocks {
            blocked.entry(&block.room).or_default().push(block);
        }
        for (_, blocks) in blocked.iter().filter(|(room, _)| self.doors.iter().any(|door| door.id == ***room)) {
            // A room that is blocked twice is out of order once.
            let mut out = vec![false; nights];
            for block in blocks {
                out[span(block.from, block.to)].fill(true);
            }
            closed.iter_mut().zip(out).for_each(|(count, out)| *count += i32::from(out));
        }
        dates(from, to).zip(taken.into_iter().zip(closed)).map(|(date, (taken, out_of_order))| {
            let overbooking = self.overbooking_by_night.get(&date).copied().unwrap_or(self.overbooking);
            (date, Night { rooms: count(self.doors.len()), taken, out_of_order, overbooking })
        })
    }

    /// Sells nights: by the count first, then where there is a room. Others may be moved; what was moved says [`Stock::moves`].
    pub fn place(&mut self, allocation: &str, stay: Stay, wish: Option<&RoomId>) -> Result<Option<RoomId>, NoPlace> {
        self.place_more(allocation, stay, wish, None)
    }

    /// The same for whoever has some of these nights already: only the others are sold anew.
    pub fn place_more(
        &mut self,
        allocation: &str,
        stay: Stay,
        wish: Option<&RoomId>,
        had: Option<Stay>,
    ) -> Result<Option<RoomId>, NoPlace> {
        self.has_door(wish)?;
        let is_new = |date: Date| had.is_none_or(|had| date < had.start() || date >= had.end());
        let full: Vec<Date> = self
            .nights(stay.start(), stay.end())
            .filter(|(date, night)| is_new(*date) && night.available() < 1)
            .map(|(date, _)| date)
            .collect();
        if !full.is_empty() {
            return Err(NoPlace::Full { nights: full, fragmented: false });
        }
        match self.seat(allocation, stay, wish) {
            Err(NoPlace::Full { .. }) => {
                let taken = Taken { allocation: allocation.to_owned(), room: None, stay, movable: true };
                self.without_room(taken)
            }
            seated => seated.map(Some),
        }
    }

    /// A room for whoever was sold these nights: how many may be sold does not matter any more, only where there is a room.
    pub fn seat(&mut self, allocation: &str, stay: Stay, wish: Option<&RoomId>) -> Result<RoomId, NoPlace> {
        self.has_door(wish)?;
        let taken = Taken { allocation: allocation.to_owned(), room: None, stay, movable: wish.is_none() };
        let Some(wish) = wish else {
            let full = || NoPlace::Full { nights: stay.dates().collect(), fragmented: true };
            return self.settle(taken).ok_or_else(full);
        };
        if self.is_free(wish, stay) {
            self.taken.push(Taken { room: Some(wish.clone()), ..taken });
            return Ok(wish.clone());
        }
        self.re_fit(&taken, Some(wish)).ok_or(NoPlace::RoomTaken)
    }

    fn has_door(&self, wish: Option<&RoomId>) -> Result<(), NoPlace> {
        match wish {
            Some(wish) if self.doors.iter().all(|door| door.id != *wish) => Err(NoPlace::RoomUnknown),
            _ => Ok(()),
        }
    }

    /// Sold beyond what there is, where that may be.
    fn without_room(&mut self, taken: Taken) -> Result<Option<RoomId>, NoPlace> {
        let stay = taken.stay;
        if self.whole && self.may_be_roomless(stay) {
            self.taken.push(taken);
            return Ok(None);
        }
        Err(NoPlace::Full { nights: stay.dates().collect(), fragmented: true })
    }

    /// The best room for one that has none, others moved aside if it must be. `None`: there is none, and nothing is changed.
    pub fn settle(&mut self, one: Taken) -> Option<RoomId> {
        match self.best_fit(one.stay) {
            Some(room) => {
                self.taken.push(Taken { room: Some(room.clone()), ..one });
                Some(room)
            }
            None => self.re_fit(&one, None),
        }
    }

    /// Those who have no room get one, by their beginning, as far as there are rooms.
    pub fn seat_waiting(&mut self) {
        let mut waiting: Vec<Taken> = self.taken.iter().filter(|taken| taken.room.is_none()).cloned().collect();
        waiting.sort_by(|one, other| (one.stay, &one.allocation).cmp(&(other.stay, &other.allocation)));
        for one in waiting {
            let before = self.taken.clone();
            self.taken.retain(|taken| taken.allocation != one.allocation);
            if self.settle(one).is_none() {
                self.taken = before;
            }
        }
    }

    /// Where every allocation lies that is not where it was.
    pub fn moves(&self, before: &[Taken]) -> Vec<(String, RoomId)> {
        let was: HashMap<&str, &Option<RoomId>> =
            before.iter().map(|old| (old.allocation.as_str(), &old.room)).collect();
        let moved =
            self.taken.iter().filter(|one| was.get(one.allocation.as_str()).is_some_and(|old| **old != one.room));
        moved.filter_map(|one| Some((one.allocation.clone(), one.room.clone()?))).collect()
    }

    fn is_free(&self, room: &RoomId, stay: Stay) -> bool {
        let meets =
            |taken: &Taken| taken.room.as_ref() == Some(room) && taken.stay.overlaps(stay.start(), Some(stay.end()));
        !self.taken.iter().any(meets) && !self.is_blocked(room, stay)
    }

    fn is_blocked(&self, room: &RoomId, stay: Stay) -> bool {
        self.blocks.iter().any(|block| block.room == *room && stay.overlaps(block.from, block.to))
    }

    /// A room that is free on these nights, the best there is.
    pub fn free_room(&self, stay: Stay) -> Option<RoomId> {
        self.best_fit(stay)
    }

    fn best_fit(&self, stay: Stay) -> Option<RoomId> {
        // Who lies where, once for all rooms: a house has many of both.
        let mut lying: HashMap<&RoomId, Vec<Stay>> = HashMap::new();
        for taken in &self.taken {
            if let Some(room) = &taken.room {
                lying.entry(room).or_default().push(taken.stay);
            }
        }
        let here = |door: &Door| lying.get(&door.id).map_or(&[][..], Vec::as_slice);
        let is_free = |door: &&Door| {
            here(door).iter().all(|other| !other.overlaps(stay.start(), Some(stay.end())))
                && !self.is_blocked(&door.id, stay)
        };
        let free = self.doors.iter().filter(is_free);
        let rank = |door: &&Door| (self.unready.contains(&door.id), idle_nights(here(door), stay));
        free.min_by_key(|door| (rank(door), *door)).map(|door| door.id.clone())
    }

    /// All that may move, and the new one, by their beginning into the first room that is free. Without fixed ones and blocks
    /// this cannot fail where the count fits.
    fn re_fit(&mut self, new: &Taken, wish: Option<&RoomId>) -> Option<RoomId> {
        if !self.whole {
            return None;
        }
        let may_move = |taken: &&Taken| taken.movable && taken.room.is_some();
        let (mut waiting, mut fixed): (Vec<Taken>, Vec<Taken>) = (Vec::new(), Vec::new());
        for taken in &self.taken {
            if may_move(&taken) { waiting.push(taken.clone()) } else { fixed.push(taken.clone()) }
        }
        match wish {
            Some(wish) => fixed.push(Taken { room: Some(wish.clone()), ..new.clone() }),
            None => waiting.push(new.clone()),
        }
        let mut lanes = self.lanes(&fixed, new, wish)?;
        waiting.sort_by(|one, other| (one.stay, &one.allocation).cmp(&(other.stay, &other.allocation)));
        for taken in &mut waiting {
            let lane = lanes.iter_mut().find(|lane| lane.is_free(taken.stay))?;
            lane.free_from = taken.stay.end();
            taken.room = Some(lane.room.clone());
        }
        fixed.append(&mut waiting);
        self.taken = fixed;
        self.taken.iter().find(|taken| taken.allocation == new.allocation).and_then(|taken| taken.room.clone())
    }

    /// Every room with what cannot be moved out of it, by number. `None`: the room that is wished for is not free.
    fn lanes(&self, fixed: &[Taken], new: &Taken, wish: Option<&RoomId>) -> Option<Vec<Lane>> {
        let mut doors: Vec<&Door> = self.doors.iter().collect();
        doors.sort();
        let mut lanes: Vec<Lane> = doors.into_iter().map(|door| Lane::of(door.id.clone())).collect();
        let at: HashMap<RoomId, usize> = lanes.iter().enumerate().map(|(at, lane)| (lane.room.clone(), at)).collect();
        for block in &self.blocks {
            if let Some(lane) = at.get(&block.room).and_then(|at| lanes.get_mut(*at)) {
                lane.closed.push((block.from, block.to));
            }
        }
        for taken in fixed.iter().filter(|taken| taken.allocation != new.allocation) {
            if let Some(lane) = taken.room.as_ref().and_then(|room| at.get(room)).and_then(|at| lanes.get_mut(*at)) {
                lane.closed.push((taken.stay.start(), Some(taken.stay.end())));
            }
        }
        if let Some(lane) = wish.and_then(|wish| at.get(wish)).and_then(|at| lanes.get_mut(*at)) {
            if !lane.is_free(new.stay) {
                return None;
            }
            lane.closed.push((new.stay.start(), Some(new.stay.end())));
        }
        Some(lanes)
    }

    /// Whether every night may be sold once more without a room.
    fn may_be_roomless(&self, stay: Stay) -> bool {
        stay.dates().all(|date| {
            let roomless =
                |taken: &&Taken| taken.room.is_none() && taken.stay.start() <= date && date < taken.stay.end();
            count(self.taken.iter().filter(roomless).count()) < self.night(date).overbooking
        })
    }
}

/// A room while everybody who may move is laid anew, in the order of their beginnings.
struct Lane {
    room: RoomId,
    /// What cannot be moved.
    closed: Vec<(Date, Option<Date>)>,
    /// The last who was laid here leaves on this day.
    free_from: Date,
}

impl Lane {
    fn of(room: RoomId) -> Self {
        Self { room, closed: Vec::new(), free_from: Date::MIN }
    }

    fn is_free(&self, stay: Stay) -> bool {
        self.free_from <= stay.start() && self.closed.iter().all(|(from, to)| !stay.overlaps(*from, *to))
    }
}

/// The nights that would lie idle before and after.
fn idle_nights(here: &[Stay], stay: Stay) -> i32 {
    let before = here.iter().map(|other| days_between(other.end(), stay.start())).filter(|gap| *gap >= 0).min();
    let after = here.iter().map(|other| days_between(stay.end(), other.start())).filter(|gap| *gap >= 0).min();
    before.unwrap_or(LOOKED_AT).min(LOOKED_AT) + after.unwrap_or(LOOKED_AT).min(LOOKED_AT)
}

fn count(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
