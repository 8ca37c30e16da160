//! Which room a stay gets: the one that leaves the fewest idle nights, others moved aside where nobody was told their room.

use std::collections::BTreeMap;

use contracts::ids::RoomId;
use jiff::civil::Date;

use super::stay::{Stay, days_between};

/// So far a gap beside a stay is looked at.
pub const LOOKED_AT: i32 = 30;

/// A room of the type, by the number on its door.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Door {
    pub number: String,
    pub id: RoomId,
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
        let is_blocked = |door: &&Door| self.blocks.iter().any(|block| block.room == door.id && block.covers(date));
        let has = |taken: &&Taken| taken.stay.start() <= date && date < taken.stay.end();
        Night {
            rooms: count(self.doors.len()),
            taken: count(self.taken.iter().filter(has).count()),
            out_of_order: count(self.doors.iter().filter(is_blocked).count()),
            overbooking: self.overbooking_by_night.get(&date).copied().unwrap_or(self.overbooking),
        }
    }

    /// Sets nights aside for an allocation. Others may be moved; what was moved says [`Stock::moves`].
    pub fn place(&mut self, allocation: &str, stay: Stay, wish: Option<&RoomId>) -> Result<Option<RoomId>, NoPlace> {
        if wish.is_some_and(|wish| self.doors.iter().all(|door| door.id != *wish)) {
            return Err(NoPlace::RoomUnknown);
        }
        let full: Vec<Date> = stay.dates().filter(|date| self.night(*date).available() < 1).collect();
        if !full.is_empty() {
            return Err(NoPlace::Full { nights: full, fragmented: false });
        }
        let taken = Taken { allocation: allocation.to_owned(), room: None, stay, movable: wish.is_none() };
        let Some(wish) = wish else {
            if let Some(room) = self.settle(taken.clone()) {
                return Ok(Some(room));
            }
            return self.without_room(taken);
        };
        if self.is_free(wish, stay) {
            self.taken.push(Taken { room: Some(wish.clone()), ..taken });
            return Ok(Some(wish.clone()));
        }
        self.re_fit(&taken, Some(wish)).map(Some).ok_or(NoPlace::RoomTaken)
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
        let was = |one: &Taken| before.iter().find(|old| old.allocation == one.allocation).map(|old| old.room.clone());
        let moved = self.taken.iter().filter(|one| was(one).is_some_and(|old| old != one.room));
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
        let free = self.doors.iter().filter(|door| self.is_free(&door.id, stay));
        free.min_by_key(|door| (self.idle_nights(&door.id, stay), *door)).map(|door| door.id.clone())
    }

    /// The nights that would lie idle before and after.
    fn idle_nights(&self, room: &RoomId, stay: Stay) -> i32 {
        let here = || self.taken.iter().filter(|taken| taken.room.as_ref() == Some(room));
        let before = here().map(|taken| days_between(taken.stay.end(), stay.start())).filter(|gap| *gap >= 0).min();
        let after = here().map(|taken| days_between(stay.end(), taken.stay.start())).filter(|gap| *gap >= 0).min();
        before.unwrap_or(LOOKED_AT).min(LOOKED_AT) + after.unwrap_or(LOOKED_AT).min(LOOKED_AT)
    }

    /// All that may move, and the new one, by their beginning into the first room that is free. Without fixed ones and blocks
    /// this cannot fail where the count fits.
    fn re_fit(&mut self, new: &Taken, wish: Option<&RoomId>) -> Option<RoomId> {
        if !self.whole {
            return None;
        }
        let may_move = |taken: &Taken| taken.movable && taken.room.is_some();
        let mut fixed = Self {
            doors: self.doors.clone(),
            taken: self.taken.iter().filter(|taken| !may_move(taken)).cloned().collect(),
            blocks: self.blocks.clone(),
            whole: true,
            ..Self::default()
        };
        fixed.doors.sort();
        let mut waiting: Vec<Taken> = self.taken.iter().filter(|taken| may_move(taken)).cloned().collect();
        match wish {
            Some(wish) if fixed.is_free(wish, new.stay) => {
                fixed.taken.push(Taken { room: Some(wish.clone()), ..new.clone() });
            }
            Some(_) => return None,
            None => waiting.push(new.clone()),
        }
        waiting.sort_by(|one, other| (one.stay, &one.allocation).cmp(&(other.stay, &other.allocation)));
        for mut taken in waiting {
            let room = fixed.doors.iter().find(|door| fixed.is_free(&door.id, taken.stay))?.id.clone();
            taken.room = Some(room);
            fixed.taken.push(taken);
        }
        self.taken = fixed.taken;
        self.taken.iter().find(|taken| taken.allocation == new.allocation).and_then(|taken| taken.room.clone())
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

impl Block {
    fn covers(&self, date: Date) -> bool {
        self.from <= date && self.to.is_none_or(|to| date < to)
    }
}

fn count(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
