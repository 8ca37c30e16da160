//! Room types, which are sold, and rooms, which are slept in.

use contracts::ids::{PropertyId, RoomId, RoomTypeId};
use contracts::time::Timestamp;
use jiff::civil::Date;
use platform::Decided;
use platform::decided::Aggregate;

use super::money::Money;

/// A kind of room that can be sold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoomType {
    pub id: RoomTypeId,
    pub property_id: PropertyId,
    pub name: String,
    pub max_occupancy: i32,
    /// The price of a night that has none of its own.
    pub base_rate: Option<Money>,
    /// How many more are sold than there are; below zero: how many fewer.
    pub overbooking: i32,
    pub version: i32,
}

/// What can happen to a room type. Nobody else is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RoomTypeEvent {
    Described,
    RatesSet { from: Date, to: Date, rate: Money },
    SellLimitsSet { from: Date, to: Date, overbooking: i32 },
}

impl Aggregate for RoomType {
    type Event = RoomTypeEvent;
    fn version_mut(&mut self) -> &mut i32 {
        &mut self.version
    }
}

/// What somebody says of a room type; what is left out stays.
#[derive(Clone, Debug, Default)]
pub struct TypeWords {
    pub name: Option<String>,
    pub max_occupancy: Option<i32>,
    pub base_rate: Option<Money>,
    pub overbooking: Option<i32>,
}

impl RoomType {
    /// A type that nothing is known of but its name: two guests, no price.
    pub fn open(id: RoomTypeId, property_id: PropertyId, words: TypeWords) -> Decided<Self> {
        let name = words.name.unwrap_or_else(|| id.as_str().to_owned());
        let room_type = Self {
            id,
            property_id,
            name,
            max_occupancy: words.max_occupancy.unwrap_or(2),
            base_rate: words.base_rate,
            overbooking: words.overbooking.unwrap_or(0),
            version: 0,
        };
        Decided::opened(room_type, RoomTypeEvent::Described)
    }

    pub fn describe(mut self, words: TypeWords) -> Decided<Self> {
        self.name = words.name.unwrap_or(self.name);
        self.max_occupancy = words.max_occupancy.unwrap_or(self.max_occupancy);
        self.base_rate = words.base_rate.or(self.base_rate);
        self.overbooking = words.overbooking.unwrap_or(self.overbooking);
        Decided::changed(self, RoomTypeEvent::Described)
    }

    /// The price of the nights in `[from, to)`.
    pub fn set_rates(self, from: Date, to: Date, rate: Money) -> Decided<Self> {
        Decided::changed(self, RoomTypeEvent::RatesSet { from, to, rate })
    }

    pub fn set_sell_limits(self, from: Date, to: Date, overbooking: i32) -> Decided<Self> {
        Decided::changed(self, RoomTypeEvent::SellLimitsSet { from, to, overbooking })
    }
}

/// A room with a door.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Room {
    pub id: RoomId,
    pub property_id: PropertyId,
    /// A room without a type is not sold.
    pub room_type_id: Option<RoomTypeId>,
    pub number: Option<String>,
    pub floor: Option<String>,
    pub archived: bool,
    /// As housekeeping told last, and when it became so.
    pub housekeeping_status: Option<String>,
    pub flipped_at: Option<Timestamp>,
    pub version: i32,
}

/// A room came into being, or is described anew. Nobody else is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoomDescribed;

impl Aggregate for Room {
    type Event = RoomDescribed;
    fn version_mut(&mut self) -> &mut i32 {
        &mut self.version
    }
}

/// What somebody says of a room; what is left out stays.
#[derive(Clone, Debug, Default)]
pub struct RoomWords {
    pub room_type_id: Option<RoomTypeId>,
    pub number: Option<String>,
    pub floor: Option<String>,
    pub archived: Option<bool>,
}

impl Room {
    pub fn open(id: RoomId, property_id: PropertyId, words: RoomWords) -> Decided<Self> {
        let room = Self {
            id,
            property_id,
            room_type_id: words.room_type_id,
            number: words.number,
            floor: words.floor,
            archived: words.archived.unwrap_or(false),
            housekeeping_status: None,
            flipped_at: None,
            version: 0,
        };
        Decided::opened(room, RoomDescribed)
    }

    pub fn describe(mut self, words: RoomWords) -> Decided<Self> {
        self.room_type_id = words.room_type_id.or(self.room_type_id);
        self.number = words.number.or(self.number);
        self.floor = words.floor.or(self.floor);
        self.archived = words.archived.unwrap_or(self.archived);
        Decided::changed(self, RoomDescribed)
    }

    /// Whether housekeeping has told that nobody can go into it yet. Where nothing was told, nothing is known.
    pub fn is_unready(&self) -> bool {
        let unready = ["dirty", "cleaning", "cleaned", "out_of_order", "out_of_service"];
        self.housekeeping_status.as_deref().is_some_and(|status| unready.contains(&status))
    }
}
