//! PostgreSQL is killed while the hotel works: callers are told to come again, and the hotel heals by itself.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::client::{Answer, Client};
use crate::house::House;
use crate::process::until;
use crate::story::{Hotel, room};

/// What one caller met.
#[derive(Default)]
struct Met {
    answers: Vec<Answer>,
    departures: Vec<usize>,
    foreign: Vec<String>,
}

/// One hotel's callers: a departure, a task and the board, again and again. Rooms are numbered apart from other hotels'.
fn work(
    hotel: &Hotel,
    client: &Client,
    next: &AtomicUsize,
    over: &AtomicBool,
    met: &Mutex<Met>,
    own: &std::ops::Range<usize>,
) {
    while !over.load(Ordering::Relaxed) {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let push = hotel.try_push(client, &hotel.departure(number)).expect("an answer, whatever happens");
        let acknowledged = push.status == 204;
        let body = json!({ "propertyId": hotel.property, "roomId": room(number), "kind": "deep_clean" });
        let post = client.post("/housekeeping/v1/tasks", &hotel.supervisor, &body);
        let path = format!("/housekeeping/v1/board?propertyId={}", hotel.property);
        let board = client.get(&path, &hotel.supervisor);
        let mut met = met.lock().expect("no panic");
        if acknowledged {
            met.departures.push(number);
        }
        if board.status == 200 {
            let rooms = board.json()["rooms"].as_array().expect("rooms").clone();
            let ids = rooms.iter().map(|room| room["roomId"].as_str().expect("an id").to_owned());
            met.foreign.extend(ids.filter(|id| !id[4..].parse().is_ok_and(|number| own.contains(&number))));
        }
        met.answers.extend([push, post, board]);
    }
}

#[test]
fn requests_are_told_to_come_again_while_postgresql_is_dead_and_the_hotel_heals_by_itself() {
    let house = House::new();
    let _up = house.up();
    let client = house.client();
    let hotels = [(Hotel::of(&house, "CHINAR"), 0..100_000), (Hotel::of(&house, "SPINGHAR"), 100_000..200_000)];
    let nexts = [AtomicUsize::new(0), AtomicUsize::new(100_000)];
    let (over, met) = (AtomicBool::new(false), [Mutex::new(Met::default()), Mutex::new(Met::default())]);
    let answers = |fits: &dyn Fn(&Answer) -> bool| -> usize {
        met.iter().map(|met| met.lock().expect("no panic").answers.iter().filter(|answer| fits(answer)).count()).sum()
    };
    let first = house.postmaster().expect("PostgreSQL runs");

    std::thread::scope(|threads| {
        for ((hotel, own), (next, met)) in hotels.iter().zip(nexts.iter().zip(&met)) {
            for _ in 0..3 {
                threads.spawn(|| work(hotel, &client, next, &over, met, own));
            }
        }
        // Whatever goes wrong below, the callers go home.
        let _home = GoHome(&over);
        until("work goes on", Duration::from_secs(20), || answers(&|answer| answer.status < 300) > 30);
        house.kill_postmaster();
        let killed = Instant::now();
        until("callers are told", Duration::from_secs(15), || answers(&|answer| answer.status == 503) > 0);
        until("another PostgreSQL runs", Duration::from_secs(15), || {
            house.postmaster().is_some_and(|pid| pid != first)
        });
        let before = answers(&|answer| answer.status < 300);
        until("work goes on again", Duration::from_secs(15), || answers(&|answer| answer.status < 300) > before + 30);
        println!("healed after {:?}", killed.elapsed());
    });

    until("ready", Duration::from_secs(15), || client.is_ready());
    for ((hotel, _), met) in hotels.iter().zip(met) {
        let met = met.into_inner().expect("no panic");
        assert_eq!(met.foreign, Vec::<String>::new(), "another hotel's rooms were shown");
        for answer in &met.answers {
            if answer.status >= 300 {
                answer.assert_come_again();
            }
        }
        for number in met.departures {
            let turnovers = hotel.tasks(&client, number).iter().filter(|task| task["kind"] == "turnover").count();
            assert_eq!(turnovers, 1, "room {number} was acknowledged");
        }
    }
    until("the relay has caught up", Duration::from_secs(15), || house.unpublished() == 0);
    house.assert_all_published_once();
}

/// Ends the callers' work also when the test fails.
pub(crate) struct GoHome<'a>(pub(crate) &'a AtomicBool);

impl Drop for GoHome<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
