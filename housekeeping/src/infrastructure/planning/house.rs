//! The way through the house: floors, sections and doors, as far as rooms tell.

use std::collections::{BTreeMap, HashMap};

use planner::instance::Walk;

use crate::application::routing_port::RoutingRoom;

const HIGHEST_FLOOR: i64 = 1_000;
const FARTHEST_DOOR: i64 = 10_000;

/// Seconds from door to door, and by the lift, in a house nobody has measured.
pub(super) const WALK: Walk = Walk { sec_per_unit: 4, elevator_pos: 0, elevator_wait_sec: 60, sec_per_floor: 12 };

/// Where a room is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) floor: i64,
    pub(super) section: String,
    /// Doors from the lift.
    pub(super) position: i64,
}

/// Every room's place. Nobody has measured the corridors: doors follow each other as their numbers do.
pub(super) struct House<'i> {
    places: HashMap<&'i str, Place>,
    lowest: i64,
}

impl<'i> House<'i> {
    pub(super) fn of(rooms: &'i [RoutingRoom]) -> Self {
        let mut floors: BTreeMap<i64, Vec<&RoutingRoom>> = BTreeMap::new();
        for room in rooms {
            floors.entry(floor_of(room)).or_default().push(room);
        }
        let mut places = HashMap::with_capacity(rooms.len());
        for (floor, doors) in &mut floors {
            doors.sort_by_cached_key(|room| (number_of(room), room.number.clone(), room.room_id.clone()));
            for (position, room) in (0..=FARTHEST_DOOR).chain(std::iter::repeat(FARTHEST_DOOR)).zip(doors.iter()) {
                let section = room.section.clone().unwrap_or_default();
                places.insert(room.room_id.as_str(), Place { floor: *floor, section, position });
            }
        }
        Self { places, lowest: floors.keys().next().copied().unwrap_or(0) }
    }

    /// A room that nobody has described is at the entrance.
    pub(super) fn place(&self, room: &str) -> Place {
        self.places.get(room).cloned().unwrap_or_else(|| self.entrance())
    }

    /// Where people come from in the morning.
    pub(super) fn entrance(&self) -> Place {
        Place { floor: self.lowest, section: String::new(), position: 0 }
    }
}

/// The floor, or what the number on the door says of it: room 304 is on the third.
fn floor_of(room: &RoutingRoom) -> i64 {
    let told = room.floor.map(i64::from);
    let by_number = || number_of(room).filter(|number| *number >= 100).map_or(0, |number| number / 100);
    told.unwrap_or_else(by_number).clamp(-HIGHEST_FLOOR, HIGHEST_FLOOR)
}

/// The digits of the number on the door.
fn number_of(room: &RoutingRoom) -> Option<i64> {
    let digits: String = room.number.as_deref()?.chars().filter(char::is_ascii_digit).take(9).collect();
    digits.parse().ok()
}
