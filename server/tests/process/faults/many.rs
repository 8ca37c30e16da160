//! Very many events through many deaths: `make faults EVENTS=1000000 KILLS=20`.
//!
//! An event is a row of an outbox that was published, and that at least one context listens to and has applied. For each stay the
//! reservation context tells two (confirmed, checked out), which housekeeping hears, and housekeeping tells one that reservation hears (the
//! room is dirty), besides one that nobody listens to and that is not counted. Everything is compared in the database.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use serde_json::json;

use crate::client::Client;
use crate::database_dies::GoHome;
use crate::replicas::{Replicas, Telling};
use crate::session::Session;
use crate::story::Hotel;

/// Events of a stay that somebody listens to.
const OF_A_STAY: usize = 3;
/// Rows that housekeeping tells of a stay.
const TOLD_BY_HOUSEKEEPING: i64 = 2;
/// Stays that may be on their way at a time: enough for everybody to have work while somebody is dead.
const ON_THEIR_WAY: usize = 6_000;
const AT_ONCE: usize = 1_000;

const KILLED: [&str; 6] = ["serve", "relay", "work", "tick", "nats-server", "PostgreSQL"];

/// A connection that is made again whenever the server has died.
struct Steady {
    config: tokio_postgres::Config,
    session: Session,
}

impl Steady {
    fn ask<T>(&mut self, question: impl Fn(&Session) -> Result<T, tokio_postgres::Error>) -> T {
        loop {
            match question(&self.session) {
                Ok(answer) => return answer,
                Err(_) => self.session = Session::patient(&self.config),
            }
        }
    }
}

/// Orders work, each order under a key of its own and again until it is taken; gives how many were.
fn order(
    hotel: &Hotel,
    clients: &Mutex<[Option<Client>; 2]>,
    over: &AtomicBool,
    next: &AtomicUsize,
    again: &AtomicUsize,
) -> usize {
    let mut taken = 0;
    while !over.load(Ordering::Relaxed) {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let body =
            json!({ "propertyId": hotel.property, "roomId": format!("rom_{}", number % 200), "kind": "deep_clean" });
        loop {
            let client = clients.lock().expect("no panic")[number % 2].clone().expect("somebody serves");
            let key = format!("order-{number}");
            let answer = client.try_post_once("/housekeeping/v1/tasks", &hotel.supervisor, &key, &body);
            match answer {
                Some(answer) if answer.status == 201 => break,
                Some(answer) => assert!([409, 429, 503].contains(&answer.status), "{answer:?}"),
                None => {}
            }
            again.fetch_add(1, Ordering::Relaxed);
            std::thread::sleep(Duration::from_millis(100));
        }
        taken += 1;
        std::thread::sleep(Duration::from_millis(100));
    }
    taken
}

fn kill(replicas: &mut Replicas, which: &str, chance: &mut StdRng) {
    replicas.work_besides();
    let part = match which {
        "serve" => chance.random_range(0..2),
        "relay" => chance.random_range(2..4),
        "work" => chance.random_range(4..6),
        _ => 6,
    };
    match which {
        "nats-server" => {
            replicas.nats.kill();
            replicas.nats.start_again();
            replicas.kills += 1;
        }
        "PostgreSQL" => {
            if chance.random() {
                replicas.server.kill();
            } else {
                replicas.server.stop_immediately();
            }
            // Whoever is killed next is started on a database that answers.
            drop(replicas.session());
            replicas.kills += 1;
        }
        _ => {
            replicas.kill_and_start(part);
        }
    }
}

/// Who dies, in turn, so that everybody does; shuffled by the seed.
fn deaths(kills: usize, chance: &mut StdRng) -> Vec<&'static str> {
    let mut all = Vec::new();
    while all.len() < kills {
        let mut round = KILLED;
        round.shuffle(chance);
        all.extend(round);
    }
    all.truncate(kills);
    all
}

fn resident_mib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kib| kib.parse::<u64>().ok()).unwrap_or(0) / 1_024
}

