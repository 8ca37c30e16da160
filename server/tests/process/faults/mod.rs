//! Faults of the table in `docs/decisions/delivery.md`, each with a printed seed: real processes, a real PostgreSQL, a real NATS
//! server, and a proxy of ours in between. After each it heals, everything is as it should be within a minute, and I1 to I9 are
//! checked from the database.
//!
//! The short set is here; `make faults` runs the long ones.

mod answers;
mod calendar;
mod callers;
mod clocks;
mod disk;
mod late;
mod many;
mod outage;
mod scenarios;
mod upgrade;

use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use scenarios::{
    any_is_killed, buried_and_replayed, changes_meet, half_open, lost_answers, paused_and_awake, the_broker_is_away,
    the_database_is_killed, told_again, told_again_after_the_purge, two_versions,
};

use crate::replicas::Replicas;
use crate::seed::seed;

#[test]
fn seven_processes_on_one_database_and_nats_lose_nothing_whichever_is_killed() {
    let seed = seed();
    let Some(mut replicas) = Replicas::open(seed) else { return };
    let mut chance = StdRng::seed_from_u64(seed);
    any_is_killed(&mut replicas, &mut chance, 4, 150);
    the_database_is_killed(&mut replicas, &mut chance, 2, 100);
    the_broker_is_away(&mut replicas, 100, Duration::from_secs(2));
    half_open(&mut replicas, 50, Duration::from_secs(2));
    lost_answers(&mut replicas, 50, Duration::from_secs(2));
    told_again(&mut replicas);
}

#[test]
fn what_is_refused_repeated_buried_or_of_another_release_takes_effect_once() {
    let seed = seed();
    let Some(mut replicas) = Replicas::open(seed) else { return };
    two_versions(&mut replicas, 30);
    changes_meet(&mut replicas, 50);
    buried_and_replayed(&mut replicas, 20);
    told_again_after_the_purge(&mut replicas, 30);
    clocks::clocks_are_wrong(&mut replicas, 50, 2);
    upgrade::the_schema_grows(&mut replicas, 30);
}

#[test]
fn whatever_callers_and_strangers_send_is_refused_or_filed_and_nobody_dies_of_it() {
    let seed = seed();
    let Some(mut replicas) = Replicas::open(seed) else { return };
    let mut chance = StdRng::seed_from_u64(seed);
    callers::bodies(&mut replicas);
    callers::tokens(&mut replicas, &mut chance);
    callers::foreigners(&mut replicas);
    callers::words(&mut replicas);
    callers::keys(&mut replicas);
    callers::no_connection_is_free(&mut replicas);
    late::commits_late(&mut replicas, 30);
    late::rubbish_at_the_broker(&mut replicas, 30);
}

/// Kinds of faults in the long run.
const KINDS: i32 = 22;

/// What `make faults` asks for.
#[expect(clippy::disallowed_methods, reason = "tests have no server::config to ask")]
fn named(name: &str) -> Option<u64> {
    std::env::var(format!("MELMASTOON_FAULTS_{name}")).ok().and_then(|text| text.parse::<u64>().ok())
}

#[test]
#[ignore = "ten minutes: make faults"]
fn the_long_run_of_faults() {
    let seed = named("SEED").unwrap_or_else(seed);
    let minutes = named("MINUTES").unwrap_or(10);
    println!("seed {seed}: again with make faults SEED={seed}");
    let Some(mut replicas) = Replicas::open(seed) else { return };
    let mut chance = StdRng::seed_from_u64(seed);
    let end = Instant::now() + Duration::from_mins(minutes);
    let mut scenarios = 0;
    // Each once, in this order; then whatever chance says.
    while scenarios < KINDS || Instant::now() < end {
        let which = if scenarios < KINDS { scenarios } else { chance.random_range(0..KINDS) };
        let seconds = Duration::from_secs(chance.random_range(1..15));
        match which {
            0 => any_is_killed(&mut replicas, &mut chance, 5, 400),
            1 => the_database_is_killed(&mut replicas, &mut chance, 3, 400),
            2 => the_broker_is_away(&mut replicas, 500, seconds),
            3 => half_open(&mut replicas, 200, seconds),
            4 => lost_answers(&mut replicas, 200, seconds),
            5 => paused_and_awake(&mut replicas, chance.random_range(2..4), 300, seconds),
            6 => paused_and_awake(&mut replicas, chance.random_range(4..6), 300, seconds),
            7 => told_again(&mut replicas),
            8 => told_again_after_the_purge(&mut replicas, 200),
            9 => changes_meet(&mut replicas, 200),
            10 => buried_and_replayed(&mut replicas, 40),
            11 => two_versions(&mut replicas, 200),
            12 => late::commits_late(&mut replicas, 200),
            13 => late::slower_than_the_broker_waits(&mut replicas, 200),
            14 => late::rubbish_at_the_broker(&mut replicas, 200),
            15 => callers::bodies(&mut replicas),
            16 => callers::tokens(&mut replicas, &mut chance),
            17 => callers::foreigners(&mut replicas),
            18 => callers::words(&mut replicas),
            19 => callers::keys(&mut replicas),
            20 => callers::no_connection_is_free(&mut replicas),
            _ => clocks::clocks_are_wrong(&mut replicas, 200, 3),
        }
        scenarios += 1;
    }
    // The schema grows once.
    upgrade::the_schema_grows(&mut replicas, 200);
    println!(
        "{} scenarios, {} departures, {} processes killed: lost 0, effect twice 0",
        scenarios + 1,
        replicas.told,
        replicas.kills
    );
}

#[test]
#[ignore = "minutes: make faults OUTAGE=120"]
fn the_broker_is_away_for_minutes() {
    let seed = named("SEED").unwrap_or_else(seed);
    let Some(mut replicas) = Replicas::open(seed) else { return };
    outage::outage(&mut replicas, Duration::from_secs(named("OUTAGE").unwrap_or(120)));
}

#[test]
#[ignore = "a quarter of an hour: make faults EVENTS=1000000 KILLS=20"]
fn very_many_events_through_many_deaths() {
    let seed = named("SEED").unwrap_or_else(seed);
    println!("seed {seed}: again with make faults SEED={seed} EVENTS=… KILLS=…");
    let Some(mut replicas) = Replicas::open(seed) else { return };
    let count = |name, usual| usize::try_from(named(name).unwrap_or(usual)).expect("a number");
    many::many(&mut replicas, count("EVENTS", 1_000_000), count("KILLS", 20));
}
