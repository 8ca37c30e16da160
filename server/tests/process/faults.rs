//! Faults of the table in `docs/decisions/delivery.md`, each with a printed seed: real processes, a real PostgreSQL, a real NATS
//! server, and a proxy of ours in between. After each it heals, everything is as it should be within a minute, and I1 to I9 are
//! checked from the database.
//!
//! The short set is here; `make faults` runs the long one.

use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::process::until;
use crate::proxy::Mood;
use crate::replicas::{Found, Replicas};
use crate::seed::seed;

fn row(scenario: &str, kills: usize, found: &Found) {
    println!(
        "{scenario:<44} events {:>7}  kills {kills:>3}  lost {}  twice {}  converged {:.1} s",
        found.events,
        found.lost,
        found.twice,
        found.converged.as_secs_f64()
    );
}

/// Any of the seven processes is killed while events go through them.
fn any_is_killed(replicas: &mut Replicas, chance: &mut StdRng, rounds: usize, events: usize) {
    let before = replicas.kills;
    for _ in 0..rounds {
        replicas.tell(events);
        let killed = replicas.kill_any(chance);
        println!("  killed {killed}");
    }
    let found = replicas.converge();
    row("any process killed under load", replicas.kills - before, &found);
}

/// The broker is killed under load and comes back; REST serves meanwhile, and says that the bus is away.
fn the_broker_is_away(replicas: &mut Replicas, events: usize, away: Duration) {
    replicas.tell(events);
    replicas.nats.kill();
    replicas.tell(events);
    let begun = Instant::now();
    while begun.elapsed() < away {
        let answer = replicas
            .client()
            .get(&format!("/housekeeping/v1/board?propertyId={}", replicas.hotel.property), &replicas.hotel.supervisor);
        assert_eq!(answer.status, 200, "REST goes on: {answer:?}");
        assert!(replicas.client().is_ready());
        std::thread::sleep(Duration::from_millis(100));
    }
    replicas.nats.start_again();
    let found = replicas.converge();
    row("broker killed, away, back", 1, &found);
}

/// Connections that both sides believe in and that carry nothing; then they break.
fn half_open(replicas: &mut Replicas, events: usize, length: Duration) {
    replicas.tell(events);
    replicas.proxy.becomes(Mood::HoldsStill);
    replicas.tell(events);
    std::thread::sleep(length);
    replicas.proxy.becomes(Mood::Passes);
    replicas.proxy.cuts();
    let found = replicas.converge();
    row("half-open connections to the broker", 0, &found);
}

/// The broker takes what it is given, and its answers are lost.
fn lost_answers(replicas: &mut Replicas, events: usize, length: Duration) {
    replicas.proxy.becomes(Mood::SwallowsAnswers);
    replicas.tell(events);
    std::thread::sleep(length);
    replicas.proxy.becomes(Mood::Passes);
    replicas.proxy.cuts();
    let found = replicas.converge();
    row("the broker's answers are lost", 0, &found);
}

/// A relay is stopped in the middle, its place is taken, and it wakes up again; the same with a worker.
fn paused_and_awake(replicas: &mut Replicas, part: usize, name: &str, events: usize, length: Duration) {
    replicas.tell(events);
    replicas.signal(part, Signal::SIGSTOP);
    replicas.tell(events);
    std::thread::sleep(length);
    replicas.signal(part, Signal::SIGCONT);
    let found = replicas.converge();
    row(name, 0, &found);
}

/// Everything that was told is told again, and nothing happens.
fn told_again(replicas: &mut Replicas) {
    replicas.house.output(&["republish", "--since", "2020-01-01T00:00:00Z"]);
    until("the repetitions are through", Duration::from_mins(1), || {
        let status: serde_json::Value =
            serde_json::from_str(&replicas.house.output(&["bus", "status", "--json"])).expect("JSON");
        let lags = status["subscriptions"].as_array().expect("a list").clone();
        lags.iter().all(|lag| lag["waiting"] == 0 && lag["atWork"] == 0)
    });
    let doctor: serde_json::Value = serde_json::from_str(&replicas.house.run(&["doctor", "--json"]).out).expect("JSON");
    let bus = doctor.as_array().expect("a list").iter().find(|check| check["check"] == "bus").expect("the bus").clone();
    assert_eq!(bus["ok"], true, "{bus}");
    let found = replicas.converge();
    row("everything published again", 0, &found);
}

#[test]
fn seven_processes_on_one_database_and_nats_lose_nothing_whichever_is_killed() {
    let Some(mut replicas) = Replicas::open() else { return };
    let mut chance = StdRng::seed_from_u64(seed());
    any_is_killed(&mut replicas, &mut chance, 4, 150);
    the_broker_is_away(&mut replicas, 100, Duration::from_secs(2));
    half_open(&mut replicas, 50, Duration::from_secs(2));
    lost_answers(&mut replicas, 50, Duration::from_secs(2));
    told_again(&mut replicas);
}

#[test]
#[ignore = "ten minutes: make faults"]
#[expect(clippy::disallowed_methods, reason = "tests have no server::config to ask")]
fn the_long_run_of_faults() {
    let named = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seed = named("MELMASTOON_FAULTS_SEED").unwrap_or_else(seed);
    let minutes = named("MELMASTOON_FAULTS_MINUTES").unwrap_or(10);
    println!("seed {seed}: again with make faults SEED={seed}");
    let Some(mut replicas) = Replicas::open() else { return };
    let mut chance = StdRng::seed_from_u64(seed);
    let end = Instant::now() + Duration::from_mins(minutes);
    let mut scenarios = 0;
    while Instant::now() < end {
        match chance.random_range(0..7) {
            0 | 1 => any_is_killed(&mut replicas, &mut chance, 5, 400),
            2 => the_broker_is_away(&mut replicas, 500, Duration::from_secs(chance.random_range(1..20))),
            3 => half_open(&mut replicas, 200, Duration::from_secs(chance.random_range(1..20))),
            4 => lost_answers(&mut replicas, 200, Duration::from_secs(chance.random_range(1..15))),
            5 => {
                let part = chance.random_range(2..6);
                let name =
                    if part < 4 { "a relay stands still and wakes up" } else { "a worker stands still and wakes up" };
                paused_and_awake(&mut replicas, part, name, 300, Duration::from_secs(chance.random_range(5..20)));
            }
            _ => told_again(&mut replicas),
        }
        scenarios += 1;
    }
    println!(
        "{scenarios} scenarios, {} events, {} processes killed: lost 0, effect twice 0",
        replicas.told, replicas.kills
    );
}