#[expect(clippy::cast_precision_loss, reason = "numbers for people")]
pub(super) fn many(replicas: &mut Replicas, events: usize, kills: usize) {
    let mut chance = StdRng::seed_from_u64(replicas.seed);
    let stays = events.div_ceil(OF_A_STAY);
    let mut deaths = deaths(kills, &mut chance).into_iter().enumerate();
    let config = replicas.server.config();
    let mut steady = Steady { session: Session::patient(&config), config };
    // The rooms that are ordered for are there before anybody orders.
    replicas.tell(200);
    replicas.converge().report("the first guests", replicas.seed, 0);
    let (first, before) = (replicas.told, replicas.consumed());
    let told_before = steady.ask(|session| session.try_count("SELECT last_value FROM housekeeping.outbox_id_seq"));
    let (hotel, clients) = (replicas.hotel.clone(), replicas.whoever_serves());
    let (over, next, again) = (AtomicBool::new(false), AtomicUsize::new(0), AtomicUsize::new(0));
    let begun = Instant::now();
    let mut due = deaths.next();
    let mut said = Instant::now();
    let ordered: usize = std::thread::scope(|threads| {
        let callers: Vec<_> = (0..4)
            .map(|_| {
                let (hotel, clients) = (&hotel, Arc::clone(&clients));
                let (over, next, again) = (&over, &next, &again);
                threads.spawn(move || order(hotel, &clients, over, next, again))
            })
            .collect();
        let ends = GoHome(&over);
        loop {
            let rows = steady.ask(|session| session.try_count("SELECT last_value FROM housekeeping.outbox_id_seq"));
            // Orders are told once each.
            let orders = i64::try_from(next.load(Ordering::Relaxed)).unwrap_or(0);
            let done = usize::try_from((rows - told_before - orders) / TOLD_BY_HOUSEKEEPING).unwrap_or(0).min(stays);
            let told = replicas.told - first;
            if told < stays && told < done + ON_THEIR_WAY {
                let count = AT_ONCE.min(stays - told);
                let rows = replicas.rows(Telling::Stay, count);
                steady.ask(|session| session.try_tell(&rows));
                replicas.told += count;
            } else {
                std::thread::sleep(Duration::from_millis(20));
            }
            if let Some((number, which)) = due
                && done * (kills + 1) >= (number + 1) * stays
            {
                kill(replicas, which, &mut chance);
                println!("  {:>6.1} s  {done:>7} stays  killed {which}", begun.elapsed().as_secs_f64());
                due = deaths.next();
            }
            if said.elapsed() > Duration::from_secs(20) {
                println!("  {:>6.1} s  {done:>7} of {stays} stays", begun.elapsed().as_secs_f64());
                said = Instant::now();
            }
            if replicas.told - first >= stays && due.is_none() {
                break;
            }
        }
        drop(ends);
        callers.into_iter().map(|caller| caller.join().expect("no panic")).sum()
    });
    let found = replicas.converge_within(Duration::from_mins(5));
    let took = begun.elapsed();
    let consumed = replicas.consumed() - before;
    let kept =
        replicas.session().count("SELECT count(*) FROM housekeeping.housekeeping_tasks WHERE kind = 'deep_clean'");
    println!(
        "{consumed} events published and applied ({} published), {} kills, {ordered} orders by REST ({} tried again) in {:.0} s: {:.0} events/s; lost {}, twice {}; {} MiB in the harness",
        found.events,
        kills,
        again.load(Ordering::Relaxed),
        took.as_secs_f64(),
        consumed as f64 / took.as_secs_f64(),
        found.lost,
        found.twice,
        resident_mib(),
    );
    found.report("very many events, many deaths", replicas.seed, kills);
    assert!(consumed >= i64::try_from(events).expect("a number"), "{consumed} of {events}");
    assert_eq!(kept, i64::try_from(ordered).expect("a number"), "I10: each order was done once");
}
