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

/// Those of the staff who clean nothing this morning.
#[derive(Clone, Debug)]
pub(super) struct Others {
    pub manager: Person,
    pub craftsman: Person,
    /// One for the morning, one for the evening, one for the night.
    pub desk: Vec<Person>,
    pub on_leave: Person,
    pub on_call: Person,
}

/// The whole morning.
#[derive(Clone, Debug)]
pub(super) struct Script {
    pub tenant: TenantId,
    pub property: PropertyId,
    pub supervisor: Person,
    pub housekeepers: Vec<Person>,
    pub others: Others,
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
/// Manager, craftsman, on leave, on call; and then the desk.
const OTHERS: [(&str, &str, &[&str]); 7] = [
    ("Roya", "Hashimi", &["fa-AF", "ps-AF", "en"]),
    ("Sabir", "Momand", &["ps-AF"]),
    ("Habiba", "Sarwari", &["fa-AF"]),
    ("Idris", "Zadran", &["ps-AF", "fa-AF"]),
    ("Bilal", "Khan", &["ps-AF", "en", "ur"]),
    ("Laila", "Azizi", &["fa-AF", "en"]),
    ("Jawad", "Karimi", &["fa-AF", "ps-AF", "en"]),
];
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
        // The second is nobody's any more; what comes after it stays as it was.
        let (tenant, _): (TenantId, ShiftId) = (next(&mut chance), next(&mut chance));
        // Drawn after everything else, so that a seed gives the hotel it always gave.
        let mut others_chance = StdRng::seed_from_u64(seed ^ 0xc8e4);
        let others = others(&mut others_chance);
        let waiting = departures.iter().rev().take(WAITING).cloned();
        Self {
            tenant,
            property,
            waiting: waiting.collect(),
            supervisor: supervisor.unwrap_or(fallback),
            housekeepers,
            others,
            rooms,
            departures,
            early_departures: 2,
            stay_overs,
            arrivals,
        }
    }
}

fn others(chance: &mut StdRng) -> Others {
    let [manager, craftsman, on_leave, on_call, desk @ ..] = OTHERS.map(|(given_name, family_name, languages)| {
        Person { id: next(chance), given_name, family_name, languages, skills: &[] }
    });
    Others { manager, craftsman, on_leave, on_call, desk: desk.to_vec() }
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
