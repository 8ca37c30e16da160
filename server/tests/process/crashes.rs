//! Killed without a farewell, the hotel comes back by itself with everything that was promised.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::house::House;
use crate::process::{Process, runs, until};
use crate::seed::seed;
use crate::story::Hotel;

/// Ready again, on the same folder and port.
const BACK: Duration = Duration::from_secs(15);

fn comes_back(house: &House, after: &str) -> Process {
    let begun = Instant::now();
    let up = house.up();
    until("ready again", BACK, || house.client().is_ready());
    println!("back after {after}: {:?}", begun.elapsed());
    assert!(begun.elapsed() < BACK, "{after}: took {:?}", begun.elapsed());
    up
}

fn kill_postgres(house: &House) {
    let all = house.postgres();
    assert!(!all.is_empty());
    for pid in &all {
        // The postmaster's children may be gone with it already.
        let _ = kill(Pid::from_raw(*pid), Signal::SIGKILL);
    }
    until("PostgreSQL is dead", Duration::from_secs(5), || all.iter().all(|pid| !runs(*pid)));
}

#[test]
fn the_same_command_brings_the_hotel_back_after_kill_9() {
    let house = House::new();
    let mut up = house.up();
    let client = house.client();
    let hotel = Hotel::of(&house, "CHINAR");
    hotel.check_out(&client, 1);

    let orphan = house.postmaster().expect("PostgreSQL runs");
    up.kill_dead();
    assert!(runs(orphan), "PostgreSQL was left behind");
    let mut up = comes_back(&house, "kill -9, PostgreSQL an orphan");
    assert!(!runs(orphan), "one PostgreSQL on a folder");
    assert_eq!(hotel.room(&client, 1)["status"], "dirty");
    hotel.feed_of(&client, 2);
    hotel.turn_over(&client, 1);

    up.kill_dead();
    kill_postgres(&house);
    let _up = comes_back(&house, "kill -9 of both");
    assert_eq!(hotel.room(&client, 1)["status"], "ready", "nothing committed is lost");
    hotel.feed_of(&client, 10);
    house.assert_all_published_once();
}

/// Guests leave, four at a time, until the server is gone. Gives the departures that were acknowledged.
fn check_out_until_it_dies(
    hotel: &Hotel,
    house: &House,
    next: &AtomicUsize,
    up: &mut Process,
    kill_after: usize,
) -> Vec<usize> {
    let (acknowledged, over) = (Mutex::new(Vec::new()), AtomicBool::new(false));
    let client = house.client();
    std::thread::scope(|threads| {
        for _ in 0..4 {
            threads.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    match hotel.try_push(&client, &hotel.departure(number)) {
                        Some(answer) if answer.status == 204 => acknowledged.lock().expect("no panic").push(number),
                        Some(answer) => panic!("{answer:?}"),
                        None => break,
                    }
                }
            });
        }
        until("departures are acknowledged", Duration::from_secs(20), || {
            acknowledged.lock().expect("no panic").len() >= kill_after
        });
        up.kill_dead();
        over.store(true, Ordering::Relaxed);
    });
    acknowledged.into_inner().expect("no panic")
}

#[test]
fn nothing_acknowledged_is_lost_and_nothing_is_told_twice_when_killed_under_load() {
    let mut chance = StdRng::seed_from_u64(seed());
    let house = House::new();
    let mut up = house.up();
    let client = house.client();
    let hotel = Hotel::of(&house, "CHINAR");
    let next = AtomicUsize::new(0);
    for round in 0..2 {
        let acknowledged = check_out_until_it_dies(&hotel, &house, &next, &mut up, chance.random_range(5..40));
        if round == 1 {
            kill_postgres(&house);
        }
        up = comes_back(&house, if round == 0 { "kill -9 under load" } else { "kill -9 of both under load" });
        for number in acknowledged {
            assert_eq!(hotel.tasks(&client, number).len(), 1, "room {number} was acknowledged");
        }
    }
    // The sender delivers again what was not acknowledged, and some of what was.
    let all = next.load(Ordering::Relaxed);
    for number in 0..all {
        hotel.check_out(&client, number);
    }
    let feed = hotel.feed_of(&client, 2 * all);
    for number in 0..all {
        let of_room = feed.iter().filter(|event| event["payload"]["roomId"] == crate::story::room(number).as_str());
        assert_eq!(of_room.count(), 2, "room {number}: one task, one change of status");
    }
    house.assert_all_published_once();
}

#[test]
fn what_a_dead_worker_had_in_hand_is_delivered_by_the_next_one() {
    let house = House::new();
    let mut up = house.up();
    let client = house.client();
    let hotel = Hotel::of(&house, "CHINAR");
    hotel.check_out(&client, 0);

    // The handlers wait for somebody's lock, each with its event in hand, when the process dies.
    let (session, watch) = (house.session("melmastoon_owner"), house.session("melmastoon"));
    session.tell("BEGIN; LOCK TABLE housekeeping.room_status IN EXCLUSIVE MODE");
    hotel.tell_through_the_outbox(&house, 1..6);
    until("the worker has them in hand", Duration::from_secs(8), || watch.waiting("melmastoon_app") > 0);
    up.kill_dead();
    drop((session, watch));

    let _up = comes_back(&house, "kill -9 of a worker");
    let begun = Instant::now();
    until("every departure has its effect", Duration::from_secs(25), || {
        (1..6).all(|room| hotel.tasks(&client, room).len() == 1)
    });
    println!("delivered again after {:?}", begun.elapsed());
    hotel.feed_of(&client, 2 * 6 + 5);
    house.assert_all_published_once();
}
