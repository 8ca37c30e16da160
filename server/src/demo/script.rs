//! Who is there and what happens: drawn from the seed alone.

use contracts::ids::{PrefixedId, PropertyId, RoomId, ShiftId, StaffId, TenantId};
use housekeeping::infrastructure::rooms::RoomDescription;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use ulid::Ulid;

/// 2026-01-01: the day Hotel Chinar opened. Ids of the demo are as old as the house, whenever it is started.
const OPENED_MILLIS: u64 = 1_767_225_600_000;
const FLOORS: i32 = 4;
const ROOMS_A_FLOOR: i32 = 12;

/// A member of the staff.
#[derive(Clone, Debug)]
pub(super) struct Person {
    pub id: StaffId,
    pub given_name: &'static str,
    pub family_name: &'static str,
    pub languages: &'static [&'static str],
    pub skills: &'static [&'static str],
}

/// A party of guests, by their room.
#[derive(Clone, Debug)]
pub(super) struct Stay {
    pub room: RoomId,
}

/// The whole morning.
#[derive(Clone, Debug)]
pub(super) struct Script {
    pub tenant: TenantId,
    pub property: PropertyId,
    pub shift: ShiftId,
    pub supervisor: Person,
    /// At the desk.
    pub clerk: Person,
    pub manager: Person,
    pub housekeepers: Vec<Person>,
    pub rooms: Vec<RoomDescription>,
    /// Guests who slept here and leave this morning; the first few before their time.
    pub departures: Vec<Stay>,
    pub early_departures: usize,
    /// Guests who stay another night.
    pub stay_overs: Vec<Stay>,
    /// Guests who arrive into rooms that are ready.
    pub arrivals: Vec<Stay>,
    /// Guests at the desk whose rooms are not ready yet.
    pub waiting: Vec<Stay>,
}

const PEOPLE: [(&str, &str, &[&str], &[&str]); 9] = [
    ("Zarghuna", "Stanekzai", &["ps-AF", "fa-AF", "en"], &["supervision", "inspection"]),
    ("Parwin", "Ahmadi", &["fa-AF"], &[]),
    ("Gulalai", "Wardak", &["ps-AF"], &["deep_clean"]),
    ("Nasrin", "Rahimi", &["fa-AF", "en"], &[]),
    ("Spogmai", "Shinwari", &["ps-AF", "fa-AF"], &[]),
    ("Farid", "Haidari", &["fa-AF", "ps-AF"], &["deep_clean"]),
    ("Shaima", "Noori", &["fa-AF"], &[]),
    ("Wais", "Popal", &["ps-AF", "en"], &[]),
    ("Mariam", "Sultani", &["en", "fa-AF"], &[]),
];
/// Drawn last, so that everybody else stays who they were.
const OTHERS: [(&str, &str, &[&str]); 2] =
    [("Idris", "Karimzada", &["en", "fa-AF", "ps-AF"]), ("Roya", "Mohmand", &["en", "ps-AF", "fa-AF"])];
/// So many guests are early and wait for their rooms.
const WAITING: usize = 3;

impl Script {
    pub(super) fn from_seed(seed: u64) -> Self {
        let mut chance = StdRng::seed_from_u64(seed);
        let property: PropertyId = next(&mut chance);
        let rooms = rooms(&mut chance, &property);
        let mut people = PEOPLE.iter().map(|(given_name, family_name, languages, skills)| Person {
            id: next(&mut chance),
            given_name,
            family_name,
            languages,
            skills,
        });
        let supervisor = people.next();
        let housekeepers: Vec<_> = people.collect();
        let mut order: Vec<RoomId> = rooms.iter().map(|room| room.room_id.clone()).collect();
        order.shuffle(&mut chance);
        let (leaving, staying) = (chance.random_range(20..=24), chance.random_range(14..=17));
        let arriving = chance.random_range(3..=5);
        let mut stays = order.into_iter().map(|room| Stay { room });
        let departures: Vec<_> = stays.by_ref().take(leaving).collect();
        let stay_overs = stays.by_ref().take(staying).collect();
        let arrivals = stays.take(arriving).collect();
        let fallback = Person {
            id: next(&mut chance),
            given_name: "Zarghuna",
            family_name: "Stanekzai",
            languages: &["en"],
            skills: &["supervision"],
        };
        let (tenant, shift) = (next(&mut chance), next(&mut chance));
        let waiting = departures.iter().rev().take(WAITING).cloned().collect();
        let mut other = |(given_name, family_name, languages)| Person {
            id: next(&mut chance),
            given_name,
            family_name,
            languages,
            skills: &[],
        };
        let [clerk, manager] = OTHERS.map(&mut other);
        Self {
            clerk,
            manager,
            tenant,
            property,
            shift,
            waiting,
            supervisor: supervisor.unwrap_or(fallback),
            housekeepers,
            rooms,
            departures,
            early_departures: 2,
            stay_overs,
            arrivals,
        }
    }
}

fn rooms(chance: &mut StdRng, property: &PropertyId) -> Vec<RoomDescription> {
    let mut rooms = Vec::new();
    for floor in 1..=FLOORS {
        for door in 1..=ROOMS_A_FLOOR {
            let room_type = match door {
                11 | 12 => "suite",
                1..=4 => "single",
                _ => "double",
            };
            rooms.push(RoomDescription {
                property_id: property.clone(),
                room_id: next(chance),
                number: format!("{floor}{door:02}"),
                floor,
                section: if door <= 6 { "east" } else { "west" }.to_owned(),
                room_type: room_type.to_owned(),
            });
        }
    }
    rooms
}

pub(super) fn next<I: PrefixedId>(chance: &mut StdRng) -> I {
    I::from_ulid(ulid(chance))
}

fn ulid(chance: &mut StdRng) -> Ulid {
    Ulid::from_parts(OPENED_MILLIS, chance.random())
}
