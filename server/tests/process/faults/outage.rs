//! The broker is away for minutes: what callers notice, how much waits, how long it takes afterwards.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::client::Client;
use crate::database_dies::GoHome;
use crate::process::until;
use crate::replicas::Replicas;
use crate::story::{Hotel, room};

/// How long requests took, in microseconds, and how many were no success.
#[derive(Default)]
struct Took {
    micros: Mutex<Vec<u64>>,
    errors: AtomicUsize,
}

impl Took {
    fn at(&self, hundredth: usize) -> f64 {
        let mut all = self.micros.lock().expect("no panic").clone();
        all.sort_unstable();
        let at = (all.len() * hundredth / 100).min(all.len().saturating_sub(1));
        all.get(at).map_or(0.0, |micros| Duration::from_micros(*micros).as_secs_f64() * 1_000.0)
    }
}

/// Orders and looks, twenty times a second.
fn ask(hotel: &Hotel, client: &Client, over: &AtomicBool, next: &AtomicUsize, took: &Took) {
    while !over.load(Ordering::Relaxed) {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let begun = Instant::now();
        let good = if number.is_multiple_of(2) {
            let body = json!({ "propertyId": hotel.property, "roomId": room(number % 200), "kind": "deep_clean" });
            let key = format!("outage-{number}");
            client
                .try_post_once("/housekeeping/v1/tasks", &hotel.supervisor, &key, &body)
                .is_some_and(|answer| answer.status == 201)
        } else {
            let path = format!("/housekeeping/v1/rooms/{}", room(number % 200));
            client.try_get(&path, Some(&hotel.supervisor)).is_some_and(|answer| answer.status == 200)
        };
        let micros = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
        took.micros.lock().expect("no panic").push(micros);
        if !good {
            took.errors.fetch_add(1, Ordering::Relaxed);
        }
        std::thread::sleep(Duration::from_millis(50).saturating_sub(begun.elapsed()));
    }
}

/// A gauge as a monitor reads it: the highest of its kind.
fn gauge(client: &Client, name: &str) -> Option<f64> {
    let metrics = client.try_get("/metrics", None)?.text;
    let values = metrics.lines().filter_map(|line| line.strip_prefix(name)?.rsplit(' ').next()?.parse().ok());
    values.reduce(f64::max)
}

/// Also told about: an `up` beside the seven, whose relay watches the outboxes and whose `/metrics` a monitor reads.
pub(super) fn outage(replicas: &mut Replicas, away: Duration) {
    replicas.tell(200);
    replicas.converge().report("before the outage", replicas.seed, 0);
    let watching = replicas.house.up();
    let monitor = replicas.house.client();
    let clients = replicas.clients();
    let hotel = replicas.hotel.clone();
    let (over, next, took) = (AtomicBool::new(false), AtomicUsize::new(0), Took::default());
    let session = replicas.session();
    let waiting = "SELECT (SELECT count(*) FROM housekeeping.outbox WHERE published_at IS NULL)
                        + (SELECT count(*) FROM reservation.outbox WHERE published_at IS NULL)";
    let (mut peak, mut alarmed, mut oldest) = (0, None, 0.0_f64);
    let drained = std::thread::scope(|threads| {
        for client in &clients {
            for _ in 0..2 {
                threads.spawn(|| ask(&hotel, client, &over, &next, &took));
            }
        }
        let ends = GoHome(&over);
        replicas.nats.kill();
        let begun = Instant::now();
        while begun.elapsed() < away {
            // Guests go on leaving.
            replicas.tell(20);
            peak = peak.max(session.count(waiting));
            if alarmed.is_none() && gauge(&monitor, "melmastoon_outbox_alarm").is_some_and(|alarm| alarm > 0.0) {
                alarmed = Some(begun.elapsed());
            }
            oldest = oldest.max(gauge(&monitor, "melmastoon_outbox_oldest_seconds").unwrap_or(0.0));
            let ready = monitor.try_get("/readyz", None).expect("an answer");
            assert_eq!(ready.status, 200, "{ready:?}");
            std::thread::sleep(Duration::from_secs(1));
        }
        drop(ends);
        peak = peak.max(session.count(waiting));
        let back = Instant::now();
        replicas.nats.start_again();
        until("the outboxes are drained", Duration::from_mins(2), || session.count(waiting) == 0);
        back.elapsed()
    });
    let errors = took.errors.load(Ordering::Relaxed);
    let asked = took.micros.lock().expect("no panic").len();
    println!(
        "outage of {} s: REST {asked} requests, p50 {:.1} ms, p99 {:.1} ms, errors {errors}; outbox {peak} at its peak, oldest {oldest:.0} s, alarm {}; drained {:.1} s after the broker was back",
        away.as_secs(),
        took.at(50),
        took.at(99),
        alarmed.map_or_else(|| "off".to_owned(), |after| format!("on after {:.0} s", after.as_secs_f64())),
        drained.as_secs_f64(),
    );
    assert_eq!(errors, 0, "REST serves while the broker is away");
    if away > Duration::from_secs(45) {
        assert!(alarmed.is_some(), "somebody is told");
        until("the alarm ends by itself", Duration::from_secs(30), || {
            gauge(&monitor, "melmastoon_outbox_alarm").is_some_and(|alarm| alarm == 0.0)
        });
    }
    drop(watching);
    let found = replicas.converge();
    found.report("broker away for minutes", replicas.seed, 1);
}
